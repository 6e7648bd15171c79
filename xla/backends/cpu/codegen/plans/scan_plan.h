// ScanPlan: how a linear scan is laid out as loops. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_SCAN_PLAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_SCAN_PLAN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "xla/backends/cpu/jit/target_info.h"
#include "xla/base/checked_math.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// An operand of [outer..., length, inner...].
struct ScanPlan {
  const HloInstruction* scan = nullptr;  // the reduce-window
  std::vector<int64_t> outer_sizes;
  std::vector<int64_t> inner_sizes;
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
  bool reverse = false;
  int lanes = 1;
  // The columns of a workgroup; without inner dimensions a workgroup is a row.
  int64_t block = 1;

  int64_t blocks() const { return CeilOfRatio(inner, block); }
  int64_t workgroups() const { return outer * blocks(); }
};

// Returns nullopt unless the instruction, or the only root of a fusion, is a
// linear scan (hlo/analysis/linear_scan.h) with elements.
std::optional<ScanPlan> PlanScan(const HloInstruction& instruction,
                                 const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_SCAN_PLAN_H_
