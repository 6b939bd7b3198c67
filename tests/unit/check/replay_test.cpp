// A replay confirms what is true, refuses what is not, and writes down what it saw.
#include "check/replay.hpp"

#include <gtest/gtest.h>

#include "unit/machine/program_maker.hpp"

namespace heddle::testing {
namespace {

using check::replay;
using check::ReplayResult;
using verdict::Unsafe;

Unsafe first(const ir::Program& program, Check check) {
  const auto answer = machine::ask_oracle(program, everything());
  EXPECT_TRUE(answer.violated.contains(check));
  return answer.violated.at(check);
}

ReplayResult again(const ir::Program& program, const Unsafe& unsafe) {
  return replay(program, everything(), unsafe.trace, unsafe.violation);
}

// Two threads add one to x without protection.
struct LostUpdate {
  LostUpdate() {
    const auto lost = m.global("x"), done = m.global("done");
    const auto child = m.routine("worker");
    const auto r = m.var(child, "r");
    m.load(child, r, lost);
    m.then(child, ir::Store{m.at(lost), m.plus(r, 1)});
    m.then(child, ir::Update{r, m.at(done), ir::RmwOp::add, m.num(1), {}});
    const auto f = m.function("main");
    const auto sum = m.var(f, "sum");
    m.spawn(f, child);
    m.spawn(f, child);
    m.await_value(f, done, 2);
    m.load(f, sum, lost);
    m.assert_that(f, m.eq(sum, 2));
    program = std::move(m).finish(f);
  }
  Maker m{};
  ir::Program program{};
};

TEST(Replay, ConfirmsWhatTheOracleFinds) {
  const LostUpdate t;
  for (const Check check : {Check::assertion, Check::race}) {
    const ReplayResult result = again(t.program, first(t.program, check));
    EXPECT_TRUE(result.confirmed) << result.reason;
  }
}

TEST(Replay, WritesDownValuesAndNames) {
  const LostUpdate t;
  const Unsafe unsafe = first(t.program, Check::assertion);
  const ReplayResult result = again(t.program, unsafe);
  ASSERT_EQ(result.trace.steps.size(), unsafe.trace.steps.size());
  EXPECT_EQ(result.trace.routines, (std::vector<std::string>{"main", "worker", "worker"}));
  std::vector<std::uint64_t> written, read, added;
  std::vector<verdict::ThreadNumber> created;
  for (const verdict::Observation& step : result.trace.steps) {
    if (step.object == "x" && step.written) written.push_back(*step.written);
    if (step.object == "x" && step.read && step.thread != 0) read.push_back(*step.read);
    if (step.object == "done" && step.read && step.written) added.push_back(*step.written);
    if (step.created) created.push_back(*step.created);
  }
  EXPECT_EQ(written, (std::vector<std::uint64_t>{1, 1}));
  EXPECT_EQ(read, (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(added, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(created, (std::vector<verdict::ThreadNumber>{1, 2}));
}

TEST(Replay, SaysWhatARaceIsAbout) {
  const LostUpdate t;
  EXPECT_EQ(again(t.program, first(t.program, Check::race)).trace.object, "x");
}

TEST(Replay, RefusesTracesThatDoNotRun) {
  const LostUpdate t;
  const Unsafe good = first(t.program, Check::assertion);
  std::vector<std::pair<std::string, Unsafe>> bad;
  const auto change = [&](const std::string& what, auto edit) {
    Unsafe copy = good;
    edit(copy);
    bad.emplace_back(what, std::move(copy));
  };
  change("too short", [](Unsafe& u) { u.trace.steps.pop_back(); });
  change("empty", [](Unsafe& u) { u.trace.steps.clear(); });
  change("too long", [](Unsafe& u) { u.trace.steps.push_back(u.trace.steps.back()); });
  change("no such thread", [](Unsafe& u) { u.trace.steps[0].thread = 9; });
  change("thread not there", [](Unsafe& u) { u.trace.steps[0].thread = 1; });
  change("wrong edge", [](Unsafe& u) { u.trace.steps[1].edge = u.trace.steps[0].edge; });
  change("input for nothing", [](Unsafe& u) { u.trace.steps[0].input = 1; });
  change("other check", [](Unsafe& u) { u.violation.check = Check::error_call; });
  change("other thread blamed", [](Unsafe& u) { u.violation.thread = 1; });
  change("a race instead", [](Unsafe& u) { u.violation.check = Check::race; });
  change("a deadlock instead", [](Unsafe& u) { u.violation.check = Check::deadlock; });
  change("runs through a false Await", [](Unsafe& u) {
    for (std::size_t i = 0; i < u.trace.steps.size(); ++i)
      if (u.trace.steps[i].thread != 0) {
        u.trace.steps.erase(u.trace.steps.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
  });
  for (const auto& [what, unsafe] : bad) {
    const ReplayResult result = again(t.program, unsafe);
    EXPECT_FALSE(result.confirmed) << what;
    EXPECT_FALSE(result.reason.empty()) << what;
  }
  const ReplayResult unasked = replay(t.program, {{Check::deadlock}}, good.trace, good.violation);
  EXPECT_FALSE(unasked.confirmed);
}

TEST(Replay, RefusesARaceOfOtherAccesses) {
  const LostUpdate t;
  Unsafe race = first(t.program, Check::race);
  std::swap(race.violation.edge, race.violation.other_edge);
  if (race.violation.edge == race.violation.other_edge) race.violation.other_edge = {};
  EXPECT_FALSE(again(t.program, race).confirmed);
  Unsafe alone = first(t.program, Check::race);
  alone.violation.other_thread = alone.violation.thread;
  EXPECT_FALSE(again(t.program, alone).confirmed);
}

TEST(Replay, ChecksInputs) {
  Maker m;
  const auto f = m.function("main");
  const auto x = m.var(f, "x");
  m.then(f, ir::Havoc{x, 3});
  m.assert_that(f, m.ne(x, 2));
  const ir::Program p = std::move(m).finish(f);
  Unsafe unsafe = first(p, Check::assertion);
  const ReplayResult good = again(p, unsafe);
  ASSERT_TRUE(good.confirmed);
  EXPECT_EQ(good.trace.steps[0].object, "x");
  EXPECT_EQ(good.trace.steps[0].written, 2U);
  for (const std::optional<std::uint64_t> input :
       {std::optional<std::uint64_t>{}, std::optional<std::uint64_t>{1},
        std::optional<std::uint64_t>{3}, std::optional<std::uint64_t>{1ULL << 32}}) {
    unsafe.trace.steps[0].input = input;
    EXPECT_FALSE(again(p, unsafe).confirmed);
  }
}

TEST(Replay, ExplainsADeadlock) {
  Maker m;
  const auto l = m.global("l"), k = m.global("k");
  const auto child = m.routine("child");
  m.lock(child, k);
  m.lock(child, l);
  const auto f = m.function("main");
  m.spawn(f, child);
  m.lock(f, l);
  m.lock(f, k);
  const ir::Program p = std::move(m).finish(f);
  // Only the cycle, not the lock that a thread takes to its grave.
  const auto answer = machine::ask_oracle(p, {{Check::deadlock}});
  Unsafe unsafe = answer.violated.at(Check::deadlock);
  ASSERT_EQ(unsafe.violation.stuck, (std::vector<verdict::ThreadNumber>{0, 1}));
  const ReplayResult result = again(p, unsafe);
  ASSERT_TRUE(result.confirmed) << result.reason;
  ASSERT_EQ(result.trace.waiting.size(), 2U);
  EXPECT_EQ(result.trace.waiting[0].object, "k");
  EXPECT_EQ(result.trace.waiting[0].holder, 1U);
  EXPECT_EQ(result.trace.waiting[1].object, "l");
  EXPECT_EQ(result.trace.waiting[1].holder, 0U);
  EXPECT_FALSE(result.trace.waiting[0].holder_ended);
  unsafe.violation.stuck = {0, 1, 2};
  EXPECT_FALSE(again(p, unsafe).confirmed);
  unsafe.violation.stuck.clear();
  EXPECT_FALSE(again(p, unsafe).confirmed);
}

TEST(Replay, ConfirmsMemoryErrorsAndLeaks) {
  Maker m;
  const auto ptr = m.b.pointer_to(m.i32);
  const auto f = m.function("main");
  const auto block = m.var(f, "block", ptr), choice = m.var(f, "choice", m.truth);
  m.then(f, ir::Alloc{block, m.size(8), ir::AllocKind::heap, ir::Contents::zero, ""});
  m.then(f, ir::Havoc{choice});
  const auto from = m.here[f], leak = m.b.add_location(f), on = m.b.add_location(f);
  m.edge(from, leak, ir::Assume{m.reg(choice)});
  m.edge(from, on, ir::Assume{m.b.negation(m.reg(choice))});
  m.edge(leak, leak, ir::Return{});
  m.here[f] = on;
  m.then(f, ir::Free{m.reg(block)});
  m.then(f, ir::Havoc{choice});
  const auto again_from = m.here[f], twice = m.b.add_location(f), use = m.b.add_location(f);
  m.edge(again_from, twice, ir::Assume{m.reg(choice)});
  m.edge(again_from, use, ir::Assume{m.b.negation(m.reg(choice))});
  m.edge(twice, use, ir::Free{m.reg(block)});
  m.here[f] = use;
  m.then(f, ir::Store{m.reg(block), m.num(1)});
  const ir::Program p = std::move(m).finish(f);
  for (const Check check : {Check::deref, Check::free, Check::leak}) {
    Unsafe unsafe = first(p, check);
    EXPECT_TRUE(again(p, unsafe).confirmed);
    unsafe.violation.check = check == Check::deref ? Check::free : Check::deref;
    EXPECT_FALSE(again(p, unsafe).confirmed);
  }
}

TEST(Replay, NamesPlacesAsTheUserWroteThem) {
  Maker m;
  const auto node = m.b.declare_record(ir::RecordKind::struct_record, "node");
  m.b.complete_record(node,
                      {{.name = "value", .type = m.i32, .offset = 0, .bits = {}},
                       {.name = "low", .type = m.i32, .offset = 4, .bits = {0, 3}},
                       {.name = "high", .type = m.i32, .offset = 4, .bits = {3, 5}}},
                      8, 4);
  const auto nodes = m.b.array_of(node, 3);
  const auto a = m.b.add_global({.name = "a", .type = nodes});
  const auto f = m.function("main");
  const auto local = m.var(f, "local", m.b.pointer_to(m.i32));
  const auto second = m.b.ptr_add(m.b.cast(m.b.pointer_to(node), m.at(a)), m.num(2));
  m.then(f, ir::Store{m.b.field(second, 0), m.num(4)});
  m.then(f, ir::Store{m.b.field(second, 2), m.num(4), ir::MemoryOrder::plain, {3, 5}});
  m.then(f, ir::Alloc{local, m.size(12), ir::AllocKind::stack, ir::Contents::unset, "v"});
  m.then(f, ir::Store{m.b.ptr_add(m.reg(local), m.num(2)), m.num(4)});
  m.then(f, ir::Alloc{local, m.size(12), ir::AllocKind::model, ir::Contents::unset, ""});
  m.then(f, ir::Store{m.b.ptr_add(m.reg(local), m.num(1)), m.num(4)});
  m.then(f, ir::Fail{ir::FailKind::assertion, "0"});
  const ir::Program p = std::move(m).finish(f);
  const ReplayResult result = again(p, first(p, Check::assertion));
  ASSERT_TRUE(result.confirmed);
  std::vector<std::string> places;
  for (const verdict::Observation& step : result.trace.steps) places.push_back(step.object);
  EXPECT_EQ(places, (std::vector<std::string>{"a[2].value", "a[2].high", "v", "v[2]",
                                              "heap block from line 5",
                                              "heap block from line 5, offset 4", ""}));
}

}  // namespace
}  // namespace heddle::testing
