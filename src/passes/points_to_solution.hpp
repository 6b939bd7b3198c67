// The points-to analysis of one program: what each statement says about
// addresses, as constraints on a PointsToGraph, for each instance of a function.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "passes/points_to.hpp"
#include "passes/points_to_graph.hpp"

namespace heddle::passes {

class PointsTo::Solution {
 public:
  Solution(const ir::Program& program, PointsToLimits limits);

  const ir::Program& program() const { return program_; }
  const PointsToGraph& graph() const { return graph_; }
  const std::vector<Instance>& instances() const { return instances_; }
  bool gave_up() const { return graph_.exhausted(); }
  std::vector<AddressId> addresses(InstanceId instance, ir::ExprId id) const;
  const std::set<InstanceId>* callees(InstanceId instance, ir::EdgeId edge) const;
  const std::vector<InstanceId>& instances_of(ir::FunId function) const {
    return by_function_[function.value];
  }

 private:
  friend class StatementConstraints;

  // Where the value of an expression comes from.
  struct Source {
    bool is_node = false;
    std::uint32_t id = 0;  // NodeId or AddressId
    Move move{};
  };
  struct CallSite {
    InstanceId instance;
    ir::EdgeId edge;
  };

  void add_globals();
  InstanceId instance(ir::FunId function, ir::EdgeId context);
  ir::EdgeId context_for(ir::FunId callee, InstanceId caller, ir::EdgeId edge) const;
  void add_constraints(InstanceId instance);
  void connect(const PointsToGraph::FoundCall& found);
  void connect(const CallSite& site, ir::FunId callee);
  void sources(InstanceId instance, ir::ExprId id, Move move, std::vector<Source>& out) const;
  void operand_sources(InstanceId instance, const ir::Expr& expr, Move move,
                       std::vector<Source>& out) const;
  NodeId node_of(InstanceId instance, ir::RegId reg) const;
  NodeId value_node(InstanceId instance, ir::ExprId id);
  std::vector<ir::FunId> address_taken() const;

  const ir::Program& program_;
  mutable PointsToGraph graph_;  // queries intern addresses that they compute
  std::vector<ObjectIndex> global_objects_{}, function_objects_{};
  std::vector<Instance> instances_{};
  std::vector<NodeId> first_nodes_{};  // of an instance: its registers, then its result
  std::map<std::pair<ir::FunId, ir::EdgeId>, InstanceId> known_instances_{};
  std::vector<std::vector<InstanceId>> by_function_{};
  std::vector<InstanceId> new_instances_{};
  std::vector<CallSite> call_sites_{};
  std::map<std::pair<InstanceId, ir::EdgeId>, std::set<InstanceId>> callees_{};
  std::vector<ir::FunId> address_taken_{};
};

}  // namespace heddle::passes
