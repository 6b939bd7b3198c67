// The names that are explained to readers are names that the schemes give.
#include "sequentialize/legend.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "sequential_programs.hpp"
#include "sequentialize/mu.hpp"

namespace heddle::sequentialize {
namespace {

ir::Program counting() {
  return program_of(R"(extern void reach_error(void);
int counter;
void *count(void *p) { counter++; return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (counter != 2) reach_error();
  return 0;
})");
}

std::set<std::string> names_in(const ir::Program& program) {
  std::set<std::string> result;
  for (const ir::RegId reg : program.function(program.main()).registers)
    result.insert(program.reg(reg).name);
  for (const ir::Global& global : program.globals()) result.insert(global.name);
  return result;
}

void expect_names(const std::vector<NamesMeaning>& legend, const ir::Program& made) {
  const std::set<std::string> known = names_in(made);
  EXPECT_GE(legend.size(), 3U);
  for (const NamesMeaning& entry : legend) {
    std::istringstream names(entry.names);
    for (std::string name; std::getline(names >> std::ws, name, ',');) {
      name = std::regex_replace(name, std::regex("_x"), "_counter");
      name = name.substr(0, name.find('['));
      EXPECT_TRUE(known.contains(name)) << name;
    }
  }
}

TEST(Legend, ExplainsNamesOfLazy) {
  const ir::Program program = counting();
  const Facts facts(program);
  for (const Scheduler scheduler :
       {Scheduler::rounds, Scheduler::statements, Scheduler::next_thread}) {
    LazyOptions options;
    options.scheduler = scheduler;
    const auto check = [&] {
      expect_names(legend(options), sequentialize_lazily(program, facts, options).program);
    };
    check();
    options.rounds = 2;
    options.pc = PcForm::array;
    check();
    options.justified = Switch::off;
    check();
    options.conflicts = Switch::off;
    check();
  }
}

TEST(Legend, ExplainsNamesOfMu) {
  const ir::Program program = counting();
  const Facts facts(program);
  for (const MuVariant variant :
       {MuVariant::explicit_reads, MuVariant::implicit_reads, MuVariant::mixed_reads,
        MuVariant::intra_thread, MuVariant::inter_thread}) {
    MuOptions options;
    options.variant = variant;
    const auto check = [&] {
      expect_names(legend(options), sequentialize_by_unwinding(program, facts, options).program);
    };
    check();
    options.shared_positions = Switch::off;
    check();
    options.positions = 1;
    check();
  }
}

}  // namespace
}  // namespace heddle::sequentialize
