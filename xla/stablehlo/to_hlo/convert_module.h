// ConvertToHlo: converts a tree of StableHLO ops to an HloModule.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERT_MODULE_H_
#define XLA_STABLEHLO_TO_HLO_CONVERT_MODULE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// The function "main", or the only public one, becomes the entry; a single
// result is the root, several become a tuple. Functions whose types are static
// become computations; other functions are inlined, so that sizes follow from
// the caller.
//
// A program of several partitions is divided here (conversion/placement.h), or,
// if `global_shapes` is set, left to sharding propagation and the partitioner:
// then the module has use_spmd_partitioning, its arrays have the sizes that
// they have in the program, and instructions have the shardings that it states
// (conversion/global_sharding.h). Errors: InvalidArgument or Unimplemented,
// with the op's name and place.
absl::StatusOr<std::unique_ptr<HloModule>> ConvertToHlo(
    const Module& module, bool global_shapes = true);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERT_MODULE_H_
