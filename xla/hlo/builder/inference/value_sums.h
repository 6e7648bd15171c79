// ValueSums: integers as sums of unknown numbers, such as b - a + a, which is b
// whatever a is.
#ifndef XLA_HLO_BUILDER_INFERENCE_VALUE_SUMS_H_
#define XLA_HLO_BUILDER_INFERENCE_VALUE_SUMS_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/int128.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/inference/known_value.h"
#include "xla/hlo/builder/inference/value_bounds.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Sums have numbers, from 1; KnownElement::sum holds them. A sum of elements of
// n bits is right modulo 2^n, so intermediate results may wrap around.
class ValueSums {
 public:
  // Returns the sum of a new unknown number alone, which is within `bounds`.
  int32_t AddUnknown(std::optional<ValueBounds> bounds);
  // Returns the sum that is the result, of type `type`, of `opcode` applied to
  // elements of `operand_type`; 0 if it is none, or has too many terms. A
  // constant element needs no sum.
  int32_t Apply(HloOpcode opcode, PrimitiveType type,
                PrimitiveType operand_type,
                absl::Span<const KnownElement> operands);
  // Returns the bounds of an element of `type` with that sum. Returns nullopt
  // if it may be any number. Both bounds are the same if it has no terms.
  std::optional<ValueBounds> BoundsOf(int32_t sum, PrimitiveType type) const;
  // Returns true if the sum has no unknown numbers.
  bool IsConstant(int32_t sum) const { return sums_[sum - 1].terms.empty(); }

 private:
  struct Sum {
    // Unknown numbers in ascending order, with their factors.
    absl::InlinedVector<std::pair<int32_t, absl::int128>, 2> terms;
    absl::int128 constant = 0;
  };

  std::optional<Sum> SumOf(const KnownElement& element) const;
  // Returns the bounds, before any number is reduced modulo 2^n.
  std::optional<ValueBounds> RawBounds(const Sum& sum) const;
  // Returns `a` + `factor` * `b`.
  static Sum Plus(const Sum& a, absl::int128 factor, const Sum& b);
  static std::optional<Sum> Times(const Sum& a, const Sum& b);
  // Returns nullopt if the sum may wrap around in `from`, or `to` may lack some
  // of its values.
  std::optional<Sum> Converted(Sum sum, PrimitiveType from,
                               PrimitiveType to) const;

  std::vector<std::optional<ValueBounds>> unknowns_;
  std::vector<Sum> sums_;
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_VALUE_SUMS_H_
