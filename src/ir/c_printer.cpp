#include "ir/c_printer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/c_printer_parts.hpp"
#include "ir/print.hpp"

namespace heddle::ir {
namespace {

std::string print_records(const Program& program, const CParts& parts) {
  std::string text;
  for (const TypeId id : parts.records) text += type_to_c(program, id, "") + ";\n";
  for (const TypeId id : parts.records)
    if (program.type(id).complete) text += "\n" + record_definition(program, id);
  return text;
}

std::string print_globals(const Program& program, const CParts& parts, const CNames& names) {
  std::set<GlobalId> referred;  // by an initialiser: declared first
  const auto note = [&](const auto& self, ExprId id) -> void {
    const Expr& expr = program.expr(id);
    if (expr.op == Op::global_address)
      referred.insert(GlobalId{static_cast<std::uint32_t>(expr.payload)});
    for (const ExprId operand : expr.operands()) self(self, operand);
  };
  for (const GlobalId id : parts.globals)
    for (const Initializer& part : program.global(id).initializers) note(note, part.value);
  std::string declared, defined;
  for (const GlobalId id : parts.globals) {
    const Global& global = program.global(id);
    if (written_in_place(program, global)) continue;
    if (referred.contains(id))
      declared +=
          fmt::format("extern {}{};\n", global.storage == Storage::thread ? "_Thread_local " : "",
                      type_to_c(program, global.type, names.global(id)));
    defined += global_definition(program, names, id);
  }
  return declared + defined;
}

}  // namespace

std::string to_c(const Program& program, const CStyle& style) {
  CParts parts = collect_parts(program, style.form);
  const CNames names(program, parts);
  Externs externs;
  std::string definitions;
  if (style.form == CForm::sequential) {
    for (const auto* functions : {&parts.functions, &parts.library})
      for (const FunId id : *functions)
        if (id != program.main()) definitions += function_stub(program, names, id);
    if (!definitions.empty()) {
      definitions = "\n/* Functions of which only the address is used. */\n" + definitions;
      externs.emplace("abort", standard_declaration(program, "abort"));
    }
    parts.functions.insert(parts.functions.end(), parts.library.begin(), parts.library.end());
    parts.library.clear();
  }
  for (const FunId id : parts.functions)
    if (style.form == CForm::concurrent || id == program.main())
      definitions += "\n" + function_definition(program, names, id, style, externs);
  for (const FunId id : parts.library) declare_library(program, names, id, externs);
  std::string text = print_records(program, parts) + "\n";
  std::set<std::string> own;
  for (const FunId id : parts.functions) own.insert(names.function(id));
  for (const auto& [name, declaration] : externs)
    if (!own.contains(name)) text += fmt::format("extern {};\n", declaration);
  for (const FunId id : parts.functions) {
    const bool constructor = std::find(parts.constructors.begin(), parts.constructors.end(), id) !=
                             parts.constructors.end();
    text += fmt::format("{}{};\n", function_declaration(program, names, id),
                        constructor ? " __attribute__((constructor))" : "");
  }
  return text + "\n" + print_globals(program, parts, names) + definitions;
}

}  // namespace heddle::ir
