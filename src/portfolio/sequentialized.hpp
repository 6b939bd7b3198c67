// Checks a concurrent program by way of a sequential one: sequentializes it within
// bounds that rise by themselves, runs bmc on the result, and turns what that finds back
// into an interleaving of the input, which is replayed before anybody sees it.
#pragma once

#include <cstdint>
#include <string>
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

// The sequential program as C, with the input's lines as comments. Throws sequentialize::Rejected.
std::string sequential_c(const ir::Program& program, const verdict::Property& property,
                         sequentialize::LazyOptions options);

class Lazy : public engine::Engine {
 public:
  // `backend`: the command of another verifier, asked first; empty: none.
  Lazy(sequentialize::LazyOptions options, engine::bmc::Options bmc, std::string backend = {})
      : options_(std::move(options)), bmc_(std::move(bmc)), backend_(std::move(backend)) {}

  std::string_view name() const override { return "lazy"; }
  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, engine::Listener& listener) override;
  const SequentializedStatistics& statistics() const { return statistics_; }
  const engine::bmc::Statistics& bmc_statistics() const { return bmc_statistics_; }

 private:
  verdict::Verdict search(const ir::Program& program, const verdict::Property& property,
                          const base::Budget& budget, engine::Listener& listener);

  sequentialize::LazyOptions options_;
  engine::bmc::Options bmc_;
  std::string backend_;
  SequentializedStatistics statistics_{};
  engine::bmc::Statistics bmc_statistics_{};
};

}  // namespace heddle::portfolio
