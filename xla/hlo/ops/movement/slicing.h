// Ops that take slices out of arrays or put arrays together: concatenate, pad,
// slice, dynamic-slice, dynamic-update-slice.
#ifndef XLA_HLO_OPS_MOVEMENT_SLICING_H_
#define XLA_HLO_OPS_MOVEMENT_SLICING_H_

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {

struct ConcatenateAttrs {
  std::vector<int64_t> dimensions;
  static constexpr auto kFields = std::tuple(Field{
      "dimensions", &ConcatenateAttrs::dimensions,
      "the one dimension along which operands are joined", Show::kRequired});
};

struct PadAttrs {
  PaddingConfig padding;
  static constexpr auto kFields = std::tuple(Field{
      "padding", &PadAttrs::padding, "low_high[_interior] of each dimension",
      Show::kRequired, "padding_config"});
};

struct SliceAttrs {
  std::vector<SliceRange> slice;
  static constexpr auto kFields =
      std::tuple(Field{"slice", &SliceAttrs::slice,
                       "[start:limit:stride] of each "
                       "dimension",
                       Show::kRequired, "slice_dimensions"});
};

struct DynamicSliceAttrs {
  std::vector<int64_t> dynamic_slice_sizes;
  static constexpr auto kFields = std::tuple(
      Field{"dynamic_slice_sizes", &DynamicSliceAttrs::dynamic_slice_sizes,
            "size of the slice in each dimension", Show::kRequired});
};

// [.., a, ..], [.., b, ..], ... -> [.., a+b+.., ..]. Errors: concatenate_c1 to
// concatenate_c6. Source: section "Concatenate".
absl::StatusOr<Shape> InferConcatenate(const InferArgs& args,
                                       const ConcatenateAttrs& attrs);
// [n] -> [low + n + (n-1)*interior + high]. Errors: pad_c1 to pad_c6. Source:
// section "Pad".
absl::StatusOr<Shape> InferPad(const InferArgs& args, const PadAttrs& attrs);
// [n] -> [ceil((limit-start)/stride)]. Errors: slice_c1 to slice_c4. Source:
// section "Slice".
absl::StatusOr<Shape> InferSlice(const InferArgs& args,
                                 const SliceAttrs& attrs);
// The slice sizes. The start indices are one scalar per dimension or, the older
// form, one vector. Errors: dynamic_slice_c1 to dynamic_slice_c6. Source:
// section "DynamicSlice".
absl::StatusOr<Shape> InferDynamicSlice(const InferArgs& args,
                                        const DynamicSliceAttrs& attrs);
// The operand's shape; start indices as for dynamic-slice. Errors:
// dynamic_update_slice_c1 to dynamic_update_slice_c6. Source: section
// "DynamicUpdateSlice".
absl::StatusOr<Shape> InferDynamicUpdateSlice(const InferArgs& args);

// The elements' places in the operand that they are from.
OpIndexing ConcatenateIndexing(const IndexingArgs& args,
                               const ConcatenateAttrs& attrs);
std::optional<OpIndexing> PadIndexing(const IndexingArgs& args,
                                      const PadAttrs& attrs);
std::optional<OpIndexing> SliceIndexing(const IndexingArgs& args,
                                        const SliceAttrs& attrs);
OpIndexing DynamicSliceIndexing(const IndexingArgs& args);
OpIndexing DynamicUpdateSliceIndexing(const IndexingArgs& args);

inline constexpr OpDef kConcatenate = {
    .opcode = HloOpcode::kConcatenate,
    .name = "concatenate",
    .operands = {"operands..."},
    .attrs = AttrsOf<ConcatenateAttrs>(),
    .infer = Infer<ConcatenateAttrs, InferConcatenate>(),
    .indexing = Indexing<ConcatenateAttrs, ConcatenateIndexing>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "Joins arrays along one dimension.",
    .section = "Concatenate",
};

inline constexpr OpDef kPad = {
    .opcode = HloOpcode::kPad,
    .name = "pad",
    .operands = {"operand", "padding_value"},
    .attrs = AttrsOf<PadAttrs>(),
    .infer = Infer<PadAttrs, InferPad>(),
    .indexing = Indexing<PadAttrs, PadIndexing>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "Adds elements before, after and between those of a dimension.",
    .section = "Pad",
};

inline constexpr OpDef kSlice = {
    .opcode = HloOpcode::kSlice,
    .name = "slice",
    .operands = {"operand"},
    .attrs = AttrsOf<SliceAttrs>(),
    .infer = Infer<SliceAttrs, InferSlice>(),
    .indexing = Indexing<SliceAttrs, SliceIndexing>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "The elements at every stride-th index of a box.",
    .section = "Slice",
};

inline constexpr OpDef kDynamicSlice = {
    .opcode = HloOpcode::kDynamicSlice,
    .name = "dynamic-slice",
    .operands = {"operand", "start_indices..."},
    .attrs = AttrsOf<DynamicSliceAttrs>(),
    .infer = Infer<DynamicSliceAttrs, InferDynamicSlice>(),
    .indexing = Indexing<NoAttrs, DynamicSliceIndexing>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "A box of fixed size whose position is an operand.",
    .section = "DynamicSlice",
};

inline constexpr OpDef kDynamicUpdateSlice = {
    .opcode = HloOpcode::kDynamicUpdateSlice,
    .name = "dynamic-update-slice",
    .operands = {"operand", "update", "start_indices..."},
    .infer = Infer<NoAttrs, InferDynamicUpdateSlice>(),
    .indexing = Indexing<NoAttrs, DynamicUpdateSliceIndexing>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "The operand with a box replaced, whose position is an operand.",
    .section = "DynamicUpdateSlice",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_MOVEMENT_SLICING_H_
