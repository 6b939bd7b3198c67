// check_layers <layers.txt> <src>: prints every include that breaks the table.
// Ends with 0 if there is none, 1 if there is one, 3 if it could not look.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "layers/layers.hpp"

namespace {

namespace fs = std::filesystem;
using heddle::layers::SourceFile;

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<SourceFile> read_tree(const fs::path& root) {
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const auto extension = entry.path().extension();
    if (!entry.is_regular_file()) continue;
    if (extension != ".cpp" && extension != ".hpp" && extension != ".h") continue;
    files.push_back({entry.path().lexically_relative(root).generic_string(), read(entry.path())});
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: check_layers <layers.txt> <src>\n";
    return 3;
  }
  const auto table = heddle::layers::read_table(read(argv[1]));
  const auto files = read_tree(argv[2]);
  if (table.sees.empty() || files.empty()) {
    std::cerr << "check_layers: nothing to check\n";
    return 3;
  }
  const auto violations = heddle::layers::find_violations(table, files);
  for (const auto& violation : violations) {
    std::cout << violation.path << ":" << violation.line << ": " << violation.message << "\n";
  }
  std::cout << files.size() << " files, " << violations.size() << " violations of layers.txt\n";
  return violations.empty() ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "check_layers: " << error.what() << "\n";
  return 3;
}
