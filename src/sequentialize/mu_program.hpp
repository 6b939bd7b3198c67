// The memory-unwinding program as it is being written. One object makes one program; its
// parts stand in files of their own, as the headings below say.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sequentialize/mu.hpp"
#include "sequentialize/mu_access.hpp"
#include "sequentialize/mu_cells.hpp"
#include "sequentialize/mu_lives.hpp"
#include "sequentialize/mu_memory.hpp"
#include "sequentialize/mu_private.hpp"
#include "sequentialize/mu_sections.hpp"
#include "sequentialize/mu_variables.hpp"
#include "sequentialize/thread_emitter.hpp"

namespace heddle::sequentialize {

// What an error is noted as, in this order from 1 on.
inline constexpr std::array noted_failures{ir::FailKind::error_call, ir::FailKind::assertion,
                                           ir::FailKind::overflow};

class MuProgram {
 public:
  MuProgram(const ir::Program& program, const Facts& facts, const MuOptions& options);
  Sequential run();

 private:
  struct Places {
    std::vector<ir::LocId> points{};  // by PointIndex
    ir::LocId stop{}, full{};
    std::vector<ir::LocId> back{};  // where the creator goes on, by number
  };
  struct Cut {
    ir::LocId place{};
    std::uint32_t reason = 0;  // into reasons_, from 1 on
    ir::LocId stop{};
    bool in_section = false;
  };

  // ---- registers and places (mu.cpp) ----
  std::vector<MuThread> declare();
  void begin();
  void guess();
  bool concurrent(ThreadIndex thread, PointIndex at) const {
    return privates_.concurrent(thread, at);
  }
  ir::LocId stop(ThreadIndex thread, PointIndex at) const {
    return concurrent(thread, at) ? places_[thread].stop : alone_;
  }
  ir::LocId stop(StepRef at) const { return stop(at.thread, steps_.step(at).from); }
  std::uint32_t depth(StepRef at) const {
    return threads_[at.thread].points[steps_.step(at).from].atomic_depth;
  }
  ir::LocId way(ThreadIndex thread, PointIndex from, PointIndex to);
  void go_on(StepRef at);
  ir::LocId cut(ThreadIndex thread, PointIndex at, std::string text);
  ir::LocId cut(StepRef at, std::string text);
  std::uint32_t reason(std::string text);
  MuExits exits(StepRef at);
  // Where the thread goes that waits there for good.
  ir::LocId stop_waiting(StepRef at);
  void note(ir::ExprId when, std::string text);
  void doubt(ir::ExprId when, std::string text);

  // ---- rounds of loops (mu_rounds.cpp) ----
  void declare_rounds(ThreadIndex thread);
  bool loop_is_limited(ThreadIndex thread, PointIndex head) const;
  void count_round(ThreadIndex thread, PointIndex point);
  void reset_rounds(ThreadIndex thread);

  // ---- one place of a thread (mu_steps.cpp) ----
  const ir::Statement& statement(const ThreadCode& code, StepIndex step) const {
    return program_.edge(code.steps[step].edge).statement;
  }
  void execute(ThreadIndex thread, PointIndex point);
  std::vector<ThreadEmitter::Candidate> choose(StepRef at, ir::ExprId address,
                                               const std::vector<ir::FunId>& functions);
  void may_stop(ThreadIndex thread, PointIndex point);
  void leave_for_good(ThreadIndex thread, PointIndex point);
  void call(ThreadIndex thread, const CodePoint& point);
  void step(StepRef at);
  void stop_or_move(StepRef at);
  void end_lives(StepRef at);
  void set(StepRef at, ir::RegId to, ir::ExprId value, Origin origin);
  void noticed(StepRef at);
  Placing placing(StepRef at) const { return depth(at) > 0 ? Placing::together : Placing::alone; }
  void access(StepRef at, const ir::Statement& what);
  void shared(StepRef at, const ir::Statement& what);
  void direct(StepRef at, const ir::Statement& what);
  void allocate(StepRef at, const ir::Alloc& alloc);
  void begin_life(StepRef at, const ir::Alloc& alloc);
  void take_variable(StepRef at);
  ir::AllocKind kind_of(StepRef at, const ir::Alloc& alloc,
                        std::optional<passes::ObjectIndex> object) const;
  void end(StepRef at);
  void fail(StepRef at, const ir::Fail& fail);

  // ---- atomic sections (mu_starts.cpp) ----
  void section(StepRef at, const ir::Atomic& mark);
  // What the section has written counts, and it does nothing more.
  void end_section(StepRef at);
  void for_each_in_section(ThreadIndex thread, PointIndex start,
                           const std::function<void(StepIndex)>& visit) const;
  bool matters_when(StepRef at) const;
  bool may_not_end(StepRef at) const;
  std::vector<ThreadIndex> started_before(StepRef at) const;

  // ---- threads that start (mu_starts.cpp) ----
  void start(StepRef at, const ir::Spawn& spawn);
  void start_thread(StepRef at, const ir::Spawn& spawn, ThreadIndex thread);
  void run_if_pending(StepRef at, ThreadIndex thread);
  void renew_thread_locals(ThreadIndex thread);
  void emit_return(ThreadIndex thread);
  void emit_full(ThreadIndex thread);

  // ---- the end (mu.cpp) ----
  void emit_cuts();
  void emit_waits();
  ir::LocId only_if(ir::ExprId condition);
  void finish();

  const ir::Program& program_;
  const Facts& facts_;
  const MuOptions& options_;
  std::vector<ThreadCode> threads_;
  PrivateAccesses privates_;
  MuCells cells_;
  MuSections sections_;
  Emitter emitter_;
  ThreadEmitter steps_;
  ir::TypeId int_, bool_;
  std::vector<ir::RegId> touched_{}, back_{};              // by ThreadIndex
  std::vector<std::map<PointIndex, ir::RegId>> rounds_{};  // by ThreadIndex: of each loop's head
  std::vector<Places> places_{};
  ir::RegId created_{}, error_{}, cut_{}, void_{}, choice_{};
  ir::LocId alone_{};
  Counters counters_{};
  std::vector<MuThread> registers_;
  std::unique_ptr<MuMemory> memory_;
  MuVariables variables_;
  MuAccesses accesses_;
  MuLives lives_;
  std::vector<std::string> reasons_{};
  std::vector<Cut> cuts_{};
  std::vector<std::pair<ir::LocId, StepRef>> waits_{};  // for what may end meanwhile
  std::vector<std::pair<ir::LocId, ir::LocId>> first_starts_{};
};

}  // namespace heddle::sequentialize
