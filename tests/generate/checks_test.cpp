// The judge itself: known programs get their known answers, and every way of going
// wrong is told from the others.
#include "generate/checks.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "generate/isolated.hpp"

namespace heddle::generate {
namespace {

using Answers = std::array<Answer, questions.size()>;
const std::set<Comparison> all{comparisons.begin(), comparisons.end()};

Outcome judge(const std::string& body_of_worker, const std::string& body_of_main) {
  return check(
      "#include <pthread.h>\n"
      "void reach_error(void);\n"
      "int x; _Atomic int a, b;\n"
      "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
      "void *worker(void *argument) {\n" +
          body_of_worker +
          "\nreturn 0;\n}\n"
          "int main(void) {\npthread_t t;\npthread_create(&t, 0, worker, 0);\n" +
          body_of_main + "\nreturn 0;\n}\n",
      all, Limits{});
}

void expect(const Outcome& outcome, const Answers& answers) {
  EXPECT_EQ(outcome.fault, "") << outcome.detail;
  EXPECT_FALSE(outcome.over_limit);
  EXPECT_GT(outcome.states, 50U);
  EXPECT_EQ(outcome.answers, answers);
}

TEST(Checks, KnowsASafeProgram) {
  expect(judge("x++;", "pthread_join(t, 0);\nif (x != 1) reach_error();"),
         {Answer::safe, Answer::safe, Answer::safe});
}

TEST(Checks, KnowsALostUpdate) {
  expect(judge("a = a + 1;", "a = a + 1;\npthread_join(t, 0);\nif (a != 2) reach_error();"),
         {Answer::unsafe, Answer::safe, Answer::safe});
}

TEST(Checks, KnowsARace) {
  expect(judge("x = 1;", "x = 1;"), {Answer::safe, Answer::unsafe, Answer::safe});
}

TEST(Checks, KnowsADeadlock) {
  expect(judge("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);\npthread_join(t, 0);"),
         {Answer::safe, Answer::safe, Answer::unsafe});
}

TEST(Checks, KnowsAnEndlessWaitBesideARunningThread) {
  const std::string wait = "pthread_mutex_lock(&m);\npthread_cond_wait(&c, &m);\na = 1;";
  expect(judge("while (!a) ;", wait), {Answer::safe, Answer::safe, Answer::unsafe});
  expect(judge("pthread_mutex_lock(&m);\nb = 1;\npthread_cond_signal(&c);\n"
               "pthread_mutex_unlock(&m);\nwhile (!a) ;",
               "pthread_mutex_lock(&m);\nwhile (!b) pthread_cond_wait(&c, &m);\na = 1;"),
         {Answer::safe, Answer::safe, Answer::safe});
}

TEST(Checks, ToWaitForAThreadThatRunsIsNoDeadlock) {
  const std::string unrelated_wait =
      "pthread_cond_t c2 = PTHREAD_COND_INITIALIZER;\n"
      "if (b) pthread_cond_wait(&c2, &m);\n";
  expect(judge("while (!a) ;", "pthread_join(t, 0);"), {Answer::safe, Answer::safe, Answer::safe});
  expect(judge("while (!a) ;", unrelated_wait + "pthread_join(t, 0);"),
         {Answer::safe, Answer::safe, Answer::safe});
  expect(judge("pthread_mutex_lock(&m);\nwhile (!a) ;",
               unrelated_wait + "pthread_mutex_lock(&m);\na = 1;"),
         {Answer::safe, Answer::safe, Answer::safe});
}

TEST(Checks, NamesTheFaultOfWhatIsNotC) {
  const Outcome outcome = judge("x = ;", "");
  EXPECT_EQ(outcome.fault, "front end: refused, expected expression");
}

TEST(Checks, SkipsWhatIsTooLarge) {
  Limits limits;
  limits.oracle_states = 10;
  const Outcome outcome = check("int main(void) { int i = 0; while (i < 100) i++; }", all, limits);
  EXPECT_TRUE(outcome.over_limit);
  EXPECT_EQ(outcome.fault, "");
}

TEST(Isolated, TellsHowTheTaskEnded) {
  EXPECT_EQ(run_isolated([] { return std::string(100'000, 'x'); }, 10).text.size(), 100'000U);
  EXPECT_EQ(run_isolated([] { return raise(SIGKILL), std::string(); }, 10).failure,
            "killed by signal 9");
  EXPECT_EQ(run_isolated([] { return _exit(3), std::string(); }, 10).failure, "ended with code 3");
  EXPECT_EQ(run_isolated([] { return pause(), std::string(); }, 1).failure,
            "still running after 1 s");
}

}  // namespace
}  // namespace heddle::generate
