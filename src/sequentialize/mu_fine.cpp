#include "sequentialize/mu_fine.hpp"

#include <fmt/format.h>

#include "base/check.hpp"

namespace heddle::sequentialize {

using namespace ir;

FineMemory::FineMemory(Emitter& emitter, const std::vector<MuCell>& cells, const MuOptions& options,
                       const std::vector<MuThread>& threads)
    : MuMemory(emitter, cells, options, threads),
      overtaken_(emitter.scalar("section_overtaken", flag_)) {
  CHECK(count() > 0 && count() <= most_writes, "positions are bits of a number");
  for (CellIndex cell = 0; cell < cells.size(); ++cell) {
    const std::string& name = cells[cell].name;
    Written& written = written_.emplace_back();
    written.guessed = emitter.scalar(fmt::format("writes_{}", name), position_);
    written.done = emitter.scalar(fmt::format("done_{}", name), position_);
    written.is_pending = emitter.scalar(fmt::format("changes_{}", name), flag_);
    written.pending = emitter.scalar(fmt::format("new_{}", name), types_[cell]);
    for (std::uint32_t i = 1; i <= count(); ++i)
      written.value.push_back(register_for("write", cell, i));
    if (!explicit_reads(cell)) continue;
    written.holds.push_back(initial_[cell]);
    for (std::uint32_t i = 1; i <= count(); ++i)
      written.holds.push_back(register_for("after", cell, i));
  }
  for (std::uint32_t i = 1; options.shared_positions == Switch::off && i <= count(); ++i)
    owner_.push_back(emitter.scalar(fmt::format("owner_{}", i), thread_number_));
  for (std::size_t i = 0; i < threads.size(); ++i)
    view_.push_back(emitter.scalar(fmt::format("view{}", i), position_));
}

// What is found only on the way has no value at every position from the start.
bool FineMemory::explicit_reads(CellIndex cell) const {
  if (!cells_[cell].known() || options_.variant == MuVariant::implicit_reads) return false;
  return options_.variant == MuVariant::explicit_reads || !cells_[cell].element;
}

// ---- the guess -------------------------------------------------------------------

void FineMemory::guess() {
  load_initial();
  for (const Written& written : written_) {
    emitter_.emit(Havoc{written.guessed});
    emitter_.assign(written.guessed, common(emitter_.value(written.guessed), last()));
    emitter_.assign(written.done, 0);
    for (const RegId value : written.value) emitter_.emit(Havoc{value});
    for (std::uint32_t i = 1; i < written.holds.size(); ++i)
      emitter_.assign(written.holds[i], build().select(reaches(emitter_.value(written.guessed), i),
                                                       emitter_.value(written.value[i - 1]),
                                                       emitter_.value(written.holds[i - 1])));
  }
  // No position is left out: all that comes after it might as well be one earlier.
  require(not_beyond(build().binary(Op::shr, used(), number(1)), used()));
  for (const RegId owner : owner_) emitter_.emit(Havoc{owner, options_.threads + 1});
  forget_pending();
  go_to(0, number(0));
  emitter_.assign(threads_[0].phase, 1);
  emitter_.assign(overtaken_, 0);
}

void FineMemory::check() {
  check_blocks();
  for (const Written& written : written_)
    require(equal(emitter_.value(written.done), emitter_.value(written.guessed)));
}

ExprId FineMemory::used() {
  ExprId result = number(0);
  for (const Written& written : written_)
    result = build().binary(Op::bit_or, result, emitter_.value(written.guessed));
  return result;
}

// ---- where a thread is -----------------------------------------------------------

void FineMemory::go_to(ThreadIndex thread, ExprId position) {
  emitter_.assign(threads_[thread].at, position);
  emitter_.assign(view_[thread], at(thread));
}

void FineMemory::start(ThreadIndex thread, ThreadIndex creator) {
  go_to(thread, at(creator));
  emitter_.assign(threads_[thread].phase, 1);
}

void FineMemory::move(ThreadIndex thread) {
  const ExprId guess = guess_position();
  require(not_beyond(at(thread), guess));
  go_to(thread, guess);
  emitter_.assign(threads_[thread].phase, 1);
}

// ---- reads -----------------------------------------------------------------------

ExprId FineMemory::read(ThreadIndex thread, CellIndex cell, Placing placing) {
  const ExprId seen = explicit_reads(cell) ? read_explicitly(thread, cell, placing)
                                           : read_implicitly(thread, cell, placing);
  if (placing == Placing::alone) return seen;
  const Written& written = written_[cell];
  const ExprId clash = common(emitter_.value(written.done), top_of(after(view(thread))));
  emitter_.assign(overtaken_, emitter_.either(emitter_.value(overtaken_), build().truth(clash)));
  return build().select(emitter_.value(written.is_pending), emitter_.value(written.pending), seen);
}

ExprId FineMemory::read_explicitly(ThreadIndex thread, CellIndex cell, Placing placing) {
  if (placing == Placing::alone) move(thread);
  return pick(view(thread), 0, written_[cell].holds);
}

// The last write so far. By itself, a read guesses which write it sees: the thread goes there,
// unless it is beyond already.
ExprId FineMemory::read_implicitly(ThreadIndex thread, CellIndex cell, Placing placing) {
  const ExprId written = emitter_.value(written_[cell].guessed);
  std::vector<RegId> values{initial_[cell]};
  values.insert(values.end(), written_[cell].value.begin(), written_[cell].value.end());
  if (placing == Placing::together) return pick(common(written, view(thread)), 0, values);
  const ExprId source = guess_position();
  go_to(thread, build().select(not_beyond(source, at(thread)), at(thread), source));
  emitter_.assign(threads_[thread].phase, 1);
  require(not_beyond(top_of(source), written));
  require(is_none(common(written, without(view(thread), source))));
  return pick(source, 0, values);
}

// ---- writes ----------------------------------------------------------------------

void FineMemory::choose_place(ThreadIndex thread, Placing placing, LocId full) {
  if (placing == Placing::alone) {
    const ExprId guess = guess_position();
    emitter_.branch(is_none(guess), full);
    require(not_beyond(after(at(thread)), guess));
    emitter_.assign(threads_[thread].at, guess);
  } else {
    emitter_.branch(equal(view(thread), last()), full);
    emitter_.assign(threads_[thread].at, after(view(thread)));
  }
  emitter_.assign(threads_[thread].phase, 0);
  if (!owner_.empty()) require(equal(pick(at(thread), 1, owner_), self(thread)));
}

void FineMemory::write(ThreadIndex thread, CellIndex cell, ExprId value, Placing placing,
                       LocId full) {
  choose_place(thread, placing, full);
  if (placing == Placing::together) {
    emitter_.assign(written_[cell].pending, value);
    emitter_.assign(written_[cell].is_pending, 1);
  } else {
    note_write(thread, cell, value);
    emitter_.assign(view_[thread], at(thread));
  }
}

// Nobody else writes the cell at that position.
void FineMemory::note_write(ThreadIndex thread, CellIndex cell, ExprId value) {
  const Written& written = written_[cell];
  const ExprId here = top_of(at(thread)), done = emitter_.value(written.done);
  require(equal(pick(at(thread), 1, written.value), value));
  require(is_none(common(done, here)));
  emitter_.assign(written.done, build().binary(Op::bit_or, done, here));
}

void FineMemory::begin_section(ThreadIndex thread) {
  move(thread);
  emitter_.assign(overtaken_, 0);
}

void FineMemory::end_section(ThreadIndex thread, const std::vector<CellIndex>& written) {
  for (const CellIndex cell : written) {
    const LocId after = emitter_.fresh();
    emitter_.branch(build().negation(emitter_.value(written_[cell].is_pending)), after);
    require(build().negation(emitter_.value(overtaken_)));
    note_write(thread, cell, emitter_.value(written_[cell].pending));
    emitter_.assign(written_[cell].is_pending, 0);
    emitter_.jump(after);
  }
  if (!written.empty()) emitter_.assign(view_[thread], at(thread));
}

MuMoment FineMemory::latest(ThreadIndex thread, Placing placing) {
  const MuMoment now = this->now(thread);
  if (placing == Placing::alone) return now;
  return {build().select(now.phase, after(now.at), now.at), build().constant(flag_, 0)};
}

void FineMemory::forget_pending() {
  for (const Written& written : written_) emitter_.assign(written.is_pending, 0);
}

// ---- positions -------------------------------------------------------------------

ExprId FineMemory::reaches(ExprId bits, std::uint32_t position) {
  return build().truth(common(bits, number(std::uint64_t{1} << (position - 1))));
}

ExprId FineMemory::after(ExprId position) {
  return build().binary(Op::bit_or, build().binary(Op::shl, position, number(1)), number(1));
}

ExprId FineMemory::top_of(ExprId position) {
  return without(position, build().binary(Op::shr, position, number(1)));
}

ExprId FineMemory::pick(ExprId bits, std::uint32_t first, const std::vector<RegId>& values) {
  ExprId result = emitter_.value(values.front());
  for (std::uint32_t i = 1; i < values.size(); ++i)
    result = build().select(reaches(bits, first + i), emitter_.value(values[i]), result);
  return result;
}

ExprId FineMemory::guess_position() {
  emitter_.emit(Havoc{guess_});
  const ExprId guess = emitter_.value(guess_);
  emitter_.assign(guess_, common(guess, last()));
  require(not_beyond(build().binary(Op::shr, guess, number(1)), guess));
  return guess;
}

}  // namespace heddle::sequentialize
