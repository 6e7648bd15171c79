// Value: what an instruction evaluates to. Tuples share their elements, so
// that tuple, get-tuple-element, call and while copy no data.
#ifndef XLA_HLO_EVALUATOR_INTERPRETER_VALUE_H_
#define XLA_HLO_EVALUATOR_INTERPRETER_VALUE_H_

#include <memory>
#include <utility>
#include <vector>

#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {

// An array (or token) or a tuple of Values; a token when default-made. Arrays
// are immutable, in default layout, and shared; elements of a dynamic
// dimension beyond its size are unspecified. Cheap to copy.
class Value {
 public:
  Value() = default;
  // Takes a literal apart if it is a tuple; arrays in another than the
  // default layout are relaid.
  explicit Value(Literal literal);
  // The same without a copy where the literal is an array in default layout.
  explicit Value(const std::shared_ptr<const Literal>& literal);
  explicit Value(std::vector<Value> elements)
      : is_tuple_(true), elements_(std::move(elements)) {}

  bool is_tuple() const { return is_tuple_; }
  // Of an array or token.
  const Literal& array() const { return array_ == nullptr ? Token() : *array_; }
  const std::vector<Value>& elements() const { return elements_; }
  const Value& element(size_t i) const { return elements_[i]; }

  // Whether the value has the kind, element type and dimensions of `shape`,
  // in all parts. Layouts and dynamic dimensions do not count.
  bool Fits(const Shape& shape) const;

  // The array's literal: moved out if nobody else holds it, else copied.
  Literal TakeArray() &&;
  // A literal with all leaves, copied.
  Literal ToLiteral() const;
  // For messages and errors.
  Shape shape() const;

 private:
  static const Literal& Token();

  bool is_tuple_ = false;
  // Whether the array may be moved out by its only holder.
  bool movable_ = false;
  std::shared_ptr<const Literal> array_;
  std::vector<Value> elements_;
};

// Appends the arrays and tokens of `value` in order; pointers into it.
void AppendLeaves(const Value& value, std::vector<const Literal*>& leaves);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_INTERPRETER_VALUE_H_
