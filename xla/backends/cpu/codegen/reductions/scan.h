// Emitter of linear scans.
#ifndef XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_SCAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_SCAN_H_

#include "absl/status/status.h"
#include "xla/backends/cpu/codegen/elemental/bound_instruction.h"

namespace xla::cpu {

// Emits workgroups [begin, end) of the ScanPlan of `bound`. Emits nothing for a
// scan without elements, which has no plan.
absl::Status EmitScan(BoundInstruction& bound, llvm::Value* begin,
                      llvm::Value* end);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_SCAN_H_
