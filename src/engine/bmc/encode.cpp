#include "engine/bmc/encode.hpp"

#include <algorithm>

#include "smt/clock_ordering.hpp"
#include "smt/minisat_ordering.hpp"

namespace heddle::engine::bmc {

using smt::Lit;

Encoder::Encoder(Round& round, const Options& options, Statistics& statistics)
    : round_(round),
      unfolding_(round.unfolding),
      terms_(*round.terms),
      options_(options),
      statistics_(statistics),
      ordering_(options.encoding == Encoding::theory ? smt::make_theory_ordering()
                                                     : smt::make_clock_ordering()),
      blaster_(
          std::make_unique<smt::BitBlaster>(*round.terms, *ordering_, [&round] { round.tick(); })) {
  statistics_.sources = statistics_.pruned_sources = 0;
  order_nodes();
  for (const Term constraint : unfolding_.constraints)
    ordering_->add_clause({blaster_->literal(constraint)});
  encode_memory();
  encode_failures();
  if (round_.property.has(verdict::Check::race)) encode_races();
  deadlock_ = deadlock_beside_spinning_ = ordering_->no();
  if (round_.property.has(verdict::Check::deadlock)) encode_deadlock();
  encode_cuts();
  std::vector<Lit> broken{deadlock_};
  for (const auto& [chosen, failure] : failures_) broken.push_back(chosen);
  for (const RacePair& race : races_) broken.push_back(race.chosen);
  violation_ = timely_violation_ = any_of(broken);
  if (!unfolding_.too_early.empty()) {
    timely_violation_ = any_of({violation_});
    for (const Term early : unfolding_.too_early)
      imply(timely_violation_, ~blaster_->literal(early));
  }
  statistics_.nodes = unfolding_.previous.size();
  statistics_.events = unfolding_.events.size();
  statistics_.threads = unfolding_.threads.size();
  statistics_.spins_dropped = unfolding_.spins.size();
  statistics_.wake_ups_dropped = unfolding_.wake_ups_dropped;
  statistics_.reads_narrowed = unfolding_.reads_narrowed;
  statistics_.local_reads = unfolding_.local_reads;
  statistics_.conflicts_below = statistics_.conflicts;
  statistics_.terms = terms_.size();
  statistics_.gates = blaster_->statistics().gates;
}

// ---- order ----

void Encoder::freeze(const std::vector<std::pair<NodeIndex, NodeIndex>>& orders) {
  fixed_ = {};
  for (NodeIndex node = 0; node < unfolding_.previous.size(); ++node) fixed_.add_node();
  if (end_node_ != no_node) fixed_.add_node();
  for (const auto& [first, second] : orders) fixed_.add_edge(first, second);
  fixed_.freeze();
}

void Encoder::order_nodes() {
  collect_events();
  const auto nodes = static_cast<NodeIndex>(unfolding_.previous.size());
  std::vector<std::pair<NodeIndex, NodeIndex>> orders;
  for (NodeIndex node = 1; node < nodes; ++node)
    orders.emplace_back(unfolding_.previous[node], node);
  if (round_.property.has(verdict::Check::deadlock)) {
    end_node_ = nodes;
    orders.emplace_back(first_node, end_node_);
  }
  freeze(orders);
  if (options_.prune_sources == Switch::on) {
    while (const auto forced = forced_order()) {
      orders.push_back(*forced);
      freeze(orders);
      round_.tick();
    }
  }
  for (NodeIndex node = 0; node < fixed_.size(); ++node) ordering_->add_node();
  for (const auto& [first, second] : orders) ordering_->add_order(first, second);
}

std::optional<std::pair<NodeIndex, NodeIndex>> Encoder::forced_order() const {
  for (const auto& [cell, events] : by_cell_) {
    for (const Event* read : events.reads) {
      if (!read->decisive) continue;
      const std::vector<const KnownWrite*> sources = suppliers(*read, writes_.at(cell));
      if (sources.size() == 1 && !surely_before(sources[0]->node, read->node))
        return std::pair(sources[0]->node, read->node);
    }
  }
  return std::nullopt;
}

// ---- memory ----

void Encoder::collect_events() {
  for (const Event& event : unfolding_.events) {
    if (terms_.is_false(event.guard)) continue;
    CellEvents& events = by_cell_[event.cell];
    (event.kind == EventKind::read ? events.reads : events.writes).push_back(&event);
  }
  for (const Wait& wait : unfolding_.waits)
    for (const FinalRead& read : wait.reads) by_cell_[read.cell];  // looked at in the last moment
  for (const auto& [cell, events] : by_cell_) {
    std::vector<KnownWrite>& writes = writes_[cell];
    writes.push_back({first_node, terms_.yes(), initial_value(cell)});
    for (const Event* event : events.writes)
      writes.push_back({event->node, event->guard, event->value});
  }
}

void Encoder::encode_memory() {
  for (const auto& [cell, events] : by_cell_) encode_cell(cell, events);
}

Term Encoder::initial_value(const Cell& cell) const {
  const Term* known = round_.initial.find(cell);
  if (known != nullptr) return *known;
  return round_.default_value(cell, round_.initial.version(cell.object));
}

void Encoder::encode_cell(const Cell& cell, const CellEvents& events) {
  const smt::Cell id = ordering_->add_cell();
  cells_.emplace(cell, id);
  std::vector<KnownWrite>& writes = writes_.at(cell);
  for (KnownWrite& write : writes)
    write.id = ordering_->add_write(id, write.node, blaster_->literal(write.guard));
  for (const Event* event : events.reads)
    encode_read(id, *event, blaster_->literal(event->guard), writes);
}

// Asked again whenever the order is known better, and for many pairs.
bool Encoder::implies(Term first, Term second) const {
  if (terms_.is_true(second) || first == second) return true;
  const auto [known, fresh] = implied_.try_emplace({first, second});
  if (fresh) known->second = terms_.is_false(terms_.and_(first, terms_.not_(second)));
  return known->second;
}

// `hiding`: the writes that surely happen before the read, whenever that happens.
bool Encoder::can_supply(const KnownWrite& write, const Event& read,
                         const std::vector<const KnownWrite*>& hiding) const {
  if (write.node == read.node || surely_before(read.node, write.node)) return false;
  if (options_.prune_sources == Switch::off) return true;
  if (read.required.valid() && terms_.is_constant(write.value) &&
      contradicts(read.required, read.value, terms_.value(write.value)))
    return false;
  return std::none_of(hiding.begin(), hiding.end(), [&](const KnownWrite* later) {
    return later->node != write.node && surely_before(write.node, later->node);
  });
}

std::vector<const Encoder::KnownWrite*> Encoder::suppliers(
    const Event& read, const std::vector<KnownWrite>& writes) const {
  round_.tick();
  std::vector<const KnownWrite*> hiding, result;
  const bool prunes = options_.prune_sources == Switch::on;
  for (const KnownWrite& write : writes)
    if (prunes && surely_before(write.node, read.node) && implies(read.guard, write.guard))
      hiding.push_back(&write);
  for (const KnownWrite& write : writes)
    if (can_supply(write, read, hiding)) result.push_back(&write);
  return result;
}

// The requirement is false whatever else holds, once the variable has this value.
bool Encoder::contradicts(Term required, Term variable, std::uint64_t value) const {
  bool depends_on_more = false;
  if (terms_.node(variable).op == smt::TermOp::zext) variable = terms_.node(variable).args[0];
  smt::Terms::Evaluator evaluate(terms_, [&](Term other) {
    if (other == variable) return value;
    depends_on_more = true;
    return std::uint64_t{0};
  });
  return evaluate(required) == 0 && !depends_on_more;
}

void Encoder::equate_if(Lit when, Term left, Term right) {
  const std::vector<Lit> a = blaster_->bits(left), b = blaster_->bits(right);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    ordering_->add_clause({~when, ~a[i], b[i]});
    ordering_->add_clause({~when, a[i], ~b[i]});
  }
}

void Encoder::encode_read(smt::Cell cell, const Event& read, Lit happens,
                          const std::vector<KnownWrite>& writes) {
  std::vector<smt::Source> sources;
  std::vector<Lit> one_of{~happens};
  for (const KnownWrite* write : suppliers(read, writes)) {
    const Lit chosen = ordering_->fresh();
    imply(chosen, blaster_->literal(write->guard));
    imply(chosen, happens);
    equate_if(chosen, read.value, write->value);
    sources.push_back({write->id, chosen});
    one_of.push_back(chosen);
  }
  statistics_.sources += sources.size();
  statistics_.pruned_sources += writes.size() - sources.size();
  ordering_->add_clause(one_of);
  ordering_->add_read(cell, read.node, sources);
}

// ---- questions ----

void Encoder::before_exits(Lit when, NodeIndex node) {
  for (const ProcessExit& exit : unfolding_.exits) {
    if (exit.node == node) continue;
    ordering_->add_order_if(blaster_->both(when, blaster_->literal(exit.guard)), node, exit.node);
  }
}

Lit Encoder::any_of(const std::vector<Lit>& literals) {
  std::vector<Lit> clause;
  for (const Lit literal : literals)
    if (literal != ordering_->no()) clause.push_back(literal);
  if (clause.empty()) return ordering_->no();
  const Lit any = ordering_->fresh();
  clause.push_back(~any);
  ordering_->add_clause(clause);
  return any;
}

void Encoder::encode_failures() {
  for (const Failure& failure : unfolding_.failures) {
    const Lit happens = blaster_->literal(failure.guard);
    if (happens == ordering_->no()) continue;
    const Lit chosen = ordering_->fresh();
    imply(chosen, happens);
    before_exits(chosen, failure.node);
    failures_.emplace_back(chosen, &failure);
  }
}

void Encoder::encode_cuts() {
  std::vector<Lit> reached{deadlock_beside_spinning_};
  for (const Cut& cut : unfolding_.cuts) {
    const Lit happens = blaster_->literal(cut.guard);
    if (happens == ordering_->no()) continue;
    const Lit chosen = ordering_->fresh();
    imply(chosen, happens);
    before_exits(chosen, cut.node);
    cuts_.emplace_back(chosen, &cut);
    reached.push_back(chosen);
  }
  cut_ = any_of(reached);
}

bool Encoder::may_race(const RacyAccess& a, const RacyAccess& b) const {
  if (a.thread == b.thread || a.object != b.object) return false;
  if (a.kind == EventKind::read && b.kind == EventKind::read) return false;
  if (!a.plain && !b.plain) return false;
  if (a.offset >= b.offset + b.size || b.offset >= a.offset + a.size) return false;
  const NodeIndex before_a = unfolding_.previous[a.node], before_b = unfolding_.previous[b.node];
  const auto too_late = [&](NodeIndex access, NodeIndex before_other) {
    return access == before_other || surely_before(access, before_other);
  };
  return !too_late(a.node, before_b) && !too_late(b.node, before_a);
}

// Both accesses can come next: each happens after all that the other thread has done before.
void Encoder::encode_race(const RacyAccess& a, const RacyAccess& b) {
  const Lit both = blaster_->both(blaster_->literal(a.guard), blaster_->literal(b.guard));
  if (both == ordering_->no()) return;
  const Lit chosen = ordering_->fresh();
  imply(chosen, both);
  const NodeIndex before_a = unfolding_.previous[a.node], before_b = unfolding_.previous[b.node];
  ordering_->add_order_if(chosen, before_b, a.node);
  ordering_->add_order_if(chosen, before_a, b.node);
  // What a section or an update has read must not come from the other access.
  if (a.comes_first) ordering_->add_order_if(chosen, a.node, b.node);
  if (b.comes_first) ordering_->add_order_if(chosen, b.node, a.node);
  before_exits(chosen, before_a);
  before_exits(chosen, before_b);
  races_.push_back({chosen, &a, &b});
}

void Encoder::encode_races() {
  constexpr std::size_t most_pairs = 40'000;
  std::map<ObjectId, std::vector<const RacyAccess*>> by_object;
  for (const RacyAccess& access : unfolding_.accesses)
    if (!terms_.is_false(access.guard)) by_object[access.object].push_back(&access);
  for (const auto& [object, accesses] : by_object)
    for (std::size_t i = 0; i < accesses.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        if (!may_race(*accesses[j], *accesses[i])) continue;
        round_.tick();
        if (races_.size() > most_pairs)
          throw TooLarge{verdict::Gap::bound, "too many pairs of accesses that may race"};
        encode_race(*accesses[j], *accesses[i]);
      }
}

// ---- solving ----

smt::SatAnswer Encoder::solve(Lit assumed, const base::Budget& budget) {
  if (assumed == ordering_->no()) return smt::SatAnswer::unsat;
  const smt::SatAnswer answer = ordering_->solve(std::span<const Lit>(&assumed, 1), budget);
  statistics_.conflicts = statistics_.conflicts_below + ordering_->statistics().conflicts;
  if (answer == smt::SatAnswer::sat)
    evaluator_ = std::make_unique<smt::Terms::Evaluator>(
        terms_, [this](Term variable) { return blaster_->value(variable); });
  return answer;
}

Encoder::Broken Encoder::broken() const {
  for (const auto& [chosen, failure] : failures_)
    if (ordering_->value(chosen)) return {BrokenBy::failure, failure, nullptr, nullptr, {}, {}};
  for (const RacePair& race : races_)
    if (ordering_->value(race.chosen))
      return {BrokenBy::race, nullptr, race.first, race.second, {}, {}};
  Broken result{BrokenBy::deadlock, nullptr, nullptr, nullptr, {}, {}};
  for (const auto& [here, wait] : waits_)
    if (ordering_->value(here)) result.stuck.push_back(wait);
  for (ThreadIndex t = 0; t < ended_.size(); ++t)
    if (ordering_->value(ended_[t])) result.ended.push_back(t);
  return result;
}

const Cut* Encoder::cut_reached() const {
  for (const auto& [chosen, cut] : cuts_)
    if (ordering_->value(chosen)) return cut;
  return nullptr;
}

void Encoder::exclude_violation() {
  std::vector<Lit> excluded;
  for (const auto& [chosen, failure] : failures_)
    if (ordering_->value(chosen)) excluded.push_back(~chosen);
  for (const RacePair& race : races_)
    if (ordering_->value(race.chosen)) excluded.push_back(~race.chosen);
  if (excluded.empty()) excluded.push_back(~deadlock_);
  for (const Lit literal : excluded) ordering_->add_clause({literal});
}

}  // namespace heddle::engine::bmc
