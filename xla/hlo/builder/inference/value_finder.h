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

// For one question. Never fails: where something cannot be said, nothing is
// known.
class ValueFinder {
 public:
  // What is known of `root`, where the parameters of its computation have
  // `arguments`; parameters without one may be anything.
  KnownValue Find(const HloInstruction* root,
                  absl::Span<const KnownValue> arguments = {});

 private:
  using Operands = absl::Span<const KnownValue* const>;

  KnownValue FindOp(const HloInstruction& hlo, Operands operands);
  MaybeArray FindArray(const HloInstruction& hlo, Operands operands);
  KnownValue FindCall(const HloInstruction& hlo, Operands operands);
  KnownValue FindConditional(const HloInstruction& hlo, Operands operands);
  // Ops of which all operands are constants.
  MaybeArray Evaluate(const HloInstruction& hlo, Operands operands);
  MaybeArray Elementwise(const HloInstruction& hlo, Operands operands);
  MaybeArray Select(const HloInstruction& hlo, Operands operands);
  // Ops that move elements; operands that say where from must be constants.
  MaybeArray Move(const HloInstruction& hlo, Operands operands);
  MaybeArray Reduce(const HloInstruction& hlo, Operands operands);
  // Any order: bounds of all elements.
  MaybeArray Sort(const KnownArray* operand, const Shape& shape);

  // False if `shape` is too large, or the walk has cost too much.
  bool Affords(const Shape& shape);

  HloEvaluator evaluator_;
  int64_t budget_ = int64_t{1} << 24;  // elements
  int depth_ = 0;                      // of calls
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INFERENCE_VALUE_FINDER_H_
