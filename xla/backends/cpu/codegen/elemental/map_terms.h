// MapTerms: emits the expressions of an indexing map as affine indices.
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

// Emits each expression on first use, at the insertion point of the emitter's
// builder. Later uses get the same values, so the first must dominate them.
// Borrowed objects outlive it.
class MapTerms {
 public:
  // `map` belongs to `user`, from whose operands its runtime variables are
  // read. `index` is the index of the result and has its terms; `ranges` are
  // the values of the map's ranges, in their order.
  MapTerms(ElementalEmitter& emitter, const HloInstruction& user,
           const IndexingMap& map, const VectorIndex& index,
           absl::Span<const AffineIndex> ranges = {});

  // An i1, or one per lane: true if all constraints hold. From then on
  // expressions are bounded by the constraints: those of lanes outside are
  // meaningless, and a uniform expression that is outside is moved inside.
  absl::StatusOr<llvm::Value*> Inside();
  // Bounds expressions as Inside does, for callers that test constraints
  // themselves.
  absl::Status AssumeInside();

  absl::StatusOr<AffineIndex> Term(const IndexExpr& expr);

  // The index that the map gives, in an array with these dimensions.
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

// Affine indices of the loop variables that count the ranges of a map.
std::vector<AffineIndex> RangeTerms(absl::Span<llvm::Value* const> at,
                                    absl::Span<const int64_t> sizes);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_MAP_TERMS_H_
