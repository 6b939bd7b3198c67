// How a report names synchronisation operations.
#pragma once

#include <string>
#include <string_view>

#include "ir/sync_op.hpp"

namespace heddle::report {

enum class LockEffect { none, takes, gives_back };

struct SyncWords {
  std::string_view done{};     // "locks": said of the object when the call has returned
  std::string_view waiting{};  // "waits for": said when the call has not
  LockEffect lock = LockEffect::none;
};

SyncWords words_for(ir::SyncOp op);

}  // namespace heddle::report
