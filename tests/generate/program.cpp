// Printing of generated programs: fills the holes, indents by braces, and leaves
// out every declaration and function that nothing mentions any more.
#include "generate/program.hpp"

#include <cctype>
#include <set>
#include <string_view>

namespace heddle::generate {
namespace {

std::string fill(std::string_view text, const std::vector<Expr>& exprs) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && i + 1 < text.size() && std::isdigit(text[i + 1]) != 0) {
      result += to_c(exprs.at(static_cast<std::size_t>(text[i + 1] - '0')));
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

void print(std::string& out, const Block& block, std::size_t depth);

void print(std::string& out, const Statement& statement, std::size_t depth) {
  for (const std::string_view line : lines_of(statement.text)) {
    if (line.starts_with('#')) {
      print(out, statement.bodies.at(static_cast<std::size_t>(line[1] - '0')), depth);
      continue;
    }
    if (line.starts_with('}')) --depth;
    out.append(2 * depth, ' ');
    out += fill(line, statement.exprs);
    out += '\n';
    if (line.ends_with('{')) ++depth;
  }
}

void print(std::string& out, const Block& block, std::size_t depth) {
  for (const Statement& statement : block) print(out, statement, depth);
}

std::set<std::string> names_in(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (std::isalnum(text[end]) != 0 || text[end] == '_')) ++end;
    if (end > i) names.emplace(text.substr(i, end - i));
    i = end + 1;
  }
  return names;
}

std::string print(const Function& function) {
  std::string body;
  print(body, function.body, 1);
  const std::set<std::string> used = names_in(body);
  std::string out = function.head + " {\n";
  for (const Declaration& local : function.locals) {
    if (used.contains(local.name)) out += "  " + local.text + "\n";
  }
  return out + body + "}\n";
}

std::size_t count(const Block& block) {
  std::size_t total = 0;
  for (const Statement& statement : block) {
    ++total;
    for (const Block& body : statement.bodies) total += count(body);
  }
  return total;
}

// The functions and declarations that main needs, directly or not.
struct Needed {
  std::vector<const Function*> functions{};
  std::set<std::string> names{};
};

Needed find_needed(const Program& program) {
  Needed needed;
  needed.names.insert("main");
  // Everything is declared before it is used, so one pass backwards meets every use first.
  for (auto function = program.functions.rbegin(); function != program.functions.rend();
       ++function) {
    if (!needed.names.contains(function->name)) continue;
    needed.functions.insert(needed.functions.begin(), &*function);
    needed.names.merge(names_in(print(*function)));
  }
  for (auto it = program.declarations.rbegin(); it != program.declarations.rend(); ++it) {
    if (needed.names.contains(it->name)) needed.names.merge(names_in(it->text));
  }
  return needed;
}

}  // namespace

std::string to_c(const Expr& expr) { return fill(expr.text, expr.args); }

std::string to_c(const Program& program) {
  const Needed needed = find_needed(program);
  std::string out;
  for (const std::string& include : program.includes) out += "#include " + include + "\n";
  for (const Declaration& declaration : program.declarations) {
    if (needed.names.contains(declaration.name)) out += declaration.text + "\n";
  }
  for (const Function* function : needed.functions) out += "\n" + print(*function);
  return out;
}

std::size_t count_statements(const Program& program) {
  std::size_t total = 0;
  for (const Function* function : find_needed(program).functions) total += count(function->body);
  return total;
}

}  // namespace heddle::generate
