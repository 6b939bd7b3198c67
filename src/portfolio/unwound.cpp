#include "portfolio/unwound.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "machine/machine.hpp"

namespace heddle::portfolio {
namespace {

using sequentialize::Origin;

// Steps that stay together: one, or those of an atomic section up to where it waits.
struct Block {
  std::uint64_t at = 0, phase = 0;
  struct Step {
    std::uint64_t thread = 0;  // its number in the sequential program, + 1
    verdict::Step step{};
    std::optional<std::uint64_t> starts{};  // the same of a new thread
    bool is_direct = false;                 // it goes to memory, where nobody else can tell
  };
  std::vector<Step> steps{};
  bool operator<(const Block& other) const {
    return std::pair(at, phase) < std::pair(other.at, other.phase);
  }
};

class Ordering {
 public:
  Ordering(const ir::Program& input, const sequentialize::Sequential& sequential)
      : input_(input), sequential_(sequential) {}

  std::optional<Ordered> run(const verdict::Unsafe& unsafe) {
    collect(unsafe);
    drop_unfinished();
    drop_idle_ends();
    std::stable_sort(blocks_.begin(), blocks_.end());
    std::optional<verdict::Unsafe> ordered = up_to_the_failure(unsafe);
    if (!ordered) return std::nullopt;
    return Ordered{std::move(*ordered), sharing()};
  }

 private:
  std::optional<verdict::Unsafe> up_to_the_failure(const verdict::Unsafe& unsafe) const {
    verdict::Unsafe result;
    result.violation = unsafe.violation;
    const verdict::Property property{{unsafe.violation.check}};
    const machine::Machine machine(input_, property);
    machine::State state = machine.initial();
    bool runs = true;
    std::map<std::uint64_t, verdict::ThreadNumber> numbers{{1, 0}};
    for (const Block& block : blocks_)
      for (const Block::Step& step : block.steps) {
        result.trace.steps.push_back(step.step);
        verdict::Step& made = result.trace.steps.back();
        made.thread = numbers[step.thread];
        runs = runs && take(machine, state, made);  // else the replay will tell why not
        if (step.starts) numbers[*step.starts] = static_cast<verdict::ThreadNumber>(numbers.size());
        if (!broken_by(step, unsafe)) continue;
        result.violation.thread = made.thread;
        result.violation.edge = made.edge;
        result.violation.text = std::get<ir::Fail>(input_.edge(made.edge).statement).text;
        return result;
      }
    return std::nullopt;
  }
  std::uint64_t sharing() const {
    std::map<std::uint64_t, std::set<std::uint64_t>> writers;  // by position
    std::uint64_t result = 0;
    for (const Block& block : blocks_) {
      if (!writes(block)) continue;
      std::set<std::uint64_t>& here = writers[block.at];
      here.insert(block.steps[0].thread);
      if (here.size() > 1) ++result;
    }
    return result;
  }
  bool writes(const Block& block) const {
    return std::ranges::any_of(block.steps, [&](const Block::Step& step) {
      return is_write(input_.edge(step.step.edge).statement) && !step.is_direct;
    });
  }

  // Where memory is set already a read takes no input.
  static bool take(const machine::Machine& machine, machine::State& state, verdict::Step& step) {
    if (step.thread >= machine.thread_count(state) || !machine.live(state, step.thread))
      return false;
    const auto edges = machine.edges(state, step.thread);
    if (std::find(edges.begin(), edges.end(), step.edge) == edges.end()) return false;
    if (!machine.input_needed(state, step.thread, step.edge)) step.input.reset();
    const machine::StepResult result = machine.step(state, step.thread, step.edge, step.input);
    return result.outcome == machine::Outcome::moved;
  }

  bool broken_by(const Block::Step& step, const verdict::Unsafe& unsafe) const {
    const auto* fail = std::get_if<ir::Fail>(&input_.edge(step.step.edge).statement);
    return fail != nullptr && machine::check_of(fail->kind) == unsafe.violation.check;
  }

  void collect(const verdict::Unsafe& unsafe) {
    const verdict::Property property{{unsafe.violation.check}};
    const machine::Machine machine(sequential_.program, property);
    machine::State state = machine.initial();
    for (const verdict::Step& step : unsafe.trace.steps) {
      machine.step(state, 0, step.edge, step.input);
      const Origin* origin = sequential_.origin(step.edge);
      if (origin != nullptr && machine.live(state, 0)) add(state, step, *origin);
    }
  }
  // A section that a thread did not get through, and in which it has changed nothing, might as
  // well not have begun.
  void drop_unfinished() {
    for (const auto& [thread, section] : open_)
      if (!matters(blocks_[section.block])) blocks_[section.block].steps.clear();
  }
  // Nobody needs what a thread does after its last step that changes something; but it may return
  // from a function whose variables others still use.
  void drop_idle_ends() {
    std::map<std::uint64_t, std::uint32_t> depth;  // of sections, by thread
    std::map<std::uint64_t, std::size_t> idle;     // the first block from which on it is
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].steps.empty()) continue;
      const std::uint64_t thread = blocks_[i].steps[0].thread;
      if (depth[thread] > 0 || matters(blocks_[i])) idle[thread] = i + 1;
      for (const Block::Step& step : blocks_[i].steps)
        if (const auto* mark = std::get_if<ir::Atomic>(&input_.edge(step.step.edge).statement))
          depth[thread] += mark->mark == ir::AtomicMark::begin ? 1 : -1;
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (!blocks_[i].steps.empty() && i >= idle[blocks_[i].steps[0].thread])
        blocks_[i].steps.clear();
  }
  bool matters(const Block& block) const {
    return writes(block) || std::ranges::any_of(block.steps, [&](const Block::Step& step) {
             const ir::Statement& statement = input_.edge(step.step.edge).statement;
             return std::holds_alternative<ir::Spawn>(statement) ||
                    std::holds_alternative<ir::Fail>(statement);
           });
  }
  static bool is_write(const ir::Statement& statement) {
    return std::holds_alternative<ir::Store>(statement) ||
           std::holds_alternative<ir::Update>(statement);
  }
  std::uint64_t value(const machine::State& state, ir::RegId reg) const {
    return state.top(0).registers[sequential_.program.reg(reg).index];
  }

  void add(const machine::State& state, const verdict::Step& step, const Origin& origin) {
    const sequentialize::PositionRegisters& known = sequential_.positions[origin.thread];
    const ir::Statement& statement = input_.edge(origin.edge).statement;
    Block::Step made{value(state, known.number), {0, origin.edge, step.input}};
    made.is_direct =
        !sequential_.in_memory && is_write(sequential_.program.edge(step.edge).statement);
    // What a read of shared memory gives may stand in memory as an input.
    if (const auto* load = std::get_if<ir::Load>(&statement))
      made.step.input = loaded(state, step, *load);
    if (origin.starts) made.starts = value(state, sequential_.positions[*origin.starts].number);
    const std::uint64_t at = value(state, known.at), phase = value(state, known.phase);
    const auto open = open_.find(made.thread);
    const bool waits = std::holds_alternative<ir::Await>(statement);
    const bool goes_on = open != open_.end() && !(waits && blocks_[open->second.block].at != at);
    if (!goes_on) blocks_.emplace_back();
    Block& block = goes_on ? blocks_[open->second.block] : blocks_.back();
    block.at = at, block.phase = phase;
    block.steps.push_back(made);
    if (open != open_.end() && !goes_on) open->second.block = blocks_.size() - 1;
    if (const auto* mark = std::get_if<ir::Atomic>(&statement)) {
      Section& section = open_[made.thread];
      if (mark->mark == ir::AtomicMark::begin) {
        if (section.depth++ == 0) section.block = blocks_.size() - 1;
      } else if (section.depth <= 1) {
        open_.erase(made.thread);
      } else {
        --section.depth;
      }
    }
  }
  std::optional<std::uint64_t> loaded(const machine::State& state, const verdict::Step& step,
                                      const ir::Load& load) const {
    const auto to = written(step.edge);
    if (!to) return step.input;
    std::uint64_t result = value(state, *to);
    if (!load.bits.whole() && load.bits.width < 64)
      result &= (std::uint64_t{1} << load.bits.width) - 1;
    return result;
  }
  std::optional<ir::RegId> written(ir::EdgeId edge) const {
    const ir::Statement& statement = sequential_.program.edge(edge).statement;
    if (const auto* assign = std::get_if<ir::Assign>(&statement)) return assign->to;
    if (const auto* load = std::get_if<ir::Load>(&statement)) return load->to;
    return std::nullopt;
  }

  struct Section {
    std::uint32_t depth = 0;
    std::size_t block = 0;
  };
  const ir::Program& input_;
  const sequentialize::Sequential& sequential_;
  std::vector<Block> blocks_{};
  std::map<std::uint64_t, Section> open_{};  // of each thread that is inside a section
};

}  // namespace

std::optional<Ordered> order_by_position(const ir::Program& input,
                                         const sequentialize::Sequential& sequential,
                                         const verdict::Unsafe& unsafe) {
  return Ordering(input, sequential).run(unsafe);
}

}  // namespace heddle::portfolio
