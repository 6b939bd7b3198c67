#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "base/check.hpp"
#include "report/story.hpp"
#include "report/table.hpp"
#include "report/violation.hpp"

namespace heddle::report {
namespace {

std::string checks_text(const verdict::Property& property) {
  std::string text;
  std::set<std::string> seen;
  const auto add = [&](std::string name) {
    if (!seen.insert(name).second) return;
    text += (text.empty() ? "" : ", ") + name;
  };
  for (const verdict::Check check : property.checks) {
    switch (check) {
      case verdict::Check::error_call:
      case verdict::Check::assertion:
        add("assertions");
        break;
      case verdict::Check::deadlock:
        add("deadlocks");
        break;
      case verdict::Check::race:
        add("data races");
        break;
      case verdict::Check::deref:
        add("memory accesses");
        break;
      case verdict::Check::free:
        add("frees");
        break;
      case verdict::Check::leak:
        add("leaks");
        break;
      case verdict::Check::overflow:
        add("signed overflows");
        break;
    }
  }
  return text;
}

std::string place(const ir::Program& program, const base::SourceRange& source) {
  return fmt::format("{}:{}", program.file(source.file).name, source.line);
}

bool weak(ir::MemoryOrder order) {
  return order != ir::MemoryOrder::plain && order != ir::MemoryOrder::seq_cst;
}

bool uses_weak_order(const ir::Statement& statement) {
  if (const auto* load = std::get_if<ir::Load>(&statement)) return weak(load->order);
  if (const auto* store = std::get_if<ir::Store>(&statement)) return weak(store->order);
  if (const auto* update = std::get_if<ir::Update>(&statement)) return weak(update->order);
  return false;
}

std::string assumptions_text(const ir::Program& program) {
  std::string text;
  for (const ir::Assumption& assumption : program.assumptions())
    text += fmt::format(
        "  assumed: {}{}\n", assumption.text,
        assumption.source.known() ? fmt::format(" ({})", place(program, assumption.source)) : "");
  for (const ir::Location& location : program.locations())
    for (const ir::EdgeId edge : location.out)
      if (program.function(location.function).origin == ir::Origin::user &&
          uses_weak_order(program.edge(edge).statement))
        return text + fmt::format(
                          "  assumed: atomic accesses are sequentially consistent, although "
                          "weaker orders are asked for ({})\n",
                          place(program, program.edge(edge).source));
  return text;
}

std::string hint(verdict::Gap gap) {
  switch (gap) {
    case verdict::Gap::time:
      return "more time may help: --time 10m";
    case verdict::Gap::memory:
      return "more memory may help: --memory 8G";
    case verdict::Gap::bound:
      return "a bound of ours was reached; narrow the input with __VERIFIER_assume, or make loops "
             "end sooner, to make the search complete";
    case verdict::Gap::unsupported:
      return "leave this construct out, or give the function a body, to get an answer";
    case verdict::Gap::technique:
      return "another engine may know: without --engine, several take turns";
    case verdict::Gap::undefined:
      return "the program has undefined behaviour there; where it is about memory, --check=memory "
             "shows how to get to it";
  }
  CHECK(false, "every gap has a hint");
  return {};
}

struct ProofText {
  std::string operator()(const verdict::ExhaustedSearch& search) const {
    if (search.executions > 0)
      return fmt::format("every interleaving was explored ({} executions stand for all)",
                         search.executions);
    return fmt::format("every interleaving was explored ({} states)", search.states);
  }
  std::string operator()(const verdict::ExhaustedUnrolling& unrolling) const {
    return fmt::format(
        "no order and no values of the {} memory events of the fully unrolled program break it",
        unrolling.events);
  }
  std::string operator()(const verdict::InductiveInvariant& invariant) const {
    return fmt::format(
        "an inductive invariant excludes it (at {} cut point{}, {} variables; checked bit by bit)",
        invariant.at.size(), invariant.at.size() == 1 ? "" : "s", invariant.variables.size());
  }
};

std::string progress_text(const verdict::Progress& reached) {
  std::string text;
  if (reached.bound > 0)
    text += fmt::format("  loops unrolled {} time{}: no violation\n", reached.bound,
                        reached.bound == 1 ? "" : "s");
  if (reached.states > 0)
    text += fmt::format("  {} states seen, {} steps taken, longest execution {} steps\n",
                        reached.states, reached.steps, reached.depth);
  if (reached.executions > 0)
    text += fmt::format(
        "  {} executions run, {} steps taken, longest execution {} steps{}\n", reached.executions,
        reached.steps, reached.depth,
        reached.share ? fmt::format(", about {:.2g} % of all", 100 * *reached.share) : "");
  return text;
}

struct Reporter {
  const ir::Program& program;
  const verdict::Property& property;
  const verdict::AnnotatedTrace& trace;
  const Style& style;

  std::string operator()(const verdict::Safe& safe) const {
    return fmt::format("{} {}; checked: {}\n", style.green("safe:"),
                       std::visit(ProofText{}, safe.proof), checks_text(property)) +
           assumptions_text(program);
  }

  std::string operator()(const verdict::Unsafe&) const {
    const Story story = tell(program, trace);
    std::string text = headline(program, story, trace, style);
    const std::string table = table_of(program, story, trace.routines, style);
    if (!table.empty()) text += "\n" + table;
    return text + "\n" + explanation(program, story, trace) + assumptions_text(program);
  }

  std::string operator()(const verdict::Unknown& unknown) const {
    std::string text;
    if (unknown.source.known())
      text = fmt::format("{}:{}: ", place(program, unknown.source), unknown.source.column);
    text += fmt::format("{} {}\n", style.yellow("unknown:"), unknown.detail);
    text += progress_text(unknown.reached);
    text += fmt::format("  no violation so far; asked: {}\n", checks_text(property));
    return text + "  " + hint(unknown.gap) + "\n" + assumptions_text(program);
  }
};

}  // namespace

std::string text_report(const ir::Program& program, const verdict::Property& property,
                        const verdict::Verdict& verdict, const verdict::AnnotatedTrace& trace,
                        const Style& style) {
  return std::visit(Reporter{program, property, trace, style}, verdict);
}

std::string verdict_line(const verdict::Verdict& verdict) {
  struct Spelling {
    std::string operator()(const verdict::Safe&) const { return "true"; }
    std::string operator()(const verdict::Unsafe& unsafe) const {
      return fmt::format("false({})", verdict::competition_name(unsafe.violation.check));
    }
    std::string operator()(const verdict::Unknown&) const { return "unknown"; }
  };
  return "VERDICT: " + std::visit(Spelling{}, verdict) + "\n";
}

}  // namespace heddle::report
