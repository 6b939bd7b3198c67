// A replayed trace with what each step was seen to do: values, objects, threads
// created. Made by `check` alone, while it replays; reports print it and add nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/ids.hpp"
#include "verdict/verdict.hpp"

namespace heddle::verdict {

// What one step did. Values are raw bits, zero-extended, of type `type`.
struct Observation {
  ThreadNumber thread = 0;
  ir::EdgeId edge{};
  std::optional<std::uint64_t> input{};    // the value the step took from outside
  std::optional<std::uint64_t> read{};     // from memory
  std::optional<std::uint64_t> written{};  // to memory, or to the register `object`
  ir::TypeId type{};                       // of the values; none where there is no value
  // The place touched: "x", "a[2]", "s.next", "heap block from line 12, offset 4", or the name of
  // a local variable that is assigned. Empty where the step touches nothing with a name.
  std::string object{};
  bool shared = false;  // the place is memory (which other threads may see), not a local variable
  std::optional<ThreadNumber> created{};  // the thread that the step started
};

// Why a thread of a deadlock cannot go on.
struct Waiting {
  ThreadNumber thread = 0;
  ir::EdgeId edge{};     // the Await at which it is blocked
  std::string object{};  // what it waits for
  std::optional<ThreadNumber>
      holder{};  // the thread that would have to end the wait, if one is known
  bool holder_ended = false;
};

struct AnnotatedTrace {
  std::vector<Observation> steps{};  // one for each step of the trace
  Violation violation{};
  // By thread number: the user's function that the thread runs ("main", "worker").
  std::vector<std::string> routines{};
  std::vector<Waiting> waiting{};  // deadlock: one for each stuck thread
  std::string object{};            // race, invalid access: the place concerned; else empty
};

}  // namespace heddle::verdict
