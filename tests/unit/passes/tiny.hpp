// Small programs written by hand: a function grows statement by statement.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "ir/print.hpp"

namespace heddle::passes {

struct Tiny {
  ir::ProgramBuilder b{ir::DataModel::lp64};
  ir::TypeId int_type = b.int_type(32, true);
  ir::TypeId pointer = b.pointer_to(int_type);
  ir::TypeId void_pointer = b.pointer_to(b.void_type());
  ir::FunId main = function("main", {});
  ir::LocId at = b.function(main).entry;  // where the next statement goes

  ir::FunId function(const std::string& name, std::vector<ir::TypeId> parameters,
                     ir::Origin origin = ir::Origin::user) {
    const ir::FunId id =
        b.declare_function(name, b.function_type(b.void_type(), parameters, false), origin);
    for (const ir::TypeId type : parameters) b.add_parameter(id, "argument", type);
    b.set_function_entry(id, b.add_location(id));
    return id;
  }
  ir::ExprId number(std::int64_t value) {
    return b.constant(int_type, static_cast<std::uint64_t>(value));
  }
  ir::ExprId global(const std::string& name, ir::TypeId type) {
    return b.global_address(b.add_global({.name = name, .type = type}));
  }
  ir::RegId reg(const std::string& name, ir::TypeId type) {
    return b.add_register(b.location(at).function, name, type);
  }
  ir::EdgeId then(ir::Statement statement) {
    const ir::LocId next = b.add_location(b.location(at).function);
    const ir::EdgeId edge = b.add_edge(std::exchange(at, next), next, std::move(statement), {});
    return edge;
  }
  void into(ir::FunId id) { at = b.function(id).entry; }
  ir::Program finish() {
    b.set_entry(main);
    b.set_main(main);
    return std::move(b).finish();
  }
};

// The statements that lie on edges still in the program, in order of their edges' sources.
inline std::vector<std::string> statements(const ir::Program& program, ir::FunId function) {
  std::vector<std::string> texts;
  for (const ir::LocId at : program.function(function).locations)
    for (const ir::EdgeId id : program.out(at))
      texts.push_back(ir::statement_to_text(program, program.edge(id).statement));
  return texts;
}

}  // namespace heddle::passes
