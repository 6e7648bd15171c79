// ElementalEmitter: computes the value of any instruction at an index from
// values of its operands at indices derived from it. This is where fusion
// happens: nothing is stored in between. The callers emit loops over indices
// and stores.
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
// another block. Values are memoized and reused for the same index: enter a
// Scope before emitting code that does not always run before the code after it.
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

  // Makes `generator` provide leaf `leaf` of `instruction`, typically a
  // parameter.
  void Bind(const HloInstruction* instruction, int64_t leaf,
            Generator generator);
  void BindArray(const HloInstruction* instruction, int64_t leaf,
                 IrArray array);
  // The array bound to that leaf, or null.
  const IrArray* BoundArray(const HloInstruction* instruction,
                            int64_t leaf) const;

  // Emits the elements of leaf `leaf` of `instruction` at `index`, with as many
  // lanes as the index. Errors: Unimplemented for ops that have no value at an
  // index.
  absl::StatusOr<Element> Emit(const HloInstruction* instruction,
                               VectorIndex index, int64_t leaf = 0);
  // Emits the only element of a scalar, as one lane.
  absl::StatusOr<Element> EmitScalar(const HloInstruction* instruction);
  // Emits an integer scalar as an i64.
  absl::StatusOr<llvm::Value*> EmitScalarIndex(
      const HloInstruction* instruction);

  // Emits the results (leaves of the root) of a computation of scalars, such as
  // a reducer, on `arguments`, one for each parameter.
  absl::StatusOr<std::vector<Element>> EmitComputation(
      const HloComputation& computation, absl::Span<const Element> arguments);

  // Values emitted while a Scope lives are forgotten at its end; earlier ones
  // stay.
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

  // Sets `mask` in the context while it lives.
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

  // The index relation from the op's row. Errors: Unimplemented if the row has
  // none.
  absl::StatusOr<const OpIndexing*> Indexing(const HloInstruction* instruction);
  Key KeyOf(const HloInstruction* instruction, int64_t leaf,
            const VectorIndex& index) const;
  // The Emit functions below ignore bindings and memoized values.
  absl::StatusOr<Element> EmitOp(const HloInstruction* instruction,
                                 VectorIndex& index, int64_t leaf);
  absl::StatusOr<Element> EmitConstant(const HloInstruction* instruction,
                                       const VectorIndex& index);
  absl::StatusOr<Element> EmitOperandwise(const HloInstruction* instruction,
                                          const VectorIndex& index);

  // movement.cc. EmitMoved emits the operand's element that an op moves.
  // EmitFirst takes the first of `reads` that has an element at the index
  // (`given` as it came, `index` with its terms). EmitPart searches among the
  // parts of a range.
  absl::StatusOr<Element> EmitMoved(const HloInstruction* instruction,
                                    VectorIndex& index);
  absl::StatusOr<Element> EmitFirst(const HloInstruction* instruction,
                                    absl::Span<const OperandIndexing> reads,
                                    const VectorIndex& given,
                                    const VectorIndex& index);
  absl::StatusOr<Element> EmitPart(const HloInstruction* instruction,
                                   const RangePartition& partition,
                                   const VectorIndex& index);
  absl::StatusOr<Element> EmitOnePart(const HloInstruction* instruction,
                                      const RangePartition::Part& part,
                                      const VectorIndex& index);
  // Emits each part for the lanes that are in it, where these are known.
  absl::StatusOr<Element> EmitJoined(
      const HloInstruction* instruction,
      absl::Span<const RangePartition::Part> parts, const VectorIndex& index,
      size_t dimension, const AffineIndex& term);
  absl::StatusOr<std::optional<Element>> EmitFromOneArray(
      const HloInstruction* instruction, const AffineIndex& term,
      absl::Span<const RangePartition::Part> parts, const VectorIndex& index);
  absl::StatusOr<Element> EmitReshape(const HloInstruction* instruction,
                                      const VectorIndex& index);
  absl::StatusOr<Element> EmitIota(const HloInstruction* instruction,
                                   VectorIndex& index);
  // bitcast_elements.cc; the second converts between c64 and c128.
  absl::StatusOr<Element> EmitBitcastConvert(const HloInstruction* instruction,
                                             VectorIndex& index);
  absl::StatusOr<Element> EmitComplexBitcast(const HloInstruction* instruction,
                                             VectorIndex& index);
  // reduction_elements.cc: loops inside an element. A reduction that combines
  // at most `most_straight` elements is unrolled, so that bounds checks are
  // folded.
  absl::StatusOr<Element> EmitReduction(const HloInstruction* instruction,
                                        VectorIndex& index, int64_t leaf,
                                        int64_t most_straight);
  // Reduces: runs `steps` on accumulators that hold the reduction's initial
  // values, for all leaves, and returns leaf `leaf`.
  absl::StatusOr<Element> EmitReduced(
      const HloInstruction* instruction, const VectorIndex& index, int64_t leaf,
      const std::function<absl::Status(Accumulators&)>& steps);
  // Emits one application of the reducer to the operands at an index.
  absl::Status EmitReductionStep(const HloInstruction* instruction,
                                 const VectorIndex& operand_index,
                                 Accumulators& accumulators);
  // Emits the same where `inside`, an i1 or one per lane, is true.
  absl::Status EmitFoldStepInside(const HloInstruction* instruction,
                                  llvm::Value* inside,
                                  const VectorIndex& source,
                                  Accumulators& accumulators);

  // dot_elements.cc. EmitDotOfRows emits lanes that each need a row of one
  // operand and the same vector of the other, summed in vectors along the rows
  // as `type`; nullopt if the dot is not of that form.
  absl::StatusOr<Element> EmitDot(const HloInstruction* instruction,
                                  VectorIndex& index);
  absl::StatusOr<std::optional<Element>> EmitDotOfRows(
      const HloInstruction* instruction, const VectorIndex& index,
      PrimitiveType type);

  // Emits `inside` ? then_value() : else_value(). `inside` is an i1, in which
  // case it becomes a branch, or one per lane, in which case then_value() is
  // emitted with it as the mask.
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
  // True in a computation of scalars whose arguments have lanes: there, the
  // index, which is that of a scalar, does not tell which values are uniform.
  bool arguments_have_lanes_ = false;
};

// Emits `start`, an integer scalar, clamped to [0, largest]: the first index of
// a slice that stays within bounds.
absl::StatusOr<AffineIndex> EmitSliceStart(ElementalEmitter& emitter,
                                           const HloInstruction* start,
                                           int64_t largest);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_ELEMENTAL_EMITTER_H_
