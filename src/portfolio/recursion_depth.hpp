// How deep functions that call themselves are expanded while bounds rise. The depth rises
// with the bound, unless the user has given one. Where a function calls itself from
// several places the code multiplies with each call, so what makes the code too large is
// given up soon, and the deepest that was not too large is kept for the bounds that follow.
#pragma once

#include <cstdint>
#include <functional>

#include "sequentialize/sequential.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::portfolio {

// Of one search.
class RecursionDepth {
 public:
  using Make =
      std::function<sequentialize::Sequential(const sequentialize::ExpansionLimits& limits)>;

  // Made with the limits given, but for the depth: the one wanted, or the next below that works.
  // Throws what `make` throws with the limits as they are.
  sequentialize::Sequential expand(sequentialize::ExpansionLimits limits, std::uint32_t wanted,
                                   const Make& make);

 private:
  std::uint32_t worked_ = 0;
  std::uint32_t deepest_ = 100;  // that may still work
};

}  // namespace heddle::portfolio
