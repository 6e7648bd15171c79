// PjRtBuffer: an array or token on a device, which may not be defined yet.
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
#include "xla/pjrt/run/tracked_memory.h"

namespace xla {

// Immutable once defined. backends/array_memory.h defines the contents of its
// memory.
//
// After deletion or donation, accessing the value is an InvalidArgument error
// that says so; the shape, device and layout remain. If the definition failed,
// access returns its error. Thread safe.
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
  // The bounds of dynamic dimensions.
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
  // The shape with the actual sizes of dynamic dimensions; may block.
  absl::StatusOr<Shape> logical_on_device_shape();
  absl::StatusOr<std::vector<int64_t>> logical_dimensions();

  PjRtMemorySpace* memory_space() const { return memory_space_; }
  PjRtDevice* device() const { return memory_space_->device(); }
  PjRtClient* client() const { return memory_space_->client(); }
  bool IsOnCpu() const { return true; }
  absl::StatusOr<size_t> GetOnDeviceSizeInBytes() const;

  // Ready when the buffer is defined. InvalidArgument if deleted or donated.
  Future<> GetReadyFuture();
  absl::Status BlockHostUntilReady() { return GetReadyFuture().Await(); }
  Event ready_event();

  // Copies to host memory. The literal, which has a compatible shape in any
  // layout, must live until the future is ready.
  Future<> ToLiteral(MutableLiteralBase* literal);
  // Blocks if the shape is dynamic and its sizes are not known yet.
  Future<std::shared_ptr<Literal>> ToLiteral();
  // The same for a literal that `generator` gives.
  Future<> LazyToLiteral(
      absl::AnyInvocable<Future<MutableLiteralBase*>() &&> generator);
  absl::Status ToLiteralSync(MutableLiteralBase* literal) {
    return ToLiteral(literal).Await();
  }
  absl::StatusOr<std::shared_ptr<Literal>> ToLiteralSync() {
    return ToLiteral().Await();
  }
  // The shape of such a literal, without tiles; may block.
  absl::StatusOr<Shape> HostShape();
  // Copies the elements in `host_layout`, tiles included (null: in the buffer's
  // order, without tiles), to `dst`, which has `dst_bytes` bytes: at least the
  // size of the elements in that layout. Dynamic arrays are copied with their
  // bounds.
  Future<> ToHostMemory(void* dst, int64_t dst_bytes,
                        const Layout* host_layout);
  // Copies `transfer_size` bytes of the memory, starting at `offset`.
  // InvalidArgument if they are not all within it.
  Future<> CopyRawToHost(void* dst, int64_t offset, int64_t transfer_size);
  // The same once `dst` is there. This keeps the memory alive until then.
  Future<> CopyRawToHostFuture(Future<void*> dst, int64_t offset,
                               int64_t transfer_size);

  // Copies to any device of the same client.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> CopyToMemorySpace(
      PjRtMemorySpace* destination);
  // Copies to the memory space of `donated_dst`, which is not used up.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> CopyToMemorySpace(
      PjRtBuffer* donated_dst) {
    return CopyToMemorySpace(donated_dst->memory_space());
  }
  // XLA's older form: to the default memory space of the device.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> CopyToDevice(PjRtDevice* device);
  // Makes a buffer that shares the memory and has another shape of the same
  // size in bytes.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> Bitcast(
      PrimitiveType element_type, absl::Span<const int64_t> dims,
      const Layout* device_layout);
  // Makes a buffer that takes over the memory; this one becomes donated. The
  // new one is ready when this one and `dependency` are.
  absl::StatusOr<std::unique_ptr<PjRtBuffer>> DonateWithControlDependency(
      Future<> dependency);

  void Delete();
  bool IsDeleted() const;

  // Keeps the memory in place and alive during its lifetime; a donation does
  // not reuse memory that has a reference.
  class ExternalReference {
   public:
    ~ExternalReference() { chunk_.Unpin(); }
    ExternalReference(const ExternalReference&) = delete;
    ExternalReference& operator=(const ExternalReference&) = delete;
    void* OpaqueDeviceMemoryDataPointer() const { return chunk_.data(); }
    // Waits until the buffer is defined.
    absl::Status WaitUntilBufferReady() const { return ready_.Await(); }
    // For devices with streams: Unimplemented.
    absl::Status WaitUntilBufferReadyOnStream(std::intptr_t stream) const {
      return absl::UnimplementedError(
          "the devices of the host have no streams");
    }

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
  // The same as a reference count, for the C API. A buffer whose definition
  // failed has no memory and returns that error. Errors of Decrease:
  // FailedPrecondition if the count is zero.
  absl::Status IncreaseExternalReferenceCount();
  absl::Status DecreaseExternalReferenceCount();
  // The address, even before the buffer is defined.
  absl::StatusOr<void*> OpaqueDeviceMemoryDataPointer();
  absl::StatusOr<uintptr_t> UnsafeBufferPointer();
  // Takes the memory away, like a donation, and keeps it alive as long as the
  // reference. `wait_for_operations_to_complete`: waits until readers have
  // finished.
  absl::StatusOr<std::unique_ptr<ExternalReference>>
  ReleaseDeviceMemoryOwnership(bool wait_for_operations_to_complete);

  // The parts of a buffer that a run of a program uses.
  struct Use {
    MemoryChunk chunk;
    Event definition;
    Event readers_done;  // set for donated ones
    // True if the run may write to the memory once these are ready.
    bool reusable = false;
  };
  // Acquires the memory for a reader that finishes when `done` is ready.
  absl::Status AcquireForRead(const Event& done, Use* use);
  absl::Status AcquireForDonation(Use* use);

 private:
  enum class State : uint8_t { kLive, kDonated, kDeleted };

  absl::Status CheckLive() const;  // requires mutex_
  // The memory; requires mutex_. Errors: those of CheckLive, and the reason why
  // a buffer has no memory. Tokens have no memory, which is not an error.
  absl::StatusOr<MemoryChunk> LiveMemory() const;
  // Calls `read` with the memory once it is defined.
  using Reader = absl::AnyInvocable<absl::Status(const char* data) &&>;
  Future<> Read(Reader read);
  // Calls copy(destination, data) once both are there.
  template <typename T, typename Copy>
  Future<> WhenGiven(const Future<T>& destination, Copy copy);
  // Errors: InvalidArgument for bytes that are not all in the memory.
  absl::Status CheckRange(int64_t offset, int64_t transfer_size) const;

  const std::shared_ptr<const Shape> shape_;
  PjRtMemorySpace* const memory_space_;
  mutable std::mutex mutex_;  // guards the members below
  State state_ = State::kLive;
  TrackedMemory memory_;
  int64_t external_references_ = 0;
  // Keeps the memory alive for counted references after deletion.
  MemoryChunk referenced_;
};

// Names the buffer whose memory another one shares.
using PjRtFulfillAliasBufferCallback =
    absl::AnyInvocable<absl::Status(absl::StatusOr<PjRtBuffer*>) &&>;

}  // namespace xla

#endif  // XLA_PJRT_PJRT_BUFFER_H_
