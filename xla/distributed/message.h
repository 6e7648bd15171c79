// The first message of a collective from one process to another: a frame of
// fixed size that says what the collective is, so that both sides compare it
// before they exchange data, and that has the data if it is short.
#ifndef XLA_DISTRIBUTED_MESSAGE_H_
#define XLA_DISTRIBUTED_MESSAGE_H_

#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla::distributed {

// The channel of what belongs to no program: `program` is a hash of the shape,
// and `run` a number that users gave.
inline constexpr int64_t kNoProgram = -1;

// What both sides must agree on.
struct Operation {
  uint64_t key = 0;      // of the run, the instruction and its repetition
  uint64_t program = 0;  // the program's fingerprint
  int64_t run = 0;       // the number of the run among those of its devices
  int64_t channel = 0;   // 0: none
  int64_t bytes = 0;     // of one member
  std::string op;        // "all-reduce"
  std::string type;      // "f32"
  std::string name;      // of the instruction

  // "all-reduce.3 (all-reduce of 4096 bytes of f32, channel 1, run 7)".
  std::string ToString() const;
};

// Host byte order: processes of one job run on processors of one kind, which
// the exchange of the topology checks.
struct Frame {
  static constexpr int kInlineBytes = 832;

  Frame() { std::memset(this, 0, sizeof(*this)); }
  explicit Frame(const Operation& operation);
  // Errors: InvalidArgument that names both operations, if `mine` differs;
  // DataLoss if this is no frame.
  absl::Status CheckAgainst(const Operation& mine, int peer) const;
  Operation operation() const;
  absl::Span<const char> bytes() const {
    return {reinterpret_cast<const char*>(this), sizeof(*this)};
  }
  absl::Span<char> mutable_bytes() {
    return {reinterpret_cast<char*>(this), sizeof(*this)};
  }

  uint64_t magic;
  uint64_t key;
  uint64_t program;
  int64_t run;
  int64_t channel;
  int64_t payload_bytes;
  char op[32];
  char type[16];
  char name[96];
  char payload[kInlineBytes];
};
static_assert(sizeof(Frame) == 1024);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_MESSAGE_H_
