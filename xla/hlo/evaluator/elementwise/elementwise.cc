// Kernels as loops over chunks: convert operands, compute, convert back.
#include "xla/hlo/evaluator/elementwise/elementwise.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// The elements computed at once: few enough that their conversions, at most 16
// KiB per operand, stay in the first caches.
constexpr int64_t kChunk = 1024;
constexpr int kMaxElementBytes = 16;

// Fills `out` with n copies of `one`.
void Repeat(const void* one, int bytes, int64_t n, void* out) {
  char* target = static_cast<char*>(out);
  for (int64_t i = 0; i < n; ++i) std::memcpy(target + i * bytes, one, bytes);
}

// Computes all elements of `result`.
absl::Status RunInto(const HloInstruction& hlo, Operands operands,
                     Literal& result) {
  const int64_t n = result.element_count();
  std::vector<PrimitiveType> types;
  std::vector<ElementwiseKernel::Input> inputs;
  for (const Literal* operand : operands) {
    const int64_t count = operand->element_count();
    if (count != n && count != 1) {
      return Internal("%s: an operand of %d elements for a result of %d",
                      hlo.name(), count, n);
    }
    types.push_back(operand->shape().element_type());
    inputs.push_back({operand->untyped_data(), count != n});
  }
  TF_ASSIGN_OR_RETURN(
      ElementwiseKernel kernel,
      ElementwiseKernel::Create(hlo, result.shape().element_type(), types));
  kernel.Run(n, inputs, result.untyped_data());
  return absl::OkStatus();
}

}  // namespace

bool IsBatchableElementwise(HloOpcode opcode) {
  return GetOpDef(opcode).elementwise;
}

void ElementwiseKernel::Run(int64_t n, absl::Span<const Input> inputs,
                            void* output) const {
  alignas(16) char buffers[4][kChunk * kMaxElementBytes];
  const bool convert_result = result_computed_ != result_stored_;
  const int result_bytes = primitive_util::ByteWidth(result_stored_);
  for (int64_t start = 0; start < n; start += kChunk) {
    const int64_t count = std::min(kChunk, n - start);
    const void* chunks[3] = {};
    for (int i = 0; i < operand_count_; ++i) {
      const auto [stored, computed] = operands_[i];
      const char* data = static_cast<const char*>(inputs[i].data);
      if (inputs[i].is_scalar) {
        chunks[i] = buffers[i];
        // The first chunk is the longest, so its copies serve all others.
        if (start != 0) continue;
        char one[kMaxElementBytes];
        ConvertElements(stored, data, computed, one, 1);
        Repeat(one, primitive_util::ByteWidth(computed), count, buffers[i]);
        continue;
      }
      data += start * primitive_util::ByteWidth(stored);
      if (stored == computed) {
        chunks[i] = data;
      } else {
        ConvertElements(stored, data, computed, buffers[i], count);
        chunks[i] = buffers[i];
      }
    }
    char* out = static_cast<char*>(output) + start * result_bytes;
    void* computed_out = convert_result ? buffers[3] : out;
    if (fn_ != nullptr) {
      fn_(chunks, computed_out, count, params_);
    } else if (chunks[0] != computed_out) {
      std::memmove(computed_out, chunks[0],
                   count * primitive_util::ByteWidth(result_computed_));
    }
    if (convert_result) {
      ConvertElements(result_computed_, computed_out, result_stored_, out,
                      count);
    }
  }
}

absl::StatusOr<Literal> EvaluateElementwise(
    const HloInstruction& hlo, PrimitiveType result_type,
    absl::Span<const int64_t> result_dims, Operands operands) {
  TF_ASSIGN_OR_RETURN(Shape shape,
                      ShapeUtil::MakeValidatedShape(result_type, result_dims));
  TF_ASSIGN_OR_RETURN(Literal result, Literal::Make(shape));
  TF_RETURN_IF_ERROR(RunInto(hlo, operands, result));
  return result;
}

absl::StatusOr<Literal> EvaluateElementwise(const HloInstruction& hlo,
                                            Operands operands) {
  const Shape& shape = hlo.shape();
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(shape));
  if (shape.is_static()) {
    TF_RETURN_IF_ERROR(RunInto(hlo, operands, result));
    return result;
  }
  TF_ASSIGN_OR_RETURN(const AlignedOperands aligned,
                      AlignOperands(shape, operands));
  TF_RETURN_IF_ERROR(RunInto(hlo, aligned.arrays, result));
  SetCurrentSizes(result, aligned.sizes);
  return result;
}

absl::StatusOr<Value> EvaluateSelect(const HloInstruction& hlo,
                                     std::vector<Value> operands) {
  if (operands[1].is_tuple()) {
    const bool pred = operands[0].array().GetFirstElement<bool>();
    return std::move(operands[pred ? 1 : 2]);
  }
  const Literal* arrays[] = {&operands[0].array(), &operands[1].array(),
                             &operands[2].array()};
  TF_ASSIGN_OR_RETURN(Literal result, EvaluateElementwise(hlo, arrays));
  return Value(std::move(result));
}

absl::StatusOr<Literal> EvaluateBitcastConvert(const HloInstruction& hlo,
                                               Operands operands) {
  const Literal& operand = *operands[0];
  auto static_shape = [](const Shape& shape) {
    Shape result = ShapeUtil::MakeStaticShape(shape);
    LayoutUtil::SetToDefaultLayout(&result);
    return result;
  };
  const BorrowingLiteral bits(static_cast<const char*>(operand.untyped_data()),
                              static_shape(operand.shape()));
  TF_ASSIGN_OR_RETURN(Literal result,
                      bits.BitcastConvert(static_shape(hlo.shape())));
  if (hlo.shape().is_static()) return result;
  TF_ASSIGN_OR_RETURN(Literal dynamic, MakeArrayResult(hlo.shape()));
  std::memcpy(dynamic.untyped_data(), result.untyped_data(),
              result.size_bytes());
  for (int i = 0; i < hlo.shape().rank(); ++i) {
    if (i < operand.shape().rank()) {
      SetCurrentSize(dynamic, i, CurrentSize(operand, i));
    }
  }
  return dynamic;
}

}  // namespace xla
