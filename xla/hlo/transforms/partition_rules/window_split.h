// WindowSplit: one dimension along which windows slide over an operand, when
// the result is split.
#ifndef XLA_HLO_TRANSFORMS_PARTITION_RULES_WINDOW_SPLIT_H_
#define XLA_HLO_TRANSFORMS_PARTITION_RULES_WINDOW_SPLIT_H_

#include <cstdint>
#include <vector>

#include "xla/hlo/transforms/partition_rules/op_rule.h"
#include "xla/hlo/transforms/resharding/window_exchange.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// The sizes of a dimension of an operand and of the result, and how many parts
// each has. The operand has one part, or as many as the result.
struct SplitSizes {
  int64_t operand = 1;
  int64_t operand_parts = 1;
  int64_t result = 1;
  int64_t result_parts = 1;
};

// Positions of an operand with base_dilation - 1 holes after each element,
// which may be before the first and after the last one.
struct DilatedWindows {
  std::vector<int64_t> starts;  // by the devices' coordinates
  int64_t extent = 0;
  std::vector<int64_t> needed;  // the first ones of each, at most `extent`
};

class WindowSplit {
 public:
  // What devices need for their parts of a result with these windows.
  WindowSplit(const WindowDimension& dim, const SplitSizes& sizes);
  // Given windows of an operand of `size` elements in `parts` parts.
  WindowSplit(int64_t size, int64_t parts, int64_t base_dilation,
              const DilatedWindows& windows);

  const WindowExchange& exchange() const { return exchange_; }
  // The elements of the operand that each device gets.
  int64_t size() const { return size_; }
  // Whether Emit needs `fill`.
  bool needs_fill() const;

  // Returns the elements for each device, and changes padding and base dilation
  // of `local` to what they are for its windows. What is not of the operand
  // becomes `fill`, a scalar.
  HloInstruction* Emit(SpmdBuilder& emit, HloInstruction* part,
                       int64_t dimension, const DeviceLine& line,
                       HloInstruction* fill, WindowDimension& local) const;

 private:
  int64_t base_dilation_;
  int64_t extent_;
  // The windows' starts, counted in dilated positions from the first element
  // that a device gets.
  std::vector<int64_t> offsets_;
  bool same_offsets_ = true;
  int64_t size_ = 0;
  WindowExchange exchange_;
};

// The axes of a dimension with these factors.
AxisList AxesOfDimension(const FactorAxes& axes,
                         const DimensionFactors::Dimension& dimension);

// The parts of dimension `d` of operand `i` and of dimension `result_d` of the
// result.
SplitSizes SplitSizesOf(const HloInstruction& hlo,
                        const DimensionFactors& factors, const FactorAxes& axes,
                        int64_t i, int64_t d, int64_t result_d);

// Whether parts of windows are no more than some times the arrays themselves.
bool IsFeasible(const WindowSplit& split, const SplitSizes& sizes);

// The bytes of one element along dimension `d` of a part of operand `i`.
double BytesAlong(const HloInstruction& hlo, const DimensionFactors& factors,
                  const FactorAxes& axes, int64_t i, int64_t d);

// Whether a value of this type is what is left of it after zeros are added, or
// for PRED "or".
bool CanBeSummedExactly(PrimitiveType type);

// Whether an operand or result has no elements, or more along a dimension than
// an s32[] can number.
bool IsEmptyOrHuge(const HloInstruction& hlo);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_PARTITION_RULES_WINDOW_SPLIT_H_
