// Tries each order of a dot's dimensions, and takes the one that moves least.
#include "xla/hlo/transforms/linear/dot_result_order.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

// What it costs to move an element: in rows that stay whole, one by one, and by
// kernels that read columns of their left operand.
constexpr double kRowMoveCost = 1;
constexpr double kElementMoveCost = 3;
constexpr double kReadColumnCost = 0.5;
// Products of fewer columns do not fill vectors.
constexpr int64_t kMinColumns = 16;

// Positions of dimensions, in an operand or in the result of the dot.
using Positions = std::vector<int64_t>;

// One operand: its dimensions by kind, and where the free ones are in the
// result.
struct DotSide {
  const Shape* shape;
  Positions batch, free, contracting, free_in_result;

  int64_t free_elements() const { return Product(shape->dimensions(), free); }
};

// A form of the dot. Its result has the batch dimensions, the free ones of
// operand `left`, and those of the other operand; `batch` and `free` say in
// which order, as indices of DotSide::batch and DotSide::free.
struct DotForm {
  int left = 0;
  Positions batch, free[2];
};

// What a form moves and, where that is the same, how many dimensions of the
// result are in another order than the reader's.
using FormCost = std::pair<double, int64_t>;

class OrderedDot {
 public:
  // `reader` has for each dimension of the transpose that of the dot.
  OrderedDot(const HloInstruction& dot, absl::Span<const int64_t> reader)
      : dot_(dot), place_(reader.size()) {
    for (size_t i = 0; i < reader.size(); ++i) place_[reader[i]] = i;
    const DotDimensionNumbers& numbers =
        dot.attrs<DotAttrs>().dot_dimension_numbers;
    sides_[0] = SideOf(0, numbers.lhs_batch_dimensions(),
                       numbers.lhs_contracting_dimensions());
    sides_[1] = SideOf(1, numbers.rhs_batch_dimensions(),
                       numbers.rhs_contracting_dimensions());
  }

  // Returns the form that moves least; nullopt if that is the present one.
  std::optional<DotForm> Best() const {
    std::optional<DotForm> best;
    FormCost least = CostOf(Present());
    for (const Positions& batch : BatchOrders()) {
      for (int choice = 0; choice < 8; ++choice) {
        DotForm form = Present();
        form.batch = batch;
        for (int s = 0; s < 2; ++s) {
          if ((choice >> s & 1) != 0) {
            SortByPlace(sides_[s].free_in_result, form.free[s]);
          }
        }
        if ((choice & 4) != 0) form.left = 1;
        if (form.left == 1 && !MaySwap()) continue;
        const FormCost cost = CostOf(form);
        if (cost >= least) continue;
        least = cost;
        best = std::move(form);
      }
    }
    return best;
  }

  // Returns what replaces the dot: the transpose of a dot of this form.
  HloInstruction* Make(const DotForm& form, HloBuilder& emit) const {
    HloInstruction* operands[2];
    DotAttrs attrs;
    attrs.precision_config = dot_.attrs<DotAttrs>().precision_config;
    if (form.left == 1) SwapOperands(attrs.precision_config);
    DotDimensionNumbers& numbers = attrs.dot_dimension_numbers;
    for (int i = 0; i < 2; ++i) {
      const int s = i ^ form.left;
      Positions batch, contracting;
      operands[i] = MakeOperand(form, s, batch, contracting, emit);
      auto& batch_numbers = i == 0 ? *numbers.mutable_lhs_batch_dimensions()
                                   : *numbers.mutable_rhs_batch_dimensions();
      auto& contracting_numbers =
          i == 0 ? *numbers.mutable_lhs_contracting_dimensions()
                 : *numbers.mutable_rhs_contracting_dimensions();
      batch_numbers.Assign(batch.begin(), batch.end());
      contracting_numbers.Assign(contracting.begin(), contracting.end());
    }
    HloInstruction* product =
        emit.Dot(operands[0], operands[1], std::move(attrs),
                 dot_.shape().element_type());
    product->set_raw_backend_config_string(dot_.raw_backend_config_string());
    return emit.Transpose(product, InverseOf(ResultOrder(form)));
  }

 private:
  template <typename Ints>
  DotSide SideOf(int operand, const Ints& batch,
                 const Ints& contracting) const {
    DotSide side;
    side.shape = &dot_.operand(operand)->shape();
    side.batch.assign(batch.begin(), batch.end());
    side.contracting.assign(contracting.begin(), contracting.end());
    int64_t place = side.batch.size();
    if (operand == 1) place += sides_[0].free.size();
    for (int64_t d = 0; d < side.shape->rank(); ++d) {
      if (absl::c_linear_search(side.batch, d) ||
          absl::c_linear_search(side.contracting, d)) {
        continue;
      }
      side.free.push_back(d);
      side.free_in_result.push_back(place++);
    }
    return side;
  }

  static Positions FirstN(int64_t n) {
    Positions numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }
  DotForm Present() const {
    return {0,
            FirstN(sides_[0].batch.size()),
            {FirstN(sides_[0].free.size()), FirstN(sides_[1].free.size())}};
  }
  // Sorts indices of `in_result` by where the reader has these dimensions.
  void SortByPlace(const Positions& in_result, Positions& indices) const {
    absl::c_sort(indices, [&](int64_t a, int64_t b) {
      return place_[in_result[a]] < place_[in_result[b]];
    });
  }

  // Returns orders of the batch dimensions: those of either operand, and the
  // reader's.
  std::vector<Positions> BatchOrders() const {
    std::vector<Positions> orders = {Present().batch};
    for (const DotSide& side : sides_) {
      orders.push_back(orders[0]);
      absl::c_sort(orders.back(), [&](int64_t a, int64_t b) {
        return side.batch[a] < side.batch[b];
      });
    }
    orders.push_back(orders[0]);
    SortByPlace(orders[0], orders.back());
    return orders;
  }
  // Whether the operands may change sides.
  bool MaySwap() const {
    return !absl::c_is_sorted(place_) &&
           sides_[0].free_elements() >= kMinColumns;
  }
  // Returns the dimensions of the present result in the order of the form's.
  Positions ResultOrder(const DotForm& form) const {
    Positions order = form.batch;
    for (int s : {form.left, 1 - form.left}) {
      for (int64_t i : form.free[s]) {
        order.push_back(sides_[s].free_in_result[i]);
      }
    }
    return order;
  }
  // Returns the dimensions of operand `s` as the form needs them, the
  // contracting ones in the middle or last.
  Positions OperandOrder(const DotForm& form, int s, bool free_last) const {
    const DotSide& side = sides_[s];
    Positions order;
    for (int64_t i : form.batch) order.push_back(side.batch[i]);
    Positions contracting = side.contracting;
    absl::c_sort(contracting);  // as it fits this side best
    if (free_last) {
      order.insert(order.end(), contracting.begin(), contracting.end());
    }
    for (int64_t i : form.free[s]) order.push_back(side.free[i]);
    if (!free_last) {
      order.insert(order.end(), contracting.begin(), contracting.end());
    }
    return order;
  }

  FormCost CostOf(const DotForm& form) const {
    double cost = 0;
    for (int s = 0; s < 2; ++s) {
      const Shape& shape = *sides_[s].shape;
      const double elements = static_cast<double>(ShapeUtil::ElementsIn(shape));
      if (LeavesInPlace(shape, OperandOrder(form, s, false))) continue;
      if (!LeavesInPlace(shape, OperandOrder(form, s, true))) {
        cost += kRowMoveCost * elements;
      } else if (s == form.left) {
        cost += kReadColumnCost * elements;
      }
    }
    // The reader's dimensions as those of the form's result.
    const Positions order = ResultOrder(form);
    Positions places;
    for (int64_t d : order) {
      if (dot_.shape().dimensions(d) != 1) places.push_back(place_[d]);
    }
    int64_t inversions = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      inversions +=
          std::count_if(places.begin() + i, places.end(),
                        [&](int64_t place) { return place < places[i]; });
    }
    if (inversions > 0) {
      const bool whole_rows = places.back() == *absl::c_max_element(places);
      cost += (whole_rows ? kRowMoveCost : kElementMoveCost) *
              static_cast<double>(ShapeUtil::ElementsIn(dot_.shape()));
    }
    return {cost, inversions};
  }

  HloInstruction* MakeOperand(const DotForm& form, int s, Positions& batch,
                              Positions& contracting, HloBuilder& emit) const {
    const DotSide& side = sides_[s];
    HloInstruction* operand = const_cast<HloInstruction*>(dot_.operand(s));
    Positions order = FirstN(side.shape->rank());
    for (size_t i = 0; i < side.free.size(); ++i) {
      order[side.free[i]] = side.free[form.free[s][i]];
    }
    for (int64_t i : form.batch) batch.push_back(side.batch[i]);
    contracting = side.contracting;
    return emit.Transpose(operand, order);
  }

  const HloInstruction& dot_;
  // Where the reader has each dimension of the result.
  Positions place_;
  DotSide sides_[2];
};

// Returns the order of the transpose that alone reads `dot`, through
// conversions, or the result's if there is none.
Positions ReadOrder(const HloInstruction& dot) {
  const HloInstruction* hlo = &dot;
  while (!hlo->IsRoot() && hlo->user_count() == 1) {
    hlo = hlo->users()[0];
    if (hlo->opcode() == HloOpcode::kTranspose) {
      return hlo->attrs<TransposeAttrs>().dimensions;
    }
    if (hlo->opcode() != HloOpcode::kConvert) break;
  }
  Positions order(dot.shape().rank());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

absl::StatusOr<bool> OrderResult(HloInstruction* dot) {
  if (!dot->shape().is_static() || !dot->operand(0)->shape().is_static() ||
      !dot->operand(1)->shape().is_static() || dot->HasControlDependencies()) {
    return false;
  }
  const Positions reader = ReadOrder(*dot);
  const OrderedDot ordered(*dot, reader);
  const std::optional<DotForm> best = ordered.Best();
  if (!best.has_value()) return false;
  HloBuilder emit(dot);
  TF_RETURN_IF_ERROR(emit.ReplaceSource(ordered.Make(*best, emit)));
  return true;
}

}  // namespace

absl::StatusOr<bool> DotResultOrder::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kDot) continue;
      TF_ASSIGN_OR_RETURN(bool once, OrderResult(hlo));
      changed |= once;
    }
  }
  return changed;
}

}  // namespace xla
