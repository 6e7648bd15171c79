// Copies buffers to the host's memory.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/status_macros.h"
#include "xla/capi/arguments.h"
#include "xla/capi/handles.h"
#include "xla/capi/strides.h"
#include "xla/capi/structs.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/pjrt/host_copy.h"

namespace xla::capi {
namespace {

// The layout of a dense array with these strides; nullopt if there are gaps.
std::optional<Layout> DenseLayout(const Shape& shape,
                                  const DimensionVector& strides) {
  DimensionVector order(strides.size());
  std::iota(order.rbegin(), order.rend(), 0);
  absl::c_stable_sort(
      order, [&](int64_t a, int64_t b) { return strides[a] < strides[b]; });
  Shape host = ShapeUtil::MakeShapeWithDenseLayout(shape.element_type(),
                                                   shape.dimensions(), order);
  if (!IsDense(host, strides)) return std::nullopt;
  return Layout(order);
}

// Copies the elements, of `sizes`, to memory with these strides, which fit.
Future<> CopyWithStrides(PjRtBuffer& buffer, void* data,
                         const std::vector<int64_t>& sizes,
                         const DimensionVector& strides) {
  return buffer.ToLiteral().Map(
      [data, sizes,
       strides](const std::shared_ptr<Literal>& literal) -> absl::Status {
        if (absl::c_linear_search(sizes, 0)) return absl::OkStatus();
        const int width = LiteralElementBytes(literal->shape().element_type());
        DimensionVector from = DimensionVector(sizes.size());
        int64_t stride = width;
        for (const int64_t i : literal->shape().layout().minor_to_major()) {
          from[i] = stride;
          stride *= literal->shape().dimensions(i);
        }
        CopyStrided(width, sizes, literal->untyped_data(), from, data, strides);
        return absl::OkStatus();
      });
}

absl::StatusOr<Future<>> StartCopy(PjRtBuffer& buffer, void* data, size_t size,
                                   const int64_t* byte_strides) {
  if (buffer.IsToken()) return buffer.GetReadyFuture();
  const Shape& shape = buffer.on_device_shape();
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                      buffer.logical_dimensions());
  const int width = LiteralElementBytes(shape.element_type());
  DimensionVector strides = RowMajorStrides(sizes, width);
  if (byte_strides != nullptr) {
    strides.assign(byte_strides, byte_strides + sizes.size());
  }
  TF_RETURN_IF_ERROR(CheckDestination(width, sizes, strides, size));
  if (!absl::c_linear_search(sizes, 0)) {
    TF_RETURN_IF_ERROR(CheckPointer(static_cast<const char*>(data), "data"));
  }
  const std::optional<Layout> layout = DenseLayout(shape, strides);
  if (!layout.has_value() || shape.has_dynamic_dimensions()) {
    return CopyWithStrides(buffer, data, sizes, strides);
  }
  constexpr size_t kLargest = std::numeric_limits<int64_t>::max();
  return buffer.ToHostMemory(
      data, static_cast<int64_t>(std::min(size, kLargest)), &*layout);
}

}  // namespace

extern "C" {

tessera_status* tessera_buffer_to_host(tessera_buffer* buffer, void* data,
                                       size_t size,
                                       const tessera_to_host_options* options,
                                       tessera_event** done) {
  if (done != nullptr) *done = nullptr;
  return Call("tessera_buffer_to_host", [&]() -> absl::Status {
    TF_RETURN_IF_ERROR(CheckHandle(buffer, "buffer"));
    TF_ASSIGN_OR_RETURN(const tessera_to_host_options read,
                        ReadStruct(options, "options"));
    // Allocated first: once the copy has started, its event is promised.
    auto handle = std::make_unique<tessera_event>(Event());
    TF_ASSIGN_OR_RETURN(
        const Future<> copied,
        StartCopy(*buffer->buffer, data, size, read.byte_strides));
    if (done == nullptr || copied.event().IsFailed()) return copied.Await();
    handle->event = copied.event();
    *done = handle.release();
    return absl::OkStatus();
  });
}

}  // extern "C"
}  // namespace xla::capi
