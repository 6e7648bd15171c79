// WorkBudget: bounds what a conversion makes from a source. Functions that are
// inlined, attributes and types that ops share, constants that regions copy and
// sizes that are evaluated could otherwise need more memory than there is.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_WORK_BUDGET_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_WORK_BUDGET_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "xla/core/shape.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Counts work in bytes written, or the equivalent in time.
class WorkBudget {
 public:
  // The work of an instruction with its shape.
  static constexpr int64_t kInstruction = 256;
  // The work of visiting a location or a part of one.
  static constexpr int64_t kLocation = 64;
  // The work of a stack frame in the tables of the module.
  static constexpr int64_t kStackFrame = 1024;

  // Makes a budget for a source of that size, which suffices to convert all of
  // its ops, constants and texts once.
  explicit WorkBudget(size_t source_bytes)
      : left_(kAlways + kPerSourceByte * static_cast<int64_t>(source_bytes)) {}

  // Errors: ResourceExhausted if the sum of charges exceeds the budget.
  absl::Status Charge(int64_t work);

 private:
  // The work that any source may cause, and that each byte of it adds.
  static constexpr int64_t kAlways = int64_t{1} << 28;
  static constexpr int64_t kPerSourceByte = 64;

  int64_t left_;
};

// Return the work of instructions of this shape, of all results of an op, and
// of its attributes, without the elements of dense<>.
int64_t WorkOfShape(const Shape& shape);
int64_t WorkOfOp(const Op& op);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_WORK_BUDGET_H_
