// How a report may look: where it goes decides.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::report {

enum class Colour { off, on };

struct Style {
  std::size_t width = 100;      // columns of the terminal
  std::size_t most_rows = 120;  // of a trace; the middle of a longer one is left out
  Colour colour = Colour::off;

  std::string red(std::string_view text) const { return painted("31;1", text); }
  std::string green(std::string_view text) const { return painted("32;1", text); }
  std::string yellow(std::string_view text) const { return painted("33;1", text); }
  std::string bold(std::string_view text) const { return painted("1", text); }
  std::string faint(std::string_view text) const { return painted("2", text); }

 private:
  std::string painted(std::string_view code, std::string_view text) const {
    if (colour == Colour::off) return std::string(text);
    return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
  }
};

}  // namespace heddle::report
