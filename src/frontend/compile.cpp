#include "frontend/compile.hpp"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Tooling/Tooling.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/frontend.hpp"

namespace heddle::frontend {
namespace {

constexpr std::size_t errors_shown = 5;

// Collects errors as "file:line:col: error: message" lines.
class ErrorCollector : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error) return;
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    errors_.push_back(place(diagnostic) + "error: " + std::string(message.str()));
  }

  bool any() const { return !errors_.empty(); }

  std::string text() const {
    std::string result;
    for (std::size_t i = 0; i < std::min(errors_.size(), errors_shown); ++i)
      result += (i == 0 ? "" : "\n") + errors_[i];
    if (errors_.size() > errors_shown)
      result += fmt::format("\n({} more errors)", errors_.size() - errors_shown);
    return result;
  }

 private:
  static std::string place(const clang::Diagnostic& diagnostic) {
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return {};
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    const clang::SourceLocation at = sources.getExpansionLoc(diagnostic.getLocation());
    return fmt::format("{}:{}:{}: ", sources.getFilename(at).str(),
                       sources.getExpansionLineNumber(at), sources.getExpansionColumnNumber(at));
  }

  std::vector<std::string> errors_;
};

std::vector<std::string> base_flags(ir::DataModel model) {
  std::vector<std::string> flags = {"-fsyntax-only",
                                    "-x",
                                    "c",
                                    "-w",
                                    "-fno-color-diagnostics",
                                    "-ferror-limit=0",
                                    "-resource-dir",
                                    HEDDLE_CLANG_RESOURCE_DIR,
                                    model == ir::DataModel::ilp32 ? "-m32" : "-m64"};
  // Errors in today's Clang, warnings in the compilers that old code was written for.
  for (const char* legacy :
       {"int-conversion", "implicit-function-declaration", "implicit-int",
        "incompatible-function-pointer-types", "return-type", "return-mismatch",
        "incompatible-pointer-types", "builtin-requires-header", "asm-operand-widths"})
    flags.push_back(fmt::format("-Wno-error={}", legacy));
  return flags;
}

bool chooses_standard(const std::vector<std::string>& flags) {
  return std::any_of(flags.begin(), flags.end(),
                     [](const std::string& flag) { return flag.starts_with("-std="); });
}

struct Attempt {
  std::unique_ptr<clang::ASTUnit> unit;
  std::string errors;  // empty: accepted
};

Attempt attempt(const SourceText& source, ir::DataModel model, const std::string& standard,
                const std::vector<std::string>& user_flags) {
  std::vector<std::string> flags = base_flags(model);
  flags.push_back("-std=" + standard);
  flags.insert(flags.end(), user_flags.begin(), user_flags.end());
  ErrorCollector errors;
  Attempt result;
  result.unit = clang::tooling::buildASTFromCodeWithArgs(
      source.text, flags, source.name, "heddle", std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangSyntaxOnlyAdjuster(), clang::tooling::FileContentMappings(), &errors);
  if (errors.any())
    result.errors = errors.text();
  else if (result.unit == nullptr)
    result.errors = fmt::format("{}: error: the compiler flags are not understood", source.name);
  return result;
}

}  // namespace

SourceText read_source(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(
        fmt::format("{}: error: is a directory; give the C files in it by name", path));
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw InputError(
        fmt::format("{}: error: cannot be read; check the path and its permissions", path));
  std::ostringstream content;
  content << stream.rdbuf();
  SourceText source{path, content.str()};
  if (source.text.find('\0') != std::string::npos)
    throw InputError(
        fmt::format("{}:1:1: error: is a binary file; give C source (.c or .i)", path));
  if (source.text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(
        fmt::format("{}:1:1: error: is empty; a program needs a 'main' function", path));
  return source;
}

std::unique_ptr<clang::ASTUnit> compile(const SourceText& source, ir::DataModel model,
                                        const std::vector<std::string>& user_flags) {
  Attempt first = attempt(source, model, "gnu17", user_flags);
  if (first.errors.empty()) return std::move(first.unit);
  // C23 spellings (bool, nullptr, [[attributes]]) clash with older code, so C23 is tried only
  // where C17 fails; so is a program that uses the name of a library function for itself.
  const bool free_choice = !chooses_standard(user_flags);
  for (const char* other : {"-std=gnu23", "-fno-builtin"}) {
    if (!free_choice && other == std::string_view("-std=gnu23")) continue;
    std::vector<std::string> flags = {other};
    flags.insert(flags.end(), user_flags.begin(), user_flags.end());
    Attempt next = attempt(source, model, "gnu17", flags);
    if (next.errors.empty()) return std::move(next.unit);
  }
  throw InputError(first.errors);
}

}  // namespace heddle::frontend
