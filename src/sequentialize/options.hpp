// What the schemes may be told. Every reduction has a switch here, so that tests can
// compare programs with and without it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "ir/statement.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

enum class Switch { on, off };

enum class Scheduler {
  rounds,       // threads in turn; each stops before any statement that others may notice
  statements,   // threads in turn; each runs a number of statements guessed beforehand
  next_thread,  // any thread, one statement that others may notice
};

enum class PcForm { scalar, array };

// Which statements the sequential program is made of.
enum class Wording {
  exact,  // those of the input, so that each step stands for one of the input's
  plain,  // only what any verifier of sequential C understands: no atomic accesses
};

struct EmissionOptions {
  Wording wording = Wording::exact;
  // Failures that are asked about; the others are no failures.
  std::set<ir::FailKind> failures{ir::FailKind::error_call, ir::FailKind::assertion,
                                  ir::FailKind::overflow, ir::FailKind::division_by_zero};
};

struct LazyOptions {
  Scheduler scheduler = Scheduler::rounds;
  std::optional<std::uint32_t> rounds{};  // none: as many as there are
  PcForm pc = PcForm::scalar;
  Switch join_local = Switch::on;  // steps that only the thread itself sees go with the one before
  Switch conflicts = Switch::on;   // a switch counts only while others may still conflict
  Switch justified = Switch::on;   // and a thread that has stopped goes on only once one did
  Switch markers = Switch::off;    // checks of the sequentialization itself
  ExpansionLimits limits{};
  EmissionOptions emission{};
};

// Which writes a memory unwinding holds, and how threads read from it.
enum class MuVariant {
  explicit_reads,  // each write; for each of them the value of every cell
  implicit_reads,  // each write; a read looks for the one that it sees
  mixed_reads,     // each write; explicit for variables, implicit for arrays and blocks
  intra_thread,    // groups of writes of one thread, of which others see what they leave
  inter_thread,    // groups of writes of several threads
  in_turn,         // for an engine: inter_thread and explicit_reads at each bound
};

inline bool is_coarse(MuVariant variant) {
  return variant == MuVariant::intra_thread || variant == MuVariant::inter_thread;
}

// Where in the guess a thread goes on after a step that others may notice.
enum class Moves {
  guessed,
  one_by_one,  // groups only: to the next one, as if all took steps in turn; main still guesses
};

// Where a thread may do nothing more, besides the places where it might not get on.
enum class Stops {
  where_needed,
  before_any_step,  // that others may notice
};

// The longest sequence of single writes: positions are bits, and the one after the last is one too.
inline constexpr std::uint32_t most_writes = 63;

struct MuOptions {
  MuVariant variant = MuVariant::inter_thread;
  std::uint32_t positions = 4;  // writes one after the other (at most most_writes), or groups
  Moves moves = Moves::guessed;
  Stops stops = Stops::where_needed;
  std::uint32_t threads = 8;         // main included
  std::uint32_t rounds = 0;          // of a loop while others may run; 0: as many as there are
  std::uint32_t found_cells = 4;     // of memory whose address is known only when it is touched
  std::uint32_t largest_array = 40;  // elements of an array of which each is a cell
  // A thread may see a block that another one allocates which is simulated after it; then writes to
  // blocks count from the start.
  Switch later_blocks = Switch::off;
  Switch fresh_blocks = Switch::on;  // nobody sees what is written to a block before it is known
  Switch main_objects = Switch::on;  // what main allocates before it starts threads is known
  Switch quiet_cells = Switch::on;   // cells that nobody writes, or that one thread touches
  // Single writes of several threads that do not depend on each other may be at one position.
  Switch shared_positions = Switch::on;
  ExpansionLimits limits{};
  EmissionOptions emission{};

  // One group of writes: threads run one after the other, so nothing is guessed and all accesses go
  // to memory itself.
  bool in_memory() const { return variant == MuVariant::inter_thread && positions == 1; }
};

}  // namespace heddle::sequentialize
