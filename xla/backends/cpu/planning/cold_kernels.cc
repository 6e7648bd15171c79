// Sorts functions by what they take in a run.
#include "xla/backends/cpu/planning/cold_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
double NanosecondsOf(const RunCosts& costs, const KernelRequest& request) {
  // Library thunks call theirs for each row or element.
  if (request.thunk < 0) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const HloInstruction* instruction : request.instructions) {
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

std::vector<bool> FindColdKernels(const RunCosts& costs,
                                  absl::Span<const KernelRequest> requests,
                                  absl::Span<const int64_t> functions) {
  // A kernel that runs another one's function adds to that one's time.
  std::vector<double> nanoseconds(requests.size());
  std::vector<size_t> order;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (functions[i] < 0) order.push_back(i);
    nanoseconds[functions[i] < 0 ? i : functions[i]] +=
        NanosecondsOf(costs, requests[i]);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t x, size_t y) {
    return nanoseconds[x] < nanoseconds[y];
  });
  double rest = kNegligibleShareOfCall * costs.call;
  if (std::isfinite(costs.program)) {
    rest = std::clamp(costs.program * kNegligibleShare, rest, kMostNanoseconds);
  }
  std::vector<bool> cold(requests.size());
  for (const size_t i : order) {
    rest -= nanoseconds[i];
    if (rest < 0) break;
    cold[i] = true;
  }
  return cold;
}

}  // namespace xla::cpu
