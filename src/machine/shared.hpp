// A part of a state that several states hold at once. Reading is free; `write()`
// makes a private copy when others hold the same part. The hash is computed once
// per version. Counts are not atomic: a state and its copies stay in one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace heddle::machine {

// What `StateSet` remembers on a part: its number in the set with that serial.
struct InternMark {
  std::uint64_t set = 0;  // 0: in no set
  std::uint32_t number = 0;
};

template <class Part>
class Shared {
 public:
  explicit Shared(Part part) : node_(new Node(std::move(part))) {}
  Shared(const Shared& other) : node_(other.node_) { ++node_->holders; }
  Shared(Shared&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Shared() {
    if (node_ != nullptr && --node_->holders == 0) delete node_;
  }

  const Part& operator*() const { return node_->part; }
  const Part* operator->() const { return &node_->part; }

  Part& write() {
    if (node_->holders > 1) {
      Node* copy = new Node(node_->part);
      --node_->holders;
      node_ = copy;
    } else {
      node_->hash = 0;
      node_->mark = {};
      node_->addresses.reset();
    }
    return node_->part;
  }

  std::uint64_t hash() const {
    if (node_->hash == 0) node_->hash = hash_of(node_->part) | 1;  // 0 means not computed
    return node_->hash;
  }
  InternMark& mark() const { return node_->mark; }
  // Addresses that the part mentions; filled by whoever needs them, dropped on write.
  std::unique_ptr<const std::vector<std::uint64_t>>& addresses() const { return node_->addresses; }

  friend bool operator==(const Shared& a, const Shared& b) {
    return a.node_ == b.node_ || (a.hash() == b.hash() && a.node_->part == b.node_->part);
  }

 private:
  struct Node {
    explicit Node(Part value) : part(std::move(value)) {}
    Part part;
    std::uint32_t holders = 1;
    std::uint64_t hash = 0;
    InternMark mark{};
    std::unique_ptr<const std::vector<std::uint64_t>> addresses{};
  };
  Node* node_;
};

}  // namespace heddle::machine
