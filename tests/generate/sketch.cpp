// Threads, locks and main of a generated program.
#include "generate/sketch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::generate {

Sketch::Sketch(std::uint64_t seed, Size size) : rng(seed) {
  // How many steps each thread may take: the product over all threads is about the number of
  // states that an exhaustive search without any reduction meets.
  const int roll = rng.between(1, 100);
  std::size_t threads = roll <= 32 ? 1 : roll <= 95 ? 2 : 3;
  if (size == Size::alike) threads = roll <= 90 ? 2 : 3;
  if (size == Size::tiny) threads = roll <= 45 ? 1 : 2;
  if (size == Size::many) threads = 3;
  limit_ = threads == 1 ? 120 : threads == 2 ? 40 : 12;
  if (size == Size::small) limit_ = threads == 1 ? 60 : threads == 2 ? 24 : 8;
  if (size == Size::tiny) limit_ = threads == 1 ? 32 : 14;
  if (size == Size::alike) limit_ = threads == 2 ? 26 : 7;
  if (size == Size::many) limit_ = 4;
  costs_.assign(threads + 1, 0);
  bodies_.resize(threads + 1);
  shared_routine_ = size == Size::alike || (threads > 1 && rng.chance(35));
  twins_ = size == Size::alike || (shared_routine_ && rng.chance(40));
  include("<pthread.h>");
  declare("reach_error", "extern void reach_error(void);");
  declare("__VERIFIER_nondet_bool", "extern _Bool __VERIFIER_nondet_bool(void);");
  declare("__VERIFIER_atomic_begin", "extern void __VERIFIER_atomic_begin(void);");
  declare("__VERIFIER_atomic_end", "extern void __VERIFIER_atomic_end(void);");
  declare("calloc", "extern void *calloc(unsigned long, unsigned long);");
  declare("malloc", "extern void *malloc(unsigned long);");
  declare("free", "extern void free(void *);");
}

std::string Sketch::fresh(const std::string& prefix) { return prefix + std::to_string(++names_); }

void Sketch::declare(const std::string& name, const std::string& text) {
  program.declarations.push_back({name, text});
}

void Sketch::include(const std::string& header) {
  if (!includes(header)) program.includes.push_back(header);
}

bool Sketch::includes(const std::string& header) const {
  return std::ranges::find(program.includes, header) != program.includes.end();
}

std::string Sketch::local(const std::string& declaration_before_name, const std::string& after) {
  const std::string name = fresh("l");
  locals_.push_back({name, declaration_before_name + name + after});
  return name;
}

Guard Sketch::any_lock_kind() {
  const int roll = rng.between(1, 100);
  return roll <= 60   ? Guard::mutex
         : roll <= 75 ? Guard::semaphore
         : roll <= 90 ? Guard::rwlock
                      : Guard::spin;
}

std::string Sketch::new_lock(Guard guard) {
  switch (guard) {
    case Guard::mutex: {
      const std::string name = fresh("m");
      if (rng.chance(80)) {
        declare(name, "pthread_mutex_t " + name + " = PTHREAD_MUTEX_INITIALIZER;");
      } else {
        declare(name, "pthread_mutex_t " + name + ";");
        setup.push_back(line("pthread_mutex_init(&" + name + ", 0);"));
      }
      return name;
    }
    case Guard::rwlock: {
      const std::string name = fresh("rw");
      declare(name, "pthread_rwlock_t " + name + " = PTHREAD_RWLOCK_INITIALIZER;");
      return name;
    }
    case Guard::spin: {
      const std::string name = fresh("spin");
      declare(name, "pthread_spinlock_t " + name + ";");
      setup.push_back(line("pthread_spin_init(&" + name + ", 0);"));
      return name;
    }
    case Guard::semaphore: {
      const std::string name = fresh("sem");
      include("<semaphore.h>");
      declare(name, "sem_t " + name + ";");
      // One too many now and then: then it keeps nobody out.
      setup.push_back(line(fmt::format("sem_init(&{}, 0, {});", name, rng.chance(88) ? 1 : 2)));
      return name;
    }
    case Guard::none:
    case Guard::section:
    case Guard::atomic:
    case Guard::builtin:
      return {};
  }
  return {};
}

bool Sketch::is_empty() const {
  return std::ranges::all_of(costs_, [](int cost) { return cost == 0; });
}

bool Sketch::everyone_has_room(int cost) const {
  for (std::size_t thread = 0; thread < threads(); ++thread) {
    if (!has_room(thread, cost)) return false;
  }
  return true;
}

void Sketch::add(std::size_t thread, Block block, int cost) {
  const bool is_main = thread == threads();
  if (twins_ && !is_main) {
    if (everyone_has_room(cost)) add_to_all_threads(std::move(block), cost);
    return;
  }
  costs_[thread] += cost;
  if (shared_routine_ && !is_main) {
    bodies_[0].push_back(nest(fmt::format("if (id == {}) {{\n#0\n}}", thread), std::move(block)));
    return;
  }
  std::ranges::move(block, std::back_inserter(bodies_[thread]));
}

void Sketch::add_to_all_threads(Block block, int cost) {
  for (std::size_t thread = 0; thread < threads(); ++thread) {
    costs_[thread] += cost;
    if (!shared_routine_ || thread == 0) {
      bodies_[thread].insert(bodies_[thread].end(), block.begin(), block.end());
    }
  }
}

std::vector<std::size_t> Sketch::pick_threads(std::size_t count) {
  std::vector<std::size_t> all;
  for (std::size_t thread = 0; thread < threads(); ++thread) all.push_back(thread);
  if (all.size() < count || rng.chance(15)) all.push_back(threads());
  std::vector<std::size_t> picked;
  while (picked.size() < count) {
    const std::size_t at = rng.below(all.size());
    picked.push_back(all[at]);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return picked;
}

std::vector<Function> Sketch::make_workers() {
  std::vector<Function> workers;
  const std::size_t count = shared_routine_ ? 1 : threads();
  for (std::size_t i = 0; i < count; ++i) {
    Function worker{fmt::format("worker{}", i + 1),
                    fmt::format("void *worker{}(void *argument)", i + 1), locals_, bodies_[i]};
    worker.locals.push_back({"id", "long id = (long)argument;"});
    // What a thread returns is looked at by whoever joins it with a result.
    const int roll = rng.between(1, 100);
    worker.body.push_back(roll <= 70   ? line("return 0;")
                          : roll <= 90 ? line("return argument;")
                                       : line("pthread_exit(argument);\nreturn 0;"));
    workers.push_back(std::move(worker));
  }
  return workers;
}

Block Sketch::make_creations(const std::vector<Function>& workers) {
  Block block;
  if (shared_routine_ && rng.chance(60)) {
    handles_ = {"handles"};
    locals_.push_back({"handles", fmt::format("pthread_t handles[{}];", threads())});
    locals_.push_back({"i", "int i;"});
    block.push_back(line(fmt::format(
        "for (i = 0; i < {}; i++) pthread_create(&handles[i], 0, worker1, (void *)(long){});",
        threads(), twins_ ? "0" : "i")));
    return block;
  }
  for (std::size_t i = 0; i < threads(); ++i) {
    const std::string handle = fmt::format("t{}", i + 1);
    const std::string& worker = workers[shared_routine_ ? 0 : i].name;
    if (rng.chance(50)) {
      declare(handle, "pthread_t " + handle + ";");
    } else {
      locals_.push_back({handle, "pthread_t " + handle + ";"});
    }
    handles_.push_back(handle);
    Statement create = line(
        fmt::format("pthread_create(&{}, 0, {}, (void *){}L);", handle, worker, twins_ ? 0 : i));
    create.group = static_cast<int>(i) + 1;
    block.push_back(std::move(create));
  }
  return block;
}

Block Sketch::make_joins() {
  Block block;
  if (handles_ == std::vector<std::string>{"handles"}) {
    const std::size_t joined = threads() - (rng.chance(10) ? 1 : 0);
    block.push_back(
        line(fmt::format("for (i = 0; i < {}; i++) pthread_join(handles[i], 0);", joined)));
    return block;
  }
  for (std::size_t i = 0; i < threads(); ++i) {
    if (rng.chance(8)) continue;
    Statement join = line(fmt::format("pthread_join({}, 0);", handles_[i]));
    if (rng.chance(20)) {
      const std::string result = local("void *");
      join.text = fmt::format("pthread_join({}, &{});", handles_[i], result);
      closing.push_back(check_that({fmt::format("(long){} <= {}", result, i), {}}));
    }
    join.group = static_cast<int>(i) + 1;
    block.push_back(std::move(join));
  }
  return block;
}

void Sketch::finish() {
  std::vector<Function> workers = make_workers();
  Block body = std::move(setup);
  std::ranges::move(make_creations(workers), std::back_inserter(body));
  std::ranges::move(bodies_.back(), std::back_inserter(body));
  std::ranges::move(make_joins(), std::back_inserter(body));
  std::ranges::move(closing, std::back_inserter(body));
  body.push_back(line("return 0;"));
  std::ranges::move(workers, std::back_inserter(program.functions));
  program.functions.push_back({"main", "int main(void)", locals_, std::move(body)});
}

Statement guarded(const Variable& variable, Block block) {
  const std::string& lock = variable.lock;
  switch (variable.guard) {
    case Guard::mutex:
      return nest(fmt::format("pthread_mutex_lock(&{0});\n#0\npthread_mutex_unlock(&{0});", lock),
                  std::move(block));
    case Guard::rwlock:
      return nest(
          fmt::format("pthread_rwlock_wrlock(&{0});\n#0\npthread_rwlock_unlock(&{0});", lock),
          std::move(block));
    case Guard::spin:
      return nest(fmt::format("pthread_spin_lock(&{0});\n#0\npthread_spin_unlock(&{0});", lock),
                  std::move(block));
    case Guard::semaphore:
      return nest(fmt::format("sem_wait(&{0});\n#0\nsem_post(&{0});", lock), std::move(block));
    case Guard::section:
      return nest("__VERIFIER_atomic_begin();\n#0\n__VERIFIER_atomic_end();", std::move(block));
    case Guard::none:
    case Guard::atomic:
    case Guard::builtin:
      break;
  }
  return block.size() == 1 ? block.front() : nest("{\n#0\n}", std::move(block));
}

int cost_of(Guard guard) {
  switch (guard) {
    case Guard::mutex:
      return 20;
    case Guard::rwlock:
      return 20;
    case Guard::spin:
      return 14;
    case Guard::semaphore:
      return 14;
    case Guard::section:
      return 2;
    case Guard::none:
    case Guard::atomic:
    case Guard::builtin:
      return 0;
  }
  return 0;
}

}  // namespace heddle::generate
