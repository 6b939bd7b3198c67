// From a program and a property to an answer that has been checked: prepares the
// program, runs the engines, and lets nothing out that `check` has not confirmed.
#pragma once

#include <string>
#include <string_view>

#include "base/budget.hpp"
#include "engine/bmc/options.hpp"
#include "engine/engine.hpp"
#include "engine/explore/options.hpp"
#include "engine/sequential/options.hpp"
#include "ir/program.hpp"
#include "portfolio/invariants.hpp"
#include "portfolio/sequentialized.hpp"
#include "verdict/annotated_trace.hpp"
#include "verdict/property.hpp"
#include "verdict/verdict.hpp"

namespace heddle::portfolio {

enum class Choice {
  portfolio,  // several engines in turn
  explore,
  bmc,
  lazy,        // a sequential program that runs the threads in turn, and bmc on that
  mu,          // the same, along a guess of what is written to shared memory
  sequential,  // inductive invariants of such a program
};

struct Options {
  Choice engine = Choice::portfolio;
  engine::explore::Options explore{};
  engine::bmc::Options bmc{};
  sequentialize::LazyOptions lazy{};
  LazyCheckers lazy_checkers{};
  engine::sequential::Options sequential{};
  sequentialize::MuOptions mu{};
};

struct Answer {
  verdict::Verdict verdict{};
  verdict::AnnotatedTrace trace{};  // of an Unsafe; else empty
  // As the engines saw it: traces and source places refer to this one.
  ir::Program program{};
  std::string_view engine{};  // that gave the verdict
  engine::explore::Statistics explore{};
  engine::bmc::Statistics bmc{};
  SequentializedStatistics sequentialized{};
  InvariantStatistics sequential{};
};

// Throws base::InternalError if a trace does not replay.
Answer solve(ir::Program program, const verdict::Property& property, const base::Budget& budget,
             const Options& options, engine::Listener& listener);

// The program with the property's own checks in it, simplified.
ir::Program prepare(ir::Program program, const verdict::Property& property);

}  // namespace heddle::portfolio
