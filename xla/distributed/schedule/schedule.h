// Schedule: what one process sends, receives and combines, and in which order,
// for one collective. Schedules are data, which a transport or a simulation
// carries out.
#ifndef XLA_DISTRIBUTED_SCHEDULE_SCHEDULE_H_
#define XLA_DISTRIBUTED_SCHEDULE_SCHEDULE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace xla::distributed {

// The processes of a group of devices. A process has a place, 0 to size() - 1,
// in the order of their first members; a member is a position in the group.
struct ProcessGroup {
  std::vector<int> processes;             // by place
  std::vector<std::vector<int>> members;  // by place, ascending
  std::vector<int> place_of_member;

  // `process_of_member` has the process of each member of the group.
  static ProcessGroup Create(absl::Span<const int> process_of_member);

  int size() const { return static_cast<int>(processes.size()); }
  int num_members() const { return static_cast<int>(place_of_member.size()); }
  // The most members of one process.
  int most_members() const;
  // Whether the members of each process follow each other in the group.
  bool contiguous() const;
};

// Bytes begin in a space: space 0 is the work memory of the process, space 1 +
// i what its local member i brings, packed, which is only read. Another space
// may be part of the work memory that lies elsewhere (Schedule::MoveHead).
struct Place {
  int32_t space = 0;
  int64_t offset = 0;
};

struct Step {
  enum class Kind : int8_t {
    kSend,     // `bytes` at `at` to the process at place `peer`
    kReceive,  // `bytes` from place `peer` to `at`, in the work memory
    // Combines num_sources arrays of `bytes` bytes, the first with the second,
    // that with the third and so on, into `at`, in the work memory; they are
    // elements of the vector from byte `begin` on. The first source may be at
    // `at`.
    kFold,
  };
  Kind kind = Kind::kSend;
  int32_t peer = -1;
  Place at;
  int64_t bytes = 0;
  int64_t begin = 0;
  int32_t first_source = 0;
  int32_t num_sources = 0;
};

// A process takes its steps in order, except that sends go on while it does
// later ones, and that receives may be posted early: before their turn comes no
// earlier step can need the memory, as the sender waits for these steps too.
// The messages from one process to another are received in the order in which
// they are sent, and have the same sizes on both sides. Steps of 0 bytes do not
// occur.
struct Schedule {
  int64_t work_bytes = 0;
  std::vector<Step> steps;
  std::vector<Place> sources;  // of folds
  // Where in the work memory the result for each local member is.
  std::vector<int64_t> results;

  void Send(int peer, Place from, int64_t bytes);
  void Receive(int peer, int64_t to, int64_t bytes);
  void Fold(int64_t to, int64_t begin, int64_t bytes,
            absl::Span<const Place> from);
  void Copy(int64_t to, Place from, int64_t bytes) {
    Fold(to, 0, bytes, absl::MakeConstSpan(&from, 1));
  }
  // Gives the first `bytes` bytes of the work memory, which no step crosses the
  // end of, a space of their own. `results` in them are there.
  void MoveHead(int64_t bytes, int32_t space);
};

// Offsets of arrays in a vector, and of its segments, are multiples of this, so
// that no element is cut.
inline constexpr int64_t kSegmentAlignment = 64;
// The bytes of the blocks in which large transfers overlap with sums.
inline constexpr int64_t kSegmentBytes = int64_t{256} << 10;

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_SCHEDULE_SCHEDULE_H_
