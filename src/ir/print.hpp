// Programs as text: the whole IR in a stable form, and the pieces of C that
// reports quote. Readable first: casts that cannot change a value are left out.
// What must compile again is printed by ir/c_printer.hpp instead.
#pragma once

#include <string>
#include <string_view>

#include "ir/program.hpp"

namespace heddle::ir {

// Every part of the program; the same program gives the same text.
std::string to_text(const Program& program);

// A value as C: `x + 1`, `a[i]` never (that is memory: see lvalue_to_c), `&x`, `p`.
std::string expr_to_c(const Program& program, ExprId id);
// The C lvalue at an address: `x` for &x, `p->next`, `a[i]`, `*p`; a register that holds the
// address of a named local stands for that local.
std::string lvalue_to_c(const Program& program, ExprId address);
std::string statement_to_text(const Program& program, const Statement& statement);
// A declaration of `declarator` with this type, as C writes it: `int (*f)(void)`.
// An empty declarator gives the type's name.
std::string type_to_c(const Program& program, TypeId type, std::string_view declarator);

std::string_view to_string(MemoryOrder order);
std::string_view to_string(RmwOp op);
std::string_view to_string(FailKind kind);
// "file.c:12", or "?" where the place is unknown.
std::string place_to_text(const Program& program, const base::SourceRange& source);
// The bytes of a character array as a C string literal, with its quotes; the last zero is implied.
std::string string_literal_to_c(const Program& program, const Global& global);

}  // namespace heddle::ir
