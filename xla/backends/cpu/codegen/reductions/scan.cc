// Cumulative sums and the like: reduce-windows that are linear scans. Along the
// innermost dimension a vector is scanned in log2(lanes) steps and then
// combined with the result so far; along other dimensions, columns are scanned
// in vectors.
#include "xla/backends/cpu/codegen/reductions/scan.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "xla/backends/cpu/codegen/elemental/accumulators.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/backends/cpu/codegen/plans/scan_plan.h"
#include "xla/backends/cpu/codegen/reductions/reducer.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

class ScanEmitter {
 public:
  ScanEmitter(BoundInstruction& bound, const ScanPlan& plan)
      : emitter_(bound.emitter()),
        b_(emitter_.b()),
        plan_(plan),
        root_(bound.roots()[0]),
        reducers_(emitter_, {&plan.scan, 1}) {}

  absl::Status Emit(llvm::Value* begin, llvm::Value* end) {
    return EmitFor(
        b_, begin, end, 1, [&](llvm::Value* workgroup) -> absl::Status {
          ElementalEmitter::Scope scope(emitter_);
          llvm::Value* blocks = b_.getInt64(plan_.blocks());
          VectorIndex outer;
          outer.linear = AffineIndex{.base = b_.CreateUDiv(workgroup, blocks),
                                     .min = 0,
                                     .max = plan_.outer - 1};
          outer.MakeTerms(b_, plan_.outer_sizes);
          outer_ = outer;
          if (plan_.inner == 1) return EmitRow();
          llvm::Value* first = b_.CreateMul(b_.CreateURem(workgroup, blocks),
                                            b_.getInt64(plan_.block));
          return EmitColumns(first);
        });
  }

 private:
  // The index of `lanes` elements: `at` along the scan, `column` in the inner
  // dimensions.
  VectorIndex Index(AffineIndex at, const AffineIndex& column, int lanes) {
    VectorIndex inner{.lanes = lanes};
    inner.linear = column;
    inner.MakeTerms(b_, plan_.inner_sizes);
    VectorIndex index{.lanes = lanes, .terms = outer_.terms};
    if (plan_.reverse) {
      at = AffineIndexBuilder(b_, lanes).SubtractFrom(plan_.length - 1, at);
    }
    index.terms.push_back(at);
    index.terms.insert(index.terms.end(), inner.terms.begin(),
                       inner.terms.end());
    return index;
  }

  absl::Status Store(const VectorIndex& index, const Element& element) {
    const Shape& from = plan_.scan->shape();
    const Shape& to = root_.array.shape();
    root_.array.Store(emitter_.context(),
                      index.Reshaped(b_, from.dimensions(), to.dimensions()),
                      element);
    return absl::OkStatus();
  }

  // Makes each lane l the combination of lanes 0 to l.
  absl::StatusOr<std::vector<Element>> ScanLanes(std::vector<Element> values) {
    const int lanes = LanesOf(values[0].value);
    for (int distance = 1; distance < lanes; distance *= 2) {
      std::vector<int> mask(lanes);
      std::vector<llvm::Constant*> moved(lanes);
      for (int l = 0; l < lanes; ++l) {
        mask[l] = std::max(l - distance, 0);
        moved[l] = b_.getInt1(l >= distance);
      }
      std::vector<Element> earlier;
      for (const Element& value : values) {
        Element element{b_.CreateShuffleVector(value.value, mask)};
        if (value.imag != nullptr) {
          element.imag = b_.CreateShuffleVector(value.imag, mask);
        }
        earlier.push_back(element);
      }
      TF_ASSIGN_OR_RETURN(std::vector<Element> combined,
                          reducers_.Combine(earlier, values));
      values =
          SelectEach(b_, llvm::ConstantVector::get(moved), combined, values);
    }
    return values;
  }

  // Combines the result so far with what follows it on the way of the scan.
  absl::StatusOr<std::vector<Element>> Combine(
      const std::vector<Element>& so_far, const std::vector<Element>& values) {
    return plan_.reverse ? reducers_.Combine(values, so_far)
                         : reducers_.Combine(so_far, values);
  }

  absl::Status EmitRow() {
    TF_ASSIGN_OR_RETURN(std::vector<Element> initial, reducers_.Initial());
    Accumulators carry(b_, initial);
    const int lanes = plan_.lanes;
    const AffineIndex column = AffineIndexBuilder(b_, 1).Constant(0);
    auto step = [&](llvm::Value* i, int width) -> absl::Status {
      ElementalEmitter::Scope scope(emitter_);
      const AffineIndex at{.base = i,
                           .step = width == 1 ? 0 : 1,
                           .min = 0,
                           .max = plan_.length - 1,
                           .divisor = width};
      const VectorIndex index = Index(at, column, width);
      TF_ASSIGN_OR_RETURN(std::vector<Element> values,
                          reducers_.Operands(index));
      if (width > 1) {
        TF_ASSIGN_OR_RETURN(values, ScanLanes(std::move(values)));
      }
      TF_ASSIGN_OR_RETURN(std::vector<Element> results,
                          Combine(SplatEach(b_, carry.Get(), width), values));
      Element last = results[0];
      if (width > 1) {
        last.value = b_.CreateExtractElement(last.value, width - 1);
        if (last.imag != nullptr) {
          last.imag = b_.CreateExtractElement(last.imag, width - 1);
        }
      }
      carry.Set({last});
      return Store(index, results[0]);
    };
    const int64_t whole = plan_.length - plan_.length % lanes;
    TF_RETURN_IF_ERROR(EmitFor(b_, b_.getInt64(0), b_.getInt64(whole), lanes,
                               [&](llvm::Value* i) { return step(i, lanes); }));
    return EmitFor(b_, b_.getInt64(whole), b_.getInt64(plan_.length), 1,
                   [&](llvm::Value* i) { return step(i, 1); });
  }

  // Emits columns [first, first + block), without those beyond the last.
  absl::Status EmitColumns(llvm::Value* first) {
    const int64_t rest = plan_.inner % plan_.lanes;
    llvm::Value* whole = b_.getInt64(plan_.inner - rest);
    llvm::Value* end = b_.CreateAdd(first, b_.getInt64(plan_.block));
    llvm::Value* limit =
        b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end, whole);
    TF_RETURN_IF_ERROR(EmitFor(
        b_, first, limit, plan_.lanes,
        [&](llvm::Value* column) { return EmitColumn(column, plan_.lanes); }));
    if (rest == 0) return absl::OkStatus();
    return EmitWhen(b_, b_.CreateICmpSGT(end, whole), [&] {
      return EmitFor(
          b_, whole, b_.getInt64(plan_.inner), 1,
          [&](llvm::Value* column) { return EmitColumn(column, 1); });
    });
  }

  absl::Status EmitColumn(llvm::Value* first, int lanes) {
    ElementalEmitter::Scope scope(emitter_);
    TF_ASSIGN_OR_RETURN(std::vector<Element> initial, reducers_.Initial());
    Accumulators carry(b_, SplatEach(b_, initial, lanes));
    return EmitFor(b_, b_.getInt64(0), b_.getInt64(plan_.length), 1,
                   [&](llvm::Value* i) -> absl::Status {
                     ElementalEmitter::Scope scope(emitter_);
                     const AffineIndex at{
                         .base = i, .min = 0, .max = plan_.length - 1};
                     const AffineIndex column{.base = first,
                                              .step = lanes == 1 ? 0 : 1,
                                              .min = 0,
                                              .max = plan_.inner - 1,
                                              .divisor = lanes};
                     const VectorIndex index = Index(at, column, lanes);
                     TF_ASSIGN_OR_RETURN(std::vector<Element> values,
                                         reducers_.Operands(index));
                     TF_ASSIGN_OR_RETURN(std::vector<Element> results,
                                         Combine(carry.Get(), values));
                     carry.Set(results);
                     return Store(index, results[0]);
                   });
  }

  ElementalEmitter& emitter_;
  llvm::IRBuilder<>& b_;
  const ScanPlan& plan_;
  const Root& root_;
  Reducers reducers_;
  VectorIndex outer_;
};

}  // namespace

absl::Status EmitScan(BoundInstruction& bound, llvm::Value* begin,
                      llvm::Value* end) {
  const std::optional<ScanPlan> plan =
      PlanScan(bound.instruction(), bound.context().target);
  if (!plan.has_value()) return absl::OkStatus();  // no elements
  return ScanEmitter(bound, *plan).Emit(begin, end);
}

}  // namespace xla::cpu
