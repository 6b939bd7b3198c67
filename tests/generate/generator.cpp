// A program is a few parts (a counter, a handshake, free play, ...) laid over the
// same threads: each part adds to what two or more threads do, and now and then
// makes the mistake that people make with it.
#include "generate/generator.hpp"

#include <array>

#include "generate/sketch.hpp"

namespace heddle::generate {
namespace {

struct Part {
  void (*add)(Sketch&);
  unsigned weight;
};

constexpr std::array parts{
    Part{add_counter, 16},         Part{add_free_play, 24},     Part{add_handshake, 10},
    Part{add_semaphore_order, 7},  Part{add_readers, 5},        Part{add_barrier, 6},
    Part{add_spin_flag, 7},        Part{add_claim, 7},          Part{add_sections, 5},
    Part{add_try_lock, 5},         Part{add_special_mutex, 5},  Part{add_two_locks, 9},
    Part{add_mutual_exclusion, 4}, Part{add_heap_cell, 5},      Part{add_pointer_swing, 5},
    Part{add_struct_fields, 5},    Part{add_nested_thread, 5},  Part{add_input, 6},
    Part{add_lent_variable, 5},    Part{add_lent_to_thread, 4}, Part{add_overlay, 7},
};

const Part& pick_part(Rng& rng) {
  std::size_t total = 0;
  for (const Part& part : parts) total += part.weight;
  std::size_t at = rng.below(total);
  for (const Part& part : parts) {
    if (at < part.weight) return part;
    at -= part.weight;
  }
  return parts.front();
}

constexpr const char* error_call = "if (!($0)) reach_error();";

void say_assert(Block& block) {
  for (Statement& statement : block) {
    if (statement.text == error_call) statement.text = "assert($0);";
    for (Block& body : statement.bodies) say_assert(body);
  }
}

}  // namespace

Program generate(std::uint64_t seed, Size size) {
  if (size == Size::mixed) size = seed % 4 == 3 ? Size::many : Size::full;
  Sketch sketch(seed, size);
  if (size == Size::tiny || size == Size::many) {
    for (int tries = 0; tries < 8 && sketch.is_empty(); ++tries) pick_part(sketch.rng).add(sketch);
  } else {
    const int most = sketch.threads() == 1 ? 4 : 3;
    const int count = sketch.rng.between(1, size == Size::full ? most : 2);
    for (int i = 0; i < count; ++i) pick_part(sketch.rng).add(sketch);
  }
  sketch.finish();
  if (sketch.rng.chance(12)) {
    sketch.include("<assert.h>");
    for (Function& function : sketch.program.functions) say_assert(function.body);
  }
  return std::move(sketch.program);
}

}  // namespace heddle::generate
