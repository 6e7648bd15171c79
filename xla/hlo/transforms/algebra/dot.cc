// Rules of dot. The canonicalizers of dots and convolutions choose their forms.
#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

const DotDimensionNumbers& NumbersOf(const HloInstruction* hlo) {
  return hlo->attrs<DotAttrs>().dot_dimension_numbers;
}

// Returns the number of products in each sum.
int64_t ContractedElements(const HloInstruction* hlo) {
  return Product(hlo->operand(0)->shape().dimensions(),
                 NumbersOf(hlo).lhs_contracting_dimensions());
}

// dot(x, y) => 0, along dimensions of size 0
Result DotOfNothing(HloInstruction* hlo, RuleContext& context) {
  if (ContractedElements(hlo) != 0) return nullptr;
  Literal zero(ShapeUtil::MakeScalarShape(TypeOf(hlo)));
  return context.Splat(hlo->shape(), context.Constant(std::move(zero)));
}

// dot(x, 0) => 0, dot(0, y) => 0, for integers
Result DotOfZero(HloInstruction* hlo, RuleContext& context) {
  if (!IsInteger(hlo) || (!IsInt(Lhs(hlo), 0) && !IsInt(Rhs(hlo), 0))) {
    return nullptr;
  }
  return context.Integers(hlo->shape(), 0);
}

// Returns the operand of a dot without its contracting dimensions, all of size
// 1, broadcast along the free dimensions of the other operand. `free` is the
// result dimension at which its own free dimensions begin. Returns null if
// dimensions would change order.
HloInstruction* SpreadOperand(HloInstruction* hlo, RuleContext& context,
                              HloInstruction* x,
                              absl::Span<const int64_t> batch,
                              absl::Span<const int64_t> contracting,
                              int64_t free) {
  BroadcastAttrs attrs;
  std::vector<int64_t> sizes;
  for (int64_t d = 0; d < x->shape().rank(); ++d) {
    if (Contains(contracting, d)) continue;
    sizes.push_back(x->shape().dimensions(d));
    const auto it = std::find(batch.begin(), batch.end(), d);
    attrs.dimensions.push_back(it == batch.end() ? free++ : it - batch.begin());
  }
  if (!std::is_sorted(attrs.dimensions.begin(), attrs.dimensions.end())) {
    return nullptr;
  }
  HloInstruction* flat =
      context.Reshape(ShapeUtil::MakeShape(TypeOf(x), sizes), x);
  if (TypeOf(x) != TypeOf(hlo)) {
    flat = context.Make(HloOpcode::kConvert,
                        ShapeUtil::MakeShape(TypeOf(hlo), sizes), {flat});
  }
  return context.Make(HloOpcode::kBroadcast, hlo->shape(), {flat}, attrs);
}

// dot(x, y) => broadcast(x) * broadcast(y), along dimensions of size 1 or none;
// a sum of one -0.0 becomes -0.0
Result DotOfOne(HloInstruction* hlo, RuleContext& context) {
  if (ContractedElements(hlo) != 1 || !(IsInteger(hlo) || IsIeeeFloat(hlo)) ||
      hlo->attrs<DotAttrs>().precision_config.algorithm() !=
          PrecisionConfig::ALG_UNSET) {
    return nullptr;
  }
  for (HloInstruction* x : hlo->operands()) {
    if (TypeOf(x) != TypeOf(hlo) &&
        !primitive_util::CastPreservesValues(TypeOf(x), TypeOf(hlo))) {
      return nullptr;
    }
  }
  const DotDimensionNumbers& numbers = NumbersOf(hlo);
  const int64_t batch = numbers.lhs_batch_dimensions_size();
  const int64_t lhs_free = Lhs(hlo)->shape().rank() - batch -
                           numbers.lhs_contracting_dimensions_size();
  HloInstruction* lhs =
      SpreadOperand(hlo, context, Lhs(hlo), numbers.lhs_batch_dimensions(),
                    numbers.lhs_contracting_dimensions(), batch);
  HloInstruction* rhs =
      SpreadOperand(hlo, context, Rhs(hlo), numbers.rhs_batch_dimensions(),
                    numbers.rhs_contracting_dimensions(), batch + lhs_free);
  if (lhs == nullptr || rhs == nullptr) return nullptr;
  return context.Make(HloOpcode::kMultiply, hlo->shape(), {lhs, rhs});
}

// Returns whether `permutation` keeps the order of these dimensions, which
// are sorted.
bool KeepsOrder(absl::Span<const int64_t> permutation,
                absl::Span<const int64_t> dims) {
  return std::is_sorted(dims.begin(), dims.end(), [&](int64_t a, int64_t b) {
    return permutation[a] < permutation[b];
  });
}

// Makes `batch` and `contracting`, dimensions of a dot's operand that is the
// transpose of another array, those of that array, and returns true. Returns
// false if the dot would have another result or its kernel could not read the
// array: that takes batch dimensions that come first, and free and contracting
// ones that lie side by side.
bool Untranspose(absl::Span<const int64_t> permutation,
                 google::protobuf::RepeatedField<int64_t>& batch,
                 google::protobuf::RepeatedField<int64_t>& contracting) {
  for (int i = 0; i < batch.size(); ++i) {
    if (permutation[batch[i]] != i) return false;
  }
  std::vector<int64_t> summed(contracting.begin(), contracting.end()), free;
  std::sort(summed.begin(), summed.end());
  for (int64_t d = 0; d < static_cast<int64_t>(permutation.size()); ++d) {
    if (!Contains(batch, d) && !Contains(summed, d)) free.push_back(d);
  }
  if (!KeepsOrder(permutation, summed) || !KeepsOrder(permutation, free)) {
    return false;
  }
  if (!summed.empty() && !free.empty() &&
      permutation[summed.back()] > permutation[free.front()] &&
      permutation[free.back()] > permutation[summed.front()]) {
    return false;
  }
  for (int i = 0; i < batch.size(); ++i) batch[i] = i;
  for (int64_t& d : contracting) d = permutation[d];
  return true;
}

// dot(x, transpose(y)) => dot(x, y) along other dimensions, where the kernel
// reads y as it is; likewise of the left operand
Result DotOfTranspose(HloInstruction* hlo, RuleContext& context) {
  if (hlo->operand_count() != 2) return nullptr;
  DotAttrs attrs = hlo->attrs<DotAttrs>();
  DotDimensionNumbers& numbers = attrs.dot_dimension_numbers;
  HloInstruction* operands[] = {Lhs(hlo), Rhs(hlo)};
  bool changed = false;
  for (int side = 0; side < 2; ++side) {
    HloInstruction* x = operands[side];
    if (!Is(x, HloOpcode::kTranspose) || x->shape().is_dynamic()) continue;
    if (!Untranspose(x->attrs<TransposeAttrs>().dimensions,
                     side == 0 ? *numbers.mutable_lhs_batch_dimensions()
                               : *numbers.mutable_rhs_batch_dimensions(),
                     side == 0
                         ? *numbers.mutable_lhs_contracting_dimensions()
                         : *numbers.mutable_rhs_contracting_dimensions())) {
      continue;
    }
    operands[side] = Lhs(x);
    changed = true;
  }
  if (!changed) return nullptr;
  HloInstruction* dot =
      context.Make(HloOpcode::kDot, hlo->shape(), operands, attrs);
  dot->set_raw_backend_config_string(hlo->raw_backend_config_string());
  return dot;
}


// Whether a dot reads `x` as well before its conversion as afterwards, although
// `other` stays as it is: the values are the same, and so is the type of sums.
bool ReadsBeforeConversion(const HloInstruction& x,
                           const HloInstruction& other) {
  // Smaller operands may be part of native code, which converts as it reads.
  constexpr int64_t kLeastElements = 8192;
  if (x.opcode() != HloOpcode::kConvert ||
      ShapeUtil::ElementsIn(x.shape()) < kLeastElements) {
    return false;
  }
  const PrimitiveType from = TypeOf(x.operand(0)), to = TypeOf(&x);
  const PrimitiveType type = TypeOf(&other);
  if (from == PRED || primitive_util::IsComplexType(to) ||
      !primitive_util::CastPreservesValues(from, to)) {
    return false;
  }
  if (primitive_util::IsIntegralType(to)) return true;
  // Two narrow operands of a wide dot might be multiplied in other ways.
  if (!primitive_util::IsFloatingPointType(type) ||
      ((to == F32 || to == F64) && type != to)) {
    return false;
  }
  return ShapeUtil::ElementsIn(x.shape()) >=
         ShapeUtil::ElementsIn(other.shape());
}

// dot(x, convert(y)) => dot(x, y), and so on the left, if y has all values and
// many elements, and only dots read the conversion
Result DotOfConversion(HloInstruction* hlo, RuleContext& context) {
  if (hlo->attrs<DotAttrs>().precision_config.algorithm() !=
      PrecisionConfig::ALG_UNSET) {
    return nullptr;
  }
  for (const int64_t i : {1, 0}) {
    HloInstruction* x = hlo->mutable_operand(i);
    const auto is_dot = [](const HloInstruction* user) {
      return user->opcode() == HloOpcode::kDot;
    };
    if (x->IsRoot() || !absl::c_all_of(x->users(), is_dot) ||
        !ReadsBeforeConversion(*x, *hlo->operand(1 - i))) {
      continue;
    }
    std::vector<HloInstruction*> operands = {hlo->mutable_operand(0),
                                             hlo->mutable_operand(1)};
    operands[i] = x->mutable_operand(0);
    return context.Make(HloOpcode::kDot, hlo->shape(), operands,
                        hlo->attrs<DotAttrs>());
  }
  return nullptr;
}

constexpr Rule kDot[] = {DotOfNothing, DotOfZero, DotOfOne, DotOfTranspose,
                         DotOfConversion};

}  // namespace

Rules DotRules() { return kDot; }

}  // namespace xla::algebra
