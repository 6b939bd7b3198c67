// The concrete semantics: one State, one step. The oracle, the explorer and every
// replay run on it, so what a program means is decided here and nowhere else.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.hpp"
#include "machine/memory.hpp"
#include "machine/state.hpp"
#include "verdict/property.hpp"
#include "verdict/verdict.hpp"

namespace heddle::machine {

enum class Outcome {
  moved,          // the state has changed; or `violation` is a memory error, which nothing follows
                  // and which leaves the state as it was. A Fail may set `violation` and goes on.
  pruned,         // the Assume does not hold: this execution does not exist
  blocked,        // the Await does not hold, or another thread is inside an atomic section
  needs_input,    // the step reads an unset value: call again with an input
  process_ended,  // main returned or the process exited; `violation` may be a leak
  cut,            // unsupported construct or unchecked undefined behaviour: nothing follows
};

struct StepResult {
  Outcome outcome = Outcome::moved;
  std::optional<verdict::Violation> violation{};
  verdict::Gap gap = verdict::Gap::unsupported;  // when cut
  std::string detail{};                          // when cut: what stopped us
};

// The value that a step would take from outside.
struct InputRequest {
  ir::TypeId type{};
  // 0: any value of the type; else any value in [0, limit). An unset bit-field asks for its raw
  // bits, without sign.
  std::uint64_t limit = 0;
};

// The value of an expression of an edge, from somebody who knows more than the state.
struct KnownValue {
  ir::ExprId expr{};
  std::uint64_t value = 0;
  bool operator==(const KnownValue&) const = default;
};
using KnownValues = std::span<const KnownValue>;

// Memory that an edge is about to touch.
struct Access {
  ThreadNumber thread = 0;
  ir::EdgeId edge{};
  Address address = 0;
  std::uint64_t size = 0;
  AccessKind kind = AccessKind::read;
  bool plain = true;  // neither atomic nor inside an atomic section
};

// What a Fail breaks; nullopt: nothing that a property asks about.
std::optional<verdict::Check> check_of(ir::FailKind kind);
// Why executions end at an Unsupported, and what to say about it.
std::pair<verdict::Gap, std::string> gap_of(const ir::Unsupported& statement);

// Whether what the statement touches counts where races are asked about.
bool may_race(const ir::Statement& statement);
// Overlapping bytes, at least one a write, at least one plain.
bool conflicting(const Access& a, const Access& b);

class Machine {
 public:
  // Both must outlive the machine.
  Machine(const ir::Program& program, const verdict::Property& property);

  State initial() const;

  ThreadNumber thread_count(const State& state) const;  // ended ones included
  bool live(const State& state, ThreadNumber thread) const;
  bool ended(const State& state) const;  // the process is over, or no thread is live
  // The edges that leave the thread's location; empty if it has ended.
  std::span<const ir::EdgeId> edges(const State& state, ThreadNumber thread) const;
  // Live, not kept out by another thread's atomic section, not at a false Await.
  bool enabled(const State& state, ThreadNumber thread) const;
  // At an Await that does not hold.
  bool blocked(const State& state, ThreadNumber thread) const;
  // The thread that runs alone, if any, since it is inside an atomic section. A thread that gets
  // to a false Await there lets the others run until it takes that Await; when the Await comes to
  // hold it competes with the others like anyone, and has the section again once it has taken it.
  std::optional<ThreadNumber> atomic_holder(const State& state) const;

  std::optional<InputRequest> input_needed(const State& state, ThreadNumber thread,
                                           ir::EdgeId edge) const;
  // Takes `edge` in `thread`, which edges() must name. On pruned, blocked, needs_input and cut the
  // state is unchanged. Expressions of the edge that `given` names are not evaluated; the condition
  // of an Await may be among them.
  StepResult step(State& state, ThreadNumber thread, ir::EdgeId edge,
                  std::optional<std::uint64_t> input = std::nullopt, KnownValues given = {}) const;

  // The memory that the edge would touch if it were taken now; nullopt if none, or if the
  // address is not in a live object.
  std::optional<Access> access(const State& state, ThreadNumber thread, ir::EdgeId edge,
                               KnownValues given = {}) const;
  // Whether taking the edge now would end the life of an object that other threads might point
  // to: a Free, a Return from a frame with objects, the end of a thread or process.
  bool ends_lifetimes(const State& state, ThreadNumber thread, ir::EdgeId edge) const;
  // Two threads are about to make conflicting accesses, at least one of them plain. Atomic
  // sections do not hide the other thread's pending access.
  std::optional<verdict::Violation> race(const State& state) const;
  // The same for pending accesses that the caller has found, by rising thread.
  std::optional<verdict::Violation> race(const State& state, std::span<const Access> pending) const;
  // The edge stands for unknown code that is handed an object which another thread is about to
  // access: whether that is a race, nobody can tell.
  bool may_race_unseen(const State& state, ThreadNumber thread, ir::EdgeId edge) const;
  // The access that the thread is about to make, as far as it can be part of a race.
  std::optional<Access> racing_access(const State& state, ThreadNumber thread) const;
  // The greatest set of threads that wait for each other for good.
  std::optional<verdict::Violation> deadlock(const State& state) const;

  std::uint64_t evaluate(const State& state, ThreadNumber thread, ir::ExprId expr) const;

  const ir::Program& program() const { return program_; }
  const verdict::Property& property() const { return property_; }
  const Memory& memory() const { return memory_; }

  // What a thread at a false Await waits for.
  struct Wait {
    ir::EdgeId edge{};
    Address address = 0;
    std::optional<ThreadNumber> holder{};  // the thread that alone can end the wait, if known
  };
  std::optional<Wait> wait(const State& state, ThreadNumber thread) const;

 private:
  const ir::Program& program_;
  const verdict::Property& property_;
  Memory memory_;
};

}  // namespace heddle::machine
