// Heap blocks that nothing points to when the process ends.
#pragma once

#include <optional>
#include <string>

#include "machine/memory.hpp"

namespace heddle::machine {

// What is leaked, as a sentence fragment; nullopt if every heap block can still be reached.
// Any word that looks like an address in a block, or just behind it, keeps the block.
std::optional<std::string> find_leak(const Memory& memory, const State& state);

}  // namespace heddle::machine
