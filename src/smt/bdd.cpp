#include "smt/bdd.hpp"

#include <bdd.h>
// The plain C interface, which these names hide from C++: our own class holds the references.
#undef bdd_init
#undef bdd_ithvar
#undef bdd_makeset

#include <utility>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace heddle::smt {
namespace {

constexpr BDD no_node = 0;
constexpr BDD yes_node = 1;
constexpr int first_nodes = 100'000;
constexpr int first_cache = 20'000;
constexpr int most_nodes = 2'000'000;  // of 20 bytes

// BuDDy reports errors to a function and goes on with a wrong result.
bool failed = false;
void note_error(int) { failed = true; }

void start() {
  static const bool started = [] {
    CHECK(bdd_init(first_nodes, first_cache) >= 0, "BuDDy starts");
    bdd_gbc_hook(nullptr);
    bdd_resize_hook(nullptr);
    bdd_error_hook(note_error);
    bdd_setvarnum(Bdd::variables);
    bdd_setmaxnodenum(most_nodes);
    bdd_setmaxincrease(first_nodes * 5);
    bdd_setcacheratio(8);
    return true;
  }();
  CHECK(started && !failed, "BuDDy works");
}

// After a failure the caches hold wrong results; collecting garbage empties them.
bool recovered() {
  if (!failed) return true;
  failed = false;
  bdd_clear_error();
  bdd_gbc();
  return false;
}

// Depth first over the given variables, the ones that a path skips taking both values.
struct Listing {
  const std::vector<int>& variables;
  std::size_t at_most;
  std::vector<std::uint64_t> found{};

  bool visit(BDD node, std::size_t at, std::uint64_t bits) {
    if (node == no_node) return true;
    if (at == variables.size()) {
      CHECK(node == yes_node, "the function depends on the given variables only");
      found.push_back(bits);
      return found.size() <= at_most;
    }
    const bool skipped = node == yes_node || bdd_var(node) != variables[at];
    CHECK(!skipped || node == yes_node || bdd_var(node) > variables[at],
          "the function depends on the given variables only");
    const BDD low = skipped ? node : bdd_low(node), high = skipped ? node : bdd_high(node);
    return visit(low, at + 1, bits) && visit(high, at + 1, bits | std::uint64_t{1} << at);
  }
};

// Of the assignments from `first` on to `last`, which agree on the variables before `at`.
// References keep the parts while others are made.
BDD build(const std::vector<int>& variables, const std::vector<std::uint64_t>& listed,
          std::size_t first, std::size_t last, std::size_t at) {
  if (first == last) return no_node;
  const std::size_t left = variables.size() - at;
  if (left < 32 && last - first == std::size_t{1} << left) return yes_node;
  std::size_t middle = first;
  while (middle < last && ((listed[middle] >> at) & 1) == 0) ++middle;
  const BDD low = bdd_addref(build(variables, listed, first, middle, at + 1));
  const BDD high = bdd_addref(build(variables, listed, middle, last, at + 1));
  const BDD result = bdd_ite(bdd_ithvar(variables[at]), high, low);
  bdd_delref(low);
  bdd_delref(high);
  return result;
}

}  // namespace

Bdd::Bdd() { start(); }
Bdd::Bdd(int root) : root_(bdd_addref(root)) {}
Bdd::Bdd(const Bdd& other) : root_(bdd_addref(other.root_)) {}
Bdd::Bdd(Bdd&& other) noexcept : root_(std::exchange(other.root_, 0)) {}
Bdd& Bdd::operator=(const Bdd& other) {
  bdd_addref(other.root_);
  bdd_delref(root_);
  root_ = other.root_;
  return *this;
}
Bdd& Bdd::operator=(Bdd&& other) noexcept {
  std::swap(root_, other.root_);
  return *this;
}
Bdd::~Bdd() { bdd_delref(root_); }

Bdd Bdd::yes() {
  start();
  return Bdd(yes_node);
}

Bdd Bdd::variable(int number) {
  start();
  return Bdd(bdd_ithvar(number));
}

bool Bdd::is_no() const { return root_ == no_node; }
std::size_t Bdd::nodes() const { return static_cast<std::size_t>(bdd_nodecount(root_)); }
std::uint64_t Bdd::hash() const { return base::mix(static_cast<std::uint64_t>(root_) + 1); }

std::optional<Bdd> both(const Bdd& left, const Bdd& right) {
  Bdd result(bdd_and(left.root_, right.root_));
  return recovered() ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<Bdd> either(const Bdd& left, const Bdd& right) {
  Bdd result(bdd_or(left.root_, right.root_));
  return recovered() ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<Bdd> except(const Bdd& left, const Bdd& right) {
  Bdd result(bdd_apply(left.root_, right.root_, bddop_diff));
  return recovered() ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<Bdd> exists(const Bdd& function, const std::vector<int>& variables) {
  std::vector<int> numbers = variables;
  const Bdd set(bdd_makeset(numbers.data(), static_cast<int>(numbers.size())));
  if (!recovered()) return std::nullopt;
  Bdd result(bdd_exist(function.root_, set.root_));
  return recovered() ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<Bdd> renamed(const Bdd& function, const std::vector<int>& from,
                           const std::vector<int>& to) {
  bddPair* pairs = bdd_newpair();
  CHECK(pairs != nullptr, "BuDDy has room for a list of pairs");
  for (std::size_t i = 0; i < from.size(); ++i) bdd_setpair(pairs, from[i], to[i]);
  Bdd result(bdd_replace(function.root_, pairs));
  bdd_freepair(pairs);
  return recovered() ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<std::vector<std::uint64_t>> assignments(const Bdd& function,
                                                      const std::vector<int>& variables,
                                                      std::size_t at_most) {
  CHECK(variables.size() <= 64, "an assignment fits 64 bits");
  Listing listing{variables, at_most};
  if (!listing.visit(function.root_, 0, 0)) return std::nullopt;
  return std::move(listing.found);
}

std::optional<Bdd> Bdd::from_assignments(const std::vector<int>& variables,
                                         const std::vector<std::uint64_t>& listed) {
  start();
  Bdd result(build(variables, listed, 0, listed.size(), 0));
  return recovered() ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace heddle::smt
