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

// The buffer has the layout of the literal. Errors: those of the allocator.
absl::StatusOr<ScopedShapedBuffer> CopyToDevice(
    const LiteralSlice& literal, se::DeviceMemoryAllocator* allocator,
    int device_ordinal);

// Errors: InvalidArgument for an array whose memory is missing or too small,
// and for a dynamic size out of bounds; those of Literal::Make.
absl::StatusOr<Literal> CopyToHost(const ShapedBuffer& buffer);

// Allocates memory for a value of `shape`. Errors: those of the allocator.
absl::StatusOr<ScopedShapedBuffer> AllocateBuffer(
    const Shape& shape, se::DeviceMemoryAllocator* allocator,
    int device_ordinal);

// Appends the leaves of `buffer` as inputs of a program; the buffer's shape
// must outlive them. Errors: InvalidArgument for an array whose memory is
// missing or too small.
absl::Status AddInputs(const ShapedBuffer& buffer,
                       std::vector<Executable::Input>& inputs);
// Appends the leaves of `buffer`, which has its memory, as outputs of a
// program.
void AddOutputs(const ShapedBuffer& buffer,
                std::vector<Executable::Output>& outputs);

}  // namespace xla

#endif  // XLA_CLIENT_BUFFERS_BUFFER_TRANSFER_H_
