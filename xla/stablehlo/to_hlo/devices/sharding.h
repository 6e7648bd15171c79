// What the rules for ops of sdy share with those for other forms of shardings.
// conversion/sharding_annotations.h says what programs of several partitions
// become.
#ifndef XLA_STABLEHLO_TO_HLO_DEVICES_SHARDING_H_
#define XLA_STABLEHLO_TO_HLO_DEVICES_SHARDING_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/sharding_annotations.h"

namespace xla::stablehlo {

// Makes the operands the results.
absl::Status ConvertIdentity(OpConversion& conversion);

// Returns whether a custom_call of this target, of GSPMD's form of shardings,
// is an identity in a program of one partition.
bool IsShardingTarget(absl::string_view target);

// Puts the operand into the group of arrays with that number.
absl::Status AddShardingGroup(int64_t id, OpConversion& conversion);

// Adds a barrier for the directions NONE, FORWARD, BACKWARD or BOTH, 0 to 3.
// Errors: InvalidArgument for other numbers.
absl::Status AddPropagationBarrier(int64_t direction, OpConversion& conversion);

// Converts a manual computation and returns its results, whole. `convert_body`
// adds the ops of `body` for the instructions of its arguments and returns its
// results, which are parts. Errors: those of `convert_body`, EnterManual and
// LeaveManual, and InvalidArgument for another number of operands.
absl::StatusOr<Instructions> ConvertManual(
    const ManualShardings& shardings, const Block& body,
    OpConversion& conversion,
    absl::FunctionRef<absl::StatusOr<Instructions>(const Instructions& parts)>
        convert_body);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_DEVICES_SHARDING_H_
