// Reductions of columns: one block of columns at a time, whose accumulators
// stay in the first-level cache while the rows stream by.
#include <deque>
#include <vector>

#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/backends/cpu/codegen/loops/loop_fusion.h"
#include "xla/backends/cpu/codegen/reductions/reducer.h"
#include "xla/backends/cpu/codegen/reductions/reductions.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

class ColumnReduction {
 public:
  ColumnReduction(BoundInstruction& bound, const ReductionPlan& plan)
      : bound_(bound),
        emitter_(bound.emitter()),
        b_(emitter_.b()),
        plan_(plan),
        reducers_(emitter_, plan.levels[0]) {
    reducers_.ForEachLeaf([&](const HloInstruction* reduce, int leaf, int) {
      const PrimitiveType type = Leaves(reduce->shape())[leaf]->element_type();
      shapes_.push_back(ShapeUtil::MakeShape(type, {plan_.block}));
      const int64_t pair = primitive_util::IsComplexType(type) ? 2 : 1;
      sums_.emplace_back(EntryAlloca(b_, MemoryType(b_.getContext(), type),
                                     pair * plan_.block, 64),
                         &shapes_.back());
    });
  }

  absl::Status Emit(llvm::Value* begin, llvm::Value* end) {
    return EmitFor(b_, begin, end, 1, [&](llvm::Value* workgroup) {
      ElementalEmitter::Scope scope(emitter_);
      llvm::Value* row = workgroup;
      first_ = b_.getInt64(0);
      if (plan_.blocks() > 1) {
        llvm::Value* blocks = b_.getInt64(plan_.blocks());
        row = b_.CreateUDiv(workgroup, blocks);
        first_ = b_.CreateMul(b_.CreateURem(workgroup, blocks),
                              b_.getInt64(plan_.block));
      }
      VectorIndex outer;
      outer.linear = AffineIndex{.base = row, .min = 0, .max = plan_.outer - 1};
      outer.MakeTerms(b_, plan_.outer_sizes);
      outer_ = outer;
      columns_ = b_.getInt64(plan_.block);
      if (plan_.inner % plan_.block != 0) {
        columns_ = b_.CreateBinaryIntrinsic(
            llvm::Intrinsic::smin, columns_,
            b_.CreateSub(b_.getInt64(plan_.inner), first_));
      }
      return EmitBlock();
    });
  }

 private:
  // Runs body(column j, index in sums) over the block's columns in vectors; the
  // last one of the row is masked.
  absl::Status ForColumns(
      const std::function<absl::Status(const AffineIndex& j,
                                       const VectorIndex& in_sums)>& body) {
    const int lanes = plan_.lanes;
    const int64_t rest = plan_.inner % lanes;
    auto run = [&](llvm::Value* at) {
      ElementalEmitter::Scope scope(emitter_);
      const AffineIndex in_block{.base = at,
                                 .step = lanes == 1 ? 0 : 1,
                                 .min = 0,
                                 .max = plan_.block - 1,
                                 .divisor = lanes};
      AffineIndex j = in_block;
      j.base = b_.CreateAdd(first_, at, "", true, true);
      j.max = plan_.inner - 1;
      VectorIndex in_sums{.lanes = lanes, .linear = in_block};
      return body(j, in_sums);
    };
    llvm::Value* zero = b_.getInt64(0);
    if (rest == 0) return EmitFor(b_, zero, columns_, lanes, run);
    llvm::Value* whole = b_.CreateSub(b_.getInt64(plan_.inner - rest), first_);
    TF_RETURN_IF_ERROR(EmitFor(
        b_, zero,
        b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, columns_, whole), lanes,
        run));
    return EmitWhen(b_, b_.CreateICmpSGT(columns_, whole), [&] {
      ElementalEmitter::Masked masked(emitter_.context(),
                                      FirstLanes(b_, lanes, rest));
      return run(whole);
    });
  }

  // Combines rows [n, n + count) into the sums.
  absl::Status AddRows(llvm::Value* n, int count) {
    std::vector<VectorIndex> rows;
    for (int r = 0; r < count; ++r) {
      VectorIndex row;
      row.linear = AffineIndex{.base = b_.CreateAdd(n, b_.getInt64(r)),
                               .min = 0,
                               .max = plan_.reduced - 1};
      row.MakeTerms(b_, plan_.reduced_sizes);
      rows.push_back(row);
    }
    return ForColumns(
        [&](const AffineIndex& j, const VectorIndex& in_sums) -> absl::Status {
          VectorIndex inner{.lanes = plan_.lanes, .linear = j};
          inner.MakeTerms(b_, plan_.inner_sizes);
          std::vector<Element> sums = LoadSums(in_sums);
          for (const VectorIndex& row : rows) {
            VectorIndex index{.lanes = plan_.lanes, .terms = outer_.terms};
            index.terms.insert(index.terms.end(), row.terms.begin(),
                               row.terms.end());
            index.terms.insert(index.terms.end(), inner.terms.begin(),
                               inner.terms.end());
            TF_ASSIGN_OR_RETURN(std::vector<Element> values,
                                reducers_.Operands(index));
            TF_ASSIGN_OR_RETURN(sums, reducers_.Combine(sums, values));
          }
          for (size_t i = 0; i < sums_.size(); ++i) {
            sums_[i].Store(emitter_.context(), in_sums, sums[i]);
          }
          return absl::OkStatus();
        });
  }

  std::vector<Element> LoadSums(const VectorIndex& in_sums) {
    std::vector<Element> sums;
    for (const IrArray& array : sums_) {
      sums.push_back(array.Load(emitter_.context(), in_sums));
    }
    return sums;
  }

  absl::Status EmitBlock() {
    TF_ASSIGN_OR_RETURN(const std::vector<Element> initial,
                        reducers_.Initial());
    TF_RETURN_IF_ERROR(
        ForColumns([&](const AffineIndex&, const VectorIndex& in_sums) {
          for (size_t i = 0; i < sums_.size(); ++i) {
            sums_[i].Store(emitter_.context(), in_sums, initial[i]);
          }
          return absl::OkStatus();
        }));
    const int together = plan_.rows_together;
    const int64_t whole = plan_.reduced - plan_.reduced % together;
    TF_RETURN_IF_ERROR(
        EmitFor(b_, b_.getInt64(0), b_.getInt64(whole), together,
                [&](llvm::Value* n) { return AddRows(n, together); }));
    TF_RETURN_IF_ERROR(EmitFor(b_, b_.getInt64(whole),
                               b_.getInt64(plan_.reduced), 1,
                               [&](llvm::Value* n) { return AddRows(n, 1); }));
    BindResults();
    return EmitRoots();
  }

  std::vector<int64_t> ResultSizes() const {
    std::vector<int64_t> sizes = plan_.outer_sizes;
    sizes.insert(sizes.end(), plan_.inner_sizes.begin(),
                 plan_.inner_sizes.end());
    return sizes;
  }

  void BindResults() {
    reducers_.ForEachLeaf([&](const HloInstruction* reduce, int leaf, int i) {
      emitter_.Bind(
          reduce, leaf,
          [this, i](EmitContext& context,
                    const VectorIndex& at) -> absl::StatusOr<Element> {
            VectorIndex index = at;
            index.MakeTerms(b_, ResultSizes());
            VectorIndex inner{.lanes = index.lanes};
            inner.terms.assign(index.terms.begin() + plan_.outer_sizes.size(),
                               index.terms.end());
            const AffineIndexBuilder t(b_, index.lanes);
            VectorIndex in_sums{.lanes = index.lanes};
            in_sums.linear = t.Add(
                inner.Linear(b_, plan_.inner_sizes),
                AffineIndex{.base = b_.CreateNeg(first_), .min = -plan_.inner});
            in_sums.linear->divisor = 1;
            return sums_[i].Load(context, in_sums);
          });
    });
  }

  absl::Status EmitRoots() {
    const std::vector<int64_t> sizes = ResultSizes();
    return ForColumns(
        [&](const AffineIndex& j, const VectorIndex&) -> absl::Status {
          VectorIndex inner{.lanes = plan_.lanes, .linear = j};
          inner.MakeTerms(b_, plan_.inner_sizes);
          VectorIndex index{.lanes = plan_.lanes, .terms = outer_.terms};
          index.terms.insert(index.terms.end(), inner.terms.begin(),
                             inner.terms.end());
          std::vector<Element> elements;
          for (const Root& root : bound_.roots()) {
            const Shape& shape = *Leaves(root.value->shape())[root.leaf];
            VectorIndex at = index.Reshaped(b_, sizes, shape.dimensions());
            TF_ASSIGN_OR_RETURN(Element element,
                                emitter_.Emit(root.value, at, root.leaf));
            elements.push_back(element);
          }
          for (size_t i = 0; i < elements.size(); ++i) {
            const IrArray& array = bound_.roots()[i].array;
            array.Store(emitter_.context(),
                        index.Reshaped(b_, sizes, array.shape().dimensions()),
                        elements[i]);
          }
          return absl::OkStatus();
        });
  }

  BoundInstruction& bound_;
  ElementalEmitter& emitter_;
  llvm::IRBuilder<>& b_;
  const ReductionPlan& plan_;
  Reducers reducers_;
  std::deque<Shape> shapes_;
  std::vector<IrArray> sums_;  // by leaf, for the block's columns
  VectorIndex outer_;
  llvm::Value* first_ = nullptr;  // first column of the block
  llvm::Value* columns_ = nullptr;
};

}  // namespace

absl::Status EmitColumnReduction(BoundInstruction& bound,
                                 const ReductionPlan& plan, llvm::Value* begin,
                                 llvm::Value* end) {
  return ColumnReduction(bound, plan).Emit(begin, end);
}

absl::Status EmitReduction(BoundInstruction& bound, llvm::Value* begin,
                           llvm::Value* end) {
  const std::optional<ReductionPlan> plan =
      PlanReduction(bound.instruction(), bound.context().target);
  // A reduction without a simple structure runs a loop inside each element.
  if (!plan.has_value()) return EmitLoopFusion(bound, begin, end);
  return plan->by_rows() ? EmitRowReduction(bound, *plan, begin, end)
                         : EmitColumnReduction(bound, *plan, begin, end);
}

}  // namespace xla::cpu
