// What a sequentialization gives: a program of one function and one thread, and for
// each of its steps which step of the concurrent program it stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

struct Origin {
  ThreadIndex thread = 0;
  ir::EdgeId edge{};                    // of the concurrent program
  std::optional<ThreadIndex> starts{};  // the thread that begins here
};

// Where a statement of the sequential program comes from, for whoever reads it.
struct Note {
  ThreadIndex thread = 0;
  ir::EdgeId user{};  // the user's statement: of a step inside a model, the call that led there
  bool once = false;  // no execution comes here twice
};

struct Counters {
  std::uint64_t threads = 0;
  std::uint64_t steps = 0;          // of all threads
  std::uint64_t switch_points = 0;  // where another thread may go on
  std::uint64_t joined = 0;         // steps that go with the one before: nobody notices
  std::uint64_t guarded = 0;        // switch points that count only while others may conflict
  std::uint64_t justified = 0;      // of these, those that go on only once somebody did
  std::uint64_t ended = 0;          // objects of frames that somebody may know of at their end
};

// Of a scheme that runs threads one after the other, each along the same positions: the registers
// that say which thread of the concurrent program a step belongs to, and when it takes place.
struct PositionRegisters {
  ir::RegId number{};  // of the thread, + 1
  ir::RegId at{};
  ir::RegId phase{};  // of two steps at the same position
};

struct Sequential {
  ir::Program program{};
  std::vector<std::optional<Origin>> origins{};  // by EdgeId of `program`
  std::vector<std::optional<Note>> notes{};      // by EdgeId of `program`
  std::vector<std::string> routines{};           // by ThreadIndex
  // By ThreadIndex; empty: steps take place in the order in which they stand in the trace.
  std::vector<PositionRegisters> positions{};
  bool in_memory = false;  // with positions: steps that others may notice go to memory, too
  Counters counters{};

  const Origin* origin(ir::EdgeId edge) const {
    return edge.value < origins.size() && origins[edge.value] ? &*origins[edge.value] : nullptr;
  }
  bool runs_once(ir::EdgeId edge) const { return notes[edge.value] && notes[edge.value]->once; }
};

}  // namespace heddle::sequentialize
