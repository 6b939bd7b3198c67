// Deliberately wrong: base may not see ir. Read only by the test of the include check.
#pragma once

#include "ir/expr.hpp"
