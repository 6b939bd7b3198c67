// The code of every thread that a program may start, as one graph a thread: calls are
// expanded in place, each in a frame of its own, so that a place in the graph says all
// about where the thread is. Threads that one statement may start again and again get
// several graphs; what goes beyond is cut off, and the cut is a step of its own. Frames
// are all in one function, so where their objects end is said for those of which
// somebody could tell.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ir/program.hpp"
#include "passes/points_to.hpp"

namespace heddle::sequentialize {

using ThreadIndex = std::uint32_t;  // 0 is main
using FrameIndex = std::uint32_t;   // within its thread; 0 is the outermost
using PointIndex = std::uint32_t;   // within its thread
using StepIndex = std::uint32_t;    // within its thread
using LifeIndex = std::uint32_t;    // within its thread

// Why a program cannot be sequentialized.
class Rejected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class TooLarge : public Rejected {
 public:
  using Rejected::Rejected;
};

// What becomes of a limit while somebody raises others.
enum class Growth { with_bounds, none };

struct ExpansionLimits {
  std::uint32_t threads_a_spawn = 3;  // where a statement may start several threads
  std::uint32_t copies_a_spawn = 0;   // graphs for these, each for one after the other; 0: for each
  std::uint32_t most_threads = 64;
  std::uint32_t recursion = 3;  // activations of one function in one call stack, beyond the first
  Growth recursion_growth = Growth::with_bounds;
  std::optional<std::uint32_t> unwind{};  // how often a loop goes round; none: as often as it does
  std::uint32_t most_points = 60'000;     // of all threads
};

struct CodeFrame {
  ir::FunId function{};
  passes::InstanceId instance = 0;
  std::optional<FrameIndex> caller{};
  ir::EdgeId call{};
};

enum class StepKind {
  statement,
  enter,  // a call: `callee` is the new frame
  leave,  // a return to the caller
  end,    // of the thread or the process, or an Unsupported: nothing follows
  cut,    // a bound of ours; `reason` says which
};

// An object of a frame of which somebody may still know when it ends.
struct Life {
  FrameIndex frame = 0;
  ir::EdgeId allocation{};
  bool several = false;  // one activation may have many of these at a time
};

struct CodeStep {
  StepKind kind = StepKind::statement;
  PointIndex from = 0, to = 0;  // `to` means nothing where nothing follows
  ir::EdgeId edge{};            // of the program
  FrameIndex callee = 0;
  ir::FunId called{};  // enter, and cut at a call: who
  std::string reason{};
  std::optional<LifeIndex> begins{};  // an Alloc: the life of what it makes
  std::vector<LifeIndex> ends{};      // before anything else is done
};

// A way of starting a thread: which routine, and the threads that are there for it.
struct Start {
  ir::FunId routine{};
  std::vector<ThreadIndex> threads{};
};

struct CodePoint {
  FrameIndex frame = 0;
  ir::LocId at{};
  std::vector<StepIndex> out{};
  bool loop_head = false;  // some path from here comes back by a backward step
  bool in_cycle = false;   // it may be passed several times
  std::uint32_t atomic_depth = 0;
  bool reached = false;
  std::string bound{};  // not empty: getting here goes beyond this bound of ours; nothing follows
};

struct ThreadCode {
  std::string routine{};  // the user's function that it runs
  std::vector<CodeFrame> frames{};
  std::vector<CodePoint> points{};
  std::vector<CodeStep> steps{};
  std::vector<std::pair<StepIndex, std::vector<Start>>> spawns{};  // by rising step
  std::vector<Life> lives{};
  PointIndex entry = 0;
  std::optional<ThreadIndex> creator{};
  StepIndex created_by = 0;

  const std::vector<Start>* starts_of(StepIndex step) const;
};

// Throws Rejected.
std::vector<ThreadCode> expand_threads(const ir::Program& program,
                                       const passes::PointsTo& points_to,
                                       const ExpansionLimits& limits);

}  // namespace heddle::sequentialize
