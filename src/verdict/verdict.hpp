// The answer, which cannot lie: evidence travels with the claim. No Unsafe without
// a trace, no Safe without a reason, and a search that was cut anywhere is Unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.hpp"
#include "ir/ids.hpp"
#include "verdict/invariant.hpp"
#include "verdict/property.hpp"

namespace heddle::verdict {

using ThreadNumber = std::uint32_t;  // 0 is main, k the k-th thread created

// One edge taken by one thread. `input` is present exactly if the step consumed
// one: a Havoc, or the first read of unset memory.
struct Step {
  ThreadNumber thread = 0;
  ir::EdgeId edge{};
  std::optional<std::uint64_t> input{};
  auto operator<=>(const Step&) const = default;
};

struct Trace {
  std::vector<Step> steps{};
};

// What is wrong at the end of the trace.
struct Violation {
  Check check = Check::assertion;
  // The thread to blame and the edge that it has just taken (Fail) or is about to take (all
  // others). A deadlock names each stuck thread in `stuck` instead.
  ThreadNumber thread = 0;
  ir::EdgeId edge{};
  // A race's other access.
  std::optional<ThreadNumber> other_thread{};
  ir::EdgeId other_edge{};
  std::vector<ThreadNumber> stuck{};
  std::string text{};  // one sentence fragment: "null pointer dereferenced"
};

// Everything the program can do was looked at.
struct ExhaustedSearch {
  std::uint64_t states = 0;
  std::uint64_t steps = 0;
  std::uint64_t executions = 0;  // that stand for all others, where states were not remembered
};
// All loops were unrolled as far as any execution goes.
struct ExhaustedUnrolling {
  std::uint32_t bound = 0;   // rounds of loops whose end was not known beforehand
  std::uint64_t events = 0;  // memory events of the unrolled program
};
// An invariant that holds at the start, that every step keeps, and that no violation satisfies.
using Proof = std::variant<ExhaustedSearch, ExhaustedUnrolling, InductiveInvariant>;

enum class Gap {
  time,
  memory,
  bound,        // a value range, loop or thread bound of ours cut the search
  unsupported,  // a construct that we do not model
  technique,    // what was asked, or the program, is beyond the engine that was chosen
  undefined,    // undefined behaviour that the property does not ask about
};

struct Progress {
  std::uint64_t states = 0;
  std::uint64_t steps = 0;
  std::uint64_t depth = 0;        // longest execution seen
  std::uint32_t bound = 0;        // loops were unrolled so often without a violation; 0: not at all
  std::uint64_t executions = 0;   // run from start to end, where states are not remembered
  std::optional<double> share{};  // estimate of the part of all executions that was looked at
};

struct Safe {
  Proof proof{};
};
struct Unsafe {
  Trace trace{};
  Violation violation{};
};
struct Unknown {
  Gap gap = Gap::time;
  std::string detail{};  // what stopped us, as a sentence fragment
  base::SourceRange source{};
  Progress reached{};
};
using Verdict = std::variant<Safe, Unsafe, Unknown>;

}  // namespace heddle::verdict
