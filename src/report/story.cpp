#include "report/story.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "ir/print.hpp"
#include "report/sync_words.hpp"
#include "report/values.hpp"

namespace heddle::report {
namespace {

using verdict::Observation;

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  const std::size_t to = text.find_last_not_of(" \t\r");
  return std::string(text.substr(from, to - from + 1));
}

// A call of the model library, from the user's text.
struct ModelCall {
  std::optional<ir::SyncOp> sync{};
  std::string object{};   // what its first argument points to
  std::size_t depth = 0;  // of the calls around it; it is over when these are left
  bool entered = false;   // an atomic section has begun, so it is more than announced
};

class Teller {
 public:
  Teller(const ir::Program& program, const verdict::AnnotatedTrace& trace)
      : program_(program), trace_(trace) {
    story_.threads.resize(trace.routines.size());
    calls_.resize(trace.routines.size());
  }

  Story run() {
    for (const Observation& step : trace_.steps) tell(step);
    close_row();
    for (std::size_t thread = 0; thread < calls_.size(); ++thread)
      if (calls_[thread] && calls_[thread]->sync)
        story_.threads[thread].waits = calls_[thread]->object;
    return std::move(story_);
  }

 private:
  bool in_model(ir::EdgeId edge) const {
    return program_.function(program_.function_of(edge)).origin == ir::Origin::model;
  }
  std::string thread_name(ThreadNumber thread) const {
    const std::string& routine = trace_.routines[thread];
    return routine.empty() ? fmt::format("T{}", thread) : fmt::format("T{} {}", thread, routine);
  }

  void tell(const Observation& step) {
    Standing& standing = story_.threads[step.thread];
    const base::SourceRange source = user_source(program_, standing, step.edge);
    if (source.known()) {
      open_row(step, source);
      if (in_model(step.edge))
        tell_model_step(step);
      else
        tell_user_step(step);
    }
    follow_calls(step, standing);
  }

  void open_row(const Observation& step, const base::SourceRange& source) {
    const bool repeats = !in_model(step.edge) && !row_edges_.insert(step.edge).second;
    if (open_ && row_.thread == step.thread && row_.source.file == source.file &&
        row_.source.line == source.line && !repeats)
      return;
    close_row();
    row_ = Row{step.thread, source, trimmed(program_.line_text(source.file, source.line)), {}, {}};
    row_edges_ = {step.edge};
    open_ = true;
  }

  void close_row() {
    if (!open_) return;
    open_ = false;
    row_edges_.clear();
    std::optional<ModelCall>& call = calls_[row_.thread];
    if (call && call->sync && row_.effects.empty()) {
      // A call that is only announced here does its work in a later row.
      if (!call->entered) return;
      row_.effects.push_back(fmt::format("{} {}", words_for(*call->sync).waiting, call->object));
    }
    story_.rows.push_back(std::move(row_));
  }

  void tell_model_step(const Observation& step) {
    std::optional<ModelCall>& call = calls_[step.thread];
    Standing& standing = story_.threads[step.thread];
    if (!call) {
      const ir::Function& function = program_.function(program_.function_of(step.edge));
      call = ModelCall{function.sync, argument_of(standing), standing.calls.size() - 1, false};
    }
    if (const auto* atomic = std::get_if<ir::Atomic>(&program_.edge(step.edge).statement))
      call->entered = call->entered || atomic->mark == ir::AtomicMark::begin;
    if (step.created) row_.effects.push_back(fmt::format("creates {}", thread_name(*step.created)));
    if (const auto* fail = std::get_if<ir::Fail>(&program_.edge(step.edge).statement))
      row_.effects.push_back(failure_text(*fail));
    else if (step.input && !call->sync)
      row_.effects.push_back(
          fmt::format("input {}", value_to_text(program_, step.type, *step.input)));
  }

  static std::string failure_text(const ir::Fail& fail) {
    return fail.kind == ir::FailKind::error_call ? "the error is reached" : "fails";
  }

  void tell_user_step(const Observation& step) {
    if (const auto* fail = std::get_if<ir::Fail>(&program_.edge(step.edge).statement)) {
      row_.effects.push_back(failure_text(*fail));
      return;
    }
    const auto text = [&](std::uint64_t value) {
      return value_to_text(program_, step.type, value);
    };
    if (step.input && !step.read)
      row_.effects.push_back(fmt::format("input {}", text(*step.input)));
    if (step.object.empty()) return;
    if (step.read) row_.reads.push_back(fmt::format("{} is {}", step.object, text(*step.read)));
    if (step.read && step.written)
      row_.effects.push_back(
          fmt::format("{}: {} -> {}", step.object, text(*step.read), text(*step.written)));
    else if (step.read)
      row_.effects.push_back(fmt::format("reads {} = {}", step.object, text(*step.read)));
    else if (step.written && step.shared)
      row_.effects.push_back(fmt::format("writes {} = {}", step.object, text(*step.written)));
    else if (step.written)
      row_.effects.push_back(fmt::format("{} = {}", step.object, text(*step.written)));
  }

  void follow_calls(const Observation& step, Standing& standing) {
    const ir::Statement& statement = program_.edge(step.edge).statement;
    if (std::holds_alternative<ir::Call>(statement)) {
      standing.calls.push_back(step.edge);
    } else if (std::holds_alternative<ir::Return>(statement) && !standing.calls.empty()) {
      standing.calls.pop_back();
      finish_model_call(step.thread, standing);
    }
  }

  void finish_model_call(ThreadNumber thread, Standing& standing) {
    std::optional<ModelCall>& call = calls_[thread];
    if (!call || standing.calls.size() > call->depth) return;
    if (call->sync) {
      const SyncWords words = words_for(*call->sync);
      if (*call->sync != ir::SyncOp::thread_create && open_)
        row_.effects.push_back(fmt::format("{} {}", words.done, call->object));
      if (words.lock == LockEffect::takes) standing.locks.insert(call->object);
      if (words.lock == LockEffect::gives_back) standing.locks.erase(call->object);
    }
    call.reset();
  }

  // How the user wrote what the innermost call's first argument points to.
  std::string argument_of(const Standing& standing) const {
    if (standing.calls.empty()) return {};
    const auto* call = std::get_if<ir::Call>(&program_.edge(standing.calls.back()).statement);
    if (call == nullptr || call->args.empty()) return {};
    const ir::ExprId argument = without_casts(call->args.front());
    if (program_.type(program_.expr(argument).type).kind == ir::TypeKind::pointer)
      return ir::lvalue_to_c(program_, argument);
    return ir::expr_to_c(program_, argument);
  }

  ir::ExprId without_casts(ir::ExprId id) const {
    while (program_.expr(id).op == ir::Op::cast &&
           program_.type(program_.expr(program_.expr(id).args[0]).type).kind ==
               ir::TypeKind::pointer)
      id = program_.expr(id).args[0];
    return id;
  }

  const ir::Program& program_;
  const verdict::AnnotatedTrace& trace_;
  Story story_{};
  std::vector<std::optional<ModelCall>> calls_{};  // by thread: the model call it is inside of
  Row row_{};
  bool open_ = false;
  std::set<ir::EdgeId> row_edges_{};  // the user's edges in the open row
};

}  // namespace

base::SourceRange user_source(const ir::Program& program, const Standing& standing,
                              ir::EdgeId edge) {
  const auto is_user = [&](ir::EdgeId id) {
    return program.function(program.function_of(id)).origin == ir::Origin::user;
  };
  if (is_user(edge)) return program.edge(edge).source;
  for (auto call = standing.calls.rbegin(); call != standing.calls.rend(); ++call)
    if (is_user(*call)) return program.edge(*call).source;
  return {};
}

Story tell(const ir::Program& program, const verdict::AnnotatedTrace& trace) {
  return Teller(program, trace).run();
}

}  // namespace heddle::report
