// One step on an abstract state, statement by statement: what the store learns, what
// the machine is told in place of the values that it cannot know, and what is lost.
#pragma once

#include <optional>
#include <vector>

#include "engine/explore/abstract/semantics.hpp"

namespace heddle::engine::explore {

// Whether the word that the Await reads, or its condition, is not one known number.
bool waits_on_cells(const Semantics& semantics, const AbstractState& state, ThreadNumber thread,
                    const ir::Await& await);

class Transfer {
 public:
  // All must outlive the transfer.
  Transfer(const Semantics& semantics, AbstractState& state, ThreadNumber thread,
           const Choice& choice);

  machine::StepResult run();

  // What each statement does to the store before the machine takes the step. False: the step
  // cannot be taken, and `refusal_` says why.
  bool operator()(const ir::Skip&) { return true; }
  bool operator()(const ir::Assign& s);
  bool operator()(const ir::Havoc& s);
  bool operator()(const ir::Assume& s);
  bool operator()(const ir::Load& s);
  bool operator()(const ir::Store& s);
  bool operator()(const ir::Update& s);
  bool operator()(const ir::Call& s);
  bool operator()(const ir::Return& s);
  bool operator()(const ir::Spawn& s);
  bool operator()(const ir::Await& s);
  bool operator()(const ir::Atomic&) { return true; }
  bool operator()(const ir::Alloc& s);
  bool operator()(const ir::Free&);
  bool operator()(const ir::ObjectSize& s);
  bool operator()(const ir::Clobber& s);
  bool operator()(const ir::Self& s);
  bool operator()(const ir::Fail&) { return true; }
  bool operator()(const ir::Exit&);
  bool operator()(const ir::Unsupported&) { return true; }

 private:
  struct Target {
    Extent extent{};
    ir::TypeId type{};
    ir::BitRange bits{};  // within the extent
    bool live = false;    // otherwise the machine will say what is wrong
    std::uint64_t unset = 0;
  };
  struct Passed {  // an argument that becomes a register of another frame after the step
    ir::ExprId value{};
    ThreadNumber thread = 0;
    std::size_t frame = 0;
    ir::RegId to{};
  };

  bool pruned();
  bool refuse(std::string detail);
  domain::Cell cell_of(ir::RegId reg) const;
  FrameScope scope() const { return {machine_, state_, thread_, frame_}; }
  // The operand's only value, told to the machine; nullopt: it is open, and the machine is told 0.
  std::optional<std::uint64_t> tell(ir::ExprId operand);
  void know(ir::RegId to);   // the machine gives the register its value
  void write(ir::RegId to);  // the store has given the register its value
  Target target_of(ir::ExprId address, ir::BitRange bits) const;
  bool is_open(const Target& target) const { return state_.overlaps(target.extent); }
  bool is_pointer(ir::TypeId type) const;
  void settle(ir::RegId reg);
  void settle(const Target& target);
  void keep_in_store(const Target& target);
  bool update_cell(const ir::Update& s, const Target& target);
  void pass(const Passed& passed);
  bool convertible(ir::TypeId from, ir::TypeId to) const;
  void lose_untracked();
  machine::StepResult stop(machine::Outcome outcome) const;

  const Semantics& semantics_;
  const machine::Machine& machine_;
  const ir::Program& program_;
  AbstractState& state_;
  ThreadNumber thread_;
  const Choice& choice_;
  std::size_t frame_;  // the thread's top frame before the step

  std::vector<machine::KnownValue> given_;
  std::optional<std::uint64_t> input_{};
  bool pruned_ = false;
  std::string refusal_{};
  std::vector<Passed> passed_{};
  std::vector<Extent> blanked_{};       // cells whose bytes the machine may write
  std::optional<ir::RegId> written_{};  // by the step, in the top frame
  std::optional<Target> stored_{};      // memory that the step has written
  bool ends_lifetimes_ = false;
};

}  // namespace heddle::engine::explore
