// The include check must be able to fail: each rule is broken once here, next to
// the nearest include that the rule allows.
#include "layers/layers.hpp"

#include <gtest/gtest.h>

namespace heddle::layers {
namespace {

constexpr std::string_view good_table =
    "# comment\n"
    "base:\n"
    "ir: base\n"
    "frontend: ir base\n"
    "smt: ir base\n"
    "engine: smt ir base\n";

std::vector<std::string> messages(std::string_view table, const std::vector<SourceFile>& files) {
  std::vector<std::string> result;
  for (const auto& violation : find_violations(read_table(table), files)) {
    result.push_back(violation.path + ":" + std::to_string(violation.line) + ": " +
                     violation.message);
  }
  return result;
}

using Messages = std::vector<std::string>;

TEST(Layers, AcceptsWhatTheTableAllows) {
  EXPECT_EQ(messages(good_table, {{"ir/expr.cpp",
                                   "#include \"ir/expr.hpp\"\n"
                                   "#include <vector>\n"
                                   "#include \"base/ids.hpp\"\n"}}),
            Messages{});
}

TEST(Layers, FindsAnIncludeAgainstTheTable) {
  EXPECT_EQ(messages(good_table, {{"base/ids.hpp", "\n  #  include \"ir/expr.hpp\"  // why\n"}}),
            Messages{"base/ids.hpp:2: base may not include ir: ir/expr.hpp"});
}

TEST(Layers, AngleBracketsDoNotHideARoom) {
  EXPECT_EQ(messages(good_table, {{"base/ids.hpp", "#include <ir/expr.hpp>\n"}}),
            Messages{"base/ids.hpp:1: base may not include ir: ir/expr.hpp"});
}

TEST(Layers, FindsAnIncludeThatNamesNoRoom) {
  EXPECT_EQ(messages(good_table, {{"ir/expr.cpp", "#include \"expr.hpp\"\n"}}),
            Messages{"ir/expr.cpp:1: include \"expr.hpp\" does not name a room: "
                     "write \"room/file.hpp\""});
  EXPECT_EQ(messages(good_table, {{"ir/expr.cpp", "#include \"../base/ids.hpp\"\n"}}),
            Messages{"ir/expr.cpp:1: include \"../base/ids.hpp\" does not name a room: "
                     "write \"room/file.hpp\""});
}

TEST(Layers, FindsAFileInNoRoom) {
  EXPECT_EQ(messages(good_table, {{"utils/misc.hpp", ""}}),
            Messages{"utils/misc.hpp:0: the file is in no room of layers.txt"});
  EXPECT_EQ(messages(good_table, {{"loose.cpp", ""}}),
            Messages{"loose.cpp:0: the file is in no room of layers.txt"});
}

TEST(Layers, KeepsEnginesApart) {
  EXPECT_EQ(
      messages(good_table, {{"engine/bmc/bmc.cpp", "#include \"engine/explore/state.hpp\"\n"}}),
      Messages{"engine/bmc/bmc.cpp:1: engines may not include each other: "
               "engine/explore/state.hpp"});
  EXPECT_EQ(messages(good_table, {{"engine/engine.hpp", "#include \"engine/bmc/bmc.hpp\"\n"}}),
            Messages{"engine/engine.hpp:1: engines may not include each other: "
                     "engine/bmc/bmc.hpp"});
  EXPECT_EQ(messages(good_table, {{"engine/bmc/bmc.cpp",
                                   "#include \"engine/bmc/bmc.hpp\"\n"
                                   "#include \"engine/engine.hpp\"\n"}}),
            Messages{});
}

TEST(Layers, KeepsClangInTheFrontend) {
  EXPECT_EQ(messages(good_table, {{"ir/expr.cpp",
                                   "#include <clang/AST/Decl.h>\n"
                                   "#include \"llvm/ADT/APInt.h\"\n"}}),
            (Messages{"ir/expr.cpp:1: clang and LLVM headers belong to src/frontend: "
                      "clang/AST/Decl.h",
                      "ir/expr.cpp:2: clang and LLVM headers belong to src/frontend: "
                      "llvm/ADT/APInt.h"}));
  EXPECT_EQ(messages(good_table, {{"frontend/lower.cpp",
                                   "#include <clang/AST/Decl.h>\n"
                                   "#include \"llvm/ADT/APInt.h\"\n"}}),
            Messages{});
}

TEST(Layers, KeepsSolversInSmt) {
  for (const std::string header :
       {"z3++.h", "z3.h", "z3_api.h", "cadical.hpp", "minisat/core/Solver.h"}) {
    EXPECT_EQ(messages(good_table, {{"engine/bmc/bmc.cpp", "#include <" + header + ">\n"}}),
              Messages{"engine/bmc/bmc.cpp:1: solver headers belong to src/smt: " + header});
    EXPECT_EQ(messages(good_table, {{"smt/solver.cpp", "#include <" + header + ">\n"}}),
              Messages{});
  }
}

TEST(Layers, FindsACycleOfRooms) {
  EXPECT_EQ(messages("base: machine\nir: base\nmachine: ir\n", {}),
            Messages{"layers.txt:0: cycle: base -> machine -> ir -> base"});
  EXPECT_EQ(messages("base: base\n", {}), Messages{"layers.txt:0: cycle: base -> base"});
}

TEST(Layers, FindsATableThatIsWrong) {
  EXPECT_EQ(messages("base:\nir: bass\n", {}),
            Messages{"layers.txt:0: ir sees bass, which has no line"});
  EXPECT_EQ(messages("base:\nir base\n", {}), Messages{"layers.txt:2: cannot be read: ir base"});
}

}  // namespace
}  // namespace heddle::layers
