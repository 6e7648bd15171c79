// Rules of transpose and reverse.
#include <algorithm>
#include <utility>
#include <vector>

#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/algebra/rule.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla::algebra {
namespace {

const std::vector<int64_t>& Permutation(const HloInstruction* hlo) {
  return hlo->attrs<TransposeAttrs>().dimensions;
}

// transpose(x) => x, where no dimension moves
Result TransposeIdentity(HloInstruction* hlo, RuleContext&) {
  const auto& dims = Permutation(hlo);
  return std::is_sorted(dims.begin(), dims.end()) ? Lhs(hlo) : nullptr;
}

// transpose(transpose(x)) => transpose(x)
Result TransposeTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kTranspose);
  if (x == nullptr) return nullptr;
  TransposeAttrs attrs;
  for (int64_t d : Permutation(hlo)) {
    attrs.dimensions.push_back(Permutation(Lhs(hlo))[d]);
  }
  if (std::is_sorted(attrs.dimensions.begin(), attrs.dimensions.end())) {
    return x;
  }
  return context.Make(HloOpcode::kTranspose, hlo->shape(), {x}, attrs);
}

// transpose(x) => reshape(x), where only dimensions of size 1 move
Result TransposeOfOnes(HloInstruction* hlo, RuleContext& context) {
  if (!LeavesInPlace(Lhs(hlo)->shape(), Permutation(hlo))) return nullptr;
  return context.Reshape(hlo->shape(), Lhs(hlo));
}

// transpose(broadcast(x)) => broadcast(x), where dimensions of x keep their
// order
Result TransposeOfBroadcast(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (x == nullptr) return nullptr;
  const auto& permutation = Permutation(hlo);
  BroadcastAttrs attrs;
  for (int64_t d : Lhs(hlo)->attrs<BroadcastAttrs>().dimensions) {
    attrs.dimensions.push_back(
        std::find(permutation.begin(), permutation.end(), d) -
        permutation.begin());
  }
  if (!std::is_sorted(attrs.dimensions.begin(), attrs.dimensions.end())) {
    return nullptr;
  }
  return context.Make(HloOpcode::kBroadcast, hlo->shape(), {x}, attrs);
}

// transpose(iota) => iota
Result TransposeOfIota(HloInstruction* hlo, RuleContext& context) {
  if (!Is(Lhs(hlo), HloOpcode::kIota)) return nullptr;
  const auto& permutation = Permutation(hlo);
  IotaAttrs attrs;
  attrs.iota_dimension =
      std::find(permutation.begin(), permutation.end(),
                Lhs(hlo)->attrs<IotaAttrs>().iota_dimension) -
      permutation.begin();
  return context.Make(HloOpcode::kIota, hlo->shape(), {}, attrs);
}

// Returns whether a dot's sums run along rows of the left operand and down
// columns of the right one, the form that kernels read most cheaply.
bool ReadsRowsByColumns(const DotDimensionNumbers& numbers,
                        const HloInstruction* dot) {
  return numbers.lhs_contracting_dimensions_size() == 1 &&
         numbers.lhs_contracting_dimensions(0) ==
             dot->operand(0)->shape().rank() - 1 &&
         numbers.rhs_contracting_dimensions(0) <
             dot->operand(1)->shape().rank() - 1;
}

// transpose(dot(x, y)) => dot(y, x), where the free dimensions of x and y
// change places, are not few, and the other form costs no more
Result TransposeOfDot(HloInstruction* hlo, RuleContext& context) {
  // The least number of elements in the free dimensions of each operand.
  constexpr int64_t kLeastSize = 32;
  HloInstruction* dot = Lhs(hlo);
  // A dot with control edges would stay and be computed twice.
  if (!Is(dot, HloOpcode::kDot) || !OneUse(dot) || dot->operand_count() != 2 ||
      dot->HasControlDependencies()) {
    return nullptr;
  }
  DotAttrs attrs = dot->attrs<DotAttrs>();
  DotDimensionNumbers& numbers = attrs.dot_dimension_numbers;
  if (ReadsRowsByColumns(numbers, dot)) return nullptr;
  const int64_t batch = numbers.lhs_batch_dimensions_size();
  const int64_t lhs_end =
      Lhs(dot)->shape().rank() - numbers.lhs_contracting_dimensions_size();
  const int64_t rank = dot->shape().rank();
  int64_t sizes[2] = {1, 1};  // of the free dimensions of x and y
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t from = d < batch                    ? d
                         : d < batch + rank - lhs_end ? d + lhs_end - batch
                                                      : d - (rank - lhs_end);
    if (Permutation(hlo)[d] != from) return nullptr;
    if (d < batch) continue;
    int64_t& size = sizes[from >= lhs_end];
    size = std::min(kLeastSize, size * hlo->shape().dimensions(d));
  }
  if (sizes[0] < kLeastSize || sizes[1] < kLeastSize) return nullptr;
  numbers.mutable_lhs_batch_dimensions()->Swap(
      numbers.mutable_rhs_batch_dimensions());
  numbers.mutable_lhs_contracting_dimensions()->Swap(
      numbers.mutable_rhs_contracting_dimensions());
  SwapOperands(attrs.precision_config);
  return context.Make(HloOpcode::kDot, hlo->shape(), {Rhs(dot), Lhs(dot)},
                      attrs);
}

// Returns `hlo` with other dimensions reversed, or its operand if there are
// none.
HloInstruction* MakeReverse(HloInstruction* hlo, RuleContext& context,
                            HloInstruction* x, std::vector<int64_t> dims) {
  if (dims.empty()) return x;
  ReverseAttrs attrs;
  attrs.dimensions = std::move(dims);
  return context.Make(HloOpcode::kReverse, hlo->shape(), {x}, attrs);
}

const std::vector<int64_t>& Reversed(const HloInstruction* hlo) {
  return hlo->attrs<ReverseAttrs>().dimensions;
}

// reverse(x) => reverse(x) of fewer dimensions, without those of size 1
Result ReverseOfOnes(HloInstruction* hlo, RuleContext& context) {
  std::vector<int64_t> dims;
  for (int64_t d : Reversed(hlo)) {
    if (hlo->shape().dimensions(d) != 1) dims.push_back(d);
  }
  if (dims.size() == Reversed(hlo).size() && !dims.empty()) return nullptr;
  return MakeReverse(hlo, context, Lhs(hlo), std::move(dims));
}

// reverse(reverse(x)) => reverse(x) or x
Result ReverseTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kReverse);
  if (x == nullptr) return nullptr;
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < hlo->shape().rank(); ++d) {
    if (Contains(Reversed(hlo), d) != Contains(Reversed(Lhs(hlo)), d)) {
      dims.push_back(d);
    }
  }
  return MakeReverse(hlo, context, x, std::move(dims));
}

// reverse(broadcast(x)) => broadcast(x), along dimensions that the broadcast
// adds
Result ReverseOfBroadcast(HloInstruction* hlo, RuleContext& context) {
  if (!Is(Lhs(hlo), HloOpcode::kBroadcast)) return nullptr;
  const auto& old = Lhs(hlo)->attrs<BroadcastAttrs>().dimensions;
  std::vector<int64_t> dims;
  for (int64_t d : Reversed(hlo)) {
    if (Contains(old, d)) dims.push_back(d);
  }
  if (dims.size() == Reversed(hlo).size()) return nullptr;
  return MakeReverse(hlo, context, Lhs(hlo), std::move(dims));
}

constexpr Rule kTranspose[] = {
    TransposeIdentity,    TransposeTwice,  TransposeOfOnes,
    TransposeOfBroadcast, TransposeOfIota, TransposeOfDot,
};
constexpr Rule kReverse[] = {ReverseOfOnes, ReverseTwice, ReverseOfBroadcast};

}  // namespace

Rules TransposeRules() { return kTranspose; }
Rules ReverseRules() { return kReverse; }

}  // namespace xla::algebra
