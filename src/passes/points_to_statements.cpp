// What each kind of statement says about addresses.
#include "passes/points_to_solution.hpp"

namespace heddle::passes {

using namespace ir;

class StatementConstraints {
 public:
  using Solution = PointsTo::Solution;
  StatementConstraints(Solution& solution, InstanceId instance, EdgeId edge)
      : s_(solution), instance_(instance), edge_(edge) {}

  void operator()(const Skip&) {}
  void operator()(const Assign& s) {
    if (program().type(program().reg(s.to).type).kind == TypeKind::floating) return;
    flow(s.value, to(s.to));
  }
  void operator()(const Havoc& s) {
    // A number too short to be an address is none.
    const Type& type = program().type(program().reg(s.to).type);
    const bool wide = type.kind != TypeKind::floating && type.width >= 8 * s_.graph_.word_bytes();
    if (s.limit == 0 && wide) s_.graph_.add(to(s.to), unknown_address);
  }
  void operator()(const Assume&) {}
  void operator()(const Load& s) { load(s.address, to(s.to)); }
  void operator()(const Store& s) { store(s.address, s.value); }
  void operator()(const Update& s) {
    load(s.address, to(s.before));
    store(s.address, s.operand);
    // Arithmetic in place: the address that was there, moved.
    for (const Solution::Source& at : places(s.address)) {
      const NodeId changed = s_.graph_.add_nodes(1);
      s_.graph_.copy(to(s.before), changed, Move::anywhere());
      put(at, changed, bytes(s.address));
    }
  }
  void operator()(const Call& s) { call(s.callee); }
  void operator()(const Return& s) {
    if (s.value) flow(*s.value, result());
  }
  void operator()(const Spawn& s) { call(s.routine); }
  void operator()(const Await& s) { load(s.address, to(s.loaded)); }
  void operator()(const Atomic&) {}
  void operator()(const Alloc& s) {
    const Expr& size = program().expr(s.size);
    const Type& type = program().type(program().type(program().reg(s.to).type).element);
    const std::uint64_t bytes = size.op == Op::constant ? size.payload : 0;
    // A local array is known as one by its type, which then covers the whole block.
    const bool array = type.kind == TypeKind::array && type.complete && type.size == bytes;
    const ObjectIndex object =
        s_.graph_.add_object({.kind = ObjectKind::allocation,
                              .allocation = edge_,
                              .context = s_.instances_[instance_].context},
                             bytes, array ? program().type(type.element).size : 0);
    s_.graph_.add(to(s.to), s_.graph_.address(object, 0));
  }
  void operator()(const Free&) {}
  void operator()(const ObjectSize&) {}
  void operator()(const Clobber& s) { s_.graph_.clobber(s_.value_node(instance_, s.address)); }
  void operator()(const Self&) {}
  void operator()(const Fail&) {}
  void operator()(const Exit&) {}
  void operator()(const Unsupported&) {}

 private:
  const Program& program() const { return s_.program_; }
  NodeId to(RegId reg) const { return s_.node_of(instance_, reg); }
  NodeId result() const {
    const Function& function = program().function(s_.instances_[instance_].function);
    return s_.first_nodes_[instance_] + static_cast<NodeId>(function.registers.size());
  }
  std::uint64_t bytes(ExprId address) const {
    return program().type(program().pointee(address)).size;
  }
  std::vector<Solution::Source> places(ExprId address) const {
    std::vector<Solution::Source> from;
    s_.sources(instance_, address, {}, from);
    return from;
  }

  void flow(ExprId value, NodeId target) {
    for (const Solution::Source& source : places(value)) {
      if (source.is_node)
        s_.graph_.copy(source.id, target, source.move);
      else
        s_.graph_.add(target, s_.graph_.moved(source.id, source.move));
    }
  }
  void load(ExprId address, NodeId target) {
    for (const Solution::Source& at : places(address)) {
      if (at.is_node)
        s_.graph_.load(at.id, at.move, target, bytes(address));
      else
        s_.graph_.load_at(s_.graph_.moved(at.id, at.move), target, bytes(address));
    }
  }
  void store(ExprId address, ExprId value) {
    const NodeId from = s_.value_node(instance_, value);
    for (const Solution::Source& at : places(address)) put(at, from, bytes(address));
  }
  void put(const Solution::Source& at, NodeId from, std::uint64_t size) {
    if (at.is_node)
      s_.graph_.store(at.id, at.move, from, size);
    else
      s_.graph_.store_at(s_.graph_.moved(at.id, at.move), from, size);
  }
  void call(ExprId callee) {
    const auto payload = static_cast<std::uint32_t>(s_.call_sites_.size());
    s_.call_sites_.push_back({instance_, edge_});
    s_.graph_.watch_calls(s_.value_node(instance_, callee), payload);
  }

  Solution& s_;
  InstanceId instance_;
  EdgeId edge_;
};

void PointsTo::Solution::add_constraints(InstanceId instance) {
  const Function& function = program_.function(instances_[instance].function);
  for (const LocId at : function.locations)
    for (const EdgeId id : program_.out(at))
      std::visit(StatementConstraints(*this, instance, id), program_.edge(id).statement);
}

}  // namespace heddle::passes
