#include "report/violation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/check.hpp"
#include "ir/print.hpp"

namespace heddle::report {
namespace {

using verdict::AnnotatedTrace;
using verdict::Check;

std::string_view group_of(Check check) {
  switch (check) {
    case Check::error_call:
    case Check::assertion:
      return "assert";
    case Check::deadlock:
      return "deadlock";
    case Check::race:
      return "race";
    case Check::deref:
    case Check::free:
    case Check::leak:
      return "memory";
    case Check::overflow:
      return "overflow";
  }
  CHECK(false, "every check belongs to a group");
  return {};
}

std::string full_place(const ir::Program& program, const base::SourceRange& source) {
  if (!source.known()) return "<unknown place>";
  return fmt::format("{}:{}:{}", program.file(source.file).name, source.line, source.column);
}

std::string place(const ir::Program& program, const base::SourceRange& source) {
  if (!source.known()) return "an unknown place";
  return fmt::format("{}:{}", program.file(source.file).name, source.line);
}

std::string named(const AnnotatedTrace& trace, ThreadNumber thread) {
  return fmt::format("T{} {}", thread, trace.routines[thread]);
}

std::string listed(const std::vector<std::string>& items, std::string_view last_link) {
  std::string result;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) result += i + 1 == items.size() ? fmt::format(" {} ", last_link) : ", ";
    result += items[i];
  }
  return result;
}

std::string access_text(const ir::Program& program, ir::EdgeId edge) {
  const auto sized = [&](std::string_view what, ir::ExprId address) {
    return fmt::format("{} of size {}", what, program.type(program.pointee(address)).size);
  };
  const ir::Statement& statement = program.edge(edge).statement;
  if (const auto* load = std::get_if<ir::Load>(&statement))
    return sized(load->order == ir::MemoryOrder::plain ? "read" : "atomic read", load->address);
  if (const auto* store = std::get_if<ir::Store>(&statement))
    return sized(store->order == ir::MemoryOrder::plain ? "write" : "atomic write", store->address);
  if (const auto* update = std::get_if<ir::Update>(&statement))
    return sized(update->order == ir::MemoryOrder::plain ? "update" : "atomic update",
                 update->address);
  if (const auto* await = std::get_if<ir::Await>(&statement))
    return sized("atomic read", await->address);
  return std::holds_alternative<ir::Free>(statement) ? "free" : "access";
}

std::string locks_text(const Story& story, const AnnotatedTrace& trace, ThreadNumber thread) {
  const std::set<std::string>& locks = story.threads[thread].locks;
  if (locks.empty()) return fmt::format("{} holds no lock", named(trace, thread));
  return fmt::format("{} holds {}", named(trace, thread),
                     listed({locks.begin(), locks.end()}, "and"));
}

std::string racing_access(const ir::Program& program, const Story& story,
                          const AnnotatedTrace& trace, ThreadNumber thread, ir::EdgeId edge) {
  return fmt::format("{} by {} at {}", access_text(program, edge), named(trace, thread),
                     place(program, user_source(program, story.threads[thread], edge)));
}

// The values that the failing thread has read last, where the condition may have come from.
std::string values_read(const Story& story, ThreadNumber thread) {
  for (auto row = story.rows.rbegin(); row != story.rows.rend(); ++row) {
    if (row->thread != thread) continue;
    if (!row->reads.empty()) return listed(row->reads, "and");
    if (row->source.line != story.rows.back().source.line) break;
  }
  return {};
}

std::string title(const verdict::AnnotatedTrace& trace) {
  const verdict::Violation& violation = trace.violation;
  switch (violation.check) {
    case Check::assertion:
      return "assertion failed: " + violation.text;
    case Check::error_call:
      return violation.text.empty() ? "error reached" : "error reached: " + violation.text;
    case Check::overflow:
      return "signed overflow: " + violation.text;
    case Check::race:
      return fmt::format("data race on `{}`", trace.object.empty() ? "memory" : trace.object);
    case Check::deadlock: {
      std::vector<std::string> names;
      for (const ThreadNumber thread : violation.stuck) names.push_back(named(trace, thread));
      return fmt::format("deadlock: {} can never go on", listed(names, "and"));
    }
    case Check::deref:
    case Check::free:
    case Check::leak:
      return violation.text;
  }
  CHECK(false, "every check has a title");
  return {};
}

std::string waiting_text(const ir::Program& program, const Story& story,
                         const AnnotatedTrace& trace, const verdict::Waiting& waiting) {
  const Standing& standing = story.threads[waiting.thread];
  const base::SourceRange source = user_source(program, standing, waiting.edge);
  const std::string object = standing.waits.value_or("").empty() ? waiting.object : *standing.waits;
  std::string text = fmt::format("  {} waits for {} at {}", named(trace, waiting.thread), object,
                                 place(program, source));
  if (!waiting.holder || *waiting.holder >= trace.routines.size()) return text + "\n";
  const std::string holder = named(trace, *waiting.holder);
  if (*waiting.holder == waiting.thread)
    text += ", which it holds itself";
  else if (object != holder)  // else it joins that thread
    text += fmt::format(", held by {}{}", holder, waiting.holder_ended ? ", which has ended" : "");
  return text + "\n";
}

}  // namespace

std::string headline(const ir::Program& program, const Story& story, const AnnotatedTrace& trace,
                     const Style& style) {
  const verdict::Violation& violation = trace.violation;
  base::SourceRange source;
  if (violation.edge.valid())
    source = user_source(program, story.threads[violation.thread], violation.edge);
  if (!source.known() && !story.rows.empty()) source = story.rows.back().source;
  return fmt::format("{}: {} {} [{}]\n", full_place(program, source), style.red("error:"),
                     title(trace), group_of(violation.check));
}

std::string explanation(const ir::Program& program, const Story& story,
                        const AnnotatedTrace& trace) {
  const verdict::Violation& violation = trace.violation;
  switch (violation.check) {
    case Check::race:
      return fmt::format(
          "why: {}, and {}; nothing orders them\n     {}; {}\n",
          racing_access(program, story, trace, violation.thread, violation.edge),
          racing_access(program, story, trace, *violation.other_thread, violation.other_edge),
          locks_text(story, trace, violation.thread),
          locks_text(story, trace, *violation.other_thread));
    case Check::deadlock: {
      std::string text = "why:\n";
      for (const verdict::Waiting& waiting : trace.waiting)
        text += waiting_text(program, story, trace, waiting);
      return text;
    }
    case Check::assertion: {
      const std::string values = values_read(story, violation.thread);
      return fmt::format("why: `{}` is false{}\n", violation.text,
                         values.empty() ? "" : ": " + values);
    }
    case Check::error_call:
    case Check::overflow:
    case Check::deref:
    case Check::free: {
      const std::string values = values_read(story, violation.thread);
      const std::string what =
          violation.check == Check::error_call ? "the error is reached" : violation.text;
      return fmt::format("why: {} in {}{}\n", what, named(trace, violation.thread),
                         values.empty() ? "" : ", with what it read last: " + values);
    }
    case Check::leak:
      return fmt::format("why: {}\n", violation.text);
  }
  CHECK(false, "every check is explained");
  return {};
}

}  // namespace heddle::report
