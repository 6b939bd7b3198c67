#include "engine/explore/abstract/reductions.hpp"

#include <algorithm>

#include "engine/explore/abstract/transfer.hpp"
#include "passes/operands.hpp"

namespace heddle::engine::explore {
namespace {

class Cells : public OpenValues {
 public:
  Cells(const Semantics& semantics, const AbstractState& state)
      : semantics_(semantics), state_(state) {}

  bool waits(ThreadNumber thread, ir::EdgeId await) const override {
    const auto& statement = std::get<ir::Await>(semantics_.program().edge(await).statement);
    return waits_on_cells(semantics_, state_, thread, statement);
  }
  bool parameter(ThreadNumber thread, std::size_t frame, std::uint32_t index) const override {
    const ir::FunId function = state_.known().thread(thread).frames[frame]->function;
    const ir::RegId reg = semantics_.program().function(function).parameters[index];
    return state_.store().holds(register_cell(semantics_.program(), thread, frame, reg));
  }

 private:
  const Semantics& semantics_;
  const AbstractState& state_;
};

}  // namespace

bool AbstractReductions::misled() const {
  return parts_.audit.contradicted() ||
         (parts_.persistence != nullptr && parts_.persistence->contradicted()) ||
         (parts_.locks != nullptr && parts_.locks->contradicted());
}

void AbstractReductions::note(const AbstractState& state, ThreadNumber thread,
                              const Choice& choice) {
  const auto access = machine_.access(state.known(), thread, choice.edge, choice.values);
  if (parts_.locks != nullptr) {
    // Of a lock's word that is not known, or set to what is not known, nothing can be told.
    const auto* store = std::get_if<ir::Store>(&program_.edge(choice.edge).statement);
    if (access && (state.overlaps({access->address, static_cast<std::uint32_t>(access->size)}) ||
                   (store != nullptr && parts_.semantics.reads_cells(state, thread, store->value))))
      parts_.locks->distrust(access->address, access->address + access->size);
    parts_.locks->note(state.known(), thread, choice.edge, choice.values);
  }
  if (!access) return;
  const bool shared = parts_.locality.shared_access(choice.edge);
  parts_.audit.note(machine_, state.known(), *access,
                    shared ? SharingAudit::Belief::shared : SharingAudit::Belief::unshared);
  if (shared && parts_.persistence != nullptr)
    parts_.persistence->note(state.known(), thread, choice.edge, choice.values);
}

bool AbstractReductions::local(const AbstractState& state, ThreadNumber thread,
                               ir::EdgeId next) const {
  if (parts_.locality.local(state.known(), thread, next)) return true;
  for (ThreadNumber other = 0; other < state.known().thread_count(); ++other)
    if (other != thread && machine_.live(state.known(), other)) return false;
  return true;
}

// An address is one number, as a rule. Whether a compare_exchange writes may be open.
bool AbstractReductions::knows_what_it_touches(const AbstractState& state, ThreadNumber thread,
                                               ir::EdgeId next) const {
  const ir::Statement& statement = program_.edge(next).statement;
  bool known = true;
  if (std::holds_alternative<ir::Update>(statement) || std::holds_alternative<ir::Await>(statement))
    passes::for_each_operand(statement, [&](ir::ExprId operand) {
      known = known && !parts_.semantics.reads_cells(state, thread, operand);
    });
  const std::optional<ir::ExprId> address = passes::accessed_address(statement);
  if (!address) return known;
  if (!known || parts_.semantics.reads_cells(state, thread, *address)) return false;
  const auto access = machine_.access(state.known(), thread, next);
  if (!access || std::holds_alternative<ir::Load>(statement) ||
      std::holds_alternative<ir::Store>(statement))
    return access.has_value();
  return access->size <= 8 &&
         !state.overlaps({access->address, static_cast<std::uint32_t>(access->size)});
}

AbstractReductions::Kind AbstractReductions::kind(const AbstractState& state, ThreadNumber thread,
                                                  ir::EdgeId next) const {
  if (!any_beyond_local() || !knows_what_it_touches(state, thread, next)) return Kind::disturbed;
  if (parts_.locks != nullptr && parts_.locks->held(state.known(), thread, next))
    return Kind::under_lock;
  if (parts_.persistence == nullptr) return Kind::disturbed;
  const Cells cells(parts_.semantics, state);
  const Persistence::Others others = parts_.persistence->others(state.known(), thread, &cells);
  return parts_.persistence->undisturbed(state.known(), thread, next, others) ? Kind::persistent
                                                                              : Kind::disturbed;
}

bool AbstractReductions::enters_section(const AbstractState& state, ThreadNumber thread,
                                        ir::EdgeId next) const {
  const auto* atomic = std::get_if<ir::Atomic>(&program_.edge(next).statement);
  return (atomic != nullptr && atomic->mark == ir::AtomicMark::begin) ||
         (state.known().thread(thread).atomic_depth > 0 && state.known().holder() != thread);
}

}  // namespace heddle::engine::explore
