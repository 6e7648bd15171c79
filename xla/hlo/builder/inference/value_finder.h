// ValueFinder: walks over the ops behind a value, operands first.
#ifndef XLA_HLO_BUILDER_INFERENCE_VALUE_FINDER_H_
#define XLA_HLO_BUILDER_INFERENCE_VALUE_FINDER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/inference/known_value.h"
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
  // Handles ops whose operands are all constants.
  MaybeArray Evaluate(const HloInstruction& hlo, Operands operands);
  MaybeArray Elementwise(const HloInstruction& hlo, Operands operands);
  MaybeArray Select(const HloInstruction& hlo, Operands operands);
  // Ops that move elements; operands that say where from must be constants.
  MaybeArray Move(const HloInstruction& hlo, Operands operands);
  MaybeArray Reduce(const HloInstruction& hlo, Operands operands);
  // Takes the elements in any order: each has the bounds of all.
  MaybeArray Sort(const KnownArray* operand, const Shape& shape);

  // Returns false if `shape` is too large or the walk has cost too much.
  bool Affords(const Shape& shape);

  HloEvaluator evaluator_;
  int64_t budget_ = int64_t{1} << 24;  // elements
  int depth_ = 0;                      // nesting of calls
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_VALUE_FINDER_H_
