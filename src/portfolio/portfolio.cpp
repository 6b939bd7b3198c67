#include "portfolio/portfolio.hpp"

#include <new>
#include <utility>

#include "base/check.hpp"
#include "check/replay.hpp"
#include "engine/explore/explore.hpp"
#include "passes/insert_checks.hpp"
#include "passes/pipeline.hpp"

namespace heddle::portfolio {

ir::Program prepare(ir::Program program, const verdict::Property& property) {
  if (property.has(verdict::Check::overflow))
    program = passes::insert_overflow_checks(std::move(program));
  return passes::simplify(std::move(program));
}

Answer solve(ir::Program program, const verdict::Property& property, const base::Budget& budget,
             const Options& options, engine::Listener& listener) {
  Answer answer;
  answer.program = prepare(std::move(program), property);
  engine::explore::Explore explore(options.explore);
  try {
    answer.verdict = explore.run(answer.program, property, budget, listener);
  } catch (const std::bad_alloc&) {
    answer.verdict =
        verdict::Unknown{verdict::Gap::memory, "the system gave no more memory", {}, {}};
  }
  answer.statistics = explore.statistics();
  if (const auto* unsafe = std::get_if<verdict::Unsafe>(&answer.verdict)) {
    check::ReplayResult replayed =
        check::replay(answer.program, property, unsafe->trace, unsafe->violation);
    CHECK(replayed.confirmed, "a trace of the engine '" + std::string(explore.name()) +
                                  "' replays, but: " + replayed.reason);
    answer.trace = std::move(replayed.trace);
  }
  return answer;
}

}  // namespace heddle::portfolio
