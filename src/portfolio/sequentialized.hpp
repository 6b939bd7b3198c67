// Checks a concurrent program by way of a sequential one: sequentializes it within
// bounds that rise by themselves, runs bmc on the result (lazy: before that the explorer,
// without a bound on rounds), and turns what they find back into an interleaving of the
// input, which is replayed before anybody sees it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bmc/options.hpp"
#include "engine/engine.hpp"
#include "engine/explore/options.hpp"
#include "portfolio/recursion_depth.hpp"
#include "sequentialize/facts.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/sequential.hpp"

namespace heddle::portfolio {

struct SequentializedStatistics {
  sequentialize::Counters last{};  // of the last sequentialization
  std::uint32_t programs = 0;      // sequentialized and checked
  std::uint64_t states = 0;        // of those that were explored
  std::uint32_t unreplayed = 0;    // executions that were none of the input
  std::string why_unreplayed{};    // the last of them
  // mu: writes of the execution that was found where another thread writes at the same position
  std::uint64_t sharing = 0;
};

// What a sequential program can be asked: the rest is about threads, or about memory whose
// lifetimes the schemes do not keep.
verdict::Property sequential_part(const verdict::Property& property);

// What the schemes have in common: one sequential program a bound.
class Sequentialized : public engine::Engine {
 public:
  explicit Sequentialized(engine::bmc::Options bmc) : bmc_(std::move(bmc)) {}

  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, engine::Listener& listener) override {
    return search(program, property, budget, listener);
  }
  const SequentializedStatistics& statistics() const { return statistics_; }
  const engine::bmc::Statistics& bmc_statistics() const { return bmc_statistics_; }

 protected:
  struct Search {
    const ir::Program& program;
    const verdict::Property& property;
    const sequentialize::Facts& facts;
    const base::Budget& budget;
    engine::Listener& listener;
    verdict::Unknown gap;  // so far
    RecursionDepth recursion{};
    verdict::Unknown out_of_time() const;
  };
  verdict::Verdict search(const ir::Program& program, const verdict::Property& property,
                          const base::Budget& budget, engine::Listener& listener);
  // Asked before bmc is, with any bound.
  virtual std::optional<verdict::Verdict> explore(Search&) { return std::nullopt; }
  struct Effort {
    std::uint32_t percent = 0;  // of the time that is left
    std::uint64_t steps = 0;
    engine::explore::Order order = engine::explore::Order::preemptions;
  };
  // What the explorer says of the program.
  std::optional<verdict::Verdict> ask_explorer(Search& search,
                                               const sequentialize::Sequential& sequential,
                                               const Effort& effort);
  void note(const sequentialize::Sequential& sequential);
  std::optional<verdict::Verdict> judge(Search& search, const sequentialize::Sequential& sequential,
                                        const verdict::Verdict& verdict);
  // Kinds of programs.
  virtual std::uint32_t turns() const { return 1; }
  virtual std::vector<std::uint32_t> bounds_of(const Search&, std::uint32_t /*turn*/) const {
    return bmc_.bounds;
  }
  // Percent of the time that is left that one program may take at first.
  virtual std::uint32_t part_of_time() const { return 100; }
  // Whether it is worth trying another bound.
  virtual bool goes_on_after(verdict::Gap gap) const { return gap == verdict::Gap::bound; }
  // Throws sequentialize::Rejected.
  virtual sequentialize::Sequential make(Search& search, std::uint32_t bound,
                                         std::uint32_t turn) const = 0;

 private:
  struct Attempt {
    std::uint32_t bound = 0, turn = 0;
  };
  // The programs of one kind that are still to be checked.
  struct Queue {
    std::uint32_t turn = 0;
    std::deque<std::uint32_t> bounds{}, again{};
    std::uint32_t percent = 100;  // of the time that is left, for one of them
    double seconds = 0;           // spent
  };
  verdict::Verdict try_all(Search& search);
  static void try_again(Queue& queue, std::uint32_t bound);
  static Queue* next_of(std::vector<Queue>& queues);
  std::optional<sequentialize::Sequential> make_if_possible(Search& search,
                                                            const Attempt& attempt) const;
  std::optional<verdict::Verdict> try_one(Search& search, const Attempt& attempt,
                                          const base::Budget& budget);
  std::optional<verdict::Verdict> show(Search& search, const sequentialize::Sequential& sequential,
                                       const verdict::Unsafe& unsafe);
  // The execution of the input, if it is one.
  std::optional<verdict::Unsafe> replayed(const Search& search,
                                          const sequentialize::Sequential& sequential,
                                          const verdict::Unsafe& found);
  std::optional<verdict::Unsafe> interleaved(const Search& search,
                                             const sequentialize::Sequential& sequential,
                                             const verdict::Unsafe& found);

  engine::bmc::Options bmc_;
  SequentializedStatistics statistics_{};
  engine::bmc::Statistics bmc_statistics_{};
};

// Whether the explorer is asked about a sequential program before bmc is.
enum class Explorer { first, not_asked };

// Who is asked about lazily sequentialized programs.
struct LazyCheckers {
  Explorer explorer = Explorer::first;
  std::string backend{};  // the command of another verifier, asked before all others; empty: none
};

class Lazy : public Sequentialized {
 public:
  Lazy(sequentialize::LazyOptions options, engine::bmc::Options bmc, LazyCheckers checkers = {})
      : Sequentialized(std::move(bmc)),
        options_(std::move(options)),
        checkers_(std::move(checkers)) {}

  std::string_view name() const override { return "lazy"; }
  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, engine::Listener& listener) override;

 private:
  std::optional<verdict::Verdict> explore(Search& search) override;
  sequentialize::Sequential make(Search& search, std::uint32_t bound,
                                 std::uint32_t turn) const override;

  sequentialize::LazyOptions options_;
  LazyCheckers checkers_;
};

class Mu : public Sequentialized {
 public:
  Mu(sequentialize::MuOptions options, engine::bmc::Options bmc,
     Explorer explorer = Explorer::first);

  std::string_view name() const override { return "mu"; }

 private:
  struct Kind {
    sequentialize::MuVariant variant{};
    std::optional<std::uint32_t> groups{};  // none: as many as the bound allows
    std::vector<std::uint32_t> bounds{};
    sequentialize::Moves moves = sequentialize::Moves::guessed;
    sequentialize::Switch later_blocks = sequentialize::Switch::off;
    // Where writes depend on each other there is no use in letting them share positions.
    sequentialize::Switch shared_positions = sequentialize::Switch::on;
  };
  std::optional<verdict::Verdict> explore(Search& search) override;
  std::uint32_t turns() const override { return static_cast<std::uint32_t>(kinds_.size()); }
  std::vector<std::uint32_t> bounds_of(const Search& search, std::uint32_t turn) const override;
  // That a low bound is too low is often harder to see than an error at the next one.
  std::uint32_t part_of_time() const override { return 20; }
  // What a thread does along a wrong guess may be undefined, or more than bmc can follow.
  bool goes_on_after(verdict::Gap gap) const override { return gap != verdict::Gap::memory; }
  sequentialize::Sequential make(Search& search, std::uint32_t bound,
                                 std::uint32_t turn) const override;

  sequentialize::MuOptions options_;
  std::vector<Kind> kinds_{};
  std::optional<sequentialize::MuOptions> in_a_row_{};  // what the explorer is given
};

}  // namespace heddle::portfolio
