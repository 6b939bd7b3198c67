// A random sequence of operations on a store, and at the same time on a few assignments
// that the store must go on holding.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/store.hpp"
#include "laws/world.hpp"

namespace heddle::laws {

class Walk {
 public:
  // The store begins with every cell unknown.
  Walk(const World& world, domain::Domain& domain, Rng& rng);

  domain::Store& store() { return *store_; }
  std::unique_ptr<domain::Store>& owned() { return store_; }
  const std::vector<Assignment>& samples() const { return samples_; }

  // One operation, chosen at random. An assume that no sample satisfies is tried on a copy.
  void step();
  // What the store has lost, or says wrongly; empty: nothing was found.
  std::string complaint();
  // Whether the store may hold exactly these values.
  static bool holds(const World& world, const domain::Store& store, const Assignment& sample);
  // What the cells hold after the same operations, with these values for the havocs; nullopt: an
  // assume does not hold, or there are too few or too many values.
  std::optional<Assignment> replay(const std::vector<std::uint64_t>& inputs) const;
  const std::string& history() const { return history_; }

 private:
  void havoc();
  void assign();
  void load();
  void store_value();
  void update();
  void assume();
  void assume_equality();
  std::string check_values();
  using Inputs = std::deque<std::uint64_t>;
  void apply(std::function<void(Assignment&)> effect);
  void make_any(const Cell& cell, std::uint64_t limit);
  void filter(std::function<bool(const Assignment&)> keep,
              const std::function<bool(domain::Store&)>& narrow);

  const World& world_;
  Rng& rng_;
  std::unique_ptr<domain::Store> store_;
  std::vector<Assignment> samples_{};
  std::vector<std::function<bool(Assignment&, Inputs&)>> log_{};  // false: an assume fails
  std::string history_{};
  std::string failure_{};
};

}  // namespace heddle::laws
