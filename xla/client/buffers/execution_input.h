// ExecutionInput and ExecutionOutput: arguments whose memory a run may take
// over, and results that may contain it.
#ifndef XLA_CLIENT_BUFFERS_EXECUTION_INPUT_H_
#define XLA_CLIENT_BUFFERS_EXECUTION_INPUT_H_

#include <set>
#include <utility>
#include <vector>

#include "xla/client/buffers/device_memory.h"
#include "xla/client/buffers/shaped_buffer.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_tree.h"

namespace xla {

// The memory of one argument, each part owned or borrowed. Owned parts are
// donated: the run frees them.
class ExecutionInput {
 public:
  explicit ExecutionInput(Shape shape) : buffers_(std::move(shape)) {}
  // The host shape is ignored: it equals the device shape.
  ExecutionInput(Shape shape, Shape host_shape)
      : ExecutionInput(std::move(shape)) {}
  explicit ExecutionInput(ShapeTree<MaybeOwningDeviceMemory> buffers)
      : buffers_(std::move(buffers)) {}
  ExecutionInput(ExecutionInput&&) = default;
  ExecutionInput& operator=(ExecutionInput&&) = default;

  const Shape& shape() const { return buffers_.shape(); }
  const Shape& host_shape() const { return buffers_.shape(); }
  const ShapeTree<MaybeOwningDeviceMemory>& Buffers() const { return buffers_; }
  ShapeTree<MaybeOwningDeviceMemory>* MutableBuffers() { return &buffers_; }
  const MaybeOwningDeviceMemory& Buffer(const ShapeIndex& index) const {
    return buffers_.element(index);
  }
  MaybeOwningDeviceMemory* MutableBuffer(const ShapeIndex& index) {
    return buffers_.mutable_element(index);
  }
  void SetBuffer(const ShapeIndex& index, MaybeOwningDeviceMemory buffer) {
    *buffers_.mutable_element(index) = std::move(buffer);
  }
  // Sets memory that the caller owns: the run does not free it.
  void SetUnownedBuffer(const ShapeIndex& index,
                        MaybeOwningDeviceMemory buffer) {
    SetBuffer(index, std::move(buffer));
    SetUnownedIndex(index);
  }
  void SetUnownedIndex(const ShapeIndex& index) {
    unowned_indices_.insert(index);
  }
  void ClearUnownedIndex(const ShapeIndex& index) {
    unowned_indices_.erase(index);
  }
  const std::set<ShapeIndex>& unowned_indices() const {
    return unowned_indices_;
  }

  // A view of the memory.
  ShapedBuffer ToShapedBuffer(se::DeviceMemoryAllocator* allocator,
                              int device_ordinal) const {
    ShapedBuffer borrowed(shape(), device_ordinal);
    for (const auto& [index, buffer] : buffers_) {
      borrowed.set_buffer(buffer.AsDeviceMemoryBase(), index);
    }
    return borrowed;
  }

 private:
  ShapeTree<MaybeOwningDeviceMemory> buffers_;
  std::set<ShapeIndex> unowned_indices_;
};

class ExecutionOutput {
 public:
  explicit ExecutionOutput(ScopedShapedBuffer result)
      : result_(std::move(result)) {}
  ExecutionOutput(ScopedShapedBuffer result,
                  std::vector<se::OwningDeviceMemory> to_be_released)
      : result_(std::move(result)),
        to_be_released_(std::move(to_be_released)) {}
  ExecutionOutput(Shape on_device_shape, se::DeviceMemoryAllocator* allocator,
                  int device_ordinal, int physical_device_ordinal = -1)
      : result_(std::move(on_device_shape), allocator, device_ordinal,
                physical_device_ordinal) {}
  ExecutionOutput(ExecutionOutput&&) = default;
  ExecutionOutput& operator=(ExecutionOutput&&) = default;

  const ScopedShapedBuffer& Result() const { return result_; }
  ScopedShapedBuffer* MutableResult() { return &result_; }
  ScopedShapedBuffer ConsumeResult() { return std::move(result_); }
  // Records a part of the result that is in the memory of an argument.
  void AddAliasedIndex(ShapeIndex index) {
    aliased_indices_.push_back(std::move(index));
  }
  const std::vector<ShapeIndex>& ConsumeAliasedIndices() {
    return aliased_indices_;
  }
  // Adds donated memory that the run did not need; it is freed with the output.
  void AddToBeReleased(se::OwningDeviceMemory memory) {
    to_be_released_.push_back(std::move(memory));
  }
  std::vector<se::OwningDeviceMemory> ConsumeToBeReleased() {
    return std::move(to_be_released_);
  }
  ExecutionOutput& Commit() { return *this; }

 private:
  ScopedShapedBuffer result_;
  std::vector<se::OwningDeviceMemory> to_be_released_;
  std::vector<ShapeIndex> aliased_indices_;
};

}  // namespace xla

#endif  // XLA_CLIENT_BUFFERS_EXECUTION_INPUT_H_
