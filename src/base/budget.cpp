#include "base/budget.hpp"

#include <unistd.h>

#include <cstdio>

namespace heddle::base {

bool Budget::out_of_memory() const {
  if (memory_bytes_ == UINT64_MAX) return false;
  std::FILE* statm = std::fopen("/proc/self/statm", "r");
  if (statm == nullptr) return false;
  unsigned long total_pages = 0, resident_pages = 0;
  const int fields = std::fscanf(statm, "%lu %lu", &total_pages, &resident_pages);
  std::fclose(statm);
  if (fields != 2) return false;
  return resident_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) > memory_bytes_;
}

}  // namespace heddle::base
