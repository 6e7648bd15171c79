// Layout, Tile and SplitConfig: storage, comparison and the proto form.
// Their texts are in shape_print.cc.
#include "xla/core/layout.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/permutation_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_text.h"

namespace xla {

struct Layout::Rare {
  TileVector tiles;
  int64_t tail_padding_alignment_in_elements = 1;
  PrimitiveType index_primitive_type = PRIMITIVE_TYPE_INVALID;
  PrimitiveType pointer_primitive_type = PRIMITIVE_TYPE_INVALID;
  std::vector<SplitConfig> split_configs;
  std::unique_ptr<Shape> physical_shape;
  int64_t dynamic_shape_metadata_prefix_bytes = 0;
  DimensionVector padded_dimensions;
  PaddingValue padding_value = INVALID_PAD;

  Rare() = default;
  Rare(const Rare& other)
      : tiles(other.tiles),
        tail_padding_alignment_in_elements(
            other.tail_padding_alignment_in_elements),
        index_primitive_type(other.index_primitive_type),
        pointer_primitive_type(other.pointer_primitive_type),
        split_configs(other.split_configs),
        physical_shape(other.physical_shape
                           ? std::make_unique<Shape>(*other.physical_shape)
                           : nullptr),
        dynamic_shape_metadata_prefix_bytes(
            other.dynamic_shape_metadata_prefix_bytes),
        padded_dimensions(other.padded_dimensions),
        padding_value(other.padding_value) {}
};

Layout::Layout() = default;
Layout::~Layout() = default;
Layout::Layout(Layout&& other) noexcept = default;
Layout& Layout::operator=(Layout&& other) noexcept = default;

Layout::Layout(const Layout& other)
    : minor_to_major_(other.minor_to_major_),
      element_size_in_bits_(other.element_size_in_bits_),
      memory_space_(other.memory_space_),
      rare_(other.rare_ ? std::make_unique<Rare>(*other.rare_) : nullptr) {}

Layout& Layout::operator=(const Layout& other) {
  if (this != &other) {
    minor_to_major_ = other.minor_to_major_;
    element_size_in_bits_ = other.element_size_in_bits_;
    memory_space_ = other.memory_space_;
    rare_ = other.rare_ ? std::make_unique<Rare>(*other.rare_) : nullptr;
  }
  return *this;
}

Layout::Layout(absl::Span<const int64_t> minor_to_major)
    : minor_to_major_(minor_to_major.begin(), minor_to_major.end()) {}

Layout::Layout(absl::Span<const int64_t> minor_to_major,
               absl::Span<const Tile> tiles)
    : Layout(minor_to_major, tiles, PRIMITIVE_TYPE_INVALID) {}

Layout::Layout(absl::Span<const int64_t> minor_to_major,
               absl::Span<const Tile> tiles, int64_t element_size_in_bits)
    : Layout(minor_to_major, tiles, PRIMITIVE_TYPE_INVALID) {
  element_size_in_bits_ = element_size_in_bits;
}

Layout::Layout(absl::Span<const int64_t> minor_to_major,
               absl::Span<const Tile> tiles, PrimitiveType index_primitive_type,
               PrimitiveType pointer_primitive_type,
               int64_t tail_padding_alignment_in_elements,
               int64_t element_size_in_bits, int64_t memory_space,
               absl::Span<const SplitConfig> split_configs,
               std::unique_ptr<Shape> physical_shape,
               int64_t dynamic_shape_metadata_prefix_bytes)
    : minor_to_major_(minor_to_major.begin(), minor_to_major.end()),
      element_size_in_bits_(element_size_in_bits),
      memory_space_(memory_space) {
  if (!tiles.empty()) rare().tiles.assign(tiles.begin(), tiles.end());
  set_tail_padding_alignment_in_elements(tail_padding_alignment_in_elements);
  set_index_primitive_type(index_primitive_type);
  set_pointer_primitive_type(pointer_primitive_type);
  if (!split_configs.empty()) {
    rare().split_configs.assign(split_configs.begin(), split_configs.end());
  }
  if (physical_shape) rare().physical_shape = std::move(physical_shape);
  set_dynamic_shape_metadata_prefix_bytes(dynamic_shape_metadata_prefix_bytes);
}

Layout::Rare& Layout::rare() {
  if (!rare_) rare_ = std::make_unique<Rare>();
  return *rare_;
}

Layout& Layout::DeleteDimension(int dim_to_delete) {
  DimensionVector kept;
  for (int64_t dim : minor_to_major_) {
    if (dim != dim_to_delete) kept.push_back(dim - (dim > dim_to_delete));
  }
  minor_to_major_ = std::move(kept);
  if (!padded_dimensions().empty()) {
    DimensionVector& padded = rare().padded_dimensions;
    padded.erase(padded.begin() + dim_to_delete);
  }
  if (rare_) rare_->split_configs.clear();
  return *this;
}

absl::Span<const Tile> Layout::tiles() const {
  return rare_ ? absl::Span<const Tile>(rare_->tiles)
               : absl::Span<const Tile>();
}
TileVector* Layout::mutable_tiles() { return &rare().tiles; }
Tile* Layout::add_tiles() { return &rare().tiles.emplace_back(); }
Layout& Layout::clear_tiles() {
  if (rare_) rare_->tiles.clear();
  return *this;
}

int64_t Layout::tail_padding_alignment_in_elements() const {
  return rare_ ? rare_->tail_padding_alignment_in_elements : 1;
}
Layout& Layout::set_tail_padding_alignment_in_elements(int64_t value) {
  if (rare_ || value != 1) rare().tail_padding_alignment_in_elements = value;
  return *this;
}

PrimitiveType Layout::index_primitive_type() const {
  return rare_ ? rare_->index_primitive_type : PRIMITIVE_TYPE_INVALID;
}
Layout& Layout::set_index_primitive_type(PrimitiveType value) {
  if (rare_ || value != PRIMITIVE_TYPE_INVALID) {
    rare().index_primitive_type = value;
  }
  return *this;
}
PrimitiveType Layout::pointer_primitive_type() const {
  return rare_ ? rare_->pointer_primitive_type : PRIMITIVE_TYPE_INVALID;
}
Layout& Layout::set_pointer_primitive_type(PrimitiveType value) {
  if (rare_ || value != PRIMITIVE_TYPE_INVALID) {
    rare().pointer_primitive_type = value;
  }
  return *this;
}

absl::Span<const SplitConfig> Layout::split_configs() const {
  return rare_ ? absl::Span<const SplitConfig>(rare_->split_configs)
               : absl::Span<const SplitConfig>();
}
SplitConfig* Layout::mutable_split_configs(int i) {
  return &rare().split_configs[i];
}
Layout& Layout::add_split_configs(const SplitConfig& split_config) {
  rare().split_configs.push_back(split_config);
  return *this;
}
void Layout::clear_split_configs() {
  if (rare_) rare_->split_configs.clear();
}

bool Layout::has_physical_shape() const {
  return rare_ && rare_->physical_shape;
}
const Shape& Layout::physical_shape() const { return *rare_->physical_shape; }
Shape* Layout::mutable_physical_shape() {
  if (!rare().physical_shape) rare().physical_shape = std::make_unique<Shape>();
  return rare().physical_shape.get();
}
void Layout::clear_physical_shape() {
  if (rare_) rare_->physical_shape.reset();
}

int64_t Layout::dynamic_shape_metadata_prefix_bytes() const {
  return rare_ ? rare_->dynamic_shape_metadata_prefix_bytes : 0;
}
Layout& Layout::set_dynamic_shape_metadata_prefix_bytes(int64_t value) {
  if (rare_ || value != 0) rare().dynamic_shape_metadata_prefix_bytes = value;
  return *this;
}

absl::Span<const int64_t> Layout::padded_dimensions() const {
  return rare_ ? absl::Span<const int64_t>(rare_->padded_dimensions)
               : absl::Span<const int64_t>();
}
Layout& Layout::set_padded_dimensions(absl::Span<const int64_t> values) {
  if (rare_ || !values.empty()) {
    rare().padded_dimensions.assign(values.begin(), values.end());
  }
  return *this;
}
PaddingValue Layout::padding_value() const {
  return rare_ ? rare_->padding_value : INVALID_PAD;
}
Layout& Layout::set_padding_value(PaddingValue value) {
  if (rare_ || value != INVALID_PAD) rare().padding_value = value;
  return *this;
}

bool Layout::operator==(const Layout& other) const {
  return Equal()(*this, other);
}

bool Layout::Equal::operator()(const Layout& lhs, const Layout& rhs) const {
  if (lhs.minor_to_major_ != rhs.minor_to_major_) return false;
  if (!ignore_element_size_ &&
      lhs.element_size_in_bits_ != rhs.element_size_in_bits_) {
    return false;
  }
  if (!ignore_memory_space_ && lhs.memory_space_ != rhs.memory_space_) {
    return false;
  }
  if (!lhs.rare_ && !rhs.rare_) return true;
  static const Rare& kNone = *new Rare();
  const Rare& a = lhs.rare_ ? *lhs.rare_ : kNone;
  const Rare& b = rhs.rare_ ? *rhs.rare_ : kNone;
  const auto same_physical_shape = [&] {
    if (!a.physical_shape || !b.physical_shape) {
      return !a.physical_shape && !b.physical_shape;
    }
    return *a.physical_shape == *b.physical_shape;
  };
  return (ignore_tiles_ || a.tiles == b.tiles) &&
         (ignore_tail_padding_alignment_in_elements_ ||
          a.tail_padding_alignment_in_elements ==
              b.tail_padding_alignment_in_elements) &&
         (ignore_index_primitive_type_ ||
          a.index_primitive_type == b.index_primitive_type) &&
         (ignore_pointer_primitive_type_ ||
          a.pointer_primitive_type == b.pointer_primitive_type) &&
         (ignore_split_configs_ || a.split_configs == b.split_configs) &&
         (ignore_physical_shape_ || same_physical_shape()) &&
         (ignore_padding_ || (a.padded_dimensions == b.padded_dimensions &&
                              a.padding_value == b.padding_value));
}

Layout::Equal& Layout::Equal::IgnoreTiles(bool ignore) {
  ignore_tiles_ = ignore;
  return *this;
}
Layout::Equal& Layout::Equal::IgnoreTailPaddingAlignmentInElements(
    bool ignore) {
  ignore_tail_padding_alignment_in_elements_ = ignore;
  return *this;
}
Layout::Equal& Layout::Equal::IgnoreIndexPrimitiveType(bool ignore) {
  ignore_index_primitive_type_ = ignore;
  return *this;
}
Layout::Equal& Layout::Equal::IgnorePointerPrimitiveType(bool ignore) {
  ignore_pointer_primitive_type_ = ignore;
  return *this;
}
Layout::Equal& Layout::Equal::IgnoreElementSize(bool ignore) {
  ignore_element_size_ = ignore;
  return *this;
}
Layout::Equal& Layout::Equal::IgnoreMemorySpace(bool ignore) {
  ignore_memory_space_ = ignore;
  return *this;
}
Layout::Equal& Layout::Equal::IgnoreSplitConfigs(bool ignore) {
  ignore_split_configs_ = ignore;
  return *this;
}
Layout::Equal& Layout::Equal::IgnorePhysicalShape(bool ignore) {
  ignore_physical_shape_ = ignore;
  return *this;
}
Layout::Equal& Layout::Equal::IgnorePadding(bool ignore) {
  ignore_padding_ = ignore;
  return *this;
}
Layout::Equal& Layout::Equal::MinorToMajorOnly(bool only) {
  return IgnoreTiles(only)
      .IgnoreTailPaddingAlignmentInElements(only)
      .IgnoreIndexPrimitiveType(only)
      .IgnorePointerPrimitiveType(only)
      .IgnoreElementSize(only)
      .IgnoreMemorySpace(only)
      .IgnoreSplitConfigs(only)
      .IgnorePhysicalShape(only)
      .IgnorePadding(only);
}

std::string Layout::ToString() const {
  std::string out;
  PrintLayout(*this, &out);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Tile& tile) {
  return out << tile.ToString();
}
std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  return out << layout.ToString();
}

}  // namespace xla
