// What must hold of the programs that both schemes of sequentialization make: they are
// asked about errors only, and within their bounds they say what the oracle says.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/hash.hpp"
#include "engine/bmc/bmc.hpp"
#include "engine/explore/explore.hpp"
#include "frontend/frontend.hpp"
#include "generate/judge.hpp"
#include "passes/pipeline.hpp"
#include "portfolio/invariants.hpp"
#include "portfolio/sequential_text.hpp"
#include "portfolio/sequentialized.hpp"
#include "sequentialize/lazy.hpp"
#include "sequentialize/mu.hpp"

namespace heddle::generate {
namespace {

using namespace heddle::sequentialize;

// Where there is an answer it is mostly found at once; nearly all the time goes into the others.
std::chrono::milliseconds time_of(const Judge& judge) {
  return std::chrono::milliseconds(judge.limits().sequential_milliseconds);
}

void compare_errors(Judge& judge, engine::Engine& engine, const ir::Program& program) {
  judge.compare(engine, Question::error, program, budget_of(time_of(judge)), Unanswered::counted);
}

// Of some programs the loops are unrolled; mostly often enough.
std::optional<std::uint32_t> unwinding(std::uint64_t bits) {
  if ((bits >> 20 & 3) != 0) return std::nullopt;
  return 1 + static_cast<std::uint32_t>(bits >> 22 & 3);
}

// ---- texts -----------------------------------------------------------------------

Answer unrolled(Judge& judge, const ir::Program& program) {
  engine::bmc::Bmc bmc({.bounds = {3}, .free_iterations = 40});
  return judge.opinion(bmc, time_of(judge), program);
}

// The text cannot say that a bound was reached, so that it is safe says nothing by itself; but
// then the program that it was printed from may not be unsafe within the same bounds, nor safe
// where the text is not.
void compare_text(Judge& judge, const ir::Program& program, const portfolio::Scheme& scheme) {
  constexpr std::size_t longest_text =
      500'000;  // simplifying one function of that size takes seconds
  const verdict::Property property = property_of(Question::error);
  const std::string text = portfolio::sequential_c(program, property, scheme);
  if (text.size() > longest_text) return judge.leave_open("the text is too long to read again");
  const Answer printed =
      unrolled(judge, passes::simplify(frontend::parse_text("sequential.c", text)));
  if (printed == Answer::unknown) return;
  const Answer oracle = judge.expected(Question::error);
  if (printed == Answer::unsafe && oracle == Answer::safe)
    judge.reject("unsafe instead of safe", "");
  if (oracle != Answer::unsafe) return;
  const Answer unprinted =
      unrolled(judge, portfolio::sequential_to_print(program, property, scheme).program);
  if (unprinted != Answer::unknown && unprinted != printed)
    judge.reject(
        fmt::format("the text is {}, the program is {}", to_string(printed), to_string(unprinted)),
        "");
}

// ---- the threads in turn ---------------------------------------------------------

// Switches and forms are bits of the mixed seed.
LazyOptions lazy_options(std::uint64_t seed) {
  const std::uint64_t bits = base::mix(seed + 2);
  LazyOptions options;
  constexpr std::array forms{Scheduler::rounds, Scheduler::statements, Scheduler::next_thread,
                             Scheduler::rounds};
  options.scheduler = forms[bits % forms.size()];
  if ((bits & 4) == 0) options.pc = PcForm::array;
  if ((bits & 24) == 0) options.join_local = Switch::off;
  if ((bits & 128) == 0) options.conflicts = Switch::off;
  if ((bits & 256) == 0) options.markers = Switch::on;
  if ((bits & 1536) == 0) options.justified = Switch::off;
  options.limits.unwind = unwinding(bits);
  return options;
}

void compare_lazy(Judge& judge, const ir::Program& program) {
  LazyOptions options = lazy_options(judge.limits().seed);
  if (judge.wants(Comparison::lazy_bmc)) {
    judge.begin("lazy");
    portfolio::Lazy engine(options, {.bounds = {1, 2, 3, 4, 6}},
                           {.explorer = portfolio::Explorer::not_asked});
    compare_errors(judge, engine, program);
  }
  // Without a bound on rounds, only what goes beyond those on threads and recursion may stay open.
  if (judge.wants(Comparison::lazy)) {
    judge.begin("lazily sequentialized");
    engine::explore::Explore explorer;
    compare_errors(judge, explorer, sequentialize_lazily(program, Facts(program), options).program);
  }
  if (judge.wants(Comparison::lazy_printed)) {
    judge.begin("lazily sequentialized, printed");
    options.rounds = 3;
    compare_text(judge, program, options);
  }
}

// ---- memory unwinding ------------------------------------------------------------

struct Variant {
  Comparison comparison;
  MuVariant variant;
};
constexpr std::array variants{Variant{Comparison::mu_explicit, MuVariant::explicit_reads},
                              Variant{Comparison::mu_implicit, MuVariant::implicit_reads},
                              Variant{Comparison::mu_mixed, MuVariant::mixed_reads},
                              Variant{Comparison::mu_intra, MuVariant::intra_thread},
                              Variant{Comparison::mu_inter, MuVariant::inter_thread}};

MuOptions mu_options(std::uint64_t seed, MuVariant variant) {
  const std::uint64_t bits = base::mix(seed + 2);
  MuOptions options;
  options.variant = variant;
  if ((bits & 7) == 0) options.fresh_blocks = Switch::off;
  if ((bits & 24) == 0) options.quiet_cells = Switch::off;
  if ((bits & 96) == 0) options.main_objects = Switch::off;
  if ((bits & 6144) == 0) options.shared_positions = Switch::off;
  if ((bits & 1536) == 0) options.later_blocks = Switch::on;
  if ((bits & 384) == 0) options.stops = sequentialize::Stops::before_any_step;
  options.limits.unwind = unwinding(bits);
  return options;
}

void compare_unwinding(Judge& judge, const ir::Program& program) {
  for (const Variant& known : variants) {
    if (!judge.wants(known.comparison)) continue;
    judge.begin(to_string(known.comparison));
    engine::bmc::Options limits;
    // With the usual bounds, restricted guesses are tried, too.
    if (judge.limits().seed % 4 != 0) limits.bounds = {1, 2, 3};
    portfolio::Mu mu(mu_options(judge.limits().seed, known.variant), limits);
    compare_errors(judge, mu, program);
    // These would never be reported, but must not be found either.
    if (mu.statistics().unreplayed > 0)
      judge.reject("an execution that is none", mu.statistics().why_unreplayed);
  }
  if (!judge.wants(Comparison::mu_printed)) return;
  for (const Variant& known : variants) {
    judge.begin(to_string(known.comparison) + ", printed");
    MuOptions options = mu_options(judge.limits().seed, known.variant);
    if (!is_coarse(known.variant)) options.positions = 8;
    try {
      compare_text(judge, program, options);
    } catch (const Rejected& rejected) {
      judge.leave_open(rejected.what());
    }
  }
}

}  // namespace

void compare_sequentialized(Judge& judge, const ir::Program& program) {
  if (judge.wants(Comparison::invariants)) {
    judge.begin("invariants");
    portfolio::Invariants engine({}, {});
    judge.consult(engine, std::chrono::seconds(5), program);
  }
  compare_lazy(judge, program);
  compare_unwinding(judge, program);
}

}  // namespace heddle::generate
