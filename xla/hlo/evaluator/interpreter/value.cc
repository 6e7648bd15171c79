// Converts literals to values and back.
#include "xla/hlo/evaluator/interpreter/value.h"

#include "xla/base/logging.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

bool HasDefaultLayout(const Shape& shape) {
  return !shape.IsArray() ||
         (shape.has_layout() &&
          LayoutUtil::IsMonotonicWithDim0Major(shape.layout()));
}

Literal InDefaultLayout(const LiteralBase& literal) {
  return literal.Relayout(LayoutUtil::GetWithDefaultLayout(literal.shape()));
}

bool ArrayFits(const Shape& array, const Shape& shape) {
  return array.element_type() == shape.element_type() &&
         array.dimensions() == shape.dimensions();
}

// Copies the leaves of `value` below `index` of `to`.
void CopyLeaves(const Value& value, ShapeIndex& index, Literal& to) {
  if (!value.is_tuple()) {
    if (value.array().shape().IsArray()) {
      CHECK_OK(to.CopyFrom(value.array(), index));
    }
    return;
  }
  index.push_back(0);
  for (const Value& element : value.elements()) {
    CopyLeaves(element, index, to);
    ++index.back();
  }
  index.pop_back();
}

}  // namespace

const Literal& Value::Token() {
  static const Literal* const token = new Literal(ShapeUtil::MakeTokenShape());
  return *token;
}

Value::Value(Literal literal) {
  if (literal.shape().IsTuple()) {
    is_tuple_ = true;
    for (Literal& element : literal.DecomposeTuple()) {
      elements_.push_back(Value(std::move(element)));
    }
    return;
  }
  if (!literal.shape().IsArray()) return;
  movable_ = true;
  if (!HasDefaultLayout(literal.shape())) literal = InDefaultLayout(literal);
  // This is not a const object, so that TakeArray may move it.
  array_ = std::make_shared<Literal>(std::move(literal));
}

Value::Value(const std::shared_ptr<const Literal>& literal) {
  if (literal->shape().IsArray() && HasDefaultLayout(literal->shape())) {
    array_ = literal;
  } else {
    *this = Value(InDefaultLayout(*literal));
  }
}

bool Value::Fits(const Shape& shape) const {
  if (!is_tuple_) {
    return shape.IsTuple() ? false
           : shape.IsArray()
               ? array_ != nullptr && ArrayFits(array_->shape(), shape)
               : array_ == nullptr;
  }
  if (!shape.IsTuple() ||
      shape.tuple_shapes_size() != static_cast<int>(elements_.size())) {
    return false;
  }
  for (size_t i = 0; i < elements_.size(); ++i) {
    if (!elements_[i].Fits(shape.tuple_shapes(i))) return false;
  }
  return true;
}

Literal Value::TakeArray() && {
  if (movable_ && array_.use_count() == 1) {
    Literal taken = std::move(const_cast<Literal&>(*array_));
    array_.reset();
    return taken;
  }
  return array().Clone();
}

Shape Value::shape() const {
  if (!is_tuple_) return array().shape();
  std::vector<Shape> parts;
  parts.reserve(elements_.size());
  for (const Value& element : elements_) parts.push_back(element.shape());
  return Shape(std::move(parts));
}

Literal Value::ToLiteral() const {
  if (!is_tuple_) return array().Clone();
  Literal literal(shape());
  ShapeIndex index;
  CopyLeaves(*this, index, literal);
  return literal;
}

void AppendLeaves(const Value& value, std::vector<const Literal*>& leaves) {
  if (!value.is_tuple()) {
    leaves.push_back(&value.array());
    return;
  }
  for (const Value& element : value.elements()) AppendLeaves(element, leaves);
}

}  // namespace xla
