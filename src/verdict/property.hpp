// What is checked. A set of questions, each answered over all executions.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::verdict {

enum class Check {
  error_call,  // reach_error() or __VERIFIER_error() is called
  assertion,   // assert() fails
  deadlock,
  race,
  deref,  // an access outside of every live object
  free,   // free() of what is not a live heap block
  leak,   // a heap block that nothing points to when the program ends
  overflow,
};

struct Property {
  std::set<Check> checks{};

  bool has(Check check) const { return checks.contains(check); }
  // Assertions, error calls, deadlocks and data races: what `heddle check` asks by default.
  static Property standard();
};

// A group name of --check (assert, deadlock, race, memory, overflow); nullopt if unknown.
std::optional<std::set<Check>> parse_check_group(std::string_view name);
// The text of a competition property file; nullopt if some line is not understood.
std::optional<Property> parse_property_file(std::string_view text);
// "unreach-call", "no-deadlock", "no-data-race", "valid-deref", "valid-free", "valid-memtrack",
// "no-overflow": how the competition names a violation of this check.
std::string_view competition_name(Check check);
std::string_view to_string(Check check);

}  // namespace heddle::verdict
