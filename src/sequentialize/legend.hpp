// What the names mean that a scheme adds to the program, for whoever reads the printed C. By the
// example of thread t1 and a variable x.
#pragma once

#include <string>
#include <vector>

#include "sequentialize/options.hpp"

namespace heddle::sequentialize {

struct NamesMeaning {
  std::string names;  // as they are printed, with commas between
  std::string meaning;
};

// Only of names that any program has with these options.
std::vector<NamesMeaning> legend(const LazyOptions& options);
std::vector<NamesMeaning> legend(const MuOptions& options);

}  // namespace heddle::sequentialize
