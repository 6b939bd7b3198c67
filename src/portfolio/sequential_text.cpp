#include "portfolio/sequential_text.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string_view>

#include "base/check.hpp"
#include "ir/c_printer.hpp"
#include "passes/pipeline.hpp"
#include "portfolio/sequentialized.hpp"
#include "sequentialize/lazy.hpp"
#include "sequentialize/legend.hpp"
#include "sequentialize/mu.hpp"

namespace heddle::portfolio {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r") - start + 1);
}

// So that the text may stand in a comment.
std::string commentable(std::string text) {
  for (const std::string_view mark : {"*/", "/*"})
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) text[at + 1] = ' ';
  return text;
}

// The line of the user's text that led here.
std::string line_comment(const sequentialize::Sequential& sequential, const ir::Program& input,
                         ir::EdgeId edge) {
  const std::optional<sequentialize::Note>& note = sequential.notes[edge.value];
  if (!note) return {};
  std::string text = fmt::format("t{} {}", note->thread, sequential.routines[note->thread]);
  const base::SourceRange source = input.edge(note->user).source;
  const ir::Function& function = input.function(input.function_of(note->user));
  if (function.origin == ir::Origin::model) return text + ": starts or ends";
  if (!source.known()) return text;
  text += fmt::format(", {}:{}", input.file(source.file).name, source.line);
  const std::string_view line = trimmed(input.line_text(source.file, source.line));
  return commentable(line.empty() ? text : fmt::format("{}: {}", text, line));
}

std::set<ir::FailKind> failures_of(const verdict::Property& asked) {
  std::set<ir::FailKind> result;
  if (asked.has(verdict::Check::error_call)) result.insert(ir::FailKind::error_call);
  if (asked.has(verdict::Check::assertion)) result.insert(ir::FailKind::assertion);
  if (asked.has(verdict::Check::overflow)) result.insert(ir::FailKind::overflow);
  return result;
}

// ---- what stands above the program ------------------------------------------------

std::string_view words_for(ir::FailKind failure) {
  switch (failure) {
    case ir::FailKind::error_call:
      return "a call of reach_error()";
    case ir::FailKind::assertion:
      return "an assertion that fails";
    case ir::FailKind::overflow:
      return "a signed overflow";
    case ir::FailKind::division_by_zero:
      return "a division by zero";
  }
  CHECK(false, "every failure has its words");
  return {};
}

std::string listed(const std::set<ir::FailKind>& failures) {
  std::string result;
  for (const ir::FailKind failure : failures)
    result += fmt::format("{}{}", result.empty() ? "" : " or ", words_for(failure));
  return result.empty() ? "nothing that was asked about" : result;
}

constexpr std::size_t most_named = 12;  // threads

std::string named(const std::vector<std::string>& routines) {
  std::string result;
  for (std::size_t thread = 0; thread < routines.size() && thread < most_named; ++thread)
    result += fmt::format("{}t{} {}", thread == 0 ? "" : ", ", thread, routines[thread]);
  return result + (routines.size() > most_named ? ", ..." : "");
}

std::string heading(const ir::Program& input, const verdict::Property& asked, const Scheme& scheme,
                    const std::vector<std::string>& routines) {
  const auto* lazy = std::get_if<sequentialize::LazyOptions>(&scheme);
  const base::SourceRange main = input.function(input.main()).source;
  std::string text = fmt::format(
      "{}, without threads (heddle sequentialize --scheme={}).\n\n"
      "reach_error() stands for {}.\n"
      "If an execution gets there, so does one of the program with its threads. If none does, and\n"
      "none gets to an abort() with a comment, the program has no such error.\n",
      main.known() ? input.file(main.file).name : "A program", lazy != nullptr ? "lazy" : "mu",
      listed(failures_of(asked)));
  if (lazy != nullptr && lazy->markers == sequentialize::Switch::on)
    text += "What is marked as a sequentialization error there is no error of the program.\n";
  if (sequential_part(asked).checks != asked.checks)
    text += "Deadlocks, data races and memory errors are not looked for.\n";
  text += fmt::format("\nThreads: {}. t1_x is x of t1. Other names, as far as they are left:\n",
                      named(routines));
  const auto legend =
      std::visit([](const auto& options) { return sequentialize::legend(options); }, scheme);
  for (const auto& [names, meaning] : legend) text += fmt::format("  {:<29}{}\n", names, meaning);
  return fmt::format("/*\n{}*/\n\n", commentable(std::move(text)));
}

}  // namespace

sequentialize::Sequential sequential_to_print(const ir::Program& program,
                                              const verdict::Property& property, Scheme scheme) {
  const sequentialize::Facts facts(program);
  std::visit(
      [&](auto& options) {
        options.emission.wording = sequentialize::Wording::plain;
        options.emission.failures = failures_of(property);
      },
      scheme);
  if (const auto* lazy = std::get_if<sequentialize::LazyOptions>(&scheme))
    return sequentialize::sequentialize_lazily(program, facts, *lazy);
  return sequentialize::sequentialize_by_unwinding(program, facts,
                                                   std::get<sequentialize::MuOptions>(scheme));
}

std::string sequential_c(const ir::Program& program, const verdict::Property& property,
                         const Scheme& scheme) {
  const sequentialize::Sequential made = sequential_to_print(program, property, scheme);
  ir::CStyle style;
  style.form = ir::CForm::sequential;
  style.comment = [&](ir::EdgeId edge) { return line_comment(made, program, edge); };
  style.once = [&](ir::EdgeId edge) { return made.runs_once(edge); };
  const ir::Program shown = passes::simplify(made.program);
  return heading(program, property, scheme, made.routines) + ir::to_c(shown, style);
}

}  // namespace heddle::portfolio
