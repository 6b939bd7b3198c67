// Input that is no C program is told so, with place and remedy; never a crash.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "frontend/frontend.hpp"

namespace heddle::frontend {
namespace {

std::string error_of_text(const std::string& text) {
  try {
    parse_text("input.c", text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string error_of_files(std::vector<std::string> files) {
  try {
    parse({.files = std::move(files)});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

class InputFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("heddle_input_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::filesystem::path folder_;
};

TEST_F(InputFiles, AMissingFileIsNamed) {
  EXPECT_NE(error_of_files({folder_ / "nowhere.c"}).find("nowhere.c: error: cannot be read"),
            std::string::npos);
}

TEST_F(InputFiles, ADirectoryIsNamed) {
  EXPECT_NE(error_of_files({folder_}).find("is a directory"), std::string::npos);
}

TEST_F(InputFiles, AnEmptyFileIsNamed) {
  EXPECT_NE(error_of_files({write("empty.c", " \n\t\n")}).find("is empty"), std::string::npos);
}

TEST_F(InputFiles, ABinaryFileIsNamed) {
  EXPECT_NE(error_of_files({write("binary.c", std::string("\x7f"
                                                          "ELF\0\1\2",
                                                          7))})
                .find("is a binary file"),
            std::string::npos);
}

TEST_F(InputFiles, TwoDefinitionsOfOneFunctionAreRejected) {
  const std::string error = error_of_files({write("a.c", "int main(void) { return 0; }"),
                                            write("b.c", "\nint main(void) { return 1; }")});
  EXPECT_NE(error.find("b.c:2:5: error: 'main' is defined more than once"), std::string::npos)
      << error;
}

TEST_F(InputFiles, FilesAreLinkedIntoOneProgram) {
  const ir::Program program =
      parse({.files = {write("a.c",
                             "extern int shared; int twice(int); static int f(void) { return 1; }\n"
                             "int main(void) { return twice(shared) + f(); }"),
                       write("b.c",
                             "int shared = 21; static int f(void) { return 2; }\n"
                             "int twice(int x) { return x * f(); }")}});
  int functions_called_f = 0;
  for (const ir::Function& function : program.functions())
    if (function.name.starts_with("f")) ++functions_called_f;
  EXPECT_EQ(functions_called_f, 2);  // static functions of two files stay apart
  ASSERT_EQ(program.globals().size(), 1U);
  EXPECT_EQ(program.globals()[0].initializers.size(), 1U);
}

TEST_F(InputFiles, CompilerFlagsReachTheCompiler) {
  const std::string file = write("flags.c", "int main(void) { return VALUE; }");
  EXPECT_NO_THROW(parse({.files = {file}, .compiler_flags = {"-DVALUE=3"}}));
  EXPECT_NE(error_of_files({file}).find("VALUE"), std::string::npos);
}

TEST(InputErrors, ASyntaxErrorHasFileLineAndColumn) {
  EXPECT_EQ(error_of_text("int main(void) {\n  return 1 +;\n}\n").substr(0, 34),
            "input.c:2:13: error: expected expr");
}

TEST(InputErrors, AProgramNeedsMain) {
  EXPECT_NE(error_of_text("int f(void) { return 0; }").find("no 'main' function"),
            std::string::npos);
}

TEST(InputErrors, DeepBracketsAreRejected) {
  const std::string deep(100000, '(');
  EXPECT_NE(error_of_text("int main(void) { return " + deep + "0").find("nesting"),
            std::string::npos);
}

TEST(InputErrorsDeathTest, DeepNestingWithoutBracketsEndsWithAMessage) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      parse_text("deep.c", "int main(void) { return " + std::string(10'000'000, '!') + "0; }"),
      ::testing::ExitedWithCode(3), "deep.c:1:1: error: nested too deeply");
}

// By a count, or where the stack of the test is small, by its end.
TEST(InputErrorsDeathTest, DeepElseChainsAreRejected) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  std::string chain;
  for (int i = 0; i < 20'000; ++i) chain += "if (x) x = 1; else\n";
  const auto parse_it = [&] {
    std::fputs(error_of_text("int x; int main(void) {" + chain + "x = 2; return 0; }").c_str(),
               stderr);
    std::exit(3);
  };
  EXPECT_EXIT(parse_it(), ::testing::ExitedWithCode(3), "nested too deeply");
}

TEST(InputErrors, C23SpellingsAreAccepted) {
  EXPECT_EQ(
      error_of_text(
          "[[maybe_unused]] static constexpr int one = 1;\n"
          "int main() { bool b = true; int *p = nullptr; return b && p == nullptr ? 0 : one; }"),
      "accepted");
}

TEST(InputErrors, OldStyleCIsAccepted) {
  EXPECT_EQ(error_of_text("f(a, b) int a; char *b; { return a; }\nmain() { g(); return f(1, 0); }"),
            "accepted");
}

TEST(InputErrors, LibraryNamesMayBeUsedByTheProgram) {
  EXPECT_EQ(error_of_text("int free; int main(void) { free++; return free; }"), "accepted");
}

}  // namespace
}  // namespace heddle::frontend
