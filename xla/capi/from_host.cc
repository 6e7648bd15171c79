// Makes buffers of arrays in the host's memory.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/capi/arguments.h"
#include "xla/capi/devices.h"
#include "xla/capi/handles.h"
#include "xla/capi/strides.h"
#include "xla/capi/structs.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla::capi {
namespace {

// The members of a tessera_host_array, checked.
struct HostArray {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  absl::Span<const int64_t> dimensions;
  std::optional<absl::Span<const int64_t>> byte_strides;
  std::optional<Layout> layout;
  PjRtClient::HostBufferSemantics semantics =
      PjRtClient::HostBufferSemantics::kImmutableOnlyDuringCall;
};

absl::StatusOr<PjRtClient::HostBufferSemantics> Semantics(
    tessera_host_memory memory) {
  switch (memory) {
    case TESSERA_HOST_MEMORY_COPY:
      return PjRtClient::HostBufferSemantics::kImmutableOnlyDuringCall;
    case TESSERA_HOST_MEMORY_BORROW:
      return PjRtClient::HostBufferSemantics::kImmutableZeroCopy;
    case TESSERA_HOST_MEMORY_BORROW_MUTABLE:
      return PjRtClient::HostBufferSemantics::kMutableZeroCopy;
    default:
      return ArgumentError(
          absl::StrCat("array.memory ", memory, " is not known"));
  }
}

absl::StatusOr<HostArray> ReadArray(const tessera_host_array& from) {
  HostArray array;
  if (!PrimitiveType_IsValid(from.type)) {
    return ArgumentError(
        absl::StrCat("array.type ", from.type, " is not known"));
  }
  array.type = static_cast<PrimitiveType>(from.type);
  // No array that a program has comes near this rank.
  constexpr int32_t kMaxRank = 1024;
  if (from.rank < 0 || from.rank > kMaxRank) {
    return ArgumentError(absl::StrCat("array.rank is ", from.rank));
  }
  TF_ASSIGN_OR_RETURN(
      array.dimensions,
      ArrayArgument(from.dimensions, from.rank, "array.dimensions"));
  if (from.byte_strides != nullptr) {
    array.byte_strides = absl::MakeConstSpan(from.byte_strides, from.rank);
  }
  if (from.minor_to_major != nullptr) {
    array.layout = Layout(absl::MakeConstSpan(from.minor_to_major, from.rank));
  }
  TF_ASSIGN_OR_RETURN(array.semantics, Semantics(from.memory));
  return array;
}

// The shape with these bounds of an array with these dimensions.
absl::StatusOr<Shape> BoundedShape(const HostArray& array,
                                   absl::Span<const int64_t> bounds) {
  if (!primitive_util::IsArrayType(array.type)) {
    return ArgumentError("array.bounds: only arrays have dynamic dimensions");
  }
  DimensionVector sizes(array.dimensions.begin(), array.dimensions.end());
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (bounds[i] == 0) continue;
    if (sizes[i] < 0 || sizes[i] > bounds[i]) {
      return ArgumentError(absl::StrCat("array.dimensions: size ", sizes[i],
                                        " of dimension ", i,
                                        " is beyond its bound ", bounds[i]));
    }
    sizes[i] = bounds[i];
  }
  TF_ASSIGN_OR_RETURN(Shape shape,
                      ShapeUtil::MakeValidatedShape(array.type, sizes));
  for (size_t i = 0; i < sizes.size(); ++i) {
    shape.set_dynamic_dimension(i, bounds[i] != 0);
  }
  LayoutUtil::SetToDefaultLayout(&shape);
  return shape;
}

// Copies an array with dynamic dimensions.
absl::StatusOr<std::unique_ptr<PjRtBuffer>> MakeDynamic(
    const HostArray& array, const void* data, absl::Span<const int64_t> bounds,
    PjRtMemorySpace* space) {
  TF_ASSIGN_OR_RETURN(const Shape shape, BoundedShape(array, bounds));
  if (array.layout.has_value()) {
    TF_RETURN_IF_ERROR(
        LayoutUtil::ValidateLayoutForShape(*array.layout, shape));
  }
  TF_ASSIGN_OR_RETURN(Literal literal, Literal::Make(shape));
  bool empty = false;
  for (size_t i = 0; i < bounds.size(); ++i) {
    empty |= array.dimensions[i] == 0;
    if (bounds[i] == 0) continue;
    literal.SetDynamicSize(static_cast<int64_t>(i),
                           static_cast<int32_t>(array.dimensions[i]));
  }
  if (!empty) {
    TF_RETURN_IF_ERROR(CheckPointer(data, "array.data"));
    const int width = LiteralElementBytes(array.type);
    const DimensionVector dense = RowMajorStrides(array.dimensions, width);
    CopyStrided(width, array.dimensions, data,
                array.byte_strides.value_or(dense), literal.untyped_data(),
                RowMajorStrides(shape.dimensions(), width));
  }
  return space->client()->BufferFromHostLiteral(
      literal, space, array.layout.has_value() ? &*array.layout : nullptr);
}

}  // namespace

extern "C" {

tessera_status* tessera_buffer_from_host(tessera_client* client,
                                         const tessera_host_array* array,
                                         tessera_buffer** out) {
  if (out != nullptr) *out = nullptr;
  return Call("tessera_buffer_from_host", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckPointer(out, "out"));
    TF_RETURN_IF_ERROR(CheckHandle(client, "client"));
    TF_RETURN_IF_ERROR(CheckPointer(array, "array"));
    TF_ASSIGN_OR_RETURN(const tessera_host_array from,
                        ReadStruct(array, "array"));
    TF_ASSIGN_OR_RETURN(const HostArray read, ReadArray(from));
    TF_ASSIGN_OR_RETURN(PjRtDevice * device,
                        DeviceOf(*client->core, from.device));
    TF_ASSIGN_OR_RETURN(PjRtMemorySpace * space,
                        device->default_memory_space());
    // Allocated first: after the buffer exists its release is promised.
    auto handle = std::make_unique<tessera_buffer>(client->core, nullptr);
    if (from.bounds != nullptr) {
      TF_ASSIGN_OR_RETURN(
          handle->buffer,
          MakeDynamic(read, from.data,
                      absl::MakeConstSpan(from.bounds, from.rank), space));
      if (from.release != nullptr) from.release(from.release_data);
    } else {
      absl::AnyInvocable<void() &&> on_done;
      if (from.release != nullptr) {
        on_done = [release = from.release, data = from.release_data] {
          release(data);
        };
      }
      TF_ASSIGN_OR_RETURN(
          handle->buffer,
          client->core->client->BufferFromHostBuffer(
              from.data, read.type, read.dimensions, read.byte_strides,
              read.semantics, std::move(on_done), space,
              read.layout.has_value() ? &*read.layout : nullptr));
    }
    *out = handle.release();
    return absl::OkStatus();
  });
}

}  // extern "C"
}  // namespace xla::capi
