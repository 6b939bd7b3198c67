#include "sequentialize/mu_coarse.hpp"

#include <fmt/format.h>

namespace heddle::sequentialize {

using namespace ir;

CoarseMemory::CoarseMemory(Emitter& emitter, const std::vector<MuCell>& cells,
                           const MuOptions& options, const std::vector<MuThread>& threads)
    : MuMemory(emitter, cells, options, threads) {
  begins_.resize(cells.size());
  holds_.resize(cells.size());
  for (CellIndex cell = 0; cell < cells.size(); ++cell) {
    begins_[cell].push_back(initial_[cell]);
    holds_[cell].push_back(initial_[cell]);
    for (std::uint32_t i = 1; i < count(); ++i) {
      begins_[cell].push_back(register_for("guess", cell, i));
      holds_[cell].push_back(register_for("now", cell, i));
    }
    if (owned()) begins_[cell].push_back(register_for("guess", cell, count()));
  }
  if (owned())
    for (std::uint32_t i = 0; i < count(); ++i)
      owner_.push_back(emitter.scalar(fmt::format("owner_{}", i), thread_number_));
}

void CoarseMemory::guess() {
  load_initial();
  for (CellIndex cell = 0; cell < cells_.size(); ++cell) {
    for (std::size_t i = 1; i < begins_[cell].size(); ++i) emitter_.emit(Havoc{begins_[cell][i]});
    for (std::uint32_t i = 1; i < count(); ++i)
      emitter_.assign(holds_[cell][i], emitter_.value(begins_[cell][i]));
  }
  for (const RegId owner : owner_) emitter_.emit(Havoc{owner, options_.threads + 1});
  emitter_.assign(threads_[0].at, 0);
  note_phase(0);
}

void CoarseMemory::note_phase(ThreadIndex thread) {
  if (!owned()) return;
  emitter_.assign(threads_[thread].phase,
                  build().negation(equal(pick(at(thread), owner_), self(thread))));
}

void CoarseMemory::start(ThreadIndex thread, ThreadIndex creator) {
  emitter_.assign(threads_[thread].at, at(creator));
  note_phase(thread);
  // What its creator sees there happened before the thread was.
  if (owned()) require(emitter_.value(threads_[thread].phase));
}

void CoarseMemory::move(ThreadIndex thread) {
  if (count() == 1) return;
  if (options_.moves == Moves::one_by_one && thread != 0) {
    require(build().binary(Op::lt, at(thread), number(count() - 1)));
    emitter_.assign(threads_[thread].at, build().binary(Op::add, at(thread), number(1)));
  } else {
    emitter_.emit(Havoc{guess_, count()});
    require(build().binary(Op::le, at(thread), emitter_.value(guess_)));
    emitter_.assign(threads_[thread].at, emitter_.value(guess_));
  }
  note_phase(thread);
}

ExprId CoarseMemory::read(ThreadIndex thread, CellIndex cell, Placing placing) {
  if (placing == Placing::alone) move(thread);
  const ExprId here = pick(at(thread), holds_[cell]);
  if (!owned()) return here;
  const std::vector<RegId> ends(begins_[cell].begin() + 1, begins_[cell].end());
  return build().select(emitter_.value(threads_[thread].phase), pick(at(thread), ends), here);
}

void CoarseMemory::write(ThreadIndex thread, CellIndex cell, ExprId value, Placing placing, LocId) {
  if (placing == Placing::alone) move(thread);
  if (owned()) require(build().negation(emitter_.value(threads_[thread].phase)));
  for (std::uint32_t i = 0; i < count(); ++i)
    emitter_.assign(holds_[cell][i], build().select(equal(at(thread), number(i)), value,
                                                    emitter_.value(holds_[cell][i])));
}

ExprId CoarseMemory::pick(ExprId position, const std::vector<RegId>& values) {
  ExprId result = emitter_.value(values.front());
  for (std::size_t i = 1; i < values.size(); ++i)
    result = build().select(equal(position, number(i)), emitter_.value(values[i]), result);
  return result;
}

void CoarseMemory::check() {
  check_blocks();
  for (CellIndex cell = 0; cell < cells_.size(); ++cell)
    for (std::size_t i = 1; i < begins_[cell].size(); ++i) {
      ExprId same = equal(emitter_.value(holds_[cell][i - 1]), emitter_.value(begins_[cell][i]));
      if (!cells_[cell].known()) same = emitter_.either(build().negation(is_found(cell)), same);
      require(same);
    }
}

}  // namespace heddle::sequentialize
