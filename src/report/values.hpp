// Values as a C programmer writes them.
#pragma once

#include <cstdint>
#include <string>

#include "ir/program.hpp"

namespace heddle::report {

// Raw bits of a scalar type: "-1", "2.5", "true", "NULL", "0x7f0010".
std::string value_to_text(const ir::Program& program, ir::TypeId type, std::uint64_t bits);

}  // namespace heddle::report
