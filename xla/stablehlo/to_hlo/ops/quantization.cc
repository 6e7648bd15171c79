// Expands quantize and dequantize to element-wise HLO.
#include "xla/stablehlo/to_hlo/ops/quantization.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/stablehlo/to_hlo/ops/shapes.h"

namespace xla::stablehlo {
namespace {

// Returns how many different scales there are along each dimension; 1 for
// dimensions that no scale depends on.
absl::StatusOr<std::vector<int64_t>> ScaleCounts(
    OpConversion& conversion, const QuantizedType& type,
    absl::Span<const int64_t> sizes) {
  const int64_t rank = sizes.size();
  std::vector<int64_t> counts(rank, 1);
  if (type.axis >= 0) {
    if (type.axis >= rank) {
      return conversion.Error(absl::StrCat(
          "the quantized dimension ", type.axis, " is not below rank ", rank));
    }
    counts[type.axis] = sizes[type.axis];
  }
  for (size_t i = 0; i < type.axes.size() && i < type.block_sizes.size(); ++i) {
    const int64_t axis = type.axes[i];
    const int64_t block = type.block_sizes[i];
    if (axis < 0 || axis >= rank || block <= 0 || sizes[axis] % block != 0) {
      return conversion.Error(
          absl::StrCat("blocks of ", block, " do not divide dimension ", axis));
    }
    counts[axis] = sizes[axis] / block;
  }
  // Compare without multiplying counts, which may be huge.
  int64_t left = type.scales.size();
  for (int64_t count : counts) {
    if (count == 0 || left % count != 0) left = 0;
    if (left == 0) break;
    left /= count;
  }
  if (left != 1 || type.zero_points.size() != type.scales.size()) {
    return conversion.Error(absl::StrCat(
        "the type has ", type.scales.size(), " scales and ",
        type.zero_points.size(), " zero points, which do not fit its shape"));
  }
  return counts;
}

// Returns a value for each scale of `type`, in the dimensions of `like`:
// dimension i has counts[i] blocks of equal values.
absl::StatusOr<HloInstruction*> Spread(OpConversion& conversion, Literal values,
                                       const QuantizedType& type,
                                       const Shape& like) {
  const PrimitiveType element = values.shape().element_type();
  Shape shape = like;
  shape.set_element_type(element);
  if (type.scales.size() == 1) {
    TF_ASSIGN_OR_RETURN(Literal scalar, values.Reshape({}));
    HloInstruction* constant = conversion.AddConstant(std::move(scalar));
    if (shape.rank() == 0) return constant;
    return conversion.Add(HloOpcode::kBroadcast, shape, {constant},
                          BroadcastAttrs{});
  }
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> counts,
                      ScaleCounts(conversion, type, like.dimensions()));
  std::vector<int64_t> mapping, factors;
  std::vector<int64_t> own_sizes;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 1) {
      own_sizes.push_back(counts[i]);
      mapping.push_back(factors.size());
    }
    factors.push_back(counts[i]);
    factors.push_back(like.dimensions(i) / counts[i]);
  }
  TF_ASSIGN_OR_RETURN(Literal shaped, values.Reshape(own_sizes));
  HloInstruction* constant = conversion.AddConstant(std::move(shaped));
  if (type.axis >= 0) {
    return conversion.Add(HloOpcode::kBroadcast, shape, {constant},
                          BroadcastAttrs{{type.axis}});
  }
  TF_ASSIGN_OR_RETURN(Shape blocks, MakeShape(conversion, element, factors));
  HloInstruction* broadcast =
      conversion.Add(HloOpcode::kBroadcast, std::move(blocks), {constant},
                     BroadcastAttrs{std::move(mapping)});
  return conversion.Add(HloOpcode::kReshape, shape, {broadcast});
}

template <typename T>
absl::StatusOr<HloInstruction*> Parameters(OpConversion& conversion,
                                           absl::Span<const T> values,
                                           PrimitiveType element,
                                           const QuantizedType& type,
                                           const Shape& like) {
  Literal literal = LiteralUtil::CreateR1<T>(values);
  TF_ASSIGN_OR_RETURN(Literal converted, literal.Convert(element));
  return Spread(conversion, std::move(converted), type, like);
}

absl::Status CheckQuantized(OpConversion& conversion,
                            HloInstruction* instruction, const Type& type) {
  if (type.quantized == nullptr || !instruction->shape().IsArray()) {
    return conversion.Error(absl::StrCat("expected a tensor of quantized ",
                                         "elements, got ", type.ToString()));
  }
  const QuantizedType& quantized = *type.quantized;
  if (!primitive_util::IsIntegralType(quantized.storage_type) ||
      !primitive_util::IsFloatingPointType(quantized.expressed_type) ||
      quantized.scales.empty()) {
    return conversion.Error(
        absl::StrCat(type.ToString(), " is no valid quantized type"));
  }
  return ScaleCounts(conversion, quantized, instruction->shape().dimensions())
      .status();
}

}  // namespace

absl::StatusOr<HloInstruction*> Dequantize(OpConversion& conversion,
                                           HloInstruction* stored,
                                           const Type& type) {
  TF_RETURN_IF_ERROR(CheckQuantized(conversion, stored, type));
  const QuantizedType& quantized = *type.quantized;
  Shape shape = stored->shape();
  // The difference of two stored values must fit.
  const bool is_wide = primitive_util::BitWidth(quantized.storage_type) >= 32;
  shape.set_element_type(is_wide ? S64 : S32);
  HloInstruction* value = conversion.Add(HloOpcode::kConvert, shape, {stored});
  TF_ASSIGN_OR_RETURN(HloInstruction * zero_points,
                      Parameters(conversion, quantized.zero_points,
                                 shape.element_type(), quantized, shape));
  value = conversion.Add(HloOpcode::kSubtract, shape, {value, zero_points});
  shape.set_element_type(quantized.expressed_type);
  value = conversion.Add(HloOpcode::kConvert, shape, {value});
  TF_ASSIGN_OR_RETURN(HloInstruction * scales,
                      Parameters(conversion, quantized.scales,
                                 shape.element_type(), quantized, shape));
  return conversion.Add(HloOpcode::kMultiply, shape, {value, scales});
}

absl::StatusOr<HloInstruction*> Quantize(OpConversion& conversion,
                                         HloInstruction* value,
                                         const Type& type) {
  TF_RETURN_IF_ERROR(CheckQuantized(conversion, value, type));
  const QuantizedType& quantized = *type.quantized;
  Shape shape = value->shape();
  const PrimitiveType expressed = quantized.expressed_type;
  if (shape.element_type() != expressed) {
    shape.set_element_type(expressed);
    value = conversion.Add(HloOpcode::kConvert, shape, {value});
  }
  TF_ASSIGN_OR_RETURN(
      HloInstruction * scales,
      Parameters(conversion, quantized.scales, expressed, quantized, shape));
  value = conversion.Add(HloOpcode::kDivide, shape, {value, scales});
  TF_ASSIGN_OR_RETURN(HloInstruction * zero_points,
                      Parameters(conversion, quantized.zero_points, expressed,
                                 quantized, shape));
  value = conversion.Add(HloOpcode::kAdd, shape, {value, zero_points});
  value = conversion.Add(
      HloOpcode::kClamp, shape,
      {ScalarConstant(conversion, expressed,
                      static_cast<double>(quantized.storage_min)),
       value,
       ScalarConstant(conversion, expressed,
                      static_cast<double>(quantized.storage_max))});
  value = conversion.Add(HloOpcode::kRoundNearestEven, shape, {value});
  shape.set_element_type(quantized.storage_type);
  return conversion.Add(HloOpcode::kConvert, shape, {value});
}

}  // namespace xla::stablehlo
