// From an execution of a program sequentialized by memory unwinding back to an
// interleaving: there threads run one after the other, and registers say when each step
// takes place.
#pragma once

#include <cstdint>
#include <optional>

#include "sequentialize/sequential.hpp"
#include "verdict/verdict.hpp"

namespace heddle::portfolio {

struct Ordered {
  verdict::Unsafe unsafe{};
  std::uint64_t sharing = 0;  // writes where another thread has written at the same position
};

// `input`: the program that was sequentialized. nullopt: no step of the trace breaks anything.
std::optional<Ordered> order_by_position(const ir::Program& input,
                                         const sequentialize::Sequential& sequential,
                                         const verdict::Unsafe& unsafe);

}  // namespace heddle::portfolio
