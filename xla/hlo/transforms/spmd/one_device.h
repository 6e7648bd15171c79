// Instructions that one device runs for the others: host callbacks and other
// effects of a program on whole arrays.
//
//   c = f32[8] custom-call(x), ..., sharding={maximal device=1}
//
// becomes, for parts x of two devices,
//
//   w = f32[8] all-gather(x), ...
//   t = (f32[8]) tuple(w)
//   b = f32[8] conditional(is_device_1, t, t),
//       true_computation={custom-call}, false_computation={zeros}
//   c = f32[8] collective-broadcast(b), replica_groups={{1,0}}
#ifndef XLA_HLO_TRANSFORMS_SPMD_ONE_DEVICE_H_
#define XLA_HLO_TRANSFORMS_SPMD_ONE_DEVICE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/transforms/resharding/spmd_builder.h"

namespace xla {

// Whether the instruction may state that one device runs it: what has effects,
// and custom calls, of which nothing is known.
bool MayRunOnOneDevice(const HloInstruction& hlo);

// Returns the devices that differ along the axes that are not `manual`, in
// groups. The first one of each is where `device` is along these axes.
std::vector<std::vector<int64_t>> GroupsLedBy(int64_t device,
                                              const DeviceMesh& mesh,
                                              const AxisList& manual);

// Runs a copy of `hlo` on the first device of each group. Returns the value on
// these; that of others is zeros.
HloInstruction* RunOnLeaders(SpmdBuilder& emit, const HloInstruction& hlo,
                             absl::Span<HloInstruction* const> operands,
                             absl::Span<const std::vector<int64_t>> groups);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SPMD_ONE_DEVICE_H_
