// WorkBudget: bounds what a conversion makes of a source. Functions that are
// inlined, attributes and types that ops share, constants that regions copy and
// sizes that are evaluated can all ask for more than any memory holds.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_WORK_BUDGET_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_WORK_BUDGET_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "xla/core/shape.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Work is counted in bytes that are written, or in what takes as long.
class WorkBudget {
 public:
  // Of an instruction with its shape.
  static constexpr int64_t kInstruction = 256;

  // For a source of that size, all of whose ops, constants and texts may be
  // converted once.
  explicit WorkBudget(size_t source_bytes)
      : left_(kAlways + kPerSourceByte * static_cast<int64_t>(source_bytes)) {}

  // Errors: ResourceExhausted when more was charged than there is.
  absl::Status Charge(int64_t work);

 private:
  static constexpr int64_t kAlways = int64_t{1} << 28;
  static constexpr int64_t kPerSourceByte = 64;

  int64_t left_;
};

// What instructions of this shape, or of all that an op results in, and its
// attributes cost, without the elements of dense<>.
int64_t WorkOfShape(const Shape& shape);
int64_t WorkOfOp(const Op& op);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_WORK_BUDGET_H_
