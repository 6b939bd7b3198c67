// Which functions, globals and types the printed program needs, and in which order.
#include "ir/c_printer_parts.hpp"

namespace heddle::ir {
namespace {

class Collector {
 public:
  Collector(const Program& program, CForm form) : program_(program), form_(form) {
    find_constructors();
    if (program.main().valid()) add(program.main());
    while (!work_.empty()) {
      const FunId at = work_.back();
      work_.pop_back();
      visit_function(at);
    }
    for (const FunId id : functions_)
      (program.function(id).origin == Origin::user ? parts_.functions : parts_.library)
          .push_back(id);
    parts_.globals.assign(globals_.begin(), globals_.end());
  }
  CParts take() { return std::move(parts_); }

 private:
  // The entry calls them before main.
  void find_constructors() {
    if (program_.entry() == program_.main()) return;
    for (const LocId at : program_.function(program_.entry()).locations)
      for (const EdgeId id : program_.out(at)) {
        const auto* call = std::get_if<Call>(&program_.edge(id).statement);
        if (call == nullptr || program_.expr(call->callee).op != Op::function_address) continue;
        const FunId callee{static_cast<std::uint32_t>(program_.expr(call->callee).payload)};
        if (callee == program_.main() || program_.function(callee).origin == Origin::model)
          continue;
        parts_.constructors.push_back(callee);
        add(callee);
      }
  }

  void add(FunId id) {
    if (!functions_.insert(id).second) return;
    const bool defined = form_ == CForm::sequential ? id == program_.main()
                                                    : program_.function(id).origin == Origin::user;
    if (defined) work_.push_back(id);
    visit_type(program_.function(id).type);
    for (const RegId parameter : program_.function(id).parameters)
      visit_type(program_.reg(parameter).type);
  }

  void add(GlobalId id) {
    if (!globals_.insert(id).second) return;
    visit_type(program_.global(id).type);
    for (const Initializer& part : program_.global(id).initializers) visit_expr(part.value);
  }

  void visit_function(FunId id) {
    for (const RegId reg : program_.function(id).registers) visit_type(program_.reg(reg).type);
    for (const LocId at : program_.function(id).locations)
      for (const EdgeId edge : program_.out(at))
        std::visit([&](const auto& s) { visit_statement(s); }, program_.edge(edge).statement);
  }

  void visit_expr(ExprId id) {
    if (!id.valid()) return;
    const Expr& expr = program_.expr(id);
    if (!seen_exprs_.insert(id).second) return;
    visit_type(expr.type);
    if (expr.op == Op::global_address) add(GlobalId{static_cast<std::uint32_t>(expr.payload)});
    if (expr.op == Op::function_address) add(FunId{static_cast<std::uint32_t>(expr.payload)});
    for (const ExprId operand : expr.operands()) visit_expr(operand);
  }

  void visit_statement(const Skip&) {}
  void visit_statement(const Assign& s) { visit_expr(s.value); }
  void visit_statement(const Havoc&) {}
  void visit_statement(const Assume& s) { visit_expr(s.condition); }
  void visit_statement(const Load& s) { visit_expr(s.address); }
  void visit_statement(const Store& s) { visit_expr(s.address), visit_expr(s.value); }
  void visit_statement(const Update& s) {
    visit_expr(s.address), visit_expr(s.operand), visit_expr(s.expected);
  }
  void visit_statement(const Call& s) {
    visit_expr(s.callee);
    for (const ExprId arg : s.args) visit_expr(arg);
  }
  void visit_statement(const Return& s) {
    if (s.value) visit_expr(*s.value);
  }
  void visit_statement(const Spawn& s) { visit_expr(s.routine), visit_expr(s.argument); }
  void visit_statement(const Await& s) { visit_expr(s.address), visit_expr(s.condition); }
  void visit_statement(const Atomic&) {}
  void visit_statement(const Alloc& s) { visit_expr(s.size); }
  void visit_statement(const Free& s) { visit_expr(s.address); }
  void visit_statement(const ObjectSize& s) { visit_expr(s.address); }
  void visit_statement(const Clobber& s) { visit_expr(s.address); }
  void visit_statement(const Self&) {}
  void visit_statement(const Fail&) {}
  void visit_statement(const Exit&) {}
  void visit_statement(const Unsupported&) {}

  void visit_type(TypeId id) {
    types_.push_back(id);
    while (!types_.empty()) {
      const TypeId next = types_.back();
      types_.pop_back();
      define(next);
    }
  }
  // Members and elements come before what contains them. Pointees may come later, and must not
  // come on the way: they may contain what is being defined.
  void define(TypeId id) {
    if (!seen_types_.insert(id).second) return;
    const Type& type = program_.type(id);
    if (type.element.valid()) types_.push_back(type.element);
    types_.insert(types_.end(), type.parameters.begin(), type.parameters.end());
    if (type.kind != TypeKind::record) return;
    for (const Field& field : type.fields) {
      types_.push_back(field.type);
      TypeId contained = field.type;
      while (program_.type(contained).kind == TypeKind::array)
        contained = program_.type(contained).element;
      if (program_.type(contained).kind == TypeKind::record) define(contained);
    }
    parts_.records.push_back(id);
  }

  const Program& program_;
  const CForm form_;
  CParts parts_{};
  std::set<FunId> functions_{};
  std::set<GlobalId> globals_{};
  std::set<TypeId> seen_types_{};
  std::set<ExprId> seen_exprs_{};
  std::vector<FunId> work_{};
  std::vector<TypeId> types_{};  // yet to be looked at
};

}  // namespace

CParts collect_parts(const Program& program, CForm form) { return Collector(program, form).take(); }

}  // namespace heddle::ir
