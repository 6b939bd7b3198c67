// The model library: what library and synchronisation functions mean, written in
// C under src/frontend/models and embedded into the binary at build time. The
// definition of model_files() is generated into the build tree.
#pragma once

#include <span>
#include <string_view>

namespace heddle::frontend {

struct ModelFile {
  std::string_view name;  // file name without folder, such as "pthread_mutex.c"
  std::string_view text;  // the whole file; the byte after it is '\0'
};

// Ordered by name. Lives as long as the program.
std::span<const ModelFile> model_files();

}  // namespace heddle::frontend
