// Looks for an invariant of a small sequential program, given as C in which main calls nobody, and
// has it confirmed.
#pragma once

#include <string>
#include <variant>

#include "check/invariant.hpp"
#include "engine/sequential/sequential.hpp"
#include "frontend/frontend.hpp"
#include "ir/builder.hpp"
#include "portfolio/portfolio.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {

// No function here has a body, so none is called.
inline const std::string declarations = R"(
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void);
)";

inline ir::Program started_at_main(const std::string& text, const verdict::Property& property) {
  ir::Program program =
      portfolio::prepare(frontend::parse_text("test.c", declarations + text), property);
  const ir::FunId main = program.main();
  ir::ProgramBuilder builder(std::move(program));
  builder.set_entry(main);
  return std::move(builder).finish();
}

struct Proved {
  ir::Program program{};
  verdict::Verdict verdict{};
  check::InvariantResult checked{};
  engine::sequential::Statistics statistics{};

  const verdict::InductiveInvariant* invariant() const {
    const auto* safe = std::get_if<verdict::Safe>(&verdict);
    return safe == nullptr ? nullptr : std::get_if<verdict::InductiveInvariant>(&safe->proof);
  }
  // "safe" only if it was confirmed.
  std::string answer() const {
    if (const auto* unknown = std::get_if<verdict::Unknown>(&verdict))
      return "unknown: " + unknown->detail;
    if (invariant() == nullptr) return "no invariant";
    return checked.confirmed ? "safe" : "refused: " + checked.reason;
  }
};

inline Proved proved(const std::string& text,
                     const std::set<verdict::Check>& checks = {verdict::Check::error_call,
                                                               verdict::Check::assertion},
                     engine::sequential::Options options = {},
                     base::Budget budget = base::Budget(std::chrono::seconds(60), 4ULL << 30)) {
  const verdict::Property property{checks};
  Proved result;
  result.program = started_at_main(text, property);
  engine::sequential::Sequential sequential(options);
  Silent silent;
  result.verdict = sequential.run(result.program, property, budget, silent);
  result.statistics = sequential.statistics();
  if (const auto* invariant = result.invariant())
    result.checked = check::check_invariant(result.program, property, *invariant, budget);
  return result;
}

}  // namespace heddle::testing
