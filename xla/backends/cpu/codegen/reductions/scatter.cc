// Scatters into the memory of the operands: applies the updates one after the
// other, each window in vectors.
#include "xla/backends/cpu/codegen/reductions/scatter.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/backends/cpu/codegen/plans/scatter_plan.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/codegen/reductions/reducer.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/dimension_position.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"

namespace xla::cpu {
namespace {

// A thread's updates that are asked for ahead of the one that it adds.
constexpr int64_t kAheadBytes = 2048;
// The threads that share windows, of which each reads a part.
constexpr int64_t kSharingThreads = 4;

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
        updates_(scatter.operand(inputs_ + 1)->shape()),
        plan_(PlanScatter(scatter)) {
    for (size_t d = 0; d < updates_.dimensions().size(); ++d) {
      const bool window = PositionOf(numbers_.update_window_dims(), d) >= 0;
      (window ? window_dims_ : scatter_dims_).push_back(d);
    }
    // Collects the operand's dimensions that the window has, in order.
    for (size_t d = 0; d < operand_.dimensions().size(); ++d) {
      if (PositionOf(numbers_.inserted_window_dims(), d) < 0 &&
          PositionOf(numbers_.input_batching_dims(), d) < 0) {
        operand_window_dims_.push_back(d);
      }
    }
  }

  // Emits workgroups [begin, end) of the plan.
  absl::Status Emit(llvm::Value* begin, llvm::Value* end) {
    if (ShapeUtil::ElementsIn(operand_) == 0) return absl::OkStatus();
    const bool updates = ShapeUtil::ElementsIn(updates_) > 0;
    std::vector<int64_t> sizes;
    for (int64_t d : scatter_dims_) sizes.push_back(updates_.dimensions(d));
    ElementalEmitter::Scope scope(emitter_);
    SetPartitions(begin, end);
    TF_RETURN_IF_ERROR(CopyOperands());
    if (!updates) return absl::OkStatus();
    if (plan_.batching < 0) {
      return EmitForEach(b_, sizes, [&](absl::Span<llvm::Value* const> at) {
        return EmitUpdate(at);
      });
    }
    // The loop over the batch stays where it is among the others.
    const auto batch =
        sizes.begin() +
        ScatterLoopOf(numbers_.scatter_indices_batching_dims(plan_.batching));
    const std::vector<int64_t> outer(sizes.begin(), batch);
    const std::vector<int64_t> inner(batch + 1, sizes.end());
    return EmitForEach(b_, outer, [&](absl::Span<llvm::Value* const> before) {
      return EmitFor(
          b_, partition_begin_, partition_end_, 1, [&](llvm::Value* item) {
            return EmitForEach(
                b_, inner, [&](absl::Span<llvm::Value* const> after) {
                  std::vector<llvm::Value*> at(before.begin(), before.end());
                  at.push_back(item);
                  at.insert(at.end(), after.begin(), after.end());
                  return EmitUpdate(at);
                });
          });
    });
  }

 private:
  // Sets the indices [partition_begin_, partition_end_) of the dimension that
  // is split. Those of several workgroups are one range: longer runs of updates
  // are read.
  void SetPartitions(llvm::Value* begin, llvm::Value* end) {
    if (plan_.workgroups() == 1) {
      partition_begin_ = b_.getInt64(0);
      partition_end_ = b_.getInt64(plan_.size);
      return;
    }
    const auto at = [&](llvm::Value* workgroup) {
      return b_.CreateMul(workgroup, b_.getInt64(plan_.partition), "", true,
                          true);
    };
    partition_begin_ = at(begin);
    partition_end_ = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, at(end),
                                              b_.getInt64(plan_.size));
  }

  // The dimension of the operand that is split; -1 if none is.
  int64_t SplitDimension() const {
    if (plan_.workgroups() == 1) return -1;
    return plan_.batching >= 0 ? numbers_.input_batching_dims(plan_.batching)
                               : OperandDimension(numbers_, plan_.split);
  }

  // Whether dimension `k` of windows is split.
  bool SplitsWindow(int64_t k) const {
    return plan_.workgroups() > 1 && plan_.batching < 0 && plan_.split == k;
  }

  // Copies the part of the operands that this workgroup writes to the results,
  // unless they share memory.
  absl::Status CopyOperands() {
    for (size_t leaf = 0; leaf < bound_.roots().size(); ++leaf) {
      if (CpuAliasInfo().MustAlias(bound_.instruction(), leaf).has_value())
        continue;
      std::vector<llvm::Value*> index;
      TF_RETURN_IF_ERROR(CopyFrom(static_cast<int64_t>(leaf), index));
    }
    return absl::OkStatus();
  }

  // Copies all elements of operand `k` whose index begins with `index`.
  absl::Status CopyFrom(int64_t k, std::vector<llvm::Value*>& index) {
    const int64_t rank = static_cast<int64_t>(operand_.dimensions().size());
    if (rank == 0) return CopyElements(k, index, 1);
    const int64_t d = static_cast<int64_t>(index.size());
    const bool is_split = d == SplitDimension();
    llvm::Value* begin = is_split ? partition_begin_ : b_.getInt64(0);
    llvm::Value* end =
        is_split ? partition_end_ : b_.getInt64(operand_.dimensions(d));
    auto loop = [&](llvm::Value* from, llvm::Value* to, int step) {
      return EmitFor(b_, from, to, step, [&](llvm::Value* i) -> absl::Status {
        index.push_back(i);
        TF_RETURN_IF_ERROR(d + 1 == rank ? CopyElements(k, index, step)
                                         : CopyFrom(k, index));
        index.pop_back();
        return absl::OkStatus();
      });
    };
    if (d + 1 < rank) return loop(begin, end, 1);
    const int lanes =
        LanesFor(is_split ? ShortestPartition() : operand_.dimensions(d));
    llvm::Value* whole = b_.CreateSub(
        end, b_.CreateSRem(b_.CreateSub(end, begin), b_.getInt64(lanes)));
    TF_RETURN_IF_ERROR(loop(begin, whole, lanes));
    return loop(whole, end, 1);
  }

  absl::Status CopyElements(int64_t k, absl::Span<llvm::Value* const> at,
                            int lanes) {
    ElementalEmitter::Scope scope(emitter_);
    VectorIndex index{.lanes = lanes};
    for (size_t d = 0; d < at.size(); ++d) {
      index.terms.push_back(Loop(at[d], operand_.dimensions(d)));
    }
    if (lanes > 1) index.terms.back().step = 1;
    if (at.empty()) index.linear = AffineIndexBuilder(b_, 1).Constant(0);
    TF_ASSIGN_OR_RETURN(Element element,
                        emitter_.Emit(scatter_.operand(k), index));
    bound_.roots()[k].array.Store(emitter_.context(), index, element);
    return absl::OkStatus();
  }

  int64_t ShortestPartition() const {
    return std::min(plan_.partition,
                    plan_.size - (plan_.workgroups() - 1) * plan_.partition);
  }

  // The number of lanes of vectors along a dimension of `length`.
  int LanesFor(int64_t length) const {
    const int width =
        bound_.context().target.Lanes(RegisterBytes(operand_.element_type()));
    return static_cast<int>(std::min<int64_t>(
        width, std::bit_floor(static_cast<uint64_t>(length))));
  }

  AffineIndex Loop(llvm::Value* i, int64_t size) const {
    return {.base = i, .min = 0, .max = size - 1};
  }

  int64_t WindowSize(size_t operand_dim) const {
    const int64_t w = PositionOf(operand_window_dims_, operand_dim);
    return w < 0 ? 1 : updates_.dimensions(window_dims_[w]);
  }

  // Component `k` of the index vector at `at`, as an i64.
  absl::StatusOr<llvm::Value*> Component(absl::Span<llvm::Value* const> at,
                                         int64_t k) {
    const AffineIndexBuilder t(b_, 1);
    VectorIndex index;
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
    return IndexFromInteger(b_, element.value, indices_.shape().element_type());
  }

  absl::Status EmitUpdate(absl::Span<llvm::Value* const> at) {
    ElementalEmitter::Scope scope(emitter_);
    const AffineIndexBuilder t(b_, 1);
    llvm::Value* inside = b_.getTrue();
    std::vector<AffineIndex> starts;
    for (size_t d = 0; d < operand_.dimensions().size(); ++d) {
      AffineIndex start = t.Constant(0);
      const int64_t largest = operand_.dimensions(d) - WindowSize(d);
      if (int64_t b = PositionOf(numbers_.input_batching_dims(), d); b >= 0) {
        start =
            Loop(at[ScatterLoopOf(numbers_.scatter_indices_batching_dims(b))],
                 operand_.dimensions(d));
      } else if (int64_t k =
                     PositionOf(numbers_.scatter_dims_to_operand_dims(), d);
                 k >= 0) {
        TF_ASSIGN_OR_RETURN(start.base, Component(at, k));
        // One unsigned comparison suffices: negative numbers are large ones.
        inside = b_.CreateAnd(
            inside, b_.CreateICmpULE(start.base, b_.getInt64(largest)));
        start = {.base = start.base, .min = 0, .max = largest};
      }
      starts.push_back(start);
    }
    return EmitWhen(b_, inside, [&] { return EmitWindow(at, starts); });
  }

  // The loop over updates that corresponds to dimension `d` of the indices.
  int64_t ScatterLoopOf(int64_t d) const {
    return d - (numbers_.index_vector_dim() < d ? 1 : 0);
  }

  absl::Status EmitWindow(absl::Span<llvm::Value* const> at,
                          absl::Span<const AffineIndex> starts) {
    ElementalEmitter::Scope scope(emitter_);
    std::vector<int64_t> sizes;
    for (int64_t d : window_dims_) sizes.push_back(updates_.dimensions(d));
    // The last window dimension is processed in vectors.
    const int64_t length = sizes.empty() ? 1 : sizes.back();
    const int64_t last = static_cast<int64_t>(sizes.size()) - 1;
    if (!sizes.empty()) sizes.pop_back();
    auto emit_row = [&](absl::Span<llvm::Value* const> window) {
      return EmitRow(at, starts, window, length,
                     last >= 0 && SplitsWindow(last));
    };
    if (sizes.empty() || !SplitsWindow(0)) {
      return EmitForEach(b_, sizes, emit_row);
    }
    // The first window dimension is split.
    const std::vector<int64_t> inner(sizes.begin() + 1, sizes.end());
    return EmitFor(
        b_, partition_begin_, partition_end_, 1, [&](llvm::Value* first) {
          return EmitForEach(
              b_, inner, [&](absl::Span<llvm::Value* const> rest) {
                std::vector<llvm::Value*> window = {first};
                window.insert(window.end(), rest.begin(), rest.end());
                return emit_row(window);
              });
        });
  }

  // Updates are read in order, but a thread skips what belongs to others, which
  // no hardware prefetcher follows: asks for the windows of which it reads so
  // many bytes later.
  Prefetch UpdatePrefetch() const {
    int64_t window_bytes =
        ShapeUtil::ByteSizeOfPrimitiveType(updates_.element_type());
    for (int64_t d : window_dims_) window_bytes *= updates_.dimensions(d);
    const int64_t part_bytes = std::max<int64_t>(
        1, window_bytes / (plan_.batching < 0
                               ? std::min(plan_.workgroups(), kSharingThreads)
                               : 1));
    return {
        .elements = ShapeUtil::ElementsIn(updates_),
        .cached_bytes = CpuCostModel(bound_.context().target).cache_bytes(1),
        .distance_bytes = CeilOfRatio(kAheadBytes, part_bytes) * window_bytes};
  }

  // Emits the last dimension of a window, or this workgroup's partition of it.
  absl::Status EmitRow(absl::Span<llvm::Value* const> at,
                       absl::Span<const AffineIndex> starts,
                       absl::Span<llvm::Value* const> window, int64_t length,
                       bool is_split) {
    const int64_t shortest = is_split ? ShortestPartition() : length;
    int lanes = LanesFor(shortest);
    // Two registers at a time, where they leave no rest, are a cache line.
    const int64_t each = is_split ? plan_.partition : length;
    if (shortest % (2 * lanes) == 0 && each % (2 * lanes) == 0) lanes *= 2;
    auto emit = [&](llvm::Value* i, int step) {
      return EmitElements(at, starts, window, i, length, step);
    };
    const int64_t whole = length - length % lanes;
    llvm::Value* begin = b_.getInt64(0);
    llvm::Value* whole_end = b_.getInt64(whole);
    llvm::Value* end = b_.getInt64(length);
    if (is_split) {
      // All partitions except the last consist of whole vectors.
      begin = partition_begin_;
      end = partition_end_;
      whole_end =
          b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end, whole_end);
    }
    TF_RETURN_IF_ERROR(EmitFor(b_, begin, whole_end, lanes,
                               [&](llvm::Value* i) { return emit(i, lanes); }));
    if (whole == length) return absl::OkStatus();
    return EmitFor(b_, whole_end, end, 1,
                   [&](llvm::Value* i) { return emit(i, 1); });
  }

  absl::Status EmitElements(absl::Span<llvm::Value* const> at,
                            absl::Span<const AffineIndex> starts,
                            absl::Span<llvm::Value* const> window,
                            llvm::Value* i, int64_t length, int lanes) {
    ElementalEmitter::Scope scope(emitter_);
    const AffineIndexBuilder t(b_, lanes);
    VectorIndex update{.lanes = lanes};
    VectorIndex target{.lanes = lanes};
    size_t scatter = 0;
    size_t w = 0;
    for (size_t d = 0; d < updates_.dimensions().size(); ++d) {
      const int64_t size = updates_.dimensions(d);
      if (PositionOf(window_dims_, d) < 0) {
        update.terms.push_back(Loop(at[scatter++], size));
      } else if (w < window.size()) {
        update.terms.push_back(Loop(window[w++], size));
      } else {
        AffineIndex last = Loop(i, length);
        last.step = lanes == 1 ? 0 : 1;
        update.terms.push_back(last);
      }
    }
    for (size_t d = 0; d < starts.size(); ++d) {
      const int64_t k = PositionOf(operand_window_dims_, d);
      target.terms.push_back(
          k < 0 ? starts[d] : t.Add(starts[d], update.terms[window_dims_[k]]));
    }
    if (update.terms.empty()) update.linear = t.Constant(0);
    if (target.terms.empty()) target.linear = t.Constant(0);
    std::vector<Element> arguments;
    for (const Root& root : bound_.roots()) {
      arguments.push_back(root.array.Load(emitter_.context(), target));
    }
    TF_RETURN_IF_ERROR(EmitUpdateElements(update, arguments));
    TF_ASSIGN_OR_RETURN(
        std::vector<Element> results,
        emitter_.EmitComputation(*scatter_.to_apply(), arguments));
    for (int64_t k = 0; k < inputs_; ++k) {
      bound_.roots()[k].array.Store(emitter_.context(), target, results[k]);
    }
    return absl::OkStatus();
  }

  // Appends the elements of all updates at `index`.
  absl::Status EmitUpdateElements(const VectorIndex& index,
                                  std::vector<Element>& elements) {
    Prefetch prefetch = UpdatePrefetch();
    emitter_.context().prefetch = &prefetch;
    const absl::Cleanup no_prefetch = [&] {
      emitter_.context().prefetch = nullptr;
    };
    for (int64_t k = 0; k < inputs_; ++k) {
      TF_ASSIGN_OR_RETURN(
          Element element,
          emitter_.Emit(scatter_.operand(inputs_ + 1 + k), index));
      elements.push_back(Splat(b_, element, index.lanes));
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
  const ScatterPlan plan_;
  llvm::Value* partition_begin_ = nullptr;
  llvm::Value* partition_end_ = nullptr;
  std::vector<int64_t> window_dims_;          // of updates
  std::vector<int64_t> scatter_dims_;         // of updates
  std::vector<int64_t> operand_window_dims_;  // by index in window_dims_
};

}  // namespace

absl::Status EmitScatter(BoundInstruction& bound, llvm::Value* begin,
                         llvm::Value* end) {
  const HloInstruction& scatter = *bound.roots()[0].value;
  return Scatter(bound, scatter).Emit(begin, end);
}

}  // namespace xla::cpu
