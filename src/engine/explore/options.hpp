// What the explorer may be told, and what it counts. Every reduction has a switch
// here, so that tests can compare a reduced search with an unreduced one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::engine::explore {

enum class LocalSteps {
  on,   // steps that no other thread can notice are taken at once, without interleaving
  off,  // every step is interleaved with every other
};

enum class PersistentSteps {
  on,  // so are steps that nobody else may still interfere with; needs local steps
  off,
};

enum class Movers {
  on,  // so are accesses of a thread that holds the lock which belongs there; needs local steps
  off,
};

enum class Symmetric {
  on,  // states that differ only in which of several alike threads is which are one; needs local
       // steps
  off,
};

enum class Forgetting {
  on,  // states that differ only in what no thread reads any more are one
  off,
};

// Which state to expand next. Costs compare one after the other; the search is complete in any.
enum class Order {
  preemptions,    // few switches away from a thread that could have gone on
  switches,       // few switches of the thread
  threads,        // few threads that have not ended
  depth_first,    // the newest of equals: what holds without a word
  breadth_first,  // the oldest of equals
};

// How the states reached so far are kept and found.
enum class ReachedKind {
  compressed,   // by hash, equal parts of states stored once
  partitioned,  // in a list for each tuple of locations
  flat,         // in one list
};

enum class Shortening { on, off };

// What is kept of numbers that are not known.
enum class DomainKind {
  concrete,  // there are none: inputs are tried one by one
  value,     // nothing
  interval,  // their bounds
  bdd,       // a relation between small ones
  product,   // bounds and that relation, side by side
  symbolic,  // terms over the inputs, decided by a solver
};

// What a search over concrete values does with inputs of which no finite choice is exact.
enum class InputMode {
  solved,  // tries a few values, then searches over terms, then tries more values
  tried,   // tries values only
};

// Whether a search over a domain begins with few variables and keeps more as needed.
enum class Refining { on, off };

enum class SearchMode {
  stateful,   // remembers every state
  stateless,  // runs executions, and remembers only the one that it is in
  automatic,  // stateless for a part of the time, then stateful
};

// Which executions the stateless search runs.
enum class DporMode {
  optimal,  // one of those that differ in the order of independent events only
  source,   // the same, but some are begun in vain
  none,     // all of them
};

struct Options {
  SearchMode search = SearchMode::stateful;
  DporMode dpor = DporMode::optimal;
  std::uint64_t deepest_execution = 20'000;  // in events, of the stateless search
  LocalSteps local_steps = LocalSteps::on;
  PersistentSteps persistent_steps = PersistentSteps::on;
  Movers movers = Movers::on;
  Symmetric symmetry = Symmetric::on;
  Forgetting forgetting = Forgetting::on;
  std::vector<Order> orders{Order::preemptions};
  ReachedKind reached = ReachedKind::compressed;
  Shortening shortening = Shortening::on;
  DomainKind domain = DomainKind::concrete;
  Refining refining = Refining::on;
  InputMode inputs = InputMode::solved;
  // Of one run of the stateful search or of a search over a domain; 0: as many as it takes.
  std::uint64_t most_steps = 0;
  // Steps of one thread in a row before the others get a turn.
  std::uint64_t chain_limit = 20'000;
};

struct Statistics {
  std::uint64_t states = 0;            // stored, over all rounds
  std::uint64_t steps = 0;             // taken on the machine
  std::uint64_t reduced_steps = 0;     // of these, without interleaving
  std::uint64_t persistent_steps = 0;  // of these, on memory that others share
  std::uint64_t protected_steps = 0;   // of these, under the lock that belongs there
  std::uint64_t symmetric_states = 0;  // reached, but known by other names of threads
  std::uint64_t forgotten_values = 0;  // in dead registers of these states
  std::string no_symmetry{};           // why threads were never exchanged
  std::uint64_t depth = 0;             // longest execution, in steps
  std::uint64_t misled_searches = 0;   // begun again because facts were wrong
  std::uint64_t rounds = 0;            // searches with more and more input values or variables
  std::uint64_t joins = 0;             // of two abstract states
  std::uint64_t spurious = 0;          // abstract paths that the program does not have
  std::uint64_t refinements = 0;       // searches begun again with more variables

  // Of the stateless search.
  std::uint64_t executions = 0;          // run to their end, in the last search
  std::uint64_t traces = 0;              // with no reduction: how many of these differ
  std::uint64_t blocked_executions = 0;  // begun in vain: each is like one that was run before
  std::uint64_t events = 0;              // run, over all executions
  std::uint64_t reversals = 0;           // races whose other order had to be explored
  std::uint64_t trials = 0;              // events tried in another place
  std::uint64_t split_searches = 0;      // begun again because a section read before it waited
  std::optional<double> share{};         // explored, as estimated last

  // Takes over what a stateless search has counted before this one.
  void note_executions_of(const Statistics& other) {
    steps += other.steps;
    reduced_steps += other.reduced_steps;
    depth = depth > other.depth ? depth : other.depth;
    executions = other.executions;
    traces = other.traces;
    blocked_executions = other.blocked_executions;
    events = other.events;
    reversals = other.reversals;
    trials = other.trials;
    split_searches = other.split_searches;
    share = other.share;
  }
};

}  // namespace heddle::engine::explore
