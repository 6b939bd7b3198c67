// Writes the one function of a sequential program: keeps the place where the next
// statement goes, gives every frame of every thread its own registers, and notes which
// step of the concurrent program each new edge stands for.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "sequentialize/sequential.hpp"

namespace heddle::sequentialize {

class Emitter {
 public:
  explicit Emitter(const ir::Program& program);

  ir::ProgramBuilder& build() { return builder_; }
  ir::FunId function() const { return function_; }

  // ---- places ----
  ir::LocId here() const { return at_; }
  ir::LocId fresh() { return builder_.add_location(function_); }
  void go_on_at(ir::LocId at) { at_ = at; }

  // ---- statements, from here on ----
  ir::EdgeId emit(ir::Statement statement, base::SourceRange source = {});
  ir::EdgeId emit_to(ir::LocId to, ir::Statement statement, base::SourceRange source = {});
  void jump(ir::LocId to);
  void assign(ir::RegId to, ir::ExprId value, base::SourceRange source = {});
  void assign(ir::RegId to, std::uint64_t value);
  // Goes to `then` where the condition holds, and on here where it does not.
  void branch(ir::ExprId condition, ir::LocId then, base::SourceRange source = {});
  // Both where it holds and where it does not go on here.
  void where(ir::ExprId condition, const std::function<void()>& then);
  // Executions in which it does not hold are none.
  void assume(ir::ExprId condition, base::SourceRange source = {});
  // An execution that gets here goes beyond a bound of ours.
  void bound(std::string what, base::SourceRange source = {});
  void stands_for(ir::EdgeId emitted, Origin origin);
  // Of all statements from now on.
  void note(std::optional<Note> note) { note_ = note; }

  // ---- registers and values ----
  ir::RegId scalar(std::string name, ir::TypeId type);
  ir::ExprId value(ir::RegId reg) { return builder_.reg(reg); }
  ir::ExprId number(ir::TypeId type, std::uint64_t value) { return builder_.constant(type, value); }
  ir::ExprId equals(ir::RegId reg, std::uint64_t number);
  ir::ExprId differs(ir::RegId reg, std::uint64_t number);
  ir::ExprId both(ir::ExprId left, ir::ExprId right);
  ir::ExprId either(ir::ExprId left, ir::ExprId right);
  // The register of a frame, in a thread, that stands for one of the concurrent program.
  ir::RegId rename(ThreadIndex thread, FrameIndex frame, ir::RegId reg);
  ir::ExprId rename(ThreadIndex thread, FrameIndex frame, ir::ExprId expr);
  // Of a statement that stays what it is.
  ir::Statement rename(ThreadIndex thread, FrameIndex frame, ir::Statement statement);

  Sequential finish(std::vector<std::string> routines, Counters counters) &&;

 private:
  ir::GlobalId copy_of(ThreadIndex thread, ir::GlobalId global);

  const ir::Program& program_;
  ir::ProgramBuilder builder_;
  ir::FunId function_{};
  ir::LocId at_{};
  std::map<std::pair<std::pair<ThreadIndex, FrameIndex>, ir::RegId>, ir::RegId> registers_{};
  std::map<std::pair<ThreadIndex, ir::GlobalId>, ir::GlobalId> copies_{};
  std::map<std::pair<std::pair<ThreadIndex, FrameIndex>, ir::ExprId>, ir::ExprId> renamed_{};
  std::vector<std::pair<ir::EdgeId, Origin>> origins_{};
  std::optional<Note> note_{};
  std::vector<std::pair<ir::EdgeId, Note>> notes_{};
};

}  // namespace heddle::sequentialize
