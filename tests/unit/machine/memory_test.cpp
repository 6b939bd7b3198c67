// Objects and bytes: unset memory, bit-fields, lifetimes, bounds, leaks, both data models.
#include <gtest/gtest.h>

#include <functional>

#include "unit/machine/program_maker.hpp"

namespace heddle::testing {
namespace {

using machine::Outcome;
using verdict::Gap;

// Runs `body` in main with a heap block of `size` bytes in register p.
struct Block {
  explicit Block(std::uint64_t size, ir::DataModel model = ir::DataModel::lp64,
                 ir::Contents contents = ir::Contents::unset)
      : m(model), f(m.function("main")), p(m.var(f, "p", m.b.pointer_to(m.i32))) {
    m.then(f, ir::Alloc{p, m.size(size), ir::AllocKind::heap, contents, ""});
  }
  ir::ExprId element(std::uint64_t index) { return m.b.ptr_add(m.reg(p), m.num(index)); }
  ir::ExprId as(ir::TypeId type) { return m.b.cast(m.b.pointer_to(type), m.reg(p)); }
  void free() { m.then(f, ir::Free{m.reg(p)}); }

  Maker m;
  ir::FunId f;
  ir::RegId p;
};

TEST(Memory, StoresLittleEndian) {
  Maker m;
  const auto g = m.global("g"), low = m.global("low", m.u8);
  const auto f = m.function("main");
  const auto c = m.var(f, "c", m.u8);
  m.store(f, g, 0x11223344);
  m.then(f, ir::Load{c, m.b.ptr_add(m.b.cast(m.b.pointer_to(m.u8), m.at(g)), m.num(1))});
  m.then(f, ir::Store{m.at(low), m.reg(c)});
  const ir::Program p = std::move(m).finish(f);
  EXPECT_EQ(MainRun(p, everything()).word(low), 0x33U);
}

TEST(Memory, UnsetBytesTakeOneInputAndKeepIt) {
  Block t(8);
  const auto x = t.m.var(t.f, "x"), y = t.m.var(t.f, "y");
  t.m.then(t.f, ir::Load{x, t.element(0)});
  t.m.then(t.f, ir::Load{y, t.element(0)});
  t.m.assert_that(t.f, t.m.b.binary(ir::Op::eq, t.m.reg(x), t.m.reg(y)));
  t.m.assert_that(t.f, t.m.eq(x, 7));
  t.free();
  const ir::Program p = std::move(t.m).finish(t.f);
  MainRun run(p, everything(), {7, 8});
  EXPECT_EQ(run.inputs_used, 1U);
  EXPECT_EQ(run.last.outcome, Outcome::process_ended);
  EXPECT_FALSE(run.last.violation);
}

TEST(Memory, SetBytesWinOverTheInput) {
  Block t(4);
  const auto x = t.m.var(t.f, "x");
  t.m.then(t.f, ir::Store{t.as(t.m.u8), t.m.b.constant(t.m.u8, 0x99)});
  t.m.then(t.f, ir::Load{x, t.element(0)});
  t.m.assert_that(t.f, t.m.eq(x, 0x11223399));
  t.free();
  const ir::Program p = std::move(t.m).finish(t.f);
  MainRun run(p, everything(), {0x11223344});
  EXPECT_FALSE(run.last.violation);
  EXPECT_EQ(run.last.outcome, Outcome::process_ended);
}

TEST(Memory, ZeroedAndAtomicReadsAskForNothing) {
  Block zeroed(4, ir::DataModel::lp64, ir::Contents::zero);
  Block atomic(4);
  for (Block* t : {&zeroed, &atomic}) {
    const auto x = t->m.var(t->f, "x");
    t->m.then(t->f, ir::Load{x, t->element(0),
                             t == &atomic ? ir::MemoryOrder::seq_cst : ir::MemoryOrder::plain});
    t->m.assert_that(t->f, t->m.eq(x, 0));
    t->free();
    const ir::Program p = std::move(t->m).finish(t->f);
    MainRun run(p, everything());
    EXPECT_EQ(run.last.outcome, Outcome::process_ended);
    EXPECT_FALSE(run.last.violation);
  }
}

TEST(Memory, ClobberMakesEverythingUnsetAgain) {
  Maker m;
  const auto g = m.global("g");
  m.init(g, 3);
  const auto f = m.function("main");
  const auto x = m.var(f, "x");
  m.then(f, ir::Clobber{m.b.constant(m.bytes, 0)});
  m.then(f, ir::Clobber{m.at(g)});
  m.load(f, x, g);
  m.assert_that(f, m.eq(x, 12));
  const ir::Program p = std::move(m).finish(f);
  EXPECT_EQ(MainRun(p, everything()).last.outcome, Outcome::needs_input);
  EXPECT_FALSE(MainRun(p, everything(), {12}).last.violation);
  EXPECT_TRUE(MainRun(p, everything(), {3}).last.violation);
}

TEST(Memory, BitFieldsTouchOnlyTheirBits) {
  Block t(4);
  const ir::BitRange low{0, 4}, high{4, 6};
  const auto x = t.m.var(t.f, "x"), y = t.m.var(t.f, "y");
  t.m.then(t.f, ir::Store{t.element(0), t.m.num(0x15), ir::MemoryOrder::plain, low});
  t.m.then(t.f, ir::Load{y, t.element(0), ir::MemoryOrder::plain, high});  // unset: asks
  t.m.then(t.f, ir::Load{x, t.element(0), ir::MemoryOrder::plain, low});
  t.m.assert_that(t.f, t.m.eq(x, 5));
  t.m.assert_that(t.f, t.m.eq(y, 0xfffffffe));  // six bits 62 read as -2
  t.free();
  const ir::Program p = std::move(t.m).finish(t.f);
  MainRun run(p, everything(), {62});
  EXPECT_EQ(run.inputs_used, 1U);
  EXPECT_EQ(run.last.outcome, Outcome::process_ended);
  EXPECT_FALSE(run.last.violation);
  // The request says how many values there are.
  MainRun first(p, everything());
  const auto request =
      first.machine.input_needed(first.state, 0, first.machine.edges(first.state, 0)[0]);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->limit, 64U);
}

struct Wrong {
  std::string what;
  Check check;
  std::string says;
  std::function<void(Block&)> body;
};

TEST(Memory, NamesWhatIsWrong) {
  const auto store = [](Block& t, ir::ExprId address) {
    t.m.then(t.f, ir::Store{address, t.m.num(1)});
  };
  const std::vector<Wrong> cases{
      {"null", Check::deref, "null pointer dereferenced",
       [&](Block& t) { store(t, t.m.b.constant(t.m.b.pointer_to(t.m.i32), 0)); }},
      {"past the end", Check::deref,
       "access past the end of a heap block from line 1 (4 bytes at offset 40 of 40)",
       [&](Block& t) { store(t, t.element(10)); }},
      {"before the start", Check::deref,
       "access before the start of a heap block from line 1 (4 bytes at offset -4)",
       [&](Block& t) { store(t, t.element(0xffffffff)); }},
      {"half outside", Check::deref,
       "access past the end of a heap block from line 1 (8 bytes at offset 36 of 40)",
       [&](Block& t) {
         const auto at = t.m.b.cast(t.m.b.pointer_to(t.m.u64), t.element(9));
         t.m.then(t.f, ir::Store{at, t.m.b.constant(t.m.u64, 1)});
       }},
      {"after free", Check::deref, "use of memory whose life has ended",
       [&](Block& t) { t.free(), store(t, t.element(2)); }},
      {"wild", Check::deref, "access at address 64, near null",
       [&](Block& t) { store(t, t.m.b.constant(t.m.b.pointer_to(t.m.i32), 64)); }},
      {"double free", Check::free, "free of a block that is not live (freed before?)",
       [&](Block& t) { t.free(), t.free(); }},
      {"free inside", Check::free, "free of a pointer to offset 4 of a heap block from line 1",
       [&](Block& t) { t.m.then(t.f, ir::Free{t.element(1)}); }},
      {"free of a global", Check::free, "free of 'g', which is no heap block",
       [&](Block& t) { t.m.then(t.f, ir::Free{t.m.at(t.m.global("g"))}); }},
      {"leak", Check::leak,
       "a heap block from line 1 of 40 bytes is not freed and nothing points to it at the end",
       [&](Block& t) {
         t.m.then(t.f, ir::Assign{t.p, t.m.b.constant(t.m.b.pointer_to(t.m.i32), 0)});
       }},
  };
  for (const ir::DataModel model : {ir::DataModel::lp64, ir::DataModel::ilp32})
    for (const Wrong& wrong : cases) {
      Block t(40, model);
      wrong.body(t);
      const ir::Program p = std::move(t.m).finish(t.f);
      MainRun run(p, everything());
      ASSERT_TRUE(run.last.violation) << wrong.what;
      EXPECT_EQ(run.last.violation->check, wrong.check) << wrong.what;
      EXPECT_EQ(run.last.violation->text, wrong.says) << wrong.what;
      MainRun unchecked(p, verdict::Property::standard());
      EXPECT_FALSE(unchecked.last.violation) << wrong.what;
      if (wrong.check == Check::leak) {
        EXPECT_EQ(unchecked.last.outcome, Outcome::process_ended);
      } else {
        EXPECT_EQ(unchecked.last.outcome, Outcome::cut) << wrong.what;
        EXPECT_EQ(unchecked.last.gap, Gap::undefined) << wrong.what;
      }
    }
}

TEST(Memory, FreeOfNullDoesNothing) {
  Maker m;
  const auto f = m.function("main");
  m.then(f, ir::Free{m.b.constant(m.bytes, 0)});
  const ir::Program p = std::move(m).finish(f);
  EXPECT_EQ(MainRun(p, everything()).last.outcome, Outcome::process_ended);
}

TEST(Memory, StringLiteralsAreReadOnly) {
  Maker m;
  const auto chars = m.b.array_of(m.u8, 2);
  const auto text =
      m.b.add_global({.name = "text",
                      .type = chars,
                      .kind = ir::GlobalKind::string_literal,
                      .initializers = {{.offset = 0, .value = m.b.constant(m.u8, 'a')}}});
  const auto f = m.function("main");
  const auto c = m.var(f, "c", m.u8);
  const auto at = m.b.cast(m.b.pointer_to(m.u8), m.at(text));
  m.then(f, ir::Load{c, at});
  m.assert_that(f, m.eq(c, 'a'));
  m.then(f, ir::Store{at, m.b.constant(m.u8, 'b')});
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  ASSERT_TRUE(run.last.violation);
  EXPECT_EQ(run.last.violation->text, "write into a string literal");
}

TEST(Memory, StackObjectsEndWithTheirFrame) {
  Maker m;
  const auto ptr = m.b.pointer_to(m.i32);
  const auto callee = m.function("callee", {}, ptr);
  const auto local = m.var(callee, "local", ptr);
  m.then(callee, ir::Alloc{local, m.size(4), ir::AllocKind::stack, ir::Contents::unset, "x"});
  m.then(callee, ir::Return{m.reg(local)});
  const auto f = m.function("main");
  const auto dangling = m.var(f, "dangling", ptr), second = m.var(f, "second", ptr);
  m.then(f, ir::Call{m.b.function_address(callee), {}, dangling});
  m.then(f, ir::Call{m.b.function_address(callee), {}, second});
  // The dangling pointer keeps its address out of use, so the second object got another one.
  m.assert_that(f, m.b.binary(ir::Op::ne, m.reg(dangling), m.reg(second)));
  m.then(f, ir::Store{m.reg(dangling), m.num(1)});
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  ASSERT_TRUE(run.last.violation);
  EXPECT_EQ(run.last.violation->check, Check::deref);
  EXPECT_TRUE(run.state.objects().empty());
}

TEST(Memory, AnAllocationInALoopReplacesItsLast) {
  Maker m;
  const auto ptr = m.b.pointer_to(m.i32);
  const auto f = m.function("main");
  const auto local = m.var(f, "local", ptr);
  const auto head = m.here[f], body = m.b.add_location(f);
  m.edge(head, body, ir::Alloc{local, m.size(4), ir::AllocKind::stack, ir::Contents::unset, "x"});
  m.edge(body, head, ir::Store{m.reg(local), m.num(1)});
  const ir::Program p = std::move(m).finish(f);
  const auto answer = machine::ask_oracle(p, everything());
  EXPECT_TRUE(answer.safe());  // and it ends: the loop comes back to a state it has seen
  EXPECT_LE(answer.states, 4U);
}

TEST(Memory, MallocAndFreeInALoopComeBack) {
  Maker m;
  const auto ptr = m.b.pointer_to(m.i32);
  const auto f = m.function("main");
  const auto block = m.var(f, "block", ptr);
  const auto head = m.here[f], a = m.b.add_location(f);
  m.edge(head, a, ir::Alloc{block, m.size(4), ir::AllocKind::heap, ir::Contents::unset, ""});
  m.edge(a, head, ir::Free{m.reg(block)});
  const ir::Program p = std::move(m).finish(f);
  const auto answer = machine::ask_oracle(p, everything());
  EXPECT_TRUE(answer.safe());
  EXPECT_LE(answer.states, 6U);
}

TEST(Memory, ReachableBlocksAreNoLeak) {
  Maker m;
  const auto ptr = m.b.pointer_to(m.bytes);
  const auto root = m.global("root", ptr);
  const auto f = m.function("main");
  const auto a = m.var(f, "a", ptr), b = m.var(f, "b", m.bytes);
  m.then(f, ir::Alloc{a, m.size(16), ir::AllocKind::heap, ir::Contents::zero, ""});
  m.then(f, ir::Alloc{b, m.size(8), ir::AllocKind::heap, ir::Contents::zero, ""});
  // root -> middle of a -> end of b
  m.then(f, ir::Store{m.b.ptr_add(m.reg(a), m.num(1)),
                      m.b.cast(m.bytes, m.b.ptr_add(m.reg(b), m.num(8)))});
  m.then(f, ir::Store{m.at(root), m.b.ptr_add(m.reg(a), m.num(1))});
  m.then(f, ir::Assign{a, m.b.constant(ptr, 0)});
  m.then(f, ir::Assign{b, m.b.constant(m.bytes, 0)});
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  EXPECT_EQ(run.last.outcome, Outcome::process_ended);
  EXPECT_FALSE(run.last.violation);
}

TEST(Memory, LocalsKeepBlocksOnlyWhileTheyLive) {
  for (const bool exits : {true, false}) {
    Block t(4);
    if (exits) t.m.then(t.f, ir::Exit{ir::ExitScope::process});
    const ir::Program p = std::move(t.m).finish(t.f);
    MainRun run(p, everything());
    EXPECT_EQ(run.last.outcome, Outcome::process_ended);
    EXPECT_EQ(run.last.violation.has_value(), !exits);
  }
}

TEST(Memory, SizesOfObjects) {
  Block t(0);
  const auto n = t.m.var(t.f, "n", t.m.u64);
  const auto q = t.m.var(t.f, "q", t.m.bytes);
  t.m.then(t.f, ir::ObjectSize{n, t.m.reg(t.p)});
  t.m.assert_that(t.f, t.m.eq(n, 0));
  t.m.then(t.f, ir::Alloc{q, t.m.size(24), ir::AllocKind::heap, ir::Contents::unset, ""});
  t.m.assert_that(t.f, t.m.b.binary(ir::Op::ne, t.m.b.cast(t.m.bytes, t.m.reg(t.p)), t.m.reg(q)));
  t.m.then(t.f, ir::ObjectSize{n, t.m.b.ptr_add(t.m.reg(q), t.m.num(3))});
  t.m.assert_that(t.f, t.m.eq(n, 24));
  t.free();
  t.m.then(t.f, ir::Free{t.m.reg(q)});
  t.m.then(t.f, ir::ObjectSize{n, t.m.reg(q)});
  t.m.assert_that(t.f, t.m.eq(n, 0));
  const ir::Program p = std::move(t.m).finish(t.f);
  MainRun run(p, everything());
  EXPECT_EQ(run.last.outcome, Outcome::process_ended);
  EXPECT_FALSE(run.last.violation);
}

TEST(Memory, NoByteOfAnEmptyBlock) {
  Block t(0);
  t.m.then(t.f, ir::Store{t.as(t.m.u8), t.m.b.constant(t.m.u8, 1)});
  const ir::Program p = std::move(t.m).finish(t.f);
  EXPECT_EQ(MainRun(p, everything()).last.violation->check, Check::deref);
}

TEST(Memory, HugeBlocksAreOurBound) {
  Block t(std::uint64_t{1} << 40);
  const ir::Program p = std::move(t.m).finish(t.f);
  MainRun run(p, everything());
  EXPECT_EQ(run.last.outcome, Outcome::cut);
  EXPECT_EQ(run.last.gap, Gap::bound);
}

TEST(Memory, ThreadLocalGlobalsHaveACopyEach) {
  for (const ir::DataModel model : {ir::DataModel::lp64, ir::DataModel::ilp32}) {
    Maker m(model);
    const auto own = m.b.add_global({.name = "own", .type = m.i32, .storage = ir::Storage::thread});
    m.init(own, 5);
    const auto child = m.routine("child");
    const auto x = m.var(child, "x");
    m.load(child, x, own);
    m.assert_that(child, m.eq(x, 5));
    m.store(child, own, 6);
    const auto f = m.function("main");
    const auto y = m.var(f, "y");
    m.store(f, own, 7);
    m.spawn(f, child);
    m.load(f, y, own);
    m.assert_that(f, m.eq(y, 7));
    m.then(f, ir::Exit{ir::ExitScope::thread});
    const ir::Program p = std::move(m).finish(f);
    EXPECT_TRUE(machine::ask_oracle(p, everything()).safe());
  }
}

TEST(Layout, NarrowAddressesFitAndKeepApart) {
  Maker m(ir::DataModel::ilp32);
  const auto a = m.global("a", m.b.array_of(m.i32, 1000)), c = m.global("c");
  const auto f = m.function("main");
  const ir::Program p = std::move(m).finish(f);
  const machine::Layout layout(p);
  EXPECT_GE(layout.global(c), layout.global(a) + 4000 + 0x100000);
  EXPECT_TRUE(layout.function_at(layout.function(f)));
  EXPECT_FALSE(layout.function_at(layout.function(f) + 1));
  machine::Address last = layout.global(c);
  for (machine::ThreadNumber t = 0; t < 200; ++t) {
    const machine::Arena arena = layout.arena(t);
    EXPECT_LE(arena.top, 0x100000000U);
    EXPECT_GE(arena.base, t <= 46 ? last : 0);
    EXPECT_LT(arena.end(), arena.model_end);
    EXPECT_LT(arena.model_end, arena.top);
    EXPECT_TRUE(layout.in_arena(arena.base) && layout.in_arena(arena.top - 1));
    last = arena.top;
  }
  EXPECT_EQ(layout.arena(46).base, layout.arena(199).base);
}

TEST(Layout, LargeObjectsTakeSeveralSlots) {
  Maker m(ir::DataModel::ilp32);
  const auto f = m.function("main");
  const auto big = m.var(f, "big", m.bytes), small = m.var(f, "small", m.bytes);
  m.then(f, ir::Alloc{big, m.size(200000), ir::AllocKind::heap, ir::Contents::unset, ""});
  m.then(f, ir::Alloc{small, m.size(4), ir::AllocKind::heap, ir::Contents::unset, ""});
  m.then(f, ir::Unsupported{"stop here"});
  const ir::Program p = std::move(m).finish(f);
  MainRun run(p, everything());
  const auto& objects = run.state.objects();
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_GE(objects[1].base - objects[0].base, 200000U + 0x8000U);
  EXPECT_LT(objects[1].base, 0x100000000U);
}

}  // namespace
}  // namespace heddle::testing
