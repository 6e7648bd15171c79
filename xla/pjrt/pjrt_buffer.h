// PjRtBuffer: an array (or token) on a device, which may not be there yet.
#ifndef XLA_PJRT_PJRT_BUFFER_H_
#define XLA_PJRT_PJRT_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/pjrt/pjrt_device.h"
#include "xla/pjrt/pjrt_future.h"
#include "xla/pjrt/pjrt_layout.h"
#include "xla/pjrt/tracked_memory.h"

namespace xla {

// Immutable once defined. Its memory is as backends/array_memory.h says.
//
// A buffer that was deleted or donated gives InvalidArgument, which says so,
// wherever its value is asked for; shape, device and layout stay. One whose
// definition failed gives that error. Thread safe.
class PjRtBuffer {
 public:
  // `shape` has a layout and may be shared among buffers.
  PjRtBuffer(std::shared_ptr<const Shape> shape, PjRtMemorySpace* memory_space,
             TrackedMemory memory)
      : shape_(std::move(shape)),
        memory_space_(memory_space),
        memory_(std::move(memory)) {}
  ~PjRtBuffer();
  PjRtBuffer(const PjRtBuffer&) = delete;
  PjRtBuffer& operator=(const PjRtBuffer&) = delete;

  const Shape& on_device_shape() const { return *shape_; }
  const std::shared_ptr<const Shape>& shared_shape() const { return shape_; }
  PrimitiveType element_type() const { return shape_->element_type(); }
  // Bounds, for dynamic dimensions.
  absl::Span<const int64_t> dimensions() const { return shape_->dimensions(); }
  bool has_dynamic_dimensions() const {
    return shape_->has_dynamic_dimensions();
  }
  absl::Span<const bool> is_dynamic_dimension() const {
    return shape_->dynamic_dimensions();
  }
  bool IsTuple() const { return false; }
  bool IsToken() const { return shape_->IsToken(); }
  std::shared_ptr<const PjRtLayout> layout() const;
  // The shape with the sizes that dynamic dimensions have; waits if it must.
  absl::StatusOr<Shape> logical_on_device_shape();
  absl::StatusOr<std::vector<int64_t>> logical_dimensions();

  PjRtMemorySpace* memory_space() const { return memory_space_; }
  PjRtDevice* device() const { return memory_space_->device(); }
  PjRtClient* client() const { return memory_space_->client(); }
  bool IsOnCpu() const { return true; }
  absl::StatusOr<size_t> GetOnDeviceSizeInBytes() const;

  // Ready when the buffer is defined. InvalidArgument when deleted or donated.
  Future<> GetReadyFuture();
  absl::Status BlockHostUntilReady() { return GetReadyFuture().Await(); }
  Event ready_event();

  // To host memory. The literal, of a compatible shape in any layout, must live
  // until the future is ready.
  Future<> ToLiteral(MutableLiteralBase* literal);
  absl::StatusOr<std::shared_ptr<Literal>> ToLiteral();
  absl::Status ToLiteralSync(MutableLiteralBase* literal) {
    return ToLiteral(literal).Await();
  }
  absl::StatusOr<std::shared_ptr<Literal>> ToLiteralSync() {
    return ToLiteral();
  }
  // Elements as `host_layout` has them, tiles included (null: in the buffer's
  // order, without tiles), at `dst`, which has `dst_bytes` bytes: at least the
  // bytes of the elements in that layout. Dynamic arrays:
  // those of their bounds.
  Future<> ToHostMemory(void* dst, int64_t dst_bytes,
                        const Layout* host_layout);
  // `transfer_size` bytes of the memory from `offset` on. InvalidArgument when
  // they are not all within it.
  Future<> CopyRawToHost(void* dst, int64_t offset, int64_t transfer_size);

  // A copy, on any device of the same client.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> CopyToMemorySpace(
      PjRtMemorySpace* destination);
  // A buffer that shares the memory and has another shape of as many bytes.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> Bitcast(
      PrimitiveType element_type, absl::Span<const int64_t> dims,
      const Layout* device_layout);
  // A buffer that takes over the memory; this one is donated, and the new one
  // is ready when this is and `dependency` is.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> DonateWithControlDependency(
      Future<> dependency);

  void Delete();
  bool IsDeleted() const;

  // Keeps the memory in place and alive while it lives; a donation does not
  // reuse memory that has one.
  class ExternalReference {
   public:
    ~ExternalReference() { chunk_.Unpin(); }
    ExternalReference(const ExternalReference&) = delete;
    ExternalReference& operator=(const ExternalReference&) = delete;
    void* OpaqueDeviceMemoryDataPointer() const { return chunk_.data(); }
    // Waits until the buffer is defined.
    absl::Status WaitUntilBufferReady() const { return ready_.Await(); }

   private:
    friend class PjRtBuffer;
    ExternalReference(MemoryChunk chunk, Event ready)
        : chunk_(std::move(chunk)), ready_(std::move(ready)) {
      chunk_.Pin();
    }
    const MemoryChunk chunk_;
    const Event ready_;
  };
  absl::StatusOr<std::unique_ptr<ExternalReference>> AcquireExternalReference();
  // The same by count, for the C API. A buffer whose definition failed has no
  // memory, and gives that error. Errors of the second: FailedPrecondition when
  // the count is zero.
  absl::Status IncreaseExternalReferenceCount();
  absl::Status DecreaseExternalReferenceCount();
  // The address, also when it is not defined yet.
  absl::StatusOr<void*> OpaqueDeviceMemoryDataPointer();
  absl::StatusOr<uintptr_t> UnsafeBufferPointer();
  // Takes the memory away, as donation does, and keeps it alive while the
  // reference lives. `wait_for_operations_to_complete`: readers have finished.
  absl::StatusOr<std::unique_ptr<ExternalReference>>
  ReleaseDeviceMemoryOwnership(bool wait_for_operations_to_complete);

  // For runs of programs: what a run uses of a buffer.
  struct Use {
    MemoryChunk chunk;
    Event definition;
    Event readers_done;  // of donated ones
    // Once these are ready, the run may write to the memory.
    bool reusable = false;
  };
  // Reads until `done` is ready.
  absl::Status AcquireForRead(const Event& done, Use* use);
  absl::Status AcquireForDonation(Use* use);

 private:
  enum class State : uint8_t { kLive, kDonated, kDeleted };

  absl::Status CheckLive() const;  // with mutex_ held
  // Of the memory, with mutex_ held. Errors: as CheckLive, and why a buffer has
  // none. Tokens have none and no error either.
  absl::StatusOr<MemoryChunk> LiveMemory() const;
  // Calls `read` with the memory once it is defined.
  using Reader = absl::AnyInvocable<absl::Status(const char* data) &&>;
  Future<> Read(Reader read);

  const std::shared_ptr<const Shape> shape_;
  PjRtMemorySpace* const memory_space_;
  mutable std::mutex mutex_;  // guards all below
  State state_ = State::kLive;
  TrackedMemory memory_;
  int64_t external_references_ = 0;
  // Keeps the memory for counted references after deletion.
  MemoryChunk referenced_;
};

}  // namespace xla

#endif  // XLA_PJRT_PJRT_BUFFER_H_
