// Finds the sums first; then the loop gets an element for each array that is
// collected.
#include "xla/hlo/transforms/loops/while_loop_dot_sinking.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/loops/loop_carry.h"
#include "xla/hlo/transforms/loops/matrix_product.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// The most rows: a product of more rows makes good use of what it reads on its
// own.
constexpr int64_t kMaxSunkRows = 64;
// The most bytes of a collected array.
constexpr int64_t kMaxSunkBytes = 16 << 20;

// An element of the carry to which each iteration adds a product.
struct Sum {
  int64_t element = 0;
  Hlo add = nullptr;
  Hlo transpose = nullptr;  // of the product, or null
  Hlo dot = nullptr;
  Hlo start = nullptr;  // the row of this iteration
  // The arrays that the operands are slices of, or null.
  Hlo whole[2] = {nullptr, nullptr};
};

// Returns whether the iterations take each of 0 to n - 1 once.
bool TakesEachOnce(const CountedLoop& counted, const HloInstruction* start,
                   int64_t n) {
  const auto sequence = SequenceOf(counted, start);
  if (!sequence.has_value() || counted.trip_count != n) return false;
  return (sequence->step == 1 && sequence->first == 0) ||
         (sequence->step == -1 && sequence->first == n - 1);
}

bool IsSumOfOuterProducts(const HloInstruction& dot) {
  return IsMatrixProduct(dot) && dot.user_count() == 1 &&
         ContractedDimension(dot, 0) == 0 && ContractedDimension(dot, 1) == 0 &&
         dot.operand(0)->shape().dimensions(0) <= kMaxSunkRows;
}

// Finds the array that an operand of the product is a slice of.
void FindWhole(const HloInstruction& loop, const CountedLoop& counted, int side,
               Sum& sum) {
  Hlo slice = sum.dot->mutable_operand(side);
  while (slice->opcode() == HloOpcode::kReshape) {
    slice = slice->mutable_operand(0);
  }
  if (!IsOneOfAll(*slice) || !IsFixedElement(loop, slice->operand(0))) return;
  Hlo start = slice->mutable_operand(1);
  if ((sum.start != nullptr && sum.start != start) ||
      !TakesEachOnce(counted, start,
                     slice->operand(0)->shape().dimensions(0))) {
    return;
  }
  sum.start = start;
  sum.whole[side] = slice->mutable_operand(0);
}

std::optional<Sum> FindSum(const HloInstruction& loop,
                           const CountedLoop& counted, int64_t i) {
  Hlo add = loop.while_body()->root_instruction()->mutable_operand(i);
  if (add->opcode() != HloOpcode::kAdd || add->HasControlDependencies()) {
    return std::nullopt;
  }
  for (int side = 0; side < 2; ++side) {
    const HloInstruction* element = add->operand(side);
    Sum sum;
    sum.element = i;
    sum.add = add;
    sum.dot = add->mutable_operand(1 - side);
    if (sum.dot->opcode() == HloOpcode::kTranspose &&
        sum.dot->user_count() == 1) {
      sum.transpose = sum.dot;
      sum.dot = sum.dot->mutable_operand(0);
    }
    if (!IsSumOfOuterProducts(*sum.dot) ||
        !IsPrivateToUpdate(loop, i, *element, *add)) {
      continue;
    }
    FindWhole(loop, counted, 0, sum);
    FindWhole(loop, counted, 1, sum);
    if (sum.start == nullptr) return std::nullopt;
    for (int operand = 0; operand < 2; ++operand) {
      if (sum.whole[operand] == nullptr &&
          ShapeUtil::ByteSizeOfElementsRecursive(
              sum.dot->operand(operand)->shape()) >
              kMaxSunkBytes / counted.trip_count) {
        return std::nullopt;
      }
    }
    return sum;
  }
  return std::nullopt;
}

class Sinker {
 public:
  Sinker(Hlo loop, const CountedLoop& counted, std::vector<Sum> sums)
      : loop_(loop), iterations_(counted.trip_count), sums_(std::move(sums)) {}

  absl::Status Run() {
    HloBuilder before(loop_->parent());
    const std::vector<Hlo> init = InitialElements(loop_);
    std::vector<Hlo> zeros;
    for (const Sum& sum : sums_) {
      for (int side = 0; side < 2; ++side) {
        if (sum.whole[side] != nullptr) continue;
        const Row key(sum.dot->mutable_operand(side), sum.start);
        if (NumberOf(key) < collected_.size()) continue;
        collected_.push_back(key);
        const Shape& shape = key.first->shape();
        zeros.push_back(before.Splat(
            before.Zero(shape.element_type()),
            {iterations_, shape.dimensions(0), shape.dimensions(1)}));
      }
    }
    TF_RETURN_IF_ERROR(before.status());
    const int64_t first = loop_->shape().tuple_shapes_size();
    TF_ASSIGN_OR_RETURN(const ExtendedLoop extended, ExtendCarry(loop_, zeros));
    TF_RETURN_IF_ERROR(Collect(extended, first));
    for (const Sum& sum : sums_) {
      TF_RETURN_IF_ERROR(AddBehind(extended, first, init, sum));
    }
    return absl::OkStatus();
  }

 private:
  // The value that an iteration writes to an array, and the row's index.
  using Row = std::pair<Hlo, Hlo>;

  size_t NumberOf(const Row& row) const {
    return std::find(collected_.begin(), collected_.end(), row) -
           collected_.begin();
  }

  // Puts the operands of this iteration into their arrays.
  absl::Status Collect(const ExtendedLoop& extended, int64_t first) {
    HloComputation* body = extended.loop->while_body();
    HloBuilder emit(body);
    for (size_t i = 0; i < collected_.size(); ++i) {
      const auto [value, start] = collected_[i];
      const Shape& shape = value->shape();
      Hlo row =
          emit.Reshape(value, {1, shape.dimensions(0), shape.dimensions(1)});
      Hlo zero = emit.Zero(start->shape().element_type());
      Hlo updated =
          emit.DynamicUpdateSlice(extended.added[i], row, {start, zero, zero});
      TF_RETURN_IF_ERROR(body->root_instruction()->ReplaceOperandWith(
          first + static_cast<int64_t>(i), updated));
    }
    return emit.status();
  }

  // Leaves the sum unchanged in the loop and adds all products after it.
  absl::Status AddBehind(const ExtendedLoop& extended, int64_t first,
                         const std::vector<Hlo>& init, const Sum& sum) {
    HloBuilder emit(extended.loop->parent());
    Hlo operands[2];
    for (int side = 0; side < 2; ++side) {
      Hlo operand = sum.dot->mutable_operand(side);
      Hlo whole = sum.whole[side] != nullptr
                      ? init[sum.whole[side]->tuple_index()]
                      : emit.Element(extended.loop,
                                     first + static_cast<int64_t>(NumberOf(
                                                 {operand, sum.start})));
      operands[side] =
          emit.Reshape(whole, {iterations_ * operand->shape().dimensions(0),
                               operand->shape().dimensions(1)});
    }
    Hlo product = emit.Dot(operands[0], operands[1], sum.dot->attrs<DotAttrs>(),
                           sum.dot->shape().element_type());
    if (sum.transpose != nullptr) {
      product = emit.Transpose(
          product, sum.transpose->attrs<TransposeAttrs>().dimensions);
    }
    TF_RETURN_IF_ERROR(emit.status());
    HloComputation* body = extended.loop->while_body();
    Hlo unchanged = sum.add->mutable_operand(0);
    if (unchanged->opcode() != HloOpcode::kGetTupleElement ||
        unchanged->tuple_index() != sum.element) {
      unchanged = sum.add->mutable_operand(1);
    }
    TF_RETURN_IF_ERROR(
        body->root_instruction()->ReplaceOperandWith(sum.element, unchanged));
    return extended.result->ReplaceOperandWith(
        sum.element, emit.Plus(init[sum.element], product));
  }

  Hlo loop_;
  int64_t iterations_;
  std::vector<Sum> sums_;
  // The rows that the new elements of the carry collect, in their order.
  std::vector<Row> collected_;
};

std::vector<Sum> FindSums(const HloInstruction& loop,
                          const CountedLoop& counted) {
  std::vector<Sum> sums;
  if (counted.trip_count < 2) return sums;
  for (int64_t i = 0; i < loop.shape().tuple_shapes_size(); ++i) {
    const auto sum = FindSum(loop, counted, i);
    if (sum.has_value()) sums.push_back(*sum);
  }
  return sums;
}

absl::StatusOr<bool> SinkFrom(Hlo loop, CallerCounts& callers) {
  const auto counted = FindCountedLoop(*loop);
  if (!counted.has_value() || FindSums(*loop, *counted).empty()) return false;
  callers.MakeOwnComputations(loop);
  TF_RETURN_IF_ERROR(Sinker(loop, *counted, FindSums(*loop, *counted)).Run());
  return true;
}

}  // namespace

absl::StatusOr<bool> WhileLoopDotSinking::RunImpl(HloModule* module) {
  return ChangeExtensibleLoops(module, SinkFrom);
}

}  // namespace xla
