// Declarations of functions that the printed program calls and does not define.
// Compilers know many of them, and complain unless the declaration is theirs.
#include <array>
#include <utility>

#include "ir/c_printer_parts.hpp"
#include "ir/print.hpp"

namespace heddle::ir {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

// SIZE stands for size_t.
constexpr std::array<Entry, 42> standard{{
    {"abort", "void abort(void) __attribute__((noreturn))"},
    {"abs", "int abs(int)"},
    {"atoi", "int atoi(const char *)"},
    {"bcmp", "int bcmp(const void *, const void *, SIZE)"},
    {"bzero", "void bzero(void *, SIZE)"},
    {"calloc", "void *calloc(SIZE, SIZE)"},
    {"exit", "void exit(int) __attribute__((noreturn))"},
    {"_exit", "void _exit(int) __attribute__((noreturn))"},
    {"_Exit", "void _Exit(int) __attribute__((noreturn))"},
    {"free", "void free(void *)"},
    {"labs", "long labs(long)"},
    {"llabs", "long long llabs(long long)"},
    {"malloc", "void *malloc(SIZE)"},
    {"memchr", "void *memchr(const void *, int, SIZE)"},
    {"memcmp", "int memcmp(const void *, const void *, SIZE)"},
    {"memcpy", "void *memcpy(void *, const void *, SIZE)"},
    {"memmove", "void *memmove(void *, const void *, SIZE)"},
    {"mempcpy", "void *mempcpy(void *, const void *, SIZE)"},
    {"memset", "void *memset(void *, int, SIZE)"},
    {"printf", "int printf(const char *, ...)"},
    {"pthread_exit", "void pthread_exit(void *) __attribute__((noreturn))"},
    {"putchar", "int putchar(int)"},
    {"puts", "int puts(const char *)"},
    {"realloc", "void *realloc(void *, SIZE)"},
    {"snprintf", "int snprintf(char *, SIZE, const char *, ...)"},
    {"sprintf", "int sprintf(char *, const char *, ...)"},
    {"stpcpy", "char *stpcpy(char *, const char *)"},
    {"strcat", "char *strcat(char *, const char *)"},
    {"strchr", "char *strchr(const char *, int)"},
    {"strcmp", "int strcmp(const char *, const char *)"},
    {"strcpy", "char *strcpy(char *, const char *)"},
    {"strcspn", "SIZE strcspn(const char *, const char *)"},
    {"strdup", "char *strdup(const char *)"},
    {"strlen", "SIZE strlen(const char *)"},
    {"strncat", "char *strncat(char *, const char *, SIZE)"},
    {"strncmp", "int strncmp(const char *, const char *, SIZE)"},
    {"strncpy", "char *strncpy(char *, const char *, SIZE)"},
    {"strndup", "char *strndup(const char *, SIZE)"},
    {"strpbrk", "char *strpbrk(const char *, const char *)"},
    {"strrchr", "char *strrchr(const char *, int)"},
    {"strspn", "SIZE strspn(const char *, const char *)"},
    {"strstr", "char *strstr(const char *, const char *)"},
}};

}  // namespace

std::string standard_declaration(const Program& program, std::string_view name) {
  const std::string_view size =
      program.data_model() == DataModel::lp64 ? "unsigned long" : "unsigned int";
  for (const auto& [known, declaration] : standard) {
    if (known != name) continue;
    std::string text(declaration);
    for (std::size_t at; (at = text.find("SIZE")) != std::string::npos;) text.replace(at, 4, size);
    return text;
  }
  return {};
}

void declare_library(const Program& program, const CNames& names, FunId function,
                     Externs& externs) {
  const std::string name = names.function(function);
  std::string declaration = standard_declaration(program, name);
  if (declaration.empty()) declaration = type_to_c(program, program.function(function).type, name);
  externs.emplace(name, std::move(declaration));
}

}  // namespace heddle::ir
