// TargetInfo: the processor that code is compiled for, as numbers that every
// layer may ask for. No header of LLVM; target_machine.h is the part with it.
#ifndef XLA_BACKENDS_CPU_JIT_TARGET_INFO_H_
#define XLA_BACKENDS_CPU_JIT_TARGET_INFO_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/cpu_isa.h"

namespace xla::cpu {

struct TargetInfo {
  // LLVM's names.
  std::string triple;
  std::string cpu;
  std::string data_layout;
  // Every instruction set extension that LLVM knows of, "+avx2" or "-avx2",
  // sorted by name.
  std::vector<std::string> features;

  bool is_x86 = false;
  bool is_aarch64 = false;

  // Bytes of the vector registers that generated code uses: 64, 32 or 16.
  int vector_bytes = 16;
  // Vector registers of that width.
  int num_vector_registers = 16;

  bool has_fma = false;
  bool has_round = false;  // floor, ceil, rint of vectors: SSE4.1, NEON
  bool has_f16c = false;   // vectors of half to float and back
  bool has_avx = false;
  bool has_avx2 = false;
  bool has_avx512 = false;  // F, BW, DQ, VL
  bool has_avx512_fp16 = false;

  // Caches that a core has, the last one shared; 0 where nobody says.
  int64_t l1_bytes = 0;
  int64_t l2_bytes = 0;
  int64_t l3_bytes = 0;
  // LLVM's name of the processor whose costs count (cost/machine_costs.h):
  // limits on instructions do not change it.
  std::string cost_table;

  // Whether `feature` ("avx2") is there.
  bool Has(absl::string_view feature) const;

  // The vector's elements of `element_bytes` each; at least one.
  int Lanes(int element_bytes) const;
};

// The processor this process runs on, found once. Thread safe.
const TargetInfo& ProcessorTarget();

// What this process makes code for: that processor, limited to ProcessMaxIsa().
// TESSERA_VECTOR_BITS (128, 256 or 512) in the environment narrows its vectors;
// more than the processor has, or another number, is ignored with a warning.
// TESSERA_COST_TABLE names a processor whose costs and caches count instead of
// this one's, "default" those of any. Found once. Thread safe.
const TargetInfo& HostTarget();

// The processor called `cpu` ("x86-64", "haswell", "skylake-avx512") of the
// host's architecture, with and without `features` ("+avx2", "-fma"), and with
// caches that are not known. Errors: InvalidArgument for names that LLVM does
// not know.
absl::StatusOr<TargetInfo> TargetFor(
    absl::string_view cpu, const std::vector<std::string>& features = {});

// `target` with vectors of at most `bits` bits. Errors: InvalidArgument unless
// `bits` is 128, 256 or 512 and the processor has it.
absl::StatusOr<TargetInfo> WithVectorBits(TargetInfo target, int bits);

// `target` without the extensions that processors of the level `isa` lack, and
// tuned for those where that takes something away; its vectors are no wider
// than before. Errors: InvalidArgument for a level of another architecture.
absl::StatusOr<TargetInfo> LimitIsa(TargetInfo target, CpuIsa isa);

// Why `target` is less than the level `isa`: the first of the extensions that
// make up the level, or those below it, which it lacks; empty when it has them
// all. Levels of another architecture lack its name.
std::string MissingForIsa(const TargetInfo& target, CpuIsa isa);

// What code for `target` needs of the processor that runs it, as one line.
std::string TargetFingerprint(const TargetInfo& target);

// OK when code whose target had `fingerprint` runs on `host`. Errors:
// FailedPrecondition that names the first thing missing; InvalidArgument for
// text that is no fingerprint.
absl::Status CheckFingerprint(absl::string_view fingerprint,
                              const TargetInfo& host);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_TARGET_INFO_H_
