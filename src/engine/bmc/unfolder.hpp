// Executes all threads of a program symbolically, up to a bound, and repeats that
// with what it has learnt until it learns nothing new. What is known of the program
// stays from one bound to the next.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "engine/bmc/contexts.hpp"
#include "engine/bmc/facts.hpp"
#include "engine/bmc/loops.hpp"
#include "engine/bmc/objects.hpp"
#include "engine/bmc/options.hpp"
#include "engine/bmc/pointers.hpp"
#include "engine/bmc/state.hpp"
#include "engine/bmc/unfolding.hpp"
#include "machine/memory.hpp"
#include "passes/liveness.hpp"
#include "verdict/property.hpp"

namespace heddle::engine::bmc {

// The unfolding has outgrown the limits, or the time.
struct TooLarge {
  verdict::Gap gap = verdict::Gap::bound;
  std::string detail{};
};

// What an execution does with memory, for the facts.
struct CellUse {
  bool written = false;
  NodeIndex last_write = 0;  // how many nodes the thread had at its last write
  bool read_shared = false;
  bool read_plainly = false;
  bool atomically = false;
};

struct PendingThread {
  ThreadIndex index = 0;
  ir::FunId routine{};
  Term argument{};
  ir::TypeId argument_type{};
  View view{};
};

// What an execution is given.
struct Setting {
  const ir::Program& program;
  const verdict::Property& property;
  const Options& options;
  const base::Budget& budget;
  const machine::Memory& memory;
  Contexts& contexts;
  Objects& objects;
  const Facts& facts;
  std::uint32_t bound = 1;
};

// One symbolic execution of all threads: everything that a thread's executor shares with the rest.
struct Round : Setting {
  explicit Round(const Setting& setting)
      : Setting(setting),
        terms(std::make_unique<smt::Terms>()),
        pointers(*terms, setting.objects, setting.facts, setting.options.most_elements) {}

  std::unique_ptr<smt::Terms> terms;
  Pointers pointers;
  Unfolding unfolding{};
  View initial{};  // memory when the first thread is started; before: as at first
  std::vector<PendingThread> waiting{};
  std::map<std::pair<ThreadIndex, Cell>, CellUse> uses{};
  std::map<ObjectId, std::set<ThreadIndex>> touched{};  // by whom, after the first thread start
  std::map<ObjectId, std::set<std::uint32_t>> boundaries{};
  std::map<ObjectId, Term> blocks{};  // heap blocks: when they are allocated
  std::map<ObjectId, ThreadIndex> allocated_by{};
  std::map<ObjectId, Term> made{};                         // when it has been allocated
  std::map<ObjectId, Term> sizes{};                        // of objects whose size is not constant
  std::map<std::pair<Cell, std::uint32_t>, Term> unset{};  // by cell and version: its value
  std::map<ir::FunId, std::unique_ptr<Loops>> loops{};
  std::map<ir::FunId, std::unique_ptr<passes::Liveness>> liveness{};
  std::uint32_t versions = 0;
  std::uint32_t asleep = 0;  // threads that were started but never run
  // Writes by node and cell: a node has one write of a cell.
  std::map<std::pair<NodeIndex, Cell>, std::uint32_t> writes{};

  const Loops& loops_of(ir::FunId function);
  bool live(ir::LocId at, ir::RegId reg);
  NodeIndex add_node(ThreadIndex thread);
  void tick();  // throws TooLarge
  // Only where nobody tries a lock without waiting for it.
  bool drops_wake_ups();
  Term size_of(ObjectId object);  // in bytes
  // A cell that nobody has written: its value.
  Term default_value(const Cell& cell, std::uint32_t version);

 private:
  std::uint32_t ticks_ = 0;
  std::optional<bool> drops_wake_ups_{};
};

class Unfolder {
 public:
  Unfolder(const ir::Program& program, const verdict::Property& property, const Options& options,
           const base::Budget& budget);

  // Throws TooLarge.
  std::unique_ptr<Round> unfold(std::uint32_t bound);
  std::uint32_t rounds() const { return rounds_; }
  const machine::Memory& memory() const { return memory_; }

 private:
  bool learn(Round& round);
  bool learn_sharing(const Round& round);
  bool learn_values(Round& round);
  bool learn_inputs(Round& round);

  const ir::Program& program_;
  const verdict::Property& property_;
  const Options& options_;
  const base::Budget& budget_;
  machine::Memory memory_;
  Contexts contexts_{};
  Objects objects_;
  Facts facts_{};
  std::uint32_t rounds_ = 0;
};

}  // namespace heddle::engine::bmc
