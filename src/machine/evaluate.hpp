// The value of an expression in one frame of one thread. Pure: reads registers and
// constants, never memory.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/program.hpp"
#include "machine/layout.hpp"

namespace heddle::machine {

// Reads as if the register held the value.
struct Override {
  ir::RegId reg{};
  std::uint64_t value = 0;
};

// Without a frame, the expression must not read registers; without a thread, it must not
// take the address of a thread-local global.
std::uint64_t evaluate(const ir::Program& program, const Layout& layout, const Frame* frame,
                       std::optional<ThreadNumber> thread, ir::ExprId id, Override instead = {});

}  // namespace heddle::machine
