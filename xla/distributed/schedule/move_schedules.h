// Schedules of collectives that move data without combining it.
#ifndef XLA_DISTRIBUTED_SCHEDULE_MOVE_SCHEDULES_H_
#define XLA_DISTRIBUTED_SCHEDULE_MOVE_SCHEDULES_H_

#include <cstdint>

#include "absl/types/span.h"
#include "xla/distributed/schedule/schedule.h"

namespace xla::distributed {

// `self` is the place of the process, of `places` in all.

enum class GatherAlgorithm {
  // Each process sends its block to every other: P - 1 messages, one step.
  kDirect,
  // In step k, a process passes on the 2^k blocks that it has: ceil(log2 P)
  // steps of at most two messages. Source: Bruck, Ho, Kipnis, Upfal,
  // Weathersby,
  // "Efficient Algorithms for All-to-All Communications in Multiport
  // Message-Passing Systems", 1997, section 4.
  kBruck,
};
GatherAlgorithm ChooseGather(int places, int64_t most_block_bytes);

// Every process gets the blocks of all. The block of place p has block_bytes[p]
// bytes, at the offset BlockOffset(block_bytes, p) of the work memory, where
// the process's own block is from the start.
Schedule AllGatherSchedule(int self, absl::Span<const int64_t> block_bytes,
                           GatherAlgorithm algorithm);
int64_t BlockOffset(absl::Span<const int64_t> block_bytes, int place);

enum class BroadcastAlgorithm {
  kTree,   // a binomial tree: ceil(log2 P) steps with all bytes
  kChain,  // segments from process to process: P - 1 + segments steps
};
BroadcastAlgorithm ChooseBroadcast(int places, int64_t bytes);

// The work memory of place `root` goes to that of all others.
Schedule BroadcastSchedule(int self, int places, int root, int64_t bytes,
                           BroadcastAlgorithm algorithm,
                           int64_t segment_bytes = kSegmentBytes);

// One message for each pair of processes that has anything to say:
// send_bytes[p] bytes of space 1 go to place p, receive_bytes[p] bytes come
// from it into the work memory, both at the offset that BlockOffset says. Those
// of `self` are 0.
Schedule ExchangeSchedule(int self, absl::Span<const int64_t> send_bytes,
                          absl::Span<const int64_t> receive_bytes);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_SCHEDULE_MOVE_SCHEDULES_H_
