// AttentionMask: which scores of attention are masked out, whatever the data.
#ifndef XLA_BACKENDS_CPU_FUSION_ATTENTION_MASK_H_
#define XLA_BACKENDS_CPU_FUSION_ATTENTION_MASK_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Looks at the selects of a fusion through which alone it reads an operand: an
// element is masked out if its index makes each of them select another value.
// Causal and sliding masks compare iotas, and ranges of indices decide them:
//
//   m = pred[8,512,512] compare(iota over rows, iota over columns), GE
//   u = f32[8,512,512] select(m, scores, low)
class AttentionMask {
 public:
  // `operand` of the fusion has any number of items of `rows` rows, whose
  // elements are the last dimension. The fusion may be in the computation of
  // another one, `caller`. Borrows both.
  AttentionMask(const HloInstruction& fusion, int64_t operand, int64_t rows,
                const HloInstruction* caller = nullptr);

  // Whether anything is ever masked out.
  bool has_selects() const { return !selects_.empty(); }

  // Whether the fusion is a softmax of what one select makes of the operand and
  // of a number so far below others that each element of its rows that is
  // masked out becomes 0, or one part of a row of equal elements. If one such
  // element of a row is 0, the row's others depend on none of them: exp of a
  // difference to the greatest element is 0 or 1, or no f32 is between, and a
  // sum that has a 1 does not change by less than what rounds to 0.
  bool leaves_zeros() const { return WhyNoZeros().empty(); }
  // Why it is not, in words for people; empty if it is.
  absl::string_view WhyNoZeros() const;

  // Returns the range of columns [first, second) outside of which all elements
  // of rows [row, row + rows) of any item are masked out.
  std::pair<int64_t, int64_t> ColumnsRead(int64_t row, int64_t rows) const;

 private:
  // A select that reads an element where its predicate is `wanted`.
  struct MaskSelect {
    const HloInstruction* select;
    bool wanted;
  };

  bool FindSelects(const HloInstruction& value);
  bool IsMaskedOut(int64_t row, int64_t rows, int64_t begin, int64_t end) const;

  std::vector<const HloInstruction*> calls_;
  const Shape& shape_;
  const int64_t rows_, columns_;
  std::vector<MaskSelect> selects_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_FUSION_ATTENTION_MASK_H_
