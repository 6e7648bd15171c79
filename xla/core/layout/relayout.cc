// Moves the elements of an array between layouts, one at a time.
#include "xla/core/layout/relayout.h"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/index_util.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// The positions and widths of the elements of a buffer.
struct Buffer {
  // The distance of neighbours in elements in each dimension, without tiles.
  std::optional<DimensionVector> strides;
  std::optional<Tiling> tiling;
  int64_t bits;  // bits per element
  int64_t bytes;

  int64_t Position(absl::Span<const int64_t> index) const {
    if (!strides.has_value()) return tiling->LinearIndex(index);
    int64_t position = 0;
    for (size_t i = 0; i < index.size(); ++i) {
      position += index[i] * (*strides)[i];
    }
    return position;
  }
};

absl::StatusOr<Buffer> Describe(const Shape& shape) {
  Buffer buffer;
  TF_RETURN_IF_ERROR(LayoutUtil::ValidateLayoutForShape(shape.layout(), shape));
  TF_ASSIGN_OR_RETURN(buffer.tiling, Tiling::Create(shape));
  const Layout& layout = shape.layout();
  const int64_t width = primitive_util::ByteWidth(shape.element_type());
  buffer.bits = layout.element_size_in_bits();
  if (buffer.bits == 0) buffer.bits = 8 * width;
  const bool packed = buffer.bits == 1 || buffer.bits == 2 || buffer.bits == 4;
  const bool fits =
      packed ? primitive_util::BitWidth(shape.element_type()) <= buffer.bits
             : buffer.bits % 8 == 0 && buffer.bits / 8 >= width;
  if (!fits) {
    return Unimplemented("relayout of %s: elements of %d bits",
                         ShapeUtil::HumanStringWithLayout(shape), buffer.bits);
  }
  TF_ASSIGN_OR_RETURN(buffer.bytes, PaddedByteSize(shape));
  if (layout.tiles().empty()) {
    DimensionVector strides(shape.rank());
    int64_t stride = 1;
    for (int64_t dim : layout.minor_to_major()) {
      strides[dim] = stride;
      stride *= layout.padded_dimensions().empty()
                    ? shape.dimensions(dim)
                    : layout.padded_dimensions()[dim];
    }
    buffer.strides = std::move(strides);
  }
  return buffer;
}

// Copies between `value`, the natural bytes of an element, and its place.
void Load(const uint8_t* data, int64_t bits, int64_t position, uint8_t* value,
          int64_t width) {
  if (bits >= 8) {
    std::memcpy(value, data + position * (bits / 8), width);
    return;
  }
  const int64_t bit = position * bits;
  *value = (data[bit / 8] >> (bit % 8)) & ((1 << bits) - 1);
}

void Store(const uint8_t* value, int64_t width, int64_t bits, int64_t position,
           uint8_t* data) {
  if (bits >= 8) {
    uint8_t* slot = data + position * (bits / 8);
    std::memcpy(slot, value, width);
    std::memset(slot + width, 0, bits / 8 - width);
    return;
  }
  const int64_t bit = position * bits;
  const int mask = ((1 << bits) - 1) << (bit % 8);
  uint8_t& byte = data[bit / 8];
  byte = (byte & ~mask) | ((*value << (bit % 8)) & mask);
}

template <typename T>
T PadValue(PaddingValue which) {
  if constexpr (is_complex_v<T>) {
    using Part = typename T::value_type;
    return which == ONE_PAD ? T(Part(1)) : T(PadValue<Part>(which));
  } else {
    using Limits = std::numeric_limits<T>;
    switch (which) {
      case ONE_PAD:
        return static_cast<T>(1);
      case LOWEST_PAD:
        if constexpr (Limits::has_infinity) return -Limits::infinity();
        return Limits::lowest();
      case HIGHEST_PAD:
        if constexpr (Limits::has_infinity) return Limits::infinity();
        return Limits::max();
      default:
        // F8E8M0FNU has no zero; its lowest value is the nearest.
        if constexpr (std::is_same_v<T, float8_e8m0fnu>) {
          return Limits::lowest();
        }
        return T{};
    }
  }
}

std::vector<uint8_t> PadBytes(PrimitiveType type, PaddingValue which) {
  return primitive_util::ArrayTypeSwitch<std::vector<uint8_t>>(
      [which](auto constant) {
        using T = primitive_util::NativeTypeOf<constant>;
        const T value = PadValue<T>(which);
        std::vector<uint8_t> bytes(sizeof(T));
        std::memcpy(bytes.data(), &value, sizeof(T));
        return bytes;
      },
      type);
}

}  // namespace

absl::Status Relayout(const Shape& from, absl::Span<const uint8_t> src,
                      const Shape& to, absl::Span<uint8_t> dst,
                      absl::Span<const uint8_t> padding_value) {
  if (!from.IsArray() || !to.IsArray() || !from.has_layout() ||
      !to.has_layout() || !ShapeUtil::SameElementType(from, to) ||
      !ShapeUtil::SameDimensions(from, to)) {
    return InvalidArgument("relayout from %s to %s: not the same array",
                           ShapeUtil::HumanStringWithLayout(from),
                           ShapeUtil::HumanStringWithLayout(to));
  }
  TF_ASSIGN_OR_RETURN(const Buffer in, Describe(from));
  TF_ASSIGN_OR_RETURN(const Buffer out, Describe(to));
  const int64_t width = primitive_util::ByteWidth(from.element_type());
  if (static_cast<int64_t>(src.size()) < in.bytes ||
      static_cast<int64_t>(dst.size()) < out.bytes ||
      static_cast<int64_t>(padding_value.size()) != width) {
    return InvalidArgument(
        "relayout from %s to %s: buffers have %d and %d bytes, need %d and %d",
        ShapeUtil::HumanStringWithLayout(from),
        ShapeUtil::HumanStringWithLayout(to), src.size(), dst.size(), in.bytes,
        out.bytes);
  }
  if (from.layout() == to.layout() && !HasTilesOrPadding(from)) {
    std::copy_n(src.data(), in.bytes, dst.data());
    return absl::OkStatus();
  }
  const int64_t slots = out.tiling->padded_element_count();
  if (slots != ShapeUtil::ElementsIn(to)) {
    for (int64_t i = 0; i < slots; ++i) {
      Store(padding_value.data(), width, out.bits, i, dst.data());
    }
  }
  if (slots * out.bits % 8 != 0) dst[out.bytes - 1] = 0;
  uint8_t value[16];
  ShapeUtil::ForEachIndexNoStatus(to, [&](absl::Span<const int64_t> index) {
    Load(src.data(), in.bits, in.Position(index), value, width);
    Store(value, width, out.bits, out.Position(index), dst.data());
    return true;
  });
  return absl::OkStatus();
}

absl::Status Relayout(const Shape& from, absl::Span<const uint8_t> src,
                      const Shape& to, absl::Span<uint8_t> dst) {
  if (!to.IsArray()) {
    return InvalidArgument("relayout to %s, which is no array",
                           ShapeUtil::HumanString(to));
  }
  const PaddingValue which =
      to.has_layout() ? to.layout().padding_value() : INVALID_PAD;
  return Relayout(from, src, to, dst, PadBytes(to.element_type(), which));
}

absl::Status Relayout(const Shape& from, const void* src, const Shape& to,
                      void* dst) {
  TF_ASSIGN_OR_RETURN(const int64_t in, PaddedByteSize(from));
  TF_ASSIGN_OR_RETURN(const int64_t out, PaddedByteSize(to));
  return Relayout(from,
                  absl::MakeConstSpan(static_cast<const uint8_t*>(src), in), to,
                  absl::MakeSpan(static_cast<uint8_t*>(dst), out));
}

}  // namespace xla
