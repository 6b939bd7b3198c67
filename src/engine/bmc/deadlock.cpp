// The question whether threads can get stuck: a set of threads each of which waits
// for one that has ended or is in the set, looked at in one last moment.
#include "engine/bmc/encode.hpp"

namespace heddle::engine::bmc {

using smt::Lit;

// Whoever is stuck does nothing after the last moment; the word that it waits for is read then.
void Encoder::encode_deadlock() {
  const std::size_t threads = unfolding_.threads.size();
  std::vector<Lit> stuck(threads);
  std::vector<std::vector<Lit>> stuck_at(threads);  // by thread, over its waits
  for (std::size_t t = 0; t < threads; ++t) {
    const ThreadUnfolding& thread = unfolding_.threads[t];
    stuck[t] = ordering_->fresh();
    ended_.push_back(ordering_->fresh());
    imply(ended_[t], blaster_->literal(thread.ended));
    if (!thread.chain.empty())
      ordering_->add_order_if(ended_[t], thread.chain.back(), end_node_);
    else
      ordering_->add_order_if(ended_[t], thread.spawned_at, end_node_);
  }
  const Lit spinning = encode_spinning();
  for (const Wait& wait : unfolding_.waits) {
    const Lit waits =
        blaster_->both(blaster_->literal(wait.reached), ~blaster_->literal(wait.passed));
    const Lit unmet = ~blaster_->literal(wait.condition);
    if (waits == ordering_->no() || unmet == ordering_->no()) continue;
    const Lit here = ordering_->fresh();
    imply(here, waits);
    imply(here, unmet);
    ordering_->add_order_if(here, unfolding_.previous[wait.node], end_node_);
    for (const FinalRead& final : wait.reads) {
      Event read;
      read.node = end_node_;
      read.value = final.value;
      read.guard = terms_.and_(wait.reached, final.when);
      encode_read(cells_.at(final.cell), read, blaster_->both(here, blaster_->literal(final.when)),
                  writes_.at(final.cell));
    }
    wait_for_others(wait, here, stuck);
    stuck_at[wait.thread].push_back(here);
    waits_.emplace_back(here, &wait);
  }
  std::vector<Lit> some;
  for (std::size_t t = 0; t < threads; ++t) {
    stuck_at[t].push_back(~stuck[t]);
    ordering_->add_clause(stuck_at[t]);
    some.push_back(stuck[t]);
  }
  // Where a thread spins, that others wait for good is no matter of one moment: we cannot tell.
  deadlock_beside_spinning_ = ordering_->fresh();
  some.push_back(~deadlock_beside_spinning_);
  ordering_->add_clause(some);
  before_exits(deadlock_beside_spinning_, end_node_);
  deadlock_ = ordering_->fresh();
  imply(deadlock_, deadlock_beside_spinning_);
  imply(deadlock_, ~spinning);
  if (unfolding_.spins.empty()) deadlock_beside_spinning_ = ordering_->no();
}

Lit Encoder::encode_spinning() {
  const Lit any = ordering_->fresh();
  std::vector<std::vector<Lit>> places(unfolding_.threads.size());
  for (const Spin& spin : unfolding_.spins)
    places[spin.thread].push_back(blaster_->literal(spin.guard));
  for (std::vector<Lit>& clause : places) {
    spins_.push_back(ordering_->fresh());
    imply(spins_.back(), any);
    clause.push_back(~spins_.back());
    ordering_->add_clause(clause);
  }
  return any;
}

// A wait for a holder ends with that thread; any other wait might be ended by anyone.
void Encoder::wait_for_others(const Wait& wait, Lit here, const std::vector<Lit>& stuck) {
  const bool named = wait.waits_for == ir::WaitsFor::holder;
  const std::uint32_t width = terms_.width(wait.loaded);
  const Term nobody = terms_.equal(wait.loaded, terms_.constant(width, 0));
  std::vector<Lit> somebody{~here, blaster_->literal(nobody)};
  for (std::size_t t = 0; t < unfolding_.threads.size(); ++t) {
    if (t == wait.thread && !named) continue;
    const Lit not_started = ~blaster_->literal(unfolding_.threads[t].started);
    std::vector<Lit> clause{~here, stuck[t], ended_[t], spins_[t]};
    if (named) {
      const Term holds = terms_.equal(wait.loaded, terms_.constant(width, t + 1));
      somebody.push_back(blaster_->literal(holds));
      clause.push_back(~blaster_->either(blaster_->literal(holds),
                                         blaster_->both(blaster_->literal(nobody), ~not_started)));
    } else {
      clause.push_back(not_started);
    }
    ordering_->add_clause(clause);
  }
  if (named) ordering_->add_clause(somebody);
  for (const Term sleeper : unfolding_.sleepers)  // it could still do anything
    if (!named) ordering_->add_clause({~here, ~blaster_->literal(sleeper)});
}

}  // namespace heddle::engine::bmc
