// ShapedBuffer: a shape and the device memory of each of its arrays.
// buffer_transfer.h moves values in and out of it.
#ifndef XLA_CLIENT_BUFFERS_SHAPED_BUFFER_H_
#define XLA_CLIENT_BUFFERS_SHAPED_BUFFER_H_

#include <ostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "xla/client/buffers/device_memory.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_tree.h"

namespace xla {

// Owns no memory. The memory of an array holds its elements densely in the
// order of the layout, types below 8 bits one per byte; after the elements of
// an array with dynamic dimensions comes the size of each dimension, 32 bits
// each. Tuples and tokens have no memory.
class ShapedBuffer {
 public:
  ShapedBuffer(Shape on_device_shape, int device_ordinal,
               int physical_device_ordinal = -1);
  // The host shape is ignored: it equals the device shape.
  ShapedBuffer(Shape on_host_shape, Shape on_device_shape, int device_ordinal,
               int physical_device_ordinal = -1);
  ShapedBuffer(const ShapedBuffer&) = delete;
  ShapedBuffer& operator=(const ShapedBuffer&) = delete;
  ShapedBuffer(ShapedBuffer&& other) noexcept;
  ShapedBuffer& operator=(ShapedBuffer&& other) noexcept;
  virtual ~ShapedBuffer() = default;

  const Shape& on_host_shape() const { return on_device_shape_; }
  const Shape& on_device_shape() const { return on_device_shape_; }
  int device_ordinal() const { return device_ordinal_; }
  int physical_device_ordinal() const { return physical_device_ordinal_; }

  // The index must exist.
  const se::DeviceMemoryBase& root_buffer() const { return buffer({}); }
  const se::DeviceMemoryBase& buffer(const ShapeIndex& index) const {
    return buffers_.element(index);
  }
  void set_buffer(const se::DeviceMemoryBase& buffer, const ShapeIndex& index) {
    *buffers_.mutable_element(index) = buffer;
  }
  void set_buffers(ShapeTree<se::DeviceMemoryBase> buffers) {
    buffers_ = std::move(buffers);
  }
  const ShapeTree<se::DeviceMemoryBase>& buffers() const { return buffers_; }
  ShapeTree<se::DeviceMemoryBase>& buffers() { return buffers_; }
  // The shape must have the same structure.
  void set_shapes(const Shape& on_device_shape);

  // A subtree, with the same memory. Errors: InvalidArgument.
  absl::StatusOr<ShapedBuffer> SubShapedBuffer(const ShapeIndex& index) const;
  // Sets all addresses to null.
  void clear();
  std::string ToString() const;

 protected:
  Shape on_device_shape_;
  int device_ordinal_;
  int physical_device_ordinal_;
  ShapeTree<se::DeviceMemoryBase> buffers_;
};

std::ostream& operator<<(std::ostream& out, const ShapedBuffer& buffer);

// Owns its memory, which was allocated by `allocator` (borrowed).
class ScopedShapedBuffer : public ShapedBuffer {
 public:
  ScopedShapedBuffer(Shape on_device_shape,
                     se::DeviceMemoryAllocator* allocator, int device_ordinal,
                     int physical_device_ordinal = -1);
  ScopedShapedBuffer(Shape on_host_shape, Shape on_device_shape,
                     se::DeviceMemoryAllocator* allocator, int device_ordinal,
                     int physical_device_ordinal = -1);
  explicit ScopedShapedBuffer(ShapedBuffer shaped_buffer,
                              se::DeviceMemoryAllocator* allocator);
  ScopedShapedBuffer(ScopedShapedBuffer&& other) noexcept;
  ScopedShapedBuffer& operator=(ScopedShapedBuffer&& other) noexcept;
  ~ScopedShapedBuffer() override;

  se::DeviceMemoryAllocator* memory_allocator() const { return allocator_; }
  // Takes ownership of `buffer` and frees the memory that was there before.
  void set_buffer(se::OwningDeviceMemory buffer, const ShapeIndex& index);
  // Passes the ownership of all memory to the caller.
  [[nodiscard]] ShapedBuffer release();
  // Passes the ownership of a subtree to the caller.
  ScopedShapedBuffer TakeSubTree(ShapeIndexView index);

 private:
  void Deallocate();

  se::DeviceMemoryAllocator* allocator_;
};

}  // namespace xla

#endif  // XLA_CLIENT_BUFFERS_SHAPED_BUFFER_H_
