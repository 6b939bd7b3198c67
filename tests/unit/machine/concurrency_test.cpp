// Threads together: atomic sections, blocking, data races, deadlocks.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "unit/machine/program_maker.hpp"

namespace heddle::testing {
namespace {

using machine::Outcome;

machine::OracleAnswer ask(const ir::Program& program, std::set<Check> checks) {
  return machine::ask_oracle(program, {std::move(checks)});
}

// main starts two threads and ends, while they run on.
struct Pair {
  Maker m{};
  ir::FunId a = m.routine("a"), b = m.routine("b");

  ir::Program finish() {
    const auto f = m.function("main");
    m.spawn(f, a);
    m.spawn(f, b);
    m.then(f, ir::Exit{ir::ExitScope::thread});
    return std::move(m).finish(f);
  }
};

enum class Increment { plain, locked, atomic_section, update };

ir::Program counter(Increment kind) {
  Pair t;
  const auto x = t.m.global("x"), lock = t.m.global("lock"), done = t.m.global("done");
  for (const ir::FunId f : {t.a, t.b}) {
    const auto r = t.m.var(f, "r");
    if (kind == Increment::locked) t.m.lock(f, lock);
    if (kind == Increment::atomic_section) t.m.begin(f);
    if (kind == Increment::update) {
      t.m.then(f, ir::Update{r, t.m.at(x), ir::RmwOp::add, t.m.num(1), {}});
    } else {
      t.m.load(f, r, x);
      t.m.then(f, ir::Store{t.m.at(x), t.m.plus(r, 1)});
    }
    if (kind == Increment::locked) t.m.unlock(f, lock);
    if (kind == Increment::atomic_section) t.m.end(f);
    t.m.then(f, ir::Update{r, t.m.at(done), ir::RmwOp::add, t.m.num(1), {}});
  }
  const auto f = t.m.function("main");
  const auto r = t.m.var(f, "r");
  t.m.spawn(f, t.a);
  t.m.spawn(f, t.b);
  t.m.await_value(f, done, 2);
  t.m.load(f, r, x);
  t.m.assert_that(f, t.m.eq(r, 2));
  return std::move(t.m).finish(f);
}

TEST(Interleaving, LosesAnUpdateOnlyWithoutProtection) {
  const auto plain = ask(counter(Increment::plain), {Check::assertion, Check::race});
  EXPECT_TRUE(plain.violated.contains(Check::assertion));
  EXPECT_TRUE(plain.violated.contains(Check::race));
  for (const Increment kind : {Increment::locked, Increment::atomic_section, Increment::update})
    EXPECT_TRUE(ask(counter(kind), {Check::assertion, Check::race, Check::deadlock}).safe());
}

TEST(Atomic, NestsByDepthAndKeepsOthersOut) {
  Pair t;
  const auto x = t.m.global("x");
  t.m.begin(t.a), t.m.begin(t.a);
  t.m.store(t.a, x, 1);
  t.m.end(t.a);
  t.m.store(t.a, x, 2);
  t.m.end(t.a);
  const auto r = t.m.var(t.b, "r");
  t.m.load(t.b, r, x);
  t.m.assert_that(t.b, t.m.ne(r, 1));
  const ir::Program p = t.finish();
  EXPECT_TRUE(ask(p, {Check::assertion}).safe());
  // The reader is about to read plainly while the section writes: a race all the same.
  EXPECT_TRUE(ask(p, {Check::race}).violated.contains(Check::race));
}

TEST(Atomic, EndWithoutBeginIsUndefined) {
  Maker m;
  const auto f = m.function("main");
  m.end(f);
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  EXPECT_EQ(run.last.outcome, Outcome::cut);
  EXPECT_EQ(run.last.gap, verdict::Gap::undefined);
}

TEST(Atomic, ASectionThatBlocksLetsOthersRun) {
  Pair t;
  const auto go = t.m.global("go"), x = t.m.global("x");
  t.m.begin(t.a);
  t.m.await_value(t.a, go, 1);
  const auto r = t.m.var(t.a, "r");
  t.m.load(t.a, r, x);
  t.m.assert_that(t.a, t.m.eq(r, 1));
  t.m.end(t.a);
  t.m.store(t.b, x, 1, ir::MemoryOrder::seq_cst);
  t.m.store(t.b, go, 1, ir::MemoryOrder::seq_cst);
  const ir::Program p = t.finish();
  EXPECT_TRUE(ask(p, {Check::assertion, Check::deadlock}).safe());
}

// b makes a's wait end in the middle of its own section: a must not run before that section ends.
TEST(Atomic, AWakerFinishesItsOwnSection) {
  Pair t;
  const auto go = t.m.global("go"), x = t.m.global("x");
  t.m.begin(t.a);
  t.m.await_value(t.a, go, 1);
  const auto r = t.m.var(t.a, "r");
  t.m.load(t.a, r, x);
  t.m.assert_that(t.a, t.m.eq(r, 1));
  t.m.end(t.a);
  t.m.begin(t.b);
  t.m.store(t.b, go, 1);
  t.m.store(t.b, x, 1);
  t.m.end(t.b);
  EXPECT_TRUE(ask(t.finish(), {Check::assertion, Check::deadlock}).safe());
}

// A woken thread has no claim on the lock: its rival may take it first.
TEST(Atomic, AWokenThreadCompetesForTheLock) {
  Pair t;
  const auto lock = t.m.global("lock"), x = t.m.global("x");
  t.m.lock(t.a, lock);
  t.m.store(t.a, x, 1);
  t.m.unlock(t.a, lock);
  t.m.lock(t.b, lock);
  t.m.unlock(t.b, lock);
  t.m.lock(t.b, lock);
  const auto r = t.m.var(t.b, "r");
  t.m.load(t.b, r, x);
  t.m.assert_that(t.b, t.m.eq(r, 1));  // fails if b takes the lock twice before a
  const auto f = t.m.function("main");
  t.m.lock(f, lock);
  t.m.spawn(f, t.a);
  t.m.spawn(f, t.b);
  const auto seen = t.m.var(f, "seen");
  t.m.then(f, ir::Await{seen, t.m.at(x), t.m.eq(seen, 0)});
  t.m.unlock(f, lock);
  t.m.then(f, ir::Exit{ir::ExitScope::thread});
  EXPECT_TRUE(
      ask(std::move(t.m).finish(f), {Check::assertion}).violated.contains(Check::assertion));
}

// A section whose wait is already over keeps everyone out from its begin to its end.
TEST(Atomic, AnAwaitThatHoldsDoesNotOpenTheSection) {
  Pair t;
  const auto zero = t.m.global("zero"), x = t.m.global("x");
  t.m.begin(t.a);
  t.m.store(t.a, x, 1);
  t.m.await_value(t.a, zero, 0);
  t.m.store(t.a, x, 0);
  t.m.end(t.a);
  const auto r = t.m.var(t.b, "r");
  t.m.load(t.b, r, x);
  t.m.assert_that(t.b, t.m.eq(r, 0));
  EXPECT_TRUE(ask(t.finish(), {Check::assertion}).safe());
}

// ---- races ---------------------------------------------------------------------

using Body = std::function<void(Maker&, ir::FunId, ir::GlobalId)>;

bool races(const Body& one, const Body& other) {
  Pair t;
  const auto x = t.m.global("x", t.m.u64);
  one(t.m, t.a, x);
  other(t.m, t.b, x);
  return ask(t.finish(), {Check::race}).violated.contains(Check::race);
}

Body write_bytes(std::uint64_t offset, ir::MemoryOrder order) {
  return [=](Maker& m, ir::FunId f, ir::GlobalId x) {
    const auto at = m.b.ptr_add(m.b.cast(m.b.pointer_to(m.u8), m.at(x)), m.num(offset));
    m.then(f, ir::Store{at, m.b.constant(m.u8, 1), order});
  };
}
Body read_all(ir::MemoryOrder order) {
  return [=](Maker& m, ir::FunId f, ir::GlobalId x) { m.load(f, m.var(f, "r", m.u64), x, order); };
}
Body write_field(ir::BitRange bits) {
  return [=](Maker& m, ir::FunId f, ir::GlobalId x) {
    m.then(f, ir::Store{m.at(x), m.b.constant(m.u64, 1), ir::MemoryOrder::plain, bits});
  };
}
Body in_section(Body body) {
  return [=](Maker& m, ir::FunId f, ir::GlobalId x) {
    m.begin(f);
    body(m, f, x);
    m.end(f);
  };
}
Body exchange(std::uint64_t expected) {
  return [=](Maker& m, ir::FunId f, ir::GlobalId x) {
    m.then(f, ir::Update{m.var(f, "r", m.u64), m.at(x), ir::RmwOp::compare_exchange,
                         m.b.constant(m.u64, 0), m.b.constant(m.u64, expected)});
  };
}

TEST(Race, NeedsOverlapAWriteAndAPlainAccess) {
  const auto plain = ir::MemoryOrder::plain, atomic = ir::MemoryOrder::relaxed;
  EXPECT_TRUE(races(write_bytes(0, plain), write_bytes(0, plain)));
  EXPECT_TRUE(races(write_bytes(7, plain), read_all(plain)));
  EXPECT_TRUE(races(write_bytes(7, plain), read_all(atomic)));
  EXPECT_TRUE(races(write_bytes(7, atomic), read_all(plain)));
  EXPECT_FALSE(races(write_bytes(7, atomic), read_all(atomic)));
  EXPECT_FALSE(races(read_all(plain), read_all(plain)));
  EXPECT_FALSE(races(write_bytes(0, plain), write_bytes(1, plain)));
}

TEST(Race, AtomicSectionsAreNotPlain) {
  const Body write = write_bytes(0, ir::MemoryOrder::plain);
  EXPECT_FALSE(races(in_section(write), in_section(write)));
  EXPECT_TRUE(races(in_section(write), write));
}

TEST(Race, BitFieldsRaceByTheBytesTheyShare) {
  EXPECT_TRUE(races(write_field({0, 4}), write_field({4, 4})));
  EXPECT_FALSE(races(write_field({0, 8}), write_field({8, 8})));
  EXPECT_FALSE(races(write_field({0, 4}), write_bytes(1, ir::MemoryOrder::plain)));
}

TEST(Race, AFailedExchangeOnlyReads) {
  EXPECT_TRUE(races(exchange(0), read_all(ir::MemoryOrder::plain)));
  EXPECT_FALSE(races(exchange(5), read_all(ir::MemoryOrder::plain)));
  EXPECT_TRUE(races(exchange(5), write_bytes(3, ir::MemoryOrder::plain)));
}

TEST(Race, ABlockedAwaitIsAPendingAtomicRead) {
  const Body waits = [](Maker& m, ir::FunId f, ir::GlobalId x) {
    const auto r = m.var(f, "r", m.u64);
    m.then(f, ir::Await{r, m.at(x), m.eq(r, 99)});
  };
  EXPECT_TRUE(races(waits, write_bytes(0, ir::MemoryOrder::plain)));
  EXPECT_FALSE(races(waits, write_bytes(0, ir::MemoryOrder::release)));
}

TEST(Race, FreeWritesTheWholeBlock) {
  Maker m;
  const auto ptr = m.b.pointer_to(m.i32);
  const auto child = m.function("child", {ptr});
  const auto p0 = m.b.view().function(child).parameters[0];
  m.then(child, ir::Load{m.var(child, "r"), m.b.ptr_add(m.reg(p0), m.num(1))});
  const auto f = m.function("main");
  const auto block = m.var(f, "block", ptr), number = m.var(f, "number");
  m.then(f, ir::Alloc{block, m.size(8), ir::AllocKind::heap, ir::Contents::zero, ""});
  m.then(f, ir::Spawn{number, m.b.function_address(child), m.reg(block)});
  m.then(f, ir::Free{m.reg(block)});
  m.then(f, ir::Exit{ir::ExitScope::thread});
  const ir::Program p = std::move(m).finish(f);
  const auto answer = ask(p, {Check::race, Check::deref});
  ASSERT_TRUE(answer.violated.contains(Check::race));
  EXPECT_TRUE(answer.violated.contains(Check::deref));
  EXPECT_EQ(answer.violated.at(Check::race).violation.text,
            "data race on heap block from line 2, offset 4");
}

// ---- deadlocks -------------------------------------------------------------------

std::optional<std::vector<verdict::ThreadNumber>> stuck(const ir::Program& program) {
  const auto answer = ask(program, {Check::deadlock});
  EXPECT_TRUE(answer.complete);
  const auto found = answer.violated.find(Check::deadlock);
  if (found == answer.violated.end()) return std::nullopt;
  return found->second.violation.stuck;
}
using Threads = std::vector<verdict::ThreadNumber>;

TEST(Deadlock, LockOrderCycleWhileAnotherThreadRunsOn) {
  for (const bool same_order : {true, false}) {
    Maker m;
    const auto l = m.global("l"), k = m.global("k");
    const auto a = m.routine("a"), b = m.routine("b");
    m.lock(a, l), m.lock(a, k), m.unlock(a, k), m.unlock(a, l);
    m.lock(b, same_order ? l : k), m.lock(b, same_order ? k : l);
    m.unlock(b, k), m.unlock(b, l);
    const auto f = m.function("main");
    m.spawn(f, a);
    m.spawn(f, b);
    m.edge(m.here[f], m.here[f], ir::Skip{});  // main runs for ever
    const ir::Program p = std::move(m).finish(f);
    if (same_order)
      EXPECT_FALSE(stuck(p));
    else
      EXPECT_EQ(stuck(p), (Threads{1, 2}));
  }
}

TEST(Deadlock, AWaitForAnyoneNeedsEverybodyStuck) {
  Pair stuck_pair;
  const auto go = stuck_pair.m.global("go");
  stuck_pair.m.await_value(stuck_pair.a, go, 1);
  stuck_pair.m.await_value(stuck_pair.b, go, 2);
  EXPECT_EQ(stuck(stuck_pair.finish()), (Threads{1, 2}));

  Pair rescued;
  const auto flag = rescued.m.global("flag");
  rescued.m.await_value(rescued.a, flag, 1);
  rescued.m.store(rescued.b, flag, 1, ir::MemoryOrder::seq_cst);
  EXPECT_FALSE(stuck(rescued.finish()));

  Pair spinning;  // one thread runs for ever and might still end the wait
  const auto word = spinning.m.global("word");
  spinning.m.await_value(spinning.a, word, 1);
  spinning.m.edge(spinning.m.here[spinning.b], spinning.m.here[spinning.b], ir::Skip{});
  EXPECT_FALSE(stuck(spinning.finish()));
}

TEST(Deadlock, AHolderThatHasEndedNeverUnlocks) {
  Pair t;
  const auto lock = t.m.global("lock");
  t.m.lock(t.a, lock);
  t.m.lock(t.b, lock);
  const auto found = stuck(t.finish());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), 1U);  // whichever came second
}

TEST(Deadlock, LockedTwiceByItsOwner) {
  Maker m;
  const auto lock = m.global("lock");
  const auto f = m.function("main");
  m.lock(f, lock);
  m.lock(f, lock);
  EXPECT_EQ(stuck(std::move(m).finish(f)), Threads{0});
}

TEST(Deadlock, AWaitForABlockedThreadIsPartOfIt) {
  Maker m;  // main joins the child (holder wait), and the child waits for a lock main holds
  const auto lock = m.global("lock"), running = m.global("running");
  m.init(running, 2);
  const auto child = m.routine("child");
  m.lock(child, lock);
  const auto f = m.function("main");
  m.lock(f, lock);
  m.spawn(f, child);
  m.await_value(f, running, 0, ir::WaitsFor::holder);
  EXPECT_EQ(stuck(std::move(m).finish(f)), (Threads{0, 1}));
}

TEST(Deadlock, TheEndOfTheProcessSavesEveryone) {
  Maker m;
  const auto go = m.global("go");
  const auto child = m.routine("child");
  m.await_value(child, go, 1);
  const auto f = m.function("main");
  m.spawn(f, child);
  EXPECT_FALSE(stuck(std::move(m).finish(f)));
}

}  // namespace
}  // namespace heddle::testing
