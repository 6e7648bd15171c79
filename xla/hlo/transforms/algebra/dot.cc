// Rules of dot. The canonicalizers of dots and convolutions choose their forms.
#include <algorithm>
#include <vector>

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

constexpr Rule kDot[] = {DotOfNothing, DotOfZero, DotOfOne};

}  // namespace

Rules DotRules() { return kDot; }

}  // namespace xla::algebra
