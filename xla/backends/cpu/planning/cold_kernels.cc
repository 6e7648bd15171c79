// Sorts functions by what they take in a run.
#include "xla/backends/cpu/planning/cold_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace xla::cpu {
namespace {

// Code that is not optimised takes a third to a fifth of the time to compile,
// some milliseconds less, and two to five times as long to run. So much of a
// program may run so: this share of it, up to what a thousand runs make up for;
// or half of what a call of a program takes by itself.
constexpr double kNegligibleShare = 0.02;
constexpr double kMostNanoseconds = 200'000;
constexpr double kNegligibleShareOfCall = 0.5;

// Of all runs of the kernel in a run of the program; infinite if not known.
double NanosecondsOf(const RunCosts& costs, const KernelSpec& spec) {
  // Called for each row.
  if (spec.overwritten >= 0) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const HloInstruction* instruction : spec.instructions) {
    auto it = costs.instructions.find(instruction);
    // In the body of a loop or a conditional.
    if (it == costs.instructions.end()) {
      return std::numeric_limits<double>::infinity();
    }
    sum += it->second;
  }
  return sum;
}

}  // namespace

void ChooseColdKernels(const RunCosts& costs,
                       absl::Span<PlannedKernel> kernels) {
  // A kernel that runs another one's function adds to that one's time.
  std::vector<double> nanoseconds(kernels.size());
  std::vector<size_t> order;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const int64_t shared = kernels[i].spec.function_of;
    if (shared < 0) order.push_back(i);
    nanoseconds[shared < 0 ? i : shared] +=
        NanosecondsOf(costs, kernels[i].spec);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
    return nanoseconds[x] < nanoseconds[y];
  });
  double rest = kNegligibleShareOfCall * costs.call;
  if (std::isfinite(costs.program)) {
    rest = std::clamp(costs.program * kNegligibleShare, rest, kMostNanoseconds);
  }
  for (const size_t i : order) {
    rest -= nanoseconds[i];
    if (rest < 0) break;
    kernels[i].spec.is_cold = true;
  }
}

}  // namespace xla::cpu
