// Interval: the integers from one number to another, with the arithmetic of
// bounds that range analysis needs.
#ifndef XLA_HLO_INDEXING_INTERVAL_H_
#define XLA_HLO_INDEXING_INTERVAL_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace xla {

// Both ends belong to it; it is empty if upper < lower. The ends of sums and
// products saturate: INT64_MIN and INT64_MAX stand for anything beyond, too.
struct Interval {
  static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

  int64_t lower = kLeast;
  int64_t upper = kMost;

  // Returns [0, size - 1], the indices of a dimension.
  static constexpr Interval Below(int64_t size) { return {0, size - 1}; }
  static constexpr Interval Point(int64_t value) { return {value, value}; }

  bool empty() const { return upper < lower; }
  bool is_point() const { return lower == upper; }
  bool Contains(int64_t value) const {
    return lower <= value && value <= upper;
  }
  bool Contains(const Interval& other) const {
    return other.empty() || (lower <= other.lower && other.upper <= upper);
  }
  Interval Intersect(const Interval& other) const {
    return {std::max(lower, other.lower), std::min(upper, other.upper)};
  }
  // True if one of the ends stands for anything beyond it.
  bool saturated() const { return lower == kLeast || upper == kMost; }

  friend bool operator==(const Interval&, const Interval&) = default;
};

// Return the intervals of all sums, of products by `factor`, and of floor
// quotients by `divisor` >= 1.
Interval operator+(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, int64_t factor);
Interval FloorDivide(const Interval& a, int64_t divisor);

// Returns "[0, 7]".
std::string ToString(const Interval& interval);

}  // namespace xla

#endif  // XLA_HLO_INDEXING_INTERVAL_H_
