// Layouts of parameters and results, taken from shapes, set and printed.
#include "xla/hlo/ir/computation_layout.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"

namespace xla {

ComputationLayout::ComputationLayout(const ProgramShape& program_shape,
                                     bool ignore_layouts)
    : result_layout_(program_shape.result()) {
  for (const Shape& shape : program_shape.parameters()) {
    parameter_layouts_.emplace_back(shape);
  }
  if (ignore_layouts) SetToDefaultLayout();
}

void ComputationLayout::SetToDefaultLayout() {
  for (ShapeLayout& layout : parameter_layouts_) layout.SetToDefaultLayout();
  result_layout_.SetToDefaultLayout();
}

void ComputationLayout::SetToDefaultLayoutIfEmpty() {
  for (ShapeLayout& layout : parameter_layouts_) {
    if (!layout.LayoutIsSet()) layout.SetToDefaultLayout();
  }
  if (!result_layout_.LayoutIsSet()) result_layout_.SetToDefaultLayout();
}

bool ComputationLayout::LayoutIsSet() const {
  return result_layout_.LayoutIsSet() &&
         std::all_of(parameter_layouts_.begin(), parameter_layouts_.end(),
                     [](const ShapeLayout& l) { return l.LayoutIsSet(); });
}

bool ComputationLayout::AnyLayoutSet() const {
  return result_layout_.AnyLayoutIsSet() ||
         std::any_of(parameter_layouts_.begin(), parameter_layouts_.end(),
                     [](const ShapeLayout& l) { return l.AnyLayoutIsSet(); });
}

namespace {

absl::Status AppendLayouts(const Shape& shape, std::vector<Layout>* layouts) {
  return ShapeUtil::ForEachSubshapeWithStatus(
      shape, [&](const Shape& part, const ShapeIndex&) -> absl::Status {
        if (part.IsTuple()) return absl::OkStatus();
        if (part.IsArray() && !part.has_layout()) {
          return InvalidArgument("%s has no layout", part.ToString());
        }
        layouts->push_back(part.IsArray() ? part.layout() : Layout());
        return absl::OkStatus();
      });
}

}  // namespace

absl::StatusOr<std::vector<Layout>>
ComputationLayout::FlattenedParameterLayouts() const {
  std::vector<Layout> layouts;
  for (const ShapeLayout& parameter : parameter_layouts_) {
    TF_RETURN_IF_ERROR(AppendLayouts(parameter.shape(), &layouts));
  }
  return layouts;
}

absl::StatusOr<std::vector<Layout>> ComputationLayout::FlattenedResultLayouts()
    const {
  std::vector<Layout> layouts;
  TF_RETURN_IF_ERROR(AppendLayouts(result_shape(), &layouts));
  return layouts;
}

ProgramShape ComputationLayout::ComputeProgramShape() const {
  ProgramShape program_shape;
  for (int i = 0; i < parameter_count(); ++i) {
    program_shape.AddParameter(parameter_shape(i), absl::StrCat("p", i));
  }
  *program_shape.mutable_result() = result_shape();
  return program_shape;
}

std::string ComputationLayout::ToString() const {
  StringPrinter printer;
  Print(&printer);
  return std::move(printer).ToString();
}

void ComputationLayout::Print(Printer* printer) const {
  printer->Append("(");
  for (int i = 0; i < parameter_count(); ++i) {
    if (i > 0) printer->Append(", ");
    parameter_layouts_[i].Print(printer);
  }
  printer->Append(")=>");
  result_layout_.Print(printer);
}

}  // namespace xla
