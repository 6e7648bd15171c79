// Scatter into the memory of its operands: updates one after the other, each
// window in vectors.
#include <algorithm>
#include <bit>
#include <vector>

#include "xla/backends/cpu/codegen/instruction_emitter.h"
#include "xla/backends/cpu/codegen/loop_emitter.h"
#include "xla/backends/cpu/codegen/loops.h"
#include "xla/backends/cpu/codegen/reducer.h"
#include "xla/backends/cpu/codegen/work.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/in_place.h"
#include "xla/hlo/ops/movement/gather_scatter.h"

namespace xla::cpu {
namespace {

template <typename List>
int64_t Find(const List& list, int64_t value) {
  auto it = std::find(list.begin(), list.end(), value);
  return it == list.end() ? -1 : it - list.begin();
}

class Scatter {
 public:
  Scatter(BoundInstruction& bound, const HloInstruction& scatter)
      : bound_(bound),
        emitter_(bound.emitter()),
        b_(emitter_.b()),
        scatter_(scatter),
        numbers_(scatter.attrs<ScatterAttrs>().dimension_numbers),
        inputs_(scatter.operand_count() / 2),
        operand_(scatter.operand(0)->shape()),
        indices_(*scatter.operand(inputs_)),
        updates_(scatter.operand(inputs_ + 1)->shape()) {
    for (size_t d = 0; d < updates_.dimensions().size(); ++d) {
      const bool window = Find(numbers_.update_window_dims(), d) >= 0;
      (window ? window_dims_ : scatter_dims_).push_back(d);
    }
    // Dimensions of the operand that the window has, in order.
    for (size_t d = 0; d < operand_.dimensions().size(); ++d) {
      if (Find(numbers_.inserted_window_dims(), d) < 0 &&
          Find(numbers_.input_batching_dims(), d) < 0) {
        operand_window_dims_.push_back(d);
      }
    }
  }

  absl::Status Emit() {
    if (ShapeUtil::ElementsIn(updates_) == 0 ||
        ShapeUtil::ElementsIn(operand_) == 0) {
      return absl::OkStatus();
    }
    std::vector<int64_t> sizes;
    for (int64_t d : scatter_dims_) sizes.push_back(updates_.dimensions(d));
    return EmitForEach(b_, sizes, [&](absl::Span<llvm::Value* const> at) {
      return EmitUpdate(at);
    });
  }

 private:
  IndexTerm Loop(llvm::Value* i, int64_t size) const {
    return {.base = i, .min = 0, .max = size - 1};
  }

  int64_t WindowSize(size_t operand_dim) const {
    const int64_t w = Find(operand_window_dims_, operand_dim);
    return w < 0 ? 1 : updates_.dimensions(window_dims_[w]);
  }

  // The i64 that component `k` of the index vector at `at` is.
  absl::StatusOr<llvm::Value*> Component(absl::Span<llvm::Value* const> at,
                                         int64_t k) {
    const TermBuilder t(b_, 1);
    LaneIndex index;
    for (size_t i = 0; i < at.size(); ++i) {
      index.terms.push_back(Loop(at[i], updates_.dimensions(scatter_dims_[i])));
    }
    const int64_t vector_dim = numbers_.index_vector_dim();
    if (vector_dim <
        static_cast<int64_t>(indices_.shape().dimensions().size())) {
      index.terms.insert(index.terms.begin() + vector_dim, t.Constant(k));
    }
    if (index.terms.empty()) index.linear = t.Constant(0);
    TF_ASSIGN_OR_RETURN(Element element, emitter_.Emit(&indices_, index));
    const PrimitiveType type = indices_.shape().element_type();
    const bool is_signed = primitive_util::IsSignedIntegralType(type);
    llvm::Value* value =
        b_.CreateIntCast(element.value, b_.getInt64Ty(), is_signed);
    if (!is_signed && primitive_util::BitWidth(type) == 64) {
      value = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, value,
                                       b_.getInt64(INT64_MAX));
    }
    return value;
  }

  absl::Status EmitUpdate(absl::Span<llvm::Value* const> at) {
    ElementalEmitter::Scope scope(emitter_);
    const TermBuilder t(b_, 1);
    llvm::Value* inside = b_.getTrue();
    std::vector<IndexTerm> starts;
    for (size_t d = 0; d < operand_.dimensions().size(); ++d) {
      IndexTerm start = t.Constant(0);
      const int64_t largest = operand_.dimensions(d) - WindowSize(d);
      if (int64_t b = Find(numbers_.input_batching_dims(), d); b >= 0) {
        start =
            Loop(at[ScatterLoopOf(numbers_.scatter_indices_batching_dims(b))],
                 operand_.dimensions(d));
      } else if (int64_t k = Find(numbers_.scatter_dims_to_operand_dims(), d);
                 k >= 0) {
        TF_ASSIGN_OR_RETURN(start.base, Component(at, k));
        // One unsigned comparison: negative numbers are large ones.
        inside = b_.CreateAnd(
            inside, b_.CreateICmpULE(start.base, b_.getInt64(largest)));
        start = {.base = start.base, .min = 0, .max = largest};
      }
      starts.push_back(start);
    }
    return EmitWhen(b_, inside, [&] { return EmitWindow(at, starts); });
  }

  // The loop over updates that dimension `d` of the indices is.
  int64_t ScatterLoopOf(int64_t d) const {
    return d - (numbers_.index_vector_dim() < d ? 1 : 0);
  }

  absl::Status EmitWindow(absl::Span<llvm::Value* const> at,
                          absl::Span<const IndexTerm> starts) {
    ElementalEmitter::Scope scope(emitter_);
    std::vector<int64_t> sizes;
    for (int64_t d : window_dims_) sizes.push_back(updates_.dimensions(d));
    // The last window dimension goes in vectors.
    const int64_t length = sizes.empty() ? 1 : sizes.back();
    if (!sizes.empty()) sizes.pop_back();
    return EmitForEach(
        b_, sizes, [&](absl::Span<llvm::Value* const> window) -> absl::Status {
          const int width = bound_.context().target.Lanes(
              RegisterBytes(operand_.element_type()));
          const int lanes = static_cast<int>(std::min<int64_t>(
              width, std::bit_floor(static_cast<uint64_t>(length))));
          const int64_t whole = length - length % lanes;
          auto emit = [&](llvm::Value* i, int step) {
            return EmitElements(at, starts, window, i, length, step);
          };
          TF_RETURN_IF_ERROR(
              EmitFor(b_, b_.getInt64(0), b_.getInt64(whole), lanes,
                      [&](llvm::Value* i) { return emit(i, lanes); }));
          return EmitFor(b_, b_.getInt64(whole), b_.getInt64(length), 1,
                         [&](llvm::Value* i) { return emit(i, 1); });
        });
  }

  absl::Status EmitElements(absl::Span<llvm::Value* const> at,
                            absl::Span<const IndexTerm> starts,
                            absl::Span<llvm::Value* const> window,
                            llvm::Value* i, int64_t length, int lanes) {
    ElementalEmitter::Scope scope(emitter_);
    const TermBuilder t(b_, lanes);
    LaneIndex update{.lanes = lanes};
    LaneIndex target{.lanes = lanes};
    size_t scatter = 0;
    size_t w = 0;
    for (size_t d = 0; d < updates_.dimensions().size(); ++d) {
      const int64_t size = updates_.dimensions(d);
      if (Find(window_dims_, d) < 0) {
        update.terms.push_back(Loop(at[scatter++], size));
      } else if (w < window.size()) {
        update.terms.push_back(Loop(window[w++], size));
      } else {
        IndexTerm last = Loop(i, length);
        last.step = lanes == 1 ? 0 : 1;
        update.terms.push_back(last);
      }
    }
    for (size_t d = 0; d < starts.size(); ++d) {
      const int64_t k = Find(operand_window_dims_, d);
      target.terms.push_back(
          k < 0 ? starts[d] : t.Add(starts[d], update.terms[window_dims_[k]]));
    }
    if (update.terms.empty()) update.linear = t.Constant(0);
    if (target.terms.empty()) target.linear = t.Constant(0);
    std::vector<Element> arguments;
    for (const Root& root : bound_.roots()) {
      arguments.push_back(root.array.Load(emitter_.context(), target));
    }
    for (int64_t k = 0; k < inputs_; ++k) {
      TF_ASSIGN_OR_RETURN(
          Element element,
          emitter_.Emit(scatter_.operand(inputs_ + 1 + k), update));
      arguments.push_back(Splat(b_, element, lanes));
    }
    TF_ASSIGN_OR_RETURN(
        std::vector<Element> results,
        emitter_.EmitComputation(*scatter_.to_apply(), arguments));
    for (int64_t k = 0; k < inputs_; ++k) {
      bound_.roots()[k].array.Store(emitter_.context(), target, results[k]);
    }
    return absl::OkStatus();
  }

  BoundInstruction& bound_;
  ElementalEmitter& emitter_;
  llvm::IRBuilder<>& b_;
  const HloInstruction& scatter_;
  const ScatterDimensionNumbers& numbers_;
  const int64_t inputs_;
  const Shape& operand_;
  const HloInstruction& indices_;
  const Shape& updates_;
  std::vector<int64_t> window_dims_;          // of updates
  std::vector<int64_t> scatter_dims_;         // of updates
  std::vector<int64_t> operand_window_dims_;  // beside window_dims_
};

}  // namespace

namespace {

// The operands where the results are, unless they are there already.
absl::Status CopyOperands(BoundInstruction& bound,
                          const HloInstruction& scatter) {
  llvm::IRBuilder<>& b = bound.emitter().b();
  for (size_t leaf = 0; leaf < bound.roots().size(); ++leaf) {
    if (InPlaceOperand(&bound.instruction(), leaf).has_value()) continue;
    ElementalEmitter::Scope scope(bound.emitter());
    const HloInstruction* operand = scatter.operand(leaf);
    const Shape& shape = operand->shape();
    const LoopOutput output{.value = operand,
                            .array = bound.roots()[leaf].array};
    const LoopPlan plan =
        PlanLoop(shape, ValuesOf(bound.instruction()), bound.context().target);
    TF_RETURN_IF_ERROR(EmitLoop(bound.emitter(), plan, shape, {&output, 1},
                                b.getInt64(0), b.getInt64(plan.items()),
                                /*in_place=*/false));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status EmitScatter(BoundInstruction& bound, llvm::Value* begin,
                         llvm::Value* end) {
  const HloInstruction& scatter = *bound.roots()[0].value;
  TF_RETURN_IF_ERROR(CopyOperands(bound, scatter));
  return Scatter(bound, scatter).Emit();
}

}  // namespace xla::cpu
