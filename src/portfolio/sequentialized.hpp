// Checks a concurrent program by way of a sequential one: sequentializes it within
// bounds that rise by themselves, runs bmc on the result, and turns what that finds back
// into an interleaving of the input, which is replayed before anybody sees it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/bmc/options.hpp"
#include "engine/engine.hpp"
#include "sequentialize/facts.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/sequential.hpp"

namespace heddle::portfolio {

struct SequentializedStatistics {
  sequentialize::Counters last{};  // of the last sequentialization
  std::uint32_t programs = 0;      // sequentialized and checked
  std::uint32_t unreplayed = 0;    // executions that were none of the input
  std::string why_unreplayed{};    // the last of them
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
  verdict::Verdict search(const ir::Program& program, const verdict::Property& property,
                          const base::Budget& budget, engine::Listener& listener);
  // Programs for one bound.
  virtual std::uint32_t turns() const { return 1; }
  // Percent of the time that is left that one program may take at first.
  virtual std::uint32_t part_of_time() const { return 100; }
  // Whether it is worth trying another bound.
  virtual bool goes_on_after(verdict::Gap gap) const { return gap == verdict::Gap::bound; }
  // Throws sequentialize::Rejected.
  virtual sequentialize::Sequential make(const ir::Program& program,
                                         const sequentialize::Facts& facts, std::uint32_t bound,
                                         std::uint32_t turn) const = 0;

 private:
  struct Search {
    const ir::Program& program;
    const verdict::Property& property;
    const sequentialize::Facts& facts;
    const base::Budget& budget;
    engine::Listener& listener;
    verdict::Unknown gap;  // so far
    verdict::Unknown out_of_time() const;
  };
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
  static void try_again(Queue& queue, std::uint32_t bound);
  static Queue* next_of(std::vector<Queue>& queues);
  std::optional<verdict::Verdict> try_one(Search& search, const Attempt& attempt,
                                          const base::Budget& budget);
  std::optional<verdict::Verdict> show(Search& search, const sequentialize::Sequential& sequential,
                                       const verdict::Unsafe& unsafe);

  engine::bmc::Options bmc_;
  SequentializedStatistics statistics_{};
  engine::bmc::Statistics bmc_statistics_{};
};

class Lazy : public Sequentialized {
 public:
  // `backend`: the command of another verifier, asked first; empty: none.
  Lazy(sequentialize::LazyOptions options, engine::bmc::Options bmc, std::string backend = {})
      : Sequentialized(std::move(bmc)),
        options_(std::move(options)),
        backend_(std::move(backend)) {}

  std::string_view name() const override { return "lazy"; }
  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, engine::Listener& listener) override;

 private:
  sequentialize::Sequential make(const ir::Program& program, const sequentialize::Facts& facts,
                                 std::uint32_t bound, std::uint32_t turn) const override;

  sequentialize::LazyOptions options_;
  std::string backend_;
};

class Mu : public Sequentialized {
 public:
  Mu(sequentialize::MuOptions options, engine::bmc::Options bmc)
      : Sequentialized(up_to_largest(std::move(bmc))), options_(options) {}

  std::string_view name() const override { return "mu"; }

 private:
  // To build a program for a higher bound may take longer than all the time that there is; one that
  // somebody has asked for is built all the same.
  static engine::bmc::Options up_to_largest(engine::bmc::Options bmc) {
    const std::uint32_t largest = bmc.bounds.empty() ? 0 : std::max(110U, bmc.bounds.front());
    std::erase_if(bmc.bounds, [&](std::uint32_t bound) { return bound > largest; });
    return bmc;
  }
  std::uint32_t turns() const override {
    return options_.variant == sequentialize::MuVariant::in_turn ? 2 : 1;
  }
  // That a low bound is too low is often harder to see than an error at the next one.
  std::uint32_t part_of_time() const override { return 30 / turns(); }
  // What a thread does along a wrong guess may be undefined, or more than bmc can follow.
  bool goes_on_after(verdict::Gap gap) const override { return gap != verdict::Gap::memory; }
  sequentialize::Sequential make(const ir::Program& program, const sequentialize::Facts& facts,
                                 std::uint32_t bound, std::uint32_t turn) const override;

  sequentialize::MuOptions options_;
};

}  // namespace heddle::portfolio
