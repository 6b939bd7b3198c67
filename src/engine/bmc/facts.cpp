#include "engine/bmc/facts.hpp"

namespace heddle::engine::bmc {
namespace {

constexpr std::size_t most_values = 64;
constexpr std::size_t most_input_addresses = 16;

}  // namespace

const std::set<std::uint32_t>& Facts::boundaries(ObjectId object) const {
  static const std::set<std::uint32_t> none{};
  const auto found = boundaries_.find(object);
  return found == boundaries_.end() ? none : found->second;
}

const Domain* Facts::domain(const Cell& cell) const {
  const auto found = domains_.find(key(cell));
  return found == domains_.end() ? nullptr : &found->second;
}

bool Facts::learn_value(const Cell& cell, std::uint64_t value) {
  Domain& domain = domains_[key(cell)];
  if (domain.values.size() >= most_values)
    return !domain.values.contains(value) && !std::exchange(domain.open, true);
  return domain.values.insert(value).second;
}

const std::set<std::uint64_t>& Facts::input_addresses(ir::EdgeId havoc) const {
  static const std::set<std::uint64_t> none{};
  const auto found = input_addresses_.find(havoc);
  return found == input_addresses_.end() ? none : found->second;
}

bool Facts::learn_input_address(ir::EdgeId havoc, std::uint64_t address) {
  std::set<std::uint64_t>& known = input_addresses_[havoc];
  return known.size() < most_input_addresses && known.insert(address).second;
}

bool Facts::learn_open(const Cell& cell) { return !std::exchange(domains_[key(cell)].open, true); }

}  // namespace heddle::engine::bmc
