// The command line: what is understood, and what is refused with a reason.
#include "app/options.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace heddle::app {
namespace {

using namespace std::chrono_literals;
using verdict::Check;

CheckCommand check(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "check");
  return std::get<CheckCommand>(parse_command(std::move(arguments)));
}

std::string refusal(std::vector<std::string> arguments) {
  try {
    parse_command(std::move(arguments));
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(Options, DurationsAndSizes) {
  EXPECT_EQ(parse_duration("60s"), 60'000ms);
  EXPECT_EQ(parse_duration("60"), 60'000ms);
  EXPECT_EQ(parse_duration("1.5s"), 1'500ms);
  EXPECT_EQ(parse_duration("500ms"), 500ms);
  EXPECT_EQ(parse_duration("5m"), 300'000ms);
  EXPECT_EQ(parse_duration("1h"), 3'600'000ms);
  for (const char* bad : {"", "s", "-1s", "1x", "0", "1e400", "1 s", "nan", "inf", "99999999999h"})
    EXPECT_FALSE(parse_duration(bad)) << bad;
  EXPECT_EQ(parse_size("512M"), 512ULL << 20);
  EXPECT_EQ(parse_size("4G"), 4ULL << 30);
  EXPECT_EQ(parse_size("4GB"), 4ULL << 30);
  for (const char* bad : {"", "4", "G", "-4G", "4T5", "0M"}) EXPECT_FALSE(parse_size(bad)) << bad;
}

TEST(Options, ChecksByDefault) {
  const CheckCommand command = check({"a.c", "b.c"});
  EXPECT_EQ(command.input.files, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_EQ(command.property.checks, verdict::Property::standard().checks);
  EXPECT_EQ(command.input.data_model, ir::DataModel::lp64);
  EXPECT_FALSE(command.time);
}

TEST(Options, ChecksByName) {
  const CheckCommand command = check({"--check=race,memory", "a.c"});
  EXPECT_EQ(command.property.checks,
            (std::set<Check>{Check::race, Check::deref, Check::free, Check::leak}));
  EXPECT_EQ(check({"--check", "deadlock", "a.c"}).property.checks,
            std::set<Check>{Check::deadlock});
}

TEST(Options, AFileMayStandBetweenOptions) {
  const CheckCommand command =
      check({"--check=assert", "a.c", "--bound", "1,2", "b.c", "--time", "5s"});
  EXPECT_EQ(command.input.files, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_EQ(command.engines.bmc.bounds, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(command.time, 5'000ms);
}

TEST(Options, Sequentialize) {
  const auto command = std::get<SequentializeCommand>(
      parse_command({"sequentialize", "--scheduler=next-thread", "--rounds", "4", "--threads=5",
                     "--unwind=6", "--no-conflicts", "a.c", "-o", "out.c"}));
  EXPECT_EQ(command.input.files, std::vector<std::string>{"a.c"});
  EXPECT_EQ(command.output, "out.c");
  const auto& lazy = std::get<sequentialize::LazyOptions>(command.scheme);
  EXPECT_EQ(lazy.scheduler, sequentialize::Scheduler::next_thread);
  EXPECT_EQ(lazy.rounds, 4U);
  EXPECT_EQ(lazy.limits.threads_a_spawn, 5U);
  EXPECT_EQ(lazy.limits.unwind, 6U);
  EXPECT_EQ(lazy.conflicts, sequentialize::Switch::off);
  EXPECT_EQ(lazy.join_local, sequentialize::Switch::on);
  const auto unwound = std::get<SequentializeCommand>(parse_command(
      {"sequentialize", "--scheme=mu", "--mu=implicit", "--positions=7", "--threads=12", "a.c"}));
  const auto& mu = std::get<sequentialize::MuOptions>(unwound.scheme);
  EXPECT_EQ(mu.variant, sequentialize::MuVariant::implicit_reads);
  EXPECT_EQ(mu.positions, 7U);
  EXPECT_EQ(mu.threads, 13U);  // with main
  EXPECT_EQ(mu.limits.unwind, std::nullopt);
  EXPECT_EQ(check({"--engine=mu", "--unwind=2", "a.c"}).engines.mu.limits.unwind, 2U);
  EXPECT_NE(refusal({"sequentialize", "--unwind=0", "a.c"}), "");
  EXPECT_NE(refusal({"sequentialize", "--scheduler=fair", "a.c"}), "");
  EXPECT_NE(refusal({"check", "--backend=cbmc", "a.c"}).find("add --engine=lazy"),
            std::string::npos);
}

TEST(Options, DataModelAndCompilerFlags) {
  const CheckCommand command = check({"-m32", "a.c", "--", "-DN=3", "--check"});
  EXPECT_EQ(command.input.data_model, ir::DataModel::ilp32);
  EXPECT_EQ(command.input.compiler_flags, (std::vector<std::string>{"-DN=3", "--check"}));
  EXPECT_EQ(check({"a.c", "-m64"}).input.data_model, ir::DataModel::lp64);
  EXPECT_EQ(check({"a.c", "--", "-m32"}).input.data_model, ir::DataModel::ilp32);
}

TEST(Options, PropertyFiles) {
  const std::string file = ::testing::TempDir() + "/heddle_options_test.prp";
  std::ofstream(file) << "CHECK( init(main()), LTL(G ! data-race) )\n";
  EXPECT_EQ(check({"--property", file, "a.c"}).property.checks, std::set<Check>{Check::race});
  EXPECT_NE(refusal({"check", "--property", file, "--check=race", "a.c"}), "");
  std::ofstream(file) << "nonsense\n";
  EXPECT_NE(refusal({"check", "--property", file, "a.c"}).find("not a property"),
            std::string::npos);
  EXPECT_NE(refusal({"check", "--property", "/nowhere.prp", "a.c"}).find("cannot read"),
            std::string::npos);
}

TEST(Options, Refusals) {
  EXPECT_NE(refusal({}), "");
  EXPECT_NE(refusal({"check"}), "");
  EXPECT_NE(refusal({"frobnicate", "a.c"}), "");
  EXPECT_NE(refusal({"check", "--frobnicate", "a.c"}), "");
  EXPECT_NE(refusal({"check", "--check=colour", "a.c"}).find("'colour'"), std::string::npos);
  EXPECT_NE(refusal({"check", "--time", "soon", "a.c"}).find("'soon'"), std::string::npos);
  EXPECT_NE(refusal({"check", "--memory", "much", "a.c"}).find("'much'"), std::string::npos);
  EXPECT_NE(refusal({"run", "--seed", "x", "a.c"}), "");
}

TEST(Options, OtherCommands) {
  EXPECT_EQ(std::get<RunCommand>(parse_command({"run", "--seed", "7", "a.c"})).seed, 7U);
  EXPECT_EQ(std::get<PrintCommand>(parse_command({"cfa", "a.c"})).form, ProgramForm::graph);
  EXPECT_EQ(std::get<PrintCommand>(parse_command({"ir", "a.c"})).form, ProgramForm::text);
  EXPECT_EQ(std::get<PrintCommand>(parse_command({"ir", "--as=c", "a.c"})).form, ProgramForm::c);
  EXPECT_EQ(std::get<ShowCommand>(parse_command({"--version"})).text,
            "heddle " HEDDLE_VERSION "\n");
  EXPECT_NE(std::get<ShowCommand>(parse_command({"--help"})).text.find("Exit codes"),
            std::string::npos);
  EXPECT_NE(std::get<ShowCommand>(parse_command({"check", "--help"})).text.find("--property"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::app
