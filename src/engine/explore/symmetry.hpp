// States that differ only in which of several alike threads is which count as one. Threads
// are alike if they were created with the same routine and the same argument, and exchanging
// two of them exchanges all that belongs to them: their stacks, their copies of thread-local
// variables, their control blocks, and their numbers wherever these are stored.
//
// The handles that main keeps tell them apart. That does not matter where nobody uses them
// any more, and not while main does nothing but join the threads one after the other: which
// of them it waits for first, nobody can see, and it goes on when all have ended.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/explore/locality.hpp"
#include "engine/explore/symmetry_facts.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

class Symmetry {
 public:
  // All must outlive this. The facts must not refuse.
  Symmetry(const machine::Machine& machine, const Locality& locality, const SymmetryFacts& facts);

  // A state that stands for this one and for all that it counts as the same as; nullopt: itself.
  std::optional<machine::State> canonical(const machine::State& state);

 private:
  using Address = machine::Address;
  using Member = ThreadNumber;

  // What a state says about threads.
  struct View {
    const machine::State& state;
    std::vector<std::size_t> blocks{};  // by thread, from 1 on: the index of its control block
    std::vector<char> movable{};        // by thread
    std::vector<std::pair<Address, ThreadNumber>> holders{};  // words with numbers; not in blocks
    Address block(ThreadNumber thread) const { return state.objects()[blocks[thread - 1]].base; }
    const machine::Object& block_object(ThreadNumber thread) const {
      return *state.objects()[blocks[thread - 1]].object;
    }
  };
  bool find_blocks(View& view) const;
  std::vector<std::vector<Member>> alike(const View& view) const;
  void keep_what_is_told_apart(View& view);
  void keep_what_others_name(View& view) const;
  bool in_order(const View& view, ThreadNumber thread) const;
  void find_holders(View& view) const;
  std::uint64_t signature(const View& view, ThreadNumber thread) const;
  machine::State renamed(const View& view, const std::vector<ThreadNumber>& to) const;
  machine::Thread renamed(const View& view, ThreadNumber from, ThreadNumber to) const;
  void rename_copies(const View& view, const std::vector<ThreadNumber>& to,
                     machine::State& state) const;

  // The control blocks of threads that main joins before it does anything that others see.
  struct Ahead {
    machine::Shared<machine::Thread> main;
    std::vector<std::pair<Address, std::uint64_t>> read{};  // objects and their hashes
    std::vector<std::uint64_t> detached{};                  // of all blocks
    std::vector<Address> joined{};
  };
  const std::vector<Address>& joined_ahead(const View& view);
  Ahead run_ahead(const View& view) const;
  bool only_joins(const machine::State& state, ir::EdgeId next, Ahead& ahead) const;
  bool still_holds(const Ahead& ahead, const View& view) const;
  std::vector<std::uint64_t> detached(const View& view) const;
  std::uint64_t field(const machine::Object& block, std::uint64_t offset, std::uint32_t size) const;

  const machine::Machine& machine_;
  const ir::Program& program_;
  const Locality& locality_;
  const SymmetryFacts& facts_;
  std::uint32_t pointer_bytes_;
  std::vector<Address> global_words_{};                            // that hold numbers
  std::vector<std::vector<std::uint32_t>> number_places_{};        // by FunId: registers, by index
  std::vector<ir::GlobalId> copied_{};                             // thread-local globals
  std::unordered_map<std::uint64_t, std::vector<Ahead>> ahead_{};  // by the hash of main
  bool possible_ = true;
};

}  // namespace heddle::engine::explore
