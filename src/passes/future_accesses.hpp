// What may still be touched from a location on: by the rest of the function, by all that
// it calls, and by the threads that it starts. Flow-sensitive, over points-to facts; memory
// is told apart in cells, ranges of bytes that accesses treat alike. Where an access goes
// through a parameter of the function, that is kept as such: who has the frame at hand
// knows the very address.
//
// The future of a thread is the union over its frames. Objects of a frame end with it, so
// each location of a function also counts as writing them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "ir/program.hpp"
#include "passes/points_to.hpp"
#include "passes/sharedness.hpp"

namespace heddle::passes {

using CellIndex = std::uint32_t;

// [value of the parameter + offset, ... + size)
struct ParameterAccess {
  std::uint32_t parameter = 0;
  std::int64_t offset = 0;
  std::uint64_t size = 0;
  bool writes = false;
  auto operator<=>(const ParameterAccess&) const = default;
};

// A set of accesses: bits for cells read, bits for cells written, and what is no access.
class AccessSet {
 public:
  explicit AccessSet(std::size_t cells = 0) : words_((cells + 63) / 64), reads_(words_ * 2) {}

  bool reads(CellIndex cell) const { return (reads_[cell / 64] >> (cell % 64) & 1) != 0; }
  bool writes(CellIndex cell) const { return (reads_[words_ + cell / 64] >> (cell % 64) & 1) != 0; }
  void add_read(CellIndex cell) { reads_[cell / 64] |= std::uint64_t{1} << (cell % 64); }
  void add_write(CellIndex cell) { reads_[words_ + cell / 64] |= std::uint64_t{1} << (cell % 64); }
  // Whether that was news.
  bool add(const AccessSet& more);

  bool anything = false;      // touches memory of which nothing is known
  bool spawns = false;        // may start a thread
  bool ends_process = false;  // may end the process

 private:
  std::size_t words_;
  std::vector<std::uint64_t> reads_;  // and the writes behind
};

class FutureAccesses {
 public:
  FutureAccesses(const ir::Program& program, const PointsTo& points_to,
                 const Sharedness& sharedness);

  // Nothing is known; the other queries must not be asked.
  bool gave_up() const { return gave_up_; }

  struct Future {
    const AccessSet& cells;
    // Of the instance's parameter accesses, a bit for each.
    std::uint64_t through_parameters;
  };
  Future from(InstanceId instance, ir::LocId at) const;
  std::span<const ParameterAccess> parameter_accesses(InstanceId instance) const {
    return parameters_[instance].accesses;
  }
  // The cells that the access itself may touch; nullopt: any. Memory that no two threads touch
  // has none.
  using Cells = std::optional<std::vector<CellIndex>>;
  const Cells& cells(InstanceId instance, ir::EdgeId access) const;
  // All cells of objects that the Alloc makes.
  std::span<const CellIndex> cells_of_allocation(ir::EdgeId allocation) const {
    return allocation_cells_[allocation.value];
  }
  std::size_t cell_count() const { return cell_count_; }

 private:
  static constexpr std::size_t most_parameter_accesses = 64;  // of an instance

  struct Parameters {
    std::vector<ParameterAccess> accesses{};
    std::vector<std::vector<CellIndex>> cells{};  // of each
  };
  struct Row {
    AccessSet cells;
    std::uint64_t through_parameters = 0;
    bool add(const Row& more);
  };
  struct ObjectCells {
    std::vector<std::int64_t> bounds{};  // rising; a cell between each two
    CellIndex first = 0;
  };

  void find_stable_parameters();
  void make_cells(const Sharedness& sharedness);
  bool shared(const AbstractObject& object, const Sharedness& sharedness) const;
  void add_cells(const TouchedBytes& bytes, std::vector<CellIndex>& to) const;
  void solve();
  bool update(InstanceId instance);
  void add_own(InstanceId instance, ir::EdgeId edge, Row& row);
  void add_callee(InstanceId instance, ir::EdgeId edge, InstanceId callee, Row& row);
  struct Derived {
    std::uint32_t parameter;
    std::int64_t offset;
  };
  std::optional<Derived> derived_from_parameter(ir::FunId function, ir::ExprId address) const;
  std::optional<std::uint32_t> number_of(InstanceId instance, ParameterAccess access,
                                         const std::vector<CellIndex>& cells);
  Row& row(InstanceId instance, ir::LocId at) {
    return rows_[first_row_[instance] + position_[at.value]];
  }

  const ir::Program& program_;
  PointsTo points_to_;
  bool gave_up_ = false;
  std::uint64_t work_ = 0;
  std::vector<ObjectCells> objects_{};  // by ObjectIndex
  std::size_t cell_count_ = 0;
  std::vector<std::map<ir::EdgeId, Cells>> accesses_{};  // by InstanceId: of each that touches any
  std::vector<std::vector<CellIndex>> allocation_cells_{};  // by EdgeId
  std::vector<CellIndex> thread_local_cells_{};
  std::vector<std::optional<ir::ExprId>> copy_of_{};  // by RegId: what its only write gives it
  std::vector<char> stable_{};             // by RegId: a parameter that nobody assigns to
  std::vector<std::uint32_t> position_{};  // by LocId: in its function's locations
  std::vector<std::size_t> first_row_{};   // by InstanceId
  std::vector<Row> rows_{};
  std::vector<Parameters> parameters_{};  // by InstanceId
  bool parameters_changed_ = false;       // by the update under way
};

}  // namespace heddle::passes
