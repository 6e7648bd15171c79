// The step that puts called computations in the place of what calls them.
#include <string>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/loops/while_simplifier.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"
#include "xla/hlo/transforms/simplify/tuple_simplifier.h"
#include "xla/tools/reduction/moves.h"

namespace xla::tools {
namespace {

bool CanUnwrap(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kCall ||
         hlo.opcode() == HloOpcode::kFusion ||
         hlo.opcode() == HloOpcode::kWhile ||
         hlo.opcode() == HloOpcode::kConditional;
}

// Of a conditional, takes the first or the last branch.
absl::Status Unwrap(bool last_branch, HloInstruction* hlo) {
  TF_RETURN_IF_ERROR(hlo->DropAllControlDeps());
  switch (hlo->opcode()) {
    case HloOpcode::kWhile:
      return InlineCall(hlo, *hlo->while_body(), hlo->operands());
    case HloOpcode::kConditional: {
      const int branch = last_branch ? hlo->branch_count() - 1 : 0;
      return InlineCall(hlo, *hlo->branch_computation(branch),
                        {hlo->mutable_operand(branch + 1)});
    }
    default:
      return InlineCall(hlo, *hlo->called_computations()[0], hlo->operands());
  }
}

bool TryPass(Trials& trials, HloPassInterface&& pass) {
  ReducibleProgram copy = trials.Copy();
  const absl::StatusOr<bool> changed = pass.Run(copy.module.get());
  return changed.ok() && *changed && trials.Try(std::move(copy));
}

}  // namespace

bool UnwrapCalls(Trials& trials) {
  bool changed = false;
  for (const bool last_branch : {false, true}) {
    changed |= trials.TryChunks(
        NamesOf(*trials.best().module, CanUnwrap),
        [last_branch](
            ReducibleProgram& program,
            absl::Span<const std::string> chunk) -> absl::StatusOr<bool> {
          bool edited = false;
          for (const std::string& name : chunk) {
            HloInstruction* hlo = FindInstruction(*program.module, name);
            if (hlo == nullptr || !CanUnwrap(*hlo)) continue;
            TF_RETURN_IF_ERROR(Unwrap(last_branch, hlo));
            edited = true;
          }
          return edited;
        });
  }
  changed |= TryPass(trials, TupleSimplifier());
  changed |= TryPass(trials, WhileSimplifier());
  return changed;
}

}  // namespace xla::tools
