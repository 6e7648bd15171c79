// Shared by the rules of the algebraic simplifier: the type of a rule, the
// context that makes instructions, and matchers. One file per family of root
// opcodes has the rules, each under its equation.
#ifndef XLA_HLO_TRANSFORMS_ALGEBRA_RULE_H_
#define XLA_HLO_TRANSFORMS_ALGEBRA_RULE_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::algebra {

// Makes instructions in one computation and records them, so that the driver
// can annotate what a rule made, or remove it.
class RuleContext {
 public:
  explicit RuleContext(HloComputation* computation)
      : computation_(computation) {}

  // Makes an instruction of exactly this shape, layout included.
  HloInstruction* Make(HloOpcode opcode, const Shape& shape,
                       absl::Span<HloInstruction* const> operands,
                       Attrs attrs = {},
                       absl::Span<HloComputation* const> computations = {});
  HloInstruction* Make(HloOpcode opcode, const Shape& shape,
                       std::initializer_list<HloInstruction*> operands,
                       Attrs attrs = {}) {
    return Make(
        opcode, shape,
        absl::Span<HloInstruction* const>(operands.begin(), operands.size()),
        std::move(attrs));
  }
  // Makes one whose shape follows from the op's shape rules. Errors: theirs.
  absl::StatusOr<HloInstruction*> Infer(
      HloOpcode opcode, absl::Span<HloInstruction* const> operands,
      Attrs attrs = {});

  HloInstruction* Constant(Literal literal);
  // Makes a scalar of an integral type or PRED: the low bits of `bits`.
  HloInstruction* Integer(PrimitiveType type, uint64_t bits);
  // Makes a scalar of any array type; `value` must be exact in it.
  HloInstruction* Number(PrimitiveType type, double value);
  // Broadcasts `scalar` to `shape`; returns it unchanged if that is its shape.
  HloInstruction* Splat(const Shape& shape, HloInstruction* scalar);
  // Make splats of constants.
  HloInstruction* Integers(const Shape& shape, uint64_t bits) {
    return Splat(shape, Integer(shape.element_type(), bits));
  }
  HloInstruction* Numbers(const Shape& shape, double value) {
    return Splat(shape, Number(shape.element_type(), value));
  }
  // `x` with `value` around it.
  HloInstruction* Pad(const Shape& shape, HloInstruction* x,
                      HloInstruction* value, PaddingConfig padding);
  // `x` in another shape of as many elements; itself where that is its shape.
  HloInstruction* Reshape(const Shape& shape, HloInstruction* x);

  std::vector<HloInstruction*>& added() { return added_; }

 private:
  HloComputation* computation_;
  std::vector<HloInstruction*> added_;
};

// The result of a rule: an instruction that may replace its argument, null if
// the rule does not apply, or an error, which ends the pass.
using Result = absl::StatusOr<HloInstruction*>;
using Rule = Result (*)(HloInstruction* hlo, RuleContext& context);
using Rules = absl::Span<const Rule>;

// Matchers --------------------------------------------------------------------

// Returns operand `i` of `x` if that is an `opcode`, else null.
HloInstruction* Arg(HloInstruction* x, HloOpcode opcode, int64_t i = 0);
inline bool Is(const HloInstruction* x, HloOpcode opcode) {
  return x->opcode() == opcode;
}
inline HloInstruction* Lhs(HloInstruction* x) { return x->mutable_operand(0); }
inline HloInstruction* Rhs(HloInstruction* x) { return x->mutable_operand(1); }
// Returns whether `x` has a single use, so that it dies with its user.
inline bool OneUse(const HloInstruction* x) {
  return x->user_count() == 1 && !x->IsRoot();
}
inline PrimitiveType TypeOf(const HloInstruction* x) {
  return x->shape().element_type();
}
// Returns x if `y` is reshape(bitcast-convert(x)), where the last dimension of
// y has the parts of the elements of that of x, and others are the same; else
// null.
HloInstruction* WholeOfParts(HloInstruction* y);
// Returns the inverse for `x`, as `shape`, whose last dimension has such parts.
HloInstruction* PartsOf(HloInstruction* x, const Shape& shape,
                        RuleContext& context);
// Tests of element types. IsIntegerOrPred is for ops that treat pred as one
// bit.
bool IsInteger(const HloInstruction* x);
bool IsUnsigned(const HloInstruction* x);
bool IsIntegerOrPred(const HloInstruction* x);
bool IsFloat(const HloInstruction* x);
// Returns true for F16, BF16, F32, F64: types with IEEE zeros, infinities and
// nan.
bool IsIeeeFloat(const HloInstruction* x);
inline bool IsPred(const HloInstruction* x) { return TypeOf(x) == PRED; }

// Returns the literal of a scalar constant, or of one that `x` broadcasts; else
// null. Other constants with equal elements are not splats: a rule of its own
// makes them broadcasts.
const Literal* SplatLiteral(const HloInstruction* x);
// Returns the element of a splat of integers or pred; U64 as its bits.
std::optional<int64_t> SplatInt(const HloInstruction* x);
// Returns the element of a splat of floating-point numbers.
std::optional<double> SplatFloat(const HloInstruction* x);
inline bool IsSplat(const HloInstruction* x) {
  return SplatLiteral(x) != nullptr;
}
// Returns true for a splat, or any constant.
inline bool IsConstantLike(const HloInstruction* x) {
  return x->IsConstant() || IsSplat(x);
}
// Test for splats of a value. The floating-point ones compare the sign of zero
// too.
bool IsInt(const HloInstruction* x, int64_t value);
bool IsReal(const HloInstruction* x, double value);
inline bool IsOne(const HloInstruction* x) {
  return IsInt(x, 1) || IsReal(x, 1);
}
bool IsAllOnes(const HloInstruction* x);
// Test for the least and the greatest value of the type: infinities if it has
// them.
bool IsLowest(const HloInstruction* x);
bool IsHighest(const HloInstruction* x);
// Returns whether both are the same splat, up to its shape.
bool IsSameSplat(const HloInstruction* a, const HloInstruction* b);
// Returns whether both are the same instruction, or equal splats.
bool IsSame(const HloInstruction* a, const HloInstruction* b);

// Returns the value of a scalar integer constant; nullopt for U64 beyond int64.
std::optional<int64_t> ScalarIndex(const HloInstruction* x);
// Returns the values of the scalar constant operands `from`, `from` + 1, ...,
// one for each dimension of `bounds`, clamped so that `sizes` fit; nullopt if
// some are not constant.
std::optional<std::vector<int64_t>> ConstantStarts(
    const HloInstruction* hlo, int64_t from, absl::Span<const int64_t> bounds,
    absl::Span<const int64_t> sizes);

// Returns true if the computation is `opcode` of its two parameters, in either
// order for commutative ops.
bool IsBinaryReducer(const HloComputation* computation, HloOpcode opcode);
// Returns the opcode of such a computation, for any binary element-wise op of
// the parameters 0 and 1 in this order.
std::optional<HloOpcode> BinaryReducer(const HloComputation* computation);
// Returns whether `hlo`, a reduce or reduce-window, has one array and a single
// type: of the operand, the initial value, the reducer and the result.
bool HasOneType(const HloInstruction* hlo);
// Returns whether `x` is a splat e with op(e, y) == y for all y, bit for bit;
// with `sums_from_zero`, +0.0 also counts for add.
bool IsIdentity(HloOpcode op, const HloInstruction* x,
                bool sums_from_zero = false);
// Returns whether op(y, y) == y and the op is associative and commutative,
// exactly.
bool IsIdempotent(HloOpcode op);
// Returns whether regrouping reductions of `type` by `op` keeps the result.
bool IsExactlyAssociative(HloOpcode op, PrimitiveType type);

std::vector<int64_t> ToVector(absl::Span<const int64_t> list);
bool Contains(absl::Span<const int64_t> list, int64_t value);

// Return the rules of an opcode, which may be empty; those of RulesForAny apply
// to every op without side effects.
Rules RulesFor(HloOpcode opcode);
Rules RulesForAny();

// Rules for several opcodes. c op x => x op c, for constants and commutative
// ops
Result ConstantToTheRight(HloInstruction* hlo, RuleContext& context);
// (x op c1) op c2 => x op (c1 op c2), for ops on integers that may be regrouped
Result FoldConstants(HloInstruction* hlo, RuleContext& context);

// (x op y) op y => x op y, for ops with op(y, y) == y
Result IdempotentTwice(HloInstruction* hlo, RuleContext& context);
// (x dual y) op y => y, for lattices: and with or, maximum with minimum
Result AbsorbedByDual(HloInstruction* hlo, HloOpcode dual);

// The lists of rules of each file.
Rules AddRules();
Rules SubtractRules();
Rules MultiplyRules();
Rules DivideRules();
Rules RemainderRules();
Rules PowerRules();
Rules MaximumRules();
Rules MinimumRules();
Rules ClampRules();
Rules AndRules();
Rules OrRules();
Rules XorRules();
Rules NotRules();
Rules ShiftRules();
Rules CompareRules();
Rules SelectRules();
Rules AbsRules();
Rules NegateRules();
Rules SignRules();
Rules RoundingRules();
Rules EvenFunctionRules();
Rules IsFiniteRules();
Rules ComplexRules();
Rules RealRules();
Rules ImagRules();
Rules ConvertRules();
Rules BitcastConvertRules();
Rules ReducePrecisionRules();
Rules ConstantRules();
Rules IotaRules();
Rules BroadcastRules();
Rules ReshapeRules();
Rules BitcastRules();
Rules CopyRules();
Rules TransposeRules();
Rules ReverseRules();
Rules SliceRules();
Rules DynamicSliceRules();
Rules DynamicUpdateSliceRules();
Rules PadRules();
Rules ConcatenateRules();
Rules GatherRules();
Rules ScatterRules();
Rules ReduceRules();
Rules ReduceWindowRules();
Rules MapRules();
Rules SortRules();
Rules DotRules();
Rules TupleRules();
Rules GetTupleElementRules();
Rules GetDimensionSizeRules();
Rules AfterAllRules();
Rules AddDependencyRules();
Rules AllReduceRules();
Rules AllGatherRules();
Rules ReduceScatterRules();
Rules AllToAllRules();
Rules CollectivePermuteRules();
Rules CollectiveBroadcastRules();
Rules PartitionIdRules();
Rules ReplicaIdRules();

}  // namespace xla::algebra

#endif  // XLA_HLO_TRANSFORMS_ALGEBRA_RULE_H_
