#include "sequentialize/mu_private.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "passes/operands.hpp"

namespace heddle::sequentialize {

using namespace ir;

namespace {

using FrameRegister = std::pair<FrameIndex, RegId>;

// A block that is still unknown to others: the registers that surely point into it, and those
// that may hold anything worked out from its address.
struct FreshBlock {
  std::set<FrameRegister> pointers{};
  std::set<FrameRegister> tainted{};
  bool operator==(const FreshBlock&) const = default;
};
using FreshBlocks = std::map<StepIndex, FreshBlock>;  // by the step that allocates it

// What holds on both paths. Whether that was news.
bool meet(FreshBlocks& into, const FreshBlocks& other) {
  const FreshBlocks before = into;
  std::erase_if(into, [&](const auto& entry) { return !other.contains(entry.first); });
  for (auto& [step, block] : into) {
    const FreshBlock& theirs = other.at(step);
    std::erase_if(block.pointers, [&](const auto& reg) { return !theirs.pointers.contains(reg); });
    block.tainted.insert(theirs.tainted.begin(), theirs.tainted.end());
  }
  return into != before;
}

class FreshAnalysis {
 public:
  FreshAnalysis(const Program& program, const ThreadCode& code) : program_(program), code_(code) {}

  void run() {
    at_.resize(code_.points.size());
    at_[code_.entry] = FreshBlocks{};
    std::vector<PointIndex> work{code_.entry};
    while (!work.empty()) {
      const PointIndex from = work.back();
      work.pop_back();
      for (const StepIndex id : code_.points[from].out) {
        const CodeStep& step = code_.steps[id];
        if (step.kind == StepKind::end || step.kind == StepKind::cut) continue;
        FreshBlocks after = *at_[from];
        apply(id, after);
        std::optional<FreshBlocks>& to = at_[step.to];
        if (!to) {
          to = std::move(after);
          work.push_back(step.to);
        } else if (meet(*to, after)) {
          work.push_back(step.to);
        }
      }
    }
  }
  bool touches_fresh(StepIndex id) const {
    const CodeStep& step = code_.steps[id];
    const Statement& statement = program_.edge(step.edge).statement;
    const bool plain =
        std::holds_alternative<Store>(statement) || std::holds_alternative<Load>(statement);
    if (!plain || !at_[step.from]) return false;
    const FrameIndex frame = code_.points[step.from].frame;
    const auto base = this->base(frame, *passes::accessed_address(statement));
    if (!base) return false;
    const auto* store = std::get_if<Store>(&statement);
    for (const auto& [at, block] : *at_[step.from])
      if (block.pointers.contains(*base))
        return store == nullptr || !mentions(frame, store->value, block);
    return false;
  }

 private:
  // The register that the address is an offset from.
  std::optional<FrameRegister> base(FrameIndex frame, ExprId id) const {
    const Expr* expr = &program_.expr(id);
    while (expr->op == Op::cast || expr->op == Op::field || expr->op == Op::ptr_add)
      expr = &program_.expr(expr->args[0]);
    if (expr->op != Op::reg) return std::nullopt;
    return FrameRegister{frame, RegId{static_cast<std::uint32_t>(expr->payload)}};
  }
  bool mentions(FrameIndex frame, ExprId id, const FreshBlock& block) const {
    bool found = false;
    passes::for_each_register(program_, id, [&](RegId reg) {
      found = found || block.tainted.contains({frame, reg});
    });
    return found;
  }
  void set(FreshBlocks& blocks, FrameRegister to, FrameIndex frame, std::optional<ExprId> value) {
    for (auto& [step, block] : blocks) {
      const bool tainted = value && mentions(frame, *value, block);
      const std::optional<FrameRegister> from = value ? base(frame, *value) : std::nullopt;
      const bool points = from && block.pointers.contains(*from);
      block.pointers.erase(to);
      block.tainted.erase(to);
      if (points) block.pointers.insert(to);
      if (tainted) block.tainted.insert(to);
    }
  }
  void publish(FreshBlocks& blocks, FrameIndex frame, ExprId value) {
    std::erase_if(blocks, [&](const auto& entry) { return mentions(frame, value, entry.second); });
  }

  // An access that is not made directly shows the block to others.
  void access(FrameIndex frame, const Statement& statement, FreshBlocks& blocks) {
    const auto address = passes::accessed_address(statement);
    if (!address) return;
    const bool plain =
        std::holds_alternative<Store>(statement) || std::holds_alternative<Load>(statement);
    const auto base = this->base(frame, *address);
    std::erase_if(blocks, [&](const auto& entry) {
      const FreshBlock& block = entry.second;
      return mentions(frame, *address, block) && !(plain && base && block.pointers.contains(*base));
    });
  }

  void apply(StepIndex id, FreshBlocks& blocks) {
    const CodeStep& step = code_.steps[id];
    const FrameIndex frame = code_.points[step.from].frame;
    const Statement& statement = program_.edge(step.edge).statement;
    access(frame, statement, blocks);
    if (step.kind == StepKind::enter) {
      const auto& call = std::get<Call>(statement);
      const Function& callee = program_.function(step.called);
      for (std::size_t i = 0; i < callee.parameters.size(); ++i)
        set(blocks, {step.callee, callee.parameters[i]}, frame, call.args[i]);
    } else if (step.kind == StepKind::leave) {
      const CodeFrame& left = code_.frames[frame];
      const auto& call = std::get<Call>(program_.edge(left.call).statement);
      const auto& returned = std::get<Return>(statement);
      if (call.result) set(blocks, {*left.caller, *call.result}, frame, returned.value);
    } else if (std::holds_alternative<Spawn>(statement)) {
      blocks.clear();  // the new thread runs at once in the sequential program
    } else if (const auto* store = std::get_if<Store>(&statement)) {
      publish(blocks, frame, store->value);
    } else if (const auto* update = std::get_if<Update>(&statement)) {
      publish(blocks, frame, update->operand);
      set(blocks, {frame, update->before}, frame, std::nullopt);
    } else if (const auto* assign = std::get_if<Assign>(&statement)) {
      set(blocks, {frame, assign->to}, frame, assign->value);
    } else if (const auto* alloc = std::get_if<Alloc>(&statement)) {
      set(blocks, {frame, alloc->to}, frame, std::nullopt);
      blocks[id] = {{{frame, alloc->to}}, {{frame, alloc->to}}};
    } else if (const auto to = passes::written_register(statement)) {
      set(blocks, {frame, *to}, frame, std::nullopt);
    }
  }

  const Program& program_;
  const ThreadCode& code_;
  std::vector<std::optional<FreshBlocks>> at_{};
};

}  // namespace

PrivateAccesses::PrivateAccesses(const Program& program, const std::vector<ThreadCode>& threads,
                                 Switch fresh_blocks)
    : program_(program) {
  find_concurrent(threads[0]);
  for (const ThreadCode& code : threads) {
    fresh_.emplace_back(code.steps.size(), 0);
    if (fresh_blocks == Switch::on) find_fresh(code, fresh_.back());
  }
}

void PrivateAccesses::find_concurrent(const ThreadCode& main) {
  concurrent_.assign(main.points.size(), 0);
  std::vector<PointIndex> work;
  const auto reach = [&](PointIndex at) {
    if (concurrent_[at] != 0) return;
    concurrent_[at] = 1;
    work.push_back(at);
  };
  for (const CodeStep& step : main.steps)
    if (std::holds_alternative<Spawn>(program_.edge(step.edge).statement)) reach(step.to);
  while (!work.empty()) {
    const PointIndex at = work.back();
    work.pop_back();
    for (const StepIndex id : main.points[at].out) {
      const CodeStep& step = main.steps[id];
      if (step.kind != StepKind::end && step.kind != StepKind::cut) reach(step.to);
    }
  }
}

void PrivateAccesses::find_fresh(const ThreadCode& code, std::vector<char>& fresh) {
  FreshAnalysis analysis(program_, code);
  analysis.run();
  for (StepIndex step = 0; step < code.steps.size(); ++step)
    fresh[step] = analysis.touches_fresh(step) ? 1 : 0;
}

}  // namespace heddle::sequentialize
