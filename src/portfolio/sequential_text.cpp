#include "portfolio/sequential_text.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string_view>

#include "ir/c_printer.hpp"
#include "sequentialize/lazy.hpp"
#include "sequentialize/mu.hpp"

namespace heddle::portfolio {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r") - start + 1);
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
  std::string line(trimmed(input.line_text(source.file, source.line)));
  for (const std::string_view mark : {"*/", "/*"})
    for (std::size_t at = 0; (at = line.find(mark, at)) != std::string::npos;) line[at + 1] = ' ';
  return line.empty() ? text : text + ": " + line;
}

std::set<ir::FailKind> failures_of(const verdict::Property& asked) {
  std::set<ir::FailKind> result;
  if (asked.has(verdict::Check::error_call)) result.insert(ir::FailKind::error_call);
  if (asked.has(verdict::Check::assertion)) result.insert(ir::FailKind::assertion);
  if (asked.has(verdict::Check::overflow)) result.insert(ir::FailKind::overflow);
  return result;
}

}  // namespace

std::string sequential_c(const ir::Program& program, const verdict::Property& property,
                         Scheme scheme) {
  const sequentialize::Facts facts(program);
  std::visit(
      [&](auto& options) {
        options.emission.wording = sequentialize::Wording::plain;
        options.emission.failures = failures_of(property);
      },
      scheme);
  const auto* lazy = std::get_if<sequentialize::LazyOptions>(&scheme);
  const sequentialize::Sequential made =
      lazy != nullptr ? sequentialize::sequentialize_lazily(program, facts, *lazy)
                      : sequentialize::sequentialize_by_unwinding(
                            program, facts, std::get<sequentialize::MuOptions>(scheme));
  ir::CStyle style;
  style.form = ir::CForm::sequential;
  style.comment = [&](ir::EdgeId edge) { return line_comment(made, program, edge); };
  style.once = [&](ir::EdgeId edge) { return made.runs_once(edge); };
  return ir::to_c(made.program, style);
}

}  // namespace heddle::portfolio
