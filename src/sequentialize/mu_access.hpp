// One access of a thread to shared memory, as code: which cell it goes to, and what it
// does there.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sequentialize/mu_cells.hpp"
#include "sequentialize/mu_memory.hpp"
#include "sequentialize/mu_sections.hpp"
#include "sequentialize/mu_variables.hpp"
#include "sequentialize/thread_emitter.hpp"

namespace heddle::sequentialize {

// Where an execution goes that ends for its thread.
struct MuExits {
  ir::LocId stop{};  // the thread does nothing more
  ir::LocId full{};  // there is no room for its next write
  // It goes beyond what we model where the condition holds; goes on here all the same.
  std::function<void(ir::ExprId when, std::string reason)> note{};
  // Another execution that looks the same may go beyond it where the condition holds; goes on here.
  std::function<void(ir::ExprId when, std::string reason)> doubt{};
};

class MuAccesses {
 public:
  MuAccesses(Emitter& emitter, const ir::Program& program, ThreadEmitter& steps,
             const MuCells& cells, const MuSections& sections, MuVariables& variables,
             MuMemory& memory, const std::vector<ir::RegId>& touched);

  // Each goes on here once the step is done, with an edge that stands for it.
  void load(StepRef at, const ir::Load& load, Placing placing, const MuExits& exits);
  void store(StepRef at, const ir::Store& store, Placing placing, const MuExits& exits);
  void update(StepRef at, const ir::Update& update, Placing placing, const MuExits& exits);
  void await(StepRef at, const ir::Await& await, Placing placing, const MuExits& exits);

 private:
  // A cell, and where in it the access is if it is to a part of it: in bytes, of the cell's type.
  struct Place {
    CellIndex cell = 0;
    std::optional<ir::ExprId> part{};
  };
  using Use = std::function<void(const Place&)>;
  Place place(const MuAccess& access, CellIndex cell);
  ir::ExprId is_there(const MuAccess& access, CellIndex cell);
  ir::ExprId is_split(const MuAccess& access, std::uint32_t unit);
  ir::ExprId offset(const MuAccess& access, std::uint32_t unit);
  void with_cell(StepRef at, ir::ExprId address, const MuExits& exits, const Use& use);
  void claim(StepRef at, CellIndex cell, ir::ExprId address, const MuExits& exits);
  ir::RegId read(StepRef at, CellIndex cell,
                 Placing placing);  // into a register of the cell's type
  void note_touch(StepRef at, Placing placing);
  void done(StepRef at) { steps_.skip(at); }
  ir::ExprId part_of(ir::ExprId unit, const Place& place, std::uint32_t bytes);
  ir::ExprId with_part(ir::ExprId unit, const Place& place, ir::ExprId value);
  ir::ExprId extracted(ir::ExprId unit, ir::TypeId result, ir::BitRange bits);
  ir::ExprId inserted(ir::ExprId unit, ir::ExprId value, ir::BitRange bits);
  ir::ExprId updated(const ir::Update& update, StepRef at, ir::ExprId before);
  std::uint32_t bytes(StepRef at) const { return cells_.access(at.thread, at.step).bytes; }

  Emitter& emitter_;
  const ir::Program& program_;
  ThreadEmitter& steps_;
  const MuCells& cells_;
  const MuSections& sections_;
  MuVariables& variables_;
  MuMemory& memory_;
  const std::vector<ir::RegId>& touched_;  // by ThreadIndex: its section has seen shared memory
  ir::RegId address_{}, later_{};
  std::map<ir::TypeId, ir::RegId> values_{}, updated_{};
};

}  // namespace heddle::sequentialize
