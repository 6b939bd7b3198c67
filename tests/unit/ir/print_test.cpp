// The text form of programs and the pieces of C in reports.
#include "ir/print.hpp"

#include <gtest/gtest.h>

#include "ir/builder.hpp"
#include "ir/graphviz.hpp"

namespace heddle::ir {
namespace {

struct PrintTest : testing::Test {
  ProgramBuilder b{DataModel::lp64};
  TypeId int_type = b.int_type(32, true);
  TypeId long_type = b.int_type(64, true);
  FunId main = b.declare_function("main", b.function_type(int_type, {}, false), Origin::user);
  RegId x = b.add_register(main, "x", int_type);
  RegId y = b.add_register(main, "y", int_type);
  LocId start = b.add_location(main);
  LocId end = b.add_location(main);

  ExprId number(std::int64_t value) {
    return b.constant(int_type, static_cast<std::uint64_t>(value));
  }
  std::string text(ExprId id) { return expr_to_c(finished(), id); }
  std::string place(ExprId id) { return lvalue_to_c(finished(), id); }
  Program finished() {
    ProgramBuilder copy(b.view());
    copy.set_function_entry(main, start);
    copy.set_entry(main);
    copy.set_main(main);
    return std::move(copy).finish();
  }
};

TEST_F(PrintTest, WritesFewParentheses) {
  const ExprId a = b.reg(x), c = b.reg(y);
  EXPECT_EQ(text(b.binary(Op::add, a, number(1))), "x + 1");
  EXPECT_EQ(text(b.binary(Op::sub, a, b.binary(Op::sub, c, number(1)))), "x - (y - 1)");
  EXPECT_EQ(text(b.binary(Op::sub, b.binary(Op::sub, a, c), number(1))), "x - y - 1");
  EXPECT_EQ(text(b.binary(Op::mul, b.binary(Op::add, a, c), c)), "(x + y) * y");
  EXPECT_EQ(text(b.binary(Op::add, b.binary(Op::mul, a, c), c)), "x * y + y");
  EXPECT_EQ(text(b.unary(Op::neg, b.unary(Op::neg, a))), "-(-x)");
  EXPECT_EQ(text(number(-7)), "-7");
}

TEST_F(PrintTest, WritesShortCircuitsAsC) {
  const ExprId less = b.binary(Op::lt, b.reg(x), b.reg(y));
  const ExprId zero = b.binary(Op::eq, b.reg(x), number(0));
  const ExprId yes = b.constant(b.bool_type(), 1), no = b.constant(b.bool_type(), 0);
  EXPECT_EQ(text(b.select(less, zero, no)), "x < y && x == 0");
  EXPECT_EQ(text(b.select(less, yes, zero)), "x < y || x == 0");
  EXPECT_EQ(text(b.select(b.select(less, yes, zero), zero, no)), "(x < y || x == 0) && x == 0");
  EXPECT_EQ(text(b.select(less, b.reg(x), b.reg(y))), "x < y ? x : y");
}

TEST_F(PrintTest, WritesPlacesAsC) {
  const TypeId node = b.declare_record(RecordKind::struct_record, "node");
  const TypeId part = b.declare_record(RecordKind::union_record, "anon_1");
  b.complete_record(part, {{.name = "tag", .type = int_type, .bits = {}}}, 4, 4);
  b.complete_record(node,
                    {{.name = "value", .type = int_type, .bits = {}},
                     {.name = "next", .type = b.pointer_to(node), .offset = 8, .bits = {}},
                     {.name = "", .type = part, .offset = 16, .bits = {}}},
                    24, 8);
  const GlobalId array =
      b.add_global({.name = "a", .type = b.array_of(b.array_of(int_type, 3), 4)});
  const GlobalId head = b.add_global({.name = "head", .type = node});
  const RegId p = b.add_register(main, "p", b.pointer_to(node));
  const RegId q = b.add_register(main, "q", b.pointer_to(int_type));
  const RegId local = b.add_register(main, "%9", b.pointer_to(node));
  b.add_edge(start, end,
             Alloc{local, b.constant(b.size_type(), 24), AllocKind::stack, Contents::unset, "n"},
             {});
  EXPECT_EQ(place(b.global_address(head)), "head");
  EXPECT_EQ(text(b.global_address(head)), "&head");
  EXPECT_EQ(place(b.field(b.global_address(head), 1)), "head.next");
  EXPECT_EQ(place(b.field(b.reg(p), 1)), "p->next");
  EXPECT_EQ(place(b.field(b.field(b.reg(p), 2), 0)), "p->tag");
  EXPECT_EQ(place(b.field(b.reg(local), 0)), "n.value");
  EXPECT_EQ(text(b.reg(local)), "&n");
  EXPECT_EQ(place(b.reg(q)), "*q");
  EXPECT_EQ(place(b.ptr_add(b.reg(q), b.reg(x))), "q[x]");
  EXPECT_EQ(text(b.ptr_add(b.reg(q), number(-1))), "q - 1");
  const ExprId row =
      b.ptr_add(b.cast(b.pointer_to(b.array_of(int_type, 3)), b.global_address(array)),
                b.cast(long_type, b.reg(x)));
  const ExprId cell = b.ptr_add(b.cast(b.pointer_to(int_type), row), b.reg(y));
  EXPECT_EQ(place(cell), "a[x][y]");
  EXPECT_EQ(text(cell), "&a[x][y]");
}

TEST_F(PrintTest, WritesDeclarators) {
  const TypeId handler = b.function_type(b.void_type(), {int_type}, false);
  const TypeId table = b.array_of(b.pointer_to(handler), 4);
  const TypeId maker = b.function_type(b.pointer_to(handler), {}, false);
  const Program program = finished();
  EXPECT_EQ(type_to_c(program, table, "t"), "void (*t[4])(int)");
  EXPECT_EQ(type_to_c(program, maker, "make"), "void (*make(void))(int)");
  EXPECT_EQ(type_to_c(program, long_type, ""), "long");
}

TEST_F(PrintTest, PrintsEveryPart) {
  const base::FileId file = b.add_file({"a.c", "int g = 3;\n"});
  const GlobalId g = b.add_global({.name = "g",
                                   .type = int_type,
                                   .initializers = {{.offset = 0, .value = number(3)}},
                                   .source = {file, 1, 5, 1, 5}});
  b.add_edge(start, end, Load{x, b.global_address(g), MemoryOrder::acquire}, {file, 1, 1, 1, 1});
  b.add_edge(end, end, Return{b.reg(x)}, {});
  b.add_assumption("f returns any value", {});
  const std::string all = to_text(finished());
  for (const char* part :
       {"program lp64", "file a.c", "assumption: f returns any value", "global int g  @ a.c:1",
        "+0 = 3 as int", "function int main() entry main", "register int x",
        "x = load g [acquire] -> L1  @ a.c:1", "return x"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in\n" << all;
  EXPECT_EQ(all, to_text(finished()));
  const std::string dot = to_dot(finished(), GraphScope::user);
  EXPECT_NE(dot.find("l0 -> l1 [label=\"x = load g [acquire]\\nline 1\"]"), std::string::npos)
      << dot;
}

}  // namespace
}  // namespace heddle::ir
