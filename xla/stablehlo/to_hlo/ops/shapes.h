// Helpers for rules that make or change shapes: element types, shapes that the
// result's type leaves open, broadcasts and reshapes.
#ifndef XLA_STABLEHLO_TO_HLO_OPS_SHAPES_H_
#define XLA_STABLEHLO_TO_HLO_OPS_SHAPES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "google/protobuf/repeated_field.h"
#include "xla/core/shape.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

// Returns the HLO element type of a tensor; the storage type of quantized
// elements. PRIMITIVE_TYPE_INVALID if it is not a tensor.
PrimitiveType ElementTypeOf(const Type& type);

// Emit for ops whose shape HLO does not infer without a declared element type
// (dot, convolution): if the result's type is not static, the sizes follow from
// the operands and the element type from the result.
absl::Status EmitDeclared(OpConversion& conversion, HloOpcode opcode,
                          absl::Span<HloInstruction* const> operands,
                          Attrs attrs);

// Returns the operand's dimensions, static or not, with the result's element
// type: the shape of element-wise conversions.
absl::StatusOr<Shape> OperandShapeOfResultType(OpConversion& conversion);

// Makes an array shape in default layout. Errors: InvalidArgument for sizes
// that are negative or too large, with the op's place.
absl::StatusOr<Shape> MakeShape(OpConversion& conversion, PrimitiveType type,
                                absl::Span<const int64_t> sizes);

// Dimension i of the operand becomes dimension mapping[i] of `target`; its size
// there is the same, or 1 and grows. The element type is the operand's. Returns
// the operand itself if nothing changes. Errors: InvalidArgument for a mapping
// that does not fit.
absl::StatusOr<HloInstruction*> BroadcastTo(OpConversion& conversion,
                                            HloInstruction* operand,
                                            Shape target,
                                            absl::Span<const int64_t> mapping);

// Make a scalar constant of `type`, an array type, and the same in the
// dimensions of `like`.
HloInstruction* ScalarConstant(OpConversion& conversion, PrimitiveType type,
                               double value);
HloInstruction* FilledLike(OpConversion& conversion, const Shape& like,
                           double value);

// Errors: InvalidArgument unless 0 <= dimension < rank of operand `i`.
absl::Status CheckDimension(OpConversion& conversion, int64_t i,
                            int64_t dimension);

// Errors: InvalidArgument unless operand `i` is an array.
absl::Status ExpectArray(OpConversion& conversion, int64_t i);

// Adds the list that the attribute `name` holds, if the op has it, to the field
// of dimension numbers. Errors: those of IntegersOrEmpty.
absl::Status AddDimensions(OpConversion& conversion, absl::string_view name,
                           google::protobuf::RepeatedField<int64_t>* field);

// Returns 0, 1, ..., n - 1.
std::vector<int64_t> Dimensions(int64_t n);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_OPS_SHAPES_H_
