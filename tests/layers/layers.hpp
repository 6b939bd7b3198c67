// The rule of the house, as a pure function: which #include breaks layers.txt.
// Not responsible for finding the files; main.cpp reads the tree.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::layers {

struct SourceFile {
  std::string path;  // relative to src/, such as "engine/bmc/bmc.cpp"
  std::string text;
};

struct Violation {
  std::string path;  // "layers.txt" where the table itself is wrong
  int line = 0;      // from 1; 0 where it is about the file as a whole
  std::string message;
};

struct Table {
  std::map<std::string, std::set<std::string>> sees;  // room -> rooms it may include
  std::vector<Violation> violations;                  // lines that cannot be read
};

Table read_table(std::string_view text);

// Everything that is wrong, in the order of the files given.
std::vector<Violation> find_violations(const Table& table, const std::vector<SourceFile>& files);

}  // namespace heddle::layers
