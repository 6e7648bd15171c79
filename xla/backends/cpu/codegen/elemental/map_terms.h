// MapTerms: the expressions of an indexing map as index terms, in code.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_MAP_TERMS_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_MAP_TERMS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elemental/vector_index.h"
#include "xla/hlo/indexing/indexing_map.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Emits what is asked for, when it is asked for, at the insertion point of the
// emitter's builder; whoever asks again gets the same values, so all of it must
// dominate what follows. Borrowed parts outlive it.
class MapTerms {
 public:
  // `map` belongs to `user`, whose operands its runtime variables are read
  // from. The result is at `index`, which has its terms; `ranges` are the
  // values of the map's ranges, in their order.
  MapTerms(ElementalEmitter& emitter, const HloInstruction& user,
           const IndexingMap& map, const VectorIndex& index,
           absl::Span<const AffineIndex> ranges = {});

  // An i1, or one each lane: all constraints hold. From then on expressions are
  // bounded by them: those of lanes that are outside mean nothing, and a
  // uniform one that is outside is moved to where it would be inside.
  absl::StatusOr<llvm::Value*> Inside();
  // Bounds expressions as Inside does, where the caller tests for himself.
  absl::Status AssumeInside();

  absl::StatusOr<AffineIndex> Term(const IndexExpr& expr);

  // The index that the map gives, in an array of these dimensions.
  absl::StatusOr<VectorIndex> Source(absl::Span<const int64_t> dimensions);

 private:
  const AffineIndex* Known(const IndexExpr& expr) const;
  absl::StatusOr<AffineIndex> AtomTerm(const IndexExpr::Atom& atom);
  absl::StatusOr<AffineIndex> VariableTerm(int32_t variable);
  absl::StatusOr<AffineIndex> Runtime(const IndexingMap::Variable& variable);
  // `operand` floordiv or mod `divisor`, where the operand may be negative.
  AffineIndex Quotient(const AffineIndex& operand, int64_t divisor) const;
  AffineIndex Remainder(const AffineIndex& operand, int64_t divisor) const;

  ElementalEmitter& emitter_;
  const HloInstruction& user_;
  const IndexingMap& map_;
  const VectorIndex& index_;
  const absl::Span<const AffineIndex> ranges_;
  const AffineIndexBuilder t_;
  absl::InlinedVector<std::pair<IndexExpr, AffineIndex>, 4> known_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_MAP_TERMS_H_
