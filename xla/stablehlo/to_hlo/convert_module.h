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
// The module of a program of several partitions has use_spmd_partitioning. Its
// arrays have the sizes that they have in the program, and its instructions the
// shardings that the program states (conversion/sharding_annotations.h), from
// which sharding propagation and the partitioner make the program of one
// device. Errors: InvalidArgument or Unimplemented, with the op's name and
// place.
absl::StatusOr<std::unique_ptr<HloModule>> ConvertToHlo(const Module& module);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERT_MODULE_H_
