// All that must hold of one program: every engine, switch and printer agrees with
// the oracle, and every violation replays. The oracle is asked about the simplified
// program: before, every local variable starts with an input that nothing reads.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace heddle::generate {

enum class Answer { safe, unsafe, unknown };
std::string to_string(Answer answer);

// What the oracle is asked, one at a time. `error` covers error calls and assertions.
enum class Question { error, race, deadlock };
inline constexpr std::array questions{Question::error, Question::race, Question::deadlock};
std::string to_string(Question question);

// The comparisons that --checks can choose from.
enum class Comparison {
  reduced,           // the explorer with all reductions
  unreduced,         // the explorer with none
  subset,            // the explorer with some of them, as the seed wills
  unsimplified,      // the explorer without folding, and on the program as the front end gives it
  printed,           // the explorer on the C printer's text, read again
  value,             // the explorer over explicit values
  interval,          // the same over intervals
  bdd,               // the same over BDDs
  product,           // the same over intervals and BDDs
  symbolic,          // the same over terms
  bmc,               // the bounded model checker with the ordering theory
  bmc_clocks,        // the same with clocks
  bmc_plain,         // the same with none of its reductions
  stateless,         // the explorer without a set of states, one execution for each trace
  stateless_source,  // the same with source sets only
  stateless_all,     // the same with all executions, unreduced
  invariants,        // proofs of the sequentialized program, as the auditor confirms them
  lazy,              // the explorer on the lazily sequentialized program, as the seed wills
  lazy_printed,      // the same on its text, read again
  lazy_bmc,          // the engine that runs bmc on it
  mu_explicit,       // memory unwinding, one for each of its variants
  mu_implicit,
  mu_mixed,
  mu_intra,
  mu_inter,
  mu_printed,  // the text of such a program, read again, in the variant that the seed wills
};
inline constexpr std::array comparisons{
    Comparison::reduced,       Comparison::unreduced,  Comparison::subset,
    Comparison::unsimplified,  Comparison::printed,    Comparison::value,
    Comparison::interval,      Comparison::bdd,        Comparison::product,
    Comparison::symbolic,      Comparison::bmc,        Comparison::bmc_clocks,
    Comparison::bmc_plain,     Comparison::stateless,  Comparison::stateless_source,
    Comparison::stateless_all, Comparison::invariants, Comparison::lazy,
    Comparison::lazy_printed,  Comparison::lazy_bmc,   Comparison::mu_explicit,
    Comparison::mu_implicit,   Comparison::mu_mixed,   Comparison::mu_intra,
    Comparison::mu_inter,      Comparison::mu_printed};
// All variants of memory unwinding, which --checks calls `mu`.
inline constexpr std::array mu_comparisons{Comparison::mu_explicit, Comparison::mu_implicit,
                                           Comparison::mu_mixed, Comparison::mu_intra,
                                           Comparison::mu_inter};
std::string to_string(Comparison comparison);

// A question that an engine had no answer to, though it has one.
struct OpenQuestion {
  Comparison comparison{};
  std::string why{};
};

struct Outcome {
  std::string fault{};       // empty: none; else its kind, the same for the shrunk program
  std::string detail{};      // of the fault: what exactly was seen
  bool over_limit = false;   // the oracle gave up: the program was skipped
  std::uint64_t states = 0;  // of the oracle, over all questions
  std::map<Comparison, unsigned> asked{};  // questions to engines that may leave one open
  std::vector<OpenQuestion> open{};        // of these
  std::array<Answer, questions.size()> answers{Answer::unknown, Answer::unknown, Answer::unknown};

  bool safe() const;  // in every respect
};

struct Limits {
  std::uint64_t oracle_states = 200'000;
  unsigned seconds = 60;   // for one program
  std::uint64_t seed = 0;  // says which reductions are taken, where some are
  // Of a search over a domain, for one question. Steps, since the same seed should give the same
  // answers on every machine; the time only keeps a slow step from holding everything up.
  std::uint64_t domain_steps = 20'000;
  unsigned domain_seconds = 10;
  unsigned sequential_milliseconds = 500;  // for one question about a sequentialized program
};

// An outcome on its way between two processes.
std::string pack(const Outcome& outcome);
Outcome unpack(const std::string& text);

// Never throws because of the program: whatever happens to it is in the outcome. Runs in a
// process of its own.
Outcome check(const std::string& text, const std::set<Comparison>& wanted, const Limits& limits);

// The same in this process, for a debugger.
Outcome check_here(const std::string& text, const std::set<Comparison>& wanted,
                   const Limits& limits);

}  // namespace heddle::generate
