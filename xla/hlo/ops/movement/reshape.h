// Ops that place the elements of one array in an array of another shape:
// broadcast, reshape, dynamic-reshape, transpose, reverse, bitcast; iota, which
// makes one; and the ops that read and set sizes of dynamic dimensions.
#ifndef XLA_HLO_OPS_MOVEMENT_RESHAPE_H_
#define XLA_HLO_OPS_MOVEMENT_RESHAPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {

struct BroadcastAttrs {
  std::vector<int64_t> dimensions;
  static constexpr auto kFields = std::tuple(
      Field{"dimensions", &BroadcastAttrs::dimensions,
            "result dimension of each operand dimension", Show::kAlways});
};

struct ReshapeAttrs {
  std::optional<int64_t> inferred_dimension;
  static constexpr auto kFields = std::tuple(
      Field{"inferred_dimension", &ReshapeAttrs::inferred_dimension,
            "the result dimension that takes up a change of dynamic sizes",
            Show::kOptional, "dimensions"});
};

struct TransposeAttrs {
  std::vector<int64_t> dimensions;
  static constexpr auto kFields = std::tuple(
      Field{"dimensions", &TransposeAttrs::dimensions,
            "operand dimension of each result dimension", Show::kRequired});
};

struct ReverseAttrs {
  std::vector<int64_t> dimensions;
  static constexpr auto kFields =
      std::tuple(Field{"dimensions", &ReverseAttrs::dimensions,
                       "dimensions to reverse", Show::kRequired});
};

struct IotaAttrs {
  int64_t iota_dimension = 0;
  static constexpr auto kFields =
      std::tuple(Field{"iota_dimension", &IotaAttrs::iota_dimension,
                       "the dimension along which values count up",
                       Show::kRequired, "dimensions"});
};

// The attributes of get-dimension-size and set-dimension-size.
struct DimensionSizeAttrs {
  std::vector<int64_t> dimensions;
  static constexpr auto kFields =
      std::tuple(Field{"dimensions", &DimensionSizeAttrs::dimensions,
                       "the one dimension meant", Show::kRequired});
};

// The declared shape; operand dimension i becomes dimension dimensions[i] of
// the same size. The dimensions need not ascend: {1,0} transposes. Errors:
// broadcast_c1 to broadcast_c6. Source: sections "Broadcast" and
// "BroadcastInDim".
absl::StatusOr<Shape> InferBroadcast(const InferArgs& args,
                                     const BroadcastAttrs& attrs);
// The declared shape, of as many elements; whether it fits an operand of sizes
// that are not known, only a run shows. Errors: reshape_c1 to reshape_c6.
// Source: section "Reshape".
absl::StatusOr<Shape> InferReshape(const InferArgs& args,
                                   const ReshapeAttrs& attrs);
// The shape of `operand` reshaped to `new_sizes`, with the dynamic dimensions
// that follow: what XlaBuilder declares. Where a dynamic dimension could become
// any of several, it becomes `inferred_dimension` if that is one of them, and
// is left out otherwise. Errors: reshape_c1, reshape_c3; Unimplemented where a
// dynamic dimension is both split and combined.
absl::StatusOr<Shape> ReshapedShape(const Shape& operand,
                                    absl::Span<const int64_t> new_sizes,
                                    int64_t inferred_dimension = -1);

// One group of a reshape: dimensions [from, from_end) of the operand become
// [to, to_end) of the result; the products of their bounds are equal.
struct ReshapeGroup {
  size_t from, from_end, to, to_end;
};

// The finest groups; trailing dimensions of size 1 go to the last one. An array
// without elements is one group. Both must have as many elements.
std::vector<ReshapeGroup> ReshapeGroups(absl::Span<const int64_t> from,
                                        absl::Span<const int64_t> to);

// Returns along which dimensions of `to` a reshape of a broadcast is a
// broadcast of the operand, reshaped to the sizes of these. The first broadcast
// is along `dimensions` of `from`. Nullopt if these do not ascend, or the
// reshape joins them with repeated ones.
std::optional<std::vector<int64_t>> ReshapedBroadcast(
    absl::Span<const int64_t> from, absl::Span<const int64_t> dimensions,
    absl::Span<const int64_t> to);

// The declared shape; operands 1 to n are its n sizes at run time. Errors:
// dynamic_reshape_c1 to dynamic_reshape_c4. Source: section "Reshape".
absl::StatusOr<Shape> InferDynamicReshape(const InferArgs& args);
// Result dimension i is operand dimension dimensions[i]. Errors: transpose_c1,
// transpose_c2. Source: section "Transpose".
absl::StatusOr<Shape> InferTranspose(const InferArgs& args,
                                     const TransposeAttrs& attrs);
// The operand's shape. Errors: reverse_c1, reverse_c2. Source: section "Rev".
absl::StatusOr<Shape> InferReverse(const InferArgs& args,
                                   const ReverseAttrs& attrs);
// The declared shape, of as many bits. Errors: bitcast_c1 to bitcast_c3.
absl::StatusOr<Shape> InferBitcast(const InferArgs& args);
// The declared shape. Errors: iota_c1 to iota_c3. Source: section "Iota".
absl::StatusOr<Shape> InferIota(const InferArgs& args, const IotaAttrs& attrs);
// s32[]. Errors: get_dimension_size_c1 to get_dimension_size_c4. Source:
// section "GetDimensionSize".
absl::StatusOr<Shape> InferGetDimensionSize(const InferArgs& args,
                                            const DimensionSizeAttrs& attrs);
// The operand's shape with that dimension dynamic. Errors:
// set_dimension_size_c1 to set_dimension_size_c4. Source: section
// "SetDimensionSize".
absl::StatusOr<Shape> InferSetDimensionSize(const InferArgs& args,
                                            const DimensionSizeAttrs& attrs);

// The elements' places in the operand. Of a bitcast only between row-major
// layouts and equal element types.
OpIndexing BroadcastIndexing(const IndexingArgs& args,
                             const BroadcastAttrs& attrs);
OpIndexing ReshapeIndexing(const IndexingArgs& args);
std::optional<OpIndexing> BitcastIndexing(const IndexingArgs& args);
OpIndexing TransposeIndexing(const IndexingArgs& args,
                             const TransposeAttrs& attrs);
OpIndexing ReverseIndexing(const IndexingArgs& args, const ReverseAttrs& attrs);

// Goes through both shapes from the major end. As long as both have come
// equally far, the greatest common divisor of what is left of their dimensions
// is a factor of both: [20,3] to [6,10] has ([ij, k])->([il, m]) of 2, 10, 3,
// 3, 10. Where there is none, the dimensions are whole until both have come
// equally far again. Source: Shardy's sharding rule of reshape.
DimensionFactors ReshapeFactors(const FactorArgs& args,
                                const ReshapeAttrs& attrs);
// Elements depend on where they are in the iota dimension.
DimensionFactors IotaFactors(const FactorArgs& args, const IotaAttrs& attrs);

inline constexpr OpDef kBroadcast = {
    .opcode = HloOpcode::kBroadcast,
    .name = "broadcast",
    .operands = {"operand"},
    .attrs = AttrsOf<BroadcastAttrs>(),
    .infer = Infer<BroadcastAttrs, InferBroadcast>(),
    .declares_shape = true,
    .indexing = Indexing<BroadcastAttrs, BroadcastIndexing>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "Repeats an array along new dimensions.",
    .section = "BroadcastInDim",
};

inline constexpr OpDef kReshape = {
    .opcode = HloOpcode::kReshape,
    .name = "reshape",
    .operands = {"operand"},
    .attrs = AttrsOf<ReshapeAttrs>(),
    .infer = Infer<ReshapeAttrs, InferReshape>(),
    .declares_shape = true,
    .indexing = Indexing<NoAttrs, ReshapeIndexing>(),
    .factors = Factors<ReshapeAttrs, ReshapeFactors>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "The elements in the same row-major order, in other dimensions.",
    .section = "Reshape",
};

inline constexpr OpDef kDynamicReshape = {
    .opcode = HloOpcode::kDynamicReshape,
    .name = "dynamic-reshape",
    .operands = {"operand", "dim_sizes..."},
    .infer = Infer<NoAttrs, InferDynamicReshape>(),
    .declares_shape = true,
    .cost_class = CostClass::kMovement,
    .summary = "Reshape to dimensions whose sizes are operands.",
    .section = "Reshape",
};

inline constexpr OpDef kTranspose = {
    .opcode = HloOpcode::kTranspose,
    .name = "transpose",
    .operands = {"operand"},
    .attrs = AttrsOf<TransposeAttrs>(),
    .infer = Infer<TransposeAttrs, InferTranspose>(),
    .indexing = Indexing<TransposeAttrs, TransposeIndexing>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "Permutes the dimensions.",
    .section = "Transpose",
};

inline constexpr OpDef kReverse = {
    .opcode = HloOpcode::kReverse,
    .name = "reverse",
    .operands = {"operand"},
    .attrs = AttrsOf<ReverseAttrs>(),
    .infer = Infer<ReverseAttrs, InferReverse>(),
    .indexing = Indexing<ReverseAttrs, ReverseIndexing>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "Reverses the order of elements along some dimensions.",
    .section = "Rev",
};

inline constexpr OpDef kBitcast = {
    .opcode = HloOpcode::kBitcast,
    .name = "bitcast",
    .operands = {"operand"},
    .infer = Infer<NoAttrs, InferBitcast>(),
    .declares_shape = true,
    .indexing = Indexing<NoAttrs, BitcastIndexing>(),
    .moves = true,
    .cost_class = CostClass::kNone,
    .summary = "The same bytes in memory, read as another shape and layout.",
};

inline constexpr OpDef kIota = {
    .opcode = HloOpcode::kIota,
    .name = "iota",
    .attrs = AttrsOf<IotaAttrs>(),
    .infer = Infer<IotaAttrs, InferIota>(),
    .declares_shape = true,
    .factors = Factors<IotaAttrs, IotaFactors>(),
    .cost_class = CostClass::kMovement,
    .summary = "Counts 0, 1, 2, ... along one dimension.",
    .section = "Iota",
};

inline constexpr OpDef kGetDimensionSize = {
    .opcode = HloOpcode::kGetDimensionSize,
    .name = "get-dimension-size",
    .operands = {"operand"},
    .attrs = AttrsOf<DimensionSizeAttrs>(),
    .infer = Infer<DimensionSizeAttrs, InferGetDimensionSize>(),
    .cost_class = CostClass::kMovement,
    .summary = "The size of one dimension at run time.",
    .section = "GetDimensionSize",
};

inline constexpr OpDef kSetDimensionSize = {
    .opcode = HloOpcode::kSetDimensionSize,
    .name = "set-dimension-size",
    .operands = {"operand", "size"},
    .attrs = AttrsOf<DimensionSizeAttrs>(),
    .infer = Infer<DimensionSizeAttrs, InferSetDimensionSize>(),
    .cost_class = CostClass::kMovement,
    .summary = "Sets the size of one dimension at run time.",
    .section = "SetDimensionSize",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_MOVEMENT_RESHAPE_H_
