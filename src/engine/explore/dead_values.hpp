// Forgets what no thread reads any more: states that differ only in the values of dead
// registers are one. Parameters are kept: what a frame may still touch is told by them, even
// where the function itself goes on with a copy.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "machine/state.hpp"
#include "passes/liveness.hpp"

namespace heddle::engine::explore {

class DeadValues {
 public:
  // The program must outlive it.
  explicit DeadValues(const ir::Program& program) : program_(program) {}

  // In all frames of the thread; says how many registers held something.
  std::uint64_t forget(machine::State& state, machine::ThreadNumber thread);

 private:
  using Registers = std::vector<std::uint32_t>;  // by Register::index
  const Registers& dead_at(ir::LocId at);

  const ir::Program& program_;
  std::map<ir::FunId, std::unique_ptr<passes::Liveness>> liveness_{};
  std::vector<std::optional<Registers>> dead_{};  // by LocId, once asked for
};

}  // namespace heddle::engine::explore
