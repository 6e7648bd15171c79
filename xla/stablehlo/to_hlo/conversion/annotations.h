// Converts discardable attributes of StableHLO ops that HLO instructions have
// too.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_ANNOTATIONS_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_ANNOTATIONS_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Gives the instruction the op's mhlo.sharding and mhlo.frontend_attributes.
// Skips unreadable shardings, since one partition has no use for them, and
// leaves those of programs of several to sharding_annotations.h.
void AnnotateInstruction(const Op& op, HloInstruction& instruction);

// Reads a dictionary of strings, without those that only say how to read the
// program (IsRoundTripAttribute).
FrontendAttributes ReadFrontendAttributes(const Attribute& dictionary);

// Parses "{devices=[2,1]<=[2]}", or an OpSharding in bytes: XLA writes both.
absl::StatusOr<OpSharding> ParseShardingAttribute(absl::string_view text);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_ANNOTATIONS_H_
