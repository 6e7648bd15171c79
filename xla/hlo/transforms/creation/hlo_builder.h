// HloBuilder: writes formulas as HLO, for passes that replace one instruction
// by several. It makes shapes itself, always static and in row-major layout;
// the verifier checks the result.
#ifndef XLA_HLO_TRANSFORMS_CREATION_HLO_BUILDER_H_
#define XLA_HLO_TRANSFORMS_CREATION_HLO_BUILDER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

struct DotAttrs;

// All functions add instructions to one computation and return the one with
// the result. Operands must fit the op, as for HloInstruction::Create.
class HloBuilder {
 public:
  using Hlo = HloInstruction*;
  using Dims = std::vector<int64_t>;
  using DimSpan = absl::Span<const int64_t>;

  explicit HloBuilder(HloComputation* computation)
      : computation_(computation) {}
  // Adds to `source`'s computation, with its metadata.
  explicit HloBuilder(HloInstruction* source)
      : computation_(source->parent()), source_(source) {}

  HloComputation* computation() const { return computation_; }

  // Returns a shape in row-major layout. If it is too large, ReplaceSource
  // returns the error.
  Shape MakeShape(PrimitiveType type, DimSpan sizes);

  Hlo Add(HloOpcode opcode, Shape shape, absl::Span<const Hlo> operands,
          Attrs attrs = {},
          absl::Span<HloComputation* const> computations = {});

  // Element-wise ops. The result has the dimensions of the first operand and,
  // except for Compare, its type.
  Hlo Unary(HloOpcode opcode, Hlo x);
  Hlo Binary(HloOpcode opcode, Hlo x, Hlo y);
  Hlo Compare(ComparisonDirection direction, Hlo x, Hlo y);
  Hlo CompareTotalOrder(ComparisonDirection direction, Hlo x, Hlo y);
  Hlo Select(Hlo pred, Hlo on_true, Hlo on_false);
  Hlo Plus(Hlo x, Hlo y) { return Binary(HloOpcode::kAdd, x, y); }
  Hlo Minus(Hlo x, Hlo y) { return Binary(HloOpcode::kSubtract, x, y); }
  Hlo Times(Hlo x, Hlo y) { return Binary(HloOpcode::kMultiply, x, y); }
  Hlo Over(Hlo x, Hlo y) { return Binary(HloOpcode::kDivide, x, y); }
  Hlo And(Hlo x, Hlo y) { return Binary(HloOpcode::kAnd, x, y); }
  // Returns `x` itself if it has that type.
  Hlo Convert(Hlo x, PrimitiveType type);
  // Reinterprets the bits as a type of the same width.
  Hlo BitcastConvert(Hlo x, PrimitiveType type);

  Hlo Constant(Literal literal);
  // Makes `value` a scalar of `type`.
  Hlo Number(PrimitiveType type, double value);
  // If it is no s32, and that is the type, status() says so.
  Hlo Integer(PrimitiveType type, int64_t value);
  Hlo Zero(PrimitiveType type);
  // Makes an array with the dimensions of `like` whose elements are all
  // `value`.
  Hlo NumberLike(Hlo like, double value);
  Hlo IntegerLike(Hlo like, int64_t value);

  // Data movement; each returns its operand if nothing would change.
  Hlo Broadcast(Hlo x, DimSpan sizes, DimSpan dimensions);
  Hlo Splat(Hlo scalar, DimSpan sizes) { return Broadcast(scalar, sizes, {}); }
  Hlo Iota(PrimitiveType type, DimSpan sizes, int64_t dimension);
  Hlo Reshape(Hlo x, DimSpan sizes);
  // Makes dimension permutation[i] of `x` result dimension i.
  Hlo Transpose(Hlo x, DimSpan permutation);
  Hlo Slice(Hlo x, DimSpan starts, DimSpan limits, DimSpan strides = {});
  // Returns elements [start, limit) of one dimension.
  Hlo SliceDim(Hlo x, int64_t dimension, int64_t start, int64_t limit);
  Hlo Concatenate(absl::Span<const Hlo> parts, int64_t dimension);
  // Returns element `index` of a vector, as a scalar.
  Hlo At(Hlo vector, int64_t index);
  // `starts` are scalars.
  Hlo DynamicSlice(Hlo x, absl::Span<const Hlo> starts, DimSpan sizes);
  Hlo DynamicUpdateSlice(Hlo x, Hlo update, absl::Span<const Hlo> starts);

  // The dot of `lhs` and `rhs` with elements of `type`: batch dimensions first,
  // then those of lhs and rhs that are not contracted.
  Hlo Dot(Hlo lhs, Hlo rhs, DotAttrs attrs, PrimitiveType type);
  // Reduces `dimensions` with the binary `opcode`, from the scalar `init`.
  Hlo Reduce(HloOpcode opcode, Hlo x, Hlo init, DimSpan dimensions);
  Hlo Tuple(absl::Span<const Hlo> elements);
  Hlo Element(Hlo tuple, int64_t index);

  // Returns an error if a shape or an s32 was too large.
  const absl::Status& status() const { return status_; }
  // Replaces the source by `result`, in uses and control edges, and removes it.
  // Errors: status().
  absl::Status ReplaceSource(Hlo result);

 protected:
  // Makes this the status() unless an error came before.
  void Fail(absl::Status error);

 private:
  Shape Like(Hlo x, PrimitiveType type) {
    return MakeShape(type, x->shape().dimensions());
  }
  Hlo Insert(std::unique_ptr<HloInstruction> instruction);

  HloComputation* computation_;
  HloInstruction* source_ = nullptr;
  absl::Status status_;
};

// Returns the sizes of an array's dimensions.
inline std::vector<int64_t> DimsOf(const HloInstruction* hlo) {
  return {hlo->shape().dimensions().begin(), hlo->shape().dimensions().end()};
}

// Makes a new computation (T[], T[]) -> T[] that applies `opcode`.
HloComputation* MakeScalarComputation(HloModule* module, HloOpcode opcode,
                                      PrimitiveType type);

// Moves the control edges of `from` to `to`, a new instruction.
absl::Status MoveControlDependencies(HloInstruction* from, HloInstruction* to);

// Removes `from` from the control edges through it: its predecessors still come
// before its successors and before `result`, which computes the value of
// `from`.
absl::Status BypassControlDependencies(HloInstruction* from,
                                       HloInstruction* result);

// Whether dimensions `order` of a row-major `shape` follow each other as they
// are, but for those of size 1: a transpose to this order moves nothing.
bool LeavesInPlace(const Shape& shape, absl::Span<const int64_t> order);

// Returns the inverse permutation: inverse[permutation[i]] == i.
std::vector<int64_t> InverseOf(absl::Span<const int64_t> permutation);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_CREATION_HLO_BUILDER_H_
