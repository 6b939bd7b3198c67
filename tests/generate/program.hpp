// A generated program as a small tree, so that it can be shrunk. A node is C text
// with holes: `$0` is filled by an expression, a line `#0` by a block of statements.
// Knows nothing about what its text means.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle::generate {

struct Expr {
  std::string text{};        // "($0 + $1)"; a leaf has no holes
  std::vector<Expr> args{};  // fill $0, $1, ...
};

struct Statement;
using Block = std::vector<Statement>;

struct Statement {
  std::string text{};           // "if ($0) {\n#0\n}"; each #k is alone on its line
  std::vector<Expr> exprs{};    // fill $0, $1, ...
  std::vector<Block> bodies{};  // fill #0, #1, ...
  int group = 0;                // statements of one group only make sense together; 0: none
};

// Printed only where something that is printed mentions its name.
struct Declaration {
  std::string name{};
  std::string text{};
};

struct Function {
  std::string name{};
  std::string head{};  // "void *worker1(void *argument)"
  std::vector<Declaration> locals{};
  Block body{};
};

struct Program {
  std::vector<std::string> includes{};  // "<pthread.h>"
  std::vector<Declaration> declarations{};
  std::vector<Function> functions{};  // callees first, main last
  // Natively compiled, the program means the same as to us: no memory order weaker than
  // sequential consistency, no atomic section next to other means of atomicity.
  bool native_exact = true;
};

std::string to_c(const Expr& expr);
std::string to_c(const Program& program);
// Statements that would be printed, those inside of others included.
std::size_t count_statements(const Program& program);

}  // namespace heddle::generate
