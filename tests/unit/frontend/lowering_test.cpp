// The shape of what the front end builds.
#include <gtest/gtest.h>

#include "program_facts.hpp"

namespace heddle::frontend::testing {
namespace {

TEST(Lowering, AnIncrementOfAGlobalIsALoadAndAStore) {
  const ir::Program program = parse_text("t.c", "int x; int main(void) { x++; return 0; }");
  EXPECT_EQ(statements_of<ir::Load>(program, "main").size(), 1U);
  EXPECT_EQ(statements_of<ir::Store>(program, "main").size(), 1U);
}

TEST(Lowering, ALocalWhoseAddressIsNotTakenIsARegister) {
  const ir::Program program =
      parse_text("t.c", "int main(void) { int a = 1, b = 2; int *p = &b; return a + *p; }");
  ASSERT_EQ(statements_of<ir::Alloc>(program, "main").size(), 1U);
  EXPECT_EQ(statements_of<ir::Alloc>(program, "main")[0].name, "b");
}

TEST(Lowering, AtomicIncrementIsOneUpdate) {
  const ir::Program program =
      parse_text("t.c", "_Atomic int x; int main(void) { x++; ++x; return 0; }");
  EXPECT_EQ(statements_of<ir::Update>(program, "main").size(), 2U);
  EXPECT_TRUE(statements_of<ir::Load>(program, "main").empty());
}

TEST(Lowering, AtomicCompoundAssignmentIsUninterrupted) {
  const ir::Program program =
      parse_text("t.c", "_Atomic int x; int main(void) { x *= 3; return 0; }");
  EXPECT_EQ(statements_of<ir::Atomic>(program, "main").size(), 2U);
}

TEST(Lowering, MemoryOrdersAreRecorded) {
  const ir::Program program =
      parse_text("t.c",
                 "int x; int main(void) { __atomic_store_n(&x, 1, __ATOMIC_RELEASE); return "
                 "__atomic_load_n(&x, __ATOMIC_RELAXED); }");
  EXPECT_EQ(statements_of<ir::Store>(program, "main")[0].order, ir::MemoryOrder::release);
  EXPECT_EQ(statements_of<ir::Load>(program, "main")[0].order, ir::MemoryOrder::relaxed);
}

TEST(Lowering, AnAtomicFunctionIsASection) {
  const ir::Program program = parse_text("t.c",
                                         "int x; int __VERIFIER_atomic_inc(void) { return ++x; } "
                                         "int main(void) { return __VERIFIER_atomic_inc(); }");
  const auto marks = statements_of<ir::Atomic>(program, "__VERIFIER_atomic_inc");
  ASSERT_FALSE(marks.empty());
  EXPECT_EQ(marks.front().mark, ir::AtomicMark::begin);
}

TEST(Lowering, AdjacentBitFieldsShareAStorageUnit) {
  const ir::Program program = parse_text("t.c",
                                         "struct s { char c; int a : 8; int b : 8; int : 0; int d "
                                         ": 3; } s; int main(void) { s.a = 1; return 0; }");
  const ir::Type& record = program.type(global_named(program, "s").type);
  EXPECT_EQ(record.fields[1].offset, record.fields[2].offset);
  EXPECT_NE(record.fields[1].bits.offset, record.fields[2].bits.offset);
  EXPECT_NE(record.fields[4].offset, record.fields[1].offset);
}

TEST(Lowering, StaticInitialisersCoverAggregatesAndAddresses) {
  const ir::Program program = parse_text("t.c",
                                         "int a[3] = {1, [2] = 7}; struct { int x; int *p; } s = "
                                         "{.p = &a[2]}; const char *t = \"hi\";\n"
                                         "int main(void) { return a[0] + *s.p + t[0]; }");
  const auto& values = global_named(program, "a").initializers;
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[1].offset, 8U);
  EXPECT_EQ(constant_of(program, values[1].value), 7U);
  ASSERT_EQ(global_named(program, "s").initializers.size(), 1U);
  EXPECT_EQ(global_named(program, "s").initializers[0].offset, 8U);
}

TEST(Lowering, DataModelsDiffer) {
  const char* text = "long x; void *p; int main(void) { return sizeof(x) + sizeof(p) + !x + !p; }";
  const ir::Program lp64 = parse_text("t.c", text, ir::DataModel::lp64);
  const ir::Program ilp32 = parse_text("t.c", text, ir::DataModel::ilp32);
  EXPECT_EQ(lp64.type(global_named(lp64, "x").type).size, 8U);
  EXPECT_EQ(ilp32.type(global_named(ilp32, "x").type).size, 4U);
}

TEST(Lowering, AnUnknownFunctionIsReportedOnce) {
  const ir::Program program = parse_text(
      "t.c", "int mystery(int *); int main(void) { int x; mystery(&x); return mystery(&x); }");
  ASSERT_EQ(program.assumptions().size(), 1U);
  EXPECT_NE(program.assumptions()[0].text.find("mystery"), std::string::npos);
  EXPECT_EQ(statements_of<ir::Clobber>(program, "main").size(), 2U);
  EXPECT_EQ(statements_of<ir::Havoc>(program, "main").size(), 2U);
}

TEST(Lowering, UnsupportedConstructsStayOnTheirLine) {
  const ir::Program program = parse_text(
      "t.c",
      "int main(void) {\n  int x = 1;\n  __asm__(\"cpuid\" ::: \"memory\");\n  return x;\n}");
  const auto stops = statements_of<ir::Unsupported>(program, "main");
  ASSERT_EQ(stops.size(), 1U);
  for (const ir::Edge& edge : program.edges()) {
    const bool here = program.function(program.location(edge.from).function).name == "main";
    if (here && std::holds_alternative<ir::Unsupported>(edge.statement)) {
      EXPECT_EQ(edge.source.line, 3U);
    }
  }
}

TEST(Lowering, ACompilerBarrierIsNothing) {
  const ir::Program program =
      parse_text("t.c", "int main(void) { __asm__ volatile(\"\" ::: \"memory\"); return 0; }");
  EXPECT_TRUE(statements_of<ir::Unsupported>(program, "main").empty());
}

TEST(Lowering, SyncModelsAreNamed) {
  const ir::Program program =
      parse_text("t.c",
                 "#include <pthread.h>\npthread_mutex_t m; int main(void) { "
                 "pthread_mutex_lock(&m); return pthread_mutex_unlock(&m); }");
  const ir::Function& lock = program.function(function_named(program, "pthread_mutex_lock"));
  EXPECT_EQ(lock.origin, ir::Origin::model);
  EXPECT_EQ(lock.sync, ir::SyncOp::mutex_lock);
  EXPECT_TRUE(std::any_of(program.edges().begin(), program.edges().end(), [](const ir::Edge& edge) {
    return std::holds_alternative<ir::Await>(edge.statement);
  }));
}

TEST(Lowering, AUsersDefinitionWinsOverAModel) {
  const ir::Program program =
      parse_text("t.c", "int rand(void) { return 4; } int main(void) { return rand(); }");
  EXPECT_EQ(program.function(function_named(program, "rand")).origin, ir::Origin::user);
}

TEST(Lowering, DivisionIsGuarded) {
  const ir::Program program =
      parse_text("t.c", "int d; int main(void) { return 10 / d + 10 / 3; }");
  EXPECT_EQ(statements_of<ir::Fail>(program, "main").size(), 1U);
}

TEST(Lowering, ArgumentsOfMainThatNobodyReadsAreNoInput) {
  const char* unread = "int main(int argc, char **argv) { return 0; }";
  const char* read = "int main(int argc, char **argv) { return argc; }";
  EXPECT_TRUE(statements_of<ir::Havoc>(parse_text("t.c", unread), "heddle_start").empty());
  EXPECT_EQ(statements_of<ir::Havoc>(parse_text("t.c", read), "heddle_start").size(), 1U);
}

TEST(Lowering, MallocAndFreeStandOnTheUsersLine) {
  const ir::Program program =
      parse_text("t.c", "#include <stdlib.h>\nint main(void) { free(malloc(4)); return 0; }");
  EXPECT_EQ(statements_of<ir::Alloc>(program, "main").size(), 1U);
  EXPECT_EQ(statements_of<ir::Free>(program, "main").size(), 1U);
}

TEST(Lowering, TheSameInputGivesTheSameText) {
  const char* text =
      "#include <pthread.h>\nint x; void *f(void *a) { x++; return a; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return pthread_join(t, 0); }";
  EXPECT_EQ(ir::to_text(parse_text("t.c", text)), ir::to_text(parse_text("t.c", text)));
}

}  // namespace
}  // namespace heddle::frontend::testing
