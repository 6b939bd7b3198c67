// Every write by itself: what happens to each cell is guessed on its own, as the
// positions at which it is written and the values that are left there. At one position
// stand writes that do not depend on each other: of single threads, or of atomic sections
// with all that they write, since nobody sees a part of that. A thread chooses a position
// for each of its writes, and reads anywhere between two of them.
//
// Where we differ from the paper: its positions hold one write each. Then the order of
// writes that have nothing to do with each other is guessed too, and an execution needs
// as many positions as it has writes.
#pragma once

#include "sequentialize/mu_memory.hpp"

namespace heddle::sequentialize {

class FineMemory : public MuMemory {
 public:
  FineMemory(Emitter& emitter, const std::vector<MuCell>& cells, const MuOptions& options,
             const std::vector<MuThread>& threads);

  void guess() override;
  void start(ThreadIndex thread, ThreadIndex creator) override;
  void move(ThreadIndex thread) override;
  ir::ExprId read(ThreadIndex thread, CellIndex cell, Placing placing) override;
  void write(ThreadIndex thread, CellIndex cell, ir::ExprId value, Placing placing,
             ir::LocId full) override;
  void begin_section(ThreadIndex thread) override;
  void end_section(ThreadIndex thread, const std::vector<CellIndex>& written) override;
  void stop(ThreadIndex) override { forget_pending(); }
  MuMoment latest(ThreadIndex thread, Placing placing) override;
  void check() override;
  bool notices_its_end() const override { return true; }
  ir::ExprId is_full() override { return reaches(used(), count()); }

 private:
  // Of each cell.
  struct Written {
    ir::RegId guessed{}, done{};        // positions, as bits: to be written, and written so far
    std::vector<ir::RegId> value{};     // by position, from 1 on: as guessed
    std::vector<ir::RegId> holds{};     // by position, from 0 on; only for explicit reads
    ir::RegId is_pending{}, pending{};  // what the section that runs has written, if it did
  };

  std::uint32_t count() const { return options_.positions; }
  bool explicit_reads(CellIndex cell) const;
  ir::ExprId used();  // positions, as bits
  ir::ExprId view(ThreadIndex thread) { return emitter_.value(view_[thread]); }
  void go_to(ThreadIndex thread, ir::ExprId position);
  ir::ExprId read_explicitly(ThreadIndex thread, CellIndex cell, Placing placing);
  ir::ExprId read_implicitly(ThreadIndex thread, CellIndex cell, Placing placing);
  void choose_place(ThreadIndex thread, Placing placing, ir::LocId full);
  void note_write(ThreadIndex thread, CellIndex cell, ir::ExprId value);
  void forget_pending();

  // ---- positions: of position i the lowest i bits are set ----
  ir::ExprId last() { return number(ones(count())); }
  static std::uint64_t ones(std::uint32_t count) { return ~std::uint64_t{0} >> (64 - count); }
  ir::ExprId common(ir::ExprId left, ir::ExprId right) {
    return build().binary(ir::Op::bit_and, left, right);
  }
  ir::ExprId without(ir::ExprId left, ir::ExprId right) {
    return common(left, build().unary(ir::Op::bit_not, right));
  }
  ir::ExprId is_none(ir::ExprId bits) { return equal(bits, number(0)); }
  ir::ExprId not_beyond(ir::ExprId left, ir::ExprId right) { return is_none(without(left, right)); }
  ir::ExprId reaches(ir::ExprId bits, std::uint32_t position);
  ir::ExprId after(ir::ExprId position);   // the next one
  ir::ExprId top_of(ir::ExprId position);  // its own bit alone
  // values[i - first] of the highest position i that is set; of none, the first.
  ir::ExprId pick(ir::ExprId bits, std::uint32_t first, const std::vector<ir::RegId>& values);
  ir::ExprId guess_position();

  std::vector<Written> written_{};  // by CellIndex
  std::vector<ir::RegId> owner_{};  // by position, from 1 on, if they are not shared: whose it is
  // The section that runs has read what a thread that was simulated before writes at the position
  // where the section itself would write.
  ir::RegId overtaken_{};
  // By ThreadIndex: the position that it reads at. A section that writes is at the position after.
  std::vector<ir::RegId> view_{};
};

}  // namespace heddle::sequentialize
