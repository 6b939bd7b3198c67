#include "domain/product.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "domain/cells_read.hpp"

namespace heddle::domain {
namespace {

const ProductStore& same_kind(const Store& other) {
  const auto* store = dynamic_cast<const ProductStore*>(&other);
  CHECK(store != nullptr, "both stores are of one domain");
  return *store;
}

// Every register holds one number.
class Naming final : public Scope {
 public:
  explicit Naming(std::uint64_t bits) : bits_(bits) {}
  Operand reg(ir::RegId) const override { return bits_; }
  std::uint64_t global(ir::GlobalId) const override { return 0; }
  std::uint64_t function(ir::FunId) const override { return 0; }

 private:
  std::uint64_t bits_;
};

class ProductDomain final : public Domain {
 public:
  ProductDomain(const ir::Program& program, std::vector<std::unique_ptr<Domain>> parts)
      : program_(program), parts_(std::move(parts)) {
    CHECK(!parts_.empty(), "a product has parts");
    for (const auto& part : parts_) {
      if (!name_.empty()) name_ += '+';
      name_ += part->name();
    }
    for (std::uint32_t id = 0; id < program.exprs().size(); ++id) {
      const ir::Expr& expr = program.exprs()[id];
      if (expr.op == ir::Op::reg) readers_.try_emplace(program.type(expr.type).width, id);
    }
  }
  std::string_view name() const override { return name_; }
  std::unique_ptr<Store> initial() override {
    std::vector<std::unique_ptr<Store>> stores;
    for (const auto& part : parts_) stores.push_back(part->initial());
    return std::make_unique<ProductStore>(program_, readers_, std::move(stores));
  }
  Merge merge() const override {
    const bool all = std::all_of(parts_.begin(), parts_.end(),
                                 [](const auto& part) { return part->merge() == Merge::join; });
    return all ? Merge::join : Merge::separate;
  }

 private:
  const ir::Program& program_;
  std::vector<std::unique_ptr<Domain>> parts_;
  std::string name_{};
  ProductStore::Readers readers_{};
};

}  // namespace

std::unique_ptr<Domain> make_product(const ir::Program& program,
                                     std::vector<std::unique_ptr<Domain>> parts) {
  return std::make_unique<ProductDomain>(program, std::move(parts));
}

std::unique_ptr<Store> ProductStore::clone() const {
  std::vector<std::unique_ptr<Store>> copies;
  for (const auto& part : parts_) copies.push_back(part->clone());
  return std::make_unique<ProductStore>(*program_, *readers_, std::move(copies));
}

void ProductStore::forget(const Cell& cell) {
  for (const auto& part : parts_) part->forget(cell);
}
void ProductStore::set(const Cell& cell, std::uint64_t bits) {
  for (const auto& part : parts_) part->set(cell, bits);
}
void ProductStore::havoc(const Cell& cell, std::uint64_t limit) {
  for (const auto& part : parts_) part->havoc(cell, limit);
}
void ProductStore::assign(const Cell& to, ir::ExprId value, const Scope& scope) {
  for (const auto& part : parts_) part->assign(to, value, scope);
}
void ProductStore::load(const Cell& to, const Cell& memory, ir::TypeId type, ir::BitRange bits) {
  for (const auto& part : parts_) part->load(to, memory, type, bits);
}
void ProductStore::store(const Cell& memory, ir::TypeId type, ir::BitRange bits, ir::ExprId value,
                         const Scope& scope) {
  for (const auto& part : parts_) part->store(memory, type, bits, value, scope);
}
void ProductStore::update(const Cell& memory, ir::TypeId type, ir::RmwOp op, const Operand& before,
                          ir::ExprId operand, const Scope& scope) {
  for (const auto& part : parts_) part->update(memory, type, op, before, operand, scope);
}

bool ProductStore::assume(ir::ExprId condition, const Scope& scope) {
  for (const auto& part : parts_)
    if (!part->assume(condition, scope)) return false;
  return tell(cells_read(*program_, condition, scope));
}

bool ProductStore::assume(Equality equality, const Operand& left, ir::ExprId right,
                          const Scope& scope) {
  for (const auto& part : parts_)
    if (!part->assume(equality, left, right, scope)) return false;
  std::set<Cell> read = cells_read(*program_, right, scope);
  if (const auto* cell = std::get_if<Cell>(&left)) read.insert(*cell);
  return tell(read);
}

// What one part knows exactly, the others assume.
bool ProductStore::tell(const std::set<Cell>& cells) {
  for (const Cell& cell : cells) {
    const auto reader = readers_->find(cell.width);
    const std::optional<std::uint64_t> bits = known(cell);
    if (!bits || reader == readers_->end()) continue;
    for (const auto& part : parts_)
      if (part->known(cell) != bits &&
          !part->assume(Equality::equal, cell, reader->second, Naming(*bits)))
        return false;
  }
  return true;
}

std::optional<std::uint64_t> ProductStore::known(ir::ExprId expr, const Scope& scope) const {
  for (const auto& part : parts_)
    if (const auto value = part->known(expr, scope)) return value;
  return std::nullopt;
}

std::optional<std::uint64_t> ProductStore::known(const Cell& cell) const {
  for (const auto& part : parts_)
    if (const auto value = part->known(cell)) return value;
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> ProductStore::values(ir::ExprId expr, const Scope& scope,
                                                               std::size_t at_most) const {
  std::optional<std::vector<std::uint64_t>> result;
  for (const auto& part : parts_) {
    auto some = part->values(expr, scope, at_most);
    if (!some) continue;
    if (!result) {
      result = std::move(some);
      continue;
    }
    std::vector<std::uint64_t> in_both;
    std::set_intersection(result->begin(), result->end(), some->begin(), some->end(),
                          std::back_inserter(in_both));
    result = std::move(in_both);
  }
  return result;
}

bool ProductStore::covers(const Store& store) const {
  const ProductStore& other = same_kind(store);
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (!parts_[i]->covers(*other.parts_[i])) return false;
  return true;
}

void ProductStore::join(const Store& store) {
  const ProductStore& other = same_kind(store);
  for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i]->join(*other.parts_[i]);
}

void ProductStore::widen(const Store& newer) {
  const ProductStore& other = same_kind(newer);
  for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i]->widen(*other.parts_[i]);
}

std::uint64_t ProductStore::hash() const {
  std::uint64_t hash = 0;
  for (const auto& part : parts_) hash = base::combine(hash, part->hash());
  return hash;
}

}  // namespace heddle::domain
