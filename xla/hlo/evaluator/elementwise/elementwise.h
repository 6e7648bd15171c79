// Runs the element-wise ops, on whole literals or on raw arrays of elements.
// What each op does to one element is in elementwise/.
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

// Numbers that some kernels need beside their elements.
struct KernelParams {
  int width = 0;  // bits of an element of the first operand
  // The format to round to, and that of the operand.
  int exponent_bits = 0, mantissa_bits = 0;
  int source_exponent_bits = 0, source_mantissa_bits = 0;
  bool is_integer = false;
};

// Computes n elements: inputs[i] and output are arrays in the types that an
// ElementwiseKernel names.
using KernelFn = void (*)(const void* const* inputs, void* output, size_t n,
                          const KernelParams& params);

// One element-wise op made ready for given element types. A value.
class ElementwiseKernel {
 public:
  // An array of elements laid out as in a literal, or one element that stands
  // for all.
  struct Input {
    const void* data = nullptr;
    bool is_scalar = false;
  };

  // Resolves the op that `hlo` is (its attributes count, its shape does not)
  // for operands of these element types. Errors: Unimplemented where the op
  // does not take them.
  static absl::StatusOr<ElementwiseKernel> Create(
      const HloInstruction& hlo, PrimitiveType result_type,
      absl::Span<const PrimitiveType> operand_types);

  // Computes n elements; one input per operand. `output` may be the same array
  // as an input whose elements are as wide. Elements are unrelated: any
  // sub-range may be run apart. Thread safe.
  void Run(int64_t n, absl::Span<const Input> inputs, void* output) const;

 private:
  struct Operand {
    PrimitiveType stored;    // what the input holds, read as this type
    PrimitiveType computed;  // what the kernel takes
  };

  using Types = absl::Span<const PrimitiveType>;

  // Each fills in a kernel for result_stored_; false where the op does not
  // take such operands.
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
  KernelFn fn_ = nullptr;  // null: a conversion alone
  KernelParams params_;
};

// True for the ops that ElementwiseKernel knows. Not bitcast-convert, whose
// result may have other dimensions.
bool IsBatchableElementwise(HloOpcode opcode);

// An op for which IsBatchableElementwise holds, over operands that have either
// the instruction's dimensions or one element.
absl::StatusOr<Literal> EvaluateElementwise(const HloInstruction& hlo,
                                            Operands operands);

// The same over arrays of other dimensions: result_type[result_dims], each
// operand of as many elements, or of one that stands for all.
absl::StatusOr<Literal> EvaluateElementwise(
    const HloInstruction& hlo, PrimitiveType result_type,
    absl::Span<const int64_t> result_dims, Operands operands);

// Of tuples too, which a scalar predicate selects whole.
absl::StatusOr<Value> EvaluateSelect(const HloInstruction& hlo,
                                     std::vector<Value> operands);

absl::StatusOr<Literal> EvaluateBitcastConvert(const HloInstruction& hlo,
                                               Operands operands);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_ELEMENTWISE_ELEMENTWISE_H_
