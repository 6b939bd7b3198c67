// What the registers of one frame stand for: a known number, or a cell of the store.
#pragma once

#include "base/check.hpp"
#include "engine/explore/abstract/state.hpp"

namespace heddle::engine::explore {

class FrameScope : public domain::Scope {
 public:
  // `state` and `machine` must outlive the scope.
  FrameScope(const machine::Machine& machine, const AbstractState& state, ThreadNumber thread,
             std::size_t frame)
      : machine_(machine), state_(state), thread_(thread), frame_(frame) {}

  domain::Operand reg(ir::RegId id) const override {
    const domain::Cell cell = register_cell(machine_.program(), thread_, frame_, id);
    if (state_.store().holds(cell)) return cell;
    return state_.known().thread(thread_).frames[frame_]->registers[cell.place];
  }
  std::uint64_t global(ir::GlobalId id) const override {
    const machine::Layout& layout = machine_.memory().layout();
    if (machine_.program().global(id).storage == ir::Storage::process) return layout.global(id);
    const std::optional<Address> copy = layout.thread_copy(thread_, id);
    CHECK(copy, "a thread starts only if its thread-local globals have room");
    return *copy;
  }
  std::uint64_t function(ir::FunId id) const override {
    return machine_.memory().layout().function(id);
  }

 private:
  const machine::Machine& machine_;
  const AbstractState& state_;
  ThreadNumber thread_;
  std::size_t frame_;
};

}  // namespace heddle::engine::explore
