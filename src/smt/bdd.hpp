// Boolean functions as reduced ordered decision diagrams, by BuDDy. Equal functions are one
// diagram. BuDDy has one table of nodes for the whole process and knows nothing of threads:
// only one thread may use this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::smt {

class Bdd {
 public:
  Bdd();  // false
  Bdd(const Bdd& other);
  Bdd(Bdd&& other) noexcept;
  Bdd& operator=(const Bdd& other);
  Bdd& operator=(Bdd&& other) noexcept;
  ~Bdd();

  static constexpr int variables = 1024;  // numbered from 0, which is also their order

  static Bdd yes();
  static Bdd variable(int number);

  bool is_no() const;
  bool operator==(const Bdd& other) const { return root_ == other.root_; }
  std::size_t nodes() const;
  // Of the function, as long as it is held by somebody.
  std::uint64_t hash() const;

  // nullopt: there is no room for the result.
  friend std::optional<Bdd> both(const Bdd& left, const Bdd& right);
  friend std::optional<Bdd> either(const Bdd& left, const Bdd& right);
  friend std::optional<Bdd> except(const Bdd& left, const Bdd& right);  // left and not right
  // True where some values of the variables make it true.
  friend std::optional<Bdd> exists(const Bdd& function, const std::vector<int>& variables);
  // Reads `to` where it read `from`; it must not depend on `to` yet.
  friend std::optional<Bdd> renamed(const Bdd& function, const std::vector<int>& from,
                                    const std::vector<int>& to);
  // The values of these variables (rising, at most 64, and all that it depends on) under which it
  // is true, bit i for the i-th; nullopt: more than at_most.
  friend std::optional<std::vector<std::uint64_t>> assignments(const Bdd& function,
                                                               const std::vector<int>& variables,
                                                               std::size_t at_most);
  // The other way round: true under these alone, which have the order of `assignments`.
  static std::optional<Bdd> from_assignments(const std::vector<int>& variables,
                                             const std::vector<std::uint64_t>& listed);

 private:
  explicit Bdd(int root);  // takes a reference

  int root_ = 0;
};

}  // namespace heddle::smt
