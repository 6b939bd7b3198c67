// Whether threads that run the same routine can be told apart by anything but their number,
// from static facts: thread numbers are only stored by the model library and compared for
// equality; addresses of a thread's own memory and of its control block stay where the
// library puts them. Where one of these does not hold, it says which.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.hpp"
#include "passes/points_to.hpp"

namespace heddle::engine::explore {

class SymmetryFacts {
 public:
  SymmetryFacts(const ir::Program& program, const passes::PointsTo& points_to);

  // Empty: threads may be exchanged; the other questions may be asked then only.
  const std::string& why_not() const { return why_not_; }

  // Threads that run it make no object of their own.
  bool owns_nothing(ir::FunId routine) const { return owns_nothing_[routine.value] != 0; }
  // Holds the number + 1 of a thread if it is positive.
  bool number_register(ir::RegId reg) const { return numbers_[reg.value] != 0; }
  // Where objects hold such numbers, words of four bytes: at each offset modulo the period.
  struct Words {
    std::vector<std::uint64_t> offsets{};
    std::uint64_t period = 0;
    bool operator==(const Words&) const = default;
  };
  const std::map<ir::GlobalId, Words>& in_globals() const { return in_globals_; }
  const std::map<ir::EdgeId, Words>& in_allocations() const { return in_allocations_; }
  // Nobody ever looks at a handle again once its thread has started.
  bool handles_unused() const { return handles_unused_; }

  // A thread's control block.
  struct Block {
    ir::EdgeId allocation{};
    std::uint64_t running = 0, detached = 0, result = 0, routine = 0, c11_routine = 0, argument = 0;
  };
  const Block& block() const { return block_; }
  ir::GlobalId own_block() const { return own_block_; }  // thread-local: the thread's own one

 private:
  using Objects = std::vector<char>;  // by ObjectIndex
  struct Range {
    std::uint64_t first = 0, last = 0;
    auto operator<=>(const Range&) const = default;
  };

  void refuse(std::string why) {
    if (why_not_.empty()) why_not_ = std::move(why);
  }
  bool find_blocks();
  void find_code();
  void find_handles();
  void check_thread_locals();
  void check_accesses();
  void check_thread_code();
  void check_contents();
  void find_numbers();
  bool follow_numbers();
  void check_number_uses();
  void check_number_accesses();
  bool safe_inside(ir::ExprId expr) const;
  bool number(ir::ExprId expr) const;
  std::vector<char> reachable(const std::vector<ir::FunId>& from) const;
  bool may_touch(const passes::Targets& targets, const Objects& objects) const;
  bool may_hold_handle(const passes::Targets& targets) const;

  const ir::Program& program_;
  const passes::PointsTo& points_to_;
  std::string why_not_{};
  Block block_{};
  ir::GlobalId own_block_{};
  Objects is_block_{}, is_handle_{};
  std::vector<ir::FunId> roots_{};      // that a Spawn starts
  std::vector<char> thread_code_{};     // by FunId: threads other than main may run it
  std::vector<char> handles_blocks_{};  // by FunId: of the library, for a thread's own block
  std::vector<char> owns_nothing_{};    // by FunId
  bool handles_unused_ = false;
  std::vector<char> numbers_{};                                // by RegId
  std::map<passes::ObjectIndex, std::vector<Range>> words_{};  // that hold numbers
  std::map<ir::GlobalId, Words> in_globals_{};
  std::map<ir::EdgeId, Words> in_allocations_{};
};

}  // namespace heddle::engine::explore
