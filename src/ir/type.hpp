// C types, with the layout that the chosen data model gives them. Hash-consed:
// two TypeIds are equal exactly if the types are the same. Qualifiers are gone:
// what `_Atomic` and `volatile` mean is said at each access.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/ids.hpp"

namespace heddle::ir {

enum class DataModel { ilp32, lp64 };

enum class TypeKind { void_type, boolean, integer, floating, pointer, array, record, function };
enum class RecordKind { struct_record, union_record };

// Which bits of a storage unit a bit-field occupies; width 0: not a bit-field.
struct BitRange {
  std::uint32_t offset = 0;  // from the least significant bit of the unit
  std::uint32_t width = 0;
  bool whole() const { return width == 0; }
  auto operator<=>(const BitRange&) const = default;
};

struct Field {
  std::string name{};  // empty: anonymous member or padding bit-field
  TypeId type{};       // of a bit-field: the declared type; its storage unit has this type's size
  std::uint64_t offset = 0;  // bytes; of a bit-field: of its storage unit
  BitRange bits;
  auto operator<=>(const Field&) const = default;
};

struct Type {
  TypeKind kind = TypeKind::void_type;
  std::uint64_t size = 0;   // bytes; 1 for void and functions (GNU pointer arithmetic)
  std::uint32_t align = 1;  // bytes
  std::uint32_t width = 0;  // bits of an integer, boolean (1), floating or pointer
  bool is_signed = false;   // integers
  bool complete = true;     // false: a record or array of which only the name is known
  TypeId element{};         // pointee, array element, function result
  std::uint64_t count = 0;  // array elements
  RecordKind record = RecordKind::struct_record;
  std::string name{};           // tag of a record, unique in the program ("anon_3" if it had none)
  std::vector<Field> fields{};  // of a record, in declaration order
  std::vector<TypeId> parameters{};
  bool variadic = false;

  bool scalar() const {
    return kind == TypeKind::boolean || kind == TypeKind::integer || kind == TypeKind::floating ||
           kind == TypeKind::pointer;
  }
  bool integral() const { return kind == TypeKind::boolean || kind == TypeKind::integer; }
};

}  // namespace heddle::ir
