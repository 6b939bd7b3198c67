// Parts about keeping threads apart: counters under every kind of guard, claims by
// compare-and-swap, atomic sections, special mutexes, lock orders, Peterson's algorithm.
#include <fmt/format.h>

#include "generate/data.hpp"
#include "generate/sketch.hpp"

namespace heddle::generate {
namespace {

Guard any_guard(Sketch& sketch) {
  switch (sketch.rng.below(8)) {
    case 0:
      return Guard::none;
    case 1:
      return Guard::section;
    case 2:
      return Guard::atomic;
    case 3:
      return Guard::builtin;
    default:
      return sketch.any_lock_kind();
  }
}

// Another name for the increase, through a function.
Statement through_helper(Sketch& sketch, const Statement& statement) {
  const std::string name = sketch.fresh("step");
  Function helper{name, "static void " + name + "(int times)", {}, {}};
  helper.body = {nest("while (times > 0) {\n#0\ntimes--;\n}", {statement})};
  sketch.program.functions.push_back(std::move(helper));
  return line(fmt::format("{}({});", name, sketch.rng.chance(80) ? 1 : 2));
}

}  // namespace

void add_counter(Sketch& sketch) {
  const Guard guard = any_guard(sketch);
  const int cost = cost_of(guard) + 8;
  if (!sketch.everyone_has_room(cost)) return;
  const Variable variable = new_counter(sketch, guard);
  const int by = sketch.rng.between(1, 3);
  int total = 0;
  const bool can_forget = guard != Guard::none;
  for (std::size_t thread = 0; thread < sketch.threads(); ++thread) {
    total += by;
    Variable mine = variable;
    const bool forgets = can_forget && sketch.rng.chance(15);
    if (forgets) mine.guard = Guard::none;
    Statement step =
        forgets ? increase_in_two_steps(sketch, variable, by) : increase(sketch, variable, by);
    if (guard != Guard::builtin && guard != Guard::atomic && sketch.rng.chance(10)) {
      const Statement helper = through_helper(sketch, step);
      if (helper.text.ends_with("(2);")) total += by;
      step = helper;
    }
    Block block{guarded(mine, {step})};
    if (sketch.shared_routine()) {
      total = total * static_cast<int>(sketch.threads());
      sketch.add_to_all_threads(std::move(block), cost);
      break;
    }
    sketch.add(thread, std::move(block), cost);
  }
  const bool wrong = sketch.rng.chance(15);
  sketch.closing.push_back(check_that(
      {fmt::format("$0 {} {}", sketch.rng.pick({"==", "==", "<="}), total - (wrong ? 1 : 0)),
       {read(sketch, variable)}}));
}

void add_claim(Sketch& sketch) {
  if (!sketch.everyone_has_room(12)) return;
  const Variable owner =
      new_counter(sketch, sketch.rng.chance(50) ? Guard::atomic : Guard::builtin);
  const Variable winners = new_counter(sketch, Guard::builtin);
  Block block;
  if (sketch.rng.chance(25)) {
    block = {Statement{"if ($0 == 0) {\n#0\n}",
                       {read(sketch, owner)},
                       {{write(sketch, owner, {"1", {}}), increase(sketch, winners, 1)}},
                       0}};
  } else if (owner.guard == Guard::atomic) {
    sketch.include("<stdatomic.h>");
    const std::string expected = "expected" + owner.lvalue;
    block = {nest(fmt::format("{{\n{3} {1} = 0;\nif ({2}(&{0}, &{1}, 1)) {{\n#0\n}}\n}}",
                              owner.lvalue, expected, "atomic_compare_exchange_strong", owner.type),
                  {increase(sketch, winners, 1)})};
  } else {
    const std::string swap =
        sketch.rng.chance(50)
            ? fmt::format("__sync_bool_compare_and_swap(&{}, 0, 1)", owner.lvalue)
            : fmt::format("__sync_val_compare_and_swap(&{}, 0, 1) == 0", owner.lvalue);
    block = {nest("if (" + swap + ") {\n#0\n}", {increase(sketch, winners, 1)})};
  }
  sketch.add_to_all_threads(std::move(block), 12);
  sketch.closing.push_back(check_that({"$0 == 1", {read(sketch, winners)}}));
}

void add_sections(Sketch& sketch) {
  if (!sketch.everyone_has_room(14)) return;
  const Variable first = new_variable(sketch, Guard::section);
  const Variable second = new_variable(sketch, Guard::section);
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  const Expr value = any_expr(sketch, {read(sketch, first)}, 1);
  Block change{write(sketch, first, value), line(second.lvalue + " = " + first.lvalue + ";")};
  Block look{check_that({fmt::format("{} == {} || {} == 0", first.lvalue, second.lvalue,
                                     sketch.rng.chance(50) ? first.lvalue : second.lvalue),
                         {}})};
  const bool open = sketch.rng.chance(25);
  Variable plain = first;
  plain.guard = Guard::none;
  sketch.add(roles[0], {guarded(open ? plain : first, std::move(change))}, 14);
  sketch.add(roles[1], {guarded(first, std::move(look))}, 14);
}

void add_try_lock(Sketch& sketch) {
  if (!sketch.everyone_has_room(26)) return;
  const Variable variable = new_counter(sketch, Guard::mutex);
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  sketch.add(roles[0], {guarded(variable, {increase(sketch, variable, 1)})}, 26);
  const std::string otherwise = sketch.rng.pick({"", " else {\n#1\n}"});
  Statement attempt{
      fmt::format(
          "if (pthread_mutex_trylock(&{0}) == 0) {{\n#0\npthread_mutex_unlock(&{0});\n}}{1}",
          variable.lock, otherwise),
      {},
      {{increase(sketch, variable, 1)}, {}},
      0};
  if (!otherwise.empty())
    attempt.bodies[1].push_back(guarded(variable, {increase(sketch, variable, 1)}));
  if (sketch.rng.chance(15)) {  // goes on although it has not got the lock
    attempt.text =
        fmt::format("pthread_mutex_trylock(&{0});\n#0\npthread_mutex_unlock(&{0});", variable.lock);
    attempt.bodies.resize(1);
  }
  sketch.add(roles[1], {std::move(attempt)}, 26);
  sketch.closing.push_back(check_that(
      {fmt::format("{} {}", variable.lvalue, sketch.rng.pick({"== 2", ">= 1", "<= 2"})), {}}));
}

void add_special_mutex(Sketch& sketch) {
  if (!sketch.everyone_has_room(40)) return;
  const std::string mutex = sketch.fresh("m");
  const std::string attribute = sketch.local("pthread_mutexattr_t ", ";");
  const bool recursive = sketch.rng.chance(60);
  sketch.declare(mutex, "pthread_mutex_t " + mutex + ";");
  sketch.setup.push_back(
      line(fmt::format("pthread_mutexattr_init(&{0});\npthread_mutexattr_settype(&{0}, {1});\n"
                       "pthread_mutex_init(&{2}, &{0});",
                       attribute,
                       sketch.rng.chance(15) ? "PTHREAD_MUTEX_NORMAL"
                       : recursive           ? "PTHREAD_MUTEX_RECURSIVE"
                                             : "PTHREAD_MUTEX_ERRORCHECK",
                       mutex)));
  const Variable outer{new_counter(sketch, Guard::none).lvalue, Guard::mutex, mutex, {}};
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  if (recursive) {
    Block inner{guarded(outer, {increase(sketch, outer, 1)})};
    if (sketch.rng.chance(50)) inner.push_back(increase(sketch, outer, 1));
    sketch.add(roles[0], {guarded(outer, std::move(inner))}, 40);
  } else {
    const std::string again =
        sketch.rng.pick({"pthread_mutex_lock(&{0}) == 35", "pthread_mutex_trylock(&{0}) == 16",
                         "pthread_mutex_lock(&{0}) != 0"});
    sketch.add(roles[0],
               {guarded(outer, {check_that({fmt::format(fmt::runtime(again), mutex), {}}),
                                increase(sketch, outer, 1)})},
               40);
  }
  if (sketch.rng.chance(70)) {
    sketch.add(roles[1], {guarded(outer, {increase(sketch, outer, 1)})}, 28);
  }
}

void add_two_locks(Sketch& sketch) {
  if (!sketch.everyone_has_room(40)) return;
  const Guard guard = sketch.any_lock_kind();
  const Variable first = new_counter(sketch, guard);
  const Variable second = new_variable(sketch, guard);
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  const bool crossed = sketch.rng.chance(55);
  sketch.add(roles[0], {guarded(first, {guarded(second, {increase(sketch, first, 1)})})}, 40);
  Block inner{increase(sketch, first, 1)};
  sketch.add(roles[1],
             {crossed ? guarded(second, {guarded(first, std::move(inner))})
                      : guarded(first, {guarded(second, std::move(inner))})},
             40);
  sketch.closing.push_back(check_that({first.lvalue + " == 2", {}}));
}

void add_mutual_exclusion(Sketch& sketch) {
  if (!sketch.everyone_has_room(30)) return;
  const std::string type = sketch.rng.chance(85) ? "_Atomic int" : "volatile int";
  const std::string wants = sketch.fresh("wants");
  const std::string turn = sketch.fresh("turn");
  const Variable inside = new_counter(sketch, Guard::none);
  sketch.declare(wants, fmt::format("{} {}[2];", type, wants));
  sketch.declare(turn, fmt::format("{} {};", type, turn));
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  const bool hasty = sketch.rng.chance(30);  // gives way before it says that it wants to enter
  for (int me = 0; me < 2; ++me) {
    const Statement want = line(fmt::format("{}[{}] = 1;", wants, me));
    const Statement give_way = line(fmt::format("{} = {};", turn, 1 - me));
    Block block{hasty ? give_way : want, hasty ? want : give_way};
    block.push_back(line(fmt::format("while ({0}[{1}] && {2} == {1}) ;", wants, 1 - me, turn)));
    block.push_back(increase(sketch, inside, 1));
    block.push_back(line(fmt::format("{}[{}] = 0;", wants, me)));
    sketch.add(roles[static_cast<std::size_t>(me)], std::move(block), 30);
  }
  sketch.closing.push_back(check_that({inside.lvalue + " == 2", {}}));
}

}  // namespace heddle::generate
