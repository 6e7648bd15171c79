// FfiBuffers: the memory of one typed custom call: operands in the layouts that
// the target requires, buffers that it writes, and the value made from these.
#ifndef XLA_BACKENDS_EVALUATOR_FFI_BUFFERS_H_
#define XLA_BACKENDS_EVALUATOR_FFI_BUFFERS_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/runtime/ffi/call.h"

namespace xla {

// The operands and results of a custom call, flattened: the leaves of tuples
// are in order. Built once per call site.
struct FfiLayout {
  std::vector<Shape> operands;  // in the layouts that the target requires
  std::vector<Shape> results;
  std::vector<int> alias_of_result;  // the operand's number, or -1
  Shape result_shape;

  // Errors: Unimplemented for dynamic dimensions; InvalidArgument for aliases
  // that do not fit.
  static absl::StatusOr<FfiLayout> Create(const HloInstruction& hlo);
  static std::vector<ffi::BufferType> BufferTypes(
      absl::Span<const Shape> shapes);
};

// The memory of one call. Operands whose layout differs from the evaluator's
// are copied; elements below 8 bits, which the evaluator keeps in bytes, are
// packed. A result that aliases an operand contains it before the call; if
// their layouts agree, the operand's pointer is the result's.
class FfiBuffers {
 public:
  // Both must outlive the buffers. Errors: ResourceExhausted.
  static absl::StatusOr<FfiBuffers> Create(const FfiLayout& layout,
                                           absl::Span<const Value> operands);

  absl::Span<void* const> arguments() const { return arguments_; }
  absl::Span<void* const> results() const { return results_; }

  // Returns the result; call it after the custom call.
  absl::StatusOr<Value> TakeResult() &&;

 private:
  absl::Status AddResult(int index);
  absl::Status AddArgument(int index);
  Value ResultOf(const Shape& shape, size_t& next);

  const FfiLayout* layout_ = nullptr;
  std::vector<const Literal*> operands_;
  std::vector<Literal> result_literals_;
  std::deque<Literal> copies_;            // operands in another layout
  std::deque<std::vector<char>> packed_;  // small elements
  std::vector<void*> arguments_;
  std::vector<void*> results_;
};

}  // namespace xla

#endif  // XLA_BACKENDS_EVALUATOR_FFI_BUFFERS_H_
