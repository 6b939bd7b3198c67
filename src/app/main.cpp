// Runs everything in a thread with a large stack: C can be nested deeply, and so are
// the recursions over it.
#include <pthread.h>

#include <cstdio>
#include <string>
#include <vector>

#include "app/commands.hpp"

namespace {

constexpr std::size_t stack_bytes = std::size_t{128} << 20;  // reserved, not used up

struct Job {
  std::vector<std::string> arguments{};
  heddle::app::ExitCode code = heddle::app::internal_error;
};

void* run(void* job_address) {
  Job& job = *static_cast<Job*>(job_address);
  job.code = heddle::app::run_heddle(job.arguments);
  return nullptr;
}

}  // namespace

int main(int count, char** arguments) {
  Job job;
  job.arguments.assign(arguments + (count > 0 ? 1 : 0), arguments + count);
  pthread_attr_t attributes;
  pthread_t thread{};
  const bool started = pthread_attr_init(&attributes) == 0 &&
                       pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                       pthread_create(&thread, &attributes, run, &job) == 0;
  if (!started)
    run(&job);  // less stack, but the same answer
  else
    pthread_join(thread, nullptr);
  return std::fflush(stdout) == 0 ? job.code : heddle::app::internal_error;
}
