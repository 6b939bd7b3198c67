// The pieces of memory that a memory unwinding is about: those that one thread may
// write while another one may touch them. Every access is to one cell, the whole or a
// part of it. Cells of global variables, and of what main allocates once before it starts
// a thread, are known beforehand; those of other blocks, and of large arrays, are found
// when they are first touched.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "passes/points_to.hpp"
#include "passes/sharedness.hpp"
#include "sequentialize/mu_private.hpp"
#include "sequentialize/mu_uses.hpp"
#include "sequentialize/options.hpp"

namespace heddle::sequentialize {

using CellIndex = std::uint32_t;  // into MuCells::cells()

struct MuCell {
  std::string name{};
  std::uint32_t bytes = 0;
  std::optional<ir::GlobalId> global{};  // of which it is a part,
  std::optional<StepIndex> made_by{};    // or main's step that allocates what it is a part of
  std::uint64_t offset = 0;              // in that
  bool element = false;                  // of an array, or found
  std::optional<ThreadIndex> writer{};   // if there is but one, which runs once

  // Else its address is noted when it is found.
  bool known() const { return global || made_by; }
};

// How an access goes: directly to memory, or to one of several cells.
struct MuAccess {
  bool direct = true;
  bool in_memory = false;   // others may notice it, but it goes to memory all the same
  std::string beyond{};     // not empty: it goes beyond what we model, and why
  std::uint32_t bytes = 0;  // a cell may have more
  std::optional<std::uint32_t> offset{0};  // in its cell; none: the address tells
  bool anywhere = false;                   // some object that it goes to is cut into even units
  std::vector<CellIndex> known{};          // addresses fixed beforehand
  std::vector<CellIndex> found{};          // taken in this order
};

class MuCells {
 public:
  // Throws Rejected.
  MuCells(const ir::Program& program, const passes::PointsTo& points_to,
          const passes::Sharedness& sharedness, const std::vector<ThreadCode>& threads,
          const PrivateAccesses& privates, const MuOptions& options);

  const std::vector<MuCell>& cells() const { return cells_; }
  const MuAccess& access(ThreadIndex thread, StepIndex step) const {
    return accesses_[thread][step];
  }
  // Cells that an address inside the object may be found to have.
  std::vector<CellIndex> found_in(passes::ObjectIndex object) const;
  // What the allocation makes; none: nobody can get there.
  std::optional<passes::ObjectIndex> object_of(ThreadIndex thread, StepIndex allocation) const;
  // The thread may be started more than once.
  bool repeated(ThreadIndex thread) const;
  std::uint64_t direct_accesses() const { return direct_; }  // shared, but nobody can tell

 private:
  bool quiet(const MuUnit& unit) const;
  std::optional<ThreadIndex> only_writer(const MuUnit& unit) const;
  std::set<MuUnit> noticed() const;
  void make_cells();
  void place_accesses();
  void place_in_memory();
  bool make_known(const MuUnit& unit);
  std::vector<std::vector<MuUnit>> supplies() const;
  bool widen(const std::vector<std::vector<MuUnit>>& supplies);
  void make_found(const std::vector<std::vector<MuUnit>>& supplies);
  struct Allocations {
    std::vector<std::pair<ThreadIndex, StepIndex>> steps{};
    bool repeated = false;  // one of them may be made several times
  };
  Allocations allocations(passes::ObjectIndex object) const;
  std::optional<std::uint64_t> constant_size(passes::ObjectIndex object) const;
  // A global, or what main allocates once before it starts a thread.
  struct KnownObject {
    std::optional<ir::GlobalId> global{};
    std::optional<StepIndex> made_by{};
    std::uint64_t size = 0;
  };
  std::optional<KnownObject> known_object(passes::ObjectIndex object) const;
  std::uint32_t entries(const MuUnit& unit) const;
  std::string name_of(passes::ObjectIndex object) const;

  const ir::Program& program_;
  const passes::PointsTo& points_to_;
  const std::vector<ThreadCode>& threads_;
  const PrivateAccesses& privates_;
  const MuOptions& options_;
  MuUses uses_;
  std::map<MuUnit, std::vector<std::size_t>> users_{};  // into uses_.all()
  std::vector<MuCell> cells_{};
  std::map<MuUnit, std::vector<CellIndex>> known_{};
  std::map<MuUnit, std::vector<CellIndex>> found_{};
  std::vector<std::vector<MuAccess>> accesses_{};
  std::uint64_t direct_ = 0;
};

}  // namespace heddle::sequentialize
