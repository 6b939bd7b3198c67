// Every write by itself: a position is one write, guessed with its thread, cell and
// value. A thread makes its writes in the order in which the unwinding has them, and
// between two of them reads anywhere between the two.
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
  void end_section(ThreadIndex thread) override;
  void give_up(ThreadIndex thread) override;
  void stop(ThreadIndex thread) override;
  void check(ir::ExprId created) override;
  bool notices_its_end() const override { return true; }
  ir::ExprId is_full() override { return emitter_.differs(writer_.back(), 0); }

 private:
  std::uint32_t count() const { return options_.positions; }
  bool explicit_reads(CellIndex cell) const;
  // The i-th write is there, and one of this cell.
  ir::ExprId writes(std::uint32_t i, CellIndex cell);
  // The position of the thread's next write after the one where it is; count() + 1: none.
  void find_next(ThreadIndex thread);
  ir::ExprId next(ThreadIndex thread) { return emitter_.value(next_[thread]); }
  ir::ExprId is_inside(ir::ExprId position);
  void assume_open(ir::ExprId position);
  ir::ExprId read_implicitly(ThreadIndex thread, CellIndex cell, Placing placing);

  // By position, from 1 on: whose write it is (0: none, nor any after it), of which cell and value,
  // and whether the same section goes on after it, so that nobody else can be there.
  std::vector<ir::RegId> writer_{}, cell_{}, value_{}, inside_{};
  std::vector<std::vector<ir::RegId>> holds_{};  // by CellIndex, position from 0: explicit reads
  ir::TypeId cell_number_{}, value_type_{};
  std::vector<ir::RegId> next_{}, wrote_{};  // by ThreadIndex
};

}  // namespace heddle::sequentialize
