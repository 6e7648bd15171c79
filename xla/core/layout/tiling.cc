// The index formula of the tiled layout document and its inverse.
#include "xla/core/layout/tiling.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/permutation_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// Returns the product if it fits even when every 0 is replaced by 1, so that no
// partial product overflows either.
absl::StatusOr<int64_t> SafeProduct(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  bool zero = false;
  for (int64_t size : sizes) {
    if (size == 0) {
      zero = true;
      continue;
    }
    const std::optional<int64_t> next = CheckedMultiply(product, size);
    if (!next.has_value()) {
      return InvalidArgument("the padded size of a tiled array overflows");
    }
    product = *next;
  }
  return zero ? 0 : product;
}

// `value` rounded up to a multiple of `alignment`.
absl::StatusOr<int64_t> SafeRoundUp(int64_t value, int64_t alignment) {
  const std::optional<int64_t> rounded =
      CheckedMultiply(CeilOfRatio(value, alignment), alignment);
  if (!rounded.has_value()) {
    return InvalidArgument("the padded size of a tiled array overflows");
  }
  return *rounded;
}

}  // namespace

absl::StatusOr<Tiling> Tiling::Create(const Shape& shape) {
  if (!shape.IsArray() || !shape.has_layout()) {
    return InvalidArgument("%s is not an array with a layout",
                           ShapeUtil::HumanStringWithLayout(shape));
  }
  return Create(shape.dimensions(), shape.layout());
}

absl::StatusOr<Tiling> Tiling::Create(absl::Span<const int64_t> dimensions,
                                      const Layout& layout) {
  Tiling result;
  result.dimensions_.assign(dimensions.begin(), dimensions.end());
  result.minor_to_major_.assign(layout.minor_to_major().begin(),
                                layout.minor_to_major().end());
  if (layout.minor_to_major().size() != dimensions.size() ||
      !IsPermutation(layout.minor_to_major())) {
    return InvalidArgument("layout %s is not an order of %d dimensions",
                           layout.ToString(), dimensions.size());
  }
  const absl::Span<const int64_t> widths = layout.padded_dimensions();
  if (!widths.empty() && widths.size() != dimensions.size()) {
    return InvalidArgument("layout %s does not pad %d dimensions",
                           layout.ToString(), dimensions.size());
  }
  for (auto dim = result.minor_to_major_.rbegin();
       dim != result.minor_to_major_.rend(); ++dim) {
    const int64_t size = dimensions[*dim];
    const int64_t width = widths.empty() ? size : widths[*dim];
    if (size < 0 || width < size) {
      return InvalidArgument(
          "dimension %d has size %d and is padded to %d by layout %s", *dim,
          size, width, layout.ToString());
    }
    result.padded_.push_back(width);
  }
  DimensionVector sizes = result.padded_;
  TF_RETURN_IF_ERROR(SafeProduct(sizes).status());
  for (const Tile& tile : layout.tiles()) {
    TF_RETURN_IF_ERROR(result.AddTile(tile, sizes));
  }
  TF_ASSIGN_OR_RETURN(int64_t count, SafeProduct(sizes));
  const int64_t alignment = layout.tail_padding_alignment_in_elements();
  if (alignment > 1) {
    TF_ASSIGN_OR_RETURN(count, SafeRoundUp(count, alignment));
  }
  result.physical_ = std::move(sizes);
  result.padded_element_count_ = count;
  return result;
}

absl::Status Tiling::AddTile(const Tile& tile, DimensionVector& sizes) {
  Step step;
  const int64_t named = tile.num_dimensions();
  const int64_t missing =
      std::max<int64_t>(0, named - static_cast<int64_t>(sizes.size()));
  step.before.assign(missing, 1);
  step.before.insert(step.before.end(), sizes.begin(), sizes.end());
  step.prefix = static_cast<int64_t>(step.before.size()) - named;
  // A '*' leaves its dimension to be multiplied into the next one.
  int64_t pending = 1;
  for (int64_t i = 0; i < static_cast<int64_t>(step.before.size()); ++i) {
    const int64_t tile_size =
        i < step.prefix ? 0 : tile.dimension(i - step.prefix);
    step.target.push_back(step.combined.size());
    if (tile_size == Tile::kCombineDimension) {
      TF_ASSIGN_OR_RETURN(pending, SafeProduct({pending, step.before[i]}));
      continue;
    }
    TF_ASSIGN_OR_RETURN(int64_t size, SafeProduct({pending, step.before[i]}));
    pending = 1;
    step.combined.push_back(size);
    if (i < step.prefix) continue;
    if (tile_size <= 0) {
      return InvalidArgument("tile %s: size %d is not positive",
                             tile.ToString(), tile_size);
    }
    step.tile.push_back(tile_size);
  }
  if (named > 0 && tile.dimension(named - 1) == Tile::kCombineDimension) {
    return InvalidArgument("tile %s: the last dimension cannot be combined",
                           tile.ToString());
  }
  sizes.assign(step.combined.begin(), step.combined.end());
  for (size_t i = 0; i < step.tile.size(); ++i) {
    int64_t& size = sizes[step.prefix + i];
    size = CeilOfRatio(size, step.tile[i]);
  }
  sizes.insert(sizes.end(), step.tile.begin(), step.tile.end());
  TF_RETURN_IF_ERROR(SafeProduct(sizes).status());
  steps_.push_back(std::move(step));
  return absl::OkStatus();
}

DimensionVector Tiling::PhysicalIndex(absl::Span<const int64_t> index) const {
  DimensionVector at;
  for (auto dim = minor_to_major_.rbegin(); dim != minor_to_major_.rend();
       ++dim) {
    at.push_back(index[*dim]);
  }
  for (const Step& step : steps_) {
    const size_t missing = step.before.size() - at.size();
    DimensionVector next(step.combined.size(), 0);
    for (size_t i = missing; i < step.before.size(); ++i) {
      int64_t& entry = next[step.target[i]];
      entry = entry * step.before[i] + at[i - missing];
    }
    for (size_t i = 0; i < step.tile.size(); ++i) {
      const int64_t position = next[step.prefix + i];
      next[step.prefix + i] = position / step.tile[i];
      next.push_back(position % step.tile[i]);
    }
    at = std::move(next);
  }
  return at;
}

int64_t Tiling::LinearIndex(absl::Span<const int64_t> index) const {
  const DimensionVector at = PhysicalIndex(index);
  int64_t linear = 0;
  for (size_t i = 0; i < at.size(); ++i) linear = linear * physical_[i] + at[i];
  return linear;
}

bool Tiling::MultiIndex(int64_t linear, absl::Span<int64_t> index) const {
  DimensionVector at(physical_.size());
  for (int64_t i = static_cast<int64_t>(at.size()) - 1; i >= 0; --i) {
    if (physical_[i] == 0) return false;
    at[i] = linear % physical_[i];
    linear /= physical_[i];
  }
  if (linear != 0) return false;  // tail padding
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const size_t combined = step->combined.size();
    for (size_t i = 0; i < step->tile.size(); ++i) {
      int64_t& entry = at[step->prefix + i];
      entry = entry * step->tile[i] + at[combined + i];
    }
    for (size_t i = 0; i < combined; ++i) {
      if (at[i] >= step->combined[i]) return false;
    }
    DimensionVector before(step->before.size());
    for (int64_t i = static_cast<int64_t>(before.size()) - 1; i >= 0; --i) {
      int64_t& entry = at[step->target[i]];
      before[i] = entry % step->before[i];
      entry /= step->before[i];
    }
    // Leading dimensions that exist only for the tile have size 1.
    const size_t earlier =
        std::next(step) == steps_.rend()
            ? padded_.size()
            : std::next(step)->combined.size() + std::next(step)->tile.size();
    before.erase(before.begin(), before.begin() + (before.size() - earlier));
    at = std::move(before);
  }
  const size_t rank = minor_to_major_.size();
  for (size_t i = 0; i < rank; ++i) {
    const int64_t dim = minor_to_major_[rank - 1 - i];
    if (at[i] >= dimensions_[dim]) return false;
    index[dim] = at[i];
  }
  return true;
}

bool HasTilesOrPadding(const Shape& shape) {
  if (!shape.IsArray() || !shape.has_layout() || shape.layout().is_plain()) {
    return false;
  }
  const Layout& layout = shape.layout();
  return layout.tiles_size() > 0 || !layout.padded_dimensions().empty() ||
         layout.tail_padding_alignment_in_elements() > 1;
}

bool IsBitPacked(const Shape& shape) {
  if (!shape.IsArray() || !shape.has_layout() ||
      shape.layout().element_size_in_bits() == 0 || !shape.is_static() ||
      shape.element_type() == PRED) {
    return false;
  }
  const int own_bits = primitive_util::BitWidth(shape.element_type());
  return own_bits < 8 && shape.layout().element_size_in_bits() == own_bits;
}

bool HasOwnBuffer(const Shape& shape) {
  return HasTilesOrPadding(shape) || IsBitPacked(shape);
}

bool IsDenseRowMajor(const Shape& shape) {
  return !shape.has_layout() ||
         (LayoutUtil::IsMonotonicWithDim0Major(shape.layout()) &&
          !HasOwnBuffer(shape));
}

absl::StatusOr<Shape> BufferVectorShape(const Shape& shape) {
  TF_ASSIGN_OR_RETURN(const Tiling tiling, Tiling::Create(shape));
  if (IsBitPacked(shape)) {
    const int64_t in_byte = 8 / primitive_util::BitWidth(shape.element_type());
    DimensionVector bytes = {
        CeilOfRatio(tiling.padded_element_count(), in_byte)};
    if (!HasTilesOrPadding(shape) && shape.rank() > 0 &&
        shape.dimensions(shape.layout().minor_to_major(0)) % in_byte == 0) {
      bytes.clear();
      for (int i = shape.rank() - 1; i >= 0; --i) {
        bytes.push_back(shape.dimensions(shape.layout().minor_to_major(i)));
      }
      bytes.back() /= in_byte;
    }
    return ShapeUtil::MakeValidatedShape(U8, bytes);
  }
  DimensionVector sizes = {tiling.padded_element_count()};
  if (shape.rank() == 1) sizes.insert(sizes.begin(), 1);
  return ShapeUtil::MakeValidatedShape(shape.element_type(), sizes);
}

bool IsBufferVector(const Shape& array, const Shape& stated) {
  if (!HasOwnBuffer(stated)) return false;
  const absl::StatusOr<Shape> vector = BufferVectorShape(stated);
  return vector.ok() && ShapeUtil::Compatible(*vector, array);
}

absl::Status CheckElementStorage(const Shape& shape) {
  if (shape.IsTuple()) {
    for (const Shape& part : shape.tuple_shapes()) {
      TF_RETURN_IF_ERROR(CheckElementStorage(part));
    }
    return absl::OkStatus();
  }
  if (!shape.IsArray() || !shape.has_layout()) return absl::OkStatus();
  const Layout& layout = shape.layout();
  const int64_t bits = layout.element_size_in_bits();
  const int own_bits = primitive_util::BitWidth(shape.element_type());
  if (bits != 0 && bits != std::max(own_bits, 8) && !IsBitPacked(shape)) {
    return Unimplemented("%s: elements are stored in %s",
                         ShapeUtil::HumanStringWithLayout(shape),
                         own_bits >= 8
                             ? absl::StrCat("their own ", own_bits, " bits")
                             : "a byte, or packed in their own bits "
                               "if sizes are static");
  }
  if (layout.dynamic_shape_metadata_prefix_bytes() != 0) {
    return Unimplemented(
        "%s: sizes of dynamic dimensions stand behind the elements, not before",
        ShapeUtil::HumanStringWithLayout(shape));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> PaddedByteSize(const Shape& shape) {
  TF_ASSIGN_OR_RETURN(Tiling tiling, Tiling::Create(shape));
  const int64_t count = tiling.padded_element_count();
  const int64_t bits = shape.layout().element_size_in_bits();
  const std::optional<int64_t> size = CheckedMultiply(
      count,
      bits != 0 ? bits : primitive_util::ByteWidth(shape.element_type()));
  if (!size.has_value() || bits < 0) {
    return InvalidArgument("the padded size of %s in bytes overflows",
                           ShapeUtil::HumanStringWithLayout(shape));
  }
  return bits != 0 ? CeilOfRatio<int64_t>(*size, 8) : *size;
}

absl::StatusOr<int64_t> BufferByteSize(const Shape& shape) {
  TF_ASSIGN_OR_RETURN(const int64_t data, PaddedByteSize(shape));
  const std::optional<int64_t> size =
      CheckedAdd(data, shape.layout().dynamic_shape_metadata_prefix_bytes());
  if (!size.has_value()) {
    return InvalidArgument("the buffer size of %s overflows",
                           ShapeUtil::HumanStringWithLayout(shape));
  }
  return *size;
}

}  // namespace xla
