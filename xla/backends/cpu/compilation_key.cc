// Lists what code depends on.
#include "xla/backends/cpu/compilation_key.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/native_code.h"
#include "xla/backends/runs_on_caller.h"
#include "xla/base/byte_fields.h"
#include "xla/hlo/attrs/field_bytes.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/module/module_bytes.h"
#include "xla/hlo/transforms/sharding/custom_partitioner.h"

namespace xla::cpu {
namespace {

// All of it: passes and plans ask for anything. The binding names each member,
// so that a new one is not forgotten.
void WriteTarget(const TargetInfo& target, ByteStream& out) {
  const auto& [triple, cpu, data_layout, features, is_x86, is_aarch64,
               vector_bytes, num_vector_registers, has_fma, has_round, has_f16c,
               has_avx, has_avx2, has_avx512, has_avx512_fp16, l1_bytes,
               l2_bytes, l3_bytes, cost_table] = target;
  for (const std::string* text : {&triple, &cpu, &data_layout, &cost_table}) {
    out.Text(*text);
  }
  out.Text(absl::StrJoin(features, ","));
  for (const int64_t number :
       {int64_t{vector_bytes}, int64_t{num_vector_registers}, l1_bytes,
        l2_bytes, l3_bytes}) {
    out.Number(number);
  }
  for (const bool has : {is_x86, is_aarch64, has_fma, has_round, has_f16c,
                         has_avx, has_avx2, has_avx512, has_avx512_fp16}) {
    out.Number(has);
  }
}

void WriteFlags(const std::vector<bool>& flags, ByteStream& out) {
  out.Number(uint64_t{flags.size()});
  for (const bool flag : flags) out.Number(flag);
}

// What the module's proto does not contain and the passes of this compiler go
// by. The other members of ModulePassOptions are for passes of clients.
void WriteConfig(const HloModuleConfig& config, ByteStream& out) {
  out.Number(config.replica_count());
  out.Number(config.num_partitions());
  out.Number(config.use_spmd_partitioning());
  out.Number(config.has_entry_computation_layout());
  out.Number(config.has_static_device_assignment());
  out.Number(config.alias_passthrough_params());
  out.Number(config.seed());
  WriteFlags(config.allow_spmd_sharding_propagation_to_parameters(), out);
  WriteFlags(config.allow_spmd_sharding_propagation_to_output(), out);
  out.Number(uint64_t{config.process_of_device().size()});
  for (const int32_t process : config.process_of_device()) out.Number(process);
}

void WriteOptions(DebugOptions options, ByteStream& out) {
  // Maps in them are in no particular order.
  options.DiscardUnknownFields();
  WriteBytes(options, out);
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
  return CacheKeyOf([&](ByteStream& out) {
    out.Text("tessera cpu code");
    out.Text(ThisBuild());
    WriteTarget(target, out);
    WriteConfig(module.config(), out);
    WriteOptions(module.config().debug_options(), out);
    WriteBytes(module, out);
  });
}

}  // namespace xla::cpu
