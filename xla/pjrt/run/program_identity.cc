// Hashes programs without what is particular to a process.
#include "xla/pjrt/run/program_identity.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/runs_on_caller.h"
#include "xla/base/stable_hash.h"
#include "xla/hlo/ops/opcode_groups.h"
#include "xla/proto/message_bytes.h"
#include "xla/proto/parse_message.h"

namespace xla {
namespace {

uint64_t HashOfSource(const std::string& source) {
  HloModuleProto proto;
  if (!ParseMessage(source, &proto)) return StableBlockHash(source);
  proto.DiscardUnknownFields();
  // Where the program is on this host's disk.
  proto.clear_stack_frame_index();
  for (HloComputationProto& computation : *proto.mutable_computations()) {
    for (HloInstructionProto& instruction :
         *computation.mutable_instructions()) {
      instruction.clear_metadata();
      const std::string& target = instruction.custom_call_target();
      if (!target.empty() && RunsOnCaller(target)) {
        instruction.clear_backend_config();
      }
    }
  }
  return StableBlockHash(DeterministicBytes(proto));
}

using TextOfComputation =
    absl::flat_hash_map<const HloComputation*, std::string>;

// Lists the collectives of `computation` in the order in which they begin;
// `callees` has what it calls. Whether a collective is asynchronous may differ
// between processes, so a start is listed as its collective.
std::string ListCollectives(const HloComputation& computation,
                            const TextOfComputation& callees) {
  std::string text;
  for (const auto& hlo : computation.instructions()) {
    switch (hlo->opcode()) {
      case HloOpcode::kAsyncStart:
        text += callees.at(hlo->called_computations()[0]);
        break;
      case XLA_DEVICE_OPCODES:
        // These two need no other device, and may stand anywhere.
        if (hlo->opcode() == HloOpcode::kPartitionId ||
            hlo->opcode() == HloOpcode::kReplicaId) {
          break;
        }
        absl::StrAppend(&text, hlo->name(), " ", HloOpcodeString(hlo->opcode()),
                        " ", hlo->shape().ToString(), "\n");
        break;
      default:
        for (const HloComputation* called : hlo->called_computations()) {
          const std::string& inside = callees.at(called);
          if (inside.empty()) continue;
          absl::StrAppend(&text, HloOpcodeString(hlo->opcode()), " of ",
                          StableHash(inside), "\n");
        }
        break;
    }
  }
  return text;
}

uint64_t HashOfCollectives(const HloModule& module) {
  TextOfComputation texts;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    texts[computation] = ListCollectives(*computation, texts);
  }
  return StableHash(texts.at(module.entry_computation()));
}

}  // namespace

std::shared_ptr<const distributed::ProgramIdentity> IdentifyProgram(
    const PjRtExecutable& executable, absl::Span<PjRtDevice* const> devices) {
  auto program = std::make_shared<distributed::ProgramIdentity>();
  program->name = std::string(executable.name());
  program->fingerprint =
      StableMix(HashOfSource(executable.source()),
                HashOfCollectives(executable.executable().module()));
  program->devices = StableMix(executable.num_replicas(), devices.size());
  for (const PjRtDevice* device : devices) {
    program->process_of_device.push_back(device->process_index());
    program->devices = StableMix(program->devices, device->id());
  }
  return program;
}

}  // namespace xla
