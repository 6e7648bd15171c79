// Element layout in bytes, and the dynamic sizes behind the elements.
#include "xla/backends/array_memory.h"

#include <cstring>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/relayout.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla {

namespace {

// `shape` with only what places its elements.
Shape PlacesOnly(const Shape& shape) {
  Shape places = MemoryShape(shape);
  if (!IsBitPacked(shape)) {
    places.mutable_layout()->set_element_size_in_bits(0);
  }
  return places;
}

// Packs `count` elements of kBits, at most those of a byte.
template <int kBits>
uint8_t PackByte(const uint8_t* elements, int64_t count) {
  constexpr uint8_t kMask = (1 << kBits) - 1;
  uint8_t byte = 0;
  for (int k = 0; k < count; ++k) byte |= (elements[k] & kMask) << (k * kBits);
  return byte;
}
template <int kBits>
void UnpackByte(uint8_t byte, int64_t count, uint8_t* elements) {
  constexpr uint8_t kMask = (1 << kBits) - 1;
  for (int k = 0; k < count; ++k) elements[k] = (byte >> (k * kBits)) & kMask;
}

// Calls convert(byte, element, count) for the `count` elements of kBits that
// lie one after the other, a byte at a time.
template <int kBits, typename Convert>
void ForEachByte(int64_t count, Convert convert) {
  constexpr int64_t kInByte = 8 / kBits;
  const int64_t whole = count / kInByte;
  for (int64_t i = 0; i < whole; ++i) convert(i, i * kInByte, kInByte);
  const int64_t rest = count % kInByte;
  if (rest > 0) convert(whole, whole * kInByte, rest);
}
template <int kBits>
void PackElements(const uint8_t* elements, int64_t count, uint8_t* bytes) {
  ForEachByte<kBits>(count, [&](int64_t byte, int64_t at, int64_t n) {
    bytes[byte] = PackByte<kBits>(elements + at, n);
  });
}
template <int kBits>
void UnpackElements(const uint8_t* bytes, int64_t count, uint8_t* elements) {
  ForEachByte<kBits>(count, [&](int64_t byte, int64_t at, int64_t n) {
    UnpackByte<kBits>(bytes[byte], n, elements + at);
  });
}

// Copies between two orders of which one or both are packed, without tiles.
void CopyPacked(const char* src, const Shape& from, char* dst,
                const Shape& to) {
  const int64_t count = ShapeUtil::ElementsIn(to);
  const auto by_bits = [&](auto copy) {
    switch (primitive_util::BitWidth(to.element_type())) {
      case 1:
        return copy(std::integral_constant<int, 1>());
      case 2:
        return copy(std::integral_constant<int, 2>());
      default:
        return copy(std::integral_constant<int, 4>());
    }
  };
  std::vector<uint8_t> unpacked, ordered;
  const auto* elements = reinterpret_cast<const uint8_t*>(src);
  const bool same_order =
      from.layout().minor_to_major() == to.layout().minor_to_major();
  if (IsBitPacked(from)) {
    auto* whole = reinterpret_cast<uint8_t*>(dst);
    if (!same_order || IsBitPacked(to)) {
      unpacked.resize(count);
      whole = unpacked.data();
    }
    by_bits([&](auto bits) { UnpackElements<bits>(elements, count, whole); });
    elements = whole;
  }
  if (!same_order) {
    auto* whole = reinterpret_cast<uint8_t*>(dst);
    if (IsBitPacked(to)) {
      ordered.resize(count);
      whole = ordered.data();
    }
    StridedCopy(/*width=*/1, from.dimensions(), elements, DenseStrides(from),
                whole, DenseStrides(to));
    elements = whole;
  }
  if (IsBitPacked(to)) {
    by_bits([&](auto bits) {
      PackElements<bits>(elements, count, reinterpret_cast<uint8_t*>(dst));
    });
  }
}

}  // namespace

Shape HostShape(const Shape& shape) {
  Shape whole_bytes = shape;
  if (whole_bytes.IsArray() && whole_bytes.has_layout()) {
    whole_bytes.mutable_layout()->set_element_size_in_bits(0);
  }
  return whole_bytes;
}

void PackBits(Shape* shape) {
  ShapeUtil::ForEachMutableLeafShape(shape, [](Shape* leaf, const ShapeIndex&) {
    if (!leaf->IsArray() || !leaf->is_static() ||
        leaf->element_type() == PRED ||
        leaf->layout().element_size_in_bits() != 0) {
      return;
    }
    const int bits = primitive_util::BitWidth(leaf->element_type());
    if (bits < 8) leaf->mutable_layout()->set_element_size_in_bits(bits);
  });
}

Shape MemoryShape(const Shape& shape) {
  Shape result = DenseLiteralShape(shape);
  ShapeUtil::ForEachMutableLeafShape(
      &result, [&](Shape* leaf, const ShapeIndex& index) {
        const Shape& original = ShapeUtil::GetSubshape(shape, index);
        if (!HasTilesOrPadding(original)) return;
        const Layout& from = original.layout();
        Layout& layout = *leaf->mutable_layout();
        layout = Layout(from.minor_to_major(), from.tiles(),
                        from.tail_padding_alignment_in_elements());
        layout.set_element_size_in_bits(from.element_size_in_bits());
        layout.set_memory_space(from.memory_space());
        if (!from.padded_dimensions().empty()) {
          layout.set_padded_dimensions(from.padded_dimensions());
        }
        if (from.padding_value() != INVALID_PAD) {
          layout.set_padding_value(from.padding_value());
        }
      });
  PackBits(&result);
  return result;
}

int64_t ElementsBytes(const Shape& shape) {
  if (!shape.IsArray()) return 0;
  if (HasOwnBuffer(shape)) {
    return PaddedByteSize(PlacesOnly(shape)).value_or(0);
  }
  return ShapeUtil::ElementsIn(shape) *
         LiteralElementBytes(shape.element_type());
}

absl::StatusOr<int64_t> DeviceBufferBytes(const Shape& shape) {
  if (shape.IsTuple()) {
    return absl::InvalidArgumentError(
        absl::StrCat("buffers hold arrays and tokens, not ", shape.ToString()));
  }
  TF_ASSIGN_OR_RETURN(int64_t bytes, LiteralBytes(shape));
  if (HasOwnBuffer(shape)) {
    TF_ASSIGN_OR_RETURN(bytes, PaddedByteSize(PlacesOnly(shape)));
    // The array is limited to the size of the largest literal.
    TF_ASSIGN_OR_RETURN(const Shape vector,
                        ShapeUtil::MakeValidatedShape(U8, {bytes}));
    TF_RETURN_IF_ERROR(LiteralBytes(vector).status());
  }
  if (!shape.IsArray() || !shape.has_dynamic_dimensions()) return bytes;
  return bytes + shape.rank() * static_cast<int64_t>(sizeof(int32_t));
}

absl::StatusOr<DimensionVector> ReadDynamicSizes(const char* memory,
                                                 const Shape& shape) {
  const char* from = memory + ElementsBytes(shape);
  DimensionVector sizes;
  for (int i = 0; i < shape.rank(); ++i) {
    int32_t size;
    std::memcpy(&size, from + i * sizeof(size), sizeof(size));
    if (!shape.is_dynamic_dimension(i)) {
      sizes.push_back(shape.dimensions(i));
      continue;
    }
    if (size < 0 || size > shape.dimensions(i)) {
      return absl::InvalidArgumentError(
          absl::StrCat("an array of ", shape.ToString(),
                       " says that dimension ", i, " has size ", size));
    }
    sizes.push_back(size);
  }
  return sizes;
}

void WriteDynamicSizes(absl::Span<const int64_t> sizes, const Shape& shape,
                       char* memory) {
  char* to = memory + ElementsBytes(shape);
  for (int i = 0; i < shape.rank(); ++i) {
    const int32_t size = static_cast<int32_t>(sizes[i]);
    std::memcpy(to + i * sizeof(size), &size, sizeof(size));
  }
}

absl::Status CopyElements(const char* src, const Shape& from, char* dst,
                          const Shape& to) {
  if (!from.IsArray() || ElementsBytes(to) == 0) return absl::OkStatus();
  if (HasTilesOrPadding(from) || HasTilesOrPadding(to)) {
    return Relayout(PlacesOnly(from), src, PlacesOnly(to), dst);
  }
  const bool same_order =
      from.layout().minor_to_major() == to.layout().minor_to_major();
  if (IsBitPacked(from) != IsBitPacked(to) ||
      (IsBitPacked(from) && !same_order)) {
    CopyPacked(src, from, dst, to);
    return absl::OkStatus();
  }
  if (same_order) {
    std::memcpy(dst, src, ElementsBytes(to));
    return absl::OkStatus();
  }
  StridedCopy(LiteralElementBytes(from.element_type()), from.dimensions(), src,
              DenseStrides(from), dst, DenseStrides(to));
  return absl::OkStatus();
}

absl::Status StoreArray(const LiteralSlice& literal, const ShapeIndex& index,
                        const Shape& shape, char* memory) {
  TF_RETURN_IF_ERROR(
      CopyElements(static_cast<const char*>(literal.untyped_data(index)),
                   HostShape(ShapeUtil::GetSubshape(literal.shape(), index)),
                   memory, shape));
  if (!shape.has_dynamic_dimensions()) return absl::OkStatus();
  DimensionVector sizes;
  for (int i = 0; i < shape.rank(); ++i) {
    sizes.push_back(literal.GetDynamicSize(i, index));
  }
  WriteDynamicSizes(sizes, shape, memory);
  return absl::OkStatus();
}

absl::Status LoadArray(const char* memory, const Shape& shape,
                       const ShapeIndex& index, MutableLiteralBase& literal) {
  TF_RETURN_IF_ERROR(CopyElements(
      memory, shape, static_cast<char*>(literal.untyped_data(index)),
      HostShape(ShapeUtil::GetSubshape(literal.shape(), index))));
  if (!shape.has_dynamic_dimensions()) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(const DimensionVector sizes,
                      ReadDynamicSizes(memory, shape));
  for (int i = 0; i < shape.rank(); ++i) {
    if (shape.is_dynamic_dimension(i)) {
      literal.SetDynamicSize(i, index, static_cast<int32_t>(sizes[i]));
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
