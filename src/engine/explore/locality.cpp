#include "engine/explore/locality.hpp"

#include <algorithm>
#include <variant>

namespace heddle::engine::explore {

namespace {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};

bool touches_memory(const ir::Statement& statement) {
  return std::visit(
      Overloaded{
          [](const ir::Load&) { return true; },    [](const ir::Store&) { return true; },
          [](const ir::Update&) { return true; },  [](const ir::Await&) { return true; },
          [](const ir::Free&) { return true; },    [](const ir::ObjectSize&) { return true; },
          [](const ir::Clobber&) { return true; }, [](const ir::Skip&) { return false; },
          [](const ir::Assign&) { return false; }, [](const ir::Havoc&) { return false; },
          [](const ir::Assume&) { return false; }, [](const ir::Call&) { return false; },
          [](const ir::Return&) { return false; }, [](const ir::Spawn&) { return false; },
          [](const ir::Atomic&) { return false; }, [](const ir::Alloc&) { return false; },
          [](const ir::Self&) { return false; },   [](const ir::Fail&) { return false; },
          [](const ir::Exit&) { return false; },   [](const ir::Unsupported&) { return false; },
      },
      statement);
}

}  // namespace

Locality::Locality(const ir::Program& program, const SharingFacts& facts, LocalSteps local_steps)
    : program_(program),
      local_steps_(local_steps),
      shares_thread_locals_(facts.thread_locals_may_be_shared()) {
  const std::size_t count = program.edges().size();
  kinds_.assign(count, Kind::visible);
  touches_memory_.assign(count, 0);
  touches_shared_.assign(count, 0);
  object_is_shared_.assign(count, 0);
  for (const ir::Location& location : program.locations()) {
    for (const ir::EdgeId edge : location.out) {
      const ir::Statement& statement = program.edge(edge).statement;
      touches_memory_[edge.value] = touches_memory(statement);
      if (touches_memory(statement)) touches_shared_[edge.value] = facts.access_may_be_shared(edge);
      if (std::holds_alternative<ir::Alloc>(statement))
        object_is_shared_[edge.value] = facts.object_may_be_shared(edge);
      kinds_[edge.value] = classify(edge, facts);
    }
  }
}

Locality::Kind Locality::classify(ir::EdgeId edge, const SharingFacts& facts) const {
  const auto by_sharing = [&](const auto&) {
    return facts.access_may_be_shared(edge) ? Kind::visible : Kind::local;
  };
  return std::visit(
      Overloaded{
          [](const ir::Skip&) { return Kind::local; },
          [](const ir::Assign&) { return Kind::local; },
          [](const ir::Havoc&) { return Kind::local; },
          [](const ir::Assume&) { return Kind::local; },
          [&](const ir::Load& load) { return by_sharing(load); },
          [&](const ir::Store& store) { return by_sharing(store); },
          [&](const ir::Update& update) { return by_sharing(update); },
          [](const ir::Call&) { return Kind::local; },
          [](const ir::Return&) { return Kind::ends_frame; },
          // Threads are numbered in the order of their creation, which others can see.
          [](const ir::Spawn&) { return Kind::visible; },
          [](const ir::Await&) { return Kind::visible; },
          // Once begun, a section keeps the others out; leaving it lets them in again.
          [](const ir::Atomic& atomic) {
            return atomic.mark == ir::AtomicMark::begin ? Kind::visible : Kind::local;
          },
          [](const ir::Alloc& alloc) {
            return alloc.kind == ir::AllocKind::stack ? Kind::renews : Kind::local;
          },
          [&](const ir::Free& free) { return by_sharing(free); },
          [&](const ir::ObjectSize& size) { return by_sharing(size); },
          [&](const ir::Clobber& clobber) { return by_sharing(clobber); },
          [](const ir::Self&) { return Kind::local; },
          // Where the property is broken the search ends; where it is not, this does nothing.
          [](const ir::Fail&) { return Kind::local; },
          [](const ir::Exit& exit) {
            return exit.scope == ir::ExitScope::thread ? Kind::ends_thread : Kind::visible;
          },
          [](const ir::Unsupported&) { return Kind::local; },
      },
      program_.edge(edge).statement);
}

bool Locality::shares_objects(const machine::Frame& frame) const {
  return std::any_of(
      frame.stack_objects.begin(), frame.stack_objects.end(),
      [&](const auto& object) { return object_is_shared_[object.first.value] != 0; });
}

bool Locality::local(const machine::State& state, ThreadNumber thread, ir::EdgeId next) const {
  if (local_steps_ == LocalSteps::off) return false;
  const Kind kind = kinds_[next.value];
  if (kind == Kind::local) return true;
  if (kind == Kind::visible) return false;
  const machine::Thread& whole = state.thread(thread);
  if (kind == Kind::renews)
    return object_is_shared_[next.value] == 0 || !shares_objects(*whole.frames.back());
  if (kind == Kind::ends_frame && whole.frames.size() > 1)
    return !shares_objects(*whole.frames.back());
  if (kind == Kind::ends_frame && thread == 0) return false;  // the process ends
  // The thread ends, and its copies of thread-local variables with it.
  return !shares_thread_locals_ &&
         std::none_of(whole.frames.begin(), whole.frames.end(),
                      [&](const auto& frame) { return shares_objects(*frame); });
}

}  // namespace heddle::engine::explore
