// Chooses an order of dimensions for each side, then reshapes.
#include "xla/hlo/transforms/linear/dot_canonicalizer.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// One operand, with its dimensions by kind.
struct Side {
  Shape shape;
  Dims batch, free, contracting;

  template <typename Ints>
  Side(const Shape& s, const Ints& batch_dims, const Ints& contracting_dims)
      : shape(s),
        batch(batch_dims.begin(), batch_dims.end()),
        contracting(contracting_dims.begin(), contracting_dims.end()) {
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (!absl::c_linear_search(batch, d) &&
          !absl::c_linear_search(contracting, d)) {
        free.push_back(d);
      }
    }
  }

  Dims Order(bool free_first) const {
    Dims order = batch;
    const Dims& first = free_first ? free : contracting;
    const Dims& second = free_first ? contracting : free;
    order.insert(order.end(), first.begin(), first.end());
    order.insert(order.end(), second.begin(), second.end());
    return order;
  }
  int64_t ElementsMoved() const {
    return LeavesInPlace(shape, Order(true)) ||
                   LeavesInPlace(shape, Order(false))
               ? 0
               : ShapeUtil::ElementsIn(shape);
  }
};

// Chooses the order of contracting dimension pairs that moves the least data.
void OrderContracting(Side& lhs, Side& rhs) {
  const size_t n = lhs.contracting.size();
  const Dims given_lhs = lhs.contracting, given_rhs = rhs.contracting;
  Dims as_given(n);
  std::iota(as_given.begin(), as_given.end(), 0);
  Dims by_lhs = as_given, by_rhs = as_given;
  absl::c_sort(by_lhs, [&](int64_t a, int64_t b) {
    return given_lhs[a] < given_lhs[b];
  });
  absl::c_sort(by_rhs, [&](int64_t a, int64_t b) {
    return given_rhs[a] < given_rhs[b];
  });
  double best = std::numeric_limits<double>::infinity();
  Dims best_lhs, best_rhs;
  for (const Dims& order : {as_given, by_lhs, by_rhs}) {
    for (size_t i = 0; i < n; ++i) {
      lhs.contracting[i] = given_lhs[order[i]];
      rhs.contracting[i] = given_rhs[order[i]];
    }
    const double moved = static_cast<double>(lhs.ElementsMoved()) +
                         static_cast<double>(rhs.ElementsMoved());
    if (moved < best) {
      best = moved;
      best_lhs = lhs.contracting;
      best_rhs = rhs.contracting;
    }
  }
  lhs.contracting = best_lhs;
  rhs.contracting = best_rhs;
}

// Returns the operand as [b,free,contracting], or with the last two swapped,
// and sets `free_first` accordingly.
Hlo Collapse(HloBuilder& emit, Hlo operand, const Side& side, bool prefer_free,
             bool has_batch, bool* free_first) {
  *free_first = prefer_free;
  Dims order = side.Order(prefer_free);
  const Dims other = side.Order(!prefer_free);
  const int64_t last = side.shape.rank() - 1;
  // A transpose that leaves the last dimension in place copies whole rows.
  if (!LeavesInPlace(side.shape, order) &&
      (LeavesInPlace(side.shape, other) ||
       (order.back() != last && other.back() == last))) {
    *free_first = !prefer_free;
    order = other;
  }
  if (!LeavesInPlace(side.shape, order))
    operand = emit.Transpose(operand, order);
  Dims sizes;
  if (has_batch) sizes.push_back(Product(side.shape.dimensions(), side.batch));
  const int64_t free = Product(side.shape.dimensions(), side.free);
  const int64_t depth = Product(side.shape.dimensions(), side.contracting);
  sizes.push_back(*free_first ? free : depth);
  sizes.push_back(*free_first ? depth : free);
  return emit.Reshape(operand, sizes);
}

bool IsCanonical(const Side& side) {
  return side.free.size() == 1 && side.contracting.size() == 1 &&
         (side.batch.empty() || (side.batch.size() == 1 && side.batch[0] == 0));
}

absl::StatusOr<bool> CanonicalizeDot(Hlo dot) {
  const DotAttrs& attrs = dot->attrs<DotAttrs>();
  const DotDimensionNumbers& dnums = attrs.dot_dimension_numbers;
  Side lhs(dot->operand(0)->shape(), dnums.lhs_batch_dimensions(),
           dnums.lhs_contracting_dimensions());
  Side rhs(dot->operand(1)->shape(), dnums.rhs_batch_dimensions(),
           dnums.rhs_contracting_dimensions());
  if (lhs.shape.is_dynamic() || rhs.shape.is_dynamic() ||
      (IsCanonical(lhs) && IsCanonical(rhs))) {
    return false;
  }
  OrderContracting(lhs, rhs);
  HloBuilder emit(dot);
  const bool has_batch = Product(lhs.shape.dimensions(), lhs.batch) != 1;
  bool lhs_free_first, rhs_free_first;
  Hlo left = Collapse(emit, dot->mutable_operand(0), lhs, /*prefer_free=*/true,
                      has_batch, &lhs_free_first);
  Hlo right = Collapse(emit, dot->mutable_operand(1), rhs,
                       /*prefer_free=*/false, has_batch, &rhs_free_first);
  DotAttrs simple;
  simple.precision_config = attrs.precision_config;
  DotDimensionNumbers& numbers = simple.dot_dimension_numbers;
  if (has_batch) {
    numbers.add_lhs_batch_dimensions(0);
    numbers.add_rhs_batch_dimensions(0);
  }
  const int first = has_batch ? 1 : 0;
  numbers.add_lhs_contracting_dimensions(first + (lhs_free_first ? 1 : 0));
  numbers.add_rhs_contracting_dimensions(first + (rhs_free_first ? 1 : 0));
  Hlo product =
      emit.Dot(left, right, std::move(simple), dot->shape().element_type());
  product->set_raw_backend_config_string(dot->raw_backend_config_string());
  const Dims result(dot->shape().dimensions().begin(),
                    dot->shape().dimensions().end());
  TF_RETURN_IF_ERROR(emit.ReplaceSource(emit.Reshape(product, result)));
  return true;
}

}  // namespace

absl::StatusOr<bool> DotCanonicalizer::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kDot) continue;
      TF_ASSIGN_OR_RETURN(bool once, CanonicalizeDot(hlo));
      changed |= once;
    }
  }
  return changed;
}

}  // namespace xla
