// Converts element types, layouts and shapes between the C API and XLA.
#ifndef XLA_PJRT_C_CONVERT_ARRAY_TYPES_H_
#define XLA_PJRT_C_CONVERT_ARRAY_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/core/shape.h"
#include "xla/pjrt/c/pjrt_c_api.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::pjrt {

// INVALID for types that the API lacks.
PJRT_Buffer_Type BufferTypeOf(PrimitiveType type);
// Errors: InvalidArgument for a number that is not a type.
absl::StatusOr<PrimitiveType> PrimitiveTypeOf(PJRT_Buffer_Type type);

// nullopt for null. Strides must be those of a dense array. Errors:
// InvalidArgument if this is not a layout of an array of that type and rank.
absl::StatusOr<std::optional<Layout>> ReadLayout(
    const PJRT_Buffer_MemoryLayout* layout, PrimitiveType type,
    absl::Span<const int64_t> dims);
// The shape of an array with that layout, or the default one. Errors: those of
// ReadLayout; InvalidArgument for dimensions that no array can have.
absl::StatusOr<Shape> ReadShape(PJRT_Buffer_Type type, const int64_t* dims,
                                size_t num_dims,
                                const PJRT_Buffer_MemoryLayout* layout);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_CONVERT_ARRAY_TYPES_H_
