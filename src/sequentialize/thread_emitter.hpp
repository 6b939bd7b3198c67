// The steps of the threads as statements of the sequential program, as far as every
// scheme treats them alike: registers, branches, calls and returns.
#pragma once

#include <functional>
#include <vector>

#include "sequentialize/emitter.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

// One step of one thread.
struct StepRef {
  ThreadIndex thread = 0;
  StepIndex step = 0;
};

class ThreadEmitter {
 public:
  ThreadEmitter(Emitter& emitter, const ir::Program& program,
                const std::vector<ThreadCode>& threads, const EmissionOptions& options)
      : emitter_(emitter), program_(program), threads_(threads), options_(options) {}

  const CodeStep& step(StepRef at) const { return threads_[at.thread].steps[at.step]; }
  const ir::Edge& edge(StepRef at) const { return program_.edge(step(at).edge); }
  FrameIndex frame(StepRef at) const { return threads_[at.thread].points[step(at).from].frame; }
  Origin origin(StepRef at) const { return {at.thread, step(at).edge, std::nullopt}; }
  // Where each thread has code of its own; what several may run is not run once.
  Note note(StepRef at) const {
    return {at.thread, user_edge(at), !threads_[at.thread].points[step(at).from].in_cycle};
  }
  ir::ExprId renamed(StepRef at, ir::ExprId expr) {
    return emitter_.rename(at.thread, frame(at), expr);
  }
  ir::RegId renamed(StepRef at, ir::RegId reg) {
    return emitter_.rename(at.thread, frame(at), reg);
  }

  // The statement as it is, or in plain words.
  void copy(StepRef at);
  // A step that leaves nothing to do.
  void skip(StepRef at);
  void enter(StepRef at);
  // To the parameter of the routine of a thread that starts here.
  void pass_argument(StepRef at, const ir::Spawn& spawn, ThreadIndex thread);
  void leave(StepRef at);
  // All arms of a branch; each goes on at `target(point)`.
  void branch(ThreadIndex thread, const CodePoint& from,
              const std::function<ir::LocId(PointIndex)>& target);
  // Goes on, for each function that the address may be, at a fresh place; who calls emits what
  // follows there. Other addresses are undefined.
  struct Candidate {
    ir::LocId at{};
    std::size_t index = 0;  // into `functions`
  };
  std::vector<Candidate> choose_function(StepRef at, ir::ExprId address,
                                         const std::vector<ir::FunId>& functions);

 private:
  ir::EdgeId user_edge(StepRef at) const;
  void update_plainly(const ir::Update& update, base::SourceRange source);

  Emitter& emitter_;
  const ir::Program& program_;
  const std::vector<ThreadCode>& threads_;
  const EmissionOptions& options_;
};

}  // namespace heddle::sequentialize
