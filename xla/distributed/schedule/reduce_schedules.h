// Schedules of collectives that combine vectors. Members are combined in the
// order of the group, whatever the algorithm, so that the result has the bits
// that it has in one process.
#ifndef XLA_DISTRIBUTED_SCHEDULE_REDUCE_SCHEDULES_H_
#define XLA_DISTRIBUTED_SCHEDULE_REDUCE_SCHEDULES_H_

#include <cstdint>

#include "xla/distributed/schedule/schedule.h"

namespace xla::distributed {

enum class ReduceAlgorithm {
  // Every process gets the vectors of all members and combines them itself.
  // One step (or ceil(log2 P)), and most bytes.
  kGather,
  // A running sum goes from process to process, each of which adds its members,
  // and the result comes back, in segments and both directions at once. What
  // the devices of a process hold crosses the wire once. Only for groups that
  // are contiguous.
  kChain,
  // Process k gets part k of all members, combines it, and sends the result to
  // all: two steps.
  kDirect,
};

// `may_chain`: whether a partial sum may leave a process, that is, whether it
// is of the type of the elements.
ReduceAlgorithm ChooseAllReduce(const ProcessGroup& group, int64_t bytes,
                                bool may_chain);
ReduceAlgorithm ChooseReduceScatter(const ProcessGroup& group,
                                    int64_t part_bytes, bool may_chain);

// The vectors in the spaces of the local members have `bytes` bytes each; the
// result is at the beginning of the work memory unless the algorithm is
// kGather, and padded to kSegmentAlignment. `self` is a place.
Schedule AllReduceSchedule(const ProcessGroup& group, int self, int64_t bytes,
                           ReduceAlgorithm algorithm,
                           int64_t segment_bytes = kSegmentBytes);

// The vectors have a part for each member, of `part_bytes` bytes, a multiple of
// kSegmentAlignment; part k of the sum is for member k. kChain or kDirect.
Schedule ReduceScatterSchedule(const ProcessGroup& group, int self,
                               int64_t part_bytes, ReduceAlgorithm algorithm,
                               int64_t segment_bytes = kSegmentBytes);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_SCHEDULE_REDUCE_SCHEDULES_H_
