// Loops with a vectorized inner loop, as a LoopPlan describes them.
#include "xla/backends/cpu/codegen/loops/loop_emitter.h"

#include <algorithm>
#include <numeric>

#include "absl/cleanup/cleanup.h"
#include "llvm/IR/Constants.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/backends/cpu/codegen/plans/loop_partition.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

class RowLoops {
 public:
  RowLoops(ElementalEmitter& emitter, const LoopPlan& plan, const Shape& shape,
           absl::Span<const LoopOutput> outputs, bool in_place)
      : emitter_(emitter),
        plan_(plan),
        shape_(shape),
        outputs_(outputs),
        in_place_(in_place) {}

  absl::Status Emit(llvm::Value* begin, llvm::Value* end) {
    llvm::IRBuilder<>& b = emitter_.b();
    Split();
    if (plan_.rows == 1) return EmitRow(b.getInt64(0), begin, end);
    if (plan_.blocks == 1) {
      return EmitFor(
          b, begin, end, 1,
          [&](llvm::Value* row) {
            return EmitRow(row, b.getInt64(0), b.getInt64(1));
          },
          plan_.straight_rows);
    }
    llvm::Value* blocks = b.getInt64(plan_.blocks);
    return EmitFor(b, begin, end, 1, [&](llvm::Value* workgroup) {
      llvm::Value* block = b.CreateURem(workgroup, blocks);
      return EmitRow(b.CreateUDiv(workgroup, blocks), block,
                     b.CreateAdd(block, b.getInt64(1)));
    });
  }

 private:
  // Emits blocks [begin, end) of a row.
  absl::Status EmitRow(llvm::Value* row, llvm::Value* begin, llvm::Value* end) {
    llvm::IRBuilder<>& b = emitter_.b();
    ElementalEmitter::Scope scope(emitter_);
    outer_ = VectorIndex{.lanes = 1};
    if (!plan_.outer.empty()) {
      outer_.linear = AffineIndex{.base = row, .min = 0, .max = plan_.rows - 1};
      outer_.MakeTerms(b, plan_.outer);
    }
    if (partitions_.empty()) return EmitInnerPartitions(begin, end);
    // Emits a branch for each partition of the outer dimensions.
    const AffineIndexBuilder t(b, 1);
    const VectorIndex whole = outer_;
    llvm::Value* elsewhere = b.getTrue();
    for (const LoopPartition& partition : partitions_) {
      llvm::Value* inside = b.getTrue();
      for (size_t d = 0; d < plan_.outer.size(); ++d) {
        AffineIndex& term = outer_.terms[d];
        inside = b.CreateAnd(inside, t.AtLeast(term, partition.begin[d]));
        inside = b.CreateAnd(inside, t.Less(term, partition.end[d]));
        term.min = std::max(term.min, partition.begin[d]);
        term.max = std::min(term.max, partition.end[d] - 1);
      }
      elsewhere = b.CreateAnd(elsewhere, b.CreateNot(inside));
      TF_RETURN_IF_ERROR(
          EmitWhen(b, inside, [&] { return EmitInnerPartitions(begin, end); }));
      outer_ = whole;
    }
    if (partitions_.size() > 1) return absl::OkStatus();
    return EmitWhen(b, elsewhere,
                    [&] { return EmitInnerPartitions(begin, end); });
  }

  // A range of the inner loop that gets code of its own.
  struct InnerPartition {
    int64_t begin;
    int64_t end;
    int64_t lanes;  // divides begin
  };

  // Chooses the partitions of the inner and of the outer dimensions.
  void Split() {
    inner_partitions_ = {{0, plan_.inner, plan_.lanes}};
    const size_t inner = plan_.outer.size();
    if (plan_.copies <= 2 || inner >= shape_.dimensions().size() ||
        plan_.inner != shape_.dimensions(inner)) {
      return;
    }
    std::vector<const HloInstruction*> values;
    for (const LoopOutput& output : outputs_) values.push_back(output.value);
    std::vector<std::vector<int64_t>> split_points =
        LoopSplitPoints(values, shape_, static_cast<int64_t>(inner),
                        [&](const HloInstruction* value) {
                          return emitter_.BoundArray(value, 0) != nullptr;
                        });
    // Each range may need a copy of the body for the vectors that cross its
    // end.
    KeepLongRanges(split_points[inner], plan_.inner, plan_.copies / 2);
    SplitInner(split_points[inner], plan_.lanes);
    // Index arithmetic takes registers, so try again with narrower vectors.
    if (inner_partitions_.size() == 1 && !plan_.linear) {
      SplitInner(split_points[inner], plan_.register_lanes);
    }
    const size_t partitions = plan_.copies / inner_partitions_.size();
    if (partitions < 2) return;
    partitions_ = PartitionsBetween(
        plan_.outer, absl::MakeSpan(split_points).subspan(0, inner),
        partitions);
  }

  // Makes partitions of the whole vectors between split points, and others of
  // what is left between these.
  void SplitInner(absl::Span<const int64_t> split_points, int64_t lanes) {
    std::vector<InnerPartition> inner_partitions;
    int64_t done = 0;
    auto add_rest = [&](int64_t end) {
      if (done < end)
        inner_partitions.push_back({done, end, plan_.register_lanes});
    };
    for (size_t i = 0; i <= split_points.size(); ++i) {
      const int64_t from = i == 0 ? 0 : split_points[i - 1];
      const int64_t begin = RoundUpTo(from, lanes);
      const int64_t end = i == split_points.size()
                              ? plan_.inner
                              : RoundDownTo(split_points[i], lanes);
      if (end - begin < 2 * lanes) continue;
      add_rest(begin);
      inner_partitions.push_back({begin, end, lanes});
      done = end;
    }
    if (inner_partitions.empty()) return;
    add_rest(plan_.inner);
    inner_partitions_ = std::move(inner_partitions);
  }

  absl::Status EmitInnerPartitions(llvm::Value* begin, llvm::Value* end) {
    ElementalEmitter::Scope scope(emitter_);
    llvm::IRBuilder<>& b = emitter_.b();
    for (const InnerPartition& inner_partition : inner_partitions_) {
      if (plan_.blocks == 1) {
        TF_RETURN_IF_ERROR(EmitInnerPartition(inner_partition,
                                              b.getInt64(inner_partition.begin),
                                              b.getInt64(inner_partition.end)));
        continue;
      }
      llvm::Value* block = b.getInt64(plan_.block);
      llvm::Value* first = b.CreateMul(begin, block);
      if (inner_partition.begin > 0) {
        first = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, first,
                                        b.getInt64(inner_partition.begin));
      }
      llvm::Value* last =
          AtMost(b, b.CreateMul(end, block), inner_partition.end);
      TF_RETURN_IF_ERROR(EmitInnerPartition(inner_partition, first, last));
    }
    return absl::OkStatus();
  }

  // Emits elements [first, last) of a partition.
  absl::Status EmitInnerPartition(const InnerPartition& inner_partition,
                                  llvm::Value* first, llvm::Value* last) {
    llvm::IRBuilder<>& b = emitter_.b();
    const int64_t lanes = inner_partition.lanes;
    const int64_t rest = (inner_partition.end - inner_partition.begin) % lanes;
    AffineIndex at{.min = inner_partition.begin,
                   .max = inner_partition.end - 1,
                   .divisor = lanes};
    if (rest == 0 || !in_place_) {
      // If the last vector does not fit, it begins earlier and computes some
      // elements again.
      at.min = std::min(at.min, inner_partition.end - lanes);
      return EmitFor(
          b, first, last, lanes,
          [&](llvm::Value* i) {
            at.base = i;
            if (rest != 0) {
              at.base = AtMost(b, i, inner_partition.end - lanes);
              at.divisor = std::gcd(lanes, inner_partition.end - lanes);
            }
            return EmitVector(at, lanes);
          },
          plan_.straight);
    }
    const int64_t whole = inner_partition.end - rest;
    llvm::Value* whole_end =
        plan_.blocks == 1 ? b.getInt64(whole) : AtMost(b, last, whole);
    TF_RETURN_IF_ERROR(EmitFor(
        b, first, whole_end, lanes,
        [&](llvm::Value* i) {
          at.base = i;
          return EmitVector(at, lanes);
        },
        plan_.straight));
    return EmitWhen(b, b.CreateICmpSGT(last, b.getInt64(whole)), [&] {
      return EmitFor(
          b, b.getInt64(whole), b.getInt64(inner_partition.end), 1,
          [&](llvm::Value* i) {
            return EmitVector(
                {.base = i, .min = whole, .max = inner_partition.end - 1}, 1);
          });
    });
  }

  absl::Status EmitVector(AffineIndex at, int lanes) {
    ElementalEmitter::Scope scope(emitter_);
    at.step = lanes == 1 ? 0 : 1;
    VectorIndex index{.lanes = lanes};
    if (plan_.inner == ShapeUtil::ElementsIn(shape_)) {
      index.linear = at;
    } else {
      index.terms = outer_.terms;
      const size_t outer = plan_.outer.size();
      if (shape_.dimensions(outer) == plan_.inner) {
        index.terms.push_back(at);
        const AffineIndexBuilder t(emitter_.b(), lanes);
        index.terms.resize(shape_.dimensions().size(), t.Constant(0));
      } else {
        VectorIndex row{.lanes = lanes, .linear = at};
        row.MakeTerms(emitter_.b(), shape_.dimensions().subspan(outer));
        index.terms.insert(index.terms.end(), row.terms.begin(),
                           row.terms.end());
      }
    }
    Prefetch prefetch{
        .elements = ShapeUtil::ElementsIn(shape_),
        .cached_bytes = CpuCostModel(emitter_.context().target).cache_bytes(1)};
    // What lies ahead of a short block of a row is another workgroup's, and
    // perhaps being written.
    constexpr int64_t kLongBlock = 1024;
    if (plan_.blocks == 1 || plan_.block >= kLongBlock) {
      emitter_.context().prefetch = &prefetch;
    }
    absl::Cleanup no_prefetch = [&] { emitter_.context().prefetch = nullptr; };
    std::vector<Element> elements;
    for (const LoopOutput& output : outputs_) {
      const Shape& shape = *Leaves(output.value->shape())[output.leaf];
      TF_ASSIGN_OR_RETURN(
          Element element,
          emitter_.Emit(output.value, IndexOf(index, shape), output.leaf));
      elements.push_back(element);
    }
    // All loads come before any store: an output may overlap an input.
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const LoopOutput& output = outputs_[i];
      output.array.Store(emitter_.context(),
                         output.place != nullptr
                             ? output.place(index)
                             : IndexOf(index, output.array.shape()),
                         elements[i]);
    }
    return absl::OkStatus();
  }

  // Converts the index of the loop to that of an array with other dimensions.
  VectorIndex IndexOf(const VectorIndex& index, const Shape& shape) {
    if (ShapeUtil::SameDimensions(shape, shape_)) return index;
    return index.Reshaped(emitter_.b(), shape_.dimensions(),
                          shape.dimensions());
  }

  ElementalEmitter& emitter_;
  const LoopPlan& plan_;
  const Shape& shape_;
  const absl::Span<const LoopOutput> outputs_;
  const bool in_place_;
  std::vector<InnerPartition> inner_partitions_;
  std::vector<LoopPartition>
      partitions_;  // all of the outer space, or its largest partitions
  VectorIndex outer_;
};

}  // namespace

absl::Status EmitLoop(ElementalEmitter& emitter, const LoopPlan& plan,
                      const Shape& shape, absl::Span<const LoopOutput> outputs,
                      llvm::Value* begin, llvm::Value* end, bool in_place) {
  if (plan.workgroups() == 0) return absl::OkStatus();
  return RowLoops(emitter, plan, shape, outputs, in_place).Emit(begin, end);
}

}  // namespace xla::cpu
