// Where an address term may point: the constants that it is made of, each under a
// condition. Addresses read from shared memory, and those that come in, get theirs from
// the facts.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/bmc/facts.hpp"
#include "engine/bmc/objects.hpp"
#include "smt/term.hpp"

namespace heddle::engine::bmc {

using smt::Term;

// The address is `base`, plus `rest` if there is one, where `when` holds.
struct Leaf {
  std::uint64_t base = 0;
  Term rest{};
  Term when{};
};

struct Leaves {
  std::vector<Leaf> known{};
  Term unknown{};  // where the term has a value that we cannot name
};

struct Target {
  ObjectId object{};
  std::uint32_t offset = 0;
  Term when{};
};

struct Targets {
  std::vector<Target> valid{};  // inside their object, which may yet be dead
  Term invalid{};
  Term unknown{};
};

class Pointers {
 public:
  // An index that may lead to more elements of an array is not followed.
  Pointers(smt::Terms& terms, const Objects& objects, const Facts& facts,
           std::uint32_t most_elements)
      : terms_(terms), objects_(objects), facts_(facts), most_elements_(most_elements) {}

  void read_from(Term variable, const Cell& cell) { cells_.emplace(variable.id, cell); }
  void comes_in(Term variable, ir::EdgeId havoc) { inputs_.emplace(variable.id, havoc); }
  std::optional<Cell> cell_of(Term variable) const;
  // The Havoc at which the variable comes in; none: it is no such variable.
  std::optional<ir::EdgeId> input_of(Term variable) const;
  // The Havocs of the inputs that the term is a choice among; none where there are too many.
  const std::vector<ir::EdgeId>& inputs_among(Term term);
  // The constants that the term may be, in rising order, whatever else it may be; none where there
  // are too many.
  const std::vector<std::uint64_t>& constants_among(Term term);
  Leaves leaves(Term address);
  Targets targets(Term address, std::uint64_t size);

 private:
  using Found = std::map<std::pair<std::uint64_t, Term>, Term>;  // base and rest: when
  struct Split {
    Found known{};
    Term unknown{};
  };
  const Split& split(Term term);
  Split split_fresh(Term term);
  Split split_sum(Term left, Term right);
  Split split_variable(Term variable);
  std::vector<ir::EdgeId> find_inputs(Term term);
  std::vector<std::uint64_t> find_constants(Term term);
  void index(const Leaf& leaf, std::uint64_t size, Targets& targets);
  std::uint64_t stride(Term term);
  std::uint64_t stride_fresh(Term term);
  Split nothing() const { return {{}, terms_.no()}; }
  Split all_unknown() const { return {{}, terms_.yes()}; }

  smt::Terms& terms_;
  const Objects& objects_;
  const Facts& facts_;
  std::uint32_t most_elements_;
  std::unordered_map<std::uint32_t, Cell> cells_{};                            // by read variable
  std::unordered_map<std::uint32_t, ir::EdgeId> inputs_{};                     // by variable
  std::unordered_map<std::uint32_t, Split> splits_{};                          // by term
  std::unordered_map<std::uint32_t, std::uint64_t> strides_{};                 // by term
  std::unordered_map<std::uint32_t, std::vector<ir::EdgeId>> inputs_among_{};  // by term
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> constants_among_{};  // by term
};

}  // namespace heddle::engine::bmc
