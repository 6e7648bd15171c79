// The computations of while loops whose carry begins with a count.
#ifndef XLA_HLO_TRANSFORMS_CREATION_COUNTED_LOOP_H_
#define XLA_HLO_TRANSFORMS_CREATION_COUNTED_LOOP_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Adds a computation that has the carry as its parameter, and no root yet.
HloComputation* AddCarryComputation(HloModule* module, absl::string_view name,
                                    const Shape& carry);

// Adds the condition that element 0 of the carry, an integer, is less than
// `limit`. Errors: Unimplemented if `limit` is beyond its type.
absl::StatusOr<HloComputation*> AddCountCondition(HloModule* module,
                                                  absl::string_view name,
                                                  const Shape& carry,
                                                  int64_t limit);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_CREATION_COUNTED_LOOP_H_
