// Parts about variables of functions that others know of: in a global, in a block, or in a
// thread. The mistake is to use one after its function has returned, which is undefined.
#include <fmt/format.h>

#include "generate/data.hpp"
#include "generate/sketch.hpp"

namespace heddle::generate {
namespace {

Function& add_function(Sketch& sketch, const std::string& name, Block body) {
  sketch.program.functions.push_back(
      {name, fmt::format("static void {}(void)", name), {}, std::move(body)});
  return sketch.program.functions.back();
}

}  // namespace

// A function lends its variable to all, and takes it back before it returns.
void add_lent_variable(Sketch& sketch) {
  if (!sketch.everyone_has_room(14)) return;
  const std::string pointer = sketch.fresh("lent"), name = sketch.fresh("lend");
  const std::string variable = "v" + pointer;
  const Guard guard = sketch.rng.chance(50) ? Guard::section : Guard::mutex;
  const Variable known{pointer, guard, guard == Guard::mutex ? sketch.new_lock(guard) : "", {}};
  sketch.declare(pointer, fmt::format("int *{};", pointer));
  const int value = sketch.rng.between(1, 2);
  Block body{line(fmt::format("int {} = {};", variable, value)),
             guarded(known, {line(fmt::format("{} = &{};", pointer, variable))}),
             check_that({fmt::format("{} != 3", variable), {}})};
  if (!sketch.rng.chance(25))
    body.push_back(guarded(known, {line(fmt::format("{} = 0;", pointer))}));
  add_function(sketch, name, std::move(body));
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  Block lender{line(name + "();")};
  if (sketch.rng.chance(30)) lender = {line(fmt::format("{0}();\n{0}();", name))};
  sketch.add(roles[0], std::move(lender), 14);
  sketch.add(roles[1], {guarded(known, {line(fmt::format("if ({0} != 0) *{0} += 1;", pointer))})},
             10);
}

// A function starts a thread that works on its variable, and mostly waits for it.
void add_lent_to_thread(Sketch& sketch) {
  if (!sketch.everyone_has_room(30) || sketch.threads() > 1) return;
  const std::string name = sketch.fresh("start"), child = sketch.fresh("child");
  const std::string variable = sketch.fresh("v"), handle = sketch.fresh("handle");
  sketch.declare(handle, fmt::format("pthread_t {};", handle));
  Function thread{child, fmt::format("void *{}(void *number)", child), {}, {}};
  thread.body = {line("*(int *)number += 1;"), line("return 0;")};
  sketch.program.functions.push_back(std::move(thread));
  const Statement join = line(fmt::format("pthread_join({}, 0);", handle));
  Block body{line(fmt::format("int {} = 1;", variable)),
             line(fmt::format("pthread_create(&{}, 0, {}, &{});", handle, child, variable))};
  const bool waits = sketch.rng.chance(70);
  if (waits) body.push_back(join);
  body.push_back(
      check_that({fmt::format("{} == {}", variable, sketch.rng.chance(70) ? 2 : 1), {}}));
  add_function(sketch, name, std::move(body));
  Block block{line(name + "();")};
  if (!waits) block.push_back(join);
  sketch.add(0, std::move(block), 30);
}

}  // namespace heddle::generate
