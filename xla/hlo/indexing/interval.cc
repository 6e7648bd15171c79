// Arithmetic on intervals.
#include "xla/hlo/indexing/interval.h"

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"

namespace xla {
namespace {

// An end that stands for anything beyond it stays so, whatever is added.
int64_t AddEnds(int64_t a, int64_t b, int64_t beyond) {
  if (a == beyond || b == beyond) return beyond;
  return CheckedAdd(a, b).value_or(a < 0 ? Interval::kLeast : Interval::kMost);
}

int64_t MultiplyEnd(int64_t end, int64_t factor) {
  const bool saturated = end == Interval::kLeast || end == Interval::kMost;
  if (factor == 0) return 0;
  const int64_t beyond =
      (end < 0) == (factor < 0) ? Interval::kMost : Interval::kLeast;
  if (saturated) return beyond;
  return CheckedMultiply(end, factor).value_or(beyond);
}

int64_t DivideEnd(int64_t end, int64_t divisor) {
  if (end == Interval::kLeast || end == Interval::kMost) return end;
  return FloorOfRatio(end, divisor);
}

}  // namespace

Interval operator+(const Interval& a, const Interval& b) {
  return {AddEnds(a.lower, b.lower, Interval::kLeast),
          AddEnds(a.upper, b.upper, Interval::kMost)};
}

Interval operator*(const Interval& a, int64_t factor) {
  if (a.empty()) return a;
  const int64_t x = MultiplyEnd(a.lower, factor);
  const int64_t y = MultiplyEnd(a.upper, factor);
  return {std::min(x, y), std::max(x, y)};
}

Interval FloorDivide(const Interval& a, int64_t divisor) {
  return {DivideEnd(a.lower, divisor), DivideEnd(a.upper, divisor)};
}

std::string ToString(const Interval& interval) {
  return absl::StrCat("[", interval.lower, ", ", interval.upper, "]");
}

}  // namespace xla
