// Dispatches over code families.
#include "xla/backends/cpu/codegen/instruction_emitter.h"

#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "xla/backends/cpu/codegen/loops/loop_fusion.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/codegen/reductions/reductions.h"
#include "xla/backends/cpu/codegen/reductions/scan.h"
#include "xla/backends/cpu/codegen/reductions/scatter.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// Calls `emit`, with streaming stores if outputs are large.
absl::Status EmitStreaming(BoundInstruction& bound,
                           absl::FunctionRef<absl::Status()> emit) {
  const bool streaming = bound.StreamOutputs();
  TF_RETURN_IF_ERROR(emit());
  if (streaming && bound.context().target.is_x86) {
    // Only a fence makes streaming stores visible to other threads.
    bound.emitter().b().CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {},
                                        {});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status EmitInstruction(EmitContext& context, ArrayMap& arrays,
                             const HloInstruction& instruction,
                             llvm::Value* begin, llvm::Value* end) {
  const CodeFamily family = CodeFamilyOf(instruction);
  if (family == CodeFamily::kNone) {
    return absl::UnimplementedError(
        absl::StrCat("no native code for ", instruction.ToString()));
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<BoundInstruction> bound,
                      BoundInstruction::Make(context, arrays, instruction));
  switch (family) {
    case CodeFamily::kNone:
      break;
    case CodeFamily::kLoop:
      return EmitStreaming(*bound,
                           [&] { return EmitLoopFusion(*bound, begin, end); });
    case CodeFamily::kReduction:
      return EmitStreaming(*bound,
                           [&] { return EmitReduction(*bound, begin, end); });
    case CodeFamily::kUpdateInPlace:
      return EmitUpdateInPlace(*bound, begin, end);
    case CodeFamily::kScatter:
      return EmitScatter(*bound, begin, end);
    case CodeFamily::kScan:
      return EmitScan(*bound, begin, end);
  }
  return absl::InternalError("no such family of code");
}

absl::Status EmitBlocksOfRows(EmitContext& context, ArrayMap& arrays,
                              const HloInstruction& instruction,
                              int64_t columns, llvm::Value* begin,
                              llvm::Value* end) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<BoundInstruction> bound,
                      BoundInstruction::Make(context, arrays, instruction));
  return EmitLoopOfRows(*bound, columns, begin, end);
}

}  // namespace xla::cpu
