#include "engine/explore/dead_values.hpp"

#include <algorithm>

namespace heddle::engine::explore {

std::uint64_t DeadValues::forget(machine::State& state, machine::ThreadNumber thread) {
  std::uint64_t forgotten = 0;
  const std::size_t frames = state.thread(thread).frames.size();
  for (std::size_t depth = 0; depth < frames; ++depth) {
    const machine::Frame& frame = *state.thread(thread).frames[depth];
    const Registers& dead = dead_at(frame.at);
    machine::Frame* written = nullptr;
    for (const std::uint32_t index : dead) {
      if (written == nullptr && frame.registers[index] == 0) continue;
      if (written == nullptr) written = &state.write_thread(thread).frames[depth].write();
      forgotten += written->registers[index] != 0 ? 1 : 0;
      written->registers[index] = 0;
    }
  }
  return forgotten;
}

// A frame that waits for a call to return stands at the call or behind it; in both places what is
// read later is live.
const DeadValues::Registers& DeadValues::dead_at(ir::LocId at) {
  if (dead_.size() <= at.value) dead_.resize(at.value + std::size_t{1});
  std::optional<Registers>& known = dead_[at.value];
  if (known) return *known;
  const ir::FunId function = program_.location(at).function;
  std::unique_ptr<passes::Liveness>& liveness = liveness_[function];
  if (!liveness) liveness = std::make_unique<passes::Liveness>(program_, function);
  known.emplace();
  const ir::Function& code = program_.function(function);
  const auto is_parameter = [&](ir::RegId reg) {
    return std::ranges::find(code.parameters, reg) != code.parameters.end();
  };
  for (const ir::RegId reg : code.registers)
    if (!liveness->live(at, reg) && !is_parameter(reg)) known->push_back(program_.reg(reg).index);
  return *known;
}

}  // namespace heddle::engine::explore
