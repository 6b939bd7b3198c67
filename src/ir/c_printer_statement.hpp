// Statements as C, within one function.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ir/c_printer_parts.hpp"

namespace heddle::ir {

// Names within a function. A register that only ever holds the address of one stack object is
// not printed: the object is a local variable instead.
class FunctionNames : public Names {
 public:
  FunctionNames(const Program& program, const CNames& outer, FunId function);
  std::string reg(RegId id) const override { return registers_.at(id); }
  std::optional<std::string> object(RegId id) const override;
  std::string global(GlobalId id) const override { return outer_.global(id); }
  std::string function(FunId id) const override { return outer_.function(id); }
  std::string field(TypeId record, std::uint32_t index) const override {
    return outer_.field(record, index);
  }
  const std::map<RegId, const Alloc*>& objects() const { return objects_; }
  // What nothing in the function or around it is called yet; it stays free.
  std::string unused(std::string name) const;

 private:
  void find_objects(const Program& program, const Function& function);
  std::string unique(std::string name);

  const CNames& outer_;
  std::map<RegId, std::string> registers_{};  // of an object: the name of the variable
  std::map<RegId, const Alloc*> objects_{};
  std::set<std::string> taken_{};
};

// What the statements of one function need to know of it.
struct StatementContext {
  const Program& program;
  const FunctionNames& names;
  Externs& externs;
  const std::set<RegId>& read;    // registers that some statement reads
  const std::set<EdgeId>& again;  // edges that may run twice in one frame
  CForm form = CForm::concurrent;
};

// `condition` holds, or this execution does not count.
std::string assume_to_c(CForm form, const std::string& condition, Externs& externs);
// Complete lines of C; empty for statements that need none.
std::vector<std::string> statement_to_c(const StatementContext& context, EdgeId edge);
}  // namespace heddle::ir
