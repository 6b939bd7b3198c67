#include "engine/explore/symmetry_facts.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include "passes/operands.hpp"

namespace heddle::engine::explore {
namespace {

using passes::InstanceId;
using passes::ObjectIndex;

template <class Visit>
void each_edge(const ir::Program& program, ir::FunId function, const Visit& visit) {
  for (const ir::LocId at : program.function(function).locations)
    for (const ir::EdgeId edge : program.out(at)) visit(edge);
}

// Every operand, the condition of an Await as well.
template <class Visit>
void each_operand(const ir::Statement& statement, const Visit& visit) {
  passes::for_each_operand(statement, visit);
  if (const auto* await = std::get_if<ir::Await>(&statement)) visit(await->condition);
}

bool is_constant_at_most_zero(const ir::Program& program, ir::ExprId id) {
  const ir::Expr& expr = program.expr(id);
  if (expr.op != ir::Op::constant) return false;
  const ir::Type& type = program.type(expr.type);
  if (type.kind != ir::TypeKind::integer && expr.payload != 0) return false;
  return expr.payload == 0 || (type.is_signed && type.width > 0 && type.width <= 64 &&
                               (expr.payload >> (type.width - 1) & 1) != 0);
}

bool mentions_thread_local(const ir::Program& program, ir::ExprId id) {
  const ir::Expr& expr = program.expr(id);
  if (expr.op == ir::Op::global_address)
    return program.global({static_cast<std::uint32_t>(expr.payload)}).storage ==
           ir::Storage::thread;
  return std::any_of(expr.operands().begin(), expr.operands().end(),
                     [&](ir::ExprId operand) { return mentions_thread_local(program, operand); });
}

}  // namespace

SymmetryFacts::SymmetryFacts(const ir::Program& program, const passes::PointsTo& points_to)
    : program_(program), points_to_(points_to), numbers_(program.registers().size(), 0) {
  if (points_to.gave_up() || !find_blocks()) {
    refuse(points_to.gave_up() ? "too much memory to keep track of" : "no thread is created");
    return;
  }
  find_code();
  find_numbers();
  find_handles();
  check_thread_locals();
  check_accesses();
  check_thread_code();
  check_contents();
  check_number_uses();
  check_number_accesses();
}

bool SymmetryFacts::find_blocks() {
  for (std::uint32_t i = 0; i < program_.functions().size(); ++i) {
    const ir::Function& function = program_.functions()[i];
    if (function.origin != ir::Origin::model || function.name != "heddle_new_thread") continue;
    each_edge(program_, {i}, [&](ir::EdgeId edge) {
      if (std::holds_alternative<ir::Alloc>(program_.edge(edge).statement))
        block_.allocation = edge;
    });
  }
  unsigned fields = 0;
  for (const ir::Type& type : program_.types()) {
    if (type.kind != ir::TypeKind::record || type.name != "heddle_thread") continue;
    const std::pair<const char*, std::uint64_t*> places[] = {
        {"running", &block_.running},         {"detached", &block_.detached},
        {"result", &block_.result},           {"routine", &block_.routine},
        {"c11_routine", &block_.c11_routine}, {"argument", &block_.argument}};
    for (const ir::Field& field : type.fields)
      for (const auto& [name, offset] : places)
        if (field.name == name) *offset = field.offset, ++fields;
  }
  for (std::uint32_t i = 0; i < program_.globals().size(); ++i)
    if (program_.globals()[i].name == "heddle_me") own_block_ = {i};
  is_block_.assign(points_to_.objects().size(), 0);
  for (ObjectIndex i = 0; i < is_block_.size(); ++i)
    is_block_[i] = points_to_.objects()[i].kind == passes::ObjectKind::allocation &&
                   points_to_.objects()[i].allocation == block_.allocation;
  return block_.allocation.valid() && fields == 6 && own_block_.valid();
}

std::vector<char> SymmetryFacts::reachable(const std::vector<ir::FunId>& from) const {
  std::vector<char> seen(program_.functions().size(), 0);
  std::vector<ir::FunId> open = from;
  while (!open.empty()) {
    const ir::FunId function = open.back();
    open.pop_back();
    if (std::exchange(seen[function.value], 1) != 0) continue;
    each_edge(program_, function, [&](ir::EdgeId edge) {
      if (!std::holds_alternative<ir::Call>(program_.edge(edge).statement)) return;
      for (const ir::FunId callee : points_to_.callees(edge)) open.push_back(callee);
    });
  }
  return seen;
}

void SymmetryFacts::find_code() {
  std::vector<ir::FunId> ends;
  handles_blocks_.assign(program_.functions().size(), 0);
  for (std::uint32_t i = 0; i < program_.functions().size(); ++i) {
    const ir::Function& function = program_.functions()[i];
    if (function.origin == ir::Origin::model && function.name == "heddle_end") {
      ends.push_back({i});
      handles_blocks_[i] = 1;
    }
    each_edge(program_, {i}, [&](ir::EdgeId edge) {
      if (!std::holds_alternative<ir::Spawn>(program_.edge(edge).statement)) return;
      for (const ir::FunId root : points_to_.callees(edge)) roots_.push_back(root);
    });
  }
  for (const ir::FunId root : roots_) {
    handles_blocks_[root.value] = 1;
    if (program_.function(root).origin != ir::Origin::model) refuse("a thread starts by itself");
  }
  thread_code_ = reachable(roots_);
  owns_nothing_.assign(program_.functions().size(), 0);
  for (const ir::FunId root : roots_)
    each_edge(program_, root, [&](ir::EdgeId call) {
      if (!std::holds_alternative<ir::Call>(program_.edge(call).statement)) return;
      for (const ir::FunId routine : points_to_.callees(call)) {
        if (program_.function(routine).origin != ir::Origin::user) continue;
        std::vector<ir::FunId> from = ends;
        from.push_back(routine);
        const std::vector<char> code = reachable(from);
        bool allocates = false;
        for (std::uint32_t f = 0; f < code.size(); ++f)
          if (code[f] != 0)
            each_edge(program_, {f}, [&](ir::EdgeId edge) {
              allocates =
                  allocates || std::holds_alternative<ir::Alloc>(program_.edge(edge).statement);
            });
        owns_nothing_[routine.value] = !allocates;
      }
    });
}

// The library's function that spawns also stores the handle.
void SymmetryFacts::find_handles() {
  is_handle_.assign(points_to_.objects().size(), 0);
  std::vector<char> starts(program_.functions().size(), 0);
  for (std::uint32_t i = 0; i < program_.functions().size(); ++i)
    each_edge(program_, {i}, [&](ir::EdgeId edge) {
      if (std::holds_alternative<ir::Spawn>(program_.edge(edge).statement)) starts[i] = 1;
      if (edge == block_.allocation) handles_blocks_[i] = 1;
    });
  for (std::uint32_t i = 0; i < starts.size(); ++i) {
    if (starts[i] == 0) continue;
    if (program_.functions()[i].origin != ir::Origin::model) refuse("a thread starts by itself");
    if (thread_code_[i] != 0) refuse("a thread creates threads");
    handles_blocks_[i] = 1;
    each_edge(program_, {i}, [&](ir::EdgeId edge) {
      const auto* store = std::get_if<ir::Store>(&program_.edge(edge).statement);
      if (store == nullptr || number(store->value)) return;
      for (const ObjectIndex object : points_to_.targets(edge).objects) is_handle_[object] = 1;
    });
  }
  handles_unused_ = true;
  for (std::uint32_t i = 0; i < program_.functions().size(); ++i)
    each_edge(program_, {i}, [&](ir::EdgeId edge) {
      const ir::Statement& statement = program_.edge(edge).statement;
      if (!passes::accessed_address(statement)) return;
      const passes::Targets targets = points_to_.targets(edge);
      const bool stores = std::holds_alternative<ir::Store>(statement);
      if (may_touch(targets, is_handle_) && !stores) handles_unused_ = false;
      if (may_touch(targets, is_block_) && handles_blocks_[i] == 0) handles_unused_ = false;
    });
}

bool SymmetryFacts::may_touch(const passes::Targets& targets, const Objects& objects) const {
  return targets.anything || std::any_of(targets.objects.begin(), targets.objects.end(),
                                         [&](ObjectIndex object) { return objects[object] != 0; });
}

// A value of which nothing is known comes from outside, since no access goes anywhere: it is no
// handle.
bool SymmetryFacts::may_hold_handle(const passes::Targets& targets) const {
  return std::any_of(targets.objects.begin(), targets.objects.end(),
                     [&](ObjectIndex object) { return is_block_[object] != 0; });
}

// ---- addresses -----------------------------------------------------------------------

void SymmetryFacts::check_thread_locals() {
  for (const ir::Location& location : program_.locations())
    for (const ir::EdgeId edge : location.out) {
      const ir::Statement& statement = program_.edge(edge).statement;
      const std::optional<ir::ExprId> address = passes::accessed_address(statement);
      const bool may_be_one = std::holds_alternative<ir::Load>(statement) ||
                              std::holds_alternative<ir::Store>(statement) ||
                              std::holds_alternative<ir::Update>(statement);
      each_operand(statement, [&](ir::ExprId operand) {
        if (!(may_be_one && operand == address) && mentions_thread_local(program_, operand))
          refuse("the address of a thread-local variable is taken");
      });
    }
}

void SymmetryFacts::check_accesses() {
  for (const ir::Location& location : program_.locations())
    for (const ir::EdgeId edge : location.out)
      if (passes::accessed_address(program_.edge(edge).statement) &&
          points_to_.targets(edge).anything)
        refuse("an access may go anywhere");
}

// What threads run gets at no handle, and at no block but through the library's own functions.
void SymmetryFacts::check_thread_code() {
  for (std::uint32_t i = 0; i < program_.functions().size(); ++i) {
    if (thread_code_[i] == 0) continue;
    each_edge(program_, {i}, [&](ir::EdgeId edge) {
      if (!passes::accessed_address(program_.edge(edge).statement)) return;
      const passes::Targets targets = points_to_.targets(edge);
      if (may_touch(targets, is_handle_) ||
          (may_touch(targets, is_block_) && handles_blocks_[i] == 0))
        refuse("a thread may look at the handle of another one");
    });
  }
  for (std::uint32_t i = 0; i < program_.exprs().size(); ++i) {
    const ir::Expr& expr = program_.exprs()[i];
    if (expr.op != ir::Op::reg) continue;
    const ir::FunId function = program_.reg({static_cast<std::uint32_t>(expr.payload)}).function;
    if (thread_code_[function.value] == 0 || program_.function(function).origin != ir::Origin::user)
      continue;
    if (may_hold_handle(points_to_.targets(ir::ExprId{i}, function)))
      refuse("a thread may look at its own handle");
  }
}

void SymmetryFacts::check_contents() {
  if (may_hold_handle(points_to_.stored_anywhere())) refuse("a handle may be anywhere");
  for (ObjectIndex i = 0; i < points_to_.objects().size(); ++i) {
    const passes::AbstractObject& object = points_to_.objects()[i];
    if (object.kind == passes::ObjectKind::function || is_handle_[i] != 0) continue;
    if (object.kind == passes::ObjectKind::global && object.global == own_block_) continue;
    if (may_hold_handle(points_to_.contents(i))) refuse("a handle is copied");
  }
}

// ---- numbers -------------------------------------------------------------------------

bool SymmetryFacts::number(ir::ExprId id) const {
  const ir::Expr& expr = program_.expr(id);
  return expr.op == ir::Op::reg && numbers_[expr.payload] != 0;
}

void SymmetryFacts::find_numbers() {
  for (const ir::Location& location : program_.locations())
    for (const ir::EdgeId edge : location.out) {
      const ir::Statement& statement = program_.edge(edge).statement;
      if (const auto* self = std::get_if<ir::Self>(&statement)) numbers_[self->to.value] = 1;
      if (const auto* spawn = std::get_if<ir::Spawn>(&statement)) numbers_[spawn->number.value] = 1;
    }
  while (follow_numbers()) {
  }
  for (const auto& [object, ranges] : words_) {
    const passes::AbstractObject& what = points_to_.objects()[object];
    Words words{{}, points_to_.period(object)};
    for (const Range& range : ranges) words.offsets.push_back(range.first);
    std::sort(words.offsets.begin(), words.offsets.end());
    words.offsets.erase(std::unique(words.offsets.begin(), words.offsets.end()),
                        words.offsets.end());
    if (what.kind == passes::ObjectKind::global)
      in_globals_[what.global] = std::move(words);
    else if (in_allocations_.try_emplace(what.allocation, words).first->second != words)
      refuse("blocks from one place hold different things");
  }
  // A state says where a block was allocated, but not who called for it.
  for (ObjectIndex i = 0; i < points_to_.objects().size(); ++i)
    if (points_to_.objects()[i].kind == passes::ObjectKind::allocation && !words_.contains(i) &&
        in_allocations_.contains(points_to_.objects()[i].allocation))
      refuse("blocks from one place hold different things");
}

// Through copies, into memory, and out again. True if that was news.
bool SymmetryFacts::follow_numbers() {
  bool news = false;
  const auto learn = [&](ir::RegId reg) {
    news = std::exchange(numbers_[reg.value], 1) == 0 || news;
  };
  for (InstanceId i = 0; i < points_to_.instances().size(); ++i)
    each_edge(program_, points_to_.instances()[i].function, [&](ir::EdgeId edge) {
      const ir::Statement& statement = program_.edge(edge).statement;
      if (const auto* assign = std::get_if<ir::Assign>(&statement); assign && number(assign->value))
        learn(assign->to);
      const auto* store = std::get_if<ir::Store>(&statement);
      const bool reads = std::holds_alternative<ir::Load>(statement) ||
                         std::holds_alternative<ir::Await>(statement);
      if (!reads && (store == nullptr || !number(store->value))) return;
      for (const passes::TouchedBytes& bytes : points_to_.touched(i, edge).bytes) {
        const Range range{static_cast<std::uint64_t>(bytes.first),
                          static_cast<std::uint64_t>(bytes.last)};
        std::vector<Range>& known = words_[bytes.object];
        const bool meets = std::any_of(known.begin(), known.end(), [&](const Range& word) {
          return bytes.whole || (word.first <= range.last && range.first <= word.last);
        });
        if (reads && meets) learn(*passes::written_register(statement));
        if (store == nullptr) continue;
        if (bytes.whole || bytes.first < 0) refuse("a thread's number is stored somewhere");
        if (std::find(known.begin(), known.end(), range) != known.end()) continue;
        known.push_back(range);
        news = true;
      }
    });
  std::erase_if(words_, [](const auto& entry) { return entry.second.empty(); });
  return news;
}

// Equality with another number, and how it compares with 0 or less, say nothing about which
// number it is.
bool SymmetryFacts::safe_inside(ir::ExprId id) const {
  const ir::Expr& expr = program_.expr(id);
  const bool equality = expr.op == ir::Op::eq || expr.op == ir::Op::ne;
  if (equality || expr.op == ir::Op::lt || expr.op == ir::Op::le) {
    const ir::ExprId left = expr.args[0], right = expr.args[1];
    if (number(left) || number(right)) {
      if (number(left) && number(right)) return equality;
      return is_constant_at_most_zero(program_, number(left) ? right : left);
    }
  }
  return std::all_of(expr.operands().begin(), expr.operands().end(),
                     [&](ir::ExprId operand) { return !number(operand) && safe_inside(operand); });
}

void SymmetryFacts::check_number_uses() {
  for (const ir::Location& location : program_.locations())
    for (const ir::EdgeId edge : location.out) {
      const ir::Statement& statement = program_.edge(edge).statement;
      const auto* assign = std::get_if<ir::Assign>(&statement);
      const auto* store = std::get_if<ir::Store>(&statement);
      each_operand(statement, [&](ir::ExprId operand) {
        const bool copies = (assign != nullptr && assign->value == operand) ||
                            (store != nullptr && store->value == operand && store->bits.whole());
        if (number(operand) ? !copies : !safe_inside(operand))
          refuse("a thread's number is computed with");
      });
      // A register of numbers holds nothing else.
      const std::optional<ir::RegId> to = passes::written_register(statement);
      if (!to || numbers_[to->value] == 0) continue;
      const bool is_number =
          std::holds_alternative<ir::Self>(statement) ||
          std::holds_alternative<ir::Spawn>(statement) ||
          std::holds_alternative<ir::Load>(statement) ||
          std::holds_alternative<ir::Await>(statement) ||
          (assign != nullptr &&
           (number(assign->value) || is_constant_at_most_zero(program_, assign->value)));
      if (!is_number) refuse("a thread's number is mixed with others");
    }
}

// Whoever reads such a word expects a number there, and whoever writes it writes one, or 0.
void SymmetryFacts::check_number_accesses() {
  for (InstanceId i = 0; i < points_to_.instances().size(); ++i)
    each_edge(program_, points_to_.instances()[i].function, [&](ir::EdgeId edge) {
      const ir::Statement& statement = program_.edge(edge).statement;
      const auto* load = std::get_if<ir::Load>(&statement);
      const auto* store = std::get_if<ir::Store>(&statement);
      const bool reads = load != nullptr || std::holds_alternative<ir::Await>(statement);
      const bool takes = reads && numbers_[passes::written_register(statement)->value] != 0;
      const bool gives = store != nullptr && number(store->value);
      for (const passes::TouchedBytes& bytes : points_to_.touched(i, edge).bytes) {
        const Range range{static_cast<std::uint64_t>(bytes.first),
                          static_cast<std::uint64_t>(bytes.last)};
        bool exact = false, harmless = true;
        if (const auto known = words_.find(bytes.object); known != words_.end())
          for (const Range& word : known->second) {
            if (!bytes.whole && (range.last < word.first || word.last < range.first)) continue;
            exact = exact || (!bytes.whole && range == word);
            harmless = harmless && !bytes.whole && range.first <= word.first &&
                       word.last <= range.last && store != nullptr && store->bits.whole() &&
                       (range == word ? is_constant_at_most_zero(program_, store->value)
                                      : program_.expr(store->value).op == ir::Op::constant &&
                                            program_.expr(store->value).payload == 0);
          }
        const bool whole_bits = load == nullptr || load->bits.whole();
        const bool right = takes || gives ? exact && whole_bits && range.last - range.first == 3
                                          : harmless || std::holds_alternative<ir::Free>(statement);
        if (!right) refuse("a thread's number is read or written as something else");
      }
    });
  for (const auto& [global, words] : in_globals_)
    if (program_.global(global).storage == ir::Storage::thread)
      refuse("a thread's number is kept in a thread-local variable");
}

}  // namespace heddle::engine::explore
