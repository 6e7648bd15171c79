// Implements buffers that the host fills piece by piece.
#include "xla/pjrt/async_transfer.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/pjrt/host_copy.h"

namespace xla {

absl::StatusOr<std::unique_ptr<AsyncHostToDeviceTransferManager>>
AsyncHostToDeviceTransferManager::Create(absl::Span<const Shape> shapes,
                                         PjRtMemorySpace* memory_space) {
  // The constructor is private.
  std::unique_ptr<AsyncHostToDeviceTransferManager> manager(
      new AsyncHostToDeviceTransferManager(memory_space));
  for (const Shape& stated : shapes) {
    const Shape shape = MemoryShape(stated);
    TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(shape));
    Entry& entry = manager->entries_.emplace_back();
    entry.shape = std::make_shared<const Shape>(shape);
    TF_ASSIGN_OR_RETURN(entry.chunk,
                        MemoryChunk::Allocate(bytes, memory_space->account()));
    entry.definition = Event::Pending();
    entry.buffer = std::make_unique<PjRtBuffer>(
        entry.shape, memory_space,
        TrackedMemory(entry.chunk, entry.definition));
    if (shape.IsArray() && shape.has_dynamic_dimensions()) {
      WriteDynamicSizes(shape.dimensions(), shape, entry.chunk.data());
    }
  }
  return manager;
}

AsyncHostToDeviceTransferManager::~AsyncHostToDeviceTransferManager() {
  for (Entry& entry : entries_) {
    if (entry.complete) continue;
    entry.definition.Set(absl::InternalError(
        absl::StrCat("Async transfer object was deleted before transfers "
                     "completed. The buffer is one of ",
                     entry.shape->ToString(), ".")));
  }
}

size_t AsyncHostToDeviceTransferManager::buffer_size(int buffer_index) const {
  if (buffer_index < 0 || buffer_index >= static_cast<int>(entries_.size())) {
    return 0;
  }
  return entries_[buffer_index].chunk.size_bytes();
}

std::unique_ptr<PjRtBuffer> AsyncHostToDeviceTransferManager::RetrieveBuffer(
    int buffer_index) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (buffer_index < 0 || buffer_index >= static_cast<int>(entries_.size())) {
    return nullptr;
  }
  return std::move(entries_[buffer_index].buffer);
}

absl::Status AsyncHostToDeviceTransferManager::CheckOpen(
    int buffer_index) const {
  if (buffer_index < 0 || buffer_index >= static_cast<int>(entries_.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no buffer ", buffer_index, " among the ",
                     entries_.size(), " of this transfer"));
  }
  if (!entries_[buffer_index].complete) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the transfer of buffer ", buffer_index, " is complete"));
}

absl::Status AsyncHostToDeviceTransferManager::TransferLiteralToBuffer(
    int buffer_index, const LiteralSlice& literal, OnDone on_done) {
  Event definition;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    TF_RETURN_IF_ERROR(CheckOpen(buffer_index));
    Entry& entry = entries_[buffer_index];
    TF_RETURN_IF_ERROR(
        CopyFromLiteral(literal, *entry.shape, entry.chunk.data()));
    entry.complete = true;
    definition = entry.definition;
  }
  definition.Set();
  if (on_done) std::move(on_done)();
  return absl::OkStatus();
}

absl::Status AsyncHostToDeviceTransferManager::TransferRawDataToBuffer(
    int buffer_index, absl::string_view data, OnDone on_done) {
  return TransferRawDataToSubBuffer(buffer_index, data.data(), /*offset=*/0,
                                    data.size(), /*is_last_transfer=*/true,
                                    std::move(on_done));
}

absl::Status AsyncHostToDeviceTransferManager::TransferRawDataToSubBuffer(
    int buffer_index, const void* data, int64_t offset, int64_t transfer_size,
    bool is_last_transfer, OnDone on_done) {
  Event definition;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    TF_RETURN_IF_ERROR(CheckOpen(buffer_index));
    Entry& entry = entries_[buffer_index];
    const int64_t bytes = entry.chunk.size_bytes();
    if (offset < 0 || transfer_size < 0 || offset > bytes ||
        transfer_size > bytes - offset) {
      return absl::InvalidArgumentError(absl::StrCat(
          "bytes ", offset, " and ", transfer_size, " from there on are not ",
          "all among the ", bytes, " of buffer ", buffer_index));
    }
    if (transfer_size > 0) {
      std::memcpy(entry.chunk.data() + offset, data, transfer_size);
    }
    entry.complete = is_last_transfer;
    if (is_last_transfer) definition = entry.definition;
  }
  if (is_last_transfer) definition.Set();
  if (on_done) std::move(on_done)();
  return absl::OkStatus();
}

absl::Status AsyncHostToDeviceTransferManager::FailBuffer(int buffer_index,
                                                          absl::Status error) {
  Event definition;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    TF_RETURN_IF_ERROR(CheckOpen(buffer_index));
    if (error.ok()) {
      return absl::InvalidArgumentError("the error of a buffer is OK");
    }
    entries_[buffer_index].complete = true;
    definition = entries_[buffer_index].definition;
  }
  definition.Set(std::move(error));
  return absl::OkStatus();
}

}  // namespace xla
