// Executes one thread symbolically: all its paths at once, merged where they meet,
// loops and calls unrolled. Leaves its steps and events in the round's unfolding.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/bmc/unfolder.hpp"
#include "machine/target.hpp"
#include "smt/translate.hpp"

namespace heddle::engine::bmc {

class Executor : private smt::Addresses {
 public:
  Executor(Round& round, ThreadIndex thread);
  void run(const PendingThread& start);

 private:
  // ---- control (executor.cpp) ----
  struct Frame {
    ir::FunId function{};
    ContextId context{};
    std::optional<ir::RegId> result{};  // of the caller
    ir::EdgeId called_at{};
    Term entered{};             // guard at the call
    std::uint32_t counted = 0;  // recursive activations that no constant decided
    // By place, and by the section's node: a section that has waited is another moment than one
    // that has not, so the two are not merged before it ends.
    std::map<std::pair<LocKey, NodeIndex>, std::pair<ir::LocId, State>> pending{};
    std::vector<std::pair<ir::EdgeId, ObjectId>> stack_objects{};
    std::optional<State> returned{};
    Term value{};
  };
  std::vector<Term> fresh_registers(const ir::Function& function);
  void run_frame(Frame& frame, State state);
  void execute(Frame& frame, const LocKey& key, ir::LocId at, State state);
  void branch(Frame& frame, const LocKey& key, ir::LocId at, State state);
  void go(Frame& frame, ir::LocId from, ir::LocId to, State state);
  void leave_loops(State& state, std::size_t kept);
  void note_change(State& state, Term when);
  bool waiting() const;  // inside the model of a wait for a condition variable
  // Waking twice in a row without a signal is no more than waking once.
  void choose_wake_up(State& state, Term spurious);
  bool same_wait(const WakeUp& first, const WakeUp& second);
  void merge_wake_ups(State& into, const State& first, const State& second, Term choice);
  bool next_round(Frame& frame, ir::LocId head, State& state);
  bool spins(Frame& frame, ir::LocId head, const State& state, const LoopRound& round);
  void arrive(Frame& frame, ir::LocId at, State state);
  void note_decision(Frame& frame, ir::LocId at, ir::LocId not_taken, State& state);
  State merge(State first, State second, Term& first_value, Term second_value);
  void merge_views(State& into, const State& first, const State& second, Term choice);
  void merge_sections(State& into, State& first, State& second, Term choice);

  // ---- statements (statements.cpp, calls.cpp, spawns.cpp, waits.cpp, lifetimes.cpp);
  // false: nothing follows ----
  struct Step {  // where the statement stands
    Frame& frame;
    const LocKey& key;
    ir::EdgeId edge;
  };
  bool step(Step at, State& state);
  bool operate(Step at, State& state, const ir::Skip&);
  bool operate(Step at, State& state, const ir::Assign& s);
  bool operate(Step at, State& state, const ir::Havoc& s);
  bool operate(Step at, State& state, const ir::Assume& s);
  bool operate(Step at, State& state, const ir::Load& s);
  bool operate(Step at, State& state, const ir::Store& s);
  bool operate(Step at, State& state, const ir::Update& s);
  bool operate(Step at, State& state, const ir::Call& s);
  bool operate(Step at, State& state, const ir::Return& s);
  bool operate(Step at, State& state, const ir::Spawn& s);
  bool operate(Step at, State& state, const ir::Await& s);
  bool operate(Step at, State& state, const ir::Atomic& s);
  bool operate(Step at, State& state, const ir::Alloc& s);
  bool operate(Step at, State& state, const ir::Free& s);
  bool operate(Step at, State& state, const ir::ObjectSize& s);
  bool operate(Step at, State& state, const ir::Clobber& s);
  bool operate(Step at, State& state, const ir::Self& s);
  bool operate(Step at, State& state, const ir::Fail& s);
  bool operate(Step at, State& state, const ir::Exit& s);
  bool operate(Step at, State& state, const ir::Unsupported& s);
  std::vector<std::pair<ir::FunId, Term>> functions(Step at, State& state, ir::ExprId expr);
  bool call(Step at, State& state, const ir::Call& s, ir::FunId callee);
  bool has_room(Step at);  // for one more thread that starts here
  Term spawn(Step at, State& state, const ir::Spawn& s, ir::FunId routine, Term when);
  Term sleep(Step at, State& state, const ir::Spawn& s, Term when);
  void end_thread(Step at, State& state);
  void end_process(Step at, State& state, ir::ExitScope scope);
  void note_block(ObjectId object, Term when);
  void note_leaks(Step at, State& state, NodeIndex node);
  std::optional<Term> value(Step at, State& state, ir::ExprId expr);
  void set(State& state, ir::RegId to, Term value);
  base::SourceRange source(ir::EdgeId edge) const;
  void cut(Step at, State& state, Term when, verdict::Gap gap, std::string detail);
  // The step is an error of this kind where `when` holds; the execution ends there.
  void fail(Step at, State& state, Term when, verdict::Check check, std::string detail);
  void log(Step at, const State& state, Term input, NodeIndex node);

  // ---- memory (accesses.cpp) ----
  // The moment of one access: the node of the section around it, or one made when needed.
  struct Moment {
    NodeIndex node = no_node;
    ir::MemoryOrder order = ir::MemoryOrder::plain;
  };
  void end_frame(const Frame& frame, State& state, Moment& moment);
  void note_early_use(const State& state, const Target& target);
  struct Reach {  // of an access: where it goes, all of it alive and valid
    std::vector<Target> targets{};
    std::uint32_t size = 0;
  };
  // `touched`: the bytes from the address on, its own address being the first of them.
  Reach reach(Step at, State& state, Moment& moment, Term address, const machine::Target& touched,
              EventKind kind);
  void touch(ObjectId object);  // this thread uses it, maybe beside others
  Term read(State& state, Moment& moment, const Reach& reach);
  Term word_at_end(const State& state, const Reach& reach, std::vector<FinalRead>& reads);
  bool interrupt(Step at, State& state, Moment& moment, const Reach& reach, Wait& wait,
                 const ir::Await& s);
  bool pass(Step at, State& state, Moment& moment, const Reach& reach, const Wait& wait,
            const ir::Await& s);
  void write(State& state, Moment& moment, const Reach& reach, Term value, Term when);
  Term read_cell(State& state, Moment& moment, const Cell& cell, Term when);
  void write_cell(State& state, Moment& moment, const Cell& cell, Term value, Term when);
  Term any_value(const Cell& cell);
  Term seen_value(const State& state, const Cell& cell) const;
  std::vector<Cell> cells(const Target& target, std::uint32_t size);
  bool is_shared(const Cell& cell) const;
  NodeIndex node_of(State& state, Moment& moment);
  NodeIndex here(State& state);  // the node of the section, or a new one
  void emit_write(NodeIndex node, const Cell& cell, Term value, Term guard);
  void flush(State& state);
  // The access may be part of a race, where `when` holds.
  void note_race(State& state, Moment& moment, const Reach& reach, EventKind kind, Term when);
  CellUse& use(const Cell& cell) { return round_.uses[{thread_, cell}]; }

  std::uint64_t global(ir::GlobalId id) override;
  std::uint64_t function(ir::FunId id) override { return round_.memory.layout().function(id); }
  ThreadUnfolding& self() { return round_.unfolding.threads[thread_]; }

  Round& round_;
  const ir::Program& program_;
  smt::Terms& terms_;
  const ThreadIndex thread_;
  ContextId context_{};
  std::vector<Frame*> frames_{};
  std::vector<ContextId> spawned_{};
  bool alone() const;
  std::size_t pending_ = 0;       // states that wait in some frame
  std::size_t alternatives_ = 0;  // calls of which several functions are executed in turn
  bool collapsed_ = false;
  std::map<std::vector<ir::EdgeId>, std::uint32_t>
      started_at_{};  // threads by calls that led there
};

}  // namespace heddle::engine::bmc
