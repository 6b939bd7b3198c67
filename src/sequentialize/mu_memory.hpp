// A memory unwinding (Tomasco, Inverso, Fischer, La Torre, Parlato, TACAS 2015): what
// happens to shared memory, guessed before any thread runs, as a sequence of positions
// along which each thread moves on its own. One class a way of holding it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sequentialize/emitter.hpp"
#include "sequentialize/mu_cells.hpp"
#include "sequentialize/options.hpp"

namespace heddle::sequentialize {

// What every thread knows about itself while it runs.
struct MuThread {
  ir::RegId self{};      // its number + 1
  ir::RegId at{};        // its position
  ir::RegId phase{};     // at one position, phase 0 comes before phase 1
  ir::RegId starting{};  // it has been started, but its code has not been run yet
};

// When something happens: at a position, before or after what is written there.
struct MuMoment {
  ir::ExprId at{}, phase{};
};

// How an access is placed.
enum class Placing {
  alone,     // at a position of its own choice
  together,  // right after what the thread did before: inside a section, or in one step with a read
};

class MuMemory {
 public:
  MuMemory(Emitter& emitter, const std::vector<MuCell>& cells, const MuOptions& options,
           const std::vector<MuThread>& threads);
  virtual ~MuMemory() = default;

  // All methods emit code that goes on here, even where what was guessed turns out to be wrong.
  virtual void guess() = 0;  // main is about to start the first thread
  virtual void start(ThreadIndex thread, ThreadIndex creator) = 0;
  // To any position where the thread may be when it does what comes next.
  virtual void move(ThreadIndex thread) = 0;
  // The value of the cell for the thread, as a number of the cell's width. With Placing::alone it
  // moves first.
  virtual ir::ExprId read(ThreadIndex thread, CellIndex cell, Placing placing) = 0;
  // Goes to `full` where there is no room for one more write.
  virtual void write(ThreadIndex thread, CellIndex cell, ir::ExprId value, Placing placing,
                     ir::LocId full) = 0;
  virtual void begin_section(ThreadIndex thread) = 0;
  // Others may see what the section has written: some of these cells.
  virtual void end_section(ThreadIndex thread, const std::vector<CellIndex>& written) = 0;
  // The thread does nothing more.
  virtual void stop(ThreadIndex thread) = 0;
  // All threads have run.
  virtual void check() = 0;
  // Executions that need more than this unwinding has are noticed by themselves.
  virtual bool notices_its_end() const = 0;
  // All positions are taken.
  virtual ir::ExprId is_full() = 0;

  // Of what the thread has done last, and the latest that it may turn out to be: a section happens
  // where it writes.
  MuMoment now(ThreadIndex thread) { return {at(thread), emitter_.value(threads_[thread].phase)}; }
  virtual MuMoment latest(ThreadIndex thread, Placing) { return now(thread); }

  // All that was guessed has turned out to be right so far.
  ir::ExprId is_right() { return emitter_.value(right_); }

  // ---- cells ----
  ir::TypeId type(CellIndex cell) const { return types_[cell]; }
  // The cell's address as a number; of a cell that is found, as soon as it has been found.
  ir::ExprId address(CellIndex cell);
  ir::ExprId is_found(CellIndex cell) { return emitter_.value(found_[cell]); }
  // Main has allocated nothing yet; it has made this step, an allocation.
  void forget_objects();
  void note_object(StepIndex step, ir::ExprId address);
  // The cell is at this address and holds this value before anybody writes it.
  void find(CellIndex cell, ir::ExprId address, ir::ExprId value);
  bool has_later_blocks() const { return options_.later_blocks == Switch::on; }
  // The cell belongs to a block that has not been allocated in the simulation so far.
  void await_block(CellIndex cell) { emitter_.assign(awaited_[cell], 1); }
  ir::ExprId is_awaited(CellIndex cell) { return emitter_.value(awaited_[cell]); }
  // Cells in these bytes need no longer wait for their block.
  void note_block(const std::vector<CellIndex>& cells, ir::ExprId start, ir::ExprId bytes,
                  ir::Contents contents);

 protected:
  // Initial values of the cells that are known beforehand.
  void load_initial();
  // Every block that somebody has seen has been allocated.
  void check_blocks();
  // Notes it where the guess is wrong. Assumptions on the way would do as well, but there are so
  // many that an engine which carries them along has little time for anything else.
  void require(ir::ExprId condition);
  ir::ProgramBuilder& build() { return emitter_.build(); }
  ir::ExprId number(std::uint64_t value) { return emitter_.number(position_, value); }
  ir::ExprId at(ThreadIndex thread) { return emitter_.value(threads_[thread].at); }
  ir::ExprId self(ThreadIndex thread) { return emitter_.value(threads_[thread].self); }
  ir::ExprId equal(ir::ExprId left, ir::ExprId right) {
    return build().binary(ir::Op::eq, left, right);
  }
  ir::ExprId less(ir::ExprId left, ir::ExprId right) {
    return build().binary(ir::Op::lt, left, right);
  }
  ir::RegId register_for(const std::string& name, CellIndex cell, std::uint32_t position);

  Emitter& emitter_;
  const std::vector<MuCell>& cells_;
  const MuOptions& options_;
  const std::vector<MuThread>& threads_;
  ir::TypeId position_{}, thread_number_{}, flag_{};
  std::vector<ir::TypeId> types_{};        // by CellIndex
  std::vector<ir::RegId> initial_{};       // by CellIndex
  std::vector<ir::RegId> found_{};         // by CellIndex, of those that are found
  std::vector<ir::RegId> address_{};       // the same
  std::vector<ir::RegId> awaited_{};       // the same, with later blocks
  std::map<StepIndex, ir::RegId> made_{};  // addresses of what main allocates; 0: not yet
  ir::RegId guess_{}, right_{};

 private:
  ir::ExprId pointer_to(CellIndex cell);
};

// The types of MuThread's registers.
ir::TypeId position_type(ir::ProgramBuilder& build, MuVariant variant);
ir::TypeId number_type(ir::ProgramBuilder& build);

std::unique_ptr<MuMemory> make_memory(Emitter& emitter, const std::vector<MuCell>& cells,
                                      const MuOptions& options,
                                      const std::vector<MuThread>& threads);

}  // namespace heddle::sequentialize
