// Visitors that treat most ops alike, and visitors that rewrite.
#ifndef COMPAT_XLA_HLO_IR_DFS_HLO_VISITOR_WITH_DEFAULT_H_
#define COMPAT_XLA_HLO_IR_DFS_HLO_VISITOR_WITH_DEFAULT_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/dfs_hlo_visitor.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// All handlers call DefaultAction unless a visitor overrides them.
template <typename HloInstructionPtr>
class DfsHloVisitorWithDefaultBase
    : public DfsHloVisitorBase<HloInstructionPtr> {
 public:
  virtual absl::Status DefaultAction(HloInstructionPtr hlo) = 0;

  absl::Status HandleElementwiseUnary(HloInstructionPtr hlo) override {
    return DefaultAction(hlo);
  }
  absl::Status HandleElementwiseBinary(HloInstructionPtr hlo) override {
    return DefaultAction(hlo);
  }
#define XLA_HANDLER_(op, name)                                \
  absl::Status Handle##name(HloInstructionPtr hlo) override { \
    return DefaultAction(hlo);                                \
  }
  XLA_FOR_EACH_OTHER_OP(XLA_HANDLER_)
#undef XLA_HANDLER_
};
using DfsHloVisitorWithDefault = DfsHloVisitorWithDefaultBase<HloInstruction*>;
using ConstDfsHloVisitorWithDefault =
    DfsHloVisitorWithDefaultBase<const HloInstruction*>;

// Calls a function for each instruction.
template <typename HloInstructionPtr>
class FunctionVisitorBase
    : public DfsHloVisitorWithDefaultBase<HloInstructionPtr> {
 public:
  explicit FunctionVisitorBase(
      std::function<absl::Status(HloInstructionPtr)> visitor_func)
      : visitor_func_(std::move(visitor_func)) {}
  absl::Status DefaultAction(HloInstructionPtr hlo) override {
    return visitor_func_(hlo);
  }

 private:
  std::function<absl::Status(HloInstructionPtr)> visitor_func_;
};
using FunctionVisitor = FunctionVisitorBase<HloInstruction*>;
using ConstFunctionVisitor = FunctionVisitorBase<const HloInstruction*>;

// Calls a function for each instruction that passes a filter.
class FilteredDfsHloVisitor : public DfsHloVisitorWithDefault {
 public:
  FilteredDfsHloVisitor(
      std::function<absl::Status(HloInstruction*)> action,
      std::function<bool(const HloInstruction*)> filter) noexcept
      : action_(std::move(action)), filter_(std::move(filter)) {}
  absl::Status DefaultAction(HloInstruction* hlo) override {
    return filter_(hlo) ? action_(hlo) : absl::OkStatus();
  }

 private:
  std::function<absl::Status(HloInstruction*)> action_;
  std::function<bool(const HloInstruction*)> filter_;
};

// Replaces instructions, and knows whether it replaced any. Handlers call the
// functions below; replaced instructions are removed after their handler.
class DfsHloRewriteVisitor : public DfsHloVisitorWithDefault {
 public:
  // Visits all computations of the threads, or all; returns whether anything
  // changed.
  absl::StatusOr<bool> RunOnModule(
      HloModule* module,
      const absl::flat_hash_set<absl::string_view>& execution_threads = {}) {
    changed_ = false;
    for (HloComputation* computation : module->MakeNonfusionComputations()) {
      if (!execution_threads.empty() &&
          !execution_threads.contains(computation->execution_thread())) {
        continue;
      }
      TF_RETURN_IF_ERROR(Visit(computation));
    }
    return changed_;
  }
  absl::StatusOr<bool> RunOnComputation(HloComputation* computation) {
    changed_ = false;
    TF_RETURN_IF_ERROR(Visit(computation));
    return changed_;
  }

  bool changed() const { return changed_; }
  absl::Status DefaultAction(HloInstruction* hlo) override {
    return absl::OkStatus();
  }
  absl::Status Postprocess(HloInstruction* hlo) override {
    if (!std::exchange(replaced_, false)) return absl::OkStatus();
    TF_RETURN_IF_ERROR(hlo->DropAllControlDeps());
    if (hlo->opcode() == HloOpcode::kParameter || hlo->user_count() > 0 ||
        hlo->IsRoot()) {
      return absl::OkStatus();
    }
    return hlo->parent()->RemoveInstructionAndUnusedOperands(hlo);
  }

 protected:
  absl::Status ReplaceWithNewInstruction(
      HloInstruction* old_instruction,
      std::unique_ptr<HloInstruction> new_instruction) {
    return ReplaceInstruction(old_instruction, old_instruction->AddInstruction(
                                                   std::move(new_instruction)));
  }
  absl::Status ReplaceInstruction(HloInstruction* old_instruction,
                                  HloInstruction* new_instruction) {
    TF_RETURN_IF_ERROR(old_instruction->ReplaceAllUsesWith(new_instruction));
    replaced_ = changed_ = true;
    return absl::OkStatus();
  }
  void MarkAsChanged() { changed_ = true; }
  void MarkAsUnchanged() { changed_ = false; }
  void MarkAsMaybeChanged(bool changed) { changed_ |= changed; }

 private:
  // Handlers may add and remove instructions: the order is made before.
  absl::Status Visit(HloComputation* computation) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      // Operands that lost their last user go with it, and are visited before.
      TF_RETURN_IF_ERROR(Preprocess(hlo));
      TF_RETURN_IF_ERROR(Dispatch(hlo));
      TF_RETURN_IF_ERROR(Postprocess(hlo));
    }
    return FinishVisit(computation->root_instruction());
  }

  bool changed_ = false;
  bool replaced_ = false;
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_IR_DFS_HLO_VISITOR_WITH_DEFAULT_H_
