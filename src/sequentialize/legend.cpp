#include "sequentialize/legend.hpp"

#include <fmt/format.h>

namespace heddle::sequentialize {
namespace {

void describe_groups(const MuOptions& options, std::vector<NamesMeaning>& legend) {
  if (options.positions > 1) {
    legend.push_back({"guess_x_1", "what x holds when group 1 begins, as guessed"});
    legend.push_back({"now_x_1", "what it holds after the writes of group 1 so far"});
  }
  if (options.variant == MuVariant::intra_thread)
    legend.push_back({"owner_0", "the number of the thread that writes in group 0, as guessed"});
}

void describe_writes(const MuOptions& options, std::vector<NamesMeaning>& legend) {
  legend.push_back({"writes_x", "positions at which x is written, a bit each, as guessed"});
  legend.push_back({"done_x", "those at which it has been written"});
  legend.push_back({"write_x_1", "what is written at the first position, as guessed"});
  if (options.variant == MuVariant::explicit_reads)
    legend.push_back({"after_x_1", "what x holds after the first position"});
  legend.push_back({"changes_x", "an atomic section is about to write new_x to x"});
  if (options.shared_positions == Switch::off)
    legend.push_back({"owner_1", "the number of the thread that writes at the first position"});
}

}  // namespace

std::vector<NamesMeaning> legend(const LazyOptions& options) {
  std::vector<NamesMeaning> result;
  result.push_back(
      {options.pc == PcForm::array ? "pc[1]" : "pc1", "where t1 goes on; 0 while it does not run"});
  result.push_back({"id1", "its number, counted from 1 for main; 0 before it is started"});
  if (options.conflicts == Switch::on)
    result.push_back({"will_read1, will_write1",
                      "what it may still do, and whom it starts: a bit a group of places"});
  if (options.conflicts == Switch::on && options.justified == Switch::on &&
      options.scheduler != Scheduler::next_thread) {
    result.push_back({"read_since1, written_since1", "what others did since it stopped"});
    result.push_back({"turn_reads, turn_writes", "what the thread does whose turn it is"});
  }
  if (options.rounds) result.push_back({"round", "how often all threads have had a turn"});
  if (options.scheduler == Scheduler::statements)
    result.push_back({"statements_left", "how far the thread goes whose turn it is"});
  if (options.scheduler == Scheduler::next_thread)
    result.push_back({"next_thread", "whose turn it is"});
  result.push_back({"somebody_moved", "a round in which nobody does anything is no execution"});
  return result;
}

std::vector<NamesMeaning> legend(const MuOptions& options) {
  std::vector<NamesMeaning> result;
  result.push_back({"id1", "the number of t1, counted from 1 for main"});
  if (!options.in_memory()) {
    result.push_back({"position1", "how far along the guess it is"});
    result.push_back({"guessed_right", "all that was guessed has come true so far"});
    if (is_coarse(options.variant))
      describe_groups(options, result);
    else
      describe_writes(options, result);
  }
  result.push_back({"error", "a thread has met an error; it counts if the guess comes true"});
  result.push_back({"cut", "a thread has gone beyond what is looked at here"});
  return result;
}

}  // namespace heddle::sequentialize
