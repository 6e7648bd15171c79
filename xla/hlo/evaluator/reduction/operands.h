// Prepares the operands of reduce and reduce-window for their function.
#ifndef XLA_HLO_EVALUATOR_REDUCTION_OPERANDS_H_
#define XLA_HLO_EVALUATOR_REDUCTION_OPERANDS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/reduction/scalar_function.h"

namespace xla {

// A literal, borrowed or, if necessary, converted.
class ConvertedLiteral {
 public:
  // Borrows `literal`.
  static absl::StatusOr<ConvertedLiteral> Make(const Literal& literal,
                                               PrimitiveType type);
  const Literal& get() const { return borrowed_ ? *borrowed_ : owned_; }
  const char* data() const {
    return static_cast<const char*>(get().untyped_data());
  }

 private:
  const Literal* borrowed_ = nullptr;
  Literal owned_;
};

// The k arrays and k accumulators of `function`, which has 2k parameters. Types
// that differ in precision from the parameters' are converted.
struct ReductionOperands {
  std::vector<ConvertedLiteral> arrays;
  // Initialized with the init values.
  std::vector<Literal> accumulators;
};

// `dimensions` are the accumulators'. Errors: Unimplemented if the function's
// accumulators and results differ in precision.
absl::StatusOr<ReductionOperands> MakeReductionOperands(
    const ScalarFunction& function, Operands operands,
    absl::Span<const int64_t> dimensions);

// Returns the accumulators as a value of `shape`, an array or a tuple. `sizes`
// has the sizes of dynamic dimensions, if any.
absl::StatusOr<Literal> FinishReduction(std::vector<Literal> accumulators,
                                        const Shape& shape,
                                        absl::Span<const int64_t> sizes);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_REDUCTION_OPERANDS_H_
