// The matchers and builders that the rules share.
#include "xla/hlo/transforms/algebra/rule.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"

namespace xla::algebra {

// Builders --------------------------------------------------------------------

HloInstruction* RuleContext::Make(
    HloOpcode opcode, const Shape& shape,
    absl::Span<HloInstruction* const> operands, Attrs attrs,
    absl::Span<HloComputation* const> computations) {
  HloInstruction* made = computation_->AddInstruction(HloInstruction::Create(
      opcode, shape, operands, std::move(attrs), computations));
  added_.push_back(made);
  return made;
}

absl::StatusOr<HloInstruction*> RuleContext::Infer(
    HloOpcode opcode, absl::Span<HloInstruction* const> operands, Attrs attrs) {
  TF_ASSIGN_OR_RETURN(HloInstruction * made,
                      computation_->Add(opcode, operands, std::move(attrs)));
  added_.push_back(made);
  return made;
}

HloInstruction* RuleContext::Constant(Literal literal) {
  HloInstruction* made = computation_->AddInstruction(
      HloInstruction::CreateConstant(std::move(literal)));
  added_.push_back(made);
  return made;
}

HloInstruction* RuleContext::Integer(PrimitiveType type, uint64_t bits) {
  if (type == PRED) return Constant(LiteralUtil::CreateR0<bool>(bits & 1));
  const int unused = 64 - primitive_util::BitWidth(type);
  if (primitive_util::IsSignedIntegralType(type)) {
    const int64_t value = static_cast<int64_t>(bits << unused) >> unused;
    return Constant(LiteralUtil::CreateR0(type, value));
  }
  return Constant(LiteralUtil::CreateR0(type, bits << unused >> unused));
}

HloInstruction* RuleContext::Number(PrimitiveType type, double value) {
  return Constant(LiteralUtil::CreateR0(type, value));
}

HloInstruction* RuleContext::Splat(const Shape& shape, HloInstruction* scalar) {
  if (shape == scalar->shape()) return scalar;
  return Make(HloOpcode::kBroadcast, shape, {scalar}, BroadcastAttrs{});
}

HloInstruction* RuleContext::Pad(const Shape& shape, HloInstruction* x,
                                 HloInstruction* value, PaddingConfig padding) {
  return Make(HloOpcode::kPad, shape, {x, value}, PadAttrs{std::move(padding)});
}

HloInstruction* RuleContext::Reshape(const Shape& shape, HloInstruction* x) {
  if (shape == x->shape()) return x;
  return Make(HloOpcode::kReshape, shape, {x}, ReshapeAttrs{});
}

// Matchers --------------------------------------------------------------------

HloInstruction* WholeOfParts(HloInstruction* y) {
  if (!Is(y, HloOpcode::kReshape)) return nullptr;
  HloInstruction* x = Arg(Lhs(y), HloOpcode::kBitcastConvert);
  const int64_t rank = y->shape().rank();
  if (x == nullptr || rank == 0 || x->shape().rank() != rank ||
      Lhs(y)->shape().rank() != rank + 1) {
    return nullptr;
  }
  for (int64_t d = 0; d + 1 < rank; ++d) {
    if (x->shape().dimensions(d) != y->shape().dimensions(d)) return nullptr;
  }
  return x;
}

HloInstruction* PartsOf(HloInstruction* x, const Shape& shape,
                        RuleContext& context) {
  const int64_t whole = x->shape().dimensions().back();
  std::vector<int64_t> sizes(x->shape().dimensions().begin(),
                             x->shape().dimensions().end());
  sizes.push_back(shape.dimensions().back() / whole);
  return context.Reshape(
      shape,
      context.Make(HloOpcode::kBitcastConvert,
                   ShapeUtil::MakeShape(shape.element_type(), sizes), {x}));
}

HloInstruction* Arg(HloInstruction* x, HloOpcode opcode, int64_t i) {
  return x->opcode() == opcode ? x->mutable_operand(i) : nullptr;
}

bool IsInteger(const HloInstruction* x) {
  return primitive_util::IsIntegralType(TypeOf(x));
}
bool IsUnsigned(const HloInstruction* x) {
  return primitive_util::IsUnsignedIntegralType(TypeOf(x));
}
bool IsIntegerOrPred(const HloInstruction* x) {
  return IsInteger(x) || IsPred(x);
}
bool IsFloat(const HloInstruction* x) {
  return primitive_util::IsFloatingPointType(TypeOf(x));
}
bool IsIeeeFloat(const HloInstruction* x) {
  switch (TypeOf(x)) {
    case F16:
    case BF16:
    case F32:
    case F64:
      return true;
    default:
      return false;
  }
}

const Literal* SplatLiteral(const HloInstruction* x) {
  if (x->opcode() == HloOpcode::kBroadcast) x = x->operand(0);
  if (!x->IsConstant() || !ShapeUtil::IsScalar(x->shape())) return nullptr;
  return &x->literal();
}

std::optional<int64_t> SplatInt(const HloInstruction* x) {
  if (!IsIntegerOrPred(x)) return std::nullopt;
  const Literal* literal = SplatLiteral(x);
  if (literal == nullptr) return std::nullopt;
  return literal->GetIntegralAsS64({});
}

std::optional<double> SplatFloat(const HloInstruction* x) {
  if (!IsFloat(x)) return std::nullopt;
  const Literal* literal = SplatLiteral(x);
  if (literal == nullptr) return std::nullopt;
  return literal->GetAsDouble({});
}

bool IsInt(const HloInstruction* x, int64_t value) {
  const std::optional<int64_t> splat = SplatInt(x);
  return splat.has_value() && *splat == value;
}

bool IsReal(const HloInstruction* x, double value) {
  const std::optional<double> splat = SplatFloat(x);
  return splat.has_value() && *splat == value &&
         std::signbit(*splat) == std::signbit(value);
}

bool IsAllOnes(const HloInstruction* x) {
  const std::optional<int64_t> splat = SplatInt(x);
  if (!splat.has_value()) return false;
  const int unused = 64 - primitive_util::BitWidth(TypeOf(x));
  return static_cast<uint64_t>(*splat) << unused == ~uint64_t{0} << unused;
}

namespace {

bool HasBounds(const HloInstruction* x) {
  return IsIntegerOrPred(x) || IsIeeeFloat(x);
}

}  // namespace

bool IsLowest(const HloInstruction* x) {
  const Literal* literal = SplatLiteral(x);
  return literal != nullptr && HasBounds(x) &&
         *literal == LiteralUtil::MinValue(TypeOf(x));
}

bool IsHighest(const HloInstruction* x) {
  const Literal* literal = SplatLiteral(x);
  return literal != nullptr && HasBounds(x) &&
         *literal == LiteralUtil::MaxValue(TypeOf(x));
}

bool IsSameSplat(const HloInstruction* a, const HloInstruction* b) {
  const Literal* x = SplatLiteral(a);
  const Literal* y = SplatLiteral(b);
  return x != nullptr && y != nullptr && *x == *y;
}

bool IsSame(const HloInstruction* a, const HloInstruction* b) {
  return a == b || (a->shape() == b->shape() && IsSameSplat(a, b));
}

std::optional<int64_t> ScalarIndex(const HloInstruction* x) {
  if (!x->IsConstant() || !ShapeUtil::IsScalar(x->shape()) || !IsInteger(x)) {
    return std::nullopt;
  }
  const std::optional<int64_t> value = x->literal().GetIntegralAsS64({});
  if (TypeOf(x) == U64 && value.has_value() && *value < 0) return std::nullopt;
  return value;
}

std::optional<std::vector<int64_t>> ConstantStarts(
    const HloInstruction* hlo, int64_t from, absl::Span<const int64_t> bounds,
    absl::Span<const int64_t> sizes) {
  if (hlo->operand_count() != from + static_cast<int64_t>(bounds.size())) {
    return std::nullopt;
  }
  std::vector<int64_t> starts;
  for (size_t d = 0; d < bounds.size(); ++d) {
    const std::optional<int64_t> start = ScalarIndex(hlo->operand(from + d));
    if (!start.has_value()) return std::nullopt;
    starts.push_back(std::clamp<int64_t>(*start, 0, bounds[d] - sizes[d]));
  }
  return starts;
}

// Reducers --------------------------------------------------------------------

std::optional<HloOpcode> BinaryReducer(const HloComputation* computation) {
  const HloInstruction* root = computation->root_instruction();
  if (computation->num_parameters() != 2 || root->operand_count() != 2 ||
      !root->IsElementwiseOp() || Is(root, HloOpcode::kMap) ||
      Is(root, HloOpcode::kStochasticConvert) ||
      root->operand(0) != computation->parameter_instruction(0) ||
      root->operand(1) != computation->parameter_instruction(1)) {
    return std::nullopt;
  }
  return root->opcode();
}

bool IsBinaryReducer(const HloComputation* computation, HloOpcode opcode) {
  return BinaryReducer(computation) == opcode;
}

bool HasOneType(const HloInstruction* hlo) {
  const HloComputation* reducer = hlo->to_apply();
  return hlo->operand_count() == 2 && hlo->shape().IsArray() &&
         TypeOf(hlo->operand(0)) == TypeOf(hlo) &&
         TypeOf(hlo->operand(1)) == TypeOf(hlo) &&
         TypeOf(reducer->parameter_instruction(0)) == TypeOf(hlo) &&
         TypeOf(reducer->parameter_instruction(1)) == TypeOf(hlo);
}

bool IsIdentity(HloOpcode op, const HloInstruction* x, bool sums_from_zero) {
  switch (op) {
    case HloOpcode::kAdd:
      return IsInt(x, 0) || IsReal(x, -0.0) ||
             (sums_from_zero && IsReal(x, 0.0));
    case HloOpcode::kMultiply:
      return IsOne(x);
    case HloOpcode::kMaximum:
      return IsLowest(x);
    case HloOpcode::kMinimum:
      return IsHighest(x);
    case HloOpcode::kAnd:
      return IsAllOnes(x);
    case HloOpcode::kOr:
    case HloOpcode::kXor:
      return IsInt(x, 0);
    default:
      return false;
  }
}

bool IsIdempotent(HloOpcode op) {
  return op == HloOpcode::kMaximum || op == HloOpcode::kMinimum ||
         op == HloOpcode::kAnd || op == HloOpcode::kOr;
}

bool IsExactlyAssociative(HloOpcode op, PrimitiveType type) {
  if (IsIdempotent(op) || op == HloOpcode::kXor) return true;
  return (op == HloOpcode::kAdd || op == HloOpcode::kMultiply) &&
         (primitive_util::IsIntegralType(type) || type == PRED);
}

std::vector<int64_t> ToVector(absl::Span<const int64_t> list) {
  return std::vector<int64_t>(list.begin(), list.end());
}

bool Contains(absl::Span<const int64_t> list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// Rules of several opcodes ----------------------------------------------------

Result ConstantToTheRight(HloInstruction* hlo, RuleContext& context) {
  if (!IsConstantLike(Lhs(hlo)) || IsConstantLike(Rhs(hlo))) return nullptr;
  return context.Make(hlo->opcode(), hlo->shape(), {Rhs(hlo), Lhs(hlo)});
}

namespace {

uint64_t Combine(HloOpcode op, int64_t a, int64_t b, bool is_unsigned) {
  const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  const bool a_less = is_unsigned ? x < y : a < b;
  switch (op) {
    case HloOpcode::kAdd:
      return x + y;
    case HloOpcode::kMultiply:
      return x * y;
    case HloOpcode::kMaximum:
      return a_less ? y : x;
    case HloOpcode::kMinimum:
      return a_less ? x : y;
    case HloOpcode::kAnd:
      return x & y;
    case HloOpcode::kOr:
      return x | y;
    default:
      return x ^ y;
  }
}

}  // namespace

Result FoldConstants(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  if (!IsInteger(hlo) || !Is(inner, hlo->opcode())) return nullptr;
  const auto c1 = SplatInt(Rhs(inner));
  const auto c2 = SplatInt(Rhs(hlo));
  if (!c1.has_value() || !c2.has_value()) return nullptr;
  HloInstruction* c = context.Integers(
      hlo->shape(), Combine(hlo->opcode(), *c1, *c2, IsUnsigned(hlo)));
  return context.Make(hlo->opcode(), hlo->shape(), {Lhs(inner), c});
}

Result IdempotentTwice(HloInstruction* hlo, RuleContext&) {
  for (int i = 0; i < 2; ++i) {
    HloInstruction* inner = hlo->mutable_operand(i);
    const HloInstruction* other = hlo->operand(1 - i);
    if (!Is(inner, hlo->opcode())) continue;
    if (IsSame(Lhs(inner), other) || IsSame(Rhs(inner), other)) return inner;
  }
  return nullptr;
}

Result AbsorbedByDual(HloInstruction* hlo, HloOpcode dual) {
  for (int i = 0; i < 2; ++i) {
    HloInstruction* inner = hlo->mutable_operand(i);
    HloInstruction* other = hlo->mutable_operand(1 - i);
    if (!Is(inner, dual)) continue;
    if (IsSame(Lhs(inner), other) || IsSame(Rhs(inner), other)) return other;
  }
  return nullptr;
}

}  // namespace xla::algebra
