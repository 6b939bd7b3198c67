// Where address terms may point.
#include "engine/bmc/pointers.hpp"

#include <gtest/gtest.h>

#include <map>

#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::bmc::Cell;
using engine::bmc::Facts;
using engine::bmc::ObjectId;
using engine::bmc::Objects;
using engine::bmc::Pointers;
using engine::bmc::Target;
using engine::bmc::Targets;
using smt::Term;
using smt::TermOp;

class BmcPointers : public ::testing::Test {
 protected:
  ObjectId object(const std::string& name) const {
    for (std::uint32_t i = 0; i < program.globals().size(); ++i)
      if (program.globals()[i].name == name) return objects.global({i});
    ADD_FAILURE() << "no global " << name;
    return {};
  }
  Term address(const std::string& name, std::uint64_t offset = 0) {
    return terms.constant(64, objects[object(name)].base + offset);
  }
  std::uint64_t value(Term term, const std::map<Term, std::uint64_t>& assignment) {
    smt::Terms::Evaluator evaluate(terms, [&](Term variable) { return assignment.at(variable); });
    return evaluate(term);
  }
  bool holds(Term term, const std::map<Term, std::uint64_t>& assignment) {
    return value(term, assignment) != 0;
  }
  // The only target under an assignment; nullptr if there is none.
  const Target* hit(const Targets& targets, const std::map<Term, std::uint64_t>& assignment) {
    const Target* found = nullptr;
    for (const Target& target : targets.valid) {
      if (!holds(target.when, assignment)) continue;
      EXPECT_EQ(found, nullptr) << "two targets at once";
      found = &target;
    }
    return found;
  }

  ir::Program program =
      frontend::parse_text("test.c",
                           "int x[4]; int y; int *p; struct { int a, b, c; } s[3]; int large[5000];"
                           "int main(void) { x[0] = y + s[0].a + large[0]; p = x; return 0; }");
  machine::Memory memory{program};
  Objects objects{program, memory};
  Facts facts{};
  smt::Terms terms{};
  Pointers pointers{terms, objects, facts, 300};
};

TEST_F(BmcPointers, ChoiceOfConstants) {
  const Term c = terms.variable(1);
  const Targets found = pointers.targets(terms.ite(c, address("x", 8), address("y")), 4);
  EXPECT_TRUE(terms.is_false(found.unknown));
  EXPECT_TRUE(terms.is_false(found.invalid));
  ASSERT_EQ(found.valid.size(), 2u);
  const Target* on = hit(found, {{c, 1}});
  ASSERT_NE(on, nullptr);
  EXPECT_EQ(on->object, object("x"));
  EXPECT_EQ(on->offset, 8u);
  const Target* off = hit(found, {{c, 0}});
  ASSERT_NE(off, nullptr);
  EXPECT_EQ(off->object, object("y"));
}

TEST_F(BmcPointers, NullAndWhatLiesBesideAnObjectIsInvalid) {
  const Term c = terms.variable(1);
  const Targets null = pointers.targets(terms.ite(c, address("y"), terms.constant(64, 0)), 4);
  EXPECT_EQ(null.valid.size(), 1u);
  EXPECT_FALSE(holds(null.invalid, {{c, 1}}));
  EXPECT_TRUE(holds(null.invalid, {{c, 0}}));
  EXPECT_TRUE(terms.is_true(pointers.targets(address("x", 16), 4).invalid));
  EXPECT_TRUE(terms.is_true(pointers.targets(address("x", 14), 4).invalid));
  EXPECT_TRUE(terms.is_false(pointers.targets(address("x", 12), 4).invalid));
}

TEST_F(BmcPointers, IndexIntoAnArray) {
  const Term i = terms.variable(8);
  const Term moved = terms.binary(TermOp::mul, terms.sext(i, 64), terms.constant(64, 4));
  const Targets found = pointers.targets(terms.binary(TermOp::add, address("x"), moved), 4);
  EXPECT_TRUE(terms.is_false(found.unknown));
  EXPECT_EQ(found.valid.size(), 4u);
  for (unsigned index = 0; index < 256; ++index) {
    const Target* target = hit(found, {{i, index}});
    EXPECT_EQ(target != nullptr, index < 4) << index;
    EXPECT_EQ(holds(found.invalid, {{i, index}}), index >= 4) << index;
    if (target != nullptr) {
      EXPECT_EQ(target->offset, 4 * index);
    }
  }
}

TEST_F(BmcPointers, IndexThatWasWidenedLast) {
  const Term i = terms.variable(8);
  const Term moved = terms.sext(terms.concat(i, terms.constant(2, 0)), 64);
  const Targets found = pointers.targets(terms.binary(TermOp::add, address("large"), moved), 4);
  EXPECT_TRUE(terms.is_false(found.unknown));
  EXPECT_EQ(found.valid.size(), 128u);
  for (const unsigned index : {0u, 1u, 127u}) {
    ASSERT_NE(hit(found, {{i, index}}), nullptr);
    EXPECT_EQ(hit(found, {{i, index}})->offset, 4 * index);
  }
  EXPECT_TRUE(holds(found.invalid, {{i, 255}}));
}

// Each step is shared by two paths, so whoever walks along paths never gets to the end.
TEST_F(BmcPointers, IndexThatWasCountedAlongManyPaths) {
  Term moved = terms.constant(64, 0);
  std::map<Term, std::uint64_t> once;
  for (int step = 0; step < 80; ++step) {
    const Term counts = terms.variable(1);
    once[counts] = step == 40;
    moved = terms.ite(counts, terms.binary(TermOp::add, moved, terms.constant(64, 4)), moved);
  }
  const Targets found = pointers.targets(terms.binary(TermOp::add, address("x"), moved), 4);
  EXPECT_EQ(found.valid.size(), 4u);
  ASSERT_NE(hit(found, once), nullptr);
  EXPECT_EQ(hit(found, once)->offset, 4u);
}

TEST_F(BmcPointers, IndexBeforeAFieldStartsInTheMiddle) {
  const Term i = terms.variable(8);
  const Term moved = terms.binary(TermOp::mul, terms.sext(i, 64), terms.constant(64, 12));
  const Term start = address("s", 16);  // s[1].b
  const Targets found = pointers.targets(terms.binary(TermOp::add, start, moved), 4);
  EXPECT_TRUE(terms.is_false(found.unknown));
  ASSERT_NE(hit(found, {{i, 0xff}}), nullptr);
  EXPECT_EQ(hit(found, {{i, 0xff}})->offset, 4u);
  ASSERT_NE(hit(found, {{i, 0}}), nullptr);
  EXPECT_EQ(hit(found, {{i, 0}})->offset, 16u);
  ASSERT_NE(hit(found, {{i, 1}}), nullptr);
  EXPECT_EQ(hit(found, {{i, 1}})->offset, 28u);
  EXPECT_EQ(hit(found, {{i, 2}}), nullptr);
  EXPECT_TRUE(holds(found.invalid, {{i, 2}}));
  EXPECT_TRUE(holds(found.invalid, {{i, 0xfe}}));
}

TEST_F(BmcPointers, WhatIsReadFromSharedMemoryIsWhatWasWritten) {
  const Cell cell{object("p"), 0, 8};
  const Term read = terms.variable(64);
  pointers.read_from(read, cell);
  // Nothing has been written yet as far as we know: nothing to point to.
  Pointers early{terms, objects, facts, 300};
  early.read_from(read, cell);
  EXPECT_TRUE(early.targets(read, 4).valid.empty());
  EXPECT_TRUE(terms.is_false(early.targets(read, 4).unknown));
  EXPECT_TRUE(facts.learn_value(cell, terms.value(address("x", 4))));
  EXPECT_TRUE(facts.learn_value(cell, terms.value(address("y"))));
  EXPECT_FALSE(facts.learn_value(cell, terms.value(address("y"))));
  const Targets found = pointers.targets(read, 4);
  EXPECT_EQ(found.valid.size(), 2u);
  EXPECT_TRUE(terms.is_false(found.unknown));
  const Target* target = hit(found, {{read, terms.value(address("x", 4))}});
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->object, object("x"));
  EXPECT_EQ(target->offset, 4u);
}

TEST_F(BmcPointers, OpenDomainLeavesTheRestUnknown) {
  const Cell cell{object("p"), 0, 8};
  facts.learn_value(cell, terms.value(address("y")));
  EXPECT_TRUE(facts.learn_open(cell));
  EXPECT_FALSE(facts.learn_open(cell));
  const Term read = terms.variable(64);
  pointers.read_from(read, cell);
  const Targets found = pointers.targets(read, 4);
  EXPECT_EQ(found.valid.size(), 1u);
  EXPECT_FALSE(holds(found.unknown, {{read, terms.value(address("y"))}}));
  EXPECT_TRUE(holds(found.unknown, {{read, terms.value(address("x"))}}));
}

TEST_F(BmcPointers, AnyNumberIsUnknown) {
  const Term any = terms.variable(64);
  EXPECT_TRUE(terms.is_true(pointers.targets(any, 4).unknown));
  EXPECT_TRUE(pointers.targets(any, 4).valid.empty());
}

TEST_F(BmcPointers, MoreValuesThanWeFollowOpenTheDomain) {
  const Cell cell{object("p"), 0, 8};
  for (std::uint64_t i = 0; i < 1000; ++i) facts.learn_value(cell, 8 * i);
  ASSERT_NE(facts.domain(cell), nullptr);
  EXPECT_TRUE(facts.domain(cell)->open);
  EXPECT_LT(facts.domain(cell)->values.size(), 1000u);
}

// What counts is how far the index goes, not how large the object is.
TEST_F(BmcPointers, ASmallIndexIntoALargeArray) {
  const Term i = terms.variable(32);
  const Term low = terms.binary(TermOp::bit_and, i, terms.constant(32, 7));
  const Term index = terms.zext(low, 64);
  const Term start = address("large", 400);
  const Term where =
      terms.binary(TermOp::add, start, terms.binary(TermOp::mul, index, terms.constant(64, 4)));
  const Targets targets = pointers.targets(where, 4);
  EXPECT_EQ(targets.valid.size(), 8u);
  for (std::uint64_t value = 0; value < 8; ++value) {
    const Target* found = hit(targets, {{i, 64 + value}});
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->offset, 400 + 4 * value);
  }
  EXPECT_FALSE(holds(targets.unknown, {{i, 3}}));
  EXPECT_FALSE(holds(targets.invalid, {{i, 3}}));
}

TEST_F(BmcPointers, AnIndexThatRunsOutOfALargeArray) {
  const Term i = terms.variable(32);
  const Term low = terms.binary(TermOp::bit_and, i, terms.constant(32, 7));
  const Term index = terms.binary(TermOp::sub, terms.zext(low, 64), terms.constant(64, 3));
  const Term where = terms.binary(TermOp::add, address("large"),
                                  terms.binary(TermOp::mul, index, terms.constant(64, 4)));
  const Targets targets = pointers.targets(where, 4);
  EXPECT_TRUE(holds(targets.invalid, {{i, 1}}));
  EXPECT_FALSE(holds(targets.invalid, {{i, 4}}));
  ASSERT_NE(hit(targets, {{i, 4}}), nullptr);
  EXPECT_EQ(hit(targets, {{i, 4}})->offset, 4u);
  EXPECT_EQ(hit(targets, {{i, 2}}), nullptr);
}

// Elements of 12 bytes, which no power of two divides.
TEST_F(BmcPointers, AnIndexMinusOneIntoRecords) {
  const Term i = terms.variable(64);
  const Term where = terms.binary(TermOp::add, address("s", -12 + 4),
                                  terms.binary(TermOp::mul, i, terms.constant(64, 12)));
  const Targets targets = pointers.targets(where, 4);
  EXPECT_EQ(targets.valid.size(), 3u);
  for (std::uint64_t value = 1; value <= 3; ++value) {
    const Target* found = hit(targets, {{i, value}});
    ASSERT_NE(found, nullptr) << value;
    EXPECT_EQ(found->offset, 12 * value - 8);
  }
  EXPECT_TRUE(holds(targets.invalid, {{i, 0}}));
  EXPECT_TRUE(holds(targets.invalid, {{i, 4}}));
}

}  // namespace
}  // namespace heddle::testing
