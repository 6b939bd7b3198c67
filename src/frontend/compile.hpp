// Runs Clang on one translation unit. Rejects what is not a C source file before
// Clang sees it, and turns Clang's errors into an InputError.
#pragma once

#include <clang/Frontend/ASTUnit.h>

#include <memory>
#include <string>
#include <vector>

#include "ir/type.hpp"

namespace heddle::frontend {

struct SourceText {
  std::string name;
  std::string text;
};

// Throws InputError if the file cannot be read or is evidently no C source.
SourceText read_source(const std::string& path);

std::unique_ptr<clang::ASTUnit> compile(const SourceText& source, ir::DataModel model,
                                        const std::vector<std::string>& user_flags);

}  // namespace heddle::frontend
