// The programs of the special-value test: every element-wise op of the op table
// on one small float type, and the reductions and mixtures whose code differs.
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

// What an operand holds, for n pairs (a, b) of values of the type.
enum class Input {
  kFirst,    // [n]: a
  kSecond,   // [n]: b
  kThird,    // [n]: others again
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
  int units = 0;  // in the last place, that the backends may differ by
};

// All that `type` has. Fails the running test for ops that no form is made for.
std::vector<Form> FormsOf(PrimitiveType type);

// Forms at lengths of their own as one module whose result is a tuple; each has
// its own parameters, so that none sees what another one loads.
struct SizedForm {
  const Form* form;
  int64_t length;
};
std::string ProgramText(PrimitiveType type, absl::Span<const SizedForm> forms);

// NaNs, infinities, zeros, subnormals, extremes and their neighbours, and some
// plain numbers: bit patterns, without repetition.
std::vector<uint64_t> SpecialBits(PrimitiveType type);

// The value of `input` for `length` pairs from pair number `first` on; pairs
// follow each other in a circle.
Literal MakeInput(Input input, PrimitiveType type, int64_t first,
                  int64_t length);
int64_t PairCount(PrimitiveType type);

}  // namespace xla::test

#endif  // TESTS_BACKENDS_CPU_SPECIAL_VALUES_FORMS_H_
