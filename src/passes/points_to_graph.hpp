// The inclusion graph of the points-to analysis: nodes hold sets of addresses,
// and constraints carry them on until nothing is new (difference propagation).
// Knows objects and words, but neither expressions nor calls.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

#include "passes/points_to.hpp"

namespace heddle::passes {

using NodeId = std::uint32_t;
using AddressId = std::uint32_t;  // interned (object, offset); unknown_address is any address

constexpr AddressId unknown_address = 0;
constexpr std::int64_t any_offset = -1;

struct AbstractAddress {
  ObjectIndex object = 0;
  std::int64_t offset = any_offset;  // bytes, or any_offset
  auto operator<=>(const AbstractAddress&) const = default;
};

// How pointer arithmetic moves an address: by `add` bytes, then by any multiple of `stride`.
struct Move {
  std::int64_t add = 0;
  std::uint64_t stride = 0;  // 0: by nothing more; 1: to anywhere in the object
  auto operator<=>(const Move&) const = default;
  Move then(Move next) const;
  static Move anywhere() { return {0, 1}; }
};

class PointsToGraph {
 public:
  enum class Watch : std::uint8_t { load, store, clobber, call };

  PointsToGraph(std::uint32_t word_bytes, std::uint64_t work_limit)
      : word_bytes_(word_bytes), work_limit_(work_limit) {}

  // period: the element size of an object that is an array, else 0; size 0: not known.
  ObjectIndex add_object(AbstractObject object, std::uint64_t size, std::uint64_t period);
  NodeId add_nodes(std::uint32_t count);
  AddressId address(ObjectIndex object, std::int64_t offset);
  AddressId moved(AddressId from, Move move);

  void add(NodeId node, AddressId address);
  void copy(NodeId from, NodeId to, Move move = {});
  // For each address at `pointer`, moved: to includes what is there / what is there includes from.
  void load(NodeId pointer, Move move, NodeId to, std::uint64_t bytes);
  void store(NodeId pointer, Move move, NodeId from, std::uint64_t bytes);
  void clobber(NodeId pointer);
  // `payload` comes back from next_call() with each function that reaches the node.
  void watch_calls(NodeId pointer, std::uint32_t payload);

  void load_at(AddressId at, NodeId to, std::uint64_t bytes);
  void store_at(AddressId at, NodeId from, std::uint64_t bytes);

  struct FoundCall {
    std::uint32_t payload = 0;
    AddressId callee = 0;
  };
  // Runs until a call is found or nothing is left to do.
  bool next_call(FoundCall& found);
  bool exhausted() const { return work_ > work_limit_; }

  const std::vector<AddressId>& set(NodeId node) const { return nodes_[node].known; }
  const AbstractAddress& at(AddressId id) const { return addresses_[id]; }
  const std::vector<AbstractObject>& objects() const { return objects_; }
  std::uint64_t period(ObjectIndex object) const { return memory_[object].period; }
  NodeId all_contents(ObjectIndex object) const { return memory_[object].read_anywhere; }
  NodeId stored_through_unknown() const { return stored_through_unknown_; }
  std::uint32_t word_bytes() const { return word_bytes_; }

 private:
  struct CopyEdge {
    NodeId to;
    Move move;
  };
  struct Constraint {
    Watch kind;
    Move move;
    NodeId other;  // or the payload of a call
    std::uint64_t bytes;
  };
  struct Node {
    std::vector<AddressId> known{};  // ordered
    std::vector<AddressId> fresh{};  // not yet carried on
    std::vector<CopyEdge> copies{};
    std::vector<Constraint> constraints{};
  };
  struct Memory {
    std::uint64_t size = 0, period = 0;
    bool words = true;  // false: one cell for the whole object
    std::map<std::int64_t, NodeId> cells{};
    NodeId written_anywhere = 0, read_anywhere = 0;
    std::map<std::int64_t, AddressId> addresses{};
    // The offset that stands for this one; any_offset where it leaves the object.
    std::int64_t normal(std::int64_t offset) const;
  };

  void propagate(NodeId node);
  void apply(const Constraint& constraint, AddressId address);
  void link(NodeId from, NodeId to);
  NodeId cell(ObjectIndex object, std::int64_t offset);
  template <class Visit>
  void for_each_cell(const AbstractAddress& at, std::uint64_t bytes, const Visit& visit);

  std::uint32_t word_bytes_;
  std::uint64_t work_limit_;
  std::uint64_t work_ = 0;
  std::vector<AbstractObject> objects_{};
  std::vector<Memory> memory_{};
  std::vector<AbstractAddress> addresses_{AbstractAddress{}};  // 0 is unknown_address
  std::vector<Node> nodes_{Node{}};
  NodeId stored_through_unknown_ = 0;
  std::vector<NodeId> waiting_{};
  std::unordered_set<std::uint64_t> links_{};
  std::vector<FoundCall> calls_{};
};

}  // namespace heddle::passes
