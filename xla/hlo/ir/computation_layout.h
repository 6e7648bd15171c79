// ComputationLayout: the shapes of a computation's parameters and result, with
// layouts that can be set apart from the shapes.
#ifndef XLA_HLO_IR_COMPUTATION_LAYOUT_H_
#define XLA_HLO_IR_COMPUTATION_LAYOUT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/base/text/printer.h"
#include "xla/core/layout.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/core/shape/shape_layout.h"

namespace xla {

// Parameters are numbered from 0; other numbers are not allowed. Not thread
// safe.
class ComputationLayout {
 public:
  explicit ComputationLayout(ShapeLayout result_layout)
      : result_layout_(std::move(result_layout)) {}
  // With the layouts of `program_shape`, or with default ones in their place.
  explicit ComputationLayout(const ProgramShape& program_shape,
                             bool ignore_layouts = true);

  int parameter_count() const { return parameter_layouts_.size(); }
  const std::vector<ShapeLayout>& parameter_layouts() const {
    return parameter_layouts_;
  }
  const ShapeLayout& parameter_layout(int64_t param_no) const {
    return parameter_layouts_[param_no];
  }
  ShapeLayout* mutable_parameter_layout(int64_t param_no) {
    return &parameter_layouts_[param_no];
  }
  void add_parameter_layout(ShapeLayout shape_layout) {
    parameter_layouts_.push_back(std::move(shape_layout));
  }
  const ShapeLayout& result_layout() const { return result_layout_; }
  ShapeLayout* mutable_result_layout() { return &result_layout_; }

  const Shape& parameter_shape(int64_t param_no) const {
    return parameter_layouts_[param_no].shape();
  }
  const Shape& result_shape() const { return result_layout_.shape(); }

  // Set the layouts of all arrays, or of those that have none, to the default.
  void SetToDefaultLayout();
  void SetToDefaultLayoutIfEmpty();
  // Whether all arrays, or at least one, have a layout.
  bool LayoutIsSet() const;
  bool AnyLayoutSet() const;

  // The layouts of the arrays of all parameters, or of the result, in order;
  // tokens have an empty one. Errors: InvalidArgument if one is not set.
  absl::StatusOr<std::vector<Layout>> FlattenedParameterLayouts() const;
  absl::StatusOr<std::vector<Layout>> FlattenedResultLayouts() const;

  // The shapes with their layouts; parameters are called p0, p1 and so on.
  ProgramShape ComputeProgramShape() const;

  // "(f32[2]{0}, s32[])=>f32[2]{0}".
  std::string ToString() const;
  void Print(Printer* printer) const;

  bool operator==(const ComputationLayout& other) const {
    return parameter_layouts_ == other.parameter_layouts_ &&
           result_layout_ == other.result_layout_;
  }
  bool operator!=(const ComputationLayout& other) const {
    return !(*this == other);
  }
  template <typename H>
  friend H AbslHashValue(H h, const ComputationLayout& layout) {
    return H::combine(std::move(h), layout.parameter_layouts_,
                      layout.result_layout_);
  }

 private:
  std::vector<ShapeLayout> parameter_layouts_;
  ShapeLayout result_layout_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_COMPUTATION_LAYOUT_H_
