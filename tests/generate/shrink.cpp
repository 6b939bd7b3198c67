// Each pass walks over all places where one kind of simplification applies and keeps
// every one that leaves the fault in. Passes repeat until none helps.
#include "generate/shrink.hpp"

#include <algorithm>
#include <set>

namespace heddle::generate {
namespace {

void collect(Block& block, std::vector<Block*>& blocks) {
  blocks.push_back(&block);
  for (Statement& statement : block) {
    for (Block& body : statement.bodies) collect(body, blocks);
  }
}

std::vector<Block*> blocks_of(Program& program) {
  std::vector<Block*> blocks;
  for (Function& function : program.functions) collect(function.body, blocks);
  return blocks;
}

void collect(Expr& expr, std::vector<Expr*>& exprs) {
  exprs.push_back(&expr);
  for (Expr& arg : expr.args) collect(arg, exprs);
}

std::vector<Expr*> exprs_of(Program& program) {
  std::vector<Expr*> exprs;
  for (Block* block : blocks_of(program)) {
    for (Statement& statement : *block) {
      for (Expr& expr : statement.exprs) collect(expr, exprs);
    }
  }
  return exprs;
}

class Shrinker {
 public:
  Shrinker(const Program& program, const StillFails& still_fails, std::size_t attempts)
      : best_(program), still_fails_(still_fails), attempts_(attempts) {}

  Program run() {
    while (attempts_ > 0) {
      const std::string before = to_c(best_);
      drop_groups();
      drop_statements();
      unwrap_statements();
      simplify_expressions();
      drop_includes();
      if (to_c(best_) == before) break;
    }
    return best_;
  }

 private:
  bool keep(Program candidate) {
    if (attempts_ == 0 || to_c(candidate) == to_c(best_)) return false;
    --attempts_;
    if (!still_fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  void drop_groups() {
    std::set<int> groups;
    for (Block* block : blocks_of(best_)) {
      for (const Statement& statement : *block) groups.insert(statement.group);
    }
    groups.erase(0);
    for (const int group : groups) {
      Program candidate = best_;
      for (Block* block : blocks_of(candidate)) {
        std::erase_if(*block, [&](const Statement& statement) { return statement.group == group; });
      }
      keep(std::move(candidate));
    }
  }

  void drop_statements() {
    // From the back, since main is last and what it no longer calls is gone at once.
    for (std::size_t left = blocks_of(best_).size(); left > 0; --left) {
      for (std::size_t chunk = 8; chunk > 0; chunk /= 2) drop_chunks(left - 1, chunk);
    }
  }

  void drop_chunks(std::size_t at, std::size_t chunk) {
    for (std::size_t start = 0;;) {
      Program candidate = best_;
      const std::vector<Block*> blocks = blocks_of(candidate);
      if (at >= blocks.size() || start + chunk > blocks[at]->size()) return;
      const auto first = blocks[at]->begin() + static_cast<std::ptrdiff_t>(start);
      blocks[at]->erase(first, first + static_cast<std::ptrdiff_t>(chunk));
      if (!keep(std::move(candidate))) start += chunk;
    }
  }

  // A statement gives way to what is inside of it: a loop to one round, a branch to one side.
  void unwrap_statements() {
    for (std::size_t at = 0; at < blocks_of(best_).size(); ++at) {
      for (std::size_t index = 0; index < blocks_of(best_)[at]->size(); ++index) {
        const std::size_t bodies = (*blocks_of(best_)[at])[index].bodies.size();
        for (std::size_t body = 0; body < bodies; ++body) {
          Program candidate = best_;
          Block& block = *blocks_of(candidate)[at];
          const Block inner = block[index].bodies[body];
          block.erase(block.begin() + static_cast<std::ptrdiff_t>(index));
          block.insert(block.begin() + static_cast<std::ptrdiff_t>(index), inner.begin(),
                       inner.end());
          if (keep(std::move(candidate))) break;
        }
        if (index >= blocks_of(best_)[at]->size()) break;
      }
    }
  }

  void simplify_expressions() {
    for (std::size_t at = 0; at < exprs_of(best_).size(); ++at) {
      std::vector<Expr> smaller{{"0", {}}, {"1", {}}};
      const Expr& now = *exprs_of(best_)[at];
      smaller.insert(smaller.end(), now.args.begin(), now.args.end());
      if (now.text == "0" || now.text == "1") continue;
      for (const Expr& replacement : smaller) {
        Program candidate = best_;
        *exprs_of(candidate)[at] = replacement;
        if (keep(std::move(candidate))) break;
      }
    }
  }

  void drop_includes() {
    for (std::size_t at = best_.includes.size(); at > 0; --at) {
      Program candidate = best_;
      candidate.includes.erase(candidate.includes.begin() + static_cast<std::ptrdiff_t>(at - 1));
      keep(std::move(candidate));
    }
  }

  Program best_;
  const StillFails& still_fails_;
  std::size_t attempts_;
};

}  // namespace

Program shrink(const Program& program, const StillFails& still_fails, std::size_t attempts) {
  return Shrinker(program, still_fails, attempts).run();
}

}  // namespace heddle::generate
