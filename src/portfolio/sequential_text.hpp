// The sequential program as C: what it is and what its names mean, and at each step the line of
// the input.
#pragma once

#include <string>
#include <variant>

#include "ir/program.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/sequential.hpp"
#include "verdict/property.hpp"

namespace heddle::portfolio {

using Scheme = std::variant<sequentialize::LazyOptions, sequentialize::MuOptions>;

// Failures that the property does not ask about are none. Both throw sequentialize::Rejected.
std::string sequential_c(const ir::Program& program, const verdict::Property& property,
                         const Scheme& scheme);
// What is printed, before it is simplified.
sequentialize::Sequential sequential_to_print(const ir::Program& program,
                                              const verdict::Property& property, Scheme scheme);

}  // namespace heddle::portfolio
