// The report as people see it, on programs compiled from C.
#include "report/text.hpp"

#include <gtest/gtest.h>

#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using verdict::Check;

// The prelude is one line here, so that line numbers are those of the text plus one.
std::string report_on(const std::string& text, const std::set<Check>& checks,
                      std::size_t width = 100) {
  std::string declarations = prelude;
  for (char& c : declarations)
    if (c == '\n') c = ' ';
  const verdict::Property property{checks};
  Silent silent;
  const portfolio::Answer answer =
      portfolio::solve(frontend::parse_text("test.c", declarations + "\n" + text), property,
                       base::Budget(std::chrono::seconds(60), 4ULL << 30), {}, silent);
  report::Style style;
  style.width = width;
  return report::text_report(answer.program, property, answer.verdict, answer.trace, style) +
         report::verdict_line(answer.verdict);
}

const std::string lost_update = R"(int counter;
void *worker(void *p) {
  counter++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (counter != 2)
    reach_error();
  return 0;
}
)";

TEST(TextReport, OneColumnForEachThread) {
  const std::string text = report_on(lost_update, {Check::error_call}, 130);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "test.c:14:5: error: error reached: reach_error() [assert]")
      << text;
  EXPECT_NE(text.find("  step  line  T0 main "), std::string::npos) << text;
  EXPECT_NE(text.find("T1 worker"), std::string::npos) << text;
  EXPECT_NE(text.find("creates T1 worker"), std::string::npos) << text;
  EXPECT_NE(text.find("reads counter = 0"), std::string::npos) << text;
  EXPECT_NE(text.find("writes counter = 1"), std::string::npos) << text;
  EXPECT_NE(text.find("joins T1 worker"), std::string::npos) << text;
  EXPECT_NE(text.find("counter is 1"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("VERDICT: false(unreach-call)\n")) << text;
}

TEST(TextReport, NoLineIsWiderThanTheTerminal) {
  const std::string text = report_on(lost_update, {Check::error_call}, 80);
  const std::size_t table = text.find("  step");
  std::istringstream lines(text.substr(table, text.find("why:") - table));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(TextReport, RaceNamesBothAccessesAndTheLocks) {
  const std::string text = report_on(R"(int x;
pthread_mutex_t m;
void *worker(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  x = 2;
  pthread_mutex_unlock(&m);
  return 0;
}
)",
                                     {Check::race});
  EXPECT_NE(text.find("error: data race on `x` [race]"), std::string::npos) << text;
  EXPECT_NE(text.find("write of size 4 by T0 main at test.c:9"), std::string::npos) << text;
  EXPECT_NE(text.find("write of size 4 by T1 worker at test.c:4"), std::string::npos) << text;
  EXPECT_NE(text.find("T0 main holds m; T1 worker holds no lock"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("VERDICT: false(no-data-race)\n")) << text;
}

TEST(TextReport, DeadlockSaysWhoWaitsForWhat) {
  const std::string text = report_on(R"(pthread_mutex_t m, n;
void *worker(void *p) {
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  return 0;
}
)",
                                     {Check::deadlock});
  EXPECT_NE(text.find("deadlock: T0 main and T1 worker can never go on [deadlock]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("T0 main waits for n at test.c:12, held by T1 worker"), std::string::npos)
      << text;
  EXPECT_NE(text.find("T1 worker waits for m at test.c:5, held by T0 main"), std::string::npos)
      << text;
}

// Which lock of several it is, not the index that the program has used.
TEST(TextReport, LocksOfArraysAreToldApart) {
  const std::string text = report_on(R"(struct fork { int uses; pthread_mutex_t lock; } forks[2];
struct seat { int left, right; } seats[2] = {{0, 1}, {1, 0}};
void *eat(void *p) {
  struct seat *seat = p;
  pthread_mutex_lock(&forks[seat->left].lock);
  pthread_mutex_lock(&forks[seat->right].lock);
  return 0;
}
int main(void) {
  pthread_t a;
  for (int i = 0; i < 2; i++) pthread_mutex_init(&forks[i].lock, 0);
  pthread_create(&a, 0, eat, &seats[0]);
  eat(&seats[1]);
  return 0;
}
)",
                                     {Check::deadlock});
  EXPECT_NE(text.find("initialises forks[0].lock"), std::string::npos) << text;
  EXPECT_NE(text.find("locks forks[0].lock"), std::string::npos) << text;
  EXPECT_NE(text.find("locks forks[1].lock"), std::string::npos) << text;
  EXPECT_NE(text.find("T0 main waits for forks[0].lock"), std::string::npos) << text;
  EXPECT_NE(text.find("T1 eat waits for forks[1].lock"), std::string::npos) << text;
  EXPECT_EQ(text.find('%'), std::string::npos) << text;
}

TEST(TextReport, AThreadThatIsJoinedIsHeldByNobody) {
  const std::string text = report_on(R"(pthread_mutex_t m;
void *worker(void *p) { pthread_mutex_lock(&m); return 0; }
int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, worker, 0);
  pthread_join(a, 0);
  return 0;
}
)",
                                     {Check::deadlock});
  EXPECT_NE(text.find("  T0 main waits for T1 worker at test.c:8\n"), std::string::npos) << text;
  EXPECT_NE(text.find("T1 worker waits for m at test.c:3, held by T0 main"), std::string::npos)
      << text;
}

// By what the program takes it for, where it keeps its address; else by how far in it is.
TEST(TextReport, PlacesInBlocksHaveNames) {
  const auto report = [](const std::string& block, const std::string& accesses) {
    return report_on("void *malloc(unsigned long);\nstruct job { int from, to; };\n" + block +
                         "void *worker(void *p) { " + accesses +
                         " return 0; }\n"
                         "int main(void) {\n  pthread_t a;\n  make();\n"
                         "  pthread_create(&a, 0, worker, 0);\n  worker(0);\n  return 0;\n}\n",
                     {Check::race}, 200);
  };
  const std::string row =
      "struct job *jobs;\n"
      "void make(void) { jobs = malloc(3 * sizeof *jobs); }\n";
  const std::string one =
      "struct job *job;\n"
      "void make(void) { job = malloc(sizeof *job); }\n";
  const std::string bytes = "char *text;\nvoid make(void) { text = malloc(8); }\n";
  const std::string unknown = "void *kept;\nvoid make(void) { kept = malloc(8); }\n";
  for (const auto& [text, place] :
       {std::pair(report(row, "jobs[2].to = 1;"), "heap block from line 5, [2].to"),
        std::pair(report(one, "job->to = 1;"), "heap block from line 5, .to"),
        std::pair(report(bytes, "text[3] = 1;"), "heap block from line 5, [3]"),
        std::pair(report(unknown, "((int *)kept)[1] = 1;"), "heap block from line 5, offset 4")})
    EXPECT_NE(text.find("data race on `" + std::string(place) + "`"), std::string::npos) << text;
}

// What a step has done is told to its end, however narrow the column is.
TEST(TextReport, LongEffectsAreWrapped) {
  const std::string text = report_on(R"(void *calloc(unsigned long, unsigned long);
void *worker(void *p) { ((int *)p)[1] += 41; return 0; }
int main(void) {
  pthread_t a;
  int *numbers = calloc(2, sizeof(int));
  pthread_create(&a, 0, worker, numbers);
  pthread_join(a, 0);
  if (numbers[1] == 41) reach_error();
  return 0;
}
)",
                                     {Check::error_call}, 80);
  std::istringstream words(text.substr(0, text.find("why:")));
  std::string flat;
  for (std::string word; words >> word;) flat += word + " ";
  EXPECT_NE(flat.find("reads heap block, offset 4 = 41, "), std::string::npos) << text;
  std::istringstream lines(text.substr(0, text.find("why:")));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(TextReport, SafeSaysWhy) {
  const std::string text = report_on("int main(void) { return 0; }\n", {Check::error_call});
  EXPECT_EQ(text.find("safe: every interleaving was explored ("), 0U) << text;
  EXPECT_NE(text.find("checked: assertions\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("VERDICT: true\n")) << text;
}

TEST(TextReport, UnknownSaysWhatStoppedUs) {
  const std::string text =
      report_on("int main(void) {\n  int *p = 0;\n  return *p;\n}\n", {Check::error_call});
  EXPECT_EQ(text.find("test.c:4:"), 0U) << text;
  EXPECT_NE(text.find("unknown: "), std::string::npos) << text;
  EXPECT_NE(text.find("--check=memory"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("VERDICT: unknown\n")) << text;
}

TEST(TextReport, LongTracesAreCut) {
  const std::string program = R"(int x;
int main(void) {
  for (int i = 0; i < 500; i++) {
    x = i;
  }
  reach_error();
  return 0;
}
)";
  const std::string text = report_on(program, {Check::error_call});
  EXPECT_NE(text.find("steps are not shown (--full-trace shows them)"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::testing
