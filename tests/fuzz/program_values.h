// What the generator of random programs knows of the values in them, so that a
// wrong result can be told from a correct one: their range, the grid on which
// they lie, and how far roundings may separate them. Also random numbers and
// literals.
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

// Generates the same numbers for the same seed, on every machine.
class Random {
 public:
  // The streams of adjacent seeds are independent.
  explicit Random(uint64_t seed) : state_(seed) { state_ = Bits(); }

  uint64_t Bits();
  // A number from 0 to n - 1; 0 for n < 1.
  int64_t Below(int64_t n);
  // A number from low to high.
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

// What is known of the elements of an array. Predicates count as 0 and 1.
struct Knowledge {
  // The largest magnitude of an element; if infinite, there may be NaNs, too.
  double bound = kInfinity;
  // A power of two that divides all elements; 0 if none is known.
  double grain = 0;
  // The most by which two correct programs may differ, absolutely.
  double error = 0;
  // The same relative to the element; such values are results, not operands.
  double relative = 0;
  // True if zeros have a defined sign.
  bool signs = true;

  bool exact() const { return error == 0 && relative == 0; }
  bool finite() const { return bound < kInfinity; }
};

// What holds for the elements of both arrays.
Knowledge Union(const Knowledge& a, const Knowledge& b);

// What holds for any value of the type.
Knowledge AnyOf(PrimitiveType type);
bool IsReal(PrimitiveType type);     // a floating-point type
bool IsInteger(PrimitiveType type);  // not PRED
// The distance from 1 to the next number, halved; 0 for integers.
double UnitOf(PrimitiveType type);
// Results of arithmetic stay below this.
double LimitOf(PrimitiveType type);

// The result of arithmetic with `roundings` roundings, given the exact result:
// exact if it fits the type. Not finite if it does not fit.
Knowledge Rounded(PrimitiveType type, Knowledge known, double roundings = 1);

// Multiples of `grain` with magnitudes up to `bound`.
Literal GridLiteral(const Shape& shape, double bound, double grain,
                    Random& random);
// Any values, special ones more often.
Literal WildLiteral(const Shape& shape, Random& random);

// Empty if `actual` is within the bounds, else a description of the difference.
std::string Difference(const LiteralSlice& expected, const LiteralSlice& actual,
                       const Knowledge& known);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_VALUES_H_
