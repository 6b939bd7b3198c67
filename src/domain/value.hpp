// Explicit values: each cell holds one number, or any.
#pragma once

#include <memory>

#include "domain/store.hpp"

namespace heddle::domain {

// The program must outlive the domain.
std::unique_ptr<Domain> make_value(const ir::Program& program);

}  // namespace heddle::domain
