#include "machine/leak.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace heddle::machine {
namespace {

class Reachability {
 public:
  Reachability(const Memory& memory, const State& state)
      : width_(memory.layout().pointer_bytes()),
        entries_(state.objects()),
        reached_(entries_.size(), 0) {}

  void root(std::size_t index) {
    if (reached_[index] != 0) return;
    reached_[index] = 1;
    pending_.push_back(index);
  }
  void word(std::uint64_t value) {
    const auto after =
        std::upper_bound(entries_.begin(), entries_.end(), value,
                         [](Address at, const ObjectEntry& entry) { return at < entry.base; });
    if (after == entries_.begin()) return;
    const ObjectEntry& entry = *(after - 1);
    if (value - entry.base <= entry.object->bytes.size())
      root(static_cast<std::size_t>(after - 1 - entries_.begin()));
  }
  void close() {
    while (!pending_.empty()) {
      const std::vector<std::uint8_t>& bytes = entries_[pending_.back()].object->bytes;
      pending_.pop_back();
      for (std::uint64_t at = 0; at + width_ <= bytes.size(); ++at) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + at, width_);
        if (value != 0) word(value);
      }
    }
  }
  bool reached(std::size_t index) const { return reached_[index] != 0; }

 private:
  std::uint32_t width_;
  const std::vector<ObjectEntry>& entries_;
  std::vector<char> reached_;
  std::vector<std::size_t> pending_{};
};

}  // namespace

std::optional<std::string> find_leak(const Memory& memory, const State& state) {
  const std::vector<ObjectEntry>& entries = state.objects();
  Reachability reachability(memory, state);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].object->kind == ir::AllocKind::model) reachability.root(i);
  for (const Shared<Thread>& thread : state.threads())
    for (const Shared<Frame>& frame : thread->frames) {
      for (const std::uint64_t value : frame->registers) reachability.word(value);
      for (const auto& [edge, address] : frame->stack_objects) reachability.word(address);
    }
  reachability.close();
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].object->kind == ir::AllocKind::heap && !reachability.reached(i))
      return fmt::format("{} of {} bytes is not freed and nothing points to it at the end",
                         memory.name_of(*entries[i].object), entries[i].object->bytes.size());
  return std::nullopt;
}

}  // namespace heddle::machine
