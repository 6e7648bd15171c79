// Copies values between literals and the device memory of shaped buffers.
#ifndef XLA_CLIENT_BUFFERS_BUFFER_TRANSFER_H_
#define XLA_CLIENT_BUFFERS_BUFFER_TRANSFER_H_

#include "absl/status/statusor.h"
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

}  // namespace xla

#endif  // XLA_CLIENT_BUFFERS_BUFFER_TRANSFER_H_
