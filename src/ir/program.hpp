// A whole concurrent C program: types, globals, functions, and one control-flow
// automaton per function. Built once by ProgramBuilder, immutable afterwards,
// shared by const reference. Holds no analysis results and no engine state.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "ir/expr.hpp"
#include "ir/ids.hpp"
#include "ir/statement.hpp"
#include "ir/sync_op.hpp"
#include "ir/type.hpp"

namespace heddle::ir {

struct SourceFile {
  std::string name{};  // as the user gave it, or as `#line` markers name it
  std::string text{};  // empty if not available
};

struct Register {
  std::string name{};       // the C variable's name, or "%n" for a temporary
  TypeId type{};            // scalar
  FunId function{};         // owner
  std::uint32_t index = 0;  // position in the owner's Function::registers
  bool temporary = false;
};

// Part of a global's initial contents. All bytes not covered are zero.
struct Initializer {
  std::uint64_t offset = 0;
  ExprId value{};  // constant: no registers
  BitRange bits{};
};

enum class GlobalKind {
  variable,
  string_literal,
  external,  // declared but not defined anywhere: contents unset
};
enum class Storage { process, thread };  // thread: one copy a thread

struct Global {
  std::string name{};  // unique in the program
  TypeId type{};
  GlobalKind kind = GlobalKind::variable;
  Storage storage = Storage::process;
  std::vector<Initializer> initializers{};
  base::SourceRange source{};
};

enum class Origin { user, model };  // model: from the model library, not from the user's text

struct Function {
  std::string name{};  // unique in the program
  TypeId type{};       // as lowered: struct results and parameters are pointers
  std::vector<RegId> parameters{};
  std::vector<RegId> registers{};  // all of the frame, parameters first
  LocId entry{};
  std::vector<LocId> locations{};  // in source order
  Origin origin = Origin::user;
  std::optional<SyncOp> sync{};  // model functions only
  base::SourceRange source{};
};

struct Location {
  FunId function{};
  std::vector<EdgeId> out{};  // more than one: every edge is an Assume, and they exclude each other
  bool loop_head = false;
};

struct Edge {
  LocId from{}, to{};  // `to` is not reached by Return, Exit and Unsupported
  Statement statement{};
  base::SourceRange source{};
};

// Something taken for granted that the user should know of.
struct Assumption {
  std::string text{};
  base::SourceRange source{};
};

class ProgramBuilder;

class Program {
 public:
  DataModel data_model() const { return data_model_; }
  FunId entry() const { return entry_; }  // runs the constructors and main, then ends the process
  FunId main() const { return main_; }    // the user's main

  const Type& type(TypeId id) const { return types_[id.value]; }
  const Expr& expr(ExprId id) const { return exprs_[id.value]; }
  const Register& reg(RegId id) const { return registers_[id.value]; }
  const Global& global(GlobalId id) const { return globals_[id.value]; }
  const Function& function(FunId id) const { return functions_[id.value]; }
  const Location& location(LocId id) const { return locations_[id.value]; }
  const Edge& edge(EdgeId id) const { return edges_[id.value]; }
  const SourceFile& file(base::FileId id) const { return files_[id.value]; }
  std::span<const EdgeId> out(LocId id) const { return locations_[id.value].out; }

  std::span<const Type> types() const { return types_; }
  std::span<const Expr> exprs() const { return exprs_; }
  std::span<const Register> registers() const { return registers_; }
  std::span<const Global> globals() const { return globals_; }
  std::span<const Function> functions() const { return functions_; }
  std::span<const Location> locations() const { return locations_; }
  std::span<const Edge> edges() const { return edges_; }  // removed edges stay, out of every `out`
  std::span<const SourceFile> files() const { return files_; }
  std::span<const Assumption> assumptions() const { return assumptions_; }

  FunId function_of(EdgeId id) const { return location(edge(id).from).function; }
  TypeId pointee(ExprId address) const { return type(expr(address).type).element; }
  // Text of a source line without its newline; empty where the text is not available.
  std::string_view line_text(base::FileId file, std::uint32_t line) const;

 private:
  friend class ProgramBuilder;

  DataModel data_model_ = DataModel::lp64;
  FunId entry_, main_;
  std::vector<Type> types_{};
  std::vector<Expr> exprs_{};
  std::vector<Register> registers_{};
  std::vector<Global> globals_{};
  std::vector<Function> functions_{};
  std::vector<Location> locations_{};
  std::vector<Edge> edges_{};
  std::vector<SourceFile> files_{};
  std::vector<Assumption> assumptions_{};
};

}  // namespace heddle::ir
