// A program while it is being generated: what each thread does so far, what is
// declared, and how much more each thread may do before the number of its
// interleavings gets out of hand.
#pragma once

#include <string>
#include <vector>

#include "generate/generator.hpp"
#include "generate/program.hpp"
#include "generate/rng.hpp"

namespace heddle::generate {

// What keeps accesses to a variable apart.
enum class Guard { none, mutex, rwlock, spin, semaphore, section, atomic, builtin };

struct Variable {
  std::string lvalue{};  // an int or something narrower or wider
  Guard guard = Guard::none;
  std::string lock{};  // of mutex, rwlock, spin and semaphore
  std::string type{};  // without _Atomic; only of new_counter's
};

// Threads are numbered from 0; the number `threads()` stands for main between the
// creation of the others and the joins.
class Sketch {
 public:
  Sketch(std::uint64_t seed, Size size);

  Rng rng;
  Program program{};
  Block setup{};    // main, before it creates the threads
  Block closing{};  // main, after it joined them

  std::size_t threads() const { return costs_.size() - 1; }
  // All threads run one routine and tell themselves apart by their argument.
  bool shared_routine() const { return shared_routine_; }

  // A name that nothing else has: "x1", "x2", ...
  std::string fresh(const std::string& prefix);
  void declare(const std::string& name, const std::string& text);
  void include(const std::string& header);
  bool includes(const std::string& header) const;
  std::string local(const std::string& declaration_before_name = "int ",
                    const std::string& after = " = 0;");

  std::string new_lock(Guard guard);
  Guard any_lock_kind();

  // Nothing was added yet.
  bool is_empty() const;
  // Whether the thread may still take so many steps.
  bool has_room(std::size_t thread, int cost) const { return costs_[thread] + cost <= limit_; }
  bool everyone_has_room(int cost) const;
  void add(std::size_t thread, Block block, int cost);
  void add_to_all_threads(Block block, int cost);
  // So many different threads, main rarely among them.
  std::vector<std::size_t> pick_threads(std::size_t count);

  // The functions of the threads and main, from what was added.
  void finish();

 private:
  std::vector<Function> make_workers();
  Block make_creations(const std::vector<Function>& workers);
  Block make_joins();

  int limit_ = 0;
  bool shared_routine_ = false;
  bool twins_ = false;  // all threads do the same, and nothing tells them apart
  int names_ = 0;
  std::vector<int> costs_{};           // by thread, main's last
  std::vector<Block> bodies_{};        // by thread, main's last; with a shared routine, 0 has all
  std::vector<Declaration> locals_{};  // of any function: unused ones are not printed
  std::vector<std::string> handles_{};
};

// ---- pieces of C -------------------------------------------------------------
inline Statement line(std::string text) { return {std::move(text), {}, {}, 0}; }
inline Statement line(std::string text, std::vector<Expr> exprs) {
  return {std::move(text), std::move(exprs), {}, 0};
}
inline Statement nest(std::string text, Block body) {
  return {std::move(text), {}, {std::move(body)}, 0};
}
inline Statement check_that(Expr condition) {
  return line("if (!($0)) reach_error();", {std::move(condition)});
}
// The block with the guard taken before and given back after.
Statement guarded(const Variable& variable, Block block);
// Steps that taking and giving back the guard costs.
int cost_of(Guard guard);

// ---- the parts of programs, each with a mistake now and then ------------------
void add_counter(Sketch& sketch);
void add_free_play(Sketch& sketch);
void add_handshake(Sketch& sketch);
void add_semaphore_order(Sketch& sketch);
void add_readers(Sketch& sketch);
void add_barrier(Sketch& sketch);
void add_spin_flag(Sketch& sketch);
void add_claim(Sketch& sketch);
void add_sections(Sketch& sketch);
void add_try_lock(Sketch& sketch);
void add_special_mutex(Sketch& sketch);
void add_two_locks(Sketch& sketch);
void add_mutual_exclusion(Sketch& sketch);
void add_heap_cell(Sketch& sketch);
void add_pointer_swing(Sketch& sketch);
void add_struct_fields(Sketch& sketch);
void add_overlay(Sketch& sketch);
void add_nested_thread(Sketch& sketch);
void add_input(Sketch& sketch);
void add_lent_variable(Sketch& sketch);
void add_lent_to_thread(Sketch& sketch);

}  // namespace heddle::generate
