// Printed C: what it says for each kind of statement.
#include "ir/c_printer.hpp"

#include <gtest/gtest.h>

#include "ir/builder.hpp"

namespace heddle::ir {
namespace {

struct CPrinterTest : testing::Test {
  ProgramBuilder b{DataModel::lp64};
  TypeId int_type = b.int_type(32, true);
  FunId main = b.declare_function("main", b.function_type(int_type, {}, false), Origin::user);
  LocId at = b.add_location(main);
  LocId entry = at;
  RegId x = b.add_register(main, "x", int_type);
  ExprId g = b.global_address(b.add_global({.name = "g", .type = int_type}));

  ExprId number(std::uint64_t value) { return b.constant(int_type, value); }
  void then(Statement statement) {
    const LocId next = b.add_location(main);
    b.add_edge(std::exchange(at, next), next, std::move(statement), {});
  }
  std::string printed(CStyle style = {}) {
    then(Return{number(0)});
    b.set_function_entry(main, entry);
    b.set_entry(main);
    b.set_main(main);
    return to_c(std::move(b).finish(), style);
  }
  static void expect_in(const std::string& part, const std::string& text) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  }
};

TEST_F(CPrinterTest, NamesGlobalsAndTemporaries) {
  const RegId t = b.add_temporary(main, int_type);
  then(Load{t, g});
  then(Store{g, b.binary(Op::add, b.reg(t), number(1))});
  const std::string text = printed();
  expect_in("  t1 = g;\n  g = t1 + 1;\n  return 0;\n", text);
  expect_in("int g;\n", text);
}

TEST_F(CPrinterTest, LeavesTheCompilersOwnNamesAlone) {
  then(Store{b.global_address(b.add_global({.name = "free", .type = int_type})), number(1)});
  const std::string text = printed();
  expect_in("int free_2;\n", text);
  expect_in("  free_2 = 1;\n", text);
}

TEST_F(CPrinterTest, WritesAtomicsWithTheirOrder) {
  then(Load{x, g, MemoryOrder::acquire});
  then(Store{g, b.reg(x), MemoryOrder::seq_cst});
  then(Update{x, g, RmwOp::add, number(2), ExprId::none(), MemoryOrder::relaxed});
  then(Update{x, g, RmwOp::compare_exchange, number(2), b.reg(x), MemoryOrder::seq_cst});
  const std::string text = printed();
  expect_in("x = __atomic_load_n(&g, __ATOMIC_ACQUIRE);", text);
  expect_in("__atomic_store_n(&g, x, __ATOMIC_SEQ_CST);", text);
  expect_in("x = __atomic_fetch_add(&g, 2, __ATOMIC_RELAXED);", text);
  expect_in("x = __sync_val_compare_and_swap(&g, x, 2);", text);
}

TEST_F(CPrinterTest, JumpsOnlyWhereControlJumps) {
  const LocId head = at;
  const ExprId more = b.binary(Op::lt, b.reg(x), number(3));
  then(Assume{more});
  b.add_edge(at, head, Assign{x, b.binary(Op::add, b.reg(x), number(1))}, {});
  at = b.add_location(main);
  b.add_edge(head, at, Assume{b.negation(more)}, {});
  expect_in("L1:;\n  if (3 <= x) goto L2;\n  x = x + 1;\n  goto L1;\nL2:;\n  return 0;\n",
            printed());
}

TEST_F(CPrinterTest, TurnsStackObjectsIntoVariables) {
  const TypeId pointer = b.pointer_to(int_type);
  const RegId local = b.add_temporary(main, pointer);
  const RegId keep = b.add_register(main, "keep", pointer);
  then(Alloc{local, b.constant(b.size_type(), 4), AllocKind::stack, Contents::zero, "v"});
  then(Store{b.reg(local), number(7)});
  then(Assign{keep, b.reg(local)});
  then(Store{b.reg(keep), number(8)});
  const std::string text = printed();
  expect_in("int v = 0;\n", text);
  expect_in("  v = 7;\n  keep = &v;\n  *keep = 8;\n", text);
}

// Compilers warn of variables that are only written, unless told.
TEST_F(CPrinterTest, SaysWhichVariablesAreOnlyWritten) {
  const TypeId pair = b.array_of(int_type, 2);
  const auto declare = [&](const std::string& name) {
    const RegId local = b.add_temporary(main, b.pointer_to(pair));
    then(Alloc{local, b.constant(b.size_type(), 8), AllocKind::stack, Contents::zero, name});
    const ExprId first = b.cast(b.pointer_to(int_type), b.reg(local));
    then(Store{b.ptr_add(first, b.reg(x)), number(7)});
    return first;
  };
  declare("written");
  then(Load{x, declare("read")});
  const std::string text = printed();
  expect_in("int written[2] __attribute__((unused)) = {};\n", text);
  expect_in("int read[2] = {};\n", text);
  expect_in("  int x;\n", text);
}

// A declaration in a loop zeroes its variable each time, whatever its type, without a library.
TEST_F(CPrinterTest, ZeroesAnewInPlainC) {
  const TypeId pair = b.declare_record(RecordKind::struct_record, "pair");
  b.complete_record(pair, {{"a", int_type, 0, {}}, {"b", int_type, 4, {}}}, 8, 4);
  const TypeId routine = b.pointer_to(b.function_type(int_type, {}, false));
  const LocId head = at;
  const auto declare = [&](TypeId type, const std::string& name) {
    const RegId local = b.add_temporary(main, b.pointer_to(type));
    const std::uint64_t size = b.type(type).size;
    then(Alloc{local, b.constant(b.size_type(), size), AllocKind::stack, Contents::zero, name});
    const TypeId bytes = b.pointer_to(b.int_type(8, true));
    then(Store{b.cast(bytes, b.reg(local)), b.constant(b.int_type(8, true), 1)});
  };
  declare(int_type, "n");
  declare(b.array_of(b.array_of(int_type, 3), 2), "grid");
  declare(b.array_of(int_type, 1), "one");
  declare(b.array_of(routine, 2), "table");
  declare(pair, "both");
  b.add_edge(at, head, Skip{}, {});
  at = b.add_location(main);
  const std::string text = printed();
  expect_in("  n = 0;\n", text);
  expect_in("for (unsigned long grid_i = 0; grid_i < 6; ++grid_i) ((int *)&grid)[grid_i] = 0;",
            text);
  expect_in("for (unsigned long one_i = 0; one_i < 1; ++one_i) ((int *)&one)[one_i] = 0;", text);
  expect_in("((int (**)(void))&table)[table_i] = 0;", text);
  expect_in("  both = (struct pair){};\n", text);
  EXPECT_EQ(text.find("memset"), std::string::npos) << text;
}

// A declaration in a loop without an initialiser forgets what its variable held the time before.
TEST_F(CPrinterTest, ForgetsAnew) {
  const TypeId byte = b.int_type(8, false);
  const TypeId either = b.declare_record(RecordKind::union_record, "either");
  b.complete_record(either, {{"one", byte, 0, {}}, {"all", int_type, 0, {}}}, 4, 4);
  const TypeId pair = b.declare_record(RecordKind::struct_record, "pair");
  b.complete_record(pair,
                    {{"flag", int_type, 0, {0, 3}},
                     {"", int_type, 0, {3, 5}},
                     {"u", either, 4, {}},
                     {"bytes", b.array_of(byte, 4), 8, {}}},
                    12, 4);
  const LocId head = at;
  const auto declare = [&](TypeId type, const std::string& name) {
    const RegId local = b.add_temporary(main, b.pointer_to(type));
    const std::uint64_t size = b.type(type).size;
    then(Alloc{local, b.constant(b.size_type(), size), AllocKind::stack, Contents::unset, name});
    then(Load{b.add_temporary(main, byte), b.cast(b.pointer_to(byte), b.reg(local))});
  };
  declare(int_type, "n");
  declare(b.array_of(b.array_of(int_type, 3), 2), "grid");
  declare(b.array_of(int_type, 0), "nothing");
  declare(pair, "both");
  b.add_edge(at, head, Skip{}, {});
  at = b.add_location(main);
  const std::string text = printed();
  expect_in("  n = __VERIFIER_nondet_int();\n", text);
  expect_in(
      "  for (unsigned long grid_i = 0; grid_i < 2; ++grid_i) { "
      "for (unsigned long grid_ii = 0; grid_ii < 3; ++grid_ii) { "
      "grid[grid_i][grid_ii] = __VERIFIER_nondet_int(); } }\n",
      text);
  expect_in(
      "  both.flag = __VERIFIER_nondet_int();\n"
      "  both.u.all = __VERIFIER_nondet_int();\n"
      "  for (unsigned long both_i = 0; both_i < 4; ++both_i) { "
      "both.bytes[both_i] = __VERIFIER_nondet_uchar(); }\n",
      text);
  EXPECT_EQ(text.find("nothing_i"), std::string::npos) << text;
}

// Unknown code may change the whole variable that it is handed a part of.
TEST_F(CPrinterTest, SequentialTextForgetsWholeVariables) {
  const ExprId array =
      b.global_address(b.add_global({.name = "a", .type = b.array_of(int_type, 2)}));
  const TypeId anything = b.pointer_to(b.void_type());
  const RegId pointer = b.add_register(main, "p", b.pointer_to(int_type));
  const RegId unknown = b.add_register(main, "q", anything);
  then(Havoc{pointer});
  then(Havoc{unknown});
  then(Clobber{b.cast(anything, array)});
  then(Clobber{b.cast(anything, b.reg(pointer))});
  then(Clobber{b.reg(unknown)});
  const TypeId bytes = b.array_of(b.int_type(8, false), 3);
  then(Clobber{b.global_address(b.add_global({.name = "part", .type = bytes}))});
  const std::string text = printed({.form = CForm::sequential});
  expect_in(
      "  for (unsigned long part_2 = 0; part_2 < 2; ++part_2) { a[part_2] = "
      "__VERIFIER_nondet_int(); }\n",
      text);
  expect_in("  if (p != 0) { (*p) = __VERIFIER_nondet_int(); }\n", text);
  EXPECT_EQ(text.find("q != 0"), std::string::npos) << text;
}

TEST_F(CPrinterTest, SaysFailuresAndInputsByTheirUsualNames) {
  then(Havoc{x});
  then(Assume{b.binary(Op::lt, b.reg(x), number(9))});
  then(Fail{FailKind::error_call, "reach_error()"});
  then(Fail{FailKind::assertion, "x == \"a\""});
  const std::string text = printed();
  expect_in("extern int __VERIFIER_nondet_int(void);", text);
  expect_in("x = __VERIFIER_nondet_int();\n  __VERIFIER_assume(x < 9);\n  reach_error();", text);
  expect_in("__assert_fail(\"x == \\\"a\\\"\"", text);
}

TEST_F(CPrinterTest, KeepsTheLayoutOfRecords) {
  const TypeId packed = b.declare_record(RecordKind::struct_record, "packed");
  b.complete_record(packed,
                    {{.name = "c", .type = b.int_type(8, true), .bits = {}},
                     {.name = "i", .type = int_type, .offset = 1, .bits = {}}},
                    5, 1);
  const TypeId bits = b.declare_record(RecordKind::struct_record, "bits");
  const TypeId byte = b.int_type(8, false);
  b.complete_record(bits,
                    {{.name = "a", .type = byte, .bits = {0, 3}},
                     {.name = "b", .type = byte, .offset = 4, .bits = {2, 3}}},
                    8, 4);
  const ExprId p = b.global_address(b.add_global({.name = "p", .type = packed}));
  const ExprId q = b.global_address(b.add_global({.name = "q", .type = bits}));
  then(Load{x, b.field(p, 1)});
  then(Store{b.field(q, 1), b.constant(byte, 1), MemoryOrder::plain, {2, 3}});
  const RegId unit = b.add_register(main, "unit", byte);
  then(Load{unit, b.field(q, 1)});  // as a struct copy does: all bits of the storage unit
  then(Store{b.field(q, 1), b.reg(unit)});
  const std::string text = printed();
  expect_in("unit = *(unsigned char *)((char *)&q + 4);", text);
  expect_in("*(unsigned char *)((char *)&q + 4) = unit;", text);
  expect_in("__attribute__((packed, aligned(1)))", text);
  expect_in("_Static_assert(sizeof(struct packed) == 5", text);
  expect_in("_Static_assert(sizeof(struct bits) == 8", text);
  expect_in("q.b = 1;", text);
}

// A node that holds a pointer to a list of arrays of nodes: sizes follow when the node is known.
TEST_F(CPrinterTest, ArraysNamedBeforeTheirElementIsKnownHaveItsSize) {
  const TypeId node = b.declare_record(RecordKind::struct_record, "node");
  const TypeId row = b.array_of(node, 3), table = b.array_of(row, 2);
  const TypeId list = b.declare_record(RecordKind::struct_record, "list");
  b.complete_record(node, {{.name = "list", .type = b.pointer_to(list), .bits = {}}}, 8, 8);
  b.complete_record(list, {{.name = "nodes", .type = table, .bits = {}}}, 48, 8);
  EXPECT_EQ(b.type(row).size, 24u);
  EXPECT_EQ(b.type(table).size, 48u);
  const ExprId all = b.global_address(b.add_global({.name = "all", .type = list}));
  const RegId p = b.add_register(main, "p", b.pointer_to(list));
  then(Assign{p, all});
  const std::string text = printed();
  EXPECT_LT(text.find("struct node {"), text.find("struct list {")) << text;
  EXPECT_EQ(text.find("pad_"), std::string::npos) << text;
}

TEST_F(CPrinterTest, PutsInitialisersBackIntoShape) {
  const TypeId pair = b.declare_record(RecordKind::struct_record, "pair");
  b.complete_record(pair,
                    {{.name = "n", .type = int_type, .bits = {}},
                     {.name = "at", .type = b.pointer_to(int_type), .offset = 8, .bits = {}}},
                    16, 8);
  const ExprId table = b.global_address(b.add_global(
      {.name = "table",
       .type = b.array_of(pair, 3),
       .initializers = {{.offset = 0, .value = number(5)}, {.offset = 40, .value = g}}}));
  then(Load{x, b.field(b.cast(b.pointer_to(pair), table), 0)});
  const std::string text = printed();
  expect_in("struct pair table[3] = {{.n = 5}, [2] = {.at = &g}};", text);
  expect_in("x = table[0].n;", text);
}

}  // namespace
}  // namespace heddle::ir
