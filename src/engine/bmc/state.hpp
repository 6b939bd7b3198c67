// Where one thread stands in its symbolic execution: the condition under which it is
// there, its registers, and memory as it sees it. States that meet are merged.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/bmc/unfolding.hpp"
#include "smt/term.hpp"

namespace heddle::engine::bmc {

// A conjunction, kept as its parts too, so that what two guards have in common is seen.
class Guard {
 public:
  explicit Guard(const smt::Terms& terms) : term_(terms.yes()) {}

  Term term() const { return term_; }
  const std::vector<Term>& parts() const { return parts_; }
  void add(smt::Terms& terms, Term condition);

  // Of two guards that exclude each other: their disjunction, and a condition that tells the first
  // from the second.
  static std::pair<Guard, Term> join(smt::Terms& terms, const Guard& first, const Guard& second);

 private:
  Term term_{};
  std::vector<Term> parts_{};  // ordered by id
};

// Memory as a thread knows it from its own writes and those of its creators. A value: copies share
// their parts until one of them is written.
class View {
 public:
  using Cells = std::map<std::uint32_t, std::pair<std::uint32_t, Term>>;  // offset: size, value
  struct ObjectView {
    std::uint32_t version = 0;  // of the contents that no cell here overrides; 0: as at first
    Cells cells{};
    bool operator==(const ObjectView&) const = default;
  };

  View() : pages_(std::make_shared<Pages>()) {}

  const ObjectView* object(ObjectId id) const;  // null: as at first
  const Term* find(const Cell& cell) const;
  std::uint32_t version(ObjectId object) const;
  void set(const Cell& cell, Term value);
  void set(ObjectId object, ObjectView view) { write(object) = std::move(view); }
  void forget(ObjectId object, std::uint32_t version);
  bool same(const View& other) const { return differing(other).empty(); }
  // Objects that the two see differently, in order.
  std::vector<ObjectId> differing(const View& other) const;

 private:
  static constexpr std::uint32_t page_size = 64;
  using Page = std::array<std::shared_ptr<ObjectView>, page_size>;
  using Pages = std::vector<std::shared_ptr<Page>>;
  ObjectView& write(ObjectId object);
  const std::shared_ptr<ObjectView>* entry(ObjectId object) const;

  std::shared_ptr<Pages> pages_;  // changed in place only while nobody else holds it, as its parts
};

// An atomic section in progress: what it has read and written of shared memory.
struct Section {
  NodeIndex node = no_node;      // none as long as nobody can notice the section
  std::map<Cell, Term> known{};  // current values
  std::map<Cell, Term> dirty{};  // condition under which the section has written the cell
  bool touched = false;          // others may notice when it began
};

struct LoopRound {
  std::uint32_t round = 0;       // of the loop, from 0
  std::uint32_t counted = 0;     // rounds that no constant decided
  bool decided = false;          // a constant has decided in this round to stay in the loop
  std::size_t nodes_before = 0;  // of the thread, as it came to the loop
  Term changed_before{};         // State::changed from before this round
  std::shared_ptr<const std::vector<Term>> registers{};  // at the head in this round
};

// The last wait for a condition variable, and whether it ended without a signal.
struct WakeUp {
  const void* frame = nullptr;  // the activation that waited
  ir::EdgeId call{};
  std::shared_ptr<const std::vector<Term>> registers{};  // of that frame, as it began to wait
  View view{};
  Term spurious{};  // and nothing has happened since
};

struct State {
  explicit State(const smt::Terms& terms) : guard(terms), changed(terms.no()) {}

  Guard guard;
  std::vector<Term> registers{};  // of the current frame
  View view{};
  std::vector<LoopRound> loops{};  // around the current location of the current frame
  std::uint32_t atomic_depth = 0;
  Section section{};                 // if atomic_depth > 0
  std::optional<WakeUp> entering{};  // about to wait, nothing done yet
  std::optional<WakeUp> woken{};
  Term changed;  // in this round of the innermost loop: memory or threads
};

}  // namespace heddle::engine::bmc
