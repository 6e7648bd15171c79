// The lifetime of buffers, and copies out of them.
#include "xla/pjrt/pjrt_buffer.h"

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/pjrt/host_copy.h"
#include "xla/pjrt/pjrt_client.h"

namespace xla {

PjRtBuffer::~PjRtBuffer() {
  for (; external_references_ > 0; --external_references_) referenced_.Unpin();
}

absl::Status PjRtBuffer::CheckLive() const {
  switch (state_) {
    case State::kLive:
      return absl::OkStatus();
    case State::kDonated:
      return absl::InvalidArgumentError(
          absl::StrCat("Buffer has been deleted or donated. It was one of ",
                       shape_->ToString(), " and was donated."));
    case State::kDeleted:
      return absl::InvalidArgumentError(
          absl::StrCat("Buffer has been deleted or donated. It was one of ",
                       shape_->ToString(), " and was deleted."));
  }
  return absl::InternalError("a buffer in no state");
}

absl::StatusOr<MemoryChunk> PjRtBuffer::LiveMemory() const {
  TF_RETURN_IF_ERROR(CheckLive());
  // Buffers without memory are either ready or tokens.
  if (memory_.chunk().is_null()) {
    TF_RETURN_IF_ERROR(memory_.definition().GetStatus());
  }
  return memory_.chunk();
}

std::shared_ptr<const PjRtLayout> PjRtBuffer::layout() const {
  return std::make_shared<const PjRtLayout>(
      shape_->has_layout() ? shape_->layout() : Layout());
}

absl::StatusOr<size_t> PjRtBuffer::GetOnDeviceSizeInBytes() const {
  return DeviceBufferBytes(*shape_);
}

Event PjRtBuffer::ready_event() {
  std::lock_guard<std::mutex> lock(mutex_);
  const absl::Status live = CheckLive();
  return live.ok() ? memory_.definition() : Event::Failed(live);
}

Future<> PjRtBuffer::GetReadyFuture() { return Future<>(ready_event()); }

absl::Status PjRtBuffer::AcquireForRead(const Event& done, Use* use) {
  std::lock_guard<std::mutex> lock(mutex_);
  TF_RETURN_IF_ERROR(CheckLive());
  use->chunk = memory_.chunk();
  use->definition = memory_.definition();
  memory_.AddUse(done);
  return absl::OkStatus();
}

absl::Status PjRtBuffer::AcquireForDonation(Use* use) {
  std::lock_guard<std::mutex> lock(mutex_);
  TF_RETURN_IF_ERROR(CheckLive());
  state_ = State::kDonated;
  use->chunk = memory_.chunk();
  use->definition = memory_.definition();
  use->readers_done = memory_.UsesDone();
  use->reusable = use->chunk.writable() && !use->chunk.pinned();
  memory_ = TrackedMemory();
  return absl::OkStatus();
}

Future<> PjRtBuffer::Read(Reader read) {
  const Event done = Event::Pending();
  Use use;
  const absl::Status acquired = AcquireForRead(done, &use);
  if (!acquired.ok()) return Future<>(acquired);
  if (use.definition.IsReady()) {
    absl::Status status = use.definition.GetStatus();
    if (status.ok()) status = std::move(read)(use.chunk.data());
    done.Set(status);
    return Future<>(std::move(status));
  }
  const Event definition = use.definition;
  if (definition.EndsByItself()) done.SetEndsByItself();
  definition.OnReady(
      [chunk = std::move(use.chunk), done,
       read = std::move(read)](const absl::Status& defined) mutable {
        done.Set(defined.ok() ? std::move(read)(chunk.data()) : defined);
      });
  return Future<>(done);
}

Future<> PjRtBuffer::ToLiteral(MutableLiteralBase* literal) {
  return Read([shape = shape_, literal](const char* data) {
    return CopyToLiteral(data, *shape, *literal);
  });
}

absl::StatusOr<Shape> PjRtBuffer::HostShape() {
  TF_ASSIGN_OR_RETURN(const Shape shape, logical_on_device_shape());
  return DenseLiteralShape(shape);
}

Future<std::shared_ptr<Literal>> PjRtBuffer::ToLiteral() {
  using Result = absl::StatusOr<std::shared_ptr<Literal>>;
  const absl::StatusOr<Shape> shape = HostShape();
  if (!shape.ok()) return Result(shape.status());
  absl::StatusOr<Literal> literal = Literal::Make(*shape);
  if (!literal.ok()) return Result(literal.status());
  auto result = std::make_shared<Literal>(*std::move(literal));
  return ToLiteral(result.get()).MapTo(result);
}

Future<> PjRtBuffer::LazyToLiteral(
    absl::AnyInvocable<Future<MutableLiteralBase*>() &&> generator) {
  return WhenGiven<MutableLiteralBase*>(
      std::move(generator)(),
      [shape = shape_](MutableLiteralBase* literal, const char* data) {
        return CopyToLiteral(data, *shape, *literal);
      });
}

template <typename T, typename Copy>
Future<> PjRtBuffer::WhenGiven(const Future<T>& destination, Copy copy) {
  // The reader waits for the destination too, so that the memory stays.
  const Event done = Event::Pending();
  Use use;
  const absl::Status acquired = AcquireForRead(done, &use);
  if (!acquired.ok()) return Future<>(acquired);
  const Event both =
      Event::AfterAll({use.definition, destination.GetReadyFuture().event()});
  both.OnReady([chunk = std::move(use.chunk), done, destination,
                copy = std::move(copy)](const absl::Status& status) {
    done.Set(status.ok() ? copy(*destination.Await(), chunk.data()) : status);
  });
  return Future<>(done);
}

Future<> PjRtBuffer::ToHostMemory(void* dst, int64_t dst_bytes,
                                  const Layout* host_layout) {
  // The copy has no tiles and padding unless the host requests them.
  Shape host = DenseLiteralShape(*shape_);
  if (host_layout != nullptr && host.IsArray()) {
    const absl::Status valid =
        LayoutUtil::ValidateLayoutForShape(*host_layout, *shape_);
    if (!valid.ok()) return valid;
    *host.mutable_layout() = *host_layout;
  }
  host = xla::HostShape(host);
  const int64_t bytes = ElementsBytes(host);
  if (dst_bytes < bytes) {
    return absl::InvalidArgumentError(absl::StrCat("host memory of ", dst_bytes,
                                                   " bytes for the ", bytes,
                                                   " of ", shape_->ToString()));
  }
  if (!shape_->IsArray())
    return Read([](const char*) { return absl::OkStatus(); });
  return Read([shape = shape_, dst, layout = host.layout()](const char* data) {
    return xla::CopyToHost(data, *shape, layout, dst);
  });
}

absl::Status PjRtBuffer::CheckRange(int64_t offset,
                                    int64_t transfer_size) const {
  TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(*shape_));
  if (offset < 0 || transfer_size < 0 || offset > bytes ||
      transfer_size > bytes - offset) {
    return absl::InvalidArgumentError(absl::StrCat(
        "bytes ", offset, " and ", transfer_size, " from there on are not all ",
        "among the ", bytes, " of ", shape_->ToString()));
  }
  return absl::OkStatus();
}

Future<> PjRtBuffer::CopyRawToHost(void* dst, int64_t offset,
                                   int64_t transfer_size) {
  const absl::Status range = CheckRange(offset, transfer_size);
  if (!range.ok()) return range;
  return Read([dst, offset, transfer_size](const char* data) {
    if (transfer_size > 0) std::memcpy(dst, data + offset, transfer_size);
    return absl::OkStatus();
  });
}

Future<> PjRtBuffer::CopyRawToHostFuture(Future<void*> dst, int64_t offset,
                                         int64_t transfer_size) {
  const absl::Status range = CheckRange(offset, transfer_size);
  if (!range.ok()) return range;
  return WhenGiven<void*>(dst,
                          [offset, transfer_size](void* to, const char* data) {
                            if (transfer_size > 0)
                              std::memcpy(to, data + offset, transfer_size);
                            return absl::OkStatus();
                          });
}

absl::StatusOr<Shape> PjRtBuffer::logical_on_device_shape() {
  if (!shape_->has_dynamic_dimensions()) return *shape_;
  Shape logical = *shape_;
  TF_RETURN_IF_ERROR(Read([&logical](const char* data) -> absl::Status {
                       TF_ASSIGN_OR_RETURN(const DimensionVector sizes,
                                           ReadDynamicSizes(data, logical));
                       for (size_t i = 0; i < sizes.size(); ++i) {
                         logical.set_dimensions(i, sizes[i],
                                                /*is_dynamic=*/false);
                       }
                       return absl::OkStatus();
                     }).Await());
  return logical;
}

absl::StatusOr<std::vector<int64_t>> PjRtBuffer::logical_dimensions() {
  TF_ASSIGN_OR_RETURN(const Shape shape, logical_on_device_shape());
  return std::vector<int64_t>(shape.dimensions().begin(),
                              shape.dimensions().end());
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>> PjRtBuffer::CopyToMemorySpace(
    PjRtMemorySpace* destination) {
  if (destination == nullptr || destination->client() != client()) {
    return absl::InvalidArgumentError(
        "a buffer can only be copied to a memory space of its own client");
  }
  TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(*shape_));
  TF_ASSIGN_OR_RETURN(MemoryChunk chunk,
                      MemoryChunk::Allocate(bytes, destination->account()));
  {
    std::lock_guard<std::mutex> lock(mutex_);
    TF_RETURN_IF_ERROR(CheckLive());
  }
  const Future<> copied = Read([chunk, bytes](const char* data) {
    if (bytes > 0) std::memcpy(chunk.data(), data, bytes);
    return absl::OkStatus();
  });
  return std::make_unique<PjRtBuffer>(
      shape_, destination, TrackedMemory(std::move(chunk), copied.event()));
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>> PjRtBuffer::CopyToDevice(
    PjRtDevice* device) {
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * destination,
                      device->default_memory_space());
  return CopyToMemorySpace(destination);
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>> PjRtBuffer::Bitcast(
    PrimitiveType element_type, absl::Span<const int64_t> dims,
    const Layout* device_layout) {
  TF_ASSIGN_OR_RETURN(Shape shape,
                      ShapeUtil::MakeValidatedShape(element_type, dims));
  if (device_layout != nullptr) *shape.mutable_layout() = *device_layout;
  shape = MemoryShape(shape);
  TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(shape));
  TF_ASSIGN_OR_RETURN(const int64_t own_bytes, DeviceBufferBytes(*shape_));
  if (bytes != own_bytes || shape_->has_dynamic_dimensions()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a buffer of ", shape_->ToString(), ", ", own_bytes,
                     " bytes, cannot become one of ", shape.ToString(), ", ",
                     bytes, " bytes"));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  TF_RETURN_IF_ERROR(CheckLive());
  // Pins the memory: neither of the two knows whether the other one is alive.
  memory_.chunk().Pin();
  return std::make_unique<PjRtBuffer>(
      std::make_shared<const Shape>(std::move(shape)), memory_space_,
      TrackedMemory(memory_.chunk(), memory_.definition()));
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>>
PjRtBuffer::DonateWithControlDependency(Future<> dependency) {
  std::lock_guard<std::mutex> lock(mutex_);
  TF_RETURN_IF_ERROR(CheckLive());
  // Readers may continue: the value does not change.
  const Event events[] = {memory_.definition(), dependency.event()};
  TrackedMemory memory(memory_.chunk(), Event::AfterAll(events));
  memory.AddUse(memory_.UsesDone());
  state_ = State::kDonated;
  memory_ = TrackedMemory();
  return std::make_unique<PjRtBuffer>(shape_, memory_space_, std::move(memory));
}

void PjRtBuffer::Delete() {
  TrackedMemory dropped;  // destroyed without the lock, which deleters may need
  std::lock_guard<std::mutex> lock(mutex_);
  if (state_ != State::kLive) return;
  state_ = State::kDeleted;
  dropped = std::exchange(memory_, TrackedMemory());
}

bool PjRtBuffer::IsDeleted() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return state_ != State::kLive;
}

absl::StatusOr<std::unique_ptr<PjRtBuffer::ExternalReference>>
PjRtBuffer::AcquireExternalReference() {
  std::lock_guard<std::mutex> lock(mutex_);
  TF_ASSIGN_OR_RETURN(MemoryChunk chunk, LiveMemory());
  // The constructor is private.
  return std::unique_ptr<ExternalReference>(
      new ExternalReference(std::move(chunk), memory_.definition()));
}

absl::Status PjRtBuffer::IncreaseExternalReferenceCount() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (external_references_ == 0) {
    TF_ASSIGN_OR_RETURN(referenced_, LiveMemory());
  }
  referenced_.Pin();
  ++external_references_;
  return absl::OkStatus();
}

absl::Status PjRtBuffer::DecreaseExternalReferenceCount() {
  MemoryChunk dropped;
  std::lock_guard<std::mutex> lock(mutex_);
  if (external_references_ == 0) {
    return absl::FailedPreconditionError(
        "the buffer has no external references to give up");
  }
  referenced_.Unpin();
  if (--external_references_ == 0) std::swap(dropped, referenced_);
  return absl::OkStatus();
}

absl::StatusOr<void*> PjRtBuffer::OpaqueDeviceMemoryDataPointer() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!referenced_.is_null()) return referenced_.data();
  TF_ASSIGN_OR_RETURN(const MemoryChunk chunk, LiveMemory());
  return chunk.data();
}

absl::StatusOr<uintptr_t> PjRtBuffer::UnsafeBufferPointer() {
  TF_ASSIGN_OR_RETURN(void* pointer, OpaqueDeviceMemoryDataPointer());
  return reinterpret_cast<uintptr_t>(pointer);
}

absl::StatusOr<std::unique_ptr<PjRtBuffer::ExternalReference>>
PjRtBuffer::ReleaseDeviceMemoryOwnership(bool wait_for_operations_to_complete) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<ExternalReference> reference,
                      AcquireExternalReference());
  Use use;
  TF_RETURN_IF_ERROR(AcquireForDonation(&use));
  if (wait_for_operations_to_complete) {
    TF_RETURN_IF_ERROR(use.definition.Await());
    use.readers_done.Await().IgnoreError();
  }
  return reference;
}

}  // namespace xla
