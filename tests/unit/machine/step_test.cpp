// Each statement does what ir/statement.hpp says: registers, calls, branches, atomics.
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/machine/program_maker.hpp"

namespace heddle::testing {
namespace {

using machine::Outcome;
using verdict::Gap;

TEST(Step, AssignsAndStores) {
  Maker m;
  const auto g = m.global("g");
  const auto f = m.function("main");
  const auto x = m.var(f, "x");
  m.then(f, ir::Skip{});
  m.then(f, ir::Assign{x, m.num(41)});
  m.then(f, ir::Assign{x, m.plus(x, 1)});
  m.then(f, ir::Store{m.at(g), m.reg(x)});
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  EXPECT_EQ(run.last.outcome, Outcome::process_ended);
  EXPECT_FALSE(run.last.violation);
  EXPECT_EQ(run.word(g), 42U);
}

TEST(Step, AssumePrunesAndBranches) {
  Maker m;
  const auto g = m.global("g");
  const auto f = m.function("main");
  const auto x = m.var(f, "x");
  m.then(f, ir::Assign{x, m.num(2)});
  m.assert_that(f, m.eq(x, 2));
  m.store(f, g, 1);
  m.then(f, ir::Assume{m.eq(x, 3)});
  m.store(f, g, 2);
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  EXPECT_EQ(run.last.outcome, Outcome::pruned);
  EXPECT_EQ(run.word(g), 1U);
}

TEST(Step, HavocTakesAnInput) {
  Maker m;
  const auto g = m.global("g");
  const auto f = m.function("main");
  const auto x = m.var(f, "x"), y = m.var(f, "y");
  m.then(f, ir::Havoc{x});
  m.then(f, ir::Havoc{y, 3});
  m.then(f, ir::Store{m.at(g), m.b.binary(ir::Op::add, m.reg(x), m.reg(y))});
  const ir::Program p = std::move(m).finish(f);
  EXPECT_EQ(MainRun(p, everything()).last.outcome, Outcome::needs_input);
  MainRun run(p, everything(), {40, 2});
  EXPECT_EQ(run.word(g), 42U);
  const machine::State start = run.machine.initial();
  const auto request = run.machine.input_needed(start, 0, run.machine.edges(start, 0)[0]);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->limit, 0U);
  EXPECT_EQ(p.type(request->type).width, 32U);
}

TEST(Step, CallConvertsArgumentsAndResult) {
  Maker m;
  const auto g = m.global("g");
  const auto narrow = m.b.int_type(8, true);
  const auto callee = m.function("callee", {narrow}, narrow);
  const auto p0 = m.b.view().function(callee).parameters[0];
  m.then(callee, ir::Return{m.reg(p0)});
  const auto f = m.function("main");
  const auto r = m.var(f, "r");
  m.then(f, ir::Call{m.b.function_address(callee), {m.num(0x1ff), m.num(7)}, r});
  m.then(f, ir::Store{m.at(g), m.reg(r)});
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  EXPECT_EQ(run.last.outcome, Outcome::process_ended);
  EXPECT_EQ(run.word(g), 0xffffffffU);  // 0x1ff as a signed char is -1
}

TEST(Step, CallThroughAValue) {
  Maker m;
  const auto g = m.global("g");
  const auto callee = m.function("callee");
  m.store(callee, g, 5);
  const auto f = m.function("main");
  const auto q = m.var(f, "q", m.bytes);
  m.then(f, ir::Assign{q, m.b.cast(m.bytes, m.b.function_address(callee))});
  m.then(f, ir::Call{m.reg(q), {}, std::nullopt});
  m.then(f, ir::Assign{q, m.b.constant(m.bytes, 0)});
  m.then(f, ir::Call{m.reg(q), {}, std::nullopt});
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  EXPECT_EQ(run.word(g), 5U);
  ASSERT_TRUE(run.last.violation);
  EXPECT_EQ(run.last.violation->check, Check::deref);
  MainRun unchecked(p, verdict::Property::standard());
  EXPECT_EQ(unchecked.last.outcome, Outcome::cut);
  EXPECT_EQ(unchecked.last.gap, Gap::undefined);
}

TEST(Step, TooFewArgumentsAreUndefined) {
  Maker m;
  const auto callee = m.function("callee", {m.i32});
  const auto f = m.function("main");
  m.then(f, ir::Call{m.b.function_address(callee), {}, std::nullopt});
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  EXPECT_EQ(run.last.outcome, Outcome::cut);
  EXPECT_EQ(run.last.gap, Gap::undefined);
}

TEST(Step, RecursionKeepsFramesApart) {
  Maker m;
  const auto f = m.function("down", {m.i32}, m.i32);
  const auto n = m.b.view().function(f).parameters[0];
  const auto r = m.var(f, "r");
  const auto start = m.here[f], base = m.b.add_location(f), deeper = m.b.add_location(f);
  m.edge(start, base, ir::Assume{m.eq(n, 0)});
  m.edge(start, deeper, ir::Assume{m.ne(n, 0)});
  m.edge(base, base, ir::Return{m.num(0)});
  m.here[f] = deeper;
  m.then(f, ir::Call{m.b.function_address(f), {m.b.binary(ir::Op::sub, m.reg(n), m.num(1))}, r});
  m.then(f, ir::Return{m.b.binary(ir::Op::add, m.reg(r), m.reg(n))});
  const auto g = m.global("g");
  const auto entry = m.function("main");
  const auto sum = m.var(entry, "sum");
  m.then(entry, ir::Call{m.b.function_address(f), {m.num(10)}, sum});
  m.then(entry, ir::Store{m.at(g), m.reg(sum)});
  const ir::Program p = std::move(m).finish(entry);
  EXPECT_EQ(MainRun(p, everything()).word(g), 55U);
}

TEST(Step, UpdateReadsAndWritesAtOnce) {
  const auto after = [](ir::RmwOp op, std::uint64_t start, std::uint64_t operand,
                        std::optional<std::uint64_t> expected) {
    Maker m;
    const auto g = m.global("g"), old = m.global("old");
    m.init(g, start);
    const auto f = m.function("main");
    const auto before = m.var(f, "before");
    m.then(f, ir::Update{before, m.at(g), op, m.num(operand),
                         expected ? m.num(*expected) : ir::ExprId{}});
    m.then(f, ir::Store{m.at(old), m.reg(before)});
    const ir::Program p = std::move(m).finish(f);
    MainRun run(p, everything());
    EXPECT_EQ(run.word(old), start);
    return run.word(g);
  };
  EXPECT_EQ(after(ir::RmwOp::exchange, 5, 9, {}), 9U);
  EXPECT_EQ(after(ir::RmwOp::add, 0xffffffff, 2, {}), 1U);
  EXPECT_EQ(after(ir::RmwOp::sub, 1, 2, {}), 0xffffffffU);
  EXPECT_EQ(after(ir::RmwOp::bit_and, 12, 10, {}), 8U);
  EXPECT_EQ(after(ir::RmwOp::bit_or, 12, 10, {}), 14U);
  EXPECT_EQ(after(ir::RmwOp::bit_xor, 12, 10, {}), 6U);
  EXPECT_EQ(after(ir::RmwOp::nand, 12, 10, {}), 0xfffffff7U);
  EXPECT_EQ(after(ir::RmwOp::compare_exchange, 5, 9, 5), 9U);
  EXPECT_EQ(after(ir::RmwOp::compare_exchange, 5, 9, 4), 5U);
}

TEST(Step, FailCountsOnlyWhereAsked) {
  const std::vector<std::pair<ir::FailKind, std::optional<Check>>> kinds{
      {ir::FailKind::assertion, Check::assertion},
      {ir::FailKind::error_call, Check::error_call},
      {ir::FailKind::overflow, Check::overflow},
      {ir::FailKind::division_by_zero, std::nullopt}};
  for (const auto& [kind, check] : kinds) {
    Maker m;
    const auto f = m.function("main");
    const auto at = m.then(f, ir::Fail{kind, "x > 0"});
    const ir::Program p = std::move(m).finish(f);
    MainRun asked(p, everything());
    EXPECT_EQ(asked.last.violation.has_value(), check.has_value());
    if (check) {
      EXPECT_EQ(asked.last.violation->check, *check);
      EXPECT_EQ(asked.last.violation->edge, at);
      EXPECT_EQ(asked.last.violation->text, "x > 0");
    }
    EXPECT_EQ(MainRun(p, {{Check::deadlock}}).last.outcome, Outcome::process_ended);
  }
}

TEST(Step, UnsupportedAndUndefinedCut) {
  for (const auto& [text, gap] : {std::pair{"inline asm", Gap::unsupported},
                                  std::pair{"undefined: a shift too far", Gap::undefined}}) {
    Maker m;
    const auto f = m.function("main");
    m.then(f, ir::Unsupported{text});
    const ir::Program p = std::move(m).finish(f);
    MainRun run(p, everything());
    EXPECT_EQ(run.last.outcome, Outcome::cut);
    EXPECT_EQ(run.last.gap, gap);
    EXPECT_EQ(run.last.detail.find("undefined: "), std::string::npos);
  }
}

TEST(Step, ExitEndsThreadOrProcess) {
  Maker m;
  const auto g = m.global("g");
  const auto child = m.routine("child");
  m.store(child, g, 1);
  m.then(child, ir::Exit{ir::ExitScope::process});
  const auto f = m.function("main");
  m.spawn(f, child);
  m.then(f, ir::Exit{ir::ExitScope::thread});
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());  // main alone ends only itself
  EXPECT_FALSE(run.machine.live(run.state, 0));
  EXPECT_TRUE(run.machine.live(run.state, 1));
  EXPECT_FALSE(run.machine.ended(run.state));
  run.machine.step(run.state, 1, run.machine.edges(run.state, 1)[0]);
  const auto last = run.machine.step(run.state, 1, run.machine.edges(run.state, 1)[0]);
  EXPECT_EQ(last.outcome, Outcome::process_ended);
  EXPECT_TRUE(run.machine.ended(run.state));
  EXPECT_FALSE(run.machine.live(run.state, 1));
}

TEST(Step, SpawnPassesTheArgumentAndNumbers) {
  Maker m;
  const auto g = m.global("g", m.u64), who = m.global("who");
  const auto child = m.routine("child");
  const auto self = m.var(child, "self");
  m.then(child,
         ir::Store{m.at(g), m.b.cast(m.u64, m.reg(m.b.view().function(child).parameters[0]))});
  m.then(child, ir::Self{self});
  m.then(child, ir::Store{m.at(who), m.reg(self)});
  const auto f = m.function("main");
  const auto number = m.var(f, "number");
  m.then(f, ir::Spawn{number, m.b.function_address(child), m.b.constant(m.bytes, 77)});
  m.assert_that(f, m.eq(number, 2));
  m.await_value(f, who, 2);
  const ir::Program p = std::move(m).finish(f);
  const auto answer = machine::ask_oracle(p, {{Check::assertion, Check::deadlock}});
  EXPECT_TRUE(answer.safe());
  MainRun run(p, everything());
  EXPECT_EQ(run.last.outcome, Outcome::blocked);
  while (run.machine.live(run.state, 1))
    run.machine.step(run.state, 1, run.machine.edges(run.state, 1)[0]);
  EXPECT_EQ(run.word(g), 77U);
  EXPECT_FALSE(run.machine.blocked(run.state, 0));
}

TEST(Step, AllocaKeepsEveryBlockUntilItsFrameReturns) {
  for (const ir::AllocKind kind : {ir::AllocKind::stack, ir::AllocKind::frame}) {
    Maker m;
    const auto callee = m.function("callee");
    const auto block = m.var(callee, "block", m.bytes), count = m.var(callee, "count");
    const auto head = m.here[callee], more = m.b.add_location(callee),
               on = m.b.add_location(callee), done = m.b.add_location(callee);
    m.edge(head, more, ir::Assume{m.ne(count, 3)});
    m.edge(head, done, ir::Assume{m.eq(count, 3)});
    m.edge(more, on, ir::Alloc{block, m.size(4), kind, ir::Contents::zero, ""});
    m.edge(on, head, ir::Assign{count, m.plus(count, 1)});
    m.here[callee] = done;
    const auto f = m.function("main");
    m.then(f, ir::Call{m.b.function_address(callee), {}, std::nullopt});
    m.then(f, ir::Unsupported{"stop here"});
    const ir::Program p = std::move(m).finish(f);
    const verdict::Property property = everything();
    const machine::Machine machine(p, property);
    machine::State state = machine.initial();
    std::size_t most = 0;
    for (Outcome outcome = Outcome::moved; outcome == Outcome::moved;) {
      const auto edges = machine.edges(state, 0);
      outcome = machine.step(state, 0, edges[0]).outcome;
      if (outcome == Outcome::pruned) outcome = machine.step(state, 0, edges[1]).outcome;
      most = std::max(most, state.objects().size());
    }
    EXPECT_EQ(most, kind == ir::AllocKind::frame ? 3U : 1U);
    EXPECT_TRUE(state.objects().empty());
  }
}

}  // namespace
}  // namespace heddle::testing
