// Group g of a row of positions is [end of g - 1, end of g).
#include "xla/hlo/transforms/linear/ragged_dot_expander.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

class Expander {
 public:
  explicit Expander(Hlo hlo)
      : hlo_(hlo),
        emit_(hlo),
        attrs_(hlo->attrs<RaggedDotAttrs>()),
        numbers_(attrs_.ragged_dot_dimension_numbers),
        dot_(numbers_.dot_dimension_numbers()),
        ragged_(numbers_.lhs_ragged_dimensions(0)),
        lhs_(hlo->mutable_operand(0)),
        rhs_(hlo->mutable_operand(1)),
        groups_(hlo->operand(2)->shape().dimensions().back()) {}

  absl::Status Run() {
    if (absl::c_linear_search(dot_.lhs_batch_dimensions(), ragged_)) {
      return emit_.ReplaceSource(Dot(lhs_, rhs_, dot_));
    }
    if (absl::c_linear_search(dot_.lhs_contracting_dimensions(), ragged_)) {
      return emit_.ReplaceSource(Contracting());
    }
    return emit_.ReplaceSource(Free());
  }

 private:
  Hlo Dot(Hlo lhs, Hlo rhs, DotDimensionNumbers numbers) {
    DotAttrs attrs;
    attrs.dot_dimension_numbers = std::move(numbers);
    attrs.precision_config = attrs_.precision_config;
    return emit_.Dot(lhs, rhs, std::move(attrs), hlo_->shape().element_type());
  }

  // Dimensions of lhs that are neither batch nor contracting.
  Dims LhsFree() const {
    Dims free;
    for (int64_t d = 0; d < lhs_->shape().rank(); ++d) {
      if (!absl::c_linear_search(dot_.lhs_batch_dimensions(), d) &&
          !absl::c_linear_search(dot_.lhs_contracting_dimensions(), d)) {
        free.push_back(d);
      }
    }
    return free;
  }

  // Returns s64[prefix..., g]: the sums of the group sizes up to and including
  // each.
  Hlo GroupEnds() {
    Hlo sizes = emit_.Convert(hlo_->mutable_operand(2), S64);
    const int64_t rank = sizes->shape().rank();
    Dims square(sizes->shape().dimensions().begin(),
                sizes->shape().dimensions().end());
    square.push_back(groups_);
    Dims from;
    for (int64_t d = 0; d + 1 < rank; ++d) from.push_back(d);
    from.push_back(rank);
    Hlo all = emit_.Broadcast(sizes, square, from);
    Hlo group = emit_.Iota(S64, square, rank - 1);
    Hlo other = emit_.Iota(S64, square, rank);
    Hlo counts = emit_.Compare(ComparisonDirection::kLe, other, group);
    Hlo zero = emit_.Integer(S64, 0);
    Hlo counted = emit_.Select(counts, all, emit_.Splat(zero, square));
    return emit_.Reduce(HloOpcode::kAdd, counted, zero, {rank});
  }

  // Returns pred[sizes...]: whether the position in dimension `along` is in the
  // group in dimension `group`. Dimensions 0 to along - 1 correspond to the
  // rows of group sizes.
  Hlo Mask(const Dims& sizes, int64_t along, int64_t group) {
    Hlo ends = GroupEnds();
    Hlo starts =
        emit_.Minus(ends, emit_.Convert(hlo_->mutable_operand(2), S64));
    Dims from;
    for (int64_t d = 0; d + 1 < ends->shape().rank(); ++d) from.push_back(d);
    from.push_back(group);
    Hlo position = emit_.Iota(S64, sizes, along);
    Hlo first = emit_.Broadcast(starts, sizes, from);
    Hlo end = emit_.Broadcast(ends, sizes, from);
    Hlo begun = emit_.Compare(ComparisonDirection::kLe, first, position);
    Hlo within = emit_.Compare(ComparisonDirection::kLt, position, end);
    return emit_.And(begun, within);
  }

  Hlo Free() {
    const int64_t group_dim = numbers_.rhs_group_dimensions(0);
    const Dims free = LhsFree();
    const int64_t batches = dot_.lhs_batch_dimensions_size();
    Dims sizes;
    for (int64_t d : dot_.lhs_batch_dimensions()) {
      sizes.push_back(lhs_->shape().dimensions(d));
    }
    for (int64_t d : free) sizes.push_back(lhs_->shape().dimensions(d));
    const int64_t lhs_dims = sizes.size();
    int64_t group = -1;
    for (int64_t d = 0; d < rhs_->shape().rank(); ++d) {
      if (absl::c_linear_search(dot_.rhs_batch_dimensions(), d) ||
          absl::c_linear_search(dot_.rhs_contracting_dimensions(), d)) {
        continue;
      }
      if (d == group_dim) group = sizes.size();
      sizes.push_back(rhs_->shape().dimensions(d));
    }
    Hlo products = Dot(lhs_, rhs_, dot_);
    // The mask has the dimensions of lhs and the group.
    Dims mask_sizes(sizes.begin(), sizes.begin() + lhs_dims);
    mask_sizes.push_back(groups_);
    const int64_t along =
        batches + (absl::c_find(free, ragged_) - free.begin());
    Hlo mask = Mask(mask_sizes, along, lhs_dims);
    Dims to;
    for (int64_t d = 0; d < lhs_dims; ++d) to.push_back(d);
    to.push_back(group);
    const PrimitiveType type = hlo_->shape().element_type();
    Hlo zero = emit_.Zero(type);
    Hlo zeros = emit_.Splat(zero, sizes);
    Hlo masked =
        emit_.Select(emit_.Broadcast(mask, sizes, to), products, zeros);
    return emit_.Reduce(HloOpcode::kAdd, masked, zero, {group});
  }

  // Returns [g, dims of operand], in which only elements of the group are not
  // zero. `batch` and `contracting` are the operand's, in the order of the
  // pairs.
  template <typename Ints>
  Hlo Grouped(Hlo operand, const Ints& batch, const Ints& contracting) {
    // The dimensions that the group sizes have, in their order.
    Dims known(batch.begin(), batch.end());
    int64_t along = -1;
    for (int i = 0; i < contracting.size(); ++i) {
      if (dot_.lhs_contracting_dimensions(i) == ragged_) {
        along = known.size();
        known.push_back(contracting[i]);
        break;
      }
      known.push_back(contracting[i]);
    }
    Dims mask_sizes, to;
    for (int64_t d : known) {
      mask_sizes.push_back(operand->shape().dimensions(d));
      to.push_back(d + 1);
    }
    mask_sizes.push_back(groups_);
    to.push_back(0);
    Hlo mask = Mask(mask_sizes, along, mask_sizes.size() - 1);
    Dims sizes = {groups_}, shifted;
    for (int64_t d = 0; d < operand->shape().rank(); ++d) {
      sizes.push_back(operand->shape().dimensions(d));
      shifted.push_back(d + 1);
    }
    Hlo kept = emit_.Broadcast(mask, sizes, to);
    Hlo values = emit_.Broadcast(operand, sizes, shifted);
    Hlo zeros = emit_.Splat(emit_.Zero(operand->shape().element_type()), sizes);
    return emit_.Select(kept, values, zeros);
  }

  Hlo Contracting() {
    Hlo lhs = Grouped(lhs_, dot_.lhs_batch_dimensions(),
                      dot_.lhs_contracting_dimensions());
    Hlo rhs = Grouped(rhs_, dot_.rhs_batch_dimensions(),
                      dot_.rhs_contracting_dimensions());
    DotDimensionNumbers numbers;
    numbers.add_lhs_batch_dimensions(0);
    numbers.add_rhs_batch_dimensions(0);
    for (int64_t d : dot_.lhs_batch_dimensions()) {
      numbers.add_lhs_batch_dimensions(d + 1);
    }
    for (int64_t d : dot_.rhs_batch_dimensions()) {
      numbers.add_rhs_batch_dimensions(d + 1);
    }
    for (int64_t d : dot_.lhs_contracting_dimensions()) {
      numbers.add_lhs_contracting_dimensions(d + 1);
    }
    for (int64_t d : dot_.rhs_contracting_dimensions()) {
      numbers.add_rhs_contracting_dimensions(d + 1);
    }
    return Dot(lhs, rhs, std::move(numbers));
  }

  Hlo hlo_;
  HloBuilder emit_;
  const RaggedDotAttrs attrs_;
  const RaggedDotDimensionNumbers& numbers_;
  const DotDimensionNumbers& dot_;
  const int64_t ragged_;
  Hlo lhs_, rhs_;
  const int64_t groups_;
};

}  // namespace

absl::StatusOr<bool> RaggedDotExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kRaggedDot || hlo->shape().is_dynamic() ||
          hlo->operand(0)->shape().is_dynamic() ||
          hlo->operand(1)->shape().is_dynamic() ||
          hlo->operand(2)->shape().is_dynamic()) {
        continue;
      }
      TF_RETURN_IF_ERROR(Expander(hlo).Run());
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
