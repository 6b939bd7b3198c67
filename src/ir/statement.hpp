// What an edge does.
// INVARIANT: a statement touches memory that another thread may see at most
// once, so "one edge" and "one interleaving step" mean the same to every engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/ids.hpp"
#include "ir/type.hpp"

namespace heddle::ir {

enum class MemoryOrder : std::uint8_t { plain, relaxed, acquire, release, acq_rel, seq_cst };
enum class RmwOp : std::uint8_t {
  exchange,
  add,
  sub,
  bit_and,
  bit_or,
  bit_xor,
  nand,
  compare_exchange
};
enum class AtomicMark : std::uint8_t { begin, end };
enum class AllocKind : std::uint8_t {
  stack,  // freed when its frame returns; allocating again at the same edge in the same frame
          // first ends the life of the object that this edge allocated before
  frame,  // alloca: freed when its frame returns; every execution makes one more
  heap,   // malloc: must be freed by the user
  model,  // owned by the model library: never counts as a leak, never freed by the user
};
enum class Contents : std::uint8_t { unset, zero };
enum class FailKind : std::uint8_t { error_call, assertion, overflow, division_by_zero };
enum class ExitScope : std::uint8_t {
  thread,
  process,
  abnormal,  // the process too, by abort(): nobody asks what memory it leaves behind
};
enum class WaitsFor : std::uint8_t {
  anyone,  // any thread might end the wait
  holder,  // the awaited word holds (number + 1) of the thread that alone can end the wait, or 0
};

// One statement a line reads as the table that it is.
// clang-format off
struct Skip {};
struct Assign { RegId to; ExprId value; };
// Any value of the register's type; with a limit, any value in [0, limit).
struct Havoc { RegId to; std::uint64_t limit = 0; /* 0: no limit */ };
struct Assume { ExprId condition; };  // boolean; false discards the execution
// The type accessed is the pointee of address' type; with bits, only that bit-field of it.
struct Load { RegId to; ExprId address; MemoryOrder order = MemoryOrder::plain; BitRange bits{}; };
struct Store { ExprId address, value; MemoryOrder order = MemoryOrder::plain; BitRange bits{}; };
// Atomic read-modify-write: before := *address; *address := op(before, operand).
// compare_exchange writes operand if before == expected, and else only reads.
struct Update {
  RegId before{};
  ExprId address{};
  RmwOp op = RmwOp::exchange;
  ExprId operand{};
  ExprId expected{};  // compare_exchange only
  MemoryOrder order = MemoryOrder::seq_cst;
};
struct Call { ExprId callee; std::vector<ExprId> args; std::optional<RegId> result; };
struct Return { std::optional<ExprId> value; };
// Starts a thread that runs routine(argument); `number` receives its thread number + 1.
struct Spawn { RegId number; ExprId routine, argument; };
// Blocks until `condition` holds once `loaded` has been read from address, all in one step.
struct Await {
  RegId loaded{};
  ExprId address, condition;
  WaitsFor waits_for = WaitsFor::anyone;
  MemoryOrder order = MemoryOrder::seq_cst;
};
struct Atomic { AtomicMark mark; };  // sections nest by depth
struct Alloc {
  RegId to{};
  ExprId size{};  // bytes
  AllocKind kind = AllocKind::heap;
  Contents contents = Contents::unset;
  std::string name{};  // of the local variable; empty for heap blocks
};
// A null address is a no-op. Only heap blocks may be freed, and only at their start.
struct Free { ExprId address; };
struct ObjectSize { RegId to; ExprId address; };  // bytes of the live object at address
struct Clobber { ExprId address; };  // every byte of the object at address becomes unset; null: no-op
struct Self { RegId to; };           // the running thread's number + 1
// The property is broken here, if it is about this kind; otherwise a no-op.
struct Fail { FailKind kind = FailKind::assertion; std::string text; /* the condition as written */ };
struct Exit { ExitScope scope; };
// A construct that we do not model: executions that get here prove nothing.
struct Unsupported { std::string what; };

// clang-format on

using Statement =
    std::variant<Skip, Assign, Havoc, Assume, Load, Store, Update, Call, Return, Spawn, Await,
                 Atomic, Alloc, Free, ObjectSize, Clobber, Self, Fail, Exit, Unsupported>;

}  // namespace heddle::ir
