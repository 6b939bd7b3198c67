#include "portfolio/interleaving.hpp"

#include <vector>

namespace heddle::portfolio {

using sequentialize::Origin;

std::optional<verdict::Unsafe> to_interleaving(const sequentialize::Sequential& sequential,
                                               const verdict::Unsafe& unsafe) {
  verdict::Unsafe result;
  // Threads are numbered as they start.
  std::vector<verdict::ThreadNumber> numbers(sequential.routines.size(), 0);
  verdict::ThreadNumber next = 1;
  for (const verdict::Step& step : unsafe.trace.steps) {
    const Origin* origin = sequential.origin(step.edge);
    if (origin == nullptr) continue;
    result.trace.steps.push_back({numbers[origin->thread], origin->edge, step.input});
    if (origin->starts) numbers[*origin->starts] = next++;
  }
  const Origin* last = sequential.origin(unsafe.violation.edge);
  if (last == nullptr) return std::nullopt;
  result.violation = unsafe.violation;
  result.violation.thread = numbers[last->thread];
  result.violation.edge = last->edge;
  return result;
}

}  // namespace heddle::portfolio
