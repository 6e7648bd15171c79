// The driver: applies rules from a worklist until none applies. The other files
// of this folder have the rules.
#include "xla/hlo/transforms/algebra/algebraic_simplifier.h"

#include <deque>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla {
namespace {

using algebra::Rule;
using algebra::RuleContext;

// The most replacements per instruction of a computation; only rules that undo
// each other reach it.
constexpr int64_t kMaxFiringsPerInstruction = 16;
// The most users of a user that are visited again, which bounds the time.
constexpr int64_t kFewUsers = 8;

bool IsDynamicArray(const Shape& shape) {
  return shape.IsArray() && shape.is_dynamic();
}

// The rules of element-wise ops assume that operands have the same type; HLO
// allows floats of different precision.
bool MixesPrecision(const HloInstruction& hlo) {
  if (!hlo.IsElementwiseOp() || hlo.opcode() == HloOpcode::kMap) return false;
  PrimitiveType type = PRED;
  for (const HloInstruction* operand : hlo.operands()) {
    const PrimitiveType other = operand->shape().element_type();
    if (other == PRED) continue;
    if (type != PRED && type != other) return true;
    type = other;
  }
  return false;
}

bool IsCandidate(const HloInstruction& hlo) {
  if (hlo.HasSideEffectNoRecurse() || hlo.HasControlDependencies() ||
      IsDynamicArray(hlo.shape()) || MixesPrecision(hlo)) {
    return false;
  }
  for (const HloInstruction* operand : hlo.operands()) {
    if (IsDynamicArray(operand->shape())) return false;
  }
  return true;
}

class Simplifier {
 public:
  explicit Simplifier(HloComputation* computation)
      : computation_(computation), context_(computation) {
    const HloModule* module = computation->parent();
    keep_shardings_ =
        module != nullptr && module->config().num_partitions() > 1;
  }

  absl::StatusOr<bool> Run() {
    for (HloInstruction* hlo : computation_->MakeInstructionPostOrder()) {
      Enqueue(hlo);
    }
    int64_t firings_left =
        kMaxFiringsPerInstruction * (computation_->instruction_count() + 1);
    bool changed = false;
    while (!worklist_.empty() && firings_left > 0) {
      const auto next = queued_.find(worklist_.front());
      worklist_.pop_front();
      if (next == queued_.end()) continue;
      HloInstruction* hlo = next->second;
      queued_.erase(next);
      TF_ASSIGN_OR_RETURN(bool fired, Visit(hlo));
      if (fired) --firings_left;
      changed |= fired;
    }
    return changed;
  }

 private:
  void Enqueue(HloInstruction* hlo) {
    if (queued_.emplace(hlo->unique_id(), hlo).second) {
      worklist_.push_back(hlo->unique_id());
    }
  }

  absl::StatusOr<bool> Visit(HloInstruction* hlo) {
    if (!IsCandidate(*hlo)) return false;
    for (algebra::Rules rules :
         {algebra::RulesForAny(), algebra::RulesFor(hlo->opcode())}) {
      for (Rule rule : rules) {
        TF_ASSIGN_OR_RETURN(HloInstruction * replacement, rule(hlo, context_));
        if (replacement != nullptr && replacement != hlo &&
            Accepts(*hlo, replacement)) {
          TF_RETURN_IF_ERROR(Replace(hlo, replacement));
          return true;
        }
        TF_RETURN_IF_ERROR(TakeBack());
      }
    }
    return false;
  }

  // Returns whether `replacement` is valid for `hlo`, which rules need not
  // check. Gives an annotation that it lacks to a new instruction.
  bool Accepts(const HloInstruction& hlo, HloInstruction* replacement) {
    if (hlo.shape() != replacement->shape()) return false;
    bool is_new = false;
    for (const HloInstruction* added : context_.added()) {
      is_new |= added == replacement;
    }
    if (hlo.has_sharding() && keep_shardings_) {
      if (is_new) {
        replacement->set_sharding(hlo.sharding_proto());
      } else if (hlo.sharding_proto().SerializeAsString() !=
                 replacement->sharding_proto().SerializeAsString()) {
        return false;
      }
    }
    if (is_new && hlo.frontend_attributes().map_size() > 0) {
      replacement->set_frontend_attributes(hlo.frontend_attributes());
    }
    return true;
  }

  absl::Status Replace(HloInstruction* hlo, HloInstruction* replacement) {
    if (hlo->metadata().ByteSizeLong() > 0) {
      for (HloInstruction* added : context_.added()) {
        added->set_metadata(hlo->metadata());
      }
    }
    for (HloInstruction* added : context_.added()) Enqueue(added);
    context_.added().clear();
    Enqueue(replacement);
    for (HloInstruction* user : hlo->users()) {
      Enqueue(user);
      if (user->user_count() > kFewUsers) continue;
      for (HloInstruction* next : user->users()) Enqueue(next);
    }
    TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(replacement));
    return RemoveDead({hlo});
  }

  // Removes the instructions that a rule made and did not use.
  absl::Status TakeBack() {
    std::vector<HloInstruction*> added;
    added.swap(context_.added());
    while (!added.empty()) {
      TF_RETURN_IF_ERROR(computation_->RemoveInstruction(added.back()));
      added.pop_back();
    }
    return absl::OkStatus();
  }

  // Removes these if they are dead, and instructions that become dead with
  // them.
  absl::Status RemoveDead(std::vector<HloInstruction*> pending) {
    while (!pending.empty()) {
      HloInstruction* hlo = pending.back();
      pending.pop_back();
      if (hlo->user_count() > 0 || hlo->IsRoot() ||
          hlo->opcode() == HloOpcode::kParameter ||
          hlo->HasControlDependencies() || hlo->HasSideEffect()) {
        continue;
      }
      absl::flat_hash_set<HloInstruction*> seen;
      std::vector<HloInstruction*> operands;
      for (HloInstruction* operand : hlo->operands()) {
        if (seen.insert(operand).second) operands.push_back(operand);
      }
      queued_.erase(hlo->unique_id());
      TF_RETURN_IF_ERROR(computation_->RemoveInstruction(hlo));
      for (HloInstruction* operand : operands) {
        // An operand loses its last user only once, so it is added once.
        if (operand->user_count() == 0) {
          pending.push_back(operand);
        } else if (operand->user_count() == 1) {
          // Rules that require a single use may apply now.
          Enqueue(operand->users()[0]);
        }
      }
    }
    return absl::OkStatus();
  }

  HloComputation* computation_;
  RuleContext context_;
  bool keep_shardings_ = false;
  // Instructions by unique_id: a new one may have the address of one that was
  // removed, and would take its turn.
  std::deque<int64_t> worklist_;
  // Those of the worklist that are still to be visited; a removed instruction
  // stays in the worklist only.
  absl::flat_hash_map<int64_t, HloInstruction*> queued_;
};

// Returns computations whose form a fusion or an asynchronous op relies on.
absl::flat_hash_set<const HloComputation*> FixedComputations(
    const HloModule& module) {
  absl::flat_hash_set<const HloComputation*> fixed;
  for (const auto& computation : module.computations()) {
    if (computation->IsFusionComputation()) fixed.insert(computation);
    for (const auto& hlo : computation->instructions()) {
      switch (hlo->opcode()) {
        case HloOpcode::kFusion:
        case HloOpcode::kAsyncStart:
        case HloOpcode::kAsyncUpdate:
        case HloOpcode::kAsyncDone:
        case HloOpcode::kCustomCall:
          fixed.insert(hlo->called_computations().begin(),
                       hlo->called_computations().end());
          break;
        default:
          break;
      }
    }
  }
  return fixed;
}

}  // namespace

absl::StatusOr<bool> AlgebraicSimplifier::RunImpl(HloModule* module) {
  // A schedule has no place for new instructions.
  if (module->is_scheduled()) return false;
  const auto fixed = FixedComputations(*module);
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (fixed.contains(computation)) continue;
    TF_ASSIGN_OR_RETURN(bool one, Simplifier(computation).Run());
    changed |= one;
  }
  return changed;
}

}  // namespace xla
