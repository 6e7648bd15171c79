// Manages the ownership of the memory of a shape.
#include "xla/client/buffers/shaped_buffer.h"

#include "absl/strings/str_format.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla {

ShapedBuffer::ShapedBuffer(Shape on_device_shape, int device_ordinal,
                           int physical_device_ordinal)
    : on_device_shape_(std::move(on_device_shape)),
      device_ordinal_(device_ordinal),
      physical_device_ordinal_(physical_device_ordinal >= 0
                                   ? physical_device_ordinal
                                   : device_ordinal),
      buffers_(on_device_shape_) {}

ShapedBuffer::ShapedBuffer(Shape on_host_shape, Shape on_device_shape,
                           int device_ordinal, int physical_device_ordinal)
    : ShapedBuffer(std::move(on_device_shape), device_ordinal,
                   physical_device_ordinal) {}

ShapedBuffer::ShapedBuffer(ShapedBuffer&& other) noexcept
    : on_device_shape_(other.on_device_shape_),
      device_ordinal_(other.device_ordinal_),
      physical_device_ordinal_(other.physical_device_ordinal_),
      buffers_(other.buffers_) {
  other.clear();
}

ShapedBuffer& ShapedBuffer::operator=(ShapedBuffer&& other) noexcept {
  if (this == &other) return *this;
  on_device_shape_ = other.on_device_shape_;
  device_ordinal_ = other.device_ordinal_;
  physical_device_ordinal_ = other.physical_device_ordinal_;
  buffers_ = other.buffers_;
  other.clear();
  return *this;
}

void ShapedBuffer::set_shapes(const Shape& on_device_shape) {
  CHECK(ShapeUtil::EqualStructure(on_device_shape, on_device_shape_));
  ShapeTree<se::DeviceMemoryBase> buffers(on_device_shape);
  auto from = buffers_.begin();
  for (auto& [index, buffer] : buffers) buffer = (from++)->second;
  buffers_ = std::move(buffers);
  on_device_shape_ = on_device_shape;
}

absl::StatusOr<ShapedBuffer> ShapedBuffer::SubShapedBuffer(
    const ShapeIndex& index) const {
  TF_ASSIGN_OR_RETURN(const Shape* shape,
                      ShapeUtil::TryGetSubshape(on_device_shape_, index));
  ShapedBuffer part(*shape, device_ordinal_, physical_device_ordinal_);
  part.buffers_.CopySubtreeFrom(buffers_, index, {});
  return part;
}

void ShapedBuffer::clear() {
  for (auto& [index, buffer] : buffers_) buffer = se::DeviceMemoryBase();
}

std::string ShapedBuffer::ToString() const {
  std::string text =
      absl::StrFormat("ShapedBuffer(%d), on-device shape=%s:\n",
                      device_ordinal_, on_device_shape_.ToString(true));
  for (const auto& [index, buffer] : buffers_) {
    absl::StrAppendFormat(&text, "  %s: %p (%d bytes)\n", index.ToString(),
                          buffer.opaque(), buffer.size());
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const ShapedBuffer& buffer) {
  return out << buffer.ToString();
}

ScopedShapedBuffer::ScopedShapedBuffer(Shape on_device_shape,
                                       se::DeviceMemoryAllocator* allocator,
                                       int device_ordinal,
                                       int physical_device_ordinal)
    : ShapedBuffer(std::move(on_device_shape), device_ordinal,
                   physical_device_ordinal),
      allocator_(allocator) {}

ScopedShapedBuffer::ScopedShapedBuffer(Shape on_host_shape,
                                       Shape on_device_shape,
                                       se::DeviceMemoryAllocator* allocator,
                                       int device_ordinal,
                                       int physical_device_ordinal)
    : ScopedShapedBuffer(std::move(on_device_shape), allocator, device_ordinal,
                         physical_device_ordinal) {}

ScopedShapedBuffer::ScopedShapedBuffer(ShapedBuffer shaped_buffer,
                                       se::DeviceMemoryAllocator* allocator)
    : ShapedBuffer(std::move(shaped_buffer)), allocator_(allocator) {}

ScopedShapedBuffer::ScopedShapedBuffer(ScopedShapedBuffer&& other) noexcept
    : ShapedBuffer(std::move(static_cast<ShapedBuffer&>(other))),
      allocator_(other.allocator_) {}

ScopedShapedBuffer& ScopedShapedBuffer::operator=(
    ScopedShapedBuffer&& other) noexcept {
  if (this == &other) return *this;
  Deallocate();
  ShapedBuffer::operator=(std::move(static_cast<ShapedBuffer&>(other)));
  allocator_ = other.allocator_;
  return *this;
}

ScopedShapedBuffer::~ScopedShapedBuffer() { Deallocate(); }

void ScopedShapedBuffer::set_buffer(se::OwningDeviceMemory buffer,
                                    const ShapeIndex& index) {
  se::DeviceMemoryBase* present = buffers_.mutable_element(index);
  se::OwningDeviceMemory freed(*present, device_ordinal_, allocator_);
  *present = buffer.Release();
}

ShapedBuffer ScopedShapedBuffer::release() {
  return ShapedBuffer(std::move(static_cast<ShapedBuffer&>(*this)));
}

ScopedShapedBuffer ScopedShapedBuffer::TakeSubTree(ShapeIndexView index) {
  const ShapeIndex path(index);
  ScopedShapedBuffer part(ShapeUtil::GetSubshape(on_device_shape_, index),
                          allocator_, device_ordinal_,
                          physical_device_ordinal_);
  for (auto& [inner, buffer] : part.buffers_) {
    ShapeIndex whole = path;
    whole.insert(whole.end(), inner.begin(), inner.end());
    std::swap(buffer, *buffers_.mutable_element(whole));
  }
  return part;
}

void ScopedShapedBuffer::Deallocate() {
  for (auto& [index, buffer] : buffers_) {
    se::OwningDeviceMemory freed(buffer, device_ordinal_, allocator_);
    buffer = se::DeviceMemoryBase();
  }
}

}  // namespace xla
