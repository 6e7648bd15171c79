// Reductions of rows: for each row, one loop for each level of reductions, then
// one for outputs with the row's length. A row is read from memory once; later
// loops find it in the cache.
#include <deque>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_set.h"
#include "xla/backends/cpu/codegen/elemental/accumulators.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/backends/cpu/codegen/plans/reduction_plan.h"
#include "xla/backends/cpu/codegen/reductions/reducer.h"
#include "xla/backends/cpu/codegen/reductions/reductions.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

// The most bytes of the stack that values kept between loops may take.
constexpr int64_t kKeptBytes = 64 << 10;

class RowReduction {
 public:
  RowReduction(BoundInstruction& bound, const ReductionPlan& plan)
      : bound_(bound),
        emitter_(bound.emitter()),
        b_(emitter_.b()),
        plan_(plan) {
    for (const Root& root : bound.roots()) {
      if (root.array.is_null()) continue;
      const bool of_result =
          ShapeUtil::ElementsIn(root.array.shape()) == plan.outer &&
          (plan.reduced != 1 || !IsRow(root.array.shape()));
      (of_result ? result_roots_ : row_roots_).push_back(root);
    }
    ChooseKept();
  }

  absl::Status Emit(llvm::Value* begin, llvm::Value* end) {
    return EmitFor(b_, begin, end, 1,
                   [&](llvm::Value* row) { return EmitRow(row); });
  }

 private:
  // True if the shape has the dimensions of the operands.
  bool IsRow(const Shape& shape) const {
    const auto& dims = shape.dimensions();
    if (dims.size() != plan_.outer_sizes.size() + plan_.reduced_sizes.size()) {
      return false;
    }
    return std::equal(plan_.outer_sizes.begin(), plan_.outer_sizes.end(),
                      dims.begin()) &&
           std::equal(plan_.reduced_sizes.begin(), plan_.reduced_sizes.end(),
                      dims.begin() + plan_.outer_sizes.size());
  }

  // The values that a loop over the row needs, down to results of reductions:
  // those that it needs at its own index, and those that it needs at others.
  struct Needs {
    absl::flat_hash_set<const HloInstruction*> here, elsewhere;

    void Add(const HloInstruction* value, bool is_here) {
      if (!(is_here ? here : elsewhere).insert(value).second) return;
      if (value->opcode() == HloOpcode::kParameter ||
          (value->def().reduces && !IsShortReduction(*value))) {
        return;
      }
      const bool same_index = value->IsElementwise() ||
                              value->opcode() == HloOpcode::kTuple ||
                              value->opcode() == HloOpcode::kGetTupleElement;
      for (const HloInstruction* operand : value->operands()) {
        Add(operand, is_here && same_index);
      }
    }
  };

  // Chooses the values of a loop that are kept for a later loop: those that
  // cost more than a store and a load. A value that is also needed at another
  // index (transposed, say, where all sizes are equal) cannot be kept as a row.
  void ChooseKept() {
    if (bound_.instruction().opcode() != HloOpcode::kFusion) return;
    std::vector<Needs> stages;
    for (const auto& level : plan_.levels) {
      stages.emplace_back();
      for (const HloInstruction* reduce : level) {
        for (int64_t i = 0; i < reduce->operand_count() / 2; ++i) {
          stages.back().Add(reduce->operand(i), /*is_here=*/true);
        }
      }
    }
    stages.emplace_back();
    for (const Root& root : row_roots_) stages.back().Add(root.value, true);
    for (const Root& root : result_roots_) stages.back().Add(root.value, false);
    kept_.resize(plan_.levels.size());
    int64_t bytes = 0;
    for (const auto& value : bound_.instruction()
                                 .fused_instructions_computation()
                                 ->instructions()) {
      if (!IsCostly(value->opcode()) || !value->IsElementwise() ||
          !IsRow(value->shape())) {
        continue;
      }
      size_t first = 0;
      while (first < stages.size() &&
             !stages[first].here.contains(value.get())) {
        ++first;
      }
      bool again = false;
      bool elsewhere = false;
      for (size_t s = 0; s < stages.size(); ++s) {
        again |= s > first && stages[s].here.contains(value.get());
        elsewhere |= stages[s].elsewhere.contains(value.get());
      }
      if (!again || elsewhere) continue;
      bytes += plan_.reduced * RegisterBytes(value->shape().element_type());
      if (bytes > kKeptBytes) return;
      kept_[first].push_back(value.get());
    }
  }

  absl::Status EmitRow(llvm::Value* row) {
    ElementalEmitter::Scope scope(emitter_);
    VectorIndex outer;
    outer.linear = AffineIndex{.base = row, .min = 0, .max = plan_.outer - 1};
    outer.MakeTerms(b_, plan_.outer_sizes);
    outer_ = outer;
    // Prefetches the operands' elements, each array in the first loop that
    // reads it.
    Prefetch prefetch{
        .elements = plan_.outer * plan_.reduced,
        .cached_bytes = CpuCostModel(emitter_.context().target).cache_bytes(1)};
    emitter_.context().prefetch = &prefetch;
    absl::Cleanup no_prefetch = [&] { emitter_.context().prefetch = nullptr; };
    for (size_t level = 0; level < plan_.levels.size(); ++level) {
      TF_RETURN_IF_ERROR(EmitLevel(level));
    }
    for (const Root& root : result_roots_) {
      VectorIndex at;
      at.linear = outer.linear;
      TF_ASSIGN_OR_RETURN(Element element,
                          emitter_.Emit(root.value, at, root.leaf));
      root.array.Store(emitter_.context(), at, element);
    }
    return EmitRowRoots();
  }

  // The index of `lanes` elements of the row, starting at `i`.
  VectorIndex RowIndex(llvm::Value* i, int lanes, int64_t divisor) {
    VectorIndex inner{.lanes = lanes};
    inner.linear = AffineIndex{.base = i,
                               .step = lanes == 1 ? 0 : 1,
                               .min = 0,
                               .max = plan_.reduced - 1,
                               .divisor = divisor};
    inner.MakeTerms(b_, plan_.reduced_sizes);
    VectorIndex index{.lanes = lanes, .terms = outer_.terms};
    index.terms.insert(index.terms.end(), inner.terms.begin(),
                       inner.terms.end());
    return index;
  }

  // Runs body(index) over the row in vectors; the last one is masked.
  absl::Status ForRow(const std::function<absl::Status(const VectorIndex&,
                                                       llvm::Value* i)>& body) {
    const int lanes = plan_.lanes;
    const int64_t rest = plan_.reduced % lanes;
    llvm::Value* whole = b_.getInt64(plan_.reduced - rest);
    TF_RETURN_IF_ERROR(
        EmitFor(b_, b_.getInt64(0), whole, lanes, [&](llvm::Value* i) {
          ElementalEmitter::Scope scope(emitter_);
          return body(RowIndex(i, lanes, lanes), i);
        }));
    if (rest == 0) return absl::OkStatus();
    ElementalEmitter::Scope scope(emitter_);
    ElementalEmitter::Masked masked(emitter_.context(),
                                    FirstLanes(b_, lanes, rest));
    return body(RowIndex(whole, lanes, lanes), whole);
  }

  absl::Status EmitLevel(size_t level) {
    Reducers reducers(emitter_, plan_.levels[level]);
    TF_ASSIGN_OR_RETURN(std::vector<Element> initial, reducers.Initial());
    const auto identities = reducers.Identities();
    Accumulators accumulators(
        b_, SplatEach(b_, identities.value_or(initial), plan_.lanes));
    TF_RETURN_IF_ERROR(
        ForRow([&](const VectorIndex& index, llvm::Value* i) -> absl::Status {
          TF_ASSIGN_OR_RETURN(std::vector<Element> values,
                              reducers.Operands(index));
          const std::vector<Element> before = accumulators.Get();
          TF_ASSIGN_OR_RETURN(std::vector<Element> after,
                              reducers.Combine(before, values));
          if (!identities.has_value()) {
            // The first values become the accumulators.
            after = SelectEach(b_, b_.CreateICmpEQ(i, b_.getInt64(0)), values,
                               after);
          }
          if (llvm::Value* mask = emitter_.context().mask) {
            after = SelectEach(b_, mask, after, before);
          }
          accumulators.Set(after);
          return KeepValues(level, index);
        }));
    TF_ASSIGN_OR_RETURN(std::vector<Element> row,
                        reducers.CombineLanes(accumulators.Get()));
    TF_ASSIGN_OR_RETURN(std::vector<Element> results,
                        reducers.Combine(initial, row));
    reducers.ForEachLeaf([&](const HloInstruction* reduce, int leaf, int i) {
      emitter_.Bind(reduce, leaf,
                    [element = results[i]](EmitContext&, const VectorIndex&)
                        -> absl::StatusOr<Element> { return element; });
    });
    BindKept(level);
    return absl::OkStatus();
  }

  IrArray& KeptRow(const HloInstruction* value) {
    auto [it, fresh] = kept_rows_.try_emplace(value);
    if (fresh) {
      const PrimitiveType type = value->shape().element_type();
      shapes_.push_back(ShapeUtil::MakeShape(type, plan_.reduced_sizes));
      const int64_t pair = primitive_util::IsComplexType(type) ? 2 : 1;
      it->second = IrArray(EntryAlloca(b_, MemoryType(b_.getContext(), type),
                                       pair * plan_.reduced, 64),
                           &shapes_.back());
    }
    return it->second;
  }

  VectorIndex InRow(const VectorIndex& index) const {
    VectorIndex inner{.lanes = index.lanes};
    inner.terms.assign(index.terms.begin() + plan_.outer_sizes.size(),
                       index.terms.end());
    return inner;
  }

  absl::Status KeepValues(size_t level, const VectorIndex& index) {
    if (kept_.empty()) return absl::OkStatus();
    for (const HloInstruction* value : kept_[level]) {
      TF_ASSIGN_OR_RETURN(Element element, emitter_.Emit(value, index));
      KeptRow(value).Store(emitter_.context(), InRow(index), element);
    }
    return absl::OkStatus();
  }

  void BindKept(size_t level) {
    if (kept_.empty()) return;
    for (const HloInstruction* value : kept_[level]) {
      emitter_.Bind(value, 0,
                    [this, array = KeptRow(value)](
                        EmitContext& context,
                        const VectorIndex& index) -> absl::StatusOr<Element> {
                      return array.Load(context, InRow(index));
                    });
    }
  }

  absl::Status EmitRowRoots() {
    if (row_roots_.empty()) return absl::OkStatus();
    return ForRow([&](const VectorIndex& index, llvm::Value*) -> absl::Status {
      std::vector<Element> elements;
      for (const Root& root : row_roots_) {
        TF_ASSIGN_OR_RETURN(Element element,
                            emitter_.Emit(root.value, index, root.leaf));
        elements.push_back(element);
      }
      for (size_t i = 0; i < row_roots_.size(); ++i) {
        row_roots_[i].array.Store(emitter_.context(), index, elements[i]);
      }
      return absl::OkStatus();
    });
  }

  BoundInstruction& bound_;
  ElementalEmitter& emitter_;
  llvm::IRBuilder<>& b_;
  const ReductionPlan& plan_;
  std::vector<Root> result_roots_;
  std::vector<Root> row_roots_;
  VectorIndex outer_;
  std::vector<std::vector<const HloInstruction*>> kept_;  // by level
  absl::flat_hash_map<const HloInstruction*, IrArray> kept_rows_;
  std::deque<Shape> shapes_;
};

}  // namespace

absl::Status EmitRowReduction(BoundInstruction& bound,
                              const ReductionPlan& plan, llvm::Value* begin,
                              llvm::Value* end) {
  return RowReduction(bound, plan).Emit(begin, end);
}

}  // namespace xla::cpu
