// Ends of objects of frames of which somebody may still know, while the threads are run
// one after the other and not in the order of time. An end has a moment, as a write has:
// whoever uses the object at a later one does what is undefined, so that nothing of that
// execution counts. Threads that are simulated before the end leave a note of when they
// have used the object last.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sequentialize/facts.hpp"
#include "sequentialize/mu_access.hpp"
#include "sequentialize/mu_cells.hpp"
#include "sequentialize/mu_memory.hpp"
#include "sequentialize/mu_private.hpp"
#include "sequentialize/thread_emitter.hpp"

namespace heddle::sequentialize {

class MuLives {
 public:
  MuLives(Emitter& emitter, const ir::Program& program, ThreadEmitter& steps, const Facts& facts,
          const std::vector<ThreadCode>& threads, const MuCells& cells, MuMemory& memory,
          const PrivateAccesses& privates, const MuOptions& options,
          const std::vector<MuThread>& registers);

  // The access may be to an object that has ended.
  bool may_be_late(StepRef access) const { return uses_.contains({access.thread, access.step}); }
  // Of the objects that the allocation makes, so many are known at a time: those made last.
  std::size_t known_of(StepRef allocation) { return of(allocation).size(); }

  // ---- code, from here on ----
  void forget();  // nothing has been allocated yet
  // The allocation is about to make an object, and one that it made before will not be known.
  ir::ExprId forgets(StepRef allocation);
  void begin(StepRef allocation, ir::ExprId address, ir::ExprId bytes);
  void end(StepRef at, const MuExits& exits);  // before the step: all that ends there
  // Around the access, which may change the registers in its address.
  void before_use(StepRef access);
  void after_use(StepRef access, Placing placing, const MuExits& exits);
  // Instead, where the access is an Await at which the thread stops for good.
  void after_wait(StepRef access, const MuExits& exits);

 private:
  struct Moment {
    ir::RegId at{}, phase{};
  };
  struct Object {
    ir::RegId start{}, bytes{};  // no bytes: there is none
    ir::RegId owner{};           // MuThread::self of the thread that has made it
    ir::RegId is_over{};
    Moment end{};
    Moment last_use{};      // by other threads
    ir::RegId waits_for{};  // some thread does, for good
  };
  struct Tracked {
    std::vector<Object> objects{};         // what was made last comes first
    std::vector<CellIndex> found_early{};  // that may be in one before it is made
  };

  void declare(const MuOptions& options);
  Object declare_object(const std::string& name);
  void find_uses(const ir::Program& program, const Facts& facts);
  // The access names a variable of its own frame, which is there.
  bool names_its_own(StepRef access, ir::ExprId address, ThreadIndex owner, const Life& life) const;
  void end_before_uses(ThreadIndex thread, const Tracked& tracked, const Object& object,
                       const MuExits& exits);
  std::vector<Object>& of(StepRef allocation) {
    return tracked_[allocation.thread][*steps_.step(allocation).begins].objects;
  }

  Moment declare_moment(const std::string& name);
  void set(const Moment& to, const MuMoment& from);
  MuMoment value(const Moment& moment) {
    return {emitter_.value(moment.at), emitter_.value(moment.phase)};
  }
  ir::ExprId is_later(const MuMoment& left, const MuMoment& right);
  ir::ExprId is_same(const MuMoment& left, const MuMoment& right);
  ir::ExprId is_inside(ir::ExprId address, ir::ExprId start, ir::ExprId bytes);
  ir::ExprId is_of(ThreadIndex thread, const Object& object);

  Emitter& emitter_;
  const ir::Program& program_;
  ThreadEmitter& steps_;
  const std::vector<ThreadCode>& threads_;
  const MuCells& cells_;
  MuMemory& memory_;
  const PrivateAccesses& privates_;
  const std::vector<MuThread>& registers_;
  ir::TypeId position_{}, number_{}, size_{}, flag_{};
  std::vector<std::vector<Tracked>> tracked_{};  // by ThreadIndex, LifeIndex
  std::map<std::pair<ThreadIndex, StepIndex>, std::vector<const Object*>> uses_{};
  std::map<CellIndex, Moment> cell_uses_{};  // the last early ones, of Tracked::found_early
  ir::RegId address_{};
};

}  // namespace heddle::sequentialize
