// Tile: one tile of a tiled layout, the sizes of a block of elements that lie
// together in memory. tiling.h defines what tiles mean.
#ifndef XLA_CORE_TILE_H_
#define XLA_CORE_TILE_H_

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class Printer;

// Sizes from the most major to the most minor dimension; if there are fewer
// than dimensions, they apply to the most minor ones. Source: tiled layout
// document.
class Tile {
 public:
  // Stands for a size: the dimension is combined with the next more minor one
  // before tiling. Printed as '*'.
  static constexpr int64_t kCombineDimension =
      std::numeric_limits<int64_t>::min();

  Tile() = default;
  explicit Tile(absl::Span<const int64_t> dimensions)
      : dimensions_(dimensions.begin(), dimensions.end()) {}

  // Errors: InvalidArgument when a size is neither positive nor a combined
  // dimension (-1, the document's spelling, is accepted too).
  static absl::StatusOr<Tile> FromProto(const TileProto& proto);
  // Requires a valid proto (CHECK).
  static Tile CreateFromProto(const TileProto& proto) {
    return FromProto(proto).value();
  }
  TileProto ToProto() const;
  void ToProto(TileProto& proto) const { SetProto(proto); }
  void SetProto(TileProto& proto) const;

  // "(8,128)", "(*,2)".
  std::string ToString() const;
  void Print(Printer* printer) const;
  void AppendTo(std::string* out) const;

  int64_t dimension(int i) const { return dimensions_[i]; }
  absl::Span<const int64_t> dimensions() const { return dimensions_; }
  int64_t num_dimensions() const { return dimensions_.size(); }
  Tile& add_dimensions(int64_t value) {
    dimensions_.push_back(value);
    return *this;
  }
  Tile& clear_dimensions() {
    dimensions_.clear();
    return *this;
  }

  bool operator==(const Tile& other) const {
    return dimensions_ == other.dimensions_;
  }
  bool operator!=(const Tile& other) const { return !(*this == other); }

  template <typename H>
  friend H AbslHashValue(H h, const Tile& t) {
    return H::combine(std::move(h), t.dimensions_);
  }

 private:
  absl::InlinedVector<int64_t, 2> dimensions_;
};

using TileVector = absl::InlinedVector<Tile, 2>;

}  // namespace xla

#endif  // XLA_CORE_TILE_H_
