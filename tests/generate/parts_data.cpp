// Parts about data: free play with all of C's statements over a few shared
// variables, heap cells, pointers that change, struct copies, memory seen in pieces of
// different sizes, threads of threads.
#include <fmt/format.h>

#include <algorithm>

#include "generate/data.hpp"
#include "generate/sketch.hpp"

namespace heddle::generate {
namespace {

// Random statements over a pool of variables that share one guard.
class Player {
 public:
  Player(Sketch& sketch, std::vector<Variable> pool) : sketch_(sketch), pool_(std::move(pool)) {
    for (int i = 0; i < 2; ++i) locals_.push_back(sketch.local(sketch.rng.pick({"int ", "long "})));
  }

  Block block(int count, int depth) {
    Block result;
    for (int i = 0; i < count; ++i) result.push_back(statement(depth));
    return result;
  }
  int cost() const { return cost_; }

 private:
  // At most one shared read an expression, or else the cost runs away.
  std::vector<Expr> leaves() {
    return {read(sketch_, sketch_.rng.pick(pool_)), {sketch_.rng.pick(locals_), {}}};
  }

  Statement statement(int depth) {
    Rng& rng = sketch_.rng;
    const std::size_t choice = rng.below(depth > 0 ? 12 : 7);
    cost_ += 5;
    switch (choice) {
      case 0:
        return increase(sketch_, rng.pick(pool_), rng.between(1, 2));
      case 1:
      case 2:
        return write(sketch_, rng.pick(pool_), any_expr(sketch_, leaves(), 2));
      case 3:
      case 4:
        return line(rng.pick(locals_) + " = $0;", {any_expr(sketch_, leaves(), 2)});
      case 5:
        return check_that(any_condition(sketch_, leaves()));
      case 6:
        return call_helper();
      case 7:
      case 8:
        return branch(depth);
      case 9:
        return loop(depth);
      case 10:
        return switch_on(depth);
      default:
        return block_in_loop_with_break(depth);
    }
  }

  Statement branch(int depth) {
    if (sketch_.rng.chance(50)) {
      return {"if ($0) {\n#0\n}", {any_condition(sketch_, leaves())}, {block(1, depth - 1)}, 0};
    }
    return {"if ($0) {\n#0\n} else {\n#1\n}",
            {any_condition(sketch_, leaves())},
            {block(1, depth - 1), block(1, depth - 1)},
            0};
  }

  Statement loop(int depth) {
    const std::string counter = sketch_.local();
    const int before = cost_;
    Block body = block(1, depth - 1);
    cost_ += cost_ - before + 4;
    return nest(fmt::format("for ({0} = 0; {0} < 2; {0}++) {{\n#0\n}}", counter), std::move(body));
  }

  Statement switch_on(int depth) {
    const std::string fall = sketch_.rng.chance(70) ? "break;" : ";";
    return {
        "switch ($0) {\ncase 0: {\n#0\n}\n" + fall + "\ncase 1: {\n#1\n}\nbreak;\ndefault: ;\n}",
        {any_expr(sketch_, leaves(), 1)},
        {block(1, depth - 1), block(1, depth - 1)},
        0};
  }

  Statement block_in_loop_with_break(int depth) {
    const std::string counter = sketch_.local();
    cost_ += 6;
    return {fmt::format("do {{\n#0\nif ($0) {};\n}} while (++{} < 2);",
                        sketch_.rng.pick({"break", "continue"}), counter),
            {any_condition(sketch_, leaves())},
            {block(1, depth - 1)},
            0};
  }

  Statement call_helper() {
    const std::string name = sketch_.fresh("f");
    const Variable& variable = sketch_.rng.pick(pool_);
    const std::string type = sketch_.rng.pick({"int", "unsigned char", "long", "short"});
    Function helper{name, fmt::format("static {} {}({} a, int b)", type, name, type), {}, {}};
    helper.body = {
        Statement{"if ($0) {\n#0\n}",
                  {any_condition(sketch_, {{"a", {}}, {"b", {}}})},
                  {{write(sketch_, variable, any_expr(sketch_, {{"a", {}}, {"b", {}}}, 1))}},
                  0},
        line("return $0;", {any_expr(sketch_, {{"a", {}}, {"b", {}}}, 2)})};
    sketch_.program.functions.push_back(std::move(helper));
    cost_ += 8;
    return line(fmt::format("{} = {}($0, $1);", sketch_.rng.pick(locals_), name),
                {any_expr(sketch_, leaves(), 1), {std::to_string(sketch_.rng.below(4)), {}}});
  }

  Sketch& sketch_;
  std::vector<Variable> pool_;
  std::vector<std::string> locals_{};
  int cost_ = 0;
};

std::vector<Variable> make_pool(Sketch& sketch, Guard guard) {
  std::vector<Variable> pool{new_variable(sketch, guard)};
  const Guard inner = guard == Guard::atomic || guard == Guard::builtin ? guard : Guard::none;
  while (pool.size() < 2) {
    Variable another = new_variable(sketch, inner);
    another.guard = guard;
    another.lock = pool.front().lock;
    pool.push_back(std::move(another));
  }
  return pool;
}

}  // namespace

void add_free_play(Sketch& sketch) {
  const int roll = sketch.rng.between(1, 10);
  const Guard guard = roll <= 2   ? Guard::none
                      : roll <= 4 ? Guard::atomic
                      : roll <= 5 ? Guard::builtin
                      : roll <= 6 ? Guard::section
                                  : sketch.any_lock_kind();
  const std::vector<Variable> pool = make_pool(sketch, guard);
  for (const std::size_t thread : sketch.pick_threads(2)) {
    for (int attempt = 0; attempt < 4; ++attempt) {
      Player player(sketch, pool);
      Block block = player.block(sketch.rng.between(1, 3), 1);
      const int cost = player.cost() + cost_of(guard);
      if (!sketch.has_room(thread, cost)) continue;
      const bool forgets = sketch.rng.chance(8);
      Variable mine = pool.front();
      if (forgets) mine.guard = Guard::none;
      sketch.add(thread, {guarded(mine, std::move(block))}, cost);
      break;
    }
  }
  const int limit = sketch.rng.between(0, 6);
  sketch.closing.push_back(
      sketch.rng.chance(50)
          ? check_that(any_condition(sketch, {read(sketch, pool.front())}))
          : check_that({fmt::format("$0 != {}", 30 + limit), {read(sketch, pool.back())}}));
}

void add_heap_cell(Sketch& sketch) {
  if (!sketch.everyone_has_room(30)) return;
  const std::string tag = sketch.fresh("cell");
  const std::string cell = sketch.fresh("h");
  const std::string mutex = sketch.new_lock(Guard::mutex);
  sketch.declare(tag, fmt::format("struct {} {{ short value; struct {} *next; }};", tag, tag));
  sketch.declare(cell, fmt::format("struct {} *{};", tag, cell));
  sketch.setup.push_back(line(
      fmt::format("{0} = calloc(1, sizeof *{0});\n{0}->next = calloc(1, sizeof *{0});", cell)));
  const Variable near{cell + "->value", Guard::mutex, mutex, {}};
  const Variable far{cell + "->next->value", Guard::mutex, mutex, {}};
  for (const std::size_t role : sketch.pick_threads(2)) {
    const Variable& mine = sketch.rng.chance(70) ? near : far;
    Variable used = mine;
    if (sketch.rng.chance(15)) used.guard = Guard::none;
    sketch.add(role, {guarded(used, {increase(sketch, mine, 1)})}, 30);
  }
  sketch.closing.push_back(check_that({fmt::format("{} + {} == 2", near.lvalue, far.lvalue), {}}));
  sketch.closing.push_back(line(fmt::format("free({0}->next);\nfree({0});", cell)));
}

void add_pointer_swing(Sketch& sketch) {
  if (!sketch.everyone_has_room(12)) return;
  const std::string pointer = sketch.fresh("p");
  const std::string first = sketch.fresh("x");
  const std::string second = sketch.fresh("x");
  const std::string type = sketch.rng.pick({"int", "short", "long", "_Atomic int"});
  sketch.declare(first, fmt::format("{} {} = 1;", type, first));
  sketch.declare(second, fmt::format("{} {} = 2;", type, second));
  sketch.declare(pointer, fmt::format("{} *{} {} = &{};", type,
                                      sketch.rng.chance(75) ? "_Atomic" : "", pointer, first));
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  const int value = sketch.rng.between(2, 4);
  Block swing{line(fmt::format("{} = {};", second, value)),
              line(fmt::format("{} = &{};", pointer, second))};
  if (sketch.rng.chance(30)) std::swap(swing[0], swing[1]);
  sketch.add(roles[0], std::move(swing), 8);
  const std::string seen = sketch.local("int ");
  sketch.add(roles[1],
             {line(fmt::format("{} = *{};", seen, pointer)),
              check_that({fmt::format("{0} == 1 || {0} == {1}", seen, value), {}})},
             12);
}

void add_struct_fields(Sketch& sketch) {
  if (!sketch.everyone_has_room(26)) return;
  const std::string tag = sketch.fresh("record");
  const std::string name = sketch.fresh("s");
  const std::string mutex = sketch.new_lock(Guard::mutex);
  const std::string members =
      sketch.rng.pick({"unsigned a : 4; unsigned b : 4;", "unsigned char a; unsigned char b;",
                       "short a; int b;", "int a : 7; int c : 2; int b : 9;"});
  sketch.declare(tag, fmt::format("struct {} {{ {} }};", tag, members));
  sketch.declare(name, fmt::format("struct {} {};", tag, name));
  const bool locked = sketch.rng.chance(60);
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  for (int i = 0; i < 2; ++i) {
    const Variable field{fmt::format("{}.{}", name, i == 0 ? "a" : "b"),
                         locked ? Guard::mutex : Guard::none,
                         mutex,
                         {}};
    const std::string copy = "copy" + name;
    Block block{sketch.rng.chance(70)
                    ? increase(sketch, field, 1)
                    : line(fmt::format("{{\nstruct {0} {1} = {2};\n{1}.{3}++;\n{2} = {1};\n}}", tag,
                                       copy, name, i == 0 ? "a" : "b"))};
    sketch.add(roles[static_cast<std::size_t>(i)], {guarded(field, std::move(block))},
               locked ? 30 : 10);
  }
  sketch.closing.push_back(check_that({fmt::format("{0}.a == 1 && {0}.b == 1", name), {}}));
}

// Memory that threads look at in pieces of different sizes.
void add_overlay(Sketch& sketch) {
  if (!sketch.everyone_has_room(30)) return;
  const std::string tag = sketch.fresh("overlay");
  const std::string name = sketch.fresh("u");
  const std::string index = sketch.fresh("i");
  const std::string members = sketch.rng.pick(
      {"unsigned whole; unsigned char part[4];", "unsigned short whole; unsigned char part[2];",
       "unsigned long whole; unsigned part[2];", "int whole; short part[2];"});
  const bool on_heap = sketch.rng.chance(30);
  sketch.declare(tag, fmt::format("union {} {{ {} }};", tag, members));
  sketch.declare(name, fmt::format("union {} {}{};", tag, on_heap ? "*" : "", name));
  sketch.declare(index, fmt::format("unsigned char {};", index));
  if (on_heap) sketch.setup.push_back(line(fmt::format("{0} = calloc(1, sizeof *{0});", name)));
  const std::string place = name + (on_heap ? "->" : ".");
  const Variable whole{place + "whole",
                       sketch.rng.chance(40) ? Guard::mutex : Guard::none,
                       sketch.new_lock(Guard::mutex),
                       {}};
  const auto statement = [&]() -> Statement {
    const std::string part = fmt::format("{}part[{}]", place, sketch.rng.below(2));
    switch (sketch.rng.below(7)) {
      case 0:
        return line(fmt::format("{} = {};", part, sketch.rng.between(1, 2)));
      case 1:
        return line(fmt::format("{}part[{}] = 1;", place, index));
      case 2:
        return line(index + " = 1;");
      case 3:
        return line(fmt::format("{} = {};", whole.lvalue, sketch.rng.pick({"0", "257", "65537"})));
      case 4:
        return line(whole.lvalue + "++;");
      case 5:
        return line(fmt::format("__sync_fetch_and_add(&{}, 1);", part));
      default:
        return check_that({fmt::format("{} != {}", sketch.rng.chance(50) ? part : whole.lvalue,
                                       sketch.rng.between(1, 3)),
                           {}});
    }
  };
  for (const std::size_t role : sketch.pick_threads(2)) {
    Block block{statement()};
    if (sketch.rng.chance(50)) block.push_back(statement());
    sketch.add(role, {guarded(whole, std::move(block))}, 14 + cost_of(whole.guard));
  }
  const std::string end = sketch.rng.pick({"0", "1", "257", "258", "256", "65536", "65537"});
  sketch.closing.push_back(check_that({fmt::format("{} != {}", whole.lvalue, end), {}}));
  if (on_heap) sketch.closing.push_back(line(fmt::format("free({});", name)));
}

void add_nested_thread(Sketch& sketch) {
  if (!sketch.everyone_has_room(60) || sketch.threads() > 1) return;
  const std::string name = sketch.fresh("child");
  const std::string handle = sketch.local("pthread_t ", ";");
  const std::string argument = sketch.local("int ");
  const Variable variable = new_counter(sketch, Guard::builtin);
  Function child{name, fmt::format("void *{}(void *number)", name), {}, {}};
  child.body = {increase(sketch, variable, 1), line("(*(int *)number)++;"),
                line("return (void *)(long)*(int *)number;")};
  sketch.program.functions.push_back(std::move(child));
  const std::string result = sketch.local("void *");
  Block block{line(fmt::format("pthread_create(&{}, 0, {}, &{});", handle, name, argument)),
              increase(sketch, variable, 1)};
  if (sketch.rng.chance(25)) block.push_back(line(argument + " = 1;"));
  block.push_back(line(fmt::format("pthread_join({}, &{});", handle, result)));
  block.push_back(check_that({fmt::format("{} == 1 && (long){} == 1", argument, result), {}}));
  sketch.add(0, std::move(block), 60);
}

// A bit from outside is shown to the others; then its thread goes on with one value of it only.
void add_input(Sketch& sketch) {
  if (!sketch.everyone_has_room(8)) return;
  const Variable shown = new_variable(sketch, Guard::atomic);
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  const std::string bit = sketch.local("_Bool ");
  const std::string goes_on = sketch.rng.chance(50) ? bit : "!" + bit;
  sketch.declare("__VERIFIER_assume", "extern void __VERIFIER_assume(int);");
  const std::string otherwise =
      sketch.rng.chance(50) ? "__VERIFIER_assume($0);" : "while (!($0)) ;";
  sketch.add(roles[0],
             {line(bit + " = __VERIFIER_nondet_bool();"), write(sketch, shown, {bit + " + 1", {}}),
              line(otherwise, {{goes_on, {}}})},
             8);
  const int seen = sketch.rng.between(1, 3);
  sketch.add(roles[1], {check_that({fmt::format("$0 != {}", seen), {read(sketch, shown)}})}, 6);
  sketch.program.native_exact = false;  // it may go on for ever
}

}  // namespace heddle::generate
