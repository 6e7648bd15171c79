// Handles layouts, aliases and small elements of typed custom calls.
#include "xla/backends/evaluator/ffi_buffers.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/compiler.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {
namespace {

// Tokens and arrays without elements point here: some targets reject null.
alignas(64) char no_bytes[64];

void AppendLeaves(const Shape& shape, std::vector<Shape>& leaves) {
  for (const Shape* leaf : Leaves(shape)) leaves.push_back(*leaf);
}

// Packs the first element into the lowest bits of a byte.
std::vector<char> Pack(const Literal& literal) {
  const int bits = primitive_util::BitWidth(literal.shape().element_type());
  const int per_byte = 8 / bits;
  const int64_t count = ShapeUtil::ElementsIn(literal.shape());
  const auto* from = static_cast<const uint8_t*>(literal.untyped_data());
  std::vector<char> packed(CeilOfRatio(count, per_byte));
  for (int64_t i = 0; i < count; ++i) {
    const int value = from[i] & ((1 << bits) - 1);
    packed[i / per_byte] |= static_cast<char>(value << (i % per_byte * bits));
  }
  return packed;
}

void Unpack(const std::vector<char>& packed, Literal& literal) {
  const int bits = primitive_util::BitWidth(literal.shape().element_type());
  const int per_byte = 8 / bits;
  const int64_t count = ShapeUtil::ElementsIn(literal.shape());
  auto* to = static_cast<uint8_t*>(literal.untyped_data());
  for (int64_t i = 0; i < count; ++i) {
    const auto byte = static_cast<uint8_t>(packed[i / per_byte]);
    to[i] = byte >> (i % per_byte * bits) & ((1 << bits) - 1);
  }
}

void* DataOf(const Literal& literal) {
  void* data = const_cast<void*>(literal.untyped_data());
  return data == nullptr ? no_bytes : data;
}

absl::Status AddAliases(const HloInstruction& hlo, FfiLayout& layout) {
  const auto& attrs = hlo.attrs<CustomCallAttrs>();
  layout.alias_of_result.assign(layout.results.size(), -1);
  for (const OutputOperandAlias& alias : attrs.output_to_operand_aliasing) {
    const int result = LeafNumberAt(hlo.shape(), alias.output_index);
    int operand = -1;
    if (alias.operand_number >= 0 &&
        alias.operand_number < hlo.operand_count()) {
      operand = LeafNumberAt(hlo.operand(alias.operand_number)->shape(),
                             alias.operand_index);
      for (int64_t i = 0; i < alias.operand_number && operand >= 0; ++i) {
        operand += LeafCount(hlo.operand(i)->shape());
      }
    }
    if (result < 0 || operand < 0 ||
        !ShapeUtil::Compatible(layout.results[result],
                               layout.operands[operand])) {
      return absl::InvalidArgumentError(
          absl::StrCat("custom-call ", hlo.name(),
                       ": output_to_operand_aliasing pairs result and operand ",
                       alias.operand_number, ", which are not of one shape"));
    }
    layout.alias_of_result[result] = operand;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FfiLayout> FfiLayout::Create(const HloInstruction& hlo) {
  const auto& constraints =
      hlo.attrs<CustomCallAttrs>().operand_layout_constraints;
  FfiLayout layout;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    AppendLeaves(constraints.has_value() ? (*constraints)[i]
                                         : LayoutUtil::GetWithDefaultLayout(
                                               hlo.operand(i)->shape()),
                 layout.operands);
  }
  layout.result_shape = !constraints.has_value() && hlo.operand_count() > 0
                            ? LayoutUtil::GetWithDefaultLayout(hlo.shape())
                            : hlo.shape();
  AppendLeaves(layout.result_shape, layout.results);
  for (std::vector<Shape>* shapes : {&layout.operands, &layout.results}) {
    for (Shape& shape : *shapes) {
      if (shape.IsArray() && !shape.has_layout()) {
        shape = LayoutUtil::GetWithDefaultLayout(shape);
      }
      if (!shape.IsToken() && (!shape.IsArray() || !shape.is_static())) {
        return absl::UnimplementedError(
            absl::StrCat("custom-call ", hlo.name(),
                         ": typed FFI calls take "
                         "static arrays and tokens, not ",
                         shape.ToString()));
      }
    }
  }
  TF_RETURN_IF_ERROR(AddAliases(hlo, layout));
  return layout;
}

std::vector<ffi::BufferType> FfiLayout::BufferTypes(
    absl::Span<const Shape> shapes) {
  std::vector<ffi::BufferType> types;
  for (const Shape& shape : shapes) {
    ffi::BufferType& type = types.emplace_back();
    type.type = shape.element_type();
    if (shape.IsArray()) {
      type.dimensions.assign(shape.dimensions().begin(),
                             shape.dimensions().end());
    }
  }
  return types;
}

absl::StatusOr<FfiBuffers> FfiBuffers::Create(
    const FfiLayout& layout, absl::Span<const Value> operands) {
  FfiBuffers buffers;
  buffers.layout_ = &layout;
  for (const Value& value : operands) AppendLeaves(value, buffers.operands_);
  TF_RET_CHECK(buffers.operands_.size() == layout.operands.size());
  const int results = static_cast<int>(layout.results.size());
  buffers.result_literals_.reserve(results);
  for (int i = 0; i < results; ++i) {
    TF_RETURN_IF_ERROR(buffers.AddResult(i));
  }
  for (size_t i = 0; i < layout.operands.size(); ++i) {
    TF_RETURN_IF_ERROR(buffers.AddArgument(static_cast<int>(i)));
  }
  return buffers;
}

absl::Status FfiBuffers::AddResult(int index) {
  const Shape& shape = layout_->results[index];
  packed_.emplace_back();
  if (!shape.IsArray()) {
    result_literals_.emplace_back();
    results_.push_back(no_bytes);
    return absl::OkStatus();
  }
  const int alias = layout_->alias_of_result[index];
  if (alias < 0) {
    TF_ASSIGN_OR_RETURN(result_literals_.emplace_back(), Literal::Make(shape));
  } else {
    result_literals_.push_back(operands_[alias]->Relayout(shape));
  }
  if (primitive_util::IsSubByteNonPredType(shape.element_type())) {
    packed_.back() = Pack(result_literals_.back());
    results_.push_back(packed_.back().data());
  } else {
    results_.push_back(DataOf(result_literals_.back()));
  }
  return absl::OkStatus();
}

absl::Status FfiBuffers::AddArgument(int index) {
  const Shape& shape = layout_->operands[index];
  if (!shape.IsArray()) {
    arguments_.push_back(no_bytes);
    return absl::OkStatus();
  }
  for (size_t i = 0; i < layout_->results.size(); ++i) {
    if (layout_->alias_of_result[i] == index &&
        LayoutUtil::Equal(layout_->results[i].layout(), shape.layout())) {
      arguments_.push_back(results_[i]);
      return absl::OkStatus();
    }
  }
  const Literal* literal = operands_[index];
  if (!LayoutUtil::IsMonotonicWithDim0Major(shape.layout())) {
    copies_.push_back(literal->Relayout(shape));
    literal = &copies_.back();
  }
  if (primitive_util::IsSubByteNonPredType(shape.element_type())) {
    packed_.push_back(Pack(*literal));
    arguments_.push_back(packed_.back().data());
  } else {
    arguments_.push_back(DataOf(*literal));
  }
  return absl::OkStatus();
}

Value FfiBuffers::ResultOf(const Shape& shape, size_t& next) {
  if (shape.IsTuple()) {
    std::vector<Value> elements;
    for (const Shape& part : shape.tuple_shapes()) {
      elements.push_back(ResultOf(part, next));
    }
    return Value(std::move(elements));
  }
  const size_t i = next++;
  if (!shape.IsArray()) return Value();
  if (primitive_util::IsSubByteNonPredType(shape.element_type()))
    Unpack(packed_[i], result_literals_[i]);
  return Value(std::move(result_literals_[i]));
}

absl::StatusOr<Value> FfiBuffers::TakeResult() && {
  size_t next = 0;
  return ResultOf(layout_->result_shape, next);
}

}  // namespace xla
