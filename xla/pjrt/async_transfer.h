// AsyncHostToDeviceTransferManager: buffers that exist before their values,
// which the host then transfers piece by piece.
#ifndef XLA_PJRT_ASYNC_TRANSFER_H_
#define XLA_PJRT_ASYNC_TRANSFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/pjrt/pjrt_buffer.h"

namespace xla {

// A buffer becomes ready with its last transfer; it fails with SetBufferError,
// or, with Internal, if the manager is destroyed earlier. Errors of all
// functions: InvalidArgument for a buffer number or bytes out of range, and for
// a buffer that is complete. Thread safe; pieces of one buffer may come in any
// order.
class AsyncHostToDeviceTransferManager {
 public:
  static absl::StatusOr<std::unique_ptr<AsyncHostToDeviceTransferManager>>
  Create(absl::Span<const Shape> shapes, PjRtMemorySpace* memory_space);
  ~AsyncHostToDeviceTransferManager();

  size_t buffer_count() const { return entries_.size(); }
  size_t buffer_size(int buffer_index) const;
  PjRtDevice* device() const { return memory_space_->device(); }
  PjRtMemorySpace* memory_space() const { return memory_space_; }
  // Call once for each buffer; later calls return null.
  std::unique_ptr<PjRtBuffer> RetrieveBuffer(int buffer_index);

  // Each function copies the data before it returns, then calls `on_done`.
  using OnDone = absl::AnyInvocable<void() &&>;
  absl::Status TransferLiteralToBuffer(int buffer_index,
                                       const LiteralSlice& literal,
                                       OnDone on_done);
  absl::Status TransferRawDataToBuffer(int buffer_index, absl::string_view data,
                                       OnDone on_done);
  absl::Status TransferRawDataToSubBuffer(int buffer_index, const void* data,
                                          int64_t offset, int64_t transfer_size,
                                          bool is_last_transfer,
                                          OnDone on_done);
  // `error` must not be OK.
  absl::Status FailBuffer(int buffer_index, absl::Status error);
  // Like FailBuffer; does nothing where that returns an error.
  void SetBufferError(int buffer_index, absl::Status error) {
    FailBuffer(buffer_index, std::move(error)).IgnoreError();
  }
  // Accepted and ignored: it describes the transfer to tools.
  using TransferMetadata = absl::flat_hash_map<std::string, std::string>;
  void AddTransferMetadata(const TransferMetadata& metadata) {}

 private:
  struct Entry {
    std::shared_ptr<const Shape> shape;
    MemoryChunk chunk;
    Event definition;
    std::unique_ptr<PjRtBuffer> buffer;
    bool complete = false;
  };
  explicit AsyncHostToDeviceTransferManager(PjRtMemorySpace* memory_space)
      : memory_space_(memory_space) {}
  absl::Status CheckOpen(int buffer_index) const;  // requires mutex_

  PjRtMemorySpace* const memory_space_;
  mutable std::mutex mutex_;  // guards the entries
  std::vector<Entry> entries_;
};

}  // namespace xla

#endif  // XLA_PJRT_ASYNC_TRANSFER_H_
