// Which objects are variables where a memory unwinding is written in plain words. A
// variable is there from the start, and a thread that is simulated before it is allocated
// may have guessed its address: what it would find there is not what the object begins
// with. So accesses that may come too early ask.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sequentialize/facts.hpp"
#include "sequentialize/mu_cells.hpp"
#include "sequentialize/mu_private.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/variables.hpp"

namespace heddle::sequentialize {

// What an access does that comes too early.
inline constexpr const char* outside_of_objects = "undefined: an access outside of every object";

class MuVariables {
 public:
  MuVariables(Emitter& emitter, const ir::Program& program, ThreadEmitter& steps,
              const Facts& facts, const std::vector<ThreadCode>& threads,
              const PrivateAccesses& privates, const MuCells& cells, const MuOptions& options);

  void declare() { variables_.declare(); }
  bool kept(StepRef at) const { return variables_.kept(at); }
  std::uint32_t count(StepRef at) const { return variables_.count(at); }
  void take(StepRef at, ir::LocId beyond) { variables_.take(at, beyond); }
  // The access goes to one that has not been allocated yet; none: it cannot.
  std::optional<ir::ExprId> comes_too_early(StepRef access);

  // What the allocation makes may be a variable of its own function, like any other: only its
  // thread knows of it.
  bool is_local(StepRef at) const;

 private:
  struct Candidate {
    StepRef at{};
    std::uint32_t count = 1;
    std::optional<passes::ObjectIndex> object{};
    std::vector<char> before{};  // by place of its thread: it may be passed before the allocation
  };

  void choose();
  void find_early_accesses();
  // An access that others may notice may look at what is in memory.
  bool goes_to_memory(StepRef at) const;
  std::vector<char> before(StepRef allocation) const;
  bool surely_after(StepRef access, const Candidate& allocated) const;

  Emitter& emitter_;
  const ir::Program& program_;
  ThreadEmitter& steps_;
  const Facts& facts_;
  const std::vector<ThreadCode>& threads_;
  const PrivateAccesses& privates_;
  const MuCells& cells_;
  const MuOptions& options_;
  Variables variables_;
  std::vector<Candidate> candidates_{};
  // By the thread and step of the access: allocations of what it may touch.
  std::map<std::pair<ThreadIndex, StepIndex>, std::vector<StepRef>> early_{};
};

}  // namespace heddle::sequentialize
