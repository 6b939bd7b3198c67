#include "domain/value.hpp"

#include "domain/flat.hpp"
#include "domain/non_relational.hpp"

namespace heddle::domain {

std::unique_ptr<Domain> make_value(const ir::Program& program) {
  return std::make_unique<NonRelationalDomain<FlatLattice>>("value", Merge::separate, program,
                                                            FlatLattice());
}

}  // namespace heddle::domain
