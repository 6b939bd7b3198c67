// From an assignment to a trace: the steps of each thread whose conditions hold, put
// together in the order of the nodes and run on the machine as a first check.
#pragma once

#include <optional>
#include <string>

#include "engine/bmc/encode.hpp"
#include "machine/machine.hpp"
#include "verdict/verdict.hpp"

namespace heddle::engine::bmc {

// nullopt: the machine does not follow; `why` says where it stopped.
std::optional<verdict::Unsafe> build_trace(const Round& round, const Encoder& encoder,
                                           const machine::Machine& machine, std::string& why);

}  // namespace heddle::engine::bmc
