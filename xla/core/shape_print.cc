// Prints tiles, layouts, shapes and program shapes as text.
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/text/printer.h"
#include "xla/core/layout.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/core/shape_text.h"
#include "xla/core/tile.h"

namespace xla {
namespace {

// The number of tuple elements between comments that state their position.
constexpr int kIndexCommentInterval = 5;

void AppendList(absl::Span<const int64_t> values, std::string* out) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != 0) out->push_back(',');
    absl::StrAppend(out, values[i]);
  }
}

void AppendIndexType(absl::string_view sign, PrimitiveType type,
                     std::string* out) {
  if (type == PRIMITIVE_TYPE_INVALID) return;
  absl::StrAppend(out, sign, "(",
                  primitive_util::LowercasePrimitiveTypeName(type), ")");
}

// Appends the part of a layout after the colon.
void AppendLayoutAttributes(const Layout& layout, std::string* out) {
  if (!layout.tiles().empty()) {
    out->push_back('T');
    for (const Tile& tile : layout.tiles()) tile.AppendTo(out);
  }
  if (layout.tail_padding_alignment_in_elements() != 1) {
    absl::StrAppend(out, "L(", layout.tail_padding_alignment_in_elements(),
                    ")");
  }
  AppendIndexType("#", layout.index_primitive_type(), out);
  AppendIndexType("*", layout.pointer_primitive_type(), out);
  if (layout.element_size_in_bits() != 0) {
    absl::StrAppend(out, "E(", layout.element_size_in_bits(), ")");
  }
  if (layout.memory_space() != 0) {
    absl::StrAppend(out, "S(", layout.memory_space(), ")");
  }
  if (!layout.split_configs().empty()) {
    absl::StrAppend(out, "SC");
    for (const SplitConfig& split : layout.split_configs()) {
      absl::StrAppend(out, split.ToString());
    }
  }
  if (layout.has_physical_shape()) {
    absl::StrAppend(out, "P(");
    PrintShape(layout.physical_shape(), /*print_layout=*/true, out);
    out->push_back(')');
  }
  if (layout.dynamic_shape_metadata_prefix_bytes() != 0) {
    absl::StrAppend(out, "M(", layout.dynamic_shape_metadata_prefix_bytes(),
                    ")");
  }
  if (!layout.padded_dimensions().empty()) {
    absl::StrAppend(out, "PD(");
    AppendList(layout.padded_dimensions(), out);
    out->push_back(')');
  }
  if (layout.padding_value() != INVALID_PAD) {
    absl::StrAppend(out, "PV(", PaddingValue_Name(layout.padding_value()), ")");
  }
}

void AppendDimensions(const Shape& shape, std::string* out) {
  for (int i = 0; i < shape.dimensions_size(); ++i) {
    if (i != 0) out->push_back(',');
    if (shape.is_unbounded_dynamic_dimension(i)) {
      out->push_back('?');
      continue;
    }
    if (shape.is_dynamic_dimension(i)) out->append("<=");
    absl::StrAppend(out, shape.dimensions(i));
  }
}

}  // namespace

void Tile::AppendTo(std::string* out) const {
  out->push_back('(');
  for (size_t i = 0; i < dimensions_.size(); ++i) {
    if (i != 0) out->push_back(',');
    if (dimensions_[i] == kCombineDimension) {
      out->push_back('*');
    } else {
      absl::StrAppend(out, dimensions_[i]);
    }
  }
  out->push_back(')');
}

std::string Tile::ToString() const {
  std::string out;
  AppendTo(&out);
  return out;
}

void Tile::Print(Printer* printer) const { printer->Append(ToString()); }
void Layout::Print(Printer* printer) const { printer->Append(ToString()); }
void Shape::Print(Printer* printer, bool print_layout) const {
  printer->Append(ToString(print_layout));
}
void ProgramShape::Print(Printer* printer) const {
  printer->Append(ToString());
}

std::string SplitConfig::ToString() const {
  return absl::StrCat("(", dimension_, ":", absl::StrJoin(split_indices_, ","),
                      ")");
}

void PrintLayout(const Layout& layout, std::string* out) {
  out->push_back('{');
  AppendList(layout.minor_to_major(), out);
  const size_t colon = out->size();
  AppendLayoutAttributes(layout, out);
  if (out->size() != colon) out->insert(colon, 1, ':');
  out->push_back('}');
}

void PrintShape(const Shape& shape, bool print_layout, std::string* out) {
  if (shape.IsTuple()) {
    out->push_back('(');
    for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
      if (i != 0) out->append(", ");
      if (i != 0 && i % kIndexCommentInterval == 0) {
        absl::StrAppend(out, "/*index=", i, "*/");
      }
      PrintShape(shape.tuple_shapes(i), print_layout, out);
    }
    out->push_back(')');
    return;
  }
  if (shape.IsBuffer()) {
    out->append("b(");
    PrintShape(shape.buffer_shape(), print_layout, out);
    out->push_back(')');
    return;
  }
  out->append(primitive_util::LowercasePrimitiveTypeName(shape.element_type()));
  out->push_back('[');
  AppendDimensions(shape, out);
  out->push_back(']');
  // A scalar's order carries no information; its other attributes do.
  if (print_layout && shape.has_layout()) {
    const size_t start = out->size();
    PrintLayout(shape.layout(), out);
    if (shape.rank() == 0 && out->size() == start + 2) out->resize(start);
  }
}

void PrintProgramShape(const ProgramShape& shape, bool print_layouts,
                       std::string* out) {
  out->push_back('(');
  for (int i = 0; i < shape.parameters_size(); ++i) {
    if (i != 0) out->append(", ");
    const bool named =
        i < shape.parameter_names_size() && !shape.parameter_names(i).empty();
    absl::StrAppend(out, named ? shape.parameter_names(i) : "(unknown)", ": ");
    PrintShape(shape.parameters(i), print_layouts, out);
  }
  out->append(") -> ");
  PrintShape(shape.result(), print_layouts, out);
}

}  // namespace xla
