// Value: the value of an instruction. Tuples share their elements, so that
// tuple, get-tuple-element, call and while copy no data.
#ifndef XLA_HLO_EVALUATOR_INTERPRETER_VALUE_H_
#define XLA_HLO_EVALUATOR_INTERPRETER_VALUE_H_

#include <memory>
#include <utility>
#include <vector>

#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {

// An array (or token) or a tuple of Values; a token when default-constructed.
// Arrays are immutable, in default layout, and shared; elements of a dynamic
// dimension beyond its size are unspecified. Cheap to copy.
class Value {
 public:
  Value() = default;
  // Takes a tuple literal apart; converts arrays in other layouts to the
  // default one.
  explicit Value(Literal literal);
  // Like the above, without a copy if the literal is an array in default
  // layout.
  explicit Value(const std::shared_ptr<const Literal>& literal);
  explicit Value(std::vector<Value> elements)
      : is_tuple_(true), elements_(std::move(elements)) {}

  bool is_tuple() const { return is_tuple_; }
  // For arrays and tokens.
  const Literal& array() const { return array_ == nullptr ? Token() : *array_; }
  const std::vector<Value>& elements() const { return elements_; }
  const Value& element(size_t i) const { return elements_[i]; }

  // Returns whether the value has the kind, element type and dimensions of
  // `shape`, in all parts. Ignores layouts and dynamic dimensions.
  bool Fits(const Shape& shape) const;

  // Returns the array's literal: moves it if no other value shares it, else
  // copies it.
  Literal TakeArray() &&;
  // Returns a literal with copies of all leaves.
  Literal ToLiteral() const;
  // For messages and errors.
  Shape shape() const;

 private:
  static const Literal& Token();

  bool is_tuple_ = false;
  // Whether the last holder may move the array out.
  bool movable_ = false;
  std::shared_ptr<const Literal> array_;
  std::vector<Value> elements_;
};

// Appends pointers to the arrays and tokens of `value`, in order.
void AppendLeaves(const Value& value, std::vector<const Literal*>& leaves);

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_INTERPRETER_VALUE_H_
