// gather and scatter: many slices read from, or combined into, an array at
// positions that are data.
#ifndef XLA_HLO_OPS_MOVEMENT_GATHER_SCATTER_H_
#define XLA_HLO_OPS_MOVEMENT_GATHER_SCATTER_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {

struct GatherAttrs {
  GatherDimensionNumbers dimension_numbers;
  std::vector<int64_t> slice_sizes;
  bool indices_are_sorted = false;
  static constexpr auto kFields = std::tuple(
      Field{"gather_dimension_numbers", &GatherAttrs::dimension_numbers,
            "offset_dims, collapsed_slice_dims, start_index_map, "
            "operand_batching_dims, start_indices_batching_dims, "
            "index_vector_dim",
            Show::kRequired},
      Field{"slice_sizes", &GatherAttrs::slice_sizes,
            "size of the slices in each operand dimension", Show::kRequired,
            "gather_slice_sizes"},
      Field{"indices_are_sorted", &GatherAttrs::indices_are_sorted,
            "a promise that the start indices ascend"});
};

struct ScatterAttrs {
  ScatterDimensionNumbers dimension_numbers;
  bool indices_are_sorted = false;
  bool unique_indices = false;
  static constexpr auto kFields = std::tuple(
      Field{"scatter_dimension_numbers", &ScatterAttrs::dimension_numbers,
            "update_window_dims, inserted_window_dims, "
            "scatter_dims_to_operand_dims, input_batching_dims, "
            "scatter_indices_batching_dims, index_vector_dim",
            Show::kRequired},
      Field{"indices_are_sorted", &ScatterAttrs::indices_are_sorted,
            "a promise that the indices ascend"},
      Field{"unique_indices", &ScatterAttrs::unique_indices,
            "a promise that no element is updated twice"});
};

// The result has the dimensions of `start_indices` without index_vector_dim
// and, at offset_dims, the slice sizes that are neither collapsed nor batching
// dimensions. Errors: gather_c1 to gather_c14. Source: section "Gather".
absl::StatusOr<Shape> InferGather(const InferArgs& args,
                                  const GatherAttrs& attrs);
// Operands N inputs, indices, N updates: the shape of the input, or the tuple
// of those of the inputs. Errors: scatter_c1 to scatter_c16. Source: section
// "Scatter".
absl::StatusOr<Shape> InferScatter(const InferArgs& args,
                                   const ScatterAttrs& attrs);

// The elements' places in the operand; start indices are runtime variables.
OpIndexing GatherIndexing(const IndexingArgs& args, const GatherAttrs& attrs);

// Batching dimensions and whole windows are passed through. The elements that
// are updated are known only at run time, and the order of updates counts.
DimensionFactors ScatterFactors(const FactorArgs& args,
                                const ScatterAttrs& attrs);

inline constexpr OpDef kGather = {
    .opcode = HloOpcode::kGather,
    .name = "gather",
    .operands = {"operand", "start_indices"},
    .attrs = AttrsOf<GatherAttrs>(),
    .infer = Infer<GatherAttrs, InferGather>(),
    .indexing = Indexing<GatherAttrs, GatherIndexing>(),
    .moves = true,
    .cost_class = CostClass::kMovement,
    .summary = "Stitches together slices at positions that are an operand.",
    .section = "Gather",
};

inline constexpr OpDef kScatter = {
    .opcode = HloOpcode::kScatter,
    .name = "scatter",
    .operands = {"operands..."},
    .computations = {"to_apply"},
    .attrs = AttrsOf<ScatterAttrs>(),
    .infer = Infer<ScatterAttrs, InferScatter>(),
    .factors = Factors<ScatterAttrs, ScatterFactors>(),
    .cost_class = CostClass::kScatteredUpdate,
    .summary = "Combines updates into slices at positions that are an operand.",
    .section = "Scatter",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_MOVEMENT_GATHER_SCATTER_H_
