// Runs element-wise ops on whole literals or on raw arrays of elements. The
// other files of this folder define what each op does to one element.
#ifndef XLA_HLO_EVALUATOR_ELEMENTWISE_ELEMENTWISE_H_
#define XLA_HLO_EVALUATOR_ELEMENTWISE_ELEMENTWISE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

// Numbers that some kernels need besides their elements.
struct KernelParams {
  int width = 0;  // bits of an element of the first operand
  // The formats to round to and of the operand.
  int exponent_bits = 0, mantissa_bits = 0;
  int source_exponent_bits = 0, source_mantissa_bits = 0;
  bool is_integer = false;
};

// Computes n elements: inputs[i] and output are arrays of the types that an
// ElementwiseKernel names.
using KernelFn = void (*)(const void* const* inputs, void* output, size_t n,
                          const KernelParams& params);

// One element-wise op, resolved for given element types. A value.
class ElementwiseKernel {
 public:
  // An array of elements laid out as in a literal, or one element that is used
  // for all.
  struct Input {
    const void* data = nullptr;
    bool is_scalar = false;
  };

  // Resolves the op of `hlo` (with its attributes, but not its shape) for
  // operands of these element types. Errors: Unimplemented if the op does not
  // take them.
  static absl::StatusOr<ElementwiseKernel> Create(
      const HloInstruction& hlo, PrimitiveType result_type,
      absl::Span<const PrimitiveType> operand_types);

  // Computes n elements; one input per operand. `output` may be the same array
  // as an input whose elements are as wide. Elements are independent: any
  // subrange may be run separately. Thread safe.
  void Run(int64_t n, absl::Span<const Input> inputs, void* output) const;

 private:
  struct Operand {
    PrimitiveType stored;    // the input's elements are read as this type
    PrimitiveType computed;  // the type that the kernel takes
  };

  using Types = absl::Span<const PrimitiveType>;

  // Each selects a kernel for result_stored_, or returns false if the op does
  // not take such operands.
  bool SetConversion(Types types);
  bool SetSelect(Types types);
  bool SetReducePrecision(const HloInstruction& hlo, Types types);
  bool SetStochasticConvert(Types types);
  bool SetArithmetic(const HloInstruction& hlo, Types types);
  bool Set(const HloInstruction& hlo, Types types);

  int operand_count_ = 0;
  std::array<Operand, 3> operands_ = {};
  PrimitiveType result_computed_ = PRIMITIVE_TYPE_INVALID;
  PrimitiveType result_stored_ = PRIMITIVE_TYPE_INVALID;
  KernelFn fn_ = nullptr;  // null: only a conversion
  KernelParams params_;
};

// Returns true for the ops that ElementwiseKernel knows. bitcast-convert, whose
// result may have other dimensions, is not among them.
bool IsBatchableElementwise(HloOpcode opcode);

// Evaluates an op for which IsBatchableElementwise holds, on operands that have
// the instruction's dimensions or a single element.
absl::StatusOr<Literal> EvaluateElementwise(const HloInstruction& hlo,
                                            Operands operands);

// Like the above on arrays of other dimensions: the result is
// result_type[result_dims], and each operand has as many elements, or one that
// is used for all.
absl::StatusOr<Literal> EvaluateElementwise(
    const HloInstruction& hlo, PrimitiveType result_type,
    absl::Span<const int64_t> result_dims, Operands operands);

// Also selects between whole tuples by a scalar predicate.
absl::StatusOr<Value> EvaluateSelect(const HloInstruction& hlo,
                                     std::vector<Value> operands);

absl::StatusOr<Literal> EvaluateBitcastConvert(const HloInstruction& hlo,
                                               Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_ELEMENTWISE_ELEMENTWISE_H_
