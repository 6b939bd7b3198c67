// Which accesses a memory unwinding is about, and which bytes of memory make one unit for
// them: every access lies inside one unit. Where all accesses are of one size the units
// are what they touch; where small ones touch parts of large ones, the large ones are.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "passes/points_to.hpp"
#include "passes/sharedness.hpp"
#include "sequentialize/mu_private.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

inline constexpr std::uint32_t largest_unit = 8;  // bytes

// Bytes of an object, or of each element of it.
struct MuUnit {
  passes::ObjectIndex object = 0;
  std::uint64_t first = 0;
  std::uint32_t bytes = 0;
  auto operator<=>(const MuUnit&) const = default;

  std::uint64_t end() const { return first + bytes; }
};

struct MuUse {
  ThreadIndex thread = 0;
  StepIndex step = 0;
  bool reads = false, writes = false;
  std::uint32_t bytes = 0;
  std::vector<passes::TouchedBytes> places{};
  std::vector<MuUnit> units{};  // one for each place
};

class MuUses {
 public:
  MuUses(const ir::Program& program, const passes::PointsTo& points_to,
         const passes::Sharedness& sharedness, const std::vector<ThreadCode>& threads,
         const PrivateAccesses& privates);

  const std::vector<MuUse>& all() const { return uses_; }
  // Steps that cannot be modelled, and why.
  const std::map<std::pair<ThreadIndex, StepIndex>, std::string>& beyond() const { return beyond_; }
  std::uint64_t private_accesses() const { return private_; }  // shared memory, but nobody can tell
  // Some access may go anywhere in the object, so it is cut into units of one size.
  bool is_cut_evenly(passes::ObjectIndex object) const { return even_.contains(object); }
  // Where in its unit the access is, if that is the same wherever it goes.
  std::optional<std::uint32_t> offset(const MuUse& use) const;
  // No unit of the object may have fewer bytes.
  void widen(passes::ObjectIndex object, std::uint32_t bytes);

 private:
  void add(ThreadIndex thread, StepIndex step);
  void settle();
  std::map<passes::ObjectIndex, std::vector<MuUnit>> units() const;
  bool is_possible(const MuUnit& unit) const;
  void drop_uses_of(const std::set<passes::ObjectIndex>& objects);

  const ir::Program& program_;
  const passes::PointsTo& points_to_;
  const passes::Sharedness& sharedness_;
  const std::vector<ThreadCode>& threads_;
  const PrivateAccesses& privates_;
  std::vector<MuUse> uses_{};
  std::map<std::pair<ThreadIndex, StepIndex>, std::string> beyond_{};
  std::set<passes::ObjectIndex> even_{};
  std::map<passes::ObjectIndex, std::uint32_t> least_{};  // bytes of a unit; none: 1
  std::uint64_t private_ = 0;
};

}  // namespace heddle::sequentialize
