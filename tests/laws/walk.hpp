// A random sequence of operations on a store, and at the same time on a few assignments
// that the store must go on holding.
#pragma once

#include <functional>
#include <memory>
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
  template <class Keep>
  void filter(const Keep& keep, const std::function<bool(domain::Store&)>& assume);

  const World& world_;
  Rng& rng_;
  std::unique_ptr<domain::Store> store_;
  std::vector<Assignment> samples_{};
  std::string history_{};
  std::string failure_{};
};

}  // namespace heddle::laws
