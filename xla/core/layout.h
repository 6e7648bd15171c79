// Layout: how the elements of an array lie in memory. Holds the facts and
// converts them to protos; layout_util.h makes and checks layouts, tiling.h
// computes positions, shape_text.h reads and prints them.
#ifndef XLA_CORE_LAYOUT_H_
#define XLA_CORE_LAYOUT_H_

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/tile.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class Shape;

// The indices at which a dimension is split if an array is spread over several
// memories. The dimension is physical: 0 is the most major one.
class SplitConfig {
 public:
  SplitConfig(int64_t dimension, absl::Span<const int64_t> split_indices)
      : dimension_(dimension),
        split_indices_(split_indices.begin(), split_indices.end()) {}

  static SplitConfig CreateFromProto(const SplitConfigProto& proto);
  void ToProto(SplitConfigProto& proto) const;
  SplitConfigProto ToProto() const;
  // "(0:4,8)".
  std::string ToString() const;

  int64_t dimension() const { return dimension_; }
  SplitConfig& set_dimension(int64_t dimension) {
    dimension_ = dimension;
    return *this;
  }
  absl::Span<const int64_t> split_indices() const { return split_indices_; }
  int64_t split_indices(int64_t i) const { return split_indices_[i]; }
  int64_t split_indices_size() const { return split_indices_.size(); }
  SplitConfig& add_split_indices(int64_t index) {
    split_indices_.push_back(index);
    return *this;
  }
  SplitConfig& clear_split_indices() {
    split_indices_.clear();
    return *this;
  }

  bool operator==(const SplitConfig& other) const {
    return dimension_ == other.dimension_ &&
           split_indices_ == other.split_indices_;
  }
  bool operator!=(const SplitConfig& other) const { return !(*this == other); }

  template <typename H>
  friend H AbslHashValue(H h, const SplitConfig& c) {
    return H::combine(std::move(h), c.dimension_, c.split_indices_);
  }

 private:
  int64_t dimension_;
  absl::InlinedVector<int64_t, 1> split_indices_;
};

// Dimension order, tiles, padding and memory of one array. All fields but the
// order, the element size and the memory space are rare and behind one pointer,
// so that copies of plain layouts do not allocate.
class Layout {
 public:
  static constexpr int64_t kDefaultMemorySpace = 0;
  static constexpr int64_t kGenericFastMemorySpace = 1;
  static constexpr int64_t kHostMemorySpace = 5;

  Layout();
  explicit Layout(absl::Span<const int64_t> minor_to_major);
  Layout(absl::Span<const int64_t> minor_to_major,
         absl::Span<const Tile> tiles);
  Layout(absl::Span<const int64_t> minor_to_major, absl::Span<const Tile> tiles,
         int64_t element_size_in_bits);
  explicit Layout(absl::Span<const int64_t> minor_to_major,
                  absl::Span<const Tile> tiles,
                  PrimitiveType index_primitive_type,
                  PrimitiveType pointer_primitive_type = PRIMITIVE_TYPE_INVALID,
                  int64_t tail_padding_alignment_in_elements = 1,
                  int64_t element_size_in_bits = 0, int64_t memory_space = 0,
                  absl::Span<const SplitConfig> split_configs = {},
                  std::unique_ptr<Shape> physical_shape = nullptr,
                  int64_t dynamic_shape_metadata_prefix_bytes = 0);
  Layout(const Layout& other);
  Layout(Layout&& other) noexcept;
  Layout& operator=(const Layout& other);
  Layout& operator=(Layout&& other) noexcept;
  ~Layout();

  // Checks all that needs no shape: the order is a permutation, sizes are not
  // negative, enums are known. The sparse fields of older protos are dropped.
  // Errors: InvalidArgument.
  static absl::StatusOr<Layout> FromProto(const LayoutProto& proto);
  // Requires a valid proto (CHECK).
  static Layout CreateFromProto(const LayoutProto& proto) {
    return FromProto(proto).value();
  }
  LayoutProto ToProto() const;
  void ToProto(LayoutProto& proto) const { SetProto(proto); }
  void SetProto(LayoutProto& proto) const;

  // "{1,0:T(8,128)S(1)}".
  std::string ToString() const;
  void Print(Printer* printer) const;

  // Compares layouts, all but the metadata prefix; setters make it ignore more
  // and can be chained: Layout::Equal().IgnoreTiles()(a, b).
  class Equal;
  bool operator==(const Layout& other) const;
  bool operator!=(const Layout& other) const { return !(*this == other); }

  // The dimension numbers, fastest varying first.
  int minor_to_major_size() const { return minor_to_major_.size(); }
  int64_t minor_to_major(int i) const { return minor_to_major_[i]; }
  absl::Span<const int64_t> minor_to_major() const { return minor_to_major_; }
  DimensionVector* mutable_minor_to_major() { return &minor_to_major_; }
  Layout& set_minor_to_major(int i, int64_t value) {
    minor_to_major_[i] = value;
    return *this;
  }
  Layout& add_minor_to_major(int64_t value) {
    minor_to_major_.push_back(value);
    return *this;
  }
  Layout& clear_minor_to_major() {
    minor_to_major_.clear();
    return *this;
  }
  // Removes the dimension and renumbers those above it.
  Layout& DeleteDimension(int dim_to_delete);

  int64_t tiles_size() const { return tiles().size(); }
  const Tile& tiles(int i) const { return tiles()[i]; }
  absl::Span<const Tile> tiles() const;
  TileVector* mutable_tiles();
  Tile* mutable_tiles(int i) { return &(*mutable_tiles())[i]; }
  Tile* add_tiles();
  Layout& clear_tiles();

  // Bits per element in memory; 0 means the natural size of its type.
  int64_t element_size_in_bits() const { return element_size_in_bits_; }
  Layout& set_element_size_in_bits(int64_t value) {
    element_size_in_bits_ = value;
    return *this;
  }

  int64_t memory_space() const { return memory_space_; }
  Layout& set_memory_space(int64_t value) {
    memory_space_ = value;
    return *this;
  }

  // The buffer's number of elements is rounded up to a multiple of this.
  int64_t tail_padding_alignment_in_elements() const;
  Layout& set_tail_padding_alignment_in_elements(int64_t value);

  PrimitiveType index_primitive_type() const;
  Layout& set_index_primitive_type(PrimitiveType value);
  PrimitiveType pointer_primitive_type() const;
  Layout& set_pointer_primitive_type(PrimitiveType value);

  int64_t split_configs_size() const { return split_configs().size(); }
  const SplitConfig& split_configs(int i) const { return split_configs()[i]; }
  absl::Span<const SplitConfig> split_configs() const;
  SplitConfig* mutable_split_configs(int i);
  Layout& add_split_configs(const SplitConfig& split_config);
  void clear_split_configs();

  // The shape of the underlying buffers, if this array is a view of them.
  bool has_physical_shape() const;
  const Shape& physical_shape() const;
  Shape* mutable_physical_shape();
  void clear_physical_shape();

  int64_t dynamic_shape_metadata_prefix_bytes() const;
  Layout& set_dynamic_shape_metadata_prefix_bytes(int64_t value);

  // The width to which each dimension is padded before tiling, by dimension
  // number; empty: not padded. Source: shapes and layout document, Padding.
  absl::Span<const int64_t> padded_dimensions() const;
  Layout& set_padded_dimensions(absl::Span<const int64_t> values);
  PaddingValue padding_value() const;
  Layout& set_padding_value(PaddingValue value);

  // True when the layout has nothing but an order, an element size and a
  // memory space: elements lie densely, without tiles or padding.
  bool is_plain() const { return rare_ == nullptr; }

  void Swap(Layout* other) { std::swap(*this, *other); }
  void Clear() { *this = Layout(); }

  template <typename H>
  friend H AbslHashValue(H h, const Layout& l) {
    h = H::combine(std::move(h), l.minor_to_major_, l.element_size_in_bits_,
                   l.memory_space_, l.tail_padding_alignment_in_elements());
    for (const Tile& tile : l.tiles()) h = H::combine(std::move(h), tile);
    for (int64_t dim : l.padded_dimensions()) {
      h = H::combine(std::move(h), dim);
    }
    return h;
  }

 private:
  struct Rare;
  Rare& rare();

  DimensionVector minor_to_major_;
  int64_t element_size_in_bits_ = 0;
  int64_t memory_space_ = 0;
  std::unique_ptr<Rare> rare_;
};

class Layout::Equal {
 public:
  bool operator()(const Layout& lhs, const Layout& rhs) const;

  Equal& IgnoreTiles(bool ignore = true);
  Equal& IgnoreTailPaddingAlignmentInElements(bool ignore = true);
  Equal& IgnoreIndexPrimitiveType(bool ignore = true);
  Equal& IgnorePointerPrimitiveType(bool ignore = true);
  Equal& IgnoreElementSize(bool ignore = true);
  Equal& IgnoreMemorySpace(bool ignore = true);
  Equal& IgnoreSplitConfigs(bool ignore = true);
  Equal& IgnorePhysicalShape(bool ignore = true);
  Equal& IgnorePadding(bool ignore = true);
  Equal& MinorToMajorOnly(bool only = true);

 private:
  bool ignore_tiles_ = false;
  bool ignore_tail_padding_alignment_in_elements_ = false;
  bool ignore_index_primitive_type_ = false;
  bool ignore_pointer_primitive_type_ = false;
  bool ignore_element_size_ = false;
  bool ignore_memory_space_ = false;
  bool ignore_split_configs_ = false;
  bool ignore_physical_shape_ = false;
  bool ignore_padding_ = false;
};

std::ostream& operator<<(std::ostream& out, const Tile& tile);
std::ostream& operator<<(std::ostream& out, const Layout& layout);

}  // namespace xla

#endif  // XLA_CORE_LAYOUT_H_
