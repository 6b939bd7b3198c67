// The user's part of a program as C that compiles, reads well and means the same:
// names are kept, types have their exact layout, library functions are called by
// name, blocks stand in source order and jumps only go where control really jumps.
// Differs from the source in that every memory access is a statement of its own.
#pragma once

#include <functional>
#include <string>

#include "ir/program.hpp"

namespace heddle::ir {

enum class CForm {
  concurrent,  // thread operations are calls of the library
  // For verifiers of sequential programs. Only `main` is defined; of other functions nothing
  // but the address is used. Every Fail is a call of reach_error(), and whatever ends an
  // execution a call of abort().
  sequential,
};

struct CStyle {
  CForm form = CForm::concurrent;
  // Said in a comment before the edge's statement, if it is not what was said last; empty: nothing.
  std::function<std::string(EdgeId)> comment{};
  // No execution of a frame comes there twice, though the graph has a cycle; empty: nothing is
  // known.
  std::function<bool(EdgeId)> once{};
};

std::string to_c(const Program& program, const CStyle& style = {});

}  // namespace heddle::ir
