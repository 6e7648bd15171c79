// The pass of lesson 5: negate(negate(x)) => x. Runs it over a module that has
// a match and a near miss, and prints the module before and after.
#include <iostream>
#include <memory>

#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/hlo/pass/hlo_pass_pipeline.h"
#include "xla/service/hlo_verifier.h"
#include "xla/status_macros.h"

namespace {

using xla::HloInstruction;
using xla::HloOpcode;

// Removes pairs of negations:
//
//   n = f32[4] negate(x)
//   ROOT r = f32[4] negate(n)      =>   ROOT x
//
// Exact for floats too, since a negation only changes the sign. Leaves pairs
// with control edges alone, and the inner negation if others use it.
class DoubleNegationRemover : public xla::HloModulePass {
 public:
  absl::string_view name() const override { return "double-negation-remover"; }

 protected:
  absl::StatusOr<bool> RunImpl(xla::HloModule* module) override {
    bool changed = false;
    for (xla::HloComputation* computation : module->computations()) {
      for (HloInstruction* outer : computation->MakeInstructionPostOrder()) {
        TF_ASSIGN_OR_RETURN(const bool removed, TryRemove(outer));
        changed |= removed;
      }
    }
    return changed;
  }

 private:
  absl::StatusOr<bool> TryRemove(HloInstruction* outer) {
    if (outer->opcode() != HloOpcode::kNegate) return false;
    HloInstruction* inner = outer->mutable_operand(0);
    if (inner->opcode() != HloOpcode::kNegate) return false;
    if (outer->HasControlDependencies()) return false;
    TF_RETURN_IF_ERROR(outer->ReplaceAllUsesWith(inner->mutable_operand(0)));
    return true;
  }
};

constexpr char kProgram[] = R"(
HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  n = f32[4] negate(x)
  hit = f32[4] negate(n)
  a = f32[4] abs(n)
  miss = f32[4] negate(a)
  ROOT both = (f32[4], f32[4]) tuple(hit, miss)
}
)";

absl::Status Run() {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::HloModule> module,
                      xla::ParseAndReturnUnverifiedModule(kProgram));
  xla::HloPassPipeline pipeline("lesson");
  pipeline.AddInvariantChecker<xla::HloVerifier>(
      /*layout_sensitive=*/false, /*allow_mixed_precision=*/false);
  pipeline.AddPass<DoubleNegationRemover>();
  TF_ASSIGN_OR_RETURN(const bool changed, pipeline.Run(module.get()));
  std::cout << (changed ? "changed\n" : "did not change\n")
            << module->ToString();
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
