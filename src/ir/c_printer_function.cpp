// A function as C: declarations, then its locations in reverse postorder, so that
// control mostly falls through; a label stands only where something jumps to.
#include <fmt/format.h>

#include <algorithm>

#include "ir/c_printer_contents.hpp"
#include "ir/c_printer_statement.hpp"
#include "ir/print.hpp"

namespace heddle::ir {

// ---- names -----------------------------------------------------------------------

FunctionNames::FunctionNames(const Program& program, const CNames& outer, FunId id)
    : outer_(outer) {
  const Function& function = program.function(id);
  find_objects(program, function);
  for (const RegId reg : function.registers) {
    const Register& known = program.reg(reg);
    const auto object = objects_.find(reg);
    std::string name = known.temporary ? "t" + known.name.substr(1) : known.name;
    if (object != objects_.end() && !object->second->name.empty()) name = object->second->name;
    registers_[reg] = unique(c_identifier(name));
  }
}

std::string FunctionNames::unused(std::string name) const {
  std::string candidate = name;
  for (int suffix = 2; outer_.taken(candidate) || taken_.contains(candidate); ++suffix)
    candidate = fmt::format("{}_{}", name, suffix);
  return candidate;
}

std::string FunctionNames::unique(std::string name) {
  return *taken_.insert(unused(std::move(name))).first;
}

std::optional<std::string> FunctionNames::object(RegId id) const {
  return objects_.contains(id) ? std::optional(registers_.at(id)) : std::nullopt;
}

namespace {

// Every register that a statement writes, for counting its writers.
template <class Visit>
void visit_written(const Statement& statement, const Visit& visit) {
  std::visit(
      [&](const auto& s) {
        if constexpr (requires { s.to; }) visit(s.to);
        if constexpr (requires { s.before; }) visit(s.before);
        if constexpr (requires { s.number; }) visit(s.number);
        if constexpr (requires { s.loaded; }) visit(s.loaded);
        if constexpr (requires { s.result; }) {
          if (s.result) visit(*s.result);
        }
      },
      statement);
}

template <class Visit>
void visit_read(const Statement& statement, const Visit& visit) {
  std::visit(
      [&](const auto& s) {
        if constexpr (requires { s.address; }) visit(s.address);
        if constexpr (requires { s.condition; }) visit(s.condition);
        if constexpr (requires { s.operand; }) visit(s.operand);
        if constexpr (requires { s.expected; }) visit(s.expected);
        if constexpr (requires { s.callee; }) visit(s.callee);
        if constexpr (requires { s.routine; }) visit(s.routine), visit(s.argument);
        if constexpr (requires { s.size; }) visit(s.size);
        if constexpr (requires { s.args; })
          for (const ExprId arg : s.args) visit(arg);
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Return>) {
          if (s.value) visit(*s.value);
        } else if constexpr (requires { s.value; }) {
          visit(s.value);
        }
      },
      statement);
}

}  // namespace

void FunctionNames::find_objects(const Program& program, const Function& function) {
  std::map<RegId, int> writers;
  for (const RegId parameter : function.parameters) ++writers[parameter];
  std::map<RegId, const Alloc*> candidates;
  for (const LocId at : function.locations)
    for (const EdgeId id : program.out(at)) {
      const Statement& statement = program.edge(id).statement;
      visit_written(statement, [&](RegId reg) { ++writers[reg]; });
      const auto* alloc = std::get_if<Alloc>(&statement);
      if (alloc != nullptr && alloc->kind == AllocKind::stack) candidates[alloc->to] = alloc;
    }
  for (const auto& [reg, alloc] : candidates) {
    const Type& pointee = program.type(program.type(program.reg(reg).type).element);
    const Expr& size = program.expr(alloc->size);
    const bool fits = size.op == Op::constant && pointee.complete && size.payload == pointee.size &&
                      pointee.kind != TypeKind::void_type && pointee.kind != TypeKind::function;
    if (writers[reg] == 1 && fits) objects_[reg] = alloc;
  }
}

// ---- control ---------------------------------------------------------------------

namespace {

bool ends(const Statement& statement) {
  return std::holds_alternative<Return>(statement) || std::holds_alternative<Exit>(statement) ||
         std::holds_alternative<Unsupported>(statement);
}

// `left` holds exactly where `right` does not, as the builder writes negations.
bool excludes(const Program& program, ExprId left, ExprId right) {
  const Expr &a = program.expr(left), &b = program.expr(right);
  if (a.op == Op::logical_not && a.args[0] == right) return true;
  if (b.op == Op::logical_not && b.args[0] == left) return true;
  if (a.arity != 2 || b.arity != 2) return false;
  const bool equality = (a.op == Op::eq && b.op == Op::ne) || (a.op == Op::ne && b.op == Op::eq);
  if (equality) return a.args == b.args;
  const bool order = (a.op == Op::lt && b.op == Op::le) || (a.op == Op::le && b.op == Op::lt);
  return order && a.args[0] == b.args[1] && a.args[1] == b.args[0] &&
         program.type(program.expr(a.args[0]).type).kind != TypeKind::floating;
}

class FunctionPrinter {
 public:
  FunctionPrinter(const Program& program, const CNames& outer, FunId id, const CStyle& style,
                  Externs& externs)
      : program_(program),
        function_(program.function(id)),
        id_(id),
        outer_(outer),
        style_(style),
        names_(program, outer, id),
        externs_(externs),
        exprs_(program, names_, ExprStyle::exact) {
    find_order();
    find_uses();
  }

  std::string print() {
    find_labels();
    for (std::size_t i = 0; i < order_.size(); ++i) print_location(i);
    std::string body;
    for (const auto& [label, text] : blocks_) {
      if (labels_.contains(label)) body += fmt::format("L{}:;\n", labels_.at(label));
      for (const std::string& line : text) body += "  " + line + "\n";
    }
    const std::string declared = declarations();
    return fmt::format("{} {{\n{}{}}}\n", signature(), declared, body);
  }

 private:
  struct Block {
    LocId label;
    std::vector<std::string> text;
  };

  // Depth-first from the entry, last edge first, so that the first arm of a branch follows it.
  void find_order() {
    std::vector<std::pair<LocId, std::size_t>> path{{function_.entry, 0}};
    std::set<LocId> seen{function_.entry};
    while (!path.empty()) {
      auto& [at, next] = path.back();
      const auto out = program_.out(at);
      if (next == out.size()) {
        order_.push_back(at);
        path.pop_back();
        continue;
      }
      const EdgeId id = out[out.size() - 1 - next++];
      const Edge& edge = program_.edge(id);
      if (ends(edge.statement)) continue;
      if (!seen.insert(edge.to).second) continue;
      path.push_back({edge.to, 0});
    }
    std::reverse(order_.begin(), order_.end());
  }

  void find_uses() {
    for (const LocId at : order_)
      for (const EdgeId id : program_.out(at)) {
        const Statement& statement = program_.edge(id).statement;
        // A result that nobody reads is not printed.
        if (!std::holds_alternative<Call>(statement) && !std::holds_alternative<Update>(statement))
          visit_written(statement, [&](RegId reg) { used_.insert(reg); });
        const auto* store = std::get_if<Store>(&statement);
        if (store != nullptr) {
          note_written(store->address);
          note_read(store->value);
        } else if (const auto* clobber = std::get_if<Clobber>(&statement);
                   clobber != nullptr && style_.form == CForm::sequential) {
          note_clobbered(clobber->address);
        } else {
          visit_read(statement, [&](ExprId expr) { note_read(expr); });
        }
        if (std::holds_alternative<Alloc>(statement) && may_run_again(id)) again_.insert(id);
      }
  }
  bool may_run_again(EdgeId id) const {
    return !(style_.once && style_.once(id)) && comes_back_to(program_.edge(id).from);
  }
  bool comes_back_to(LocId at) const {
    std::set<LocId> seen;
    std::vector<LocId> work{at};
    while (!work.empty()) {
      const LocId from = work.back();
      work.pop_back();
      for (const EdgeId id : program_.out(from)) {
        if (ends(program_.edge(id).statement)) continue;
        if (program_.edge(id).to == at) return true;
        if (seen.insert(program_.edge(id).to).second) work.push_back(program_.edge(id).to);
      }
    }
    return false;
  }
  // As statement_to_c has it.
  void note_clobbered(ExprId address) {
    const ExprId place = clobbered_place(program_, names_, address);
    if (has_scalars(program_, program_.pointee(place))) note_written(place);
  }
  // To write a variable, or a part of it, is not to use it.
  void note_written(ExprId id) {
    const Expr& expr = program_.expr(id);
    const bool part = expr.op == Op::cast || expr.op == Op::field || expr.op == Op::ptr_add;
    if (part) note_written(expr.args[0]);
    if (expr.op == Op::ptr_add) note_read(expr.args[1]);
    if (part) return;
    const RegId reg{expr.op == Op::reg ? static_cast<std::uint32_t>(expr.payload) : 0};
    if (expr.op != Op::reg || !names_.objects().contains(reg)) return note_read(id);
    used_.insert(reg);
  }
  void note_read(ExprId id) {
    if (!id.valid()) return;
    const Expr& expr = program_.expr(id);
    if (expr.op == Op::reg) read_.insert(RegId{static_cast<std::uint32_t>(expr.payload)});
    for (const ExprId operand : expr.operands()) note_read(operand);
  }

  // Jumps go wherever control does not just fall through; labels count up in the text.
  void find_labels() {
    std::set<LocId> targets;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const LocId next = i + 1 < order_.size() ? order_[i + 1] : LocId::none();
      for (const EdgeId id : program_.out(order_[i]))
        if (!ends(program_.edge(id).statement) &&
            (program_.edge(id).to != next || is_switch(program_.out(order_[i]))))
          targets.insert(program_.edge(id).to);
      const auto out = program_.out(order_[i]);  // both arms to the next: one of them jumps
      const auto same = std::count_if(out.begin(), out.end(),
                                      [&](EdgeId id) { return program_.edge(id).to == next; });
      if (same > 1) targets.insert(next);
    }
    for (const LocId at : order_)
      if (targets.contains(at)) labels_.emplace(at, labels_.size() + 1);
  }
  std::string jump(LocId to) const { return fmt::format("goto L{};", labels_.at(to)); }

  void print_location(std::size_t index) {
    const LocId at = order_[index];
    const LocId next = index + 1 < order_.size() ? order_[index + 1] : LocId::none();
    Block block{at, {}};
    const auto out = program_.out(at);
    if (out.empty()) {
      externs_.emplace("abort", standard_declaration(program_, "abort"));
      if (style_.form == CForm::concurrent)
        block.text.push_back(assume_to_c(style_.form, "0", externs_));
      block.text.push_back("abort();");
    } else if (out.size() == 1) {
      print_edge(out[0], next, block);
    } else {
      print_branch(out, next, block);
    }
    blocks_.push_back(std::move(block));
  }

  void print_edge(EdgeId id, LocId next, Block& block) {
    const StatementContext context{program_, names_, externs_, read_, again_, style_.form};
    block.text = statement_to_c(context, id);
    if (!block.text.empty()) comment_on(id, block);
    const Edge& edge = program_.edge(id);
    if (!ends(edge.statement) && edge.to != next) block.text.push_back(jump(edge.to));
  }

  void comment_on(EdgeId id, Block& block) {
    if (!style_.comment) return;
    const std::string text = style_.comment(id);
    if (text.empty() || text == said_) return;
    block.text.insert(block.text.begin(), "/* " + text + " */");
    said_ = text;
  }

  // Every arm asks whether the same value is some constant.
  bool is_switch(std::span<const EdgeId> out) const {
    if (style_.form != CForm::sequential || out.size() < 3) return false;
    const auto test = [&](EdgeId id) -> const Expr& {
      return program_.expr(std::get<Assume>(program_.edge(id).statement).condition);
    };
    return std::all_of(out.begin(), out.end(), [&](EdgeId id) {
      return test(id).op == Op::eq && test(id).args[0] == test(out[0]).args[0] &&
             program_.expr(test(id).args[1]).op == Op::constant;
    });
  }
  void print_switch(std::span<const EdgeId> out, Block& block) {
    const auto test = [&](EdgeId id) {
      return program_.expr(std::get<Assume>(program_.edge(id).statement).condition);
    };
    block.text.push_back(fmt::format("switch ({}) {{", exprs_.value(test(out[0]).args[0])));
    for (const EdgeId id : out)
      block.text.push_back(
          fmt::format("  case {}: {}", exprs_.value(test(id).args[1]), jump(program_.edge(id).to)));
    externs_.emplace("abort", standard_declaration(program_, "abort"));
    block.text.push_back("  default: abort();");
    block.text.push_back("}");
  }

  void print_branch(std::span<const EdgeId> out, LocId next, Block& block) {
    if (is_switch(out)) return print_switch(out, block);
    std::vector<EdgeId> arms(out.begin(), out.end());
    // The arm that is printed next comes last.
    const auto follows = std::find_if(arms.begin(), arms.end(),
                                      [&](EdgeId id) { return program_.edge(id).to == next; });
    if (follows != arms.end()) std::rotate(follows, follows + 1, arms.end());
    const auto condition = [&](EdgeId id) {
      return std::get<Assume>(program_.edge(id).statement).condition;
    };
    for (std::size_t i = 0; i + 1 < arms.size(); ++i)
      block.text.push_back(fmt::format("if ({}) {}", exprs_.condition(condition(arms[i])),
                                       jump(program_.edge(arms[i]).to)));
    const EdgeId last = arms.back();
    const bool covered =
        arms.size() == 2 && excludes(program_, condition(arms[0]), condition(last));
    if (!covered) {
      block.text.push_back(assume_to_c(style_.form, exprs_.condition(condition(last)), externs_));
    }
    if (program_.edge(last).to != next) block.text.push_back(jump(program_.edge(last).to));
    comment_on(out[0], block);
  }

  // ---- declarations ----

  std::string signature() const {
    std::string parameters;
    for (const RegId reg : function_.parameters) {
      parameters += parameters.empty() ? "" : ", ";
      parameters += type_to_c(program_, program_.reg(reg).type, names_.reg(reg));
      if (!read_.contains(reg)) parameters += " __attribute__((unused))";
    }
    const Type& type = program_.type(function_.type);
    if (parameters.empty())
      parameters = type.variadic ? "" : "void";
    else if (type.variadic)
      parameters += ", ...";
    return type_to_c(program_, type.element,
                     fmt::format("{}({})", outer_.function(id_), parameters));
  }

  std::string declarations() const {
    std::string text;
    for (std::size_t i = function_.parameters.size(); i < function_.registers.size(); ++i) {
      const RegId reg = function_.registers[i];
      if (!used_.contains(reg) && !read_.contains(reg)) continue;
      const auto object = names_.objects().find(reg);
      const bool is_object = object != names_.objects().end();
      const TypeId type =
          is_object ? program_.type(program_.reg(reg).type).element : program_.reg(reg).type;
      text += "  " + type_to_c(program_, type, names_.reg(reg));
      if (!read_.contains(reg)) text += " __attribute__((unused))";
      // Where one function is all threads, no verifier could see that it is written before it is
      // read.
      if (!is_object && style_.form == CForm::sequential) text += " = 0";
      if (is_object && object->second->contents == Contents::zero)
        text += program_.type(type).scalar() ? " = 0" : " = {}";
      text += ";\n";
    }
    return text;
  }

  const Program& program_;
  const Function& function_;
  FunId id_;
  const CNames& outer_;
  const CStyle& style_;
  FunctionNames names_;
  Externs& externs_;
  ExprPrinter exprs_;
  std::vector<LocId> order_{};
  std::set<RegId> used_{}, read_{};
  std::set<EdgeId> again_{};
  std::map<LocId, std::size_t> labels_{};
  std::vector<Block> blocks_{};
  std::string said_{};  // by the last comment
};

}  // namespace

std::string function_definition(const Program& program, const CNames& names, FunId function,
                                const CStyle& style, Externs& externs) {
  return FunctionPrinter(program, names, function, style, externs).print();
}

std::string function_stub(const Program& program, const CNames& names, FunId id) {
  const Function& function = program.function(id);
  std::string parameters;
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    parameters +=
        (i == 0 ? "" : ", ") + type_to_c(program, program.reg(function.parameters[i]).type,
                                         fmt::format("p{} __attribute__((unused))", i));
  if (parameters.empty()) parameters = "void";
  const Type& type = program.type(function.type);
  return fmt::format(
      "{} {{ abort(); }}\n",
      type_to_c(program, type.element, fmt::format("{}({})", names.function(id), parameters)));
}

// By its parameters, which an old-style definition may have other than its type says.
std::string function_declaration(const Program& program, const CNames& names, FunId id) {
  const Function& function = program.function(id);
  std::string parameters;
  for (const RegId reg : function.parameters)
    parameters += (parameters.empty() ? "" : ", ") + type_to_c(program, program.reg(reg).type, "");
  const Type& type = program.type(function.type);
  if (parameters.empty())
    parameters = type.variadic ? "" : "void";
  else if (type.variadic)
    parameters += ", ...";
  return type_to_c(program, type.element, fmt::format("{}({})", names.function(id), parameters));
}

}  // namespace heddle::ir
