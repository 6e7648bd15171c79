// A compiler on top: reads HLO, runs passes of its own, and has the result
// compiled.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/dfs_hlo_visitor_with_default.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/hlo/pass/hlo_pass_pipeline.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/plugin/xla_cpu/cpu_client_options.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"
#include "xla/service/hlo_verifier.h"
#include "xla/service/pattern_matcher.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace {

namespace m = xla::match;

// x / sqrt(y) => x * rsqrt(y)
class RsqrtVisitor : public xla::DfsHloRewriteVisitor {
  absl::Status HandleDivide(xla::HloInstruction* divide) override {
    xla::HloInstruction *x, *y;
    if (!xla::Match(divide, m::Divide(m::Op(&x), m::Sqrt(m::Op(&y))))) {
      return absl::OkStatus();
    }
    xla::HloInstruction* inverse =
        divide->AddInstruction(xla::HloInstruction::CreateUnary(
            y->shape(), xla::HloOpcode::kRsqrt, y));
    return ReplaceWithNewInstruction(
        divide, xla::HloInstruction::CreateBinary(
                    divide->shape(), xla::HloOpcode::kMultiply, x, inverse));
  }
};

class RsqrtPass : public xla::HloModulePass {
 public:
  absl::string_view name() const override { return "rsqrt"; }
  using xla::HloPassInterface::Run;
  absl::StatusOr<bool> Run(
      xla::HloModule* module,
      const absl::flat_hash_set<absl::string_view>& threads) override {
    return RsqrtVisitor().RunOnModule(module, threads);
  }
};

absl::Status Run() {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::HloModule> module,
                      xla::ParseAndReturnUnverifiedModule(R"(
HloModule norm
ENTRY main {
  x = f32[3] parameter(0)
  y = f32[3] parameter(1)
  s = f32[3] sqrt(y)
  ROOT d = f32[3] divide(x, s)
})"));
  xla::HloPassPipeline pipeline("own");
  pipeline.AddInvariantChecker<xla::HloVerifier>(
      /*layout_sensitive=*/false, /*allow_mixed_precision=*/false);
  pipeline.AddPass<RsqrtPass>();
  TF_ASSIGN_OR_RETURN(const bool changed, pipeline.Run(module.get()));
  if (!changed || module->entry_computation()->root_instruction()->opcode() !=
                      xla::HloOpcode::kMultiply) {
    return absl::InternalError(module->ToString());
  }

  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::PjRtClient> client,
                      xla::GetXlaPjrtCpuClient(xla::CpuClientOptions()));
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<xla::PjRtLoadedExecutable> executable,
      client->CompileAndLoad(std::move(module), xla::CompileOptions()));
  TF_ASSIGN_OR_RETURN(xla::PjRtMemorySpace * memory,
                      client->addressable_devices()[0]->default_memory_space());
  const xla::Literal x = xla::LiteralUtil::CreateR1<float>({1, 4, 9});
  TF_ASSIGN_OR_RETURN(auto a, client->BufferFromHostLiteral(x, memory));
  TF_ASSIGN_OR_RETURN(auto b, client->BufferFromHostLiteral(x, memory));
  TF_ASSIGN_OR_RETURN(auto results, executable->Execute({{a.get(), b.get()}},
                                                        xla::ExecuteOptions()));
  TF_ASSIGN_OR_RETURN(std::shared_ptr<xla::Literal> result,
                      results[0][0]->ToLiteralSync());
  for (int i = 0; i < 3; ++i) {
    const float error = result->Get<float>({i}) - static_cast<float>(i + 1);
    if (error > 1e-6f || error < -1e-6f) {
      return absl::InternalError(result->ToString());
    }
  }
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  std::puts(status.ok() ? "all checks passed" : status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
