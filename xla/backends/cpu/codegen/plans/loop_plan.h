// LoopPlan: how a loop over the elements of arrays is laid out and split into
// workgroups. Known without LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PLAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/shape.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// Bytes that an element takes in a register while it is computed with.
int RegisterBytes(PrimitiveType type);

// How loops over an array of some shape are laid out. Made from shapes alone,
// so that whoever schedules the kernel knows its workgroups without LLVM.
struct LoopPlan {
  // Either one loop over the row-major order of all elements (outer empty), or
  // loops over `outer` dimensions around one over `inner` elements of the
  // dimension behind them, the dimensions behind which have size 1.
  std::vector<int64_t> outer;
  int64_t inner = 0;
  int lanes = 1;
  int register_lanes = 1;  // of one vector register, at most `lanes`
  // Each element depends on those at its row-major position alone.
  bool linear = false;
  // How often the code of an element may be repeated for ranges of indices.
  int copies = 1;
  // Loops of up to so many vectors are straight code, so that small arrays on
  // the stack become registers.
  int straight = 1;
  // Workgroups: `blocks` of `block` inner elements in each row.
  int64_t rows = 1;
  int64_t block = 0;
  int64_t blocks = 1;
  int64_t workgroups() const { return inner == 0 ? 0 : rows * blocks; }
};

// `values` are those of the instruction. `shape` is that of every output.
LoopPlan PlanLoop(const Shape& shape, absl::Span<const LoopValue> values,
                  const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PLAN_H_
