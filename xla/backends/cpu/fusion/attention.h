// Attention: two dots with a fusion between them that works row by row, which
// one kernel computes for a block of rows at a time. And dots alone that read
// the arrays of attention in place.
#ifndef XLA_BACKENDS_CPU_FUSION_ATTENTION_H_
#define XLA_BACKENDS_CPU_FUSION_ATTENTION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla::cpu {

// A condition that a group does not fulfil, in words for people, and where.
struct AttentionRefusal {
  absl::string_view reason;
  const HloInstruction* where = nullptr;
  // The groups' dot and fusion as far as they were found.
  const HloInstruction *first = nullptr, *middle = nullptr;
  // Whether `where` is what should be computed row by row, and is not; and
  // whether others read what it writes.
  bool not_by_rows = false, is_shared = false;
};

// The group of the dot `second` that the kernel can compute; nullopt if there
// is none, with the first condition that failed in `refusal` unless it is null.
// Both dots have at most one batch dimension, which comes first, and sum over
// one dimension; the left operand of `second` over its last. `middle` reads, of
// the first one's result, for each of its b * m rows of n elements that row
// alone. The arrays of the group have strides (FindStrides).
std::optional<AttentionGroup> FindAttention(
    const HloInstruction& second, AttentionRefusal* refusal = nullptr);

// Where the elements of a group's arrays lie, in elements.
struct AttentionStrides {
  // A dimension of the batch, or of rows; rhs and values have no rows.
  struct Dim {
    int64_t size, lhs, rhs, values, out;
  };
  std::vector<Dim> batch, rows;
  // Whether the elements that are added up lie one after the other in lhs
  // and rhs, those that are not in values: rows of lhs [m,k], rhs [n,k] and
  // values [n,p] are contiguous. Of others, columns are.
  bool lhs_by_rows = true, rhs_by_rows = true, values_by_rows = true;
  // From one contiguous row or column to the next; that of lhs by rows is in
  // `rows`.
  int64_t lhs_stride = 0, rhs_stride = 0, values_stride = 0;
};

// Nullopt if the kernel cannot read or write one of the arrays in place.
std::optional<AttentionStrides> FindStrides(const AttentionGroup& group);

// Whether the kernel is faster than both dots and the fusion one after the
// other. What is small or has few rows is not: each dot on its own has better
// ways.
bool IsAttentionProfitable(const AttentionGroup& group);
// Why it is not; empty if it is.
absl::string_view WhyNotProfitable(const AttentionGroup& group);

// The group of a fusion of kind kCustom that contains such a group and nothing
// else, as the pass attention-fusion makes them, with instructions of its
// computation; nullopt for others.
std::optional<AttentionGroup> FusedAttention(const HloInstruction& hlo);

// The arrays that a kernel for `dot` can read in place of its operands; nullopt
// if it is not of the form of attention's dots, or if there are no other
// arrays than its operands.
std::optional<DotInPlaceGroup> FindDotInPlace(const HloInstruction& dot);

// Whether transposing the operands would take a part of the time that counts:
// whether one of them has few rows.
bool IsDotInPlaceProfitable(const DotInPlaceGroup& group);

// The group of a fusion of kind kCustom that contains such a group and nothing
// else, as the pass attention-fusion makes them; nullopt for others.
std::optional<DotInPlaceGroup> FusedDotInPlace(const HloInstruction& hlo);

// Where the elements of such a group's operands lie, in elements. The result is
// [batch..., rows, columns].
struct DotStrides {
  struct Dim {
    int64_t size, lhs, rhs;
  };
  // No stride of the last one is 0.
  std::vector<Dim> batch;
  // Whether the dot's left operand is what is called rhs here.
  bool swapped = false;
  int64_t rows = 1, columns = 1;
  // Whether rows of lhs [rows,k] and rhs [k,columns] are contiguous. Of others,
  // columns are.
  bool lhs_by_rows = true, rhs_by_rows = true;
  int64_t lhs_stride = 0, rhs_stride = 0;
};
std::optional<DotStrides> FindDotStrides(const DotInPlaceGroup& group);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_FUSION_ATTENTION_H_
