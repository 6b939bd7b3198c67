#include "verdict/property.hpp"

#include <cctype>

#include "base/check.hpp"

namespace heddle::verdict {
namespace {

std::string without_spaces(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) result += c;
  return result;
}

std::optional<Check> check_of_formula(std::string_view formula) {
  if (formula == "G!call(reach_error())" || formula == "G!call(__VERIFIER_error())")
    return Check::error_call;
  if (formula == "G!data-race") return Check::race;
  if (formula == "G!deadlock") return Check::deadlock;
  if (formula == "G!overflow") return Check::overflow;
  if (formula == "Gassert") return Check::assertion;
  if (formula == "Gvalid-free") return Check::free;
  if (formula == "Gvalid-deref") return Check::deref;
  if (formula == "Gvalid-memtrack") return Check::leak;
  return std::nullopt;
}

}  // namespace

Property Property::standard() {
  return {{Check::error_call, Check::assertion, Check::deadlock, Check::race}};
}

std::optional<std::set<Check>> parse_check_group(std::string_view name) {
  if (name == "assert") return {{Check::error_call, Check::assertion}};
  if (name == "deadlock") return {{Check::deadlock}};
  if (name == "race") return {{Check::race}};
  if (name == "memory") return {{Check::deref, Check::free, Check::leak}};
  if (name == "overflow") return {{Check::overflow}};
  return std::nullopt;
}

std::optional<Property> parse_property_file(std::string_view text) {
  static constexpr std::string_view prefix = "CHECK(init(main()),LTL(", suffix = "))";
  const std::string compact = without_spaces(text);
  std::string_view rest = compact;
  Property property;
  while (!rest.empty()) {
    if (!rest.starts_with(prefix)) return std::nullopt;
    const std::size_t next = rest.find("CHECK(", 1);
    std::string_view line = rest.substr(0, next);
    if (!line.ends_with(suffix)) return std::nullopt;
    line.remove_prefix(prefix.size());
    line.remove_suffix(suffix.size());
    const std::optional<Check> check = check_of_formula(line);
    if (!check) return std::nullopt;
    property.checks.insert(*check);
    rest = next == std::string_view::npos ? std::string_view{} : rest.substr(next);
  }
  if (property.checks.empty()) return std::nullopt;
  return property;
}

std::string_view competition_name(Check check) {
  switch (check) {
    case Check::error_call:
    case Check::assertion:
      return "unreach-call";
    case Check::deadlock:
      return "no-deadlock";
    case Check::race:
      return "no-data-race";
    case Check::deref:
      return "valid-deref";
    case Check::free:
      return "valid-free";
    case Check::leak:
      return "valid-memtrack";
    case Check::overflow:
      return "no-overflow";
  }
  CHECK(false, "every check has a name");
  return {};
}

std::string_view to_string(Check check) {
  switch (check) {
    case Check::error_call:
      return "error call";
    case Check::assertion:
      return "assertion";
    case Check::deadlock:
      return "deadlock";
    case Check::race:
      return "data race";
    case Check::deref:
      return "invalid memory access";
    case Check::free:
      return "invalid free";
    case Check::leak:
      return "memory leak";
    case Check::overflow:
      return "signed overflow";
  }
  CHECK(false, "every check has a name");
  return {};
}

}  // namespace heddle::verdict
