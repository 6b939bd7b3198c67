// Puts the parts together: compile every unit, link them with the model library, and
// lower what can be reached from main.
#include "frontend/frontend.hpp"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "frontend/compile.hpp"
#include "frontend/function.hpp"
#include "frontend/linker.hpp"
#include "frontend/model_files.hpp"
#include "frontend/stack_guard.hpp"
#include "ir/builder.hpp"

namespace heddle::frontend {
namespace {

using Units = std::vector<std::unique_ptr<Unit>>;

SourceText model_library() {
  SourceText library{"<model library>", {}};
  for (const ModelFile& file : model_files()) library.text += file.text;
  return library;
}

// argc is any positive number; what argv points to is unknown. Parameters that main never
// looks at are not worth a choice.
std::vector<ir::ExprId> main_arguments(ir::ProgramBuilder& builder, ir::FunId entry,
                                       const FunctionToLower& main, ir::LocId& here) {
  std::vector<ir::ExprId> args;
  const base::SourceRange source = main.unit->range(main.definition->getSourceRange());
  const auto emit = [&](ir::Statement statement) {
    const ir::LocId next = builder.add_location(entry);
    builder.add_edge(here, next, std::move(statement), source);
    here = next;
  };
  for (const clang::ParmVarDecl* declared : main.definition->parameters()) {
    const ir::TypeId parameter = main.unit->type(declared->getType());
    const ir::RegId reg = builder.add_temporary(entry, parameter);
    if (!declared->isReferenced()) {
      emit(ir::Assign{reg, builder.constant(parameter, 1)});
    } else if (builder.type(parameter).kind == ir::TypeKind::pointer) {
      constexpr std::uint64_t bytes = 64;
      emit(ir::Alloc{reg, builder.constant(builder.size_type(), bytes), ir::AllocKind::model,
                     ir::Contents::unset, "argv"});
    } else {
      emit(ir::Havoc{reg});
      if (args.empty() && builder.type(parameter).kind == ir::TypeKind::integer)
        emit(ir::Assume{
            builder.binary(ir::Op::le, builder.constant(parameter, 1), builder.reg(reg))});
    }
    args.push_back(builder.reg(reg));
  }
  return args;
}

void build_entry(ir::ProgramBuilder& builder, Linker& linker, const FunctionToLower& start) {
  const ir::FunId main = start.id;
  const ir::TypeId type = builder.function_type(builder.void_type(), {}, false);
  const ir::FunId entry = builder.declare_function("heddle_start", type, ir::Origin::model);
  ir::LocId here = builder.add_location(entry);
  builder.set_function_entry(entry, here);
  const auto emit = [&](ir::Statement statement) {
    const ir::LocId next = builder.add_location(entry);
    builder.add_edge(here, next, std::move(statement), {});
    here = next;
  };
  for (const auto& [constructor, unit] : linker.constructors())
    emit(
        ir::Call{builder.function_address(*linker.function(constructor, *unit)), {}, std::nullopt});
  std::vector<ir::ExprId> args = main_arguments(builder, entry, start, here);
  emit(ir::Call{builder.function_address(main), std::move(args), std::nullopt});
  emit(ir::Exit{ir::ExitScope::process});
  builder.set_entry(entry);
  builder.set_main(main);
}

ir::Program link_and_lower(Units& units, ir::ProgramBuilder& builder,
                           const std::string& first_file) {
  Linker linker(builder, units);
  const bool has_main = linker.function_named("main").has_value();
  const std::optional<FunctionToLower> main = linker.next();  // alone in the queue
  if (!has_main || !main)
    throw InputError(
        fmt::format("{}:1:1: error: no 'main' function; a program starts there, so give all "
                    "files that it is made of",
                    first_file));
  build_entry(builder, linker, *main);
  FunctionLowering(*main, linker, builder).run();
  while (const std::optional<FunctionToLower> function = linker.next())
    FunctionLowering(*function, linker, builder).run();
  return std::move(builder).finish();
}

ir::Program parse_units(const std::vector<SourceText>& sources,
                        const std::vector<std::string>& flags, ir::DataModel model) {
  ir::ProgramBuilder builder(model);
  Units units;
  for (const SourceText& source : sources) {
    const StackGuard guard(source.name);
    units.push_back(
        std::make_unique<Unit>(compile(source, model, flags), ir::Origin::user, builder));
  }
  const StackGuard guard(sources.front().name);
  units.push_back(
      std::make_unique<Unit>(compile(model_library(), model, {}), ir::Origin::model, builder));
  return link_and_lower(units, builder, sources.front().name);
}

}  // namespace

ir::Program parse(const SourceInput& input) {
  std::vector<SourceText> sources;
  for (const std::string& file : input.files) sources.push_back(read_source(file));
  if (sources.empty()) throw InputError("error: no input files; give one or more C files");
  return parse_units(sources, input.compiler_flags, input.data_model);
}

ir::Program parse_text(const std::string& name, const std::string& text, ir::DataModel model) {
  return parse_units({{name, text}}, {}, model);
}

}  // namespace heddle::frontend
