// ValueFinder: walks over the ops behind a value, operands first.
#ifndef XLA_HLO_BUILDER_INFERENCE_VALUE_FINDER_H_
#define XLA_HLO_BUILDER_INFERENCE_VALUE_FINDER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/inference/known_value.h"
#include "xla/hlo/builder/inference/value_sums.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Answers one question. It never fails: where it cannot tell, the answer is
// unknown.
class ValueFinder {
 public:
  // Returns what is known of `root` if the parameters of its computation have
  // the values `arguments`; other parameters may be anything.
  KnownValue Find(const HloInstruction* root,
                  absl::Span<const KnownValue> arguments = {});

 private:
  using Operands = absl::Span<const KnownValue* const>;

  KnownValue FindOp(const HloInstruction& hlo, Operands operands);
  MaybeArray FindArray(const HloInstruction& hlo, Operands operands);
  KnownValue FindCall(const HloInstruction& hlo, Operands operands);
  KnownValue FindConditional(const HloInstruction& hlo, Operands operands);
  // Handles an op on arrays of static sizes.
  KnownValue FindIfAffordable(const HloInstruction& hlo, Operands operands);
  MaybeArray Custom(const HloInstruction& hlo, Operands operands);
  // Returns the result of a cheap op whose operands are all constants.
  std::optional<Literal> Evaluate(const HloInstruction& hlo, Operands operands);
  // Does so with zeros or the like in place of unknown elements.
  std::optional<Literal> EvaluateKnown(const HloInstruction& hlo,
                                       Operands operands);
  MaybeArray Elementwise(const HloInstruction& hlo, Operands operands);
  // Returns what is known of an element that results from these integers.
  KnownElement Bounded(const HloInstruction& hlo,
                       absl::Span<const KnownElement> inputs);
  MaybeArray Select(const HloInstruction& hlo, Operands operands);
  // Ops that move elements; operands that say where from must be constants.
  MaybeArray Move(const HloInstruction& hlo, Operands operands);
  // Returns the array that has these elements, with their values.
  MaybeArray WithValues(const HloInstruction& hlo, Operands operands,
                        std::vector<KnownElement> elements);
  KnownValue Reduce(const HloInstruction& hlo, Operands operands);
  // Sets the bounds of the dynamic elements of `results`, if the op has one
  // operand. `targets` are the results that its elements are reduced to.
  void BoundReduced(const HloInstruction& hlo, Operands operands,
                    absl::Span<const int64_t> targets,
                    std::vector<KnownElement>& results);
  // Takes the elements in any order: each has the bounds of all.
  MaybeArray Sort(const KnownArray* operand, const Shape& shape);

  // Returns false if `shape` is too large or the walk has cost too much.
  bool Affords(const Shape& shape);
  bool AffordsAll(const Shape& shape);
  // Returns true for small arrays of integers, whose dynamic elements are sums.
  static bool HasSums(const Shape& shape);
  // Makes dynamic elements without a sum new unknown numbers.
  void AddSums(const Shape& shape, KnownValue& value);

  HloEvaluator evaluator_;
  ValueSums sums_;
  int64_t budget_ = int64_t{1} << 24;  // elements
  int depth_ = 0;                      // nesting of calls
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_VALUE_FINDER_H_
