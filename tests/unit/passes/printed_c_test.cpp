// Programs compiled from C: what the passes find in them, and that printed C is
// read back as a program that prints the same again.
#include <gtest/gtest.h>

#include <map>

#include "frontend/frontend.hpp"
#include "ir/c_printer.hpp"
#include "ir/print.hpp"
#include "passes/insert_checks.hpp"
#include "passes/pipeline.hpp"
#include "passes/points_to.hpp"
#include "passes/sharedness.hpp"

namespace heddle::passes {
namespace {

using namespace ir;

constexpr const char* two_workers = R"(
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct job { int id; int *result; };
int total, quiet;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *argument) {
  struct job *job = argument;
  struct job copy;
  memcpy(&copy, job, sizeof copy);
  int *scratch = malloc(sizeof(int));
  *scratch = copy.id * 2;
  pthread_mutex_lock(&mutex);
  total += *scratch;
  pthread_mutex_unlock(&mutex);
  free(scratch);
  return 0;
}
int main(void) {
  pthread_t threads[2];
  struct job jobs[2] = {{1, 0}, {2, 0}};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, &jobs[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  quiet = total;
  assert(quiet == 6);
  return 0;
}
)";

// Accesses of user functions whose text starts with `prefix`, and whether any may be shared.
struct Found {
  int count = 0, shared = 0;
};
Found find(const Program& program, const Sharedness& facts, const std::string& prefix) {
  Found found;
  for (const Location& location : program.locations())
    for (const EdgeId id : location.out) {
      if (program.function(location.function).origin != Origin::user) continue;
      if (!statement_to_text(program, program.edge(id).statement).starts_with(prefix)) continue;
      ++found.count;
      found.shared += facts.may_be_shared(id) ? 1 : 0;
    }
  return found;
}

TEST(FromC, OnlyWhatThreadsExchangeIsShared) {
  const Program program = simplify(frontend::parse_text("workers.c", two_workers));
  const Sharedness facts(program, analyse_points_to(program));
  const auto check = [&](const std::string& prefix, bool shared) {
    const Found found = find(program, facts, prefix);
    EXPECT_GT(found.count, 0) << prefix;
    EXPECT_EQ(found.shared > 0, shared) << prefix;
  };
  check("store total", true);
  check("store quiet", false);
  check("store *scratch", false);
  check("store jobs[", true);
}

// How often each kind of statement occurs in user functions.
std::map<std::size_t, int> kinds(const Program& program) {
  std::map<std::size_t, int> counts;
  for (const Location& location : program.locations())
    for (const EdgeId id : location.out)
      if (program.function(location.function).origin == Origin::user &&
          !std::holds_alternative<Assign>(program.edge(id).statement))
        ++counts[program.edge(id).statement.index()];
  return counts;
}

TEST(FromC, PrintedCReadsBackAsTheSameSteps) {
  const Program first = simplify(frontend::parse_text("workers.c", two_workers));
  const std::string once = to_c(first);
  const Program second = simplify(frontend::parse_text("printed.c", once));
  EXPECT_EQ(kinds(first), kinds(second)) << once << to_text(second);
  EXPECT_NE(once.find("pthread_mutex_lock("), std::string::npos) << once;
}

TEST(FromC, OverflowIsCheckedWhereItCanHappen) {
  const Program program = insert_overflow_checks(frontend::parse_text(
      "sum.c",
      "int main(int a, char **b) { unsigned u = a; u = u + 1; short s = a; return a + 1; }"));
  int checks = 0;
  for (const Location& location : program.locations())
    for (const EdgeId id : location.out)
      if (const auto* fail = std::get_if<Fail>(&program.edge(id).statement))
        checks += fail->kind == FailKind::overflow ? 1 : 0;
  EXPECT_EQ(checks, 1);
}

}  // namespace
}  // namespace heddle::passes
