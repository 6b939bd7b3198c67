// One program before its judge: what the oracle says of it, and whether what others say
// agrees with that. Which others there are stands in the files of the comparisons.
#pragma once

#include <chrono>
#include <set>
#include <string>

#include "base/budget.hpp"
#include "engine/engine.hpp"
#include "generate/checks.hpp"
#include "ir/program.hpp"
#include "verdict/verdict.hpp"

namespace heddle::generate {

// Ends the check of a program.
struct Fault {
  std::string kind;
  std::string detail;
};

enum class Unanswered { fault, counted };

verdict::Property property_of(Question question);
base::Budget budget_of(std::chrono::milliseconds time);

class Judge {
 public:
  Judge(std::set<Comparison> wanted, const Limits& limits)
      : wanted_(std::move(wanted)), limits_(limits) {}

  const Limits& limits() const { return limits_; }
  // Whether it is wanted; if so, what follows belongs to it.
  bool wants(Comparison comparison);
  // What is being done now, for the name of a fault.
  void begin(std::string stage) { stage_ = std::move(stage); }
  const std::string& stage() const { return stage_; }

  // The text says where a thread may wait for ever while others run.
  void ask_oracle(const std::string& text, const ir::Program& simplified);
  Answer expected(Question question) const {
    return outcome_.answers[static_cast<std::size_t>(question)];
  }

  // One question: the answer must be the oracle's, and a violation must replay.
  void compare(engine::Engine& engine, Question question, const ir::Program& program,
               const base::Budget& budget, Unanswered unanswered);
  // The same for every question; engines of these need not have an answer.
  void consult(engine::Engine& engine, std::chrono::milliseconds time, const ir::Program& program);
  // What the engine says about errors, which is counted and not compared.
  Answer opinion(engine::Engine& engine, std::chrono::milliseconds time,
                 const ir::Program& program);

  // A question that nobody could be asked.
  void leave_open(const std::string& why);

  // A fault of the stage.
  [[noreturn]] void reject(const std::string& what, const std::string& detail) const;
  Outcome& outcome() { return outcome_; }

 private:
  void look_for_endless_waits(const std::string& text, const ir::Program& program);
  void expect_replay(const ir::Program& program, const verdict::Property& property,
                     const verdict::Unsafe& unsafe) const;
  void count(const verdict::Verdict& found);

  std::set<Comparison> wanted_;
  Limits limits_;
  std::string stage_{};
  Comparison comparison_{};  // that the stage belongs to
  Outcome outcome_{};
};

// The comparisons with programs that a sequentialization has made (sequential_checks.cpp).
void compare_sequentialized(Judge& judge, const ir::Program& program);

}  // namespace heddle::generate
