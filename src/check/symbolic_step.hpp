// The meaning of the statements of a sequential program over bit-vector terms, as the machine
// says it: arithmetic is exact, addresses are numbers, memory is objects. Memory outside of the
// tracked cells is forgotten: a load there gives anything. What the machine would stop at (a
// violation, undefined behaviour, a construct without a model) is noted with the condition for it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/symbolic_state.hpp"
#include "ir/program.hpp"
#include "machine/memory.hpp"
#include "smt/translate.hpp"
#include "verdict/invariant.hpp"
#include "verdict/property.hpp"

namespace heddle::check {

// Something that must not happen.
struct Wrong {
  smt::Term when{};
  ir::EdgeId edge{};
  std::string what{};
};

class SymbolicStep : private smt::Addresses {
 public:
  // All must outlive it. Cells do not overlap.
  SymbolicStep(const ir::Program& program, const machine::Memory& memory,
               const verdict::Property& property, const std::vector<verdict::Cell>& cells,
               smt::Terms& terms);

  SymbolicState initial();    // of the machine
  SymbolicState arbitrary();  // any at all
  // Live objects lie in the arena and apart from each other, in every state of an execution.
  void assume_apart(const SymbolicState& state);
  // Takes the edge; whether control goes on behind it.
  bool take(SymbolicState& state, ir::EdgeId edge);
  // Execution is in one or the other.
  void merge(SymbolicState& state, const SymbolicState& other);
  // Two edges of a branch are not taken in the same state.
  void exclude(ir::EdgeId edge, smt::Term both) { wrong(both, edge, "two branches at once"); }

  const std::vector<Wrong>& wrongs() const { return wrongs_; }
  const std::vector<smt::Term>& facts() const { return facts_; }  // hold of the variables made
  std::optional<std::size_t> allocation_index(ir::EdgeId edge) const;
  std::optional<smt::Term> translate(const SymbolicState& state, ir::ExprId expr);

 private:
  friend struct StatementStep;

  struct Object {
    std::uint64_t size = 0;
    std::optional<std::uint64_t> address{};  // of a global
    std::optional<std::size_t> allocation{};
    bool read_only = false;
    bool heap = false;
    std::vector<std::size_t> cells{};
  };
  // An object that an address may lie in: how far behind its start, and whether it lives.
  struct Candidate {
    const Object* object = nullptr;
    smt::Term distance{};
    smt::Term live{};
  };
  // Bytes that an access touches.
  struct Reach {
    smt::Term address{};
    std::uint32_t bytes = 0;
    bool whole = true;  // not a bit-field
  };
  enum class Purpose { read, write };

  std::uint64_t global(ir::GlobalId id) override;
  std::uint64_t function(ir::FunId id) override;

  void add_objects();
  bool may_be_unset(const verdict::Cell& cell) const;
  std::vector<Candidate> candidates(const SymbolicState& state, smt::Term address);
  std::optional<Candidate> only_candidate(const SymbolicState& state, smt::Term address);
  smt::Term inside(const Candidate& candidate, std::uint64_t bytes);
  smt::Term exactly(const Candidate& candidate, const Reach& reach, std::size_t cell);
  smt::Term touches(const Candidate& candidate, const Reach& reach, std::size_t cell);
  void require_valid(const SymbolicState& state, ir::EdgeId edge, const Reach& reach,
                     const std::vector<Candidate>& found, Purpose purpose);
  // The bits read; anything where no tracked cell is read as a whole.
  smt::Term read(SymbolicState& state, ir::EdgeId edge, const Reach& reach,
                 const std::vector<Candidate>& found, ir::MemoryOrder order);
  // Writes where `when` holds. An invalid value: any.
  void write(SymbolicState& state, ir::EdgeId edge, const Reach& reach,
             const std::vector<Candidate>& found, smt::Term value, smt::Term when);
  void allocate(SymbolicState& state, ir::EdgeId edge, const ir::Alloc& statement);
  void separate(const SymbolicState& state, std::size_t left, std::size_t right);
  void place(const SymbolicState& state, std::size_t allocation);
  void clobber(SymbolicState& state, smt::Term address);
  void free(SymbolicState& state, ir::EdgeId edge, smt::Term address);
  void wrong(smt::Term when, ir::EdgeId edge, std::string what);
  smt::Term fresh(std::uint32_t width) { return terms_.variable(width); }

  const ir::Program& program_;
  const machine::Memory& memory_;
  const verdict::Property& property_;
  const std::vector<verdict::Cell>& cells_;
  smt::Terms& terms_;
  std::uint32_t pointer_bits_ = 64;
  bool has_clobber_ = false, has_heap_ = false;
  std::vector<std::pair<ir::EdgeId, std::size_t>> allocations_{};  // edge, object; by rising edge
  std::vector<Object> objects_{};
  std::vector<Wrong> wrongs_{};
  std::vector<smt::Term> facts_{};
};

}  // namespace heddle::check
