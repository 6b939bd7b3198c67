// Checks a concurrent program by way of a sequential one: sequentializes it within
// bounds that rise by themselves, runs bmc on the result, and turns what that finds back
// into an interleaving of the input, which is replayed before anybody sees it.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/bmc/options.hpp"
#include "engine/engine.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/sequential.hpp"

namespace heddle::portfolio {

struct SequentializedStatistics {
  sequentialize::Counters last{};  // of the last sequentialization
  std::uint32_t programs = 0;      // sequentialized and checked
  std::uint32_t unreplayed = 0;    // executions that were none of the input
};

class Lazy : public engine::Engine {
 public:
  Lazy(sequentialize::LazyOptions options, engine::bmc::Options bmc)
      : options_(options), bmc_(std::move(bmc)) {}

  std::string_view name() const override { return "lazy"; }
  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, engine::Listener& listener) override;
  const SequentializedStatistics& statistics() const { return statistics_; }
  const engine::bmc::Statistics& bmc_statistics() const { return bmc_statistics_; }

 private:
  sequentialize::LazyOptions options_;
  engine::bmc::Options bmc_;
  SequentializedStatistics statistics_{};
  engine::bmc::Statistics bmc_statistics_{};
};

}  // namespace heddle::portfolio
