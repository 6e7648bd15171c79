// Arrays that go from one process to another outside of programs.
#ifndef XLA_DISTRIBUTED_ARRAY_TRANSFER_H_
#define XLA_DISTRIBUTED_ARRAY_TRANSFER_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/distributed/communicator.h"

namespace xla::distributed {

// Both sides describe a transfer alike, but for `process` and `data`.
struct ArrayTransfer {
  int64_t key = 0;     // not that of another transfer between these devices
  int64_t source = 0;  // the ids of devices
  int64_t target = 0;
  std::string shape;  // of the array, with its layout
  int process = 0;    // the one on the other side
  absl::Span<char> data;
};

// Called when the transfer of this number is over.
using TransferDone = absl::FunctionRef<void(size_t i)>;

// Both wait until all transfers are over; several calls may be under way. The
// order of transfers may differ on both sides. Errors: those that the
// communicator had before, of the transport, and InvalidArgument if both sides
// differ in the shape; all end the work with other processes. Transfers that
// are not reported as done have failed with the error.
absl::Status SendArrays(Communicator& communicator,
                        absl::Span<const ArrayTransfer> transfers,
                        TransferDone done);
absl::Status ReceiveArrays(Communicator& communicator,
                           absl::Span<const ArrayTransfer> transfers,
                           TransferDone done);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_ARRAY_TRANSFER_H_
