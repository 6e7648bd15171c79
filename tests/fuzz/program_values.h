// What the generator of random programs knows of the values in them, so that
// results of two right programs can be told from a wrong one: their range, the
// grid that they lie on, how far roundings may take them apart. Random numbers
// and literals.
#ifndef TESTS_FUZZ_PROGRAM_VALUES_H_
#define TESTS_FUZZ_PROGRAM_VALUES_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "xla/base/types.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla::fuzz {

// The same numbers for the same seed, on every machine.
class Random {
 public:
  // Streams of neighbouring seeds have nothing in common.
  explicit Random(uint64_t seed) : state_(seed) { state_ = Bits(); }

  uint64_t Bits();
  // 0 to n - 1; 0 for n < 1.
  int64_t Below(int64_t n);
  // low to high.
  int64_t In(int64_t low, int64_t high) { return low + Below(high - low + 1); }
  bool Chance(double probability);
  template <typename T>
  const T& Of(const std::vector<T>& choices) {
    return choices[Below(choices.size())];
  }
  std::vector<int64_t> Permutation(int64_t n);

 private:
  uint64_t state_;
};

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of the elements of an array. Those of predicates count as 0 and 1.
struct Knowledge {
  // No element has a greater magnitude; infinite: there may be NaNs, too.
  double bound = kInfinity;
  // A power of two that divides all; 0: none is known.
  double grain = 0;
  // What two right programs may differ by, absolutely.
  double error = 0;
  // The same in parts of the element; such values are results, not operands.
  double relative = 0;
  // Zeros have the sign that they must have.
  bool signs = true;

  bool exact() const { return error == 0 && relative == 0; }
  bool finite() const { return bound < kInfinity; }
};

// What holds for elements of either.
Knowledge Union(const Knowledge& a, const Knowledge& b);

// Of any value of the type.
Knowledge AnyOf(PrimitiveType type);
bool IsReal(PrimitiveType type);     // a floating-point type
bool IsInteger(PrimitiveType type);  // not PRED
// The distance from 1 to the next number, halved; 0 for integers.
double UnitOf(PrimitiveType type);
// Results of arithmetic stay below.
double LimitOf(PrimitiveType type);

// The result of arithmetic of `roundings` roundings, given what it would be
// without: exact where it fits the type. Not finite: it does not fit.
Knowledge Rounded(PrimitiveType type, Knowledge known, double roundings = 1);

// Multiples of `grain` of at most `bound`.
Literal GridLiteral(const Shape& shape, double bound, double grain,
                    Random& random);
// Anything, special values more often.
Literal WildLiteral(const Shape& shape, Random& random);

// Empty if `actual` is what it may be, else what differs.
std::string Difference(const LiteralSlice& expected, const LiteralSlice& actual,
                       const Knowledge& known);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_VALUES_H_
