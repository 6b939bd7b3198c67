// The programs that the benchmark of `bmc` scales: each a family over one number.
#pragma once

#include <cstdint>
#include <string>

namespace heddle::bench {

enum class Expected { safe, unsafe };

// Two threads that add to each other's sum, N times each: the sum can be the Fibonacci number
// 2N + 2 but no more. The two programs ask for one more and for exactly that.
std::string fibonacci(std::uint32_t rounds, Expected expected);

// T threads that increment one counter, with a mutex or without; in the end it should be T.
std::string counter(std::uint32_t threads, Expected expected);

}  // namespace heddle::bench
