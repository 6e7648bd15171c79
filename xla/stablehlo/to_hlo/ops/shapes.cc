// Makes shapes for rules, and broadcasts and reshapes between them.
#include "xla/stablehlo/to_hlo/ops/shapes.h"

#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla::stablehlo {

PrimitiveType ElementTypeOf(const Type& type) {
  if (type.kind != Type::Kind::kTensor) return PRIMITIVE_TYPE_INVALID;
  return type.quantized != nullptr ? type.quantized->storage_type
                                   : type.element_type;
}

absl::Status EmitDeclared(OpConversion& conversion, HloOpcode opcode,
                          absl::Span<HloInstruction* const> operands,
                          Attrs attrs) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  if (conversion.result_type().IsStatic()) {
    return conversion.Emit(opcode, operands, std::move(attrs));
  }
  const Shape declared(ElementTypeOf(conversion.result_type()));
  absl::StatusOr<HloInstruction*> added = conversion.computation().Add(
      opcode, operands, std::move(attrs), {}, &declared);
  if (!added.ok()) return conversion.Annotate(added.status());
  conversion.SetResults(*added);
  return absl::OkStatus();
}

absl::StatusOr<Shape> OperandShapeOfResultType(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  if (conversion.result_type().IsStatic()) return conversion.ResultShape();
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  const PrimitiveType type = ElementTypeOf(conversion.result_type());
  if (!primitive_util::IsArrayType(type)) {
    return conversion.Error("the result must be a tensor");
  }
  absl::StatusOr<Shape> shape =
      ShapeWithElementType(conversion.operand(0)->shape(), type);
  if (!shape.ok()) return conversion.Annotate(shape.status());
  return shape;
}

absl::StatusOr<Shape> MakeShape(OpConversion& conversion, PrimitiveType type,
                                absl::Span<const int64_t> sizes) {
  if (!primitive_util::IsArrayType(type)) {
    return conversion.Error("expected a tensor");
  }
  for (int64_t size : sizes) {
    if (size >= 0) continue;
    return conversion.Error(absl::StrCat("a size must be >= 0, got ", size));
  }
  absl::StatusOr<Shape> shape = ShapeUtil::MakeValidatedShape(type, sizes);
  if (!shape.ok()) return conversion.Annotate(shape.status());
  return shape;
}

absl::StatusOr<HloInstruction*> BroadcastTo(OpConversion& conversion,
                                            HloInstruction* operand,
                                            Shape target,
                                            absl::Span<const int64_t> mapping) {
  const Shape& from = operand->shape();
  if (!from.IsArray() || !target.IsArray() ||
      static_cast<int64_t>(mapping.size()) != from.rank()) {
    return conversion.Error(
        absl::StrCat("expected one broadcast dimension for each dimension of ",
                     from.ToString(), ", got ", mapping.size()));
  }
  bool same = from.rank() == target.rank();
  std::vector<int64_t> kept_sizes, kept;
  std::vector<bool> kept_dynamic;
  for (int i = 0; i < from.rank(); ++i) {
    const int64_t to = mapping[i];
    if (to < 0 || to >= target.rank()) {
      return conversion.Error(absl::StrCat(
          "broadcast dimension ", to, " is not one of ", target.ToString()));
    }
    if (from.dimensions(i) == 1 && target.dimensions(to) != 1) {
      same = false;
      continue;
    }
    same = same && to == i;
    kept.push_back(to);
    kept_sizes.push_back(from.dimensions(i));
    kept_dynamic.push_back(from.is_dynamic_dimension(i));
  }
  if (same) return operand;
  target.set_element_type(from.element_type());
  if (static_cast<int64_t>(kept.size()) != from.rank()) {
    operand = conversion.Add(
        HloOpcode::kReshape,
        ShapeUtil::MakeShape(from.element_type(), kept_sizes, kept_dynamic),
        {operand});
  }
  return conversion.Add(HloOpcode::kBroadcast, std::move(target), {operand},
                        BroadcastAttrs{std::move(kept)});
}

HloInstruction* ScalarConstant(OpConversion& conversion, PrimitiveType type,
                               double value) {
  return conversion.AddConstant(LiteralUtil::CreateR0(type, value));
}

HloInstruction* FilledLike(OpConversion& conversion, const Shape& like,
                           double value) {
  HloInstruction* scalar =
      ScalarConstant(conversion, like.element_type(), value);
  if (like.rank() == 0) return scalar;
  return conversion.Add(HloOpcode::kBroadcast, like, {scalar},
                        BroadcastAttrs{});
}

absl::Status CheckDimension(OpConversion& conversion, int64_t i,
                            int64_t dimension) {
  TF_RETURN_IF_ERROR(ExpectArray(conversion, i));
  const Shape& shape = conversion.operand(i)->shape();
  if (dimension >= 0 && dimension < shape.rank()) return absl::OkStatus();
  return conversion.Error(absl::StrCat("dimension ", dimension,
                                       " is not one of ", shape.ToString()));
}

absl::Status ExpectArray(OpConversion& conversion, int64_t i) {
  if (i < conversion.operand_count() &&
      conversion.operand(i)->shape().IsArray()) {
    return absl::OkStatus();
  }
  return conversion.Error(absl::StrCat("operand ", i, " must be a tensor"));
}

absl::Status AddDimensions(OpConversion& conversion, absl::string_view name,
                           google::protobuf::RepeatedField<int64_t>* field) {
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> values,
                      conversion.IntegersOrEmpty(name));
  field->Add(values.begin(), values.end());
  return absl::OkStatus();
}

std::vector<int64_t> Dimensions(int64_t n) {
  std::vector<int64_t> dimensions(n);
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

}  // namespace xla::stablehlo
