// The ops that apply a computation of scalars (or, for scan, of slices) along
// dimensions or windows: reduce, reduce-window, select-and-scatter, scan, map.
#ifndef XLA_HLO_OPS_REDUCTION_REDUCTION_H_
#define XLA_HLO_OPS_REDUCTION_REDUCTION_H_

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/op_indexing.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

struct ReduceAttrs {
  std::vector<int64_t> dimensions;

  static constexpr auto kFields =
      std::tuple(Field{"dimensions", &ReduceAttrs::dimensions,
                       "the dimensions that disappear", Show::kRequired});
};

struct ReduceWindowAttrs {
  Window window;

  static constexpr auto kFields = std::tuple(
      Field{"window", &ReduceWindowAttrs::window,
            "size, stride, padding and dilations of each dimension"});
};

struct SelectAndScatterAttrs {
  Window window;

  static constexpr auto kFields =
      std::tuple(Field{"window", &SelectAndScatterAttrs::window,
                       "size, stride and padding of each dimension"});
};

struct ScanAttrs {
  std::vector<int64_t> dimensions;
  int64_t num_carries = 0;
  bool is_reverse = false;
  TriState is_associative = TRI_STATE_FALSE;

  static constexpr auto kFields = std::tuple(
      Field{"dimensions", &ScanAttrs::dimensions, "the dimension to step along",
            Show::kRequired},
      Field{"num_carries", &ScanAttrs::num_carries,
            "how many of the last operands and results are carried",
            Show::kRequired},
      Field{"is_reverse", &ScanAttrs::is_reverse, "from the last slice on"},
      Field{"is_associative", &ScanAttrs::is_associative,
            "a hint that the steps may be regrouped", Show::kAlways});
};

struct MapAttrs {
  std::vector<int64_t> dimensions;

  static constexpr auto kFields =
      std::tuple(Field{"dimensions", &MapAttrs::dimensions,
                       "all dimensions, in order", Show::kAlways});
};

// Checks that `reducer` combines an accumulator with a value for each of k =
// inits.size() arrays of element types `types`: 2k scalar parameters, and as
// result a tuple of k scalars, or a scalar for k = 1. Arrays and init values
// may differ from the parameters in floating-point precision, accumulators are
// what the reducer returns, as in XLA. `op` names the op in messages. Errors:
// rules reducer_c1 to reducer_c5. Also for scatter and the collectives.
absl::Status CheckReducer(const ProgramShape& reducer,
                          absl::Span<const Shape* const> inits,
                          absl::Span<const PrimitiveType> types,
                          absl::string_view op);

// k operands of equal dimensions and k scalars -> an array, or a tuple of k,
// without `dimensions`, of the reducer's result types. Errors: rules reduce_c1
// to reduce_c3. Source: section "Reduce".
absl::StatusOr<Shape> InferReduce(const InferArgs& args,
                                  const ReduceAttrs& attrs);

// k operands of equal dimensions and k scalars -> an array, or a tuple of k,
// with one element per window. Errors: rules reduce_window_c1 to c2, window_c*.
// Source: section "ReduceWindow".
absl::StatusOr<Shape> InferReduceWindow(const InferArgs& args,
                                        const ReduceWindowAttrs& attrs);

// operand [..], source with one element per window -> the operand's shape.
// Errors: rules select_and_scatter_c1 to c4, window_c*. Source: section
// "SelectAndScatter".
absl::StatusOr<Shape> InferSelectAndScatter(const InferArgs& args,
                                            const SelectAndScatterAttrs& attrs);

// Inputs with a common size n of dimension d, then the initial carries -> a
// tuple: outputs, whose slices the computation returns first, each with a
// dimension d of size n put in, then the last carries. Where the computation
// returns an array in place of a tuple, so does scan. Errors: rules scan_c1
// to scan_c7.
absl::StatusOr<Shape> InferScan(const InferArgs& args, const ScanAttrs& attrs);
// The factors of a computation that is element-wise: the dimensions of slices
// are passed through, the scanned one is whole.
DimensionFactors ScanFactors(const FactorArgs& args, const ScanAttrs& attrs);

// Operands of equal dimensions -> the same dimensions with the computation's
// result type. Errors: rules map_c1 to map_c5. Source: section "Map".
absl::StatusOr<Shape> InferMap(const InferArgs& args, const MapAttrs& attrs);

// The elements that are reduced, by ranges in the order of dimensions, and the
// init values.
OpIndexing ReduceIndexing(const IndexingArgs& args, const ReduceAttrs& attrs);
std::optional<OpIndexing> ReduceWindowIndexing(const IndexingArgs& args,
                                               const ReduceWindowAttrs& attrs);

// Dimensions whose windows are one element each are passed through.
DimensionFactors SelectAndScatterFactors(const FactorArgs& args,
                                         const SelectAndScatterAttrs& attrs);

inline constexpr OpDef kReduce = {
    .opcode = HloOpcode::kReduce,
    .name = "reduce",
    .operands = {"operands_and_init_values..."},
    .computations = {"to_apply"},
    .attrs = AttrsOf<ReduceAttrs>(),
    .infer = Infer<ReduceAttrs, InferReduce>(),
    .indexing = Indexing<ReduceAttrs, ReduceIndexing>(),
    .reduces = true,
    .cost_class = CostClass::kApplication,
    .summary = "Reduces dimensions with a computation.",
    .section = "Reduce",
};

inline constexpr OpDef kReduceWindow = {
    .opcode = HloOpcode::kReduceWindow,
    .name = "reduce-window",
    .operands = {"operands_and_init_values..."},
    .computations = {"to_apply"},
    .attrs = AttrsOf<ReduceWindowAttrs>(),
    .infer = Infer<ReduceWindowAttrs, InferReduceWindow>(),
    .indexing = Indexing<ReduceWindowAttrs, ReduceWindowIndexing>(),
    .cost_class = CostClass::kApplication,
    .summary = "Reduces each window of an array to one element.",
    .section = "ReduceWindow",
};

inline constexpr OpDef kSelectAndScatter = {
    .opcode = HloOpcode::kSelectAndScatter,
    .name = "select-and-scatter",
    .operands = {"operand", "source", "init_value"},
    .computations = {"select", "scatter"},
    .attrs = AttrsOf<SelectAndScatterAttrs>(),
    .infer = Infer<SelectAndScatterAttrs, InferSelectAndScatter>(),
    .factors = Factors<SelectAndScatterAttrs, SelectAndScatterFactors>(),
    .cost_class = CostClass::kScatteredUpdate,
    .summary =
        "Selects an element of each window and scatters the source "
        "there.",
    .section = "SelectAndScatter",
};

inline constexpr OpDef kScan = {
    .opcode = HloOpcode::kScan,
    .name = "scan",
    .operands = {"inputs_and_inits..."},
    .computations = {"to_apply"},
    .attrs = AttrsOf<ScanAttrs>(),
    .infer = Infer<ScanAttrs, InferScan>(),
    .factors = Factors<ScanAttrs, ScanFactors>(),
    .cost_class = CostClass::kAlgorithm,
    .summary = "Steps along a dimension, carrying values from slice to slice.",
};

inline constexpr OpDef kMap = {
    .opcode = HloOpcode::kMap,
    .name = "map",
    .operands = {"operands..."},
    .computations = {"to_apply"},
    .attrs = AttrsOf<MapAttrs>(),
    .infer = Infer<MapAttrs, InferMap>(),
    .elementwise = true,
    .cost_class = CostClass::kApplication,
    .summary = "Applies a computation of scalars to each element.",
    .section = "Map",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_REDUCTION_REDUCTION_H_
