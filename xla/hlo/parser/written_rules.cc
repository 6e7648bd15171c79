// Rules of single instructions that the parser checks.
#include "xla/hlo/parser/written_rules.h"

#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/device/collectives.h"

namespace xla {
namespace {

absl::Status CheckDevices(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart: {
      const auto& attrs = hlo.attrs<AllGatherAttrs>();
      return CheckGlobalDeviceIds(attrs.channel_id,
                                  attrs.use_global_device_ids);
    }
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart: {
      const auto& attrs = hlo.attrs<AllReduceAttrs>();
      return CheckGlobalDeviceIds(attrs.channel_id,
                                  attrs.use_global_device_ids);
    }
    default: {
      const auto& attrs = hlo.attrs<ReduceScatterAttrs>();
      return CheckGlobalDeviceIds(attrs.channel_id,
                                  attrs.use_global_device_ids);
    }
  }
}

absl::Status CheckConstraints(const HloInstruction& call) {
  const auto& wanted = call.attrs<CustomCallAttrs>().operand_layout_constraints;
  if (!wanted.has_value()) return absl::OkStatus();
  return CheckOperandLayouts(OperandShapes(call.operands()), *wanted);
}

}  // namespace

absl::Status CheckAsWritten(const InstructionSyntax& syntax,
                            const HloInstruction& hlo, AsyncChecker& async) {
  switch (hlo.opcode()) {
    case HloOpcode::kConditional:
      return CheckBranchIndex(hlo.operand(0)->shape());
    case HloOpcode::kCustomCall:
      return CheckConstraints(hlo);
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kReduceScatter:
      return CheckDevices(hlo);
    case HloOpcode::kAsyncStart:
      return async.CheckStart(hlo);
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
      return async.CheckLink(hlo, syntax.async_opcode);
    default:
      return absl::OkStatus();
  }
}

}  // namespace xla
