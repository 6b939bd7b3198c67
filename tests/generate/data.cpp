// Shared variables of every shape, and the many ways in which C reads and writes them.
#include "generate/data.hpp"

#include <fmt/format.h>

namespace heddle::generate {
namespace {

std::string declare_scalar(Sketch& sketch, const std::string& type) {
  const std::string name = sketch.fresh("x");
  sketch.declare(name, type + " " + name + ";");
  return name;
}

std::string declare_struct_member(Sketch& sketch, bool bit_fields) {
  const std::string tag = sketch.fresh("record");
  const std::string name = sketch.fresh("s");
  const std::string members =
      bit_fields ? "unsigned low : 3; int high : 5; unsigned rest : 9;"
                 : sketch.rng.pick({"short a; unsigned char b; int c;", "_Bool b; long a; int c;"});
  sketch.declare(tag, fmt::format("struct {} {{ {} }};", tag, members));
  sketch.declare(name, fmt::format("struct {} {};", tag, name));
  return name + "." +
         (bit_fields ? sketch.rng.pick({"low", "high", "rest"}) : sketch.rng.pick({"a", "b", "c"}));
}

std::string declare_pointed(Sketch& sketch, const std::string& type) {
  const std::string target = declare_scalar(sketch, type);
  const std::string name = sketch.fresh("p");
  sketch.declare(name, fmt::format("{} *{} = &{};", type, name, target));
  return "*" + name;
}

std::string declare_heap(Sketch& sketch, const std::string& type) {
  const std::string name = sketch.fresh("h");
  sketch.declare(name, fmt::format("{} *{};", type, name));
  if (sketch.rng.chance(50)) {
    sketch.setup.push_back(line(fmt::format("{0} = calloc(1, sizeof *{0});", name)));
  } else {
    sketch.setup.push_back(line(fmt::format("{0} = malloc(sizeof *{0});\n*{0} = 0;", name)));
  }
  return "*" + name;
}

std::string declare_element(Sketch& sketch, const std::string& type) {
  const std::string name = sketch.fresh("a");
  sketch.declare(name, fmt::format("{} {}[2];", type, name));
  return fmt::format("{}[{}]", name, sketch.rng.below(2));
}

// Of the widths that the guard can handle.
std::string whole_type(Sketch& sketch) {
  return sketch.rng.pick({"int", "int", "unsigned", "short", "long", "unsigned short"});
}

std::string declare_plain(Sketch& sketch, const std::string& type) {
  switch (sketch.rng.below(10)) {
    case 0:
    case 1:
      return declare_pointed(sketch, type);
    case 2:
      return declare_heap(sketch, type);
    case 3:
    case 4:
      return declare_element(sketch, type);
    default:
      return declare_scalar(sketch, type);
  }
}

bool is_atomic(const Variable& variable) {
  return variable.guard == Guard::atomic || variable.guard == Guard::builtin;
}

// Mostly the strongest; a weaker one means the same to us, but not to the processor.
std::string any_order(Sketch& sketch, const char* weaker) {
  if (sketch.rng.chance(85)) return "__ATOMIC_SEQ_CST";
  sketch.program.native_exact = false;
  return sketch.rng.chance(50) ? "__ATOMIC_RELAXED" : weaker;
}

std::string constant(Sketch& sketch) {
  return sketch.rng.pick({"0", "1", "1", "2", "3", "5", "7", "-1", "-2", "200", "255u", "4L"});
}

}  // namespace

Variable new_counter(Sketch& sketch, Guard guard) {
  const std::string type = whole_type(sketch);
  Variable variable{{}, guard, sketch.new_lock(guard), type};
  if (guard == Guard::atomic) {
    if (sketch.rng.chance(40)) sketch.include("<stdatomic.h>");
    variable.lvalue = declare_scalar(sketch, "_Atomic " + type);
  } else {
    variable.lvalue = declare_plain(sketch, type);
  }
  return variable;
}

Variable new_variable(Sketch& sketch, Guard guard) {
  if (guard == Guard::atomic || guard == Guard::builtin || sketch.rng.chance(40)) {
    return new_counter(sketch, guard);
  }
  Variable variable{{}, guard, sketch.new_lock(guard), {}};
  const std::string narrow = sketch.rng.pick({"unsigned char", "signed char", "char", "_Bool"});
  switch (sketch.rng.below(5)) {
    case 0:
      variable.lvalue = declare_struct_member(sketch, true);
      break;
    case 1:
      variable.lvalue = declare_struct_member(sketch, false);
      break;
    default:
      variable.lvalue = declare_plain(sketch, narrow);
      break;
  }
  return variable;
}

Expr read(Sketch& sketch, const Variable& variable) {
  const std::string& name = variable.lvalue;
  if (variable.guard == Guard::builtin) {
    return {sketch.rng.chance(70) ? fmt::format("__atomic_load_n(&{}, {})", name,
                                                any_order(sketch, "__ATOMIC_ACQUIRE"))
                                  : fmt::format("__sync_fetch_and_add(&{}, 0)", name),
            {}};
  }
  return {name, {}};
}

Statement write(Sketch& sketch, const Variable& variable, Expr value) {
  const std::string& name = variable.lvalue;
  if (variable.guard == Guard::builtin) {
    return line(sketch.rng.chance(70)
                    ? fmt::format("__atomic_store_n(&{}, $0, {});", name,
                                  any_order(sketch, "__ATOMIC_RELEASE"))
                    : fmt::format("__atomic_exchange_n(&{}, $0, __ATOMIC_SEQ_CST);", name),
                {std::move(value)});
  }
  return line(name + " = $0;", {std::move(value)});
}

Statement increase(Sketch& sketch, const Variable& variable, int by) {
  const std::string& name = variable.lvalue;
  if (variable.guard == Guard::builtin) {
    switch (sketch.rng.below(4)) {
      case 0:
        return line(fmt::format("__sync_fetch_and_add(&{}, {});", name, by));
      case 1:
        return line(fmt::format("__sync_add_and_fetch(&{}, {});", name, by));
      case 2:
        return line(fmt::format("__sync_fetch_and_sub(&{}, {});", name, -by));
      default:
        return line(fmt::format("__atomic_fetch_add(&{}, {}, {});", name, by,
                                any_order(sketch, "__ATOMIC_ACQ_REL")));
    }
  }
  if (variable.guard == Guard::atomic) {
    if (sketch.includes("<stdatomic.h>") && sketch.rng.chance(50)) {
      return line(fmt::format("atomic_fetch_add(&{}, {});", name, by));
    }
    return line(by == 1 ? name + "++;" : fmt::format("{} += {};", name, by));
  }
  if (by == 1 && sketch.rng.chance(40)) return line(fmt::format("({})++;", name));
  if (sketch.rng.chance(50)) return line(fmt::format("{} += {};", name, by));
  return line(fmt::format("{0} = {0} + {1};", name, by));
}

Statement increase_in_two_steps(Sketch& sketch, const Variable& variable, int by) {
  if (is_atomic(variable)) {
    const std::string before = sketch.local("long ");
    Statement load = line(before + " = $0;", {read(sketch, variable)});
    return nest("{\n#0\n}", {std::move(load),
                             write(sketch, variable, {fmt::format("{} + {}", before, by), {}})});
  }
  return increase(sketch, variable, by);
}

Expr any_expr(Sketch& sketch, const std::vector<Expr>& leaves, int depth) {
  Rng& rng = sketch.rng;
  if (depth <= 0 || rng.chance(25)) {
    if (leaves.empty() || rng.chance(40)) return {constant(sketch), {}};
    return rng.pick(leaves);
  }
  const Expr left = any_expr(sketch, leaves, depth - 1);
  switch (rng.below(12)) {
    case 0:
      return {"(unsigned char)($0)", {left}};
    case 1:
      return {rng.pick({"(- $0)", "(~$0)", "(!$0)", "(short)($0)", "(_Bool)($0)"}), {left}};
    case 2:
      return {fmt::format("($0 {} {})", rng.pick({"%", "/"}), rng.between(2, 5)), {left}};
    case 3:
      return {fmt::format("($0 {} {})", rng.pick({"<<", ">>"}), rng.between(1, 3)), {left}};
    case 4:
      return {"($0 ? $1 : $2)", {any_condition(sketch, leaves), left, {constant(sketch), {}}}};
    default:
      return {fmt::format("($0 {} $1)", rng.pick({"+", "+", "+", "-", "-", "*", "&", "|", "^"})),
              {left, any_expr(sketch, leaves, depth - 1)}};
  }
}

Expr any_condition(Sketch& sketch, const std::vector<Expr>& leaves) {
  Rng& rng = sketch.rng;
  const Expr left = leaves.empty() ? Expr{constant(sketch), {}} : rng.pick(leaves);
  const Expr right{constant(sketch), {}};
  switch (rng.below(8)) {
    case 0:
      return {"($0 != $1 && $0 != $2)", {left, right, {constant(sketch), {}}}};
    case 1:
      return {"($0 > $1 || $2)", {left, right, {"__VERIFIER_nondet_bool()", {}}}};
    case 2:
      return {"__VERIFIER_nondet_bool()", {}};
    default:
      return {fmt::format("($0 {} $1)", rng.pick({"==", "!=", "<", "<=", ">", ">="})),
              {left, right}};
  }
}

}  // namespace heddle::generate
