#include "engine/bmc/unfolder.hpp"

#include <algorithm>

#include "engine/bmc/executor.hpp"

namespace heddle::engine::bmc {
namespace {

bool is_ancestor(const Unfolding& unfolding, ThreadIndex older, ThreadIndex younger) {
  while (younger != 0) {
    younger = unfolding.threads[younger].parent;
    if (younger == older) return true;
  }
  return false;
}

// The thread started by `older` through which `younger` comes from it.
ThreadIndex branch_towards(const Unfolding& unfolding, ThreadIndex older, ThreadIndex younger) {
  while (unfolding.threads[younger].parent != older) younger = unfolding.threads[younger].parent;
  return younger;
}

}  // namespace

const Loops& Round::loops_of(ir::FunId function) {
  std::unique_ptr<Loops>& found = loops[function];
  if (!found) found = std::make_unique<Loops>(program, function);
  return *found;
}

bool Round::live(ir::LocId at, ir::RegId reg) {
  std::unique_ptr<passes::Liveness>& found = liveness[program.location(at).function];
  if (!found) found = std::make_unique<passes::Liveness>(program, program.location(at).function);
  return found->live(at, reg);
}

NodeIndex Round::add_node(ThreadIndex thread) {
  const auto node = static_cast<NodeIndex>(unfolding.previous.size());
  if (node >= options.most_nodes)
    throw TooLarge{verdict::Gap::bound, "the unrolled program has too many steps"};
  ThreadUnfolding& self = unfolding.threads[thread];
  unfolding.previous.push_back(self.chain.empty() ? self.spawned_at : self.chain.back());
  self.chain.push_back(node);
  return node;
}

void Round::tick() {
  if (++ticks_ % 64 != 0) return;
  if (budget.out_of_time()) throw TooLarge{verdict::Gap::time, "the time was up"};
  if (ticks_ % 16384 == 0 && budget.out_of_memory())
    throw TooLarge{verdict::Gap::memory, "the memory limit was reached"};
}

Term Round::size_of(ObjectId object) {
  const auto open = sizes.find(object);
  if (open != sizes.end()) return open->second;
  return terms->constant(8 * memory.layout().pointer_bytes(), objects[object].size);
}

bool Round::drops_wake_ups() {
  if (!drops_wake_ups_)
    drops_wake_ups_ =
        options.drop_wake_ups == Switch::on &&
        std::none_of(program.functions().begin(), program.functions().end(),
                     [](const ir::Function& f) { return f.sync == ir::SyncOp::mutex_trylock; });
  return *drops_wake_ups_;
}

Term Round::default_value(const Cell& cell, std::uint32_t version) {
  if (cell.offset == Cell::life) return terms->yes();
  const std::uint32_t width = 8 * cell.size;
  const auto [bits, set] =
      version == 0 ? objects.initial(cell) : std::pair<std::uint64_t, std::uint64_t>{0, 0};
  const Term known = terms->constant(width, bits);
  const Term mask = terms->constant(width, set);
  if (terms->value(mask) == terms->value(terms->constant(width, ~std::uint64_t{0}))) return known;
  // An operation on synchronisation objects finds zero where nothing was ever written.
  if (facts.used_atomically(cell) && !facts.read_plainly(cell)) return known;
  const auto [at, fresh] = unset.try_emplace({cell, version});
  if (fresh)
    at->second = terms->or_(
        known, terms->and_(terms->variable(width), terms->unary(smt::TermOp::bit_not, mask)));
  return at->second;
}

Unfolder::Unfolder(const ir::Program& program, const verdict::Property& property,
                   const Options& options, const base::Budget& budget)
    : program_(program),
      property_(property),
      options_(options),
      budget_(budget),
      memory_(program),
      objects_(program, memory_) {}

std::unique_ptr<Round> Unfolder::unfold(std::uint32_t bound) {
  while (true) {
    ++rounds_;
    auto round = std::make_unique<Round>(Setting{program_, property_, options_, budget_, memory_,
                                                 contexts_, objects_, facts_, bound});
    ThreadUnfolding main;
    main.context = Contexts::main();
    main.started = round->terms->yes();
    round->unfolding.threads.push_back(std::move(main));
    round->waiting.push_back({0, program_.entry(), Term{}, ir::TypeId{}, View{}});
    for (std::size_t i = 0; i < round->waiting.size(); ++i) {
      const PendingThread start = round->waiting[i];
      Executor(*round, start.index).run(start);
    }
    if (!learn(*round)) return round;
  }
}

bool Unfolder::learn(Round& round) {
  bool news = false;
  for (const auto& [object, offsets] : round.boundaries)
    for (const std::uint32_t offset : offsets) news |= facts_.learn_boundary(object, offset);
  for (const auto& [object, threads] : round.touched)
    if (threads.size() > 1) news |= facts_.learn_shared_object(object);
  for (const auto& [key, use] : round.uses) {
    if (use.read_shared) news |= facts_.learn_seen(key.second);
    if (use.read_plainly) news |= facts_.learn_read_plainly(key.second);
    if (use.atomically) news |= facts_.learn_used_atomically(key.second);
  }
  for (const auto& [object, thread] : round.allocated_by)
    news |= facts_.learn_block(object, round.unfolding.threads[thread].context);
  news |= learn_sharing(round);
  news |= learn_values(round);
  news |= learn_inputs(round);
  return news;
}

// A thread's use of a cell depends on the order of threads if another one may write it at the same
// time: not before the thread is started, and not only after it has started that other one.
bool Unfolder::learn_sharing(const Round& round) {
  const Unfolding& unfolding = round.unfolding;
  std::map<Cell, std::vector<std::pair<ThreadIndex, const CellUse*>>> users;
  for (const auto& [key, use] : round.uses) users[key.second].emplace_back(key.first, &use);
  bool news = false;
  for (const auto& [cell, all] : users) {
    for (const auto& [writer, write] : all) {
      if (!write->written) continue;
      for (const auto& [user, use] : all) {
        if (user == writer) continue;
        const ContextId context = unfolding.threads[user].context;
        if (is_ancestor(unfolding, user, writer)) {
          const ThreadIndex branch = branch_towards(unfolding, user, writer);
          news |= facts_.learn_written_below(unfolding.threads[branch].context, cell);
          continue;
        }
        if (is_ancestor(unfolding, writer, user)) {
          const ThreadIndex branch = branch_towards(unfolding, writer, user);
          const std::vector<NodeIndex>& chain = unfolding.threads[writer].chain;
          const auto spawned =
              std::lower_bound(chain.begin(), chain.end(), unfolding.threads[branch].spawned_at);
          if (write->last_write <= static_cast<std::size_t>(spawned - chain.begin())) continue;
        }
        news |= facts_.learn_concurrent(context, cell);
      }
    }
  }
  return news;
}

bool Unfolder::learn_values(Round& round) {
  bool news = false;
  std::set<Cell> read;
  const auto learn = [&](const Cell& cell, Term value) {
    const Leaves leaves = round.pointers.leaves(value);
    for (const Leaf& leaf : leaves.known)
      news |= leaf.rest.valid() ? facts_.learn_open(cell) : facts_.learn_value(cell, leaf.base);
    if (!round.terms->is_false(leaves.unknown)) news |= facts_.learn_open(cell);
  };
  for (const Event& event : round.unfolding.events) {
    if (event.cell.offset == Cell::life) continue;
    if (event.kind == EventKind::write)
      learn(event.cell, event.value);
    else
      read.insert(event.cell);
  }
  for (const Cell& cell : read) {
    const Term* initial = round.initial.find(cell);
    learn(cell, initial != nullptr ? *initial
                                   : round.default_value(cell, round.initial.version(cell.object)));
  }
  return news;
}

// An address that comes in is one that it is compared with, if it is to be of any use. That it may
// be others is not forgotten, so these are only cases to tell apart.
bool Unfolder::learn_inputs(Round& round) {
  bool news = false;
  const std::uint32_t address_bits = 8 * round.memory.layout().pointer_bytes();
  const std::size_t count = round.terms->size();
  for (std::uint32_t id = 0; id < count; ++id) {
    const smt::TermNode node = round.terms->node(Term{id});
    if (node.op != smt::TermOp::eq || round.terms->width(node.args[0]) != address_bits) continue;
    round.tick();
    for (const std::size_t side : {0, 1})
      for (const ir::EdgeId havoc : round.pointers.inputs_among(node.args[side]))
        for (const std::uint64_t value : round.pointers.constants_among(node.args[1 - side]))
          if (round.objects.at(value)) news |= facts_.learn_input_address(havoc, value);
  }
  return news;
}

}  // namespace heddle::engine::bmc
