// PjRtClient: buffers from host memory, and uninitialized ones.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/pjrt/host_copy.h"
#include "xla/pjrt/pjrt_client.h"

namespace xla {
namespace {

absl::Status CheckSpace(const PjRtMemorySpace* memory_space,
                        const PjRtClient* client) {
  if (memory_space != nullptr && memory_space->client() == client) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "a buffer needs a memory space of its own client");
}

// The shape, with a layout, of a buffer of `shape`.
absl::StatusOr<std::shared_ptr<const Shape>> BufferShape(const Shape& shape) {
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(shape));
  TF_RETURN_IF_ERROR(CheckElementStorage(shape));
  TF_RETURN_IF_ERROR(DeviceBufferBytes(shape).status());
  return std::make_shared<const Shape>(MemoryShape(shape));
}

struct BufferMemory {
  std::shared_ptr<const Shape> shape;  // made by BufferShape
  int64_t bytes = 0;
  MemoryChunk chunk;  // uninitialized
};

// Allocates memory in `memory_space` for a buffer of `shape`. Errors:
// InvalidArgument for a memory space of another client and for a shape that no
// buffer can have; ResourceExhausted.
absl::StatusOr<BufferMemory> AllocateFor(const Shape& shape,
                                         PjRtMemorySpace* memory_space,
                                         const PjRtClient* client) {
  TF_RETURN_IF_ERROR(CheckSpace(memory_space, client));
  BufferMemory memory;
  TF_ASSIGN_OR_RETURN(memory.shape, BufferShape(shape));
  TF_ASSIGN_OR_RETURN(memory.bytes, DeviceBufferBytes(*memory.shape));
  TF_ASSIGN_OR_RETURN(memory.chunk, MemoryChunk::Allocate(
                                        memory.bytes, memory_space->account()));
  return memory;
}

// Memory as transfers and programs like it.
class AlignedAllocator : public PjRtHostAllocator {
 public:
  size_t GetPreferredAlignment() const override {
    return MemoryChunk::kAlignment;
  }
  void* Allocate(size_t size, size_t alignment) override {
    void* memory = nullptr;
    const size_t at_least = std::max(alignment, sizeof(void*));
    return posix_memalign(&memory, at_least, std::max<size_t>(size, 1)) == 0
               ? memory
               : nullptr;
  }
  void Free(void* ptr) override { std::free(ptr); }
};

bool IsAligned(const void* data) {
  return reinterpret_cast<uintptr_t>(data) % MemoryChunk::kAlignment == 0;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Shape>> PjRtClient::ArrayShape(
    PrimitiveType type, absl::Span<const int64_t> dims, const Layout* layout,
    PjRtMemorySpace* memory_space) const {
  TF_RETURN_IF_ERROR(CheckSpace(memory_space, this));
  if (type == TOKEN && dims.empty()) {
    return std::make_shared<const Shape>(ShapeUtil::MakeTokenShape());
  }
  if (!primitive_util::IsArrayType(type)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "buffers of element type ", static_cast<int>(type), " do not exist"));
  }
  TF_ASSIGN_OR_RETURN(Shape shape, ShapeUtil::MakeValidatedShape(type, dims));
  if (layout != nullptr) {
    TF_RETURN_IF_ERROR(LayoutUtil::ValidateLayoutForShape(*layout, shape));
    *shape.mutable_layout() = *layout;
  }
  return BufferShape(shape);
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>> PjRtClient::BufferFromHostBuffer(
    const void* data, PrimitiveType type, absl::Span<const int64_t> dims,
    std::optional<absl::Span<const int64_t>> byte_strides,
    HostBufferSemantics semantics, absl::AnyInvocable<void() &&> on_done,
    PjRtMemorySpace* memory_space, const Layout* device_layout) {
  TF_ASSIGN_OR_RETURN(std::shared_ptr<const Shape> shape,
                      ArrayShape(type, dims, device_layout, memory_space));
  if (byte_strides.has_value() && byte_strides->size() != dims.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(byte_strides->size(), " strides for the ", dims.size(),
                     " dimensions of ", shape->ToString()));
  }
  const int64_t bytes = ElementsBytes(*shape);
  if (data == nullptr && bytes > 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the host's data for a buffer of ", shape->ToString(), " is null"));
  }
  const bool may_keep = semantics == HostBufferSemantics::kImmutableZeroCopy ||
                        semantics == HostBufferSemantics::kMutableZeroCopy;
  if (may_keep && bytes > 0 && IsAligned(data) &&
      IsDense(*shape, byte_strides)) {
    MemoryChunk chunk = MemoryChunk::Borrow(
        const_cast<void*>(data), bytes,
        semantics == HostBufferSemantics::kMutableZeroCopy, std::move(on_done));
    return std::make_unique<PjRtBuffer>(std::move(shape), memory_space,
                                        TrackedMemory(std::move(chunk), {}));
  }
  TF_ASSIGN_OR_RETURN(MemoryChunk chunk,
                      MemoryChunk::Allocate(bytes, memory_space->account()));
  TF_RETURN_IF_ERROR(CopyFromHost(data, byte_strides, *shape, chunk.data()));
  if (on_done) std::move(on_done)();
  return std::make_unique<PjRtBuffer>(std::move(shape), memory_space,
                                      TrackedMemory(std::move(chunk), {}));
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>> PjRtClient::BufferFromHostLiteral(
    const LiteralSlice& literal, PjRtMemorySpace* memory_space,
    const Layout* device_layout) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtBuffer> buffer,
                      [&]() -> absl::StatusOr<std::unique_ptr<PjRtBuffer>> {
                        Shape shape = literal.shape();
                        if (device_layout != nullptr && shape.IsArray()) {
                          *shape.mutable_layout() = *device_layout;
                        }
                        return CreateUninitializedBuffer(shape, memory_space);
                      }());
  TF_ASSIGN_OR_RETURN(void* data, buffer->OpaqueDeviceMemoryDataPointer());
  TF_RETURN_IF_ERROR(CopyFromLiteral(literal, buffer->on_device_shape(),
                                     static_cast<char*>(data)));
  return buffer;
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>> PjRtClient::BufferFromHostBuffer(
    const void* data, PrimitiveType type, absl::Span<const int64_t> dims,
    std::optional<absl::Span<const int64_t>> byte_strides,
    HostBufferSemantics semantics, absl::AnyInvocable<void() &&> on_done,
    PjRtDevice* device, const Layout* device_layout) {
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * memory_space,
                      device->default_memory_space());
  return BufferFromHostBuffer(data, type, dims, byte_strides, semantics,
                              std::move(on_done), memory_space, device_layout);
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>> PjRtClient::BufferFromHostLiteral(
    const LiteralSlice& literal, PjRtDevice* device,
    const Layout* device_layout) {
  TF_ASSIGN_OR_RETURN(PjRtMemorySpace * memory_space,
                      device->default_memory_space());
  return BufferFromHostLiteral(literal, memory_space, device_layout);
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>>
PjRtClient::CreateUninitializedBuffer(const Shape& shape,
                                      PjRtMemorySpace* memory_space) {
  TF_ASSIGN_OR_RETURN(BufferMemory memory,
                      AllocateFor(shape, memory_space, this));
  if (memory.shape->has_dynamic_dimensions()) {
    WriteDynamicSizes(memory.shape->dimensions(), *memory.shape,
                      memory.chunk.data());
  }
  return std::make_unique<PjRtBuffer>(
      std::move(memory.shape), memory_space,
      TrackedMemory(std::move(memory.chunk), {}));
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>> PjRtClient::CreatePendingBuffer(
    const Shape& shape, PjRtMemorySpace* memory_space, Event definition,
    MemoryChunk* chunk) {
  TF_ASSIGN_OR_RETURN(BufferMemory memory,
                      AllocateFor(shape, memory_space, this));
  *chunk = memory.chunk;
  return std::make_unique<PjRtBuffer>(
      std::move(memory.shape), memory_space,
      TrackedMemory(std::move(memory.chunk), std::move(definition)));
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>> PjRtClient::CreateErrorBuffer(
    absl::Status error, const Shape& shape, PjRtMemorySpace* memory_space) {
  TF_RETURN_IF_ERROR(CheckSpace(memory_space, this));
  if (error.ok()) {
    return absl::InvalidArgumentError("the error of a buffer is OK");
  }
  TF_ASSIGN_OR_RETURN(std::shared_ptr<const Shape> own, BufferShape(shape));
  return std::make_unique<PjRtBuffer>(
      std::move(own), memory_space,
      TrackedMemory(MemoryChunk(), Event::Failed(std::move(error))));
}

absl::StatusOr<PjRtClient::HostAllocator*> PjRtClient::GetHostAllocator()
    const {
  static auto* const allocator = new AlignedAllocator;
  return allocator;
}

absl::StatusOr<std::unique_ptr<PjRtBuffer>>
PjRtClient::CreateViewOfDeviceBuffer(void* device_ptr, const Shape& shape,
                                     PjRtMemorySpace* memory_space,
                                     std::function<void()> on_delete,
                                     std::optional<std::intptr_t> stream) {
  TF_RETURN_IF_ERROR(CheckSpace(memory_space, this));
  TF_ASSIGN_OR_RETURN(std::shared_ptr<const Shape> own, BufferShape(shape));
  TF_ASSIGN_OR_RETURN(const int64_t bytes, DeviceBufferBytes(*own));
  if (device_ptr == nullptr && bytes > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a view of ", own->ToString(), " at address null"));
  }
  MemoryChunk::Deleter deleter;
  if (on_delete) deleter = std::move(on_delete);
  MemoryChunk chunk;
  if (IsAligned(device_ptr)) {
    chunk = MemoryChunk::Borrow(device_ptr, bytes, /*writable=*/true,
                                std::move(deleter));
  } else {
    // Programs rely on the alignment.
    TF_ASSIGN_OR_RETURN(chunk,
                        MemoryChunk::Allocate(bytes, memory_space->account()));
    std::memcpy(chunk.data(), device_ptr, bytes);
    if (deleter) std::move(deleter)();
  }
  return std::make_unique<PjRtBuffer>(std::move(own), memory_space,
                                      TrackedMemory(std::move(chunk), {}));
}

absl::StatusOr<std::pair<std::unique_ptr<PjRtBuffer>,
                         PjRtClient::PjRtFulfillAliasBufferCallback>>
PjRtClient::CreateAliasBuffer(const Shape& shape,
                              PjRtMemorySpace* memory_space) {
  TF_ASSIGN_OR_RETURN(BufferMemory memory,
                      AllocateFor(shape, memory_space, this));
  const Event definition = Event::Pending();
  auto buffer = std::make_unique<PjRtBuffer>(
      memory.shape, memory_space, TrackedMemory(memory.chunk, definition));
  PjRtFulfillAliasBufferCallback fulfill =
      [own = std::move(memory.shape), chunk = std::move(memory.chunk),
       definition, bytes = memory.bytes](
          absl::StatusOr<PjRtBuffer*> source) -> absl::Status {
    absl::Status status = source.status();
    if (status.ok() &&
        (*source == nullptr || (*source)->on_device_shape() != *own)) {
      status = absl::InvalidArgumentError(absl::StrCat(
          "an alias buffer of ", own->ToString(true), " cannot stand for ",
          *source == nullptr ? "none"
                             : (*source)->on_device_shape().ToString(true)));
      definition.Set(status);
      return status;
    }
    if (!status.ok()) {
      // An error fulfils it, too.
      definition.Set(std::move(status));
      return absl::OkStatus();
    }
    (*source)
        ->CopyRawToHost(chunk.data(), /*offset=*/0, bytes)
        .OnReady([chunk, definition](const absl::Status& copied) {
          definition.Set(copied);
        });
    return absl::OkStatus();
  };
  return std::make_pair(std::move(buffer), std::move(fulfill));
}

absl::StatusOr<std::unique_ptr<AsyncHostToDeviceTransferManager>>
PjRtClient::CreateBuffersForAsyncHostToDevice(absl::Span<const Shape> shapes,
                                              PjRtMemorySpace* memory_space) {
  TF_RETURN_IF_ERROR(CheckSpace(memory_space, this));
  for (const Shape& shape : shapes) {
    TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeWithOptionalLayout(shape));
  }
  return xla::AsyncHostToDeviceTransferManager::Create(shapes, memory_space);
}

absl::StatusOr<std::unique_ptr<AsyncHostToDeviceTransferManager>>
PjRtClient::CreateBuffersForAsyncHostToDevice(
    absl::Span<const ShapeSpec> shape_specs,
    std::optional<absl::Span<const std::optional<Layout>>> device_layouts,
    PjRtMemorySpace* memory_space) {
  if (device_layouts.has_value() &&
      device_layouts->size() != shape_specs.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(device_layouts->size(), " layouts for ",
                     shape_specs.size(), " buffers"));
  }
  std::vector<Shape> shapes;
  for (size_t i = 0; i < shape_specs.size(); ++i) {
    const Layout* layout =
        device_layouts.has_value() && (*device_layouts)[i].has_value()
            ? &*(*device_layouts)[i]
            : nullptr;
    TF_ASSIGN_OR_RETURN(const std::shared_ptr<const Shape> shape,
                        ArrayShape(shape_specs[i].element_type,
                                   shape_specs[i].dims, layout, memory_space));
    shapes.push_back(*shape);
  }
  return CreateBuffersForAsyncHostToDevice(shapes, memory_space);
}

}  // namespace xla
