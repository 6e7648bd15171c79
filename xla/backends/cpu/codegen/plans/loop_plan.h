// LoopPlan: how a loop over the elements of arrays is laid out and split into
// workgroups. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PLAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/shape.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// Returns the bytes of an element in a register while it is computed with.
int RegisterBytes(PrimitiveType type);

// Returns the lanes, at most `widest`, of a vector of whole blocks of `block`
// elements that is divided into few registers, of halving lengths, each of
// which has as many of the lanes as possible. 0 if there is no such vector.
int64_t LanesOfBlocks(int64_t block, int64_t widest);

// How loops over an array of some shape are laid out. It is made from shapes
// alone, so that the thunk planner knows the workgroups of a kernel without
// LLVM.
struct LoopPlan {
  // Either one loop over the row-major order of all elements (outer empty), or
  // loops over the `outer` dimensions around one over the `inner` elements of
  // the others in row-major order. If these are several, vectors cross their
  // rows; else all dimensions behind the next one have size 1.
  std::vector<int64_t> outer;
  int64_t inner = 0;
  int lanes = 1;
  int register_lanes = 1;  // of one vector register, at most `lanes`
  int register_width = 1;  // the elements that a register has room for
  // Why register_lanes is less than that; empty if it is not.
  absl::string_view narrow;
  // Each element depends only on elements at its row-major position.
  bool linear = false;
  // The most copies of an element's code, for different ranges of indices.
  int copies = 1;
  // Loops of at most this many vectors become straight-line code, so that small
  // arrays on the stack become registers.
  int straight = 1;
  // Up to so many rows do too.
  int straight_rows = 1;
  // Workgroups: `blocks` of `block` inner elements in each row.
  int64_t rows = 1;
  int64_t block = 0;
  int64_t blocks = 1;
  int64_t workgroups() const { return inner == 0 ? 0 : rows * blocks; }
};

// `values` are those of the instruction. `shape` is that of every output.
LoopPlan PlanLoop(const Shape& shape, absl::Span<const LoopValue> values,
                  const TargetInfo& target);

// The same for workgroups that are blocks of `columns` elements of each row of
// `shape`, that is of its last dimension.
LoopPlan PlanRows(const Shape& shape, absl::Span<const LoopValue> values,
                  int64_t columns, const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_LOOP_PLAN_H_
