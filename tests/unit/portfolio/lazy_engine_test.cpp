// The way there and back: from the input to a sequential program, and from what is found
// there to an interleaving of the input. Other verifiers, played by shell scripts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "portfolio/backend.hpp"
#include "portfolio/portfolio.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using verdict::Check;

portfolio::Answer lazily(const std::string& text, portfolio::Options options = {},
                         const std::set<Check>& checks = {Check::error_call, Check::assertion}) {
  options.engine = portfolio::Choice::lazy;
  Silent silent;
  return portfolio::solve(frontend::parse_text("test.c", prelude + text), {checks},
                          base::Budget(std::chrono::seconds(60), 4ULL << 30), options, silent);
}

const std::string lost_update = R"(
int x;
void *worker(void *p) { x = x + 1; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  x = x + 1;
  pthread_join(a, 0);
  if (x != 2) reach_error();
  return 0;
})";

const std::string kept_update = R"(
int x;
void *worker(void *p) { __sync_fetch_and_add(&x, 1); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  __sync_fetch_and_add(&x, 1);
  pthread_join(a, 0);
  if (x != 2) reach_error();
  return 0;
})";

std::string detail(const portfolio::Answer& answer) {
  return std::get<verdict::Unknown>(answer.verdict).detail;
}

TEST(LazyEngine, FindsAnInterleavingOfTheInput) {
  const auto answer = lazily(lost_update);
  const auto& unsafe = std::get<verdict::Unsafe>(answer.verdict);
  EXPECT_EQ(answer.trace.steps.size(), unsafe.trace.steps.size());
  EXPECT_EQ(answer.trace.routines, (std::vector<std::string>{"main", "worker"}));
  EXPECT_EQ(answer.sequentialized.unreplayed, 0U);
}

TEST(LazyEngine, ProvesWhereNoBoundIsReached) {
  EXPECT_TRUE(std::holds_alternative<verdict::Safe>(lazily(kept_update).verdict));
}

TEST(LazyEngine, TheExplorerAndBmcAgree) {
  portfolio::Options bmc_alone;
  bmc_alone.lazy_checkers.explorer = portfolio::Explorer::not_asked;
  for (const std::string& text : {lost_update, kept_update}) {
    const portfolio::Answer first = lazily(text), second = lazily(text, bmc_alone);
    EXPECT_EQ(first.verdict.index(), second.verdict.index());
    EXPECT_GT(first.sequentialized.states, 0U);
    EXPECT_EQ(first.bmc.rounds, 0U) << "bmc was not asked";
    EXPECT_EQ(second.sequentialized.states, 0U);
    EXPECT_GT(second.bmc.rounds, 0U);
  }
}

TEST(LazyEngine, ABoundOfTheUserIsNoProof) {
  portfolio::Options options;
  options.lazy.rounds = 1;
  options.bmc.bounds = {1};
  EXPECT_EQ(detail(lazily(kept_update, options)), "more than 1 rounds");
}

TEST(LazyEngine, SaysWhatItCannotBeAsked) {
  const auto answer = lazily(kept_update, {}, {Check::error_call, Check::race});
  EXPECT_NE(detail(answer).find("no assertion can fail; deadlocks, races"), std::string::npos);
  EXPECT_EQ(std::get<verdict::Unknown>(answer.verdict).gap, verdict::Gap::technique);
}

// ---- other verifiers ---------------------------------------------------------------

// A verifier that says this about every program.
std::string fake_verifier(const std::string& name, const std::string& says) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / name;
  std::ofstream(file) << "#!/bin/sh\ngrep -q 'int main(void)' \"$2\" && echo '" << says << "'\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file.string();
}

portfolio::Answer ask(const std::string& program, const std::string& command) {
  portfolio::Options options;
  options.lazy_checkers.backend = command;
  return lazily(program, options);
}

TEST(Backend, AViolationIsShownOnlyIfItReplays) {
  const std::string command = fake_verifier("cbmc", "VERIFICATION FAILED");
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(ask(lost_update, command).verdict));
  EXPECT_FALSE(std::holds_alternative<verdict::Unsafe>(ask(kept_update, command).verdict));
}

TEST(Backend, WhatItDoesNotFindIsTold) {
  const std::string command = fake_verifier("esbmc", "VERIFICATION SUCCESSFUL");
  const portfolio::Answer answer = ask(kept_update, command);
  EXPECT_TRUE(detail(answer).starts_with("esbmc reports no violation"));
  EXPECT_EQ(std::get<verdict::Unknown>(answer.verdict).gap, verdict::Gap::technique);
}

TEST(Backend, LastWordsOfOneThatFails) {
  const std::string command = fake_verifier("cpachecker", "Error: out of luck");
  EXPECT_EQ(detail(ask(kept_update, command)),
            "cpachecker gave no verdict; its last words were: Error: out of luck");
}

TEST(Backend, MissingOnesAreNamed) {
  try {
    ask(kept_update, "no-such-verifier --fast");
    FAIL() << "nobody complained";
  } catch (const portfolio::BackendMissing& missing) {
    EXPECT_EQ(std::string(missing.what()),
              "the verifier 'no-such-verifier' was not found; install it, or give --backend the "
              "path to it");
  }
}

TEST(Backend, ReadsTheVerdictsOfThoseThatWeKnow) {
  using portfolio::BackendSays;
  const auto says = [](const std::string& text) {
    return portfolio::read_backend_answer(text).says;
  };
  EXPECT_EQ(says("...\nVERIFICATION FAILED\n"), BackendSays::violated);
  EXPECT_EQ(says("...\nVERIFICATION SUCCESSFUL\n"), BackendSays::correct);
  EXPECT_EQ(says("Verification result: FALSE. Property violation"), BackendSays::violated);
  EXPECT_EQ(says("Verification result: TRUE. No property violation"), BackendSays::correct);
  EXPECT_EQ(says("Verification result: UNKNOWN, incomplete analysis."), BackendSays::nothing);
  EXPECT_EQ(says("RESULT: Ultimate proved your program to be incorrect!"), BackendSays::violated);
  EXPECT_EQ(says("RESULT: Ultimate proved your program to be correct!"), BackendSays::correct);
  EXPECT_EQ(says(""), BackendSays::nothing);
}

TEST(Backend, IsToldTheDataModel) {
  using portfolio::backend_command;
  EXPECT_EQ(backend_command("cbmc --unwind 5", ir::DataModel::ilp32), "cbmc --unwind 5 --32");
  EXPECT_EQ(backend_command("/opt/cpa/bin/cpachecker", ir::DataModel::lp64),
            "/opt/cpa/bin/cpachecker -64");
  EXPECT_EQ(backend_command("uautomizer", ir::DataModel::ilp32), "uautomizer --architecture 32bit");
  EXPECT_EQ(backend_command("esbmc --64", ir::DataModel::lp64), "esbmc --64");
  EXPECT_EQ(backend_command("mine -x", ir::DataModel::lp64), "mine -x");
}

}  // namespace
}  // namespace heddle::testing
