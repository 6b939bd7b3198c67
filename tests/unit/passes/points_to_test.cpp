// Points-to and sharedness on programs written by hand.
#include "passes/points_to.hpp"

#include <gtest/gtest.h>

#include "passes/sharedness.hpp"
#include "tiny.hpp"

namespace heddle::passes {
namespace {

using namespace ir;
using Texts = std::vector<std::string>;

// The names of what an access may touch; blocks by their edge.
Texts names(const Program& program, const PointsTo& facts, EdgeId edge) {
  Texts texts;
  const Targets targets = facts.targets(edge);
  if (targets.anything) texts.push_back("anything");
  for (const ObjectIndex index : targets.objects) {
    const AbstractObject& object = facts.objects()[index];
    if (object.kind == ObjectKind::global) texts.push_back(program.global(object.global).name);
    if (object.kind == ObjectKind::allocation)
      texts.push_back("block " + std::to_string(object.allocation.value));
    if (object.kind == ObjectKind::function)
      texts.push_back(program.function(object.function).name);
  }
  return texts;
}

TEST(PointsTo, FollowsPointersThroughMemory) {
  Tiny t;
  const ExprId x = t.global("x", t.int_type), y = t.global("y", t.int_type);
  const ExprId cell = t.global("cell", t.pointer);
  t.global("other", t.int_type);
  const RegId p = t.reg("p", t.pointer);
  t.then(Store{cell, x});
  t.then(Store{cell, y});
  t.then(Load{p, cell});
  const EdgeId access = t.then(Store{t.b.reg(p), t.number(1)});
  t.then(Return{});
  const Program program = t.finish();
  EXPECT_EQ(names(program, analyse_points_to(program), access), (Texts{"x", "y"}));
}

TEST(PointsTo, TellsFieldsApartButNotArrayElements) {
  Tiny t;
  const TypeId pair = t.b.declare_record(RecordKind::struct_record, "pair");
  t.b.complete_record(pair,
                      {{.name = "a", .type = t.pointer, .offset = 0, .bits = {}},
                       {.name = "b", .type = t.pointer, .offset = 8, .bits = {}}},
                      16, 8);
  const ExprId x = t.global("x", t.int_type), y = t.global("y", t.int_type);
  const ExprId array = t.b.cast(t.b.pointer_to(pair), t.global("array", t.b.array_of(pair, 4)));
  const RegId i = t.reg("i", t.int_type), p = t.reg("p", t.pointer), q = t.reg("q", t.pointer);
  t.then(Havoc{i});
  t.then(Store{t.b.field(t.b.ptr_add(array, t.b.reg(i)), 0), x});
  t.then(Store{t.b.field(t.b.ptr_add(array, t.number(3)), 1), y});
  t.then(Load{p, t.b.field(t.b.ptr_add(array, t.number(2)), 0)});
  t.then(Load{q, t.b.field(t.b.ptr_add(array, t.b.reg(i)), 1)});
  const EdgeId by_p = t.then(Store{t.b.reg(p), t.number(1)});
  const EdgeId by_q = t.then(Store{t.b.reg(q), t.number(1)});
  t.then(Return{});
  const Program program = t.finish();
  const PointsTo facts = analyse_points_to(program);
  EXPECT_EQ(names(program, facts, by_p), Texts{"x"});
  EXPECT_EQ(names(program, facts, by_q), Texts{"y"});
  EXPECT_FALSE(facts.may_alias(by_p, by_q));
  EXPECT_TRUE(facts.may_alias(by_p, by_p));
}

// A pointer that wanders through a struct byte by byte may be anywhere in it.
TEST(PointsTo, LosesTheOffsetButNotTheObject) {
  Tiny t;
  const TypeId pair = t.b.declare_record(RecordKind::struct_record, "pair");
  t.b.complete_record(pair,
                      {{.name = "a", .type = t.pointer, .offset = 0, .bits = {}},
                       {.name = "b", .type = t.pointer, .offset = 8, .bits = {}}},
                      16, 8);
  const TypeId bytes = t.b.pointer_to(t.b.int_type(8, true));
  const ExprId x = t.global("x", t.int_type), from = t.global("from", pair),
               to = t.global("to", pair);
  const RegId i = t.reg("i", t.int_type), byte = t.reg("byte", t.b.int_type(8, true));
  const RegId p = t.reg("p", t.pointer);
  t.then(Store{t.b.field(from, 1), x});
  t.then(Havoc{i});
  t.then(Load{byte, t.b.ptr_add(t.b.cast(bytes, from), t.b.reg(i))});
  t.then(Store{t.b.ptr_add(t.b.cast(bytes, to), t.b.reg(i)), t.b.reg(byte)});
  t.then(Load{p, t.b.field(to, 1)});
  const EdgeId access = t.then(Store{t.b.reg(p), t.number(1)});
  t.then(Return{});
  const Program program = t.finish();
  EXPECT_EQ(names(program, analyse_points_to(program), access), Texts{"x"});
}

TEST(PointsTo, KeepsAddressesInIntegersAndFindsUnknownOnes) {
  Tiny t;
  const TypeId word = t.b.int_type(64, false);
  const ExprId x = t.global("x", t.int_type);
  const RegId n = t.reg("n", word), p = t.reg("p", t.pointer), q = t.reg("q", t.pointer);
  t.then(Assign{n, t.b.binary(Op::add, t.b.cast(word, x), t.b.constant(word, 0x10))});
  t.then(Assign{p, t.b.cast(t.pointer, t.b.binary(Op::sub, t.b.reg(n), t.b.constant(word, 16)))});
  t.then(Havoc{q});
  const EdgeId by_p = t.then(Store{t.b.reg(p), t.number(1)});
  const EdgeId by_q = t.then(Store{t.b.reg(q), t.number(1)});
  t.then(Return{});
  const Program program = t.finish();
  const PointsTo facts = analyse_points_to(program);
  EXPECT_EQ(names(program, facts, by_p), Texts{"x"});
  EXPECT_EQ(names(program, facts, by_q), Texts{"anything"});
  EXPECT_TRUE(facts.may_alias(by_p, by_q));
}

// A value written through an unknown pointer may come out of any memory.
TEST(PointsTo, WritesThroughUnknownPointersGoEverywhere) {
  Tiny t;
  const ExprId x = t.global("x", t.int_type), cell = t.global("cell", t.pointer);
  const RegId wild = t.reg("wild", t.b.pointer_to(t.pointer)), p = t.reg("p", t.pointer);
  t.then(Havoc{wild});
  t.then(Store{t.b.reg(wild), x});
  t.then(Load{p, cell});
  const EdgeId access = t.then(Store{t.b.reg(p), t.number(1)});
  t.then(Return{});
  const Program program = t.finish();
  EXPECT_EQ(names(program, analyse_points_to(program), access), Texts{"x"});
}

TEST(PointsTo, ResolvesCallsThroughPointersAndGivesUpSoundly) {
  Tiny t;
  const ExprId x = t.global("x", t.int_type);
  const FunId callee = t.function("callee", {t.pointer});
  const FunId other = t.function("other", {t.pointer});
  const ExprId slot = t.global("slot", t.b.pointer_to(t.b.view().function(callee).type));
  const RegId f = t.reg("f", t.b.pointer_to(t.b.view().function(callee).type));
  t.then(Store{slot, t.b.function_address(callee)});
  t.then(Load{f, slot});
  const EdgeId call = t.then(Call{t.b.reg(f), {x}, {}});
  t.then(Return{});
  t.into(callee);
  const EdgeId access =
      t.then(Store{t.b.reg(t.b.view().function(callee).parameters[0]), t.number(1)});
  t.then(Return{});
  t.into(other);
  t.then(Return{});
  const Program program = t.finish();
  const PointsTo facts = analyse_points_to(program);
  EXPECT_EQ(facts.callees(call), std::vector<FunId>{callee});
  EXPECT_EQ(names(program, facts, access), Texts{"x"});
  const PointsTo tired = analyse_points_to(program, {.work = 3});
  EXPECT_TRUE(tired.gave_up());
  EXPECT_TRUE(tired.targets(access).anything);
  const Sharedness sharedness(program, tired);
  EXPECT_TRUE(sharedness.may_be_shared(access));
}

// ---- sharedness ------------------------------------------------------------------

struct Threads : Tiny {
  ExprId mine = global("mine", int_type);      // main only
  ExprId common = global("common", int_type);  // main and the worker
  ExprId theirs = global("theirs", int_type);  // the worker only
  FunId worker = function("worker", {void_pointer});
  RegId number = reg("number", int_type);
  RegId local = b.add_register(worker, "local", pointer);
  EdgeId to_mine, to_common, to_theirs, allocation, to_local;

  void spawn() { then(Spawn{number, b.function_address(worker), b.constant(void_pointer, 0)}); }
  // The worker's body; its local block gets known to others if `leak` is an address to put it.
  void write_worker(std::optional<ExprId> leak) {
    into(worker);
    allocation =
        then(Alloc{local, b.constant(b.size_type(), 4), AllocKind::stack, Contents::unset, "v"});
    to_local = then(Store{b.reg(local), number_one()});
    if (leak) then(Store{*leak, b.reg(local)});
    to_theirs = then(Store{theirs, number_one()});
    then(Store{common, number_one()});
    then(Return{});
  }
  ExprId number_one() { return b.constant(int_type, 1); }
  void write_main() {
    to_mine = then(Store{mine, number_one()});
    to_common = then(Store{common, number_one()});
    then(Return{});
  }
};

TEST(Sharedness, OneWorker) {
  Threads t;
  t.spawn();
  t.write_main();
  t.write_worker({});
  const Program program = t.finish();
  const Sharedness facts(program, analyse_points_to(program));
  EXPECT_FALSE(facts.may_be_shared(t.to_mine));
  EXPECT_TRUE(facts.may_be_shared(t.to_common));
  EXPECT_FALSE(facts.may_be_shared(t.to_theirs));
  EXPECT_FALSE(facts.may_be_shared(t.to_local));
  EXPECT_FALSE(facts.object_may_be_shared(t.allocation));
}

TEST(Sharedness, TwoWorkersShareTheirGlobalsButNotTheirLocals) {
  Threads t;
  t.spawn();
  t.spawn();
  t.write_main();
  t.write_worker({});
  const Program program = t.finish();
  const Sharedness facts(program, analyse_points_to(program));
  EXPECT_FALSE(facts.may_be_shared(t.to_mine));
  EXPECT_TRUE(facts.may_be_shared(t.to_theirs));
  EXPECT_FALSE(facts.may_be_shared(t.to_local));
}

TEST(Sharedness, ASpawnInALoopCountsTwice) {
  Threads t;
  const LocId head = t.at;
  t.spawn();
  t.b.add_edge(t.at, head, Skip{}, {});
  t.write_worker({});
  const Program program = t.finish();
  const Sharedness facts(program, analyse_points_to(program));
  EXPECT_TRUE(facts.may_be_shared(t.to_theirs));
}

TEST(Sharedness, AnAddressPutIntoAGlobalEscapes) {
  Threads t;
  const ExprId slot = t.global("slot", t.pointer);
  t.spawn();
  t.spawn();
  t.write_main();
  t.write_worker(slot);
  const Program program = t.finish();
  const Sharedness facts(program, analyse_points_to(program));
  EXPECT_TRUE(facts.may_be_shared(t.to_local));
  EXPECT_TRUE(facts.object_may_be_shared(t.allocation));
}

TEST(Sharedness, AnArgumentOfAThreadEscapes) {
  Threads t;
  const RegId own = t.reg("own", t.pointer);
  const EdgeId allocated = t.then(
      Alloc{own, t.b.constant(t.b.size_type(), 4), AllocKind::stack, Contents::unset, "own"});
  t.then(Spawn{t.number, t.b.function_address(t.worker), t.b.cast(t.void_pointer, t.b.reg(own))});
  t.then(Return{});
  t.into(t.worker);
  const RegId argument = t.b.view().function(t.worker).parameters[0];
  const EdgeId access = t.then(Store{t.b.cast(t.pointer, t.b.reg(argument)), t.number_one()});
  t.then(Return{});
  const Program program = t.finish();
  const Sharedness facts(program, analyse_points_to(program));
  EXPECT_TRUE(facts.object_may_be_shared(allocated));  // main ends its life
  EXPECT_TRUE(facts.may_be_shared(access));
}

// A model that is called on a private and on a shared object keeps them apart by its caller; the
// edge inside it is shared as soon as one of the calls is.
TEST(Sharedness, ModelsAreSeparateForEachCall) {
  Threads t;
  const FunId block =
      t.b.declare_function("block", t.b.function_type(t.pointer, {}, false), Origin::model);
  t.b.set_function_entry(block, t.b.add_location(block));
  const RegId kept = t.reg("kept", t.pointer), given = t.reg("given", t.pointer);
  const ExprId slot = t.global("slot", t.pointer);
  t.spawn();
  t.then(Call{t.b.function_address(block), {}, kept});
  t.then(Call{t.b.function_address(block), {}, given});
  t.then(Store{slot, t.b.reg(given)});
  const EdgeId to_kept = t.then(Store{t.b.reg(kept), t.number_one()});
  const EdgeId to_given = t.then(Store{t.b.reg(given), t.number_one()});
  t.then(Return{});
  t.into(block);
  const RegId fresh = t.reg("fresh", t.pointer);
  t.then(Alloc{fresh, t.b.constant(t.b.size_type(), 4), AllocKind::heap, Contents::unset, ""});
  t.then(Return{t.b.reg(fresh)});
  t.into(t.worker);
  const RegId found = t.reg("found", t.pointer);
  t.then(Load{found, slot});
  t.then(Store{t.b.reg(found), t.number_one()});
  t.then(Return{});
  const Program program = t.finish();
  const Sharedness facts(program, analyse_points_to(program));
  EXPECT_FALSE(facts.may_be_shared(to_kept));
  EXPECT_TRUE(facts.may_be_shared(to_given));
}

}  // namespace
}  // namespace heddle::passes
