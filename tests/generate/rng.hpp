// The generator's only source of chance: splitmix64. Own code, because what the
// distributions of <random> give differs between standard libraries, and a seed
// must mean the same program everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace heddle::generate {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t value = state_;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
  }

  // In [0, limit); limit is small, so the bias of the remainder does not matter.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }
  int between(int low, int high) {  // both included
    return low + static_cast<int>(below(static_cast<std::size_t>(high - low + 1)));
  }
  bool chance(unsigned percent) { return next() % 100 < percent; }

  std::string pick(std::initializer_list<const char*> choices) {
    return choices.begin()[below(choices.size())];
  }
  template <class T>
  const T& pick(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace heddle::generate
