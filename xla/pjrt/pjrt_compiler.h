// PjRtCompiler: compiles programs for devices that are described but need not
// be there. Also the names of platforms.
#ifndef XLA_PJRT_PJRT_COMPILER_H_
#define XLA_PJRT_PJRT_COMPILER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/pjrt/compile_options.h"
#include "xla/pjrt/pjrt_common.h"
#include "xla/pjrt/pjrt_executable.h"
#include "xla/pjrt/pjrt_topology.h"

namespace xla {

class PjRtClient;

// The names that programs know, and the ids of platforms of these names.
inline const char* CpuName() { return "cpu"; }
inline const char* CudaName() { return "cuda"; }
inline const char* RocmName() { return "rocm"; }
inline const char* SyclName() { return "sycl"; }
inline const char* TpuName() { return "tpu"; }
inline PjRtPlatformId CpuId() { return PlatformIdOf(CpuName()); }
inline PjRtPlatformId CudaId() { return PlatformIdOf(CudaName()); }
inline PjRtPlatformId RocmId() { return PlatformIdOf(RocmName()); }
inline PjRtPlatformId SyclId() { return PlatformIdOf(SyclName()); }
inline PjRtPlatformId TpuId() { return PlatformIdOf(TpuName()); }
inline bool IsCpuId(PjRtPlatformId id) { return id == CpuId(); }
inline bool IsGpuId(PjRtPlatformId id) {
  return id == CudaId() || id == RocmId();
}
inline bool IsTpuId(PjRtPlatformId id) { return id == TpuId(); }

// Thread safe.
class PjRtCompiler {
 public:
  virtual ~PjRtCompiler() = default;

  // `client`, which may be null, may be used for what the compilation needs.
  virtual absl::StatusOr<std::unique_ptr<PjRtExecutable>> Compile(
      CompileOptions options, const XlaComputation& computation,
      const PjRtTopologyDescription& topology, PjRtClient* client) = 0;
  virtual absl::StatusOr<std::unique_ptr<PjRtExecutable>> Compile(
      CompileOptions options, std::unique_ptr<HloModule> module,
      const PjRtTopologyDescription& topology, PjRtClient* client) = 0;
  // Reads the output of PjRtTopologyDescription::Serialize.
  virtual absl::StatusOr<std::unique_ptr<PjRtTopologyDescription>>
  DeserializePjRtTopologyDescription(const std::string& serialized_topology);
};

// Makes a compiler that of a platform, in place of an earlier one; the process
// keeps it. A variant has a name that CompileOptions::compiler_variant gives.
void PjRtRegisterDefaultCompiler(absl::string_view platform_name,
                                 std::unique_ptr<PjRtCompiler> compiler);
void PjRtRegisterCompiler(absl::string_view platform_name,
                          absl::string_view compiler_variant,
                          std::unique_ptr<PjRtCompiler> compiler);
// The platforms "tessera" and "cpu" have this project's from the start.
// Errors: NotFound.
absl::StatusOr<PjRtCompiler*> GetDefaultPjRtCompiler(
    absl::string_view platform_name);
absl::StatusOr<PjRtCompiler*> GetPjRtCompiler(
    absl::string_view platform_name, absl::string_view compiler_variant);

// Compiles with the compiler of the topology's platform. What this project's
// compiles for another machine's devices is code for processors like this one;
// an executable of a topology can be serialized and loaded by a client. Errors:
// those of GetPjRtCompiler and PjRtClient::Compile.
absl::StatusOr<std::unique_ptr<PjRtExecutable>> PjRtCompile(
    CompileOptions options, const XlaComputation& computation,
    const PjRtTopologyDescription& topology, PjRtClient* client = nullptr);
absl::StatusOr<std::unique_ptr<PjRtExecutable>> PjRtCompile(
    CompileOptions options, std::unique_ptr<HloModule> module,
    const PjRtTopologyDescription& topology, PjRtClient* client = nullptr);

}  // namespace xla

#endif  // XLA_PJRT_PJRT_COMPILER_H_
