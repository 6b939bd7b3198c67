// The ordering solvers on the Fibonacci test of concurrent verifiers, without the rest of
// Heddle: one thread does i += j, another j += i, and main looks at both at any time. How
// large can they get? For N rounds, with 32-bit sums of clauses, by theory and by clocks.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "smt/clock_ordering.hpp"
#include "smt/minisat_ordering.hpp"

namespace heddle::smt {
namespace {

class Fibonacci {
 public:
  explicit Fibonacci(Ordering& solver) : solver_(solver) {}

  // Asks whether i or j can reach the bound after `rounds` rounds in each thread.
  void build(std::uint32_t rounds, std::uint32_t bound);

  // The largest value is reached by strict alternation: F(2 rounds + 2).
  static std::uint32_t largest(std::uint32_t rounds) {
    std::uint32_t last = 1, value = 1;
    for (std::uint32_t step = 0; step < 2 * rounds; ++step) {
      const std::uint32_t sum = last + value;
      last = value;
      value = sum;
    }
    return value;
  }

 private:
  using Word = std::array<Lit, 32>;
  struct Round {
    Node own, other, write;
  };
  struct WriteEvent {
    Node node;
    Write id;
    Word value;
  };

  Word word(std::uint32_t value) const;
  Lit both(Lit left, Lit right);
  Lit differ(Lit left, Lit right);
  Lit majority(Lit first, Lit second, Lit third);
  Word add(const Word& left, const Word& right);
  Lit at_least(const Word& value, std::uint32_t bound);
  Word read(std::size_t variable, Node node);
  void add_nodes(std::uint32_t rounds);
  void add_writes();
  void add_sums();

  Ordering& solver_;
  Node start_ = 0;
  std::array<std::vector<Round>, 2> threads_{};
  std::array<Node, 2> checks_{};  // where main looks at i and j
  std::array<Cell, 2> cells_{};
  std::array<std::vector<WriteEvent>, 2> writes_{};
};

Fibonacci::Word Fibonacci::word(std::uint32_t value) const {
  Word bits;
  for (std::size_t bit = 0; bit < bits.size(); ++bit)
    bits[bit] = ((value >> bit) & 1) != 0 ? solver_.yes() : solver_.no();
  return bits;
}

Lit Fibonacci::both(Lit left, Lit right) {
  if (left == solver_.no() || right == solver_.no()) return solver_.no();
  if (left == solver_.yes() || left == right) return right;
  if (right == solver_.yes()) return left;
  const Lit result = solver_.fresh();
  solver_.add_clause({~result, left});
  solver_.add_clause({~result, right});
  solver_.add_clause({result, ~left, ~right});
  return result;
}

Lit Fibonacci::differ(Lit left, Lit right) {
  if (solver_.constant(left)) return left == solver_.yes() ? ~right : right;
  if (solver_.constant(right)) return right == solver_.yes() ? ~left : left;
  const Lit result = solver_.fresh();
  solver_.add_clause({~result, left, right});
  solver_.add_clause({~result, ~left, ~right});
  solver_.add_clause({result, ~left, right});
  solver_.add_clause({result, left, ~right});
  return result;
}

Lit Fibonacci::majority(Lit first, Lit second, Lit third) {
  const Lit result = solver_.fresh();
  for (const auto& [left, right] : {std::pair(first, second), {first, third}, {second, third}}) {
    solver_.add_clause({~left, ~right, result});
    solver_.add_clause({left, right, ~result});
  }
  return result;
}

Fibonacci::Word Fibonacci::add(const Word& left, const Word& right) {
  Word sum;
  Lit carry = solver_.no();
  for (std::size_t bit = 0; bit < sum.size(); ++bit) {
    const Lit half = differ(left[bit], right[bit]);
    sum[bit] = differ(half, carry);
    carry = majority(left[bit], right[bit], carry);
  }
  return sum;
}

Lit Fibonacci::at_least(const Word& value, std::uint32_t bound) {
  Lit result = solver_.yes();
  for (std::size_t bit = 0; bit < value.size(); ++bit)
    result = ((bound >> bit) & 1) != 0 ? both(value[bit], result) : ~both(~value[bit], ~result);
  return result;
}

Fibonacci::Word Fibonacci::read(std::size_t variable, Node node) {
  const auto& writes = writes_[variable];
  std::vector<Source> sources;
  std::vector<Lit> some;
  Word value;
  for (Lit& bit : value) bit = solver_.fresh();
  for (std::size_t at = 0; at < writes.size(); ++at) {
    if (solver_.surely_before(node, writes[at].node)) continue;
    if (at + 1 < writes.size() && solver_.surely_before(writes[at + 1].node, node)) continue;
    const Lit chosen = solver_.fresh();
    sources.push_back({writes[at].id, chosen});
    some.push_back(chosen);
    for (std::size_t bit = 0; bit < value.size(); ++bit) {
      solver_.add_clause({~chosen, ~value[bit], writes[at].value[bit]});
      solver_.add_clause({~chosen, value[bit], ~writes[at].value[bit]});
    }
  }
  solver_.add_clause(some);
  solver_.add_read(cells_[variable], node, sources);
  return value;
}

void Fibonacci::add_nodes(std::uint32_t rounds) {
  start_ = solver_.add_node();
  for (auto& thread : threads_) {
    Node last = start_;
    for (std::uint32_t count = 0; count < rounds; ++count) {
      const Round round{solver_.add_node(), solver_.add_node(), solver_.add_node()};
      solver_.add_order(last, round.own);
      solver_.add_order(round.own, round.other);
      solver_.add_order(round.other, round.write);
      last = round.write;
      thread.push_back(round);
    }
  }
  Node last = start_;
  for (Node& check : checks_) {
    check = solver_.add_node();
    solver_.add_order(last, check);
    last = check;
  }
}

void Fibonacci::add_writes() {
  for (std::size_t variable = 0; variable < 2; ++variable) {
    const Cell cell = cells_[variable] = solver_.add_cell();
    auto& writes = writes_[variable];
    writes.push_back({start_, solver_.add_write(cell, start_, solver_.yes()), word(1)});
    for (const Round& round : threads_[variable]) {
      Word value;
      for (Lit& bit : value) bit = solver_.fresh();
      writes.push_back({round.write, solver_.add_write(cell, round.write, solver_.yes()), value});
    }
  }
}

void Fibonacci::add_sums() {
  for (std::size_t thread = 0; thread < 2; ++thread)
    for (std::size_t count = 0; count < threads_[thread].size(); ++count) {
      const Round& round = threads_[thread][count];
      const Word own = read(thread, round.own);
      const Word sum = add(own, read(1 - thread, round.other));
      const Word& value = writes_[thread][count + 1].value;
      for (std::size_t bit = 0; bit < value.size(); ++bit) {
        solver_.add_clause({~value[bit], sum[bit]});
        solver_.add_clause({value[bit], ~sum[bit]});
      }
    }
}

void Fibonacci::build(std::uint32_t rounds, std::uint32_t bound) {
  add_nodes(rounds);
  add_writes();
  add_sums();
  const Lit first = at_least(read(0, checks_[0]), bound);
  const Lit second = at_least(read(1, checks_[1]), bound);
  solver_.add_clause({first, second});
}

enum class Question { largest, more };  // the first can be reached, the second cannot

template <class Make>
void run(benchmark::State& state, Question question, const Make& make) {
  const auto rounds = static_cast<std::uint32_t>(state.range(0));
  const bool reachable = question == Question::largest;
  for (auto step : state) {
    const std::unique_ptr<Ordering> solver = make();
    Fibonacci(*solver).build(rounds, Fibonacci::largest(rounds) + (reachable ? 0 : 1));
    const SatAnswer answer = solver->solve({}, base::Budget());
    if (answer != (reachable ? SatAnswer::sat : SatAnswer::unsat))
      state.SkipWithError("wrong answer");
    state.counters["conflicts"] = static_cast<double>(solver->statistics().conflicts);
  }
}

void theory(benchmark::State& state, Question question) {
  run(state, question, [] { return make_theory_ordering(); });
}

void theory_without_probing(benchmark::State& state, Question question) {
  run(state, question, [] {
    TheoryOptions options;
    options.probe_interval = 0;
    return make_theory_ordering(options);
  });
}

void theory_without_propagation(benchmark::State& state, Question question) {
  run(state, question, [] {
    TheoryOptions options;
    options.propagate_edges = options.propagate_overwritten = false;
    options.propagate_serialization = options.propagate_sources = false;
    return make_theory_ordering(options);
  });
}

void clocks(benchmark::State& state, Question question) {
  run(state, question, [] { return make_clock_ordering(); });
}

BENCHMARK_CAPTURE(theory, largest, Question::largest)
    ->DenseRange(5, 10)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(theory, more, Question::more)->DenseRange(5, 10)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(theory_without_probing, more, Question::more)
    ->DenseRange(5, 8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(theory_without_propagation, more, Question::more)
    ->DenseRange(5, 8)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(clocks, largest, Question::largest)
    ->DenseRange(5, 7)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(clocks, more, Question::more)->DenseRange(5, 7)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::smt

BENCHMARK_MAIN();
