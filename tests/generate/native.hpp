// Runs a program as gcc compiles it, again and again. The processor's own opinion:
// what it shows must be among what we say is possible.
#pragma once

#include <filesystem>
#include <string>

namespace heddle::generate {

struct NativeRuns {
  int finished = 0;  // runs that ended by themselves without an error
  int failed = 0;    // runs that called reach_error or failed an assert
  int endless = 0;   // 1 if a run was stopped after two seconds; then no more were tried
};

class Native {
 public:
  // Compiles the stubs into a fresh folder, which goes away with this object. Throws
  // std::runtime_error where gcc is missing or refuses.
  Native();
  ~Native();
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;

  NativeRuns run(const std::string& program, int times);

 private:
  std::filesystem::path folder_;
};

}  // namespace heddle::generate
