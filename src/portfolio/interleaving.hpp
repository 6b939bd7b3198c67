// From an execution of a sequentialized program back to the execution of the
// concurrent program that it stands for.
#pragma once

#include <optional>

#include "sequentialize/sequential.hpp"
#include "verdict/verdict.hpp"

namespace heddle::portfolio {

// nullopt: the end of the trace stands for nothing in the concurrent program.
std::optional<verdict::Unsafe> to_interleaving(const sequentialize::Sequential& sequential,
                                               const verdict::Unsafe& unsafe);

}  // namespace heddle::portfolio
