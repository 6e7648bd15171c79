// Looks up payloads of backend configs and of metadata.
#include "xla/hlo/ir/module/payloads.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

bool IsNumber(const HloInstructionProto& instruction) {
  return instruction.backend_config_payload().has_id() ||
         instruction.metadata().metadata_payload().has_id();
}

}  // namespace

bool NamesPayloads(const HloModuleProto& proto) {
  for (const HloComputationProto& computation : proto.computations()) {
    for (const HloInstructionProto& instruction : computation.instructions()) {
      if (IsNumber(instruction)) return true;
    }
  }
  return false;
}

absl::Status InlinePayloads(HloModuleProto& proto) {
  const auto look_up = [&](absl::string_view instruction, absl::string_view of,
                           Payload& payload) {
    const int64_t id = payload.id();
    if (id < 0 || id >= proto.payloads_size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "HloModuleProto: ", instruction, ": Invalid ", of, " payload id ", id,
          "; the module has ", proto.payloads_size()));
    }
    payload.set_value(proto.payloads(static_cast<int>(id)));
    return absl::OkStatus();
  };
  for (HloComputationProto& computation : *proto.mutable_computations()) {
    for (HloInstructionProto& instruction :
         *computation.mutable_instructions()) {
      if (instruction.backend_config_payload().has_id()) {
        TF_RETURN_IF_ERROR(
            look_up(instruction.name(), "backend config",
                    *instruction.mutable_backend_config_payload()));
      }
      if (instruction.metadata().metadata_payload().has_id()) {
        TF_RETURN_IF_ERROR(look_up(
            instruction.name(), "metadata",
            *instruction.mutable_metadata()->mutable_metadata_payload()));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
