// Copies values between literals and the device memory of shaped buffers, and
// lists that memory for a run.
#ifndef XLA_CLIENT_BUFFERS_BUFFER_TRANSFER_H_
#define XLA_CLIENT_BUFFERS_BUFFER_TRANSFER_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/backends/compiler.h"
#include "xla/client/buffers/device_memory.h"
#include "xla/client/buffers/shaped_buffer.h"
#include "xla/core/literal/literal.h"

namespace xla {

// In the layout of the literal. Errors: those of the allocator.
absl::StatusOr<ScopedShapedBuffer> CopyToDevice(
    const LiteralSlice& literal, se::DeviceMemoryAllocator* allocator,
    int device_ordinal);

// Errors: InvalidArgument for an array without memory, or with too little, and
// for a dynamic size that is not within its bound; those of Literal::Make.
absl::StatusOr<Literal> CopyToHost(const ShapedBuffer& buffer);

// New memory for a value of `shape`. Errors: those of the allocator.
absl::StatusOr<ScopedShapedBuffer> AllocateBuffer(
    const Shape& shape, se::DeviceMemoryAllocator* allocator,
    int device_ordinal);

// Adds the leaves of `buffer`, whose shape has to live as long as they do, as
// what a program reads. Errors: InvalidArgument for an array without memory, or
// with too little.
absl::Status AddInputs(const ShapedBuffer& buffer,
                       std::vector<Executable::Input>& inputs);
// As what a program writes; its memory is there.
void AddOutputs(const ShapedBuffer& buffer,
                std::vector<Executable::Output>& outputs);

}  // namespace xla

#endif  // XLA_CLIENT_BUFFERS_BUFFER_TRANSFER_H_
