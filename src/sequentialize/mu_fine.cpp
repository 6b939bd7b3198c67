#include "sequentialize/mu_fine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::sequentialize {

using namespace ir;

FineMemory::FineMemory(Emitter& emitter, const std::vector<MuCell>& cells, const MuOptions& options,
                       const std::vector<MuThread>& threads)
    : MuMemory(emitter, cells, options, threads), cell_number_(build().int_type(16, false)) {
  std::uint32_t widest = 1;
  for (const MuCell& cell : cells) widest = std::max(widest, cell.bytes);
  value_type_ = build().int_type(8 * widest, false);
  for (std::uint32_t i = 1; i <= count(); ++i) {
    writer_.push_back(emitter.scalar(fmt::format("writer_{}", i), thread_number_));
    cell_.push_back(emitter.scalar(fmt::format("cell_{}", i), cell_number_));
    value_.push_back(emitter.scalar(fmt::format("value_{}", i), value_type_));
    inside_.push_back(emitter.scalar(fmt::format("inside_{}", i), flag_));
  }
  holds_.resize(cells.size());
  for (CellIndex cell = 0; cell < cells.size(); ++cell) {
    if (!explicit_reads(cell)) continue;
    holds_[cell].push_back(initial_[cell]);
    for (std::uint32_t i = 1; i <= count(); ++i)
      holds_[cell].push_back(register_for("after", cell, i));
  }
  for (std::size_t i = 0; i < threads.size(); ++i) {
    next_.push_back(emitter.scalar(fmt::format("next_write_{}", i), position_));
    wrote_.push_back(emitter.scalar(fmt::format("wrote_{}", i), flag_));
  }
}

// What is found only on the way has no value at every position from the start.
bool FineMemory::explicit_reads(CellIndex cell) const {
  if (!cells_[cell].known() || options_.variant == MuVariant::implicit_reads) return false;
  return options_.variant == MuVariant::explicit_reads || !cells_[cell].element;
}

ExprId FineMemory::writes(std::uint32_t i, CellIndex cell) {
  return both(emitter_.differs(writer_[i], 0), emitter_.equals(cell_[i], cell));
}

void FineMemory::guess() {
  load_initial();
  for (std::uint32_t i = 0; i < count(); ++i) {
    emitter_.emit(Havoc{writer_[i], options_.threads + 1});
    if (i > 0) require(either(emitter_.differs(writer_[i - 1], 0), emitter_.equals(writer_[i], 0)));
    emitter_.emit(Havoc{cell_[i], std::max<std::uint64_t>(cells_.size(), 1)});
    emitter_.emit(Havoc{value_[i]});
    emitter_.emit(Havoc{inside_[i]});
    // Nobody is beyond the last write.
    emitter_.assign(inside_[i], either(emitter_.equals(writer_[i], 0), emitter_.value(inside_[i])));
  }
  for (CellIndex cell = 0; cell < cells_.size(); ++cell) {
    if (holds_[cell].empty()) continue;
    for (std::uint32_t i = 0; i < count(); ++i)
      emitter_.assign(
          holds_[cell][i + 1],
          build().select(writes(i, cell), build().cast(types_[cell], emitter_.value(value_[i])),
                         emitter_.value(holds_[cell][i])));
  }
  emitter_.assign(threads_[0].at, 0);
  emitter_.assign(threads_[0].phase, 1);
  emitter_.assign(wrote_[0], 0);
  find_next(0);
}

void FineMemory::find_next(ThreadIndex thread) {
  ExprId result = number(count() + 1);
  for (std::uint32_t i = count(); i > 0; --i)
    result = build().select(
        both(less(at(thread), number(i)), equal(emitter_.value(writer_[i - 1]), self(thread))),
        number(i), result);
  emitter_.assign(next_[thread], result);
}

void FineMemory::start(ThreadIndex thread, ThreadIndex creator) {
  emitter_.assign(threads_[thread].at, at(creator));
  emitter_.assign(threads_[thread].phase, 1);
  emitter_.assign(wrote_[thread], 0);
  find_next(thread);
  // Writes of a thread that is not there yet.
  for (std::uint32_t i = 1; i <= count(); ++i)
    require(either(less(at(thread), number(i)),
                   build().binary(Op::ne, emitter_.value(writer_[i - 1]), self(thread))));
}

ExprId FineMemory::is_inside(ExprId position) {
  ExprId result = build().constant(flag_, 0);
  for (std::uint32_t i = 1; i <= count(); ++i)
    result = build().select(equal(position, number(i)), emitter_.value(inside_[i - 1]), result);
  return result;
}

// Nobody is inside another thread's section.
void FineMemory::assume_open(ExprId position) { require(build().negation(is_inside(position))); }

void FineMemory::move(ThreadIndex thread) {
  emitter_.emit(Havoc{guess_, count() + 1});
  const ExprId guess = emitter_.value(guess_);
  require(at_most(at(thread), guess));
  require(less(guess, next(thread)));
  assume_open(guess);
  emitter_.assign(threads_[thread].at, guess);
  emitter_.assign(threads_[thread].phase, 1);
}

void FineMemory::begin_section(ThreadIndex thread) {
  move(thread);
  emitter_.assign(wrote_[thread], 0);
}

void FineMemory::end_section(ThreadIndex thread) {
  const LocId after = emitter_.fresh();
  emitter_.branch(build().negation(emitter_.value(wrote_[thread])), after);
  assume_open(at(thread));
  emitter_.assign(wrote_[thread], 0);
  emitter_.jump(after);
}

ExprId FineMemory::read(ThreadIndex thread, CellIndex cell, Placing placing) {
  if (!explicit_reads(cell)) return read_implicitly(thread, cell, placing);
  if (placing == Placing::alone) move(thread);
  return pick(at(thread), 0, holds_[cell]);
}

// Guesses which write the read sees: the thread goes there, unless it is beyond already.
ExprId FineMemory::read_implicitly(ThreadIndex thread, CellIndex cell, Placing placing) {
  emitter_.emit(Havoc{guess_, count() + 1});
  const ExprId source = emitter_.value(guess_);
  const ExprId beyond = less(at(thread), source);
  if (placing == Placing::alone) {
    require(less(source, next(thread)));
    emitter_.assign(threads_[thread].at, build().select(beyond, source, at(thread)));
    assume_open(at(thread));
    emitter_.assign(threads_[thread].phase, 1);
  } else {
    require(build().negation(beyond));
  }
  ExprId value = emitter_.value(initial_[cell]), right = build().constant(flag_, 1);
  ExprId hidden = build().constant(flag_, 0);
  for (std::uint32_t i = 1; i <= count(); ++i) {
    const ExprId chosen = equal(source, number(i));
    const ExprId written = writes(i - 1, cell);
    value =
        build().select(chosen, build().cast(types_[cell], emitter_.value(value_[i - 1])), value);
    right = build().select(chosen, written, right);
    hidden = either(hidden,
                    both(both(less(source, number(i)), at_most(number(i), at(thread))), written));
  }
  require(right);
  require(build().negation(hidden));
  return value;
}

void FineMemory::write(ThreadIndex thread, CellIndex cell, ExprId value, Placing placing,
                       LocId full) {
  emitter_.branch(equal(next(thread), number(count() + 1)), full);
  if (placing == Placing::together) {
    const ExprId follows = equal(next(thread), build().binary(Op::add, at(thread), number(1)));
    require(follows);
    const LocId first = emitter_.fresh();
    emitter_.branch(build().negation(emitter_.value(wrote_[thread])), first);
    require(is_inside(at(thread)));
    emitter_.jump(first);
    emitter_.assign(wrote_[thread], 1);
  }
  emitter_.assign(threads_[thread].at, next(thread));
  emitter_.assign(threads_[thread].phase, 0);
  require(equal(pick(at(thread), 1, cell_), emitter_.number(cell_number_, cell)));
  require(equal(pick(at(thread), 1, value_), build().cast(value_type_, value)));
  if (placing == Placing::alone) assume_open(at(thread));
  find_next(thread);
}

void FineMemory::give_up(ThreadIndex thread) {
  const LocId after = emitter_.fresh();
  emitter_.branch(build().negation(emitter_.value(wrote_[thread])), after);
  ExprId last = build().constant(flag_, 1);
  for (std::uint32_t i = 1; i < count(); ++i)
    last = build().select(equal(at(thread), number(i)), emitter_.equals(writer_[i], 0), last);
  require(last);
  require(is_inside(at(thread)));
  emitter_.jump(after);
}

void FineMemory::stop(ThreadIndex thread) { require(equal(next(thread), number(count() + 1))); }

void FineMemory::check(ExprId created) {
  check_blocks();
  for (const RegId writer : writer_) {
    require(at_most(emitter_.value(writer), created));
    for (ThreadIndex thread = 1; thread < threads_.size(); ++thread)
      require(either(build().negation(emitter_.value(threads_[thread].starting)),
                     build().binary(Op::ne, emitter_.value(writer), self(thread))));
  }
}

}  // namespace heddle::sequentialize
