// The lazily sequentialized program as it is being written. One object makes one
// program; its parts stand in files of their own, as the headings below say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sequentialize/conflicts.hpp"
#include "sequentialize/lazy.hpp"
#include "sequentialize/thread_emitter.hpp"
#include "sequentialize/variables.hpp"

namespace heddle::sequentialize {

class LazyProgram {
 public:
  LazyProgram(const ir::Program& program, const Facts& facts, const LazyOptions& options);
  Sequential run();

 private:
  struct Places {
    std::vector<std::uint32_t> numbers{};  // by PointIndex: of a place to stop at; else 0
    std::uint32_t last = 0;
    std::vector<ir::LocId> arrive{};          // by PointIndex: the thread comes there and may stop
    std::vector<ir::LocId> resume{};          // by PointIndex: it goes on
    std::vector<ir::LocId> back{};            // by PointIndex: it comes back there
    ir::LocId dispatch{};                     // goes on where the program counter says
    std::vector<PointIndex> order{};          // of the text
    std::vector<std::uint32_t> position{};    // by PointIndex: in that order
    std::vector<char> is_target{};            // by PointIndex: of a backward step
    ir::LocId over{};                         // it has run, and its turn is over
    ir::LocId stop{};                         // the turn of the next
    ir::RegId pc{};                           // 0 while the thread does not run
    ir::RegId self{};                         // its number + 1; 0 before it is started
    ir::RegId reads{}, writes{};              // what it may still touch
    ir::RegId read_since{}, written_since{};  // what others did since it stopped
    std::vector<char> begins_waiting{};       // by PointIndex: such a section begins
    std::vector<char> counts_alone{};         // by PointIndex: inside such a section
    ir::RegId section_goes_on{};              // after a wait, not only from its beginning
    std::vector<ir::RegId> lives{};           // by LifeIndex: the object, null while there is none
  };

  // ---- where another thread may go on (lazy_stops.cpp) ----
  const ir::Statement& statement(const ThreadCode& code, StepIndex step) const;
  bool is_visible(const ThreadCode& code, const CodePoint& point) const;
  bool ends_what_others_know(const ThreadCode& code, const CodeStep& step) const;
  bool always_counts(ThreadIndex thread, PointIndex at) const;
  bool is_unnoticed(ThreadIndex thread, PointIndex at) const;
  void number_switch_points();
  bool stops_before(const ThreadCode& code, PointIndex at) const;
  void find_backward_steps(ThreadIndex thread);
  static std::vector<PointIndex> order_of(const ThreadCode& code);

  // ---- the scheduler (lazy.cpp) ----
  void declare();
  void start_main();
  void begin_round();
  void end_round(ir::LocId head);
  ir::ExprId running_somebody();
  void check_invariants(ThreadIndex thread);
  void check_range(ThreadIndex thread, ir::ExprId now);
  void never(ir::ExprId fault, const std::string& text);
  void choose_thread();

  // ---- program counters (lazy.cpp) ----
  ir::ExprId pc_address(ThreadIndex thread);
  ir::ExprId pc(ThreadIndex thread);
  void set_pc(ThreadIndex thread, std::uint32_t number);
  void set_future(ThreadIndex thread, Future future);

  // ---- what others have done since a thread stopped (lazy_stops.cpp) ----
  bool justifies() const;
  void may_go_on(ThreadIndex thread);
  void must_wait(ThreadIndex thread);
  void find_waiting_sections(ThreadIndex thread);
  void add(ir::RegId to, std::uint64_t bits);
  void add(ir::RegId to, ir::ExprId bits);
  void note_accesses(ThreadIndex thread, PointIndex point);
  void note_in_waiting_section(ThreadIndex thread, PointIndex point);
  void note_wait(ThreadIndex thread);
  void publish(ThreadIndex thread);
  ir::ExprId was_in_conflict(ThreadIndex thread, PointIndex point);

  // ---- a thread's turn (lazy_turns.cpp) ----
  void turn(ThreadIndex thread);
  void choose_to_run(ThreadIndex thread, ir::LocId passes);
  void go_on_if_justified(ThreadIndex thread, PointIndex point);
  void arrive(ThreadIndex thread, PointIndex point);
  bool is_guarded(ThreadIndex thread, PointIndex point) const;
  void come_back(ThreadIndex thread, PointIndex point);
  void ask_others(ThreadIndex thread, Future next, ir::LocId resume);
  void choose_to_stop(ir::LocId stop);
  void stop_at(ThreadIndex thread, PointIndex point);
  void end_thread(ThreadIndex thread);

  // ---- a thread's statements (lazy_statements.cpp) ----
  void block(ThreadIndex thread);
  void execute(ThreadIndex thread, PointIndex point);
  ir::LocId entry(ThreadIndex thread, PointIndex from, PointIndex to) const;
  void go_on(StepRef at);
  bool waits_in_section(const ThreadCode& code, const CodePoint& point) const;
  void call(ThreadIndex thread, const CodePoint& point);
  void step(StepRef at);
  void keep_variables();
  void take_variable(StepRef at);
  void end(StepRef at);
  void load_awaited(StepRef at, const ir::Await& wait);
  void await(StepRef at, const ir::Await& wait);
  void await_in_section(ThreadIndex thread, PointIndex point);

  // ---- objects of frames (lazy_lives.cpp) ----
  void declare_lives(ThreadIndex thread);
  void begin_without_lives();
  void allocate(StepRef at, const ir::Alloc& alloc);
  void end_lives(StepRef at);
  void end_thread_locals();
  void reject_local_variables(StepRef at, const ir::Free& free);

  // ---- threads that start (lazy_statements.cpp) ----
  void start(StepRef at, const ir::Spawn& spawn);
  void start_one_of(StepRef at, const ir::Spawn& spawn, const Start& start);
  void start_thread(StepRef at, const ir::Spawn& spawn, ThreadIndex thread);

  const ir::Program& program_;
  const Facts& facts_;
  const LazyOptions& options_;
  std::vector<ThreadCode> threads_;
  Conflicts conflicts_;
  Emitter emitter_;
  ThreadEmitter steps_;
  Variables variables_;
  ir::TypeId int_, bool_, mask_;
  std::vector<Places> places_{};
  ir::GlobalId pcs_{};
  ir::RegId turn_reads_{}, turn_writes_{};
  ir::RegId section_reads_{}, section_writes_{};  // so far, of one that waits
  ir::RegId pc_seen_{}, created_{}, moved_{}, choice_{}, comes_back_{}, round_{}, left_{}, next_{};
  ir::LocId finish_{};
  Counters counters_{};
};

}  // namespace heddle::sequentialize
