// TargetInfo: the processor for which code is compiled, as numbers that every
// layer may query. Includes no LLVM header; target_machine.h is LLVM's part.
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
  // Every instruction set extension that LLVM knows, as "+avx2" or "-avx2",
  // sorted by name.
  std::vector<std::string> features;

  bool is_x86 = false;
  bool is_aarch64 = false;

  // The width in bytes of the vector registers that generated code uses: 64, 32
  // or 16.
  int vector_bytes = 16;
  // The number of vector registers of that width.
  int num_vector_registers = 16;

  bool has_fma = false;
  bool has_round = false;  // floor, ceil, rint of vectors: SSE4.1, NEON
  bool has_f16c = false;   // conversion of f16 vectors to float and back
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

  // True if the processor has `feature` ("avx2").
  bool Has(absl::string_view feature) const;

  // The number of elements of `element_bytes` bytes in a vector; at least one.
  int Lanes(int element_bytes) const;
};

// The processor that runs this process. Detected once. Thread safe.
const TargetInfo& ProcessorTarget();

// The target of this process's code: that processor, limited to
// ProcessMaxIsa(). TESSERA_VECTOR_BITS (128, 256 or 512) in the environment
// narrows its vectors; more than the processor has, or another number, is
// ignored with a warning. TESSERA_COST_TABLE names a processor whose costs and
// caches count instead of this one's, "default" those of any. Found once.
// Thread safe.
const TargetInfo& HostTarget();

// The processor called `cpu` ("x86-64", "haswell", "skylake-avx512") of the
// architecture of `triple`, which is the host's if that is empty, with and
// without `features` ("+avx2", "-fma"), and with caches that are not known.
// Errors: InvalidArgument for names that LLVM does not know; Unimplemented for
// an architecture whose code generator is not registered.
absl::StatusOr<TargetInfo> TargetFor(
    absl::string_view cpu, const std::vector<std::string>& features = {},
    absl::string_view triple = "");

// The least processor of level `isa`, of either architecture, without knowing its
// caches. Errors: those of TargetFor.
absl::StatusOr<TargetInfo> TargetForIsa(CpuIsa isa);

// `target` with vectors of at most `bits` bits. Errors: InvalidArgument unless
// `bits` is 128, 256 or 512 and the processor has it.
absl::StatusOr<TargetInfo> WithVectorBits(TargetInfo target, int bits);

// `target` without the extensions that processors of level `isa` lack, and, if
// that removes something, tuned for these processors; its vectors are no wider
// than before. Errors: InvalidArgument for a level of another architecture.
absl::StatusOr<TargetInfo> LimitIsa(TargetInfo target, CpuIsa isa);

// The first of the extensions of level `isa`, or of those below it, that
// `target` lacks; empty if it has them all. For a level of another
// architecture, the name of that architecture.
std::string MissingForIsa(const TargetInfo& target, CpuIsa isa);

// Returns, as one line, what code for `target` requires of the processor that
// runs it.
std::string TargetFingerprint(const TargetInfo& target);

// OK if code whose target had `fingerprint` runs on `host`. Errors:
// FailedPrecondition naming the first thing missing; InvalidArgument if the
// text is not a fingerprint.
absl::Status CheckFingerprint(absl::string_view fingerprint,
                              const TargetInfo& host);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_TARGET_INFO_H_
