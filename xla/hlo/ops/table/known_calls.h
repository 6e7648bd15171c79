// Custom calls that mean something to every backend, and so need no function of
// the host.
#ifndef XLA_HLO_OPS_TABLE_KNOWN_CALLS_H_
#define XLA_HLO_OPS_TABLE_KNOWN_CALLS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {

enum class KnownCall {
  kNone,
  // T -> T: Sharding, SPMDFullToShardShape, SPMDShardToFullShape,
  // ShardBarrierFrom, ShardBarrierTo, MoveToHost, MoveToDevice,
  // annotate_device_placement, LayoutConstraint, SetBound (whose literal is a
  // promise that ValueInference follows), and Pin, Unpin, PinToDevice
  // and PinToDeviceSram, which also turn arrays into buffers and back.
  kIdentity,
  // T[.., n] -> (T[.., k], s32[.., k]): the largest k elements of each row, in
  // order, and where they were; of equal ones the first.
  kTopK,
  // -> u64[]: a random number, another one in each run.
  kGetRngSeed,
  // A convolution of arrays whose spatial sizes are data, or one of its
  // gradients (linear/dynamic_convolution.h).
  kDynamicConvolution,
};

// Returns the kind of a custom call with these attributes. Typed FFI calls with
// names other than those of kIdentity are functions of the host.
KnownCall KnownCallOf(const CustomCallAttrs& attrs);

// Errors: known_call_c1 where an identity has not one operand, or another
// result than that (as between a whole array and its shard on several
// partitions); known_call_c2, known_call_c3 where TopK or GetRngSeed has other
// shapes than those above; topk_c1 to topk_c3 as of the op; those of
// CheckDynamicConvolution.
absl::Status CheckKnownCall(KnownCall call, const CustomCallAttrs& attrs,
                            absl::Span<const Shape* const> operands,
                            const Shape& result);

}  // namespace xla

#endif  // XLA_HLO_OPS_TABLE_KNOWN_CALLS_H_
