// The meaning of the statements of a sequential program over integers: an over-approximation of
// the machine's, made for proofs. What an execution must not meet (a violation, undefined
// behaviour, memory that nobody can name) is noted with its condition.
#pragma once

#include <string>
#include <vector>

#include "engine/sequential/arithmetic.hpp"
#include "engine/sequential/memory_map.hpp"
#include "ir/program.hpp"
#include "verdict/property.hpp"

namespace heddle::engine::sequential {

enum class Contained : std::uint8_t { unset, set, maybe };
struct CellValue {
  Value value{};  // of an unset cell: meaningless
  Contained contained = Contained::set;
};
enum class Life : std::uint8_t { none, live, ended };

struct State {
  Integer guard{};  // the condition under which execution is here
  std::vector<Value> registers{};
  std::vector<CellValue> cells{};
  std::vector<Life> lives{};  // of allocations
};

struct Wrong {
  Integer when{};
  ir::EdgeId edge{};
  std::string what{};
};

class Executor {
 public:
  // All must outlive it.
  Executor(const ir::Program& program, const verdict::Property& property, MemoryMap& map,
           Arithmetic& arithmetic);

  State initial();
  bool take(State& state, ir::EdgeId edge);  // whether control goes on behind it
  std::vector<Wrong> take_wrongs() { return std::exchange(wrongs_, {}); }

 private:
  friend struct StatementExecutor;

  // Where an access goes: cells with the condition for each.
  struct Target {
    std::size_t cell = 0;
    Integer when{};
  };
  struct Access {
    bool valid = false;     // else the path ends here
    bool complete = false;  // the targets are all there is
    std::vector<Target> targets{};
  };
  enum class Purpose { read, write };

  Access access(State& state, ir::EdgeId edge, ir::ExprId address, ir::BitRange bits,
                Purpose purpose);
  void reach_one(const Place& place, std::uint64_t bytes, ir::BitRange bits, const ir::Type& type,
                 Access& result);
  void reach_many(State& state, ir::EdgeId edge, const Place& place, const ir::Type& type,
                  Purpose purpose, Access& result);
  Value read(State& state, const Access& access, const ir::Type& type, ir::MemoryOrder order);
  void write(State& state, const Access& access, const Value& value, Integer when);
  bool allocate(State& state, ir::EdgeId edge, const ir::Alloc& statement);
  bool free(State& state, ir::EdgeId edge, const Value& address);
  bool clobber(State& state, ir::EdgeId edge, const Value& address);
  void require(State& state, ir::EdgeId edge, Integer condition, const char* otherwise);
  bool stop(State& state, ir::EdgeId edge, std::string what);
  bool live(const State& state, std::size_t object) const;

  const ir::Program& program_;
  const verdict::Property& property_;
  MemoryMap& map_;
  Arithmetic& arithmetic_;
  smt::Integers& integers_;
  bool has_heap_ = false;
  std::vector<Wrong> wrongs_{};
};

}  // namespace heddle::engine::sequential
