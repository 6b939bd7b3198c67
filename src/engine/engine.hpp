// What every engine looks like from outside.
#pragma once

#include <string_view>

#include "base/budget.hpp"
#include "ir/program.hpp"
#include "verdict/property.hpp"
#include "verdict/verdict.hpp"

namespace heddle::engine {

// Told about progress now and then; decides itself what to show.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void progress(const verdict::Progress& progress) = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  // A function of its arguments; throws only when an invariant of ours broke.
  virtual verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                               const base::Budget& budget, Listener& listener) = 0;
};

}  // namespace heddle::engine
