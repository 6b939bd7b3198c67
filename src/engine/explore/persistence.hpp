// Which steps no other thread can interfere with from now on. A step that touches shared
// memory is taken alone, like a local one, if nothing that the others may still do before
// this thread moves touches the same memory in conflict: the step is a persistent set of
// its own (Godefroid), from static facts about each location's future.
//
// Others that cannot move before this thread does are left out: those that wait for a word
// that nobody but this thread, or threads that wait themselves, may still write (the
// necessary enabling sets of Valmari's stubborn sets).
#pragma once

#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.hpp"
#include "machine/machine.hpp"
#include "passes/future_accesses.hpp"

namespace heddle::engine::explore {

using machine::ThreadNumber;

// What a state does not hold though it seems to, because only a domain knows it.
class OpenValues {
 public:
  virtual ~OpenValues() = default;
  // Whether the thread's Await holds.
  virtual bool waits(ThreadNumber thread, ir::EdgeId await) const = 0;
  // The parameter of the function that the frame belongs to.
  virtual bool parameter(ThreadNumber thread, std::size_t frame, std::uint32_t index) const = 0;
};

class Persistence {
 public:
  // All must outlive this; `futures` must not have given up.
  Persistence(const machine::Machine& machine, const passes::PointsTo& points_to,
              const passes::FutureAccesses& futures);

  // What all threads that may move before `thread` may still do. Valid as long as no other thread
  // moves and `thread` has taken no visible step.
  class Others {
    friend class Persistence;
    struct Range {
      machine::Address from = 0, to = 0;
      bool writes = false;
    };
    passes::AccessSet cells{};
    std::vector<Range> ranges{};  // of accesses through parameters
  };
  Others others(const machine::State& state, ThreadNumber thread, const OpenValues* open = nullptr);

  // Nobody else may interfere with the step along `next`, which must not begin an atomic section.
  bool undisturbed(const machine::State& state, ThreadNumber thread, ir::EdgeId next,
                   const Others& others);

  // A thread was somewhere that the static facts rule out: all answers so far are doubtful.
  bool contradicted() const { return contradicted_; }
  // To be told of every access before it is made: the facts must foresee it.
  void note(const machine::State& state, ThreadNumber thread, ir::EdgeId access,
            machine::KnownValues given = {});

 private:
  using StackId = std::uint32_t;
  struct ParameterRef {
    std::uint32_t frame = 0;  // from the outermost
    passes::ParameterAccess access{};
  };
  // A thread's stack as far as its future depends on it: the location of each frame.
  struct Stack {
    ir::LocId at{};
    std::uint32_t depth = 0;                      // frames
    std::vector<passes::InstanceId> instances{};  // that the top frame may be
    passes::AccessSet below{};                    // without the top frame
    std::vector<ParameterRef> below_parameters{};
    passes::AccessSet all{};
    std::vector<ParameterRef> all_parameters{};
    // Of the access that leaves the location; absent until asked for. An empty one: anything.
    bool has_cells = false;
    std::optional<std::vector<passes::CellIndex>> cells{};
  };

  void find_returns();
  StackId stack_of(const machine::State& state, ThreadNumber thread);
  StackId intern(std::optional<StackId> below, ir::LocId at, ThreadNumber thread);
  Stack bottom(ir::LocId at, ThreadNumber thread) const;
  Stack on(const Stack& below, ir::LocId at) const;
  void finish(Stack& stack) const;
  void add_frame(passes::InstanceId instance, ir::LocId at, std::uint32_t frame,
                 passes::AccessSet& cells, std::vector<ParameterRef>& parameters) const;
  void include(const machine::State& state, ThreadNumber thread, const OpenValues* open,
               Others& into);
  bool may_end_wait(const machine::State& state, ThreadNumber waiting, ir::EdgeId await,
                    const Others& others);
  const std::optional<std::vector<passes::CellIndex>>& cells_at(StackId stack, ir::EdgeId access);
  bool access_undisturbed(const machine::State& state, ThreadNumber thread, ir::EdgeId next,
                          const Others& others);
  bool ends_undisturbed(const machine::State& state, const machine::Frame& frame,
                        const Others& others) const;
  bool foreseen(const machine::Place& place, const machine::Access& access, StackId stack) const;

  const machine::Machine& machine_;
  const ir::Program& program_;
  const passes::PointsTo& points_to_;
  const passes::FutureAccesses& futures_;
  bool leaks_asked_;
  std::vector<std::vector<ir::EdgeId>> calls_into_{};     // by LocId
  std::vector<std::vector<passes::InstanceId>> roots_{};  // by FunId: started as a thread
  std::vector<char> may_return_{};                        // by LocId: its function may
  std::vector<Stack> stacks_{};
  tsl::robin_map<std::uint64_t, StackId> known_{};  // by the stack below and the location
  tsl::robin_set<std::uint64_t> noted_{};           // accesses that were looked at before
  bool contradicted_ = false;
};

}  // namespace heddle::engine::explore
