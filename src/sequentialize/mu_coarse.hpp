// Groups of writes instead of single ones: a position is a stretch of the execution, and
// what it leaves in memory is guessed. In the inter-thread form any thread may take part
// in any stretch, in the order in which the threads are simulated; in the intra-thread
// form a stretch belongs to one thread, and others see what it leaves.
#pragma once

#include "sequentialize/mu_memory.hpp"

namespace heddle::sequentialize {

class CoarseMemory : public MuMemory {
 public:
  CoarseMemory(Emitter& emitter, const std::vector<MuCell>& cells, const MuOptions& options,
               const std::vector<MuThread>& threads);

  void guess() override;
  void start(ThreadIndex thread, ThreadIndex creator) override;
  void move(ThreadIndex thread) override;
  ir::ExprId read(ThreadIndex thread, CellIndex cell, Placing placing) override;
  void write(ThreadIndex thread, CellIndex cell, ir::ExprId value, Placing placing,
             ir::LocId full) override;
  void begin_section(ThreadIndex thread) override { move(thread); }
  void end_section(ThreadIndex, const std::vector<CellIndex>&) override {}
  void stop(ThreadIndex) override {}
  void check() override;
  bool notices_its_end() const override { return false; }
  ir::ExprId is_full() override { return build().constant(flag_, 1); }

 private:
  bool owned() const { return options_.variant == MuVariant::intra_thread; }
  std::uint32_t count() const { return options_.positions; }
  void note_phase(ThreadIndex thread);
  ir::ExprId pick(ir::ExprId position, const std::vector<ir::RegId>& values);

  // By CellIndex and position: what the stretch began with as guessed, and what it has now. Of the
  // first stretch the beginning is known; `begins_` has one more, what the last one leaves.
  std::vector<std::vector<ir::RegId>> begins_{}, holds_{};
  std::vector<ir::RegId> owner_{};
};

}  // namespace heddle::sequentialize
