// ElementalEmitter: the value of any instruction at an index, from values of
// its operands at indices that follow from it. What fuses, fuses here: nothing
// is stored in between. Loops over indices, and stores, are the callers'.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_ELEMENTAL_EMITTER_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_ELEMENTAL_EMITTER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/container/node_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/elemental/accumulators.h"
#include "xla/backends/cpu/codegen/elemental/ir_array.h"
#include "xla/backends/cpu/codegen/elemental/vector_index.h"
#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/hlo/analysis/indexing/moved_elements.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla::cpu {

// Emits at the insertion point of the context's builder, which may move to
// another block. Values are kept and used again for the same index; enter a
// Scope before code that does not always run before what follows it.
class ElementalEmitter {
 public:
  using Generator =
      std::function<absl::StatusOr<Element>(EmitContext&, const VectorIndex&)>;

  explicit ElementalEmitter(EmitContext& context)
      : context_(context), memo_(1) {}
  ElementalEmitter(const ElementalEmitter&) = delete;
  ElementalEmitter& operator=(const ElementalEmitter&) = delete;

  EmitContext& context() { return context_; }
  llvm::IRBuilder<>& b() { return context_.b; }

  // Leaf `leaf` of `instruction`, typically a parameter, comes from there.
  void Bind(const HloInstruction* instruction, int64_t leaf,
            Generator generator);
  void BindArray(const HloInstruction* instruction, int64_t leaf,
                 IrArray array);
  // The array that is bound, or null.
  const IrArray* BoundArray(const HloInstruction* instruction,
                            int64_t leaf) const;

  // The elements of an array, or of leaf `leaf`, at `index`; of as many lanes.
  // Errors: Unimplemented for ops that have no value at an index.
  absl::StatusOr<Element> Emit(const HloInstruction* instruction,
                               VectorIndex index, int64_t leaf = 0);
  // The only element of a scalar, once for all lanes.
  absl::StatusOr<Element> EmitScalar(const HloInstruction* instruction);
  // The i64 of an integer scalar.
  absl::StatusOr<llvm::Value*> EmitScalarIndex(
      const HloInstruction* instruction);

  // The results (leaves of the root) of a computation of scalars, such as a
  // reducer, on `arguments`, one for each parameter.
  absl::StatusOr<std::vector<Element>> EmitComputation(
      const HloComputation& computation, absl::Span<const Element> arguments);

  // Values emitted during its life are forgotten with it; earlier ones stay.
  class Scope {
   public:
    explicit Scope(ElementalEmitter& emitter) : emitter_(emitter) {
      emitter_.memo_.emplace_back();
    }
    ~Scope() { emitter_.memo_.pop_back(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    ElementalEmitter& emitter_;
  };

  // Code that runs with `mask` in the context.
  class Masked {
   public:
    Masked(EmitContext& context, llvm::Value* mask)
        : context_(context), before_(std::exchange(context.mask, mask)) {}
    ~Masked() { context_.mask = before_; }

   private:
    EmitContext& context_;
    llvm::Value* const before_;
  };

 private:
  using Key = absl::InlinedVector<uintptr_t, 16>;
  using Leaf = std::pair<const HloInstruction*, int64_t>;

  // What the op's row says. Errors: Unimplemented where it does not know.
  absl::StatusOr<const OpIndexing*> Indexing(const HloInstruction* instruction);
  Key KeyOf(const HloInstruction* instruction, int64_t leaf,
            const VectorIndex& index) const;
  // Emit without looking at what is bound or kept.
  absl::StatusOr<Element> EmitOp(const HloInstruction* instruction,
                                 VectorIndex& index, int64_t leaf);
  absl::StatusOr<Element> EmitConstant(const HloInstruction* instruction,
                                       const VectorIndex& index);
  absl::StatusOr<Element> EmitOperandwise(const HloInstruction* instruction,
                                          const VectorIndex& index);

  // movement.cc: an element of an operand; of the first in `reads` that has
  // one, where the index came as `given` and has got its terms; among parts of
  // a range by a search.
  absl::StatusOr<Element> EmitMoved(const HloInstruction* instruction,
                                    VectorIndex& index);
  absl::StatusOr<Element> EmitFirst(const HloInstruction* instruction,
                                    absl::Span<const OperandIndexing> reads,
                                    const VectorIndex& given,
                                    const VectorIndex& index);
  absl::StatusOr<Element> EmitPart(const HloInstruction* instruction,
                                   const RangePartition& partition,
                                   const VectorIndex& index);
  absl::StatusOr<std::optional<Element>> EmitFromOneArray(
      const HloInstruction* instruction, const AffineIndex& term,
      absl::Span<const RangePartition::Part> parts, const VectorIndex& index);
  absl::StatusOr<Element> EmitReshape(const HloInstruction* instruction,
                                      const VectorIndex& index);
  absl::StatusOr<Element> EmitIota(const HloInstruction* instruction,
                                   VectorIndex& index);
  // bitcast_elements.cc; the second between c64 and c128.
  absl::StatusOr<Element> EmitBitcastConvert(const HloInstruction* instruction,
                                             VectorIndex& index);
  absl::StatusOr<Element> EmitComplexBitcast(const HloInstruction* instruction,
                                             VectorIndex& index);
  // reduction_elements.cc: loops inside an element.
  // A reduction that combines up to `most_straight` elements is straight code,
  // in which tests of bounds fold.
  absl::StatusOr<Element> EmitReduction(const HloInstruction* instruction,
                                        VectorIndex& index, int64_t leaf,
                                        int64_t most_straight);
  absl::StatusOr<Element> EmitDot(const HloInstruction* instruction,
                                  VectorIndex& index);
  // The reduction of `steps` over the initial values of a reduction, all
  // leaves.
  absl::StatusOr<Element> EmitReduced(
      const HloInstruction* instruction, const VectorIndex& index, int64_t leaf,
      const std::function<absl::Status(Accumulators&)>& steps);
  // One application of the reducer to the operands at an index.
  absl::Status EmitReductionStep(const HloInstruction* instruction,
                                 const VectorIndex& operand_index,
                                 Accumulators& accumulators);
  // The same, where or in lanes in which `inside` is true.
  absl::Status EmitFoldStepInside(const HloInstruction* instruction,
                                  llvm::Value* inside,
                                  const VectorIndex& source,
                                  Accumulators& accumulators);

  // `inside` ? x at `index` : otherwise. inside: an i1, or one each lane, in
  // which case x is emitted under it as mask.
  absl::StatusOr<Element> EmitIf(
      llvm::Value* inside,
      const std::function<absl::StatusOr<Element>()>& then_value,
      const std::function<absl::StatusOr<Element>()>& else_value);

  EmitContext& context_;
  absl::flat_hash_map<Leaf, IrArray> arrays_;
  absl::flat_hash_map<Leaf, Generator> generators_;
  std::vector<absl::flat_hash_map<Key, Element>> memo_;
  absl::node_hash_map<const HloInstruction*, std::optional<OpIndexing>>
      indexings_;
  // In a computation of scalars whose arguments have lanes: an index, which is
  // that of a scalar, does not tell which values are the same in all lanes.
  bool arguments_have_lanes_ = false;
};

// The i64 of `start`, an integer scalar, in [0, largest]: where a slice begins
// that stays within bounds.
absl::StatusOr<AffineIndex> EmitSliceStart(ElementalEmitter& emitter,
                                           const HloInstruction* start,
                                           int64_t largest);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_ELEMENTAL_EMITTER_H_
