// Parts about one thread waiting for another: conditions, semaphores, barriers,
// flags, readers and writers.
#include <fmt/format.h>

#include "generate/data.hpp"
#include "generate/sketch.hpp"

namespace heddle::generate {
namespace {

Variable without_guard(Variable variable) {
  variable.guard = Guard::none;
  return variable;
}

}  // namespace

void add_handshake(Sketch& sketch) {
  if (!sketch.everyone_has_room(40)) return;
  const Variable ready = new_variable(sketch, Guard::mutex);
  const Variable data = without_guard(new_variable(sketch, Guard::none));
  const std::string condition = sketch.fresh("c");
  sketch.declare(condition, "pthread_cond_t " + condition + " = PTHREAD_COND_INITIALIZER;");
  const std::vector<std::size_t> roles = sketch.pick_threads(2);

  const std::string test = sketch.rng.chance(80) ? "while" : "if";
  Block wait{line(fmt::format("{} (!{}) pthread_cond_wait(&{}, &{});", test, ready.lvalue,
                              condition, ready.lock))};
  if (sketch.rng.chance(10)) {  // waits for a signal that may already be gone
    wait = {line(fmt::format("pthread_cond_wait(&{}, &{});", condition, ready.lock))};
  }
  const int value = sketch.rng.between(1, 3);
  if (sketch.rng.chance(70)) {
    wait.push_back(check_that({fmt::format("{} == {}", data.lvalue, value), {}}));
  }
  sketch.add(roles[0], {guarded(ready, std::move(wait))}, 40);

  const Statement signal = line(
      fmt::format("pthread_cond_{}(&{});", sketch.rng.pick({"signal", "broadcast"}), condition));
  const Statement fill_in = write(sketch, data, {std::to_string(value), {}});
  Block block;
  const int mistake = sketch.rng.between(1, 10);
  if (mistake == 1) {  // tells before the data is there
    block = {guarded(ready, {line(ready.lvalue + " = 1;"), signal}), fill_in};
  } else if (mistake == 2) {  // changes what is waited for without the lock
    block = {fill_in, line(ready.lvalue + " = 1;"), signal};
  } else if (mistake == 3) {
    block = {fill_in, guarded(ready, {line(ready.lvalue + " = 1;")})};
  } else if (mistake <= 6) {
    block = {fill_in, guarded(ready, {line(ready.lvalue + " = 1;")}), signal};
  } else {
    block = {fill_in, guarded(ready, {line(ready.lvalue + " = 1;"), signal})};
  }
  sketch.add(roles[1], std::move(block), 34);
}

void add_semaphore_order(Sketch& sketch) {
  if (!sketch.everyone_has_room(18)) return;
  sketch.include("<semaphore.h>");
  const std::string semaphore = sketch.fresh("sem");
  sketch.declare(semaphore, "sem_t " + semaphore + ";");
  sketch.setup.push_back(
      line(fmt::format("sem_init(&{}, 0, {});", semaphore, sketch.rng.chance(85) ? 0 : 1)));
  const Variable data = without_guard(new_variable(sketch, Guard::none));
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  const Statement fill_in = write(sketch, data, {"1", {}});
  const Statement post = line("sem_post(&" + semaphore + ");");
  const int mistake = sketch.rng.between(1, 10);
  sketch.add(roles[0],
             mistake == 1   ? Block{post, fill_in}
             : mistake <= 3 ? Block{fill_in}
                            : Block{fill_in, post},
             16);
  const std::string wait = sketch.rng.chance(80)
                               ? "sem_wait(&" + semaphore + ");\n#0"
                               : "if (sem_trywait(&" + semaphore + ") == 0) {\n#0\n}";
  sketch.add(roles[1], {nest(wait, {check_that({data.lvalue + " == 1", {}})})}, 18);
}

void add_readers(Sketch& sketch) {
  if (!sketch.everyone_has_room(34)) return;
  const Variable first = new_counter(sketch, Guard::rwlock);
  const Variable second = without_guard(new_counter(sketch, Guard::none));
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  Statement writer = guarded(first, {increase(sketch, first, 1), increase(sketch, second, 1)});
  const int mistake = sketch.rng.between(1, 10);
  if (mistake == 1) {
    writer.text =
        fmt::format("pthread_rwlock_rdlock(&{0});\n#0\npthread_rwlock_unlock(&{0});", first.lock);
  } else if (mistake == 2) {
    writer = nest("{\n#0\n}", {guarded(first, {increase(sketch, first, 1)}),
                               guarded(first, {increase(sketch, second, 1)})});
  }
  sketch.add(roles[0], {std::move(writer)}, mistake == 2 ? 40 : 34);
  const std::string take = sketch.rng.pick({"rdlock", "rdlock", "rdlock", "wrlock"});
  const Statement look = nest(
      fmt::format("pthread_rwlock_{1}(&{0});\n#0\npthread_rwlock_unlock(&{0});", first.lock, take),
      {check_that({fmt::format("{} == {}", first.lvalue, second.lvalue), {}})});
  sketch.add(roles[1], {look}, 34);
}

void add_barrier(Sketch& sketch) {
  if (!sketch.everyone_has_room(34) || sketch.threads() < 2) return;
  const std::string barrier = sketch.fresh("bar");
  const std::string slots = sketch.fresh("slots");
  const std::size_t parties = sketch.threads();
  sketch.declare(barrier, "pthread_barrier_t " + barrier + ";");
  sketch.declare(
      slots, fmt::format("{} {}[{}];", sketch.rng.pick({"int", "unsigned char"}), slots, parties));
  // Too many to come, or fewer than wait for each other.
  const std::size_t expected = sketch.rng.chance(80)   ? parties
                               : sketch.rng.chance(50) ? parties + 1
                                                       : parties - 1;
  sketch.setup.push_back(line(fmt::format("pthread_barrier_init(&{}, 0, {});", barrier, expected)));
  const bool forgotten = sketch.rng.chance(12);
  for (std::size_t thread = 0; thread < parties; ++thread) {
    Block block{line(fmt::format("{}[{}] = 1;", slots, thread)),
                line("pthread_barrier_wait(&" + barrier + ");"),
                check_that({fmt::format("{}[{}] == 1", slots, (thread + 1) % parties), {}})};
    if (forgotten && thread == 0) block.erase(block.begin() + 1);
    sketch.add(thread, std::move(block), 34);
  }
}

void add_spin_flag(Sketch& sketch) {
  if (!sketch.everyone_has_room(14)) return;
  const Variable flag = new_counter(
      sketch, sketch.rng.pick(std::vector<Guard>{Guard::atomic, Guard::atomic, Guard::builtin}));
  const Variable data = without_guard(new_variable(sketch, Guard::none));
  const std::vector<std::size_t> roles = sketch.pick_threads(2);
  const Statement fill_in = write(sketch, data, {"1", {}});
  const Statement raise = write(sketch, flag, {"1", {}});
  sketch.add(roles[0], sketch.rng.chance(80) ? Block{fill_in, raise} : Block{raise, fill_in}, 10);
  const Statement look = check_that({data.lvalue + " == 1", {}});
  Block block;
  if (sketch.rng.chance(75)) {
    block = {line("while (!$0) ;", {read(sketch, flag)}), look};
  } else {
    const std::string tries = sketch.local();
    block = {line(fmt::format("while ({0} < 2 && !$0) {0}++;", tries), {read(sketch, flag)}),
             Statement{"if ($0) {\n#0\n}", {read(sketch, flag)}, {{look}}, 0}};
  }
  sketch.add(roles[1], std::move(block), 14);
}

}  // namespace heddle::generate
