// Rules for ite: arms are simplified by what their condition says, arms that two
// nested choices share are joined, and choices of truth values become conjunctions.
#include "smt/term.hpp"

namespace heddle::smt {
namespace {

constexpr std::uint32_t fact_depth = 8;
constexpr std::uint32_t question_depth = 4;
constexpr int most_steps = 8;

}  // namespace

Term Terms::settle_arm(const Facts& facts, Term arm) {
  if (width(arm) == 1) {
    const Decision decision = decide(facts, arm, question_depth);
    if (decision != Decision::open) return decision == Decision::yes ? yes_ : no_;
  }
  for (int step = 0; step < most_steps; ++step) {
    const TermNode& shape = node(arm);
    if (shape.op != TermOp::ite) break;
    const Decision decision = decide(facts, shape.args[0], question_depth);
    if (decision == Decision::open) break;
    arm = shape.args[decision == Decision::yes ? 1 : 2];
  }
  return arm;
}

Term Terms::rewrite_ite(Term condition, Term then, Term otherwise) {
  Facts met, failed;
  collect_facts(condition, fact_depth, met);
  collect_facts(not_(condition), fact_depth, failed);
  then = settle_arm(met, then);
  otherwise = settle_arm(failed, otherwise);
  if (then == otherwise) return then;
  if (width(then) == 1) return rewrite_ite_truth(condition, then, otherwise);
  return merge_ite(condition, then, otherwise);
}

Term Terms::rewrite_ite_truth(Term condition, Term then, Term otherwise) {
  if (is_true(then)) return or_(condition, otherwise);
  if (is_false(then)) return and_(not_(condition), otherwise);
  if (is_true(otherwise)) return or_(not_(condition), then);
  if (is_false(otherwise)) return and_(condition, then);
  if (complements(then, otherwise)) return equal(condition, then);
  // One polarity of the whole, so that a choice and its negation share their node.
  if (has(then, TermOp::bit_not) && has(otherwise, TermOp::bit_not))
    return not_(ite(condition, node(then).args[0], node(otherwise).args[0]));
  return merge_ite(condition, then, otherwise);
}

Term Terms::merge_ite(Term condition, Term then, Term otherwise) {
  const TermNode a = node(then), b = node(otherwise);
  if (a.op == TermOp::ite) {
    if (a.args[2] == otherwise) return ite(and_(condition, a.args[0]), a.args[1], otherwise);
    if (a.args[1] == otherwise) return ite(and_(condition, not_(a.args[0])), a.args[2], otherwise);
  }
  if (b.op == TermOp::ite) {
    if (b.args[1] == then) return ite(or_(condition, b.args[0]), then, b.args[2]);
    if (b.args[2] == then) return ite(or_(condition, not_(b.args[0])), then, b.args[1]);
  }
  return make(TermOp::ite, a.width, {condition, then, otherwise});
}

}  // namespace heddle::smt
