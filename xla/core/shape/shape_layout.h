// ShapeLayout: a shape whose layout is set, checked and copied apart from it.
#ifndef XLA_CORE_SHAPE_SHAPE_LAYOUT_H_
#define XLA_CORE_SHAPE_SHAPE_LAYOUT_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/text/printer.h"
#include "xla/core/layout.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_util.h"

namespace xla {

// Not thread safe.
class ShapeLayout {
 public:
  explicit ShapeLayout(Shape shape) : shape_(std::move(shape)) {}

  const Shape& shape() const { return shape_; }
  // Requires an array with a layout (CHECK).
  const Layout& layout() const {
    CHECK(shape_.IsArray() && shape_.has_layout()) << ToString();
    return shape_.layout();
  }

  // Copy the layouts to, or from, a compatible shape. Errors: InvalidArgument.
  absl::Status AssignLayoutToShape(Shape* to_shape) const {
    if (!ShapeUtil::Compatible(*to_shape, shape_)) {
      return InvalidArgument("%s is not compatible with the shape layout %s",
                             to_shape->ToString(), ToString());
    }
    *to_shape = shape_;
    return absl::OkStatus();
  }
  absl::Status CopyLayoutFromShape(const Shape& other_shape) {
    if (!ShapeUtil::Compatible(other_shape, shape_)) {
      return InvalidArgument("%s is not compatible with the shape layout %s",
                             other_shape.ToString(), ToString());
    }
    shape_ = other_shape;
    return absl::OkStatus();
  }

  // Whether the layouts are those of `shape`: their orders only, or tiles only
  // where each of the two has some.
  bool MatchesLayoutInShape(const Shape& shape,
                            bool minor_to_major_only = false,
                            bool ignore_fully_empty_tiling = false) const {
    Shape::Equal equal;
    equal.IgnoreDynamicDimension();
    if (ignore_fully_empty_tiling && (!HasTiles(shape_) || !HasTiles(shape))) {
      equal.IgnoreTilesInLayout();
    }
    if (minor_to_major_only) equal.MinorToMajorOnlyInLayout();
    return equal(shape_, shape);
  }

  // Whether all arrays, or at least one, have a layout.
  bool LayoutIsSet() const { return LayoutUtil::HasLayout(shape_); }
  bool AnyLayoutIsSet() const { return LayoutUtil::HasAnyLayout(shape_); }

  void SetToDefaultLayout() { LayoutUtil::SetToDefaultLayout(&shape_); }
  // Clear all layouts or tiles, or those in the part at `index`.
  void Clear() { LayoutUtil::ClearLayout(&shape_); }
  void Clear(ShapeIndexView index) {
    LayoutUtil::ClearLayout(ShapeUtil::GetMutableSubshape(&shape_, index));
  }
  void ClearTiles() { LayoutUtil::ClearTiles(&shape_); }
  void ClearTiles(ShapeIndexView index) {
    LayoutUtil::ClearTiles(ShapeUtil::GetMutableSubshape(&shape_, index));
  }
  void ClearDynamicShape() { shape_.clear_dynamic_dimensions(); }
  // Set the layout of the array, or of the one at `index`, which it must fit
  // (CHECK).
  void ResetLayout(const Layout& layout) { ResetLayout(layout, {}); }
  void ResetLayout(const Layout& layout, ShapeIndexView index) {
    Shape* part = ShapeUtil::GetMutableSubshape(&shape_, index);
    CHECK(part->IsArray()) << part->ToString();
    *part->mutable_layout() = layout;
    CHECK_OK(ShapeUtil::ValidateShape(*part));
  }

  void Print(Printer* printer) const {
    shape_.Print(printer, /*print_layout=*/true);
  }
  std::string ToString() const {
    return shape_.ToString(/*print_layout=*/true);
  }

  bool operator==(const ShapeLayout& other) const {
    return shape_ == other.shape_;
  }
  bool operator!=(const ShapeLayout& other) const { return !(*this == other); }
  template <typename H>
  friend H AbslHashValue(H h, const ShapeLayout& shape_layout) {
    return H::combine(std::move(h), shape_layout.shape_);
  }

 private:
  static bool HasTiles(const Shape& shape) {
    bool found = false;
    ShapeUtil::ForEachSubshape(
        shape, [&](const Shape& part, const ShapeIndex&) {
          found |= part.has_layout() && !part.layout().tiles().empty();
        });
    return found;
  }

  Shape shape_;
};

}  // namespace xla

#endif  // XLA_CORE_SHAPE_SHAPE_LAYOUT_H_
