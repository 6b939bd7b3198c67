#include "smt/horn.hpp"

#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "base/check.hpp"

namespace heddle::smt {

Predicate HornSystem::add_predicate(std::size_t arity) {
  arities_.push_back(arity);
  return {static_cast<std::uint32_t>(arities_.size() - 1)};
}

void HornSystem::add_clause(HornClause clause) {
  for (const auto* side : {&clause.body, &clause.head})
    if (*side)
      CHECK((*side)->arguments.size() == arity((*side)->predicate),
            "a predicate has as many arguments everywhere");
  clauses_.push_back(std::move(clause));
}

namespace {

std::string decimal(Wide value) {
  const bool negative = value < 0;
  std::string digits;
  do {
    const int digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    value /= 10;
  } while (value != 0);
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Wide> from_decimal(const std::string& text) {
  const bool negative = text.starts_with('-');
  if (text.size() > 37) return std::nullopt;
  Wide value = 0;
  for (const char digit : text.substr(negative ? 1 : 0)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = value * 10 + (digit - '0');
  }
  return negative ? -value : value;
}

// Ends the solver's work once the budget is spent: the solver itself knows nothing of memory.
class Watchdog {
 public:
  Watchdog(z3::context& context, const base::Budget& budget)
      : thread_([this, &context, &budget] { watch(context, budget); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch(z3::context& context, const base::Budget& budget) {
    std::unique_lock lock(mutex_);
    for (std::uint64_t round = 0; !done_; ++round) {
      if (budget.out_of_time() || (round % 8 == 0 && budget.out_of_memory())) context.interrupt();
      wake_.wait_for(lock, std::chrono::milliseconds(10));
    }
  }

  std::mutex mutex_{};
  std::condition_variable wake_{};
  bool done_ = false;
  std::thread thread_;
};

class Exporter {
 public:
  Exporter(const Integers& integers, z3::context& context)
      : integers_(integers), context_(context) {}

  z3::expr operator()(Integer root) {
    std::vector<Integer> todo{root};
    while (!todo.empty()) {
      const Integer at = todo.back();
      const std::size_t before = todo.size();
      for (const Integer operand : integers_.node(at).operands())
        if (!made_.contains(operand)) todo.push_back(operand);
      if (todo.size() > before) continue;
      todo.pop_back();
      if (!made_.contains(at)) made_.emplace(at, make(at));
    }
    return made_.at(root);
  }
  z3::expr number(Wide value) { return context_.int_val(decimal(value).c_str()); }
  // The variables of the formulas exported since the last call.
  z3::expr_vector take_variables() {
    z3::expr_vector taken(context_);
    for (const Integer variable : variables_) taken.push_back(made_.at(variable));
    variables_.clear();
    made_.clear();
    return taken;
  }

 private:
  z3::expr make(Integer id) {
    const IntegerNode& node = integers_.node(id);
    const auto arg = [&](std::size_t index) { return made_.at(node.args[index]); };
    switch (node.op) {
      case IntegerOp::constant:
        return number(node.payload);
      case IntegerOp::variable:
        variables_.push_back(id);
        return context_.int_const(("v" + decimal(node.payload)).c_str());
      case IntegerOp::add:
        return arg(0) + arg(1);
      case IntegerOp::scale:
        return number(node.payload) * arg(0);
      case IntegerOp::quotient:
        return arg(0) / number(node.payload);
      case IntegerOp::remainder:
        return z3::mod(arg(0), number(node.payload));
      case IntegerOp::choose:
        return z3::ite(arg(0), arg(1), arg(2));
      case IntegerOp::yes:
        return context_.bool_val(true);
      case IntegerOp::no:
        return context_.bool_val(false);
      case IntegerOp::negation:
        return !arg(0);
      case IntegerOp::both:
        return arg(0) && arg(1);
      case IntegerOp::either:
        return arg(0) || arg(1);
      case IntegerOp::at_most:
        return arg(0) <= arg(1);
      case IntegerOp::equal:
        return arg(0) == arg(1);
    }
    CHECK(false, "every operator has a counterpart");
    return context_.bool_val(false);
  }

  const Integers& integers_;
  z3::context& context_;
  std::map<Integer, z3::expr> made_{};
  std::vector<Integer> variables_{};
};

// The solver's formulas as ours; nullopt where it uses an operator that we have no word for.
class Importer {
 public:
  Importer(Integers& integers, const std::vector<Integer>& formals)
      : integers_(integers), formals_(formals) {}

  std::optional<Integer> operator()(const z3::expr& from) {
    if (from.is_var()) {
      const unsigned index = Z3_get_index_value(from.ctx(), from);
      if (index >= formals_.size()) return std::nullopt;
      return formals_[index];
    }
    if (from.is_numeral()) {
      const auto value = from_decimal(from.get_decimal_string(0));
      if (!value || !from.is_int()) return std::nullopt;
      return integers_.constant(*value);
    }
    if (!from.is_app()) return std::nullopt;
    std::vector<Integer> args;
    for (unsigned i = 0; i < from.num_args(); ++i) {
      const std::optional<Integer> arg = (*this)(from.arg(i));
      if (!arg) return std::nullopt;
      args.push_back(*arg);
    }
    return combine(from, args);
  }

 private:
  std::optional<Integer> combine(const z3::expr& from, const std::vector<Integer>& args) {
    const bool of_numbers = from.num_args() > 0 && from.arg(0).is_int();
    const auto fold = [&](auto combined) {
      Integer all = args[0];
      for (std::size_t i = 1; i < args.size(); ++i) all = combined(all, args[i]);
      return all;
    };
    switch (from.decl().decl_kind()) {
      case Z3_OP_TRUE:
        return integers_.yes();
      case Z3_OP_FALSE:
        return integers_.no();
      case Z3_OP_NOT:
        return integers_.negation(args[0]);
      case Z3_OP_AND:
        return fold([&](Integer a, Integer b) { return integers_.both(a, b); });
      case Z3_OP_OR:
        return fold([&](Integer a, Integer b) { return integers_.either(a, b); });
      case Z3_OP_IMPLIES:
        return integers_.either(integers_.negation(args[0]), args[1]);
      case Z3_OP_EQ:
      case Z3_OP_IFF:
        if (of_numbers) return integers_.equal(args[0], args[1]);
        return integers_.either(
            integers_.both(args[0], args[1]),
            integers_.both(integers_.negation(args[0]), integers_.negation(args[1])));
      case Z3_OP_LE:
        return integers_.at_most(args[0], args[1]);
      case Z3_OP_GE:
        return integers_.at_most(args[1], args[0]);
      case Z3_OP_LT:
        return integers_.less(args[0], args[1]);
      case Z3_OP_GT:
        return integers_.less(args[1], args[0]);
      case Z3_OP_ADD:
        return fold([&](Integer a, Integer b) { return integers_.add(a, b); });
      case Z3_OP_SUB:
        return fold([&](Integer a, Integer b) { return integers_.subtract(a, b); });
      case Z3_OP_UMINUS:
        return integers_.scale(args[0], -1);
      case Z3_OP_MUL:
      case Z3_OP_MOD:
      case Z3_OP_IDIV:
        return by_constant(from.decl().decl_kind(), args);
      default:
        return std::nullopt;
    }
  }
  std::optional<Integer> by_constant(Z3_decl_kind kind, const std::vector<Integer>& args) {
    if (args.size() != 2) return std::nullopt;
    const std::size_t at = kind == Z3_OP_MUL && integers_.is_constant(args[0]) ? 0 : 1;
    if (!integers_.is_constant(args[at])) return std::nullopt;
    const Wide constant = integers_.value(args[at]);
    if (kind == Z3_OP_MUL) return integers_.scale(args[1 - at], constant);
    if (constant <= 0) return std::nullopt;
    return kind == Z3_OP_MOD ? integers_.remainder(args[0], constant)
                             : integers_.quotient(args[0], constant);
  }

  Integers& integers_;
  const std::vector<Integer>& formals_;
};

class Spacer {
 public:
  Spacer(Integers& integers, const HornSystem& system)
      : integers_(integers), system_(system), fixedpoint_(context_) {
    z3::params params(context_);
    params.set("engine", context_.str_symbol("spacer"));
    params.set("spacer.random_seed", 0U);
    // Predicates that are inlined or lose arguments have no invariant to hand back.
    params.set("xform.slice", false);
    params.set("xform.inline_linear", false);
    params.set("xform.inline_eager", false);
    Z3_fixedpoint_set_params(context_, fixedpoint_, params);
  }

  HornResult run(const base::Budget& budget) {
    HornResult result;
    try {
      declare();
      const Watchdog watchdog(context_, budget);
      for (const HornClause& clause : system_.clauses()) {
        if (budget.out_of_time()) break;
        add(clause);
      }
      z3::func_decl_vector wrong(context_);
      wrong.push_back(*falsum_);
      switch (budget.out_of_time() ? z3::unknown : fixedpoint_.query(wrong)) {
        case z3::unsat:
          result.answer = HornResult::Answer::solved;
          read_solution(result);
          break;
        case z3::sat:
          result.answer = HornResult::Answer::refuted;
          break;
        case z3::unknown:
          result.reason = fixedpoint_.reason_unknown();
          break;
      }
    } catch (const z3::exception& error) {
      result = {};
      result.reason = error.msg();
    }
    if (result.answer == HornResult::Answer::gave_up &&
        (budget.out_of_time() || budget.out_of_memory()))
      result.answer = HornResult::Answer::out_of_budget;
    return result;
  }

 private:
  void declare() {
    const z3::sort truth = context_.bool_sort();
    for (std::uint32_t i = 0; i < system_.predicates(); ++i) {
      z3::sort_vector sorts(context_);
      for (std::size_t k = 0; k < system_.arity({i}); ++k) sorts.push_back(context_.int_sort());
      predicates_.push_back(context_.function(("p" + std::to_string(i)).c_str(), sorts, truth));
    }
    falsum_ = context_.function("wrong", z3::sort_vector(context_), truth);
    for (z3::func_decl& predicate : predicates_) fixedpoint_.register_relation(predicate);
    fixedpoint_.register_relation(*falsum_);
  }

  z3::expr apply(const Application& application) {
    z3::expr_vector arguments(context_);
    for (const Integer argument : application.arguments) arguments.push_back(export_(argument));
    return predicates_[application.predicate.number](arguments);
  }

  void add(const HornClause& clause) {
    z3::expr body = export_(clause.constraint);
    if (clause.body) body = apply(*clause.body) && body;
    const z3::expr head = clause.head ? apply(*clause.head) : (*falsum_)();
    z3::expr rule = z3::implies(body, head);
    const z3::expr_vector variables = export_.take_variables();
    if (!variables.empty()) rule = z3::forall(variables, rule);
    fixedpoint_.add_rule(rule, context_.int_symbol(rules_++));
  }

  // The solver drops rules that never apply, and then has nothing to say of predicates that
  // nothing leads to: these are false.
  void read_solution(HornResult& result) {
    read_covers(result);
    solver_.emplace(context_, z3::solver::simple());
    solver_->set("ctrl_c", false);  // signals are not the solver's business
    std::vector<bool> reached(system_.predicates());
    for (bool changed = true; changed;) {
      changed = false;
      for (const HornClause& clause : system_.clauses()) {
        if (!clause.head || reached[clause.head->predicate.number]) continue;
        if (clause.body && !reached[clause.body->predicate.number]) continue;
        if (integers_.is_yes(result.solution[clause.head->predicate.number]) &&
            !may_apply(result, clause))
          continue;
        reached[clause.head->predicate.number] = changed = true;
      }
    }
    for (std::size_t i = 0; i < reached.size(); ++i)
      if (!reached[i]) result.solution[i] = integers_.no();
  }

  bool may_apply(const HornResult& result, const HornClause& clause) {
    z3::solver& solver = *solver_;
    solver.push();
    solver.add(export_(clause.constraint));
    if (clause.body) {
      const std::uint32_t body = clause.body->predicate.number;
      solver.add(export_(result.solution[body]));
      for (std::size_t i = 0; i < result.formals[body].size(); ++i)
        solver.add(export_(result.formals[body][i]) == export_(clause.body->arguments[i]));
    }
    export_.take_variables();
    const bool applies = solver.check() != z3::unsat;
    solver.pop();
    return applies;
  }

  // A formula that we have no word for is given up as a whole: "true" claims nothing.
  void read_covers(HornResult& result) {
    for (std::uint32_t i = 0; i < system_.predicates(); ++i) {
      std::vector<Integer> formals;
      for (std::size_t k = 0; k < system_.arity({i}); ++k) formals.push_back(integers_.variable());
      const z3::expr cover = fixedpoint_.get_cover_delta(-1, predicates_[i]).simplify();
      result.solution.push_back(Importer(integers_, formals)(cover).value_or(integers_.yes()));
      result.formals.push_back(std::move(formals));
    }
  }

  Integers& integers_;
  const HornSystem& system_;
  z3::context context_{};
  z3::fixedpoint fixedpoint_;
  Exporter export_{integers_, context_};
  std::vector<z3::func_decl> predicates_{};
  std::optional<z3::func_decl> falsum_{};
  std::optional<z3::solver> solver_{};
  int rules_ = 0;
};

}  // namespace

HornResult solve(Integers& integers, const HornSystem& system, const base::Budget& budget) {
  return Spacer(integers, system).run(budget);
}

}  // namespace heddle::smt
