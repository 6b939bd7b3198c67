// Unbounded proofs for sequential programs: the automaton as Horn clauses over integers, solved
// by Spacer. Takes a program whose entry function calls nobody and starts no thread, which is
// what sequentialization makes of a concurrent one. Answers Safe with an inductive invariant, or
// Unknown; violations are for others to find. Its Safe is a claim that `check` has to confirm.
#pragma once

#include <optional>
#include <string_view>

#include "engine/engine.hpp"
#include "engine/sequential/explorer.hpp"
#include "engine/sequential/options.hpp"

namespace heddle::engine::sequential {

class Sequential : public Engine {
 public:
  explicit Sequential(Options options = {}) : options_(options) {}

  std::string_view name() const override { return "sequential"; }
  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, Listener& listener) override;
  const Statistics& statistics() const { return statistics_; }

 private:
  verdict::Verdict attempt(const ir::Program& program, const machine::Memory& memory,
                           MemoryMap& map, Explorer& explorer, Wrapping wrapping,
                           const base::Budget& budget);
  std::optional<verdict::Unknown> explore(Explorer& explorer, Arithmetic& arithmetic,
                                          const base::Budget& budget);

  Options options_;
  Statistics statistics_{};
};

}  // namespace heddle::engine::sequential
