#include "domain/lockset.hpp"

#include <gtest/gtest.h>

#include <random>

namespace heddle::domain {
namespace {

TEST(Locksets, AnObjectUnderOneLockIsConsistent) {
  Locksets locks;
  for (const Locksets::Thread thread : {1U, 2U}) {
    locks.acquire(thread, 0x10);
    locks.acquire(thread, 0x20 + thread);
    locks.access(thread, 0x100, AccessKind::write);
    locks.release(thread, 0x10);
    locks.release(thread, 0x20 + thread);
  }
  EXPECT_TRUE(locks.consistent(0x100));
  EXPECT_EQ(locks.common(0x100), std::set<Locksets::Address>{0x10});
  locks.access(3, 0x100, AccessKind::read);
  EXPECT_FALSE(locks.consistent(0x100));
}

TEST(Locksets, ReadersAndASingleThreadNeedNoLock) {
  Locksets locks;
  locks.access(1, 0x100, AccessKind::read);
  locks.access(2, 0x100, AccessKind::read);
  EXPECT_TRUE(locks.consistent(0x100));
  locks.access(1, 0x200, AccessKind::write);
  locks.access(1, 0x200, AccessKind::read);
  EXPECT_TRUE(locks.consistent(0x200));
}

TEST(Locksets, ARecursiveLockIsHeldUntilItsLastRelease) {
  Locksets locks;
  locks.acquire(1, 0x10);
  locks.acquire(1, 0x10);
  locks.release(1, 0x10);
  EXPECT_EQ(locks.held(1), std::set<Locksets::Address>{0x10});
  locks.release(1, 0x10);
  EXPECT_TRUE(locks.held(1).empty());
}

Locksets some(std::mt19937_64& random) {
  Locksets made;
  for (std::uint64_t i = random() % 12; i > 0; --i) {
    const auto thread = static_cast<Locksets::Thread>(random() % 3);
    switch (random() % 3) {
      case 0:
        made.acquire(thread, 0x10 * (random() % 3));
        break;
      case 1:
        made.release(thread, 0x10 * (random() % 3));
        break;
      default:
        made.access(thread, 0x100 * (random() % 2),
                    random() % 2 == 0 ? AccessKind::read : AccessKind::write);
    }
  }
  return made;
}

Locksets joined(Locksets left, const Locksets& right) {
  left.join(right);
  return left;
}

TEST(Locksets, AreALattice) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 20000; ++i) {
    const Locksets a = some(random), b = some(random), c = some(random);
    const Locksets both = joined(a, b);
    ASSERT_TRUE(a.covers(a));
    ASSERT_TRUE(both.covers(a) && both.covers(b));
    ASSERT_EQ(both, joined(b, a));
    ASSERT_EQ(both.hash(), joined(b, a).hash());
    ASSERT_EQ(joined(both, c), joined(a, joined(b, c)));
    ASSERT_EQ(joined(a, a), a);
    if (a.covers(b)) {
      ASSERT_EQ(both, a);
    }
    if (a.covers(b) && b.covers(a)) {
      ASSERT_EQ(a, b);
    }
    if (a.covers(b) && b.covers(c)) {
      ASSERT_TRUE(a.covers(c));
    }
    // What a join calls consistent is so in each.
    for (const Locksets::Address object : {0x0, 0x100})
      if (both.consistent(object)) {
        ASSERT_TRUE(a.consistent(object) && b.consistent(object));
      }
    // Going on from more covers going on from less.
    Locksets more = both, less = a;
    for (Locksets* at : {&more, &less}) {
      at->acquire(1, 0x20);
      at->access(1, 0x100, AccessKind::write);
      at->release(1, 0x10);
    }
    ASSERT_TRUE(more.covers(less));
  }
}

}  // namespace
}  // namespace heddle::domain
