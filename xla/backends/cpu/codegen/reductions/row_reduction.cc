// Reductions of rows: for each row, one loop for each level of reductions, then
// one for outputs with the row's length. A row is read from memory once; later
// loops find it in the cache. Several short rows share these loops.
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
// Rows of at most so many bytes stay in the first cache beside the next one,
// which is fetched while elementary functions of this one are computed.
constexpr int64_t kFetchedRowBytes = 16 << 10;

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
    if (bound_.instruction().opcode() == HloOpcode::kFusion) {
      const std::vector<Needs> stages = Stages();
      ChooseKept(stages);
      ChooseFetchStage(stages);
    }
  }

  absl::Status Emit(llvm::Value* begin, llvm::Value* end) {
    llvm::Value* last = b_.CreateSub(end, b_.getInt64(1));
    return EmitFor(
        b_, begin, end, plan_.rows_together, [&](llvm::Value* first) {
          std::vector<llvm::Value*> rows = {first};
          // Behind the last row, that row is computed again.
          for (int r = 1; r < plan_.rows_together; ++r) {
            rows.push_back(b_.CreateBinaryIntrinsic(
                llvm::Intrinsic::smin,
                b_.CreateAdd(first, b_.getInt64(r), "", true, true), last));
          }
          return EmitRows(rows);
        });
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
      const bool same_index = value->IsElementwiseOp() ||
                              value->opcode() == HloOpcode::kTuple ||
                              value->opcode() == HloOpcode::kGetTupleElement;
      for (const HloInstruction* operand : value->operands()) {
        Add(operand, is_here && same_index);
      }
    }
  };

  // What each loop over a row needs, by level; behind them, what the last one
  // does, which writes outputs of the row's length.
  std::vector<Needs> Stages() const {
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
    return stages;
  }

  // Chooses the values of a loop that are kept for a later loop: those that
  // cost more than a store and a load. A value that is also needed at another
  // index (transposed, say, where all sizes are equal) cannot be kept as a row.
  void ChooseKept(absl::Span<const Needs> stages) {
    kept_.resize(plan_.levels.size());
    int64_t bytes = 0;
    for (const auto& value : bound_.instruction()
                                 .fused_instructions_computation()
                                 ->instructions()) {
      if (!IsCostly(value->opcode()) || !value->IsElementwiseOp() ||
          !IsRow(value->shape())) {
        continue;
      }
      size_t first = 0;
      while (first < stages.size() && !stages[first].here.contains(value)) {
        ++first;
      }
      bool again = false;
      bool elsewhere = false;
      for (size_t s = 0; s < stages.size(); ++s) {
        again |= s > first && stages[s].here.contains(value);
        elsewhere |= stages[s].elsewhere.contains(value);
      }
      if (!again || elsewhere) continue;
      bytes += plan_.rows_together * plan_.reduced *
               RegisterBytes(value->shape().element_type());
      if (bytes > kKeptBytes) return;
      kept_[first].push_back(value);
    }
  }

  // Arrays are prefetched in the first loop that reads them. But where memory
  // is slower than a loop over a row, it should be asked while the processor is
  // busy: if a later loop computes elementary functions and reads an array too,
  // the array's next row is prefetched there.
  void ChooseFetchStage(absl::Span<const Needs> stages) {
    for (size_t s = 0; s < stages.size() && fetch_stage_ == 0; ++s) {
      for (const HloInstruction* value : stages[s].here) {
        if (!IsCostly(value->opcode()) || !IsRow(value->shape()) ||
            value->def().cost_class == CostClass::kDivision) {
          continue;
        }
        if (s == 0) return;
        fetch_stage_ = s;
      }
    }
    for (const HloInstruction* value : stages[fetch_stage_].here) {
      if (fetch_stage_ == 0 || value->opcode() != HloOpcode::kParameter ||
          !IsRow(value->shape())) {
        continue;
      }
      const int64_t bytes = plan_.reduced * ShapeUtil::ByteSizeOfPrimitiveType(
                                                value->shape().element_type());
      const IrArray* array = emitter_.BoundArray(value, 0);
      if (bytes > kFetchedRowBytes || array == nullptr) continue;
      fetched_late_.insert(array->base());
      fetched_bytes_ = std::max(fetched_bytes_, bytes);
    }
  }

  // Emits the code of each row next to that of the others, since that of one
  // row waits for its reductions. All loads of a step come before any store: a
  // row may be there twice, and outputs may overlap inputs.
  absl::Status EmitRows(absl::Span<llvm::Value* const> rows) {
    ElementalEmitter::Scope scope(emitter_);
    rows_ = std::vector<Row>(rows.size());
    for (size_t r = 0; r < rows.size(); ++r) {
      VectorIndex& outer = rows_[r].outer;
      outer.linear =
          AffineIndex{.base = rows[r], .min = 0, .max = plan_.outer - 1};
      outer.MakeTerms(b_, plan_.outer_sizes);
      rows_[r].prefetch = {
          .elements = plan_.outer * plan_.reduced,
          .cached_bytes =
              CpuCostModel(emitter_.context().target).cache_bytes(1),
          .done = fetched_late_};
    }
    absl::Cleanup no_prefetch = [&] { emitter_.context().prefetch = nullptr; };
    for (size_t level = 0; level < plan_.levels.size(); ++level) {
      AllowLateFetches(level);
      TF_RETURN_IF_ERROR(EmitLevel(level));
    }
    AllowLateFetches(plan_.levels.size());
    TF_RETURN_IF_ERROR(EmitResultRoots());
    return EmitRowRoots();
  }

  void AllowLateFetches(size_t stage) {
    if (stage != fetch_stage_) return;
    for (Row& row : rows_) {
      for (const llvm::Value* base : fetched_late_) {
        row.prefetch.done.erase(base);
      }
      row.prefetch.distance_bytes =
          std::max(row.prefetch.distance_bytes, fetched_bytes_);
    }
  }

  absl::Status EmitResultRoots() {
    for (const Root& root : result_roots_) {
      std::vector<Element> elements;
      TF_RETURN_IF_ERROR(ForRows([&]() -> absl::Status {
        VectorIndex at;
        at.linear = row().outer.linear;
        TF_ASSIGN_OR_RETURN(Element element,
                            emitter_.Emit(root.value, at, root.leaf));
        elements.push_back(element);
        return absl::OkStatus();
      }));
      for (size_t r = 0; r < rows_.size(); ++r) {
        VectorIndex at;
        at.linear = rows_[r].outer.linear;
        root.array.Store(emitter_.context(), at, elements[r]);
      }
    }
    return absl::OkStatus();
  }

  // A row whose code is being emitted.
  struct Row {
    VectorIndex outer;
    // The operands' elements are prefetched in the first loop that reads them.
    Prefetch prefetch;
    // The results of reductions, by leaf.
    absl::flat_hash_map<std::pair<const HloInstruction*, int>, Element> results;
    absl::flat_hash_map<const HloInstruction*, IrArray> kept;
  };

  Row& row() { return rows_[current_]; }

  // Runs body() with each row as the current one.
  absl::Status ForRows(const std::function<absl::Status()>& body) {
    for (current_ = 0; current_ < rows_.size(); ++current_) {
      emitter_.context().prefetch = &row().prefetch;
      TF_RETURN_IF_ERROR(body());
    }
    return absl::OkStatus();
  }

  // The index of a vector of elements of the current row, starting at `i`.
  VectorIndex RowIndex(llvm::Value* i) {
    const int lanes = plan_.lanes;
    VectorIndex inner{.lanes = lanes};
    inner.linear = AffineIndex{.base = i,
                               .step = lanes == 1 ? 0 : 1,
                               .min = 0,
                               .max = plan_.reduced - 1,
                               .divisor = lanes};
    inner.MakeTerms(b_, plan_.reduced_sizes);
    VectorIndex index{.lanes = lanes, .terms = row().outer.terms};
    index.terms.insert(index.terms.end(), inner.terms.begin(),
                       inner.terms.end());
    return index;
  }

  // Runs body(i) for the vectors of a row, or of the columns of it that are
  // computed; the last one is masked.
  absl::Status ForVectors(
      const std::function<absl::Status(llvm::Value* i)>& body) {
    const int lanes = plan_.lanes;
    const int64_t rest = plan_.reduced % lanes;
    llvm::Value* whole = b_.getInt64(plan_.reduced - rest);
    llvm::Value* last = EndColumn();
    TF_RETURN_IF_ERROR(EmitFor(
        b_, FirstColumn(),
        last == nullptr ? whole : AtMost(b_, last, plan_.reduced - rest), lanes,
        [&](llvm::Value* i) {
          ElementalEmitter::Scope scope(emitter_);
          return body(i);
        },
        plan_.straight));
    if (rest == 0) return absl::OkStatus();
    const auto masked_body = [&] {
      ElementalEmitter::Scope scope(emitter_);
      ElementalEmitter::Masked masked(emitter_.context(),
                                      FirstLanes(b_, lanes, rest));
      return body(whole);
    };
    if (last == nullptr) return masked_body();
    return EmitWhen(b_, b_.CreateICmpSGT(last, whole), masked_body);
  }

  // The first column that is computed, which begins a vector.
  llvm::Value* FirstColumn() {
    llvm::Value* first = emitter_.context().column_range[0];
    if (first == nullptr) return b_.getInt64(0);
    return b_.CreateAnd(first, b_.getInt64(-int64_t{plan_.lanes}));
  }
  // The end of the columns that are computed; null for the end of the row.
  llvm::Value* EndColumn() { return emitter_.context().column_range[1]; }

  absl::Status EmitLevel(size_t level) {
    Reducers reducers(emitter_, plan_.levels[level]);
    const auto identities = reducers.Identities();
    // By row: initial values may be results of earlier levels.
    std::vector<std::vector<Element>> initial;
    std::deque<Accumulators> accumulators;
    TF_RETURN_IF_ERROR(ForRows([&]() -> absl::Status {
      TF_ASSIGN_OR_RETURN(initial.emplace_back(), reducers.Initial());
      accumulators.emplace_back(
          b_, SplatEach(b_, identities.value_or(initial.back()), plan_.lanes));
      return absl::OkStatus();
    }));
    TF_RETURN_IF_ERROR(ForVectors([&](llvm::Value* i) {
      return ForRows([&]() -> absl::Status {
        const VectorIndex index = RowIndex(i);
        TF_ASSIGN_OR_RETURN(std::vector<Element> values,
                            reducers.Operands(index));
        const std::vector<Element> before = accumulators[current_].Get();
        TF_ASSIGN_OR_RETURN(std::vector<Element> after,
                            reducers.Combine(before, values));
        if (!identities.has_value()) {
          // The first values become the accumulators.
          after =
              SelectEach(b_, b_.CreateICmpEQ(i, FirstColumn()), values, after);
        }
        if (llvm::Value* mask = emitter_.context().mask) {
          after = SelectEach(b_, mask, after, before);
        }
        accumulators[current_].Set(after);
        return KeepValues(level, index);
      });
    }));
    TF_RETURN_IF_ERROR(ForRows([&]() -> absl::Status {
      TF_ASSIGN_OR_RETURN(std::vector<Element> combined,
                          reducers.CombineLanes(accumulators[current_].Get()));
      TF_ASSIGN_OR_RETURN(std::vector<Element> results,
                          reducers.Combine(initial[current_], combined));
      reducers.ForEachLeaf([&](const HloInstruction* reduce, int leaf, int i) {
        row().results[{reduce, leaf}] = results[i];
      });
      return absl::OkStatus();
    }));
    // All of a row depends on these elements alone, whatever the index says.
    reducers.ForEachLeaf([&](const HloInstruction* reduce, int leaf, int) {
      emitter_.Bind(reduce, leaf,
                    [this, key = std::pair(reduce, leaf)](
                        EmitContext& context,
                        const VectorIndex& at) -> absl::StatusOr<Element> {
                      return Splat(context.b, row().results.at(key), at.lanes);
                    });
    });
    BindKept(level);
    return absl::OkStatus();
  }

  IrArray& KeptRow(const HloInstruction* value) {
    auto [it, fresh] = row().kept.try_emplace(value);
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
      emitter_.Bind(
          value, 0,
          [this, value](EmitContext& context,
                        const VectorIndex& index) -> absl::StatusOr<Element> {
            return KeptRow(value).Load(context, InRow(index));
          });
    }
  }

  absl::Status EmitRowRoots() {
    if (row_roots_.empty()) return absl::OkStatus();
    return ForVectors([&](llvm::Value* i) -> absl::Status {
      std::vector<Element> elements;
      TF_RETURN_IF_ERROR(ForRows([&]() -> absl::Status {
        for (const Root& root : row_roots_) {
          TF_ASSIGN_OR_RETURN(
              Element element,
              emitter_.Emit(root.value, RowIndex(i), root.leaf));
          elements.push_back(element);
        }
        return absl::OkStatus();
      }));
      auto next = elements.begin();
      return ForRows([&] {
        for (const Root& root : row_roots_) {
          root.array.Store(emitter_.context(), RowIndex(i), *next++);
        }
        return absl::OkStatus();
      });
    });
  }

  BoundInstruction& bound_;
  ElementalEmitter& emitter_;
  llvm::IRBuilder<>& b_;
  const ReductionPlan& plan_;
  std::vector<Root> result_roots_;
  std::vector<Root> row_roots_;
  std::vector<Row> rows_;
  size_t current_ = 0;                                    // in rows_
  std::vector<std::vector<const HloInstruction*>> kept_;  // by level
  // The loop that fetches the next rows of some arrays, by the arrays' bases,
  // and the bytes of the longest of these rows.
  size_t fetch_stage_ = 0;
  absl::flat_hash_set<const llvm::Value*> fetched_late_;
  int64_t fetched_bytes_ = 0;
  std::deque<Shape> shapes_;
};

}  // namespace

absl::Status EmitRowReduction(BoundInstruction& bound,
                              const ReductionPlan& plan, llvm::Value* begin,
                              llvm::Value* end) {
  return RowReduction(bound, plan).Emit(begin, end);
}

}  // namespace xla::cpu
