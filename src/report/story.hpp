// What happened, as the user tells it: a trace of edges becomes rows of source
// lines with what each did. Steps inside the model library hide behind the call in
// the user's text. Decides nothing about layout.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/program.hpp"
#include "verdict/annotated_trace.hpp"

namespace heddle::report {

using verdict::ThreadNumber;

// A stretch of steps of one thread on one source line.
struct Row {
  ThreadNumber thread = 0;
  base::SourceRange source{};
  std::string text{};                  // the source line, trimmed; may be empty
  std::vector<std::string> effects{};  // "reads x = 0", "locks m"
  std::vector<std::string> reads{};    // "x is 0": values read here, for the explanation at the end
};

// Where a thread stands after the last step.
struct Standing {
  std::set<std::string> locks{};       // held, as the user names them
  std::vector<ir::EdgeId> calls{};     // the calls it is inside of, outermost first
  std::optional<std::string> waits{};  // what the sync operation is about that it is inside of
};

struct Story {
  std::vector<Row> rows{};
  std::vector<Standing> threads{};  // by thread number
};

Story tell(const ir::Program& program, const verdict::AnnotatedTrace& trace);

// The user's source line behind an edge that `standing` is about to take or has just taken: the
// edge's own, or that of the call that led into the model library. Unknown if there is none.
base::SourceRange user_source(const ir::Program& program, const Standing& standing,
                              ir::EdgeId edge);

}  // namespace heddle::report
