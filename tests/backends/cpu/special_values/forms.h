// The programs of the special-value test: every element-wise op of the op table
// on one small float type, and the reductions and mixtures that have other
// code.
#ifndef TESTS_BACKENDS_CPU_SPECIAL_VALUES_FORMS_H_
#define TESTS_BACKENDS_CPU_SPECIAL_VALUES_FORMS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::test {

// The contents of an operand, for n pairs (a, b) of values of the type.
enum class Input {
  kFirst,    // [n]: a
  kSecond,   // [n]: b
  kThird,    // [n]: other values
  kRandom,   // [n] of unsigned integers as wide as the type
  kPred,     // pred[n]
  kRows,     // [2, n]: a above b
  kColumns,  // [n, 2]: a beside b
  kLowest,   // scalars: the least and the greatest value, and 1
  kHighest,
  kOne,
};

// One op, or a few: `text` has lines of HLO in which $T is the type, $N the
// length, $0, $1, ... are the inputs, $_ is a prefix of names and $r the
// result, of shape result[$N].
struct Form {
  std::string name;
  std::vector<Input> inputs;
  std::string text;
  PrimitiveType result;
  int units = 0;  // most difference of the backends, in ulp
};

// All forms of `type`. Fails the running test if there is an op without a form.
std::vector<Form> FormsOf(PrimitiveType type);

// Makes one module of forms at their own lengths, whose result is a tuple; each
// form has its own parameters, so that it sees no other form's loads.
struct SizedForm {
  const Form* form;
  int64_t length;
};
std::string ProgramText(PrimitiveType type, absl::Span<const SizedForm> forms);

// NaNs, infinities, zeros, subnormals, extremes and their neighbors, and some
// plain numbers: bit patterns, without repetition.
std::vector<uint64_t> SpecialBits(PrimitiveType type);

// The value of `input` for `length` pairs, starting with pair number `first`;
// after the last pair comes the first one.
Literal MakeInput(Input input, PrimitiveType type, int64_t first,
                  int64_t length);
int64_t PairCount(PrimitiveType type);

}  // namespace xla::test

#endif  // TESTS_BACKENDS_CPU_SPECIAL_VALUES_FORMS_H_
