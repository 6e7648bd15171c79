// Lists what code depends on.
#include "xla/backends/cpu/compilation_key.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/native_code.h"
#include "xla/backends/runs_on_caller.h"
#include "xla/base/byte_fields.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/transforms/sharding/custom_partitioner.h"
#include "xla/proto/message_bytes.h"

namespace xla::cpu {
namespace {

// All of it: passes and plans ask for anything.
std::string TargetBytes(const TargetInfo& target) {
  ByteWriter writer(8192);
  for (const std::string* text :
       {&target.triple, &target.cpu, &target.data_layout, &target.cost_table}) {
    writer.Text(*text);
  }
  writer.Text(absl::StrJoin(target.features, ","));
  for (const int64_t number :
       {int64_t{target.vector_bytes}, int64_t{target.num_vector_registers},
        target.l1_bytes, target.l2_bytes, target.l3_bytes}) {
    writer.Number(number);
  }
  for (const bool has :
       {target.has_fma, target.has_round, target.has_f16c, target.has_avx,
        target.has_avx2, target.has_avx512, target.has_avx512_fp16}) {
    writer.Number(has);
  }
  return std::move(writer).Take();
}

void Flags(const std::vector<bool>& flags, ByteWriter& writer) {
  writer.Number(uint64_t{flags.size()});
  for (const bool flag : flags) writer.Number(flag);
}

// What the module's proto does not contain and the passes of this compiler go
// by. The other members of ModulePassOptions are for passes of clients.
std::string ConfigBytes(const HloModuleConfig& config) {
  ByteWriter writer(256);
  writer.Number(config.replica_count());
  writer.Number(config.num_partitions());
  writer.Number(config.use_spmd_partitioning());
  writer.Number(config.has_entry_computation_layout());
  writer.Number(config.has_static_device_assignment());
  writer.Number(config.alias_passthrough_params());
  writer.Number(config.seed());
  Flags(config.allow_spmd_sharding_propagation_to_parameters(), writer);
  Flags(config.allow_spmd_sharding_propagation_to_output(), writer);
  writer.Number(uint64_t{config.process_of_device().size()});
  for (const int32_t process : config.process_of_device()) {
    writer.Number(process);
  }
  return std::move(writer).Take();
}

std::string OptionBytes(DebugOptions options) {
  // Maps in them are in no particular order.
  options.DiscardUnknownFields();
  return DeterministicBytes(options);
}

}  // namespace

bool MayBeCached(const HloModule& module) {
  // ThisBuild() is the version, a space and the id.
  if (absl::EndsWith(ThisBuild(), " ") ||
      !absl::StrContains(ThisBuild(), ' ')) {
    return false;
  }
  if (RunsOnCaller(module)) return false;
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (NeedsPartitioner(*hlo)) return false;
    }
  }
  return true;
}

CacheKey CompilationKey(const HloModule& module, const TargetInfo& target) {
  return CacheKeyOf({"tessera cpu code", ThisBuild(), TargetBytes(target),
                     ConfigBytes(module.config()),
                     OptionBytes(module.config().debug_options()),
                     DeterministicBytes(module.ToProto())});
}

}  // namespace xla::cpu
