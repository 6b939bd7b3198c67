#include "report/story.hpp"

#include <fmt/format.h>

#include <map>
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

// Which object it is depends on values: "*p", "%4->lock", "forks[i]".
bool is_vague(std::string_view place) {
  if (place.starts_with('*') || place.find('%') != std::string_view::npos) return true;
  for (std::size_t at = place.find('['); at != std::string_view::npos; at = place.find('[', at + 1))
    if (place.substr(at + 1).find_first_of("0123456789") != 0) return true;
  return false;
}

// Where the bracket closes that opens there.
std::size_t closing(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && --depth == 0) return at;
  }
  return text.size();
}

// The vague place, given one in the object itself: "forks[i].lock" and "forks[1].lock.__data" make
// "forks[1].lock". Of one behind a pointer the path is not known; library types begin with "__".
std::string made_exact(std::string_view vague, std::string_view found) {
  std::string result;
  for (std::size_t i = 0, j = 0; i < vague.size(); ++i, ++j) {
    if (j >= found.size() || vague[i] != found[j])
      return std::string(found.substr(0, found.find(".__")));
    const std::size_t from = j;
    if (vague[i] == '[') i = closing(vague, i), j = closing(found, j);
    result += found.substr(from, j + 1 - from);
  }
  return result;
}

// A call of the model library, from the user's text.
struct ModelCall {
  std::optional<ir::SyncOp> sync{};
  std::string object{};                   // what its first argument points to
  std::size_t depth = 0;                  // of the calls around it; it is over when these are left
  bool object_is_vague = false;           // until the call gets there
  std::optional<std::uint64_t> handle{};  // thread_create: written last, by it
  bool entered = false;  // an atomic section has begun, so it is more than announced
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
    if (trace_.violation.check == verdict::Check::race) {
      tell_pending(trace_.violation.thread, trace_.violation.edge);
      tell_pending(*trace_.violation.other_thread, trace_.violation.other_edge);
    }
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

  // What a thread is about to do when the trace ends.
  void tell_pending(ThreadNumber thread, ir::EdgeId edge) {
    const base::SourceRange source = user_source(program_, story_.threads[thread], edge);
    if (!source.known()) return;
    const ir::Statement& statement = program_.edge(edge).statement;
    std::string_view verb = "write";
    if (std::holds_alternative<ir::Load>(statement) || std::holds_alternative<ir::Await>(statement))
      verb = "read";
    if (std::holds_alternative<ir::Free>(statement)) verb = "free";
    story_.rows.push_back({thread,
                           source,
                           trimmed(program_.line_text(source.file, source.line)),
                           {fmt::format("is about to {} {}", verb, trace_.object)},
                           {}});
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
    telling_ = false;
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
    if (!row_.effects.empty() || telling_) story_.rows.push_back(std::move(row_));
  }

  void tell_model_step(const Observation& step) {
    std::optional<ModelCall>& call = calls_[step.thread];
    Standing& standing = story_.threads[step.thread];
    if (!call) {
      const ir::Function& function = program_.function(program_.function_of(step.edge));
      call = ModelCall{.sync = function.sync,
                       .object = argument_of(standing),
                       .depth = standing.calls.size() - 1};
      call->object_is_vague = is_vague(call->object);
      if (function.sync == ir::SyncOp::thread_join) name_joined_thread(step.thread, *call);
      if (function.sync == ir::SyncOp::thread_exit) {
        call->object = "the thread";
        call->object_is_vague = false;
      }
    }
    if (const auto* atomic = std::get_if<ir::Atomic>(&program_.edge(step.edge).statement))
      call->entered = call->entered || atomic->mark == ir::AtomicMark::begin;
    if (call->object_is_vague && call->sync && step.shared && !step.object.empty()) {
      call->object = made_exact(call->object, step.object);
      call->object_is_vague = false;
    }
    if (step.written && step.shared && call->sync == ir::SyncOp::thread_create)
      call->handle = *step.written;
    if (step.created) {
      row_.effects.push_back(fmt::format("creates {}", thread_name(*step.created)));
      // The handle is the address of the control block that the create has made.
      if (call->handle) handles_.emplace(*call->handle, *step.created);
    }
    if (const auto* fail = std::get_if<ir::Fail>(&program_.edge(step.edge).statement))
      row_.effects.push_back(failure_text(*fail));
    else if (step.input && !call->sync)
      row_.effects.push_back(
          fmt::format("input {}", value_to_text(program_, step.type, *step.input)));
  }

  // A thread's handle stands for the thread.
  std::string value_text(ir::TypeId type, std::uint64_t value) const {
    const auto handle = handles_.find(value);
    if (handle != handles_.end()) return fmt::format("T{}", handle->second);
    return value_to_text(program_, type, value);
  }
  // A number that means nothing to the user.
  bool is_address(ir::TypeId type, std::uint64_t value) const {
    return type.valid() && program_.type(type).kind == ir::TypeKind::pointer && value != 0;
  }

  static std::string failure_text(const ir::Fail& fail) {
    return fail.kind == ir::FailKind::error_call ? "the error is reached" : "fails";
  }

  void tell_user_step(const Observation& step) {
    const ir::Statement& statement = program_.edge(step.edge).statement;
    if (std::holds_alternative<ir::Assume>(statement) ||
        std::holds_alternative<ir::Call>(statement))
      telling_ = true;
    if (const auto* fail = std::get_if<ir::Fail>(&statement)) {
      row_.effects.push_back(failure_text(*fail));
      return;
    }
    if (step.read && handles_.contains(*step.read)) last_handle_[step.thread] = *step.read;
    const auto text = [&](std::uint64_t value) { return value_text(step.type, value); };
    if (step.input && !step.read)
      row_.effects.push_back(fmt::format("input {}", text(*step.input)));
    if (step.object.empty()) return;
    if (step.read && !handles_.contains(*step.read))
      row_.reads.push_back(fmt::format("{} is {}", step.object, text(*step.read)));
    if (step.read && step.written)
      row_.effects.push_back(
          fmt::format("{}: {} -> {}", step.object, text(*step.read), text(*step.written)));
    else if (step.read)
      row_.effects.push_back(fmt::format("reads {} = {}", step.object, text(*step.read)));
    else if (step.written && step.shared)
      row_.effects.push_back(fmt::format("writes {} = {}", step.object, text(*step.written)));
    else if (step.written && !is_address(step.type, *step.written))
      row_.effects.push_back(fmt::format("{} = {}", step.object, text(*step.written)));
  }

  void name_joined_thread(ThreadNumber thread, ModelCall& call) const {
    const auto handle = last_handle_.find(thread);
    if (handle == last_handle_.end()) return;
    call.object = thread_name(handles_.at(handle->second));
    call.object_is_vague = false;
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
  bool telling_ = false;  // the open row is worth a line even without effects
  std::map<std::uint64_t, ThreadNumber> handles_{};      // pthread_t values
  std::map<ThreadNumber, std::uint64_t> last_handle_{};  // that the thread has read
  std::set<ir::EdgeId> row_edges_{};                     // the user's edges in the open row
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
