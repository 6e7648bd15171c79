// Strided copies.
#include "xla/pjrt/host_copy.h"

#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/strided_copy.h"

namespace xla {
namespace {

// Copies byte by byte: the bytes of an element become one more dimension.
void CopyBytes(const void* src, absl::Span<const int64_t> byte_strides,
               const Shape& shape, int width, char* dst) {
  DimensionVector sizes(shape.dimensions().begin(), shape.dimensions().end());
  DimensionVector src_strides(byte_strides.begin(), byte_strides.end());
  DimensionVector dst_strides = DenseStrides(shape);
  for (int64_t& stride : dst_strides) stride *= width;
  sizes.push_back(width);
  src_strides.push_back(1);
  dst_strides.push_back(1);
  StridedCopy(/*width=*/1, sizes, src, src_strides, dst, dst_strides);
}

}  // namespace

bool IsDense(const Shape& shape,
             std::optional<absl::Span<const int64_t>> byte_strides) {
  if (HasOwnBuffer(shape)) return false;
  if (!byte_strides.has_value()) return IsDenseRowMajor(shape);
  int64_t stride = LiteralElementBytes(shape.element_type());
  for (const int64_t dimension : shape.layout().minor_to_major()) {
    // The stride of a dimension of size 1 does not matter.
    if (shape.dimensions(dimension) != 1 &&
        (*byte_strides)[dimension] != stride) {
      return false;
    }
    stride *= shape.dimensions(dimension);
  }
  return true;
}

absl::Status CopyFromHost(const void* src,
                          std::optional<absl::Span<const int64_t>> byte_strides,
                          const Shape& shape, char* dst) {
  const int64_t bytes = ElementsBytes(shape);
  if (bytes == 0) return absl::OkStatus();
  if (HasOwnBuffer(shape)) {
    const Shape dense = LayoutUtil::GetWithDefaultLayout(shape);
    if (IsDense(dense, byte_strides)) {
      return CopyElements(static_cast<const char*>(src), dense, dst, shape);
    }
    std::vector<char> elements(ElementsBytes(dense));
    TF_RETURN_IF_ERROR(CopyFromHost(src, byte_strides, dense, elements.data()));
    return CopyElements(elements.data(), dense, dst, shape);
  }
  if (IsDense(shape, byte_strides)) {
    std::memcpy(dst, src, bytes);
    return absl::OkStatus();
  }
  const int width = LiteralElementBytes(shape.element_type());
  DimensionVector strides;
  if (byte_strides.has_value()) {
    for (const int64_t stride : *byte_strides) {
      if (stride % width != 0) {
        CopyBytes(src, *byte_strides, shape, width, dst);
        return absl::OkStatus();
      }
      strides.push_back(stride / width);
    }
  } else {
    strides = DenseStrides(LayoutUtil::GetWithDefaultLayout(shape));
  }
  StridedCopy(width, shape.dimensions(), src, strides, dst,
              DenseStrides(shape));
  return absl::OkStatus();
}

absl::Status CopyToHost(const char* src, const Shape& shape,
                        const Layout& layout, void* dst) {
  Shape host_shape = shape;
  *host_shape.mutable_layout() = layout;
  return CopyElements(src, shape, static_cast<char*>(dst),
                      HostShape(host_shape));
}

absl::Status CopyFromLiteral(const LiteralSlice& literal, const Shape& shape,
                             char* dst) {
  if (shape.IsToken() && literal.shape().IsToken()) return absl::OkStatus();
  if (!literal.shape().IsArray() ||
      !Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(literal.shape(),
                                                              shape)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a literal of ", literal.shape().ToString(),
                     " for a buffer of ", shape.ToString()));
  }
  TF_RETURN_IF_ERROR(
      CopyElements(static_cast<const char*>(literal.untyped_data()),
                   HostShape(literal.shape()), dst, shape));
  DimensionVector sizes;
  for (int i = 0; i < shape.rank(); ++i) {
    sizes.push_back(literal.GetDynamicSize(i));
    if (sizes[i] == shape.dimensions(i) || shape.is_dynamic_dimension(i)) {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("dimension ", i, " of the literal has size ", sizes[i],
                     ", but the buffer is ", shape.ToString()));
  }
  if (shape.has_dynamic_dimensions()) WriteDynamicSizes(sizes, shape, dst);
  return absl::OkStatus();
}

absl::Status CopyToLiteral(const char* src, const Shape& shape,
                           MutableLiteralBase& literal) {
  if (shape.IsToken() && literal.shape().IsToken()) return absl::OkStatus();
  const Shape& to = literal.shape();
  if (!to.IsArray() || to.element_type() != shape.element_type() ||
      to.rank() != shape.rank()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a buffer of ", shape.ToString(), " for a literal of ", to.ToString()));
  }
  if (!shape.has_dynamic_dimensions() &&
      to.dimensions() == shape.dimensions()) {
    return CopyToHost(src, shape, to.layout(), literal.untyped_data());
  }
  // The literal may have the dynamic sizes as its bounds.
  DimensionVector sizes(shape.dimensions().begin(), shape.dimensions().end());
  if (shape.has_dynamic_dimensions()) {
    TF_ASSIGN_OR_RETURN(sizes, ReadDynamicSizes(src, shape));
  }
  for (int i = 0; i < to.rank(); ++i) {
    const bool fits = to.is_dynamic_dimension(i) ? sizes[i] <= to.dimensions(i)
                                                 : sizes[i] == to.dimensions(i);
    if (fits) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("dimension ", i, " of the buffer has size ", sizes[i],
                     ", but the literal is ", to.ToString()));
  }
  for (int i = 0; i < to.rank(); ++i) {
    if (to.is_dynamic_dimension(i)) literal.SetDynamicSize(i, sizes[i]);
  }
  Shape dense = shape;
  std::vector<char> elements;
  if (HasOwnBuffer(shape)) {
    LayoutUtil::SetToDefaultLayout(&dense);
    elements.resize(ElementsBytes(dense));
    TF_RETURN_IF_ERROR(CopyElements(src, shape, elements.data(), dense));
    src = elements.data();
  }
  StridedCopy(LiteralElementBytes(shape.element_type()), sizes, src,
              DenseStrides(dense), literal.untyped_data(), DenseStrides(to));
  return absl::OkStatus();
}

}  // namespace xla
