// AxisPart: an axis of a mesh, or a part of one, and operations on lists of
// them. The terms are those of the Shardy dialect.
#ifndef XLA_HLO_SHARDING_AXIS_PART_H_
#define XLA_HLO_SHARDING_AXIS_PART_H_

#include <compare>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace xla {

// A whole axis of size n is (pre_size 1, size n). An axis of size n may also be
// read as several of sizes whose product is n, the first one slowest: the
// sub-axis (pre_size p, size s) has p values before it and n / (p * s) behind
// it, so a device with coordinate c has c / (n / (p * s)) % s on it.
struct AxisPart {
  int32_t axis = 0;  // number in the mesh
  int64_t pre_size = 1;
  int64_t size = 1;

  // The product of the sizes up to the end of this part.
  int64_t end() const { return pre_size * size; }

  friend auto operator<=>(const AxisPart&, const AxisPart&) = default;
};

// What splits a dimension: the first axis is the slowest. Lists are normal: no
// axis of size 1, none twice, and no part directly before the part that
// continues it, which are one part.
using AxisList = absl::InlinedVector<AxisPart, 2>;

// Returns the number of devices along the axes.
int64_t SizeOf(absl::Span<const AxisPart> axes);

// Whether the axes have a device coordinate in common.
bool Overlap(const AxisPart& a, const AxisPart& b);
bool Overlap(absl::Span<const AxisPart> list, const AxisPart& axis);
bool Overlap(absl::Span<const AxisPart> a, absl::Span<const AxisPart> b);

// Appends an axis, and joins it with the last one if it continues that.
void Append(const AxisPart& axis, AxisList& list);
void Append(absl::Span<const AxisPart> axes, AxisList& list);

// Whether the devices that agree along `list` agree along `prefix` too, because
// that is how the list begins, possibly with a part of an axis of the list.
bool IsPrefix(absl::Span<const AxisPart> prefix,
              absl::Span<const AxisPart> list);
// Returns the longest list that is a prefix of both.
AxisList CommonPrefix(absl::Span<const AxisPart> a,
                      absl::Span<const AxisPart> b);
// Returns what follows `prefix`, which is a prefix of the list.
AxisList WithoutPrefix(absl::Span<const AxisPart> list,
                       absl::Span<const AxisPart> prefix);
// Returns the longest prefix that does not overlap with `taken`.
AxisList PrefixWithout(absl::Span<const AxisPart> list,
                       absl::Span<const AxisPart> taken);
// Returns the longest prefix whose size divides `size`.
AxisList PrefixThatDivides(absl::Span<const AxisPart> list, int64_t size);
// Returns the parts of the list that do not overlap with `taken`, in order.
AxisList Difference(absl::Span<const AxisPart> list,
                    absl::Span<const AxisPart> taken);

}  // namespace xla

#endif  // XLA_HLO_SHARDING_AXIS_PART_H_
