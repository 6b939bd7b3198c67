#include "sequentialize/mu_memory.hpp"

#include <fmt/format.h>

#include "sequentialize/mu_coarse.hpp"
#include "sequentialize/mu_fine.hpp"

namespace heddle::sequentialize {

using namespace ir;

TypeId position_type(ProgramBuilder& build, MuVariant variant) {
  return build.int_type(is_coarse(variant) ? 16 : 64, false);
}
TypeId number_type(ProgramBuilder& build) { return build.int_type(32, true); }

MuMemory::MuMemory(Emitter& emitter, const std::vector<MuCell>& cells, const MuOptions& options,
                   const std::vector<MuThread>& threads)
    : emitter_(emitter),
      cells_(cells),
      options_(options),
      threads_(threads),
      position_(position_type(emitter.build(), options.variant)),
      thread_number_(number_type(emitter.build())),
      flag_(emitter.build().bool_type()),
      found_(cells.size()),
      address_(cells.size()),
      awaited_(cells.size()) {
  for (CellIndex cell = 0; cell < cells.size(); ++cell) {
    types_.push_back(build().int_type(8 * cells[cell].bytes, false));
    initial_.push_back(emitter_.scalar(fmt::format("first_{}", cells[cell].name), types_[cell]));
    if (cells[cell].made_by) {
      const auto [made, fresh] = made_.try_emplace(*cells[cell].made_by);
      if (fresh) made->second = emitter_.scalar("address_of_object", build().size_type());
    }
    if (cells[cell].known()) continue;
    found_[cell] = emitter_.scalar(fmt::format("found_{}", cells[cell].name), flag_);
    address_[cell] =
        emitter_.scalar(fmt::format("address_{}", cells[cell].name), build().size_type());
    if (has_later_blocks())
      awaited_[cell] = emitter_.scalar(fmt::format("awaited_{}", cells[cell].name), flag_);
  }
  guess_ = emitter_.scalar("guess", position_);
  right_ = emitter_.scalar("guessed_right", flag_);
}

// ---- cells -----------------------------------------------------------------------

ExprId MuMemory::pointer_to(CellIndex cell) {
  const TypeId bytes = build().pointer_to(build().int_type(8, false));
  const ExprId object = cells_[cell].global ? build().global_address(*cells_[cell].global)
                                            : emitter_.value(made_.at(*cells_[cell].made_by));
  const ExprId start = build().cast(bytes, object);
  const ExprId there =
      build().ptr_add(start, build().constant(build().size_type(), cells_[cell].offset));
  return build().cast(build().pointer_to(types_[cell]), there);
}

ExprId MuMemory::address(CellIndex cell) {
  if (!cells_[cell].known()) return emitter_.value(address_[cell]);
  return build().cast(build().size_type(), pointer_to(cell));
}

void MuMemory::require(ExprId condition) {
  emitter_.assign(right_, emitter_.both(emitter_.value(right_), condition));
}

void MuMemory::load_initial() {
  emitter_.assign(right_, 1);
  for (CellIndex cell = 0; cell < cells_.size(); ++cell) {
    if (!cells_[cell].known()) {
      emitter_.assign(found_[cell], 0);
      if (has_later_blocks()) emitter_.assign(awaited_[cell], 0);
      continue;
    }
    const LocId after = emitter_.fresh();
    if (cells_[cell].made_by) {
      emitter_.assign(initial_[cell], 0);
      emitter_.branch(emitter_.equals(made_.at(*cells_[cell].made_by), 0), after);
    }
    emitter_.emit_to(after, Load{initial_[cell], pointer_to(cell)});
  }
}

void MuMemory::forget_objects() {
  for (const auto& [step, address] : made_) emitter_.assign(address, 0);
}

void MuMemory::note_object(StepIndex step, ExprId address) {
  const auto made = made_.find(step);
  if (made != made_.end())
    emitter_.assign(made->second, build().cast(build().size_type(), address));
}

void MuMemory::find(CellIndex cell, ExprId address, ExprId value) {
  emitter_.assign(found_[cell], 1);
  emitter_.assign(address_[cell], address);
  emitter_.assign(initial_[cell], value);
}

void MuMemory::note_block(const std::vector<CellIndex>& cells, ExprId start, ExprId bytes,
                          Contents contents) {
  const TypeId size = build().size_type();
  const ExprId first = build().cast(size, start);
  for (const CellIndex cell : cells) {
    const ExprId offset = build().binary(Op::sub, emitter_.value(address_[cell]), first);
    const ExprId inside =
        emitter_.both(emitter_.both(is_found(cell), emitter_.value(awaited_[cell])),
                      less(offset, build().cast(size, bytes)));
    const LocId there = emitter_.fresh(), after = emitter_.fresh();
    emitter_.branch(inside, there);
    emitter_.jump(after);
    emitter_.go_on_at(there);
    if (contents == Contents::zero)
      require(equal(emitter_.value(initial_[cell]), build().constant(types_[cell], 0)));
    emitter_.assign(awaited_[cell], 0);
    emitter_.jump(after);
  }
}

void MuMemory::check_blocks() {
  if (!has_later_blocks()) return;
  for (CellIndex cell = 0; cell < cells_.size(); ++cell)
    if (!cells_[cell].known()) require(build().negation(emitter_.value(awaited_[cell])));
}

// ---- expressions -----------------------------------------------------------------

RegId MuMemory::register_for(const std::string& name, CellIndex cell, std::uint32_t position) {
  return emitter_.scalar(fmt::format("{}_{}_{}", name, cells_[cell].name, position), types_[cell]);
}

std::unique_ptr<MuMemory> make_memory(Emitter& emitter, const std::vector<MuCell>& cells,
                                      const MuOptions& options,
                                      const std::vector<MuThread>& threads) {
  if (is_coarse(options.variant))
    return std::make_unique<CoarseMemory>(emitter, cells, options, threads);
  return std::make_unique<FineMemory>(emitter, cells, options, threads);
}

}  // namespace heddle::sequentialize
