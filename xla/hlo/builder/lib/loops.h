// While loops that carry a list of values.
#ifndef XLA_HLO_BUILDER_LIB_LOOPS_H_
#define XLA_HLO_BUILDER_LIB_LOOPS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Map the carried values to pred[], and to the values of the next iteration.
// They make ops in the given builder; ops of other builders cannot be used.
typedef std::function<absl::StatusOr<XlaOp>(absl::Span<const XlaOp>,
                                            XlaBuilder*)>
    WhileLoopHelperConditionFunction;
typedef std::function<absl::StatusOr<std::vector<XlaOp>>(
    absl::Span<const XlaOp>, XlaBuilder*)>
    WhileLoopHelperBodyFunction;

// Returns the values after the loop, whose computations are called
// "<name>_condition" and "<name>_body". Errors: those of the functions and of
// While.
absl::StatusOr<std::vector<XlaOp>> WhileLoopHelper(
    const WhileLoopHelperConditionFunction& condition_function,
    const WhileLoopHelperBodyFunction& body_function,
    absl::Span<const XlaOp> initial_values, absl::string_view name,
    XlaBuilder* builder);

// Maps (iteration number, values) to the values of the next iteration.
typedef std::function<absl::StatusOr<std::vector<XlaOp>>(
    XlaOp, absl::Span<const XlaOp>, XlaBuilder*)>
    ForEachIndexBodyFunction;

// Returns the values after `num_iterations` iterations, numbered 0, 1, ... by
// scalars of type `num_iterations_type`.
absl::StatusOr<std::vector<XlaOp>> ForEachIndex(
    int64_t num_iterations, PrimitiveType num_iterations_type,
    const ForEachIndexBodyFunction& body_function,
    absl::Span<const XlaOp> initial_values, absl::string_view name,
    XlaBuilder* builder);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_LOOPS_H_
