// Layouts, shapes and program shapes as protos, both ways. Readers check
// everything that a proto can hold, so the result is a valid shape.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/errors.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout.h"
#include "xla/core/layout_util.h"
#include "xla/core/permutation_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

absl::Status Malformed(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("malformed proto: ", what));
}

absl::StatusOr<Shape> ShapeFromProto(const ShapeProto& proto, int depth);

// Reads the rare fields of a layout, all but the physical shape.
absl::Status ReadRareFields(const LayoutProto& proto, Layout& layout) {
  for (const TileProto& tile_proto : proto.tiles()) {
    TF_ASSIGN_OR_RETURN(Tile tile, Tile::FromProto(tile_proto));
    *layout.add_tiles() = std::move(tile);
  }
  if (proto.tail_padding_alignment_in_elements() < 0 ||
      proto.dynamic_shape_metadata_prefix_bytes() < 0) {
    return Malformed("layout has a negative tail alignment or prefix");
  }
  if (proto.tail_padding_alignment_in_elements() > 0) {
    layout.set_tail_padding_alignment_in_elements(
        proto.tail_padding_alignment_in_elements());
  }
  if (!PrimitiveType_IsValid(proto.index_primitive_type()) ||
      !PrimitiveType_IsValid(proto.pointer_primitive_type())) {
    return Malformed("layout has an unknown index or pointer type");
  }
  layout.set_index_primitive_type(proto.index_primitive_type());
  layout.set_pointer_primitive_type(proto.pointer_primitive_type());
  for (const SplitConfigProto& split : proto.split_configs()) {
    layout.add_split_configs(SplitConfig::CreateFromProto(split));
  }
  layout.set_dynamic_shape_metadata_prefix_bytes(
      proto.dynamic_shape_metadata_prefix_bytes());
  if (!PaddingValue_IsValid(proto.padding_value())) {
    return Malformed(absl::StrCat("layout has unknown padding value ",
                                  static_cast<int>(proto.padding_value())));
  }
  layout.set_padded_dimensions(proto.padded_dimensions());
  layout.set_padding_value(proto.padding_value());
  return absl::OkStatus();
}

absl::StatusOr<Layout> LayoutFromProto(const LayoutProto& proto, int depth) {
  Layout layout(proto.minor_to_major());
  if (!IsPermutation(layout.minor_to_major())) {
    return Malformed(absl::StrCat("minor_to_major {",
                                  absl::StrJoin(layout.minor_to_major(), ","),
                                  "} is not a permutation"));
  }
  if (proto.element_size_in_bits() < 0 || proto.memory_space() < 0) {
    return Malformed("layout has a negative element size or memory space");
  }
  layout.set_element_size_in_bits(proto.element_size_in_bits());
  layout.set_memory_space(proto.memory_space());
  TF_RETURN_IF_ERROR(ReadRareFields(proto, layout));
  if (proto.has_physical_shape()) {
    TF_ASSIGN_OR_RETURN(*layout.mutable_physical_shape(),
                        ShapeFromProto(proto.physical_shape(), depth + 1));
  }
  return layout;
}

absl::Status ReadArray(const ShapeProto& proto, int depth, Shape& shape) {
  if (proto.is_dynamic_dimension_size() > proto.dimensions_size()) {
    return Malformed("shape has more dynamic flags than dimensions");
  }
  for (int i = 0; i < proto.dimensions_size(); ++i) {
    const int64_t size = proto.dimensions(i);
    const bool dynamic =
        i < proto.is_dynamic_dimension_size() && proto.is_dynamic_dimension(i);
    if (size < 0 && !(dynamic && size == Shape::kUnboundedSize)) {
      return Malformed(
          absl::StrCat("dimension ", i, " of a shape has size ", size));
    }
    shape.add_dimensions(size, dynamic);
  }
  TF_RETURN_IF_ERROR(ShapeUtil::ValidateShapeSize(shape));
  if (!proto.has_layout()) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(Layout layout, LayoutFromProto(proto.layout(), depth));
  TF_RETURN_IF_ERROR(LayoutUtil::ValidateLayoutForShape(layout, shape));
  *shape.mutable_layout() = std::move(layout);
  return absl::OkStatus();
}

absl::StatusOr<Shape> ShapeFromProto(const ShapeProto& proto, int depth) {
  if (depth > Shape::kMaxNesting) {
    return Malformed(
        absl::StrCat("shape is nested deeper than ", Shape::kMaxNesting));
  }
  if (!PrimitiveType_IsValid(proto.element_type())) {
    return Malformed(absl::StrCat("shape has unknown element type ",
                                  static_cast<int>(proto.element_type())));
  }
  Shape shape(proto.element_type());
  const absl::string_view type = PrimitiveType_Name(proto.element_type());
  if (shape.IsArrayExcludingBuffer()) {
    if (proto.tuple_shapes_size() != 0) {
      return Malformed(absl::StrCat(type, " shape has tuple parts"));
    }
    TF_RETURN_IF_ERROR(ReadArray(proto, depth, shape));
    return shape;
  }
  if (proto.dimensions_size() != 0 || proto.is_dynamic_dimension_size() != 0 ||
      (proto.has_layout() && proto.layout().ByteSizeLong() != 0)) {
    return Malformed(absl::StrCat(type, " shape has dimensions or a layout"));
  }
  if (!shape.IsTuple() &&
      proto.tuple_shapes_size() != (shape.IsBuffer() ? 1 : 0)) {
    return Malformed(
        absl::StrCat(type, " shape has ", proto.tuple_shapes_size(), " parts"));
  }
  std::vector<Shape> parts(proto.tuple_shapes_size());
  for (int i = 0; i < proto.tuple_shapes_size(); ++i) {
    TF_ASSIGN_OR_RETURN(parts[i],
                        ShapeFromProto(proto.tuple_shapes(i), depth + 1));
    if (parts[i].element_type() == PRIMITIVE_TYPE_INVALID) {
      return Malformed(absl::StrCat(type, " shape has a part without a type"));
    }
  }
  if (shape.IsTuple()) return Shape(std::move(parts));
  if (shape.IsBuffer()) {
    if (!parts[0].IsArrayExcludingBuffer()) {
      return Malformed("buffer shape does not hold an array");
    }
    return Shape::MakeBufferShape(std::move(parts[0]));
  }
  return shape;
}

}  // namespace

absl::StatusOr<Tile> Tile::FromProto(const TileProto& proto) {
  Tile tile;
  for (int64_t size : proto.dimensions()) {
    if (size == -1) size = kCombineDimension;
    if (size <= 0 && size != kCombineDimension) {
      return Malformed(absl::StrCat("tile has size ", size));
    }
    tile.add_dimensions(size);
  }
  return tile;
}

void Tile::SetProto(TileProto& proto) const {
  proto.Clear();
  for (int64_t size : dimensions_) proto.add_dimensions(size);
}

TileProto Tile::ToProto() const {
  TileProto proto;
  SetProto(proto);
  return proto;
}

SplitConfig SplitConfig::CreateFromProto(const SplitConfigProto& proto) {
  return SplitConfig(proto.dimension(), proto.split_indices());
}

void SplitConfig::ToProto(SplitConfigProto& proto) const {
  proto.Clear();
  proto.set_dimension(dimension_);
  for (int64_t index : split_indices_) proto.add_split_indices(index);
}

SplitConfigProto SplitConfig::ToProto() const {
  SplitConfigProto proto;
  ToProto(proto);
  return proto;
}

absl::StatusOr<Layout> Layout::FromProto(const LayoutProto& proto) {
  return LayoutFromProto(proto, 0);
}

void Layout::SetProto(LayoutProto& proto) const {
  proto.Clear();
  proto.mutable_minor_to_major()->Add(minor_to_major_.begin(),
                                      minor_to_major_.end());
  for (const Tile& tile : tiles()) tile.SetProto(*proto.add_tiles());
  proto.set_tail_padding_alignment_in_elements(
      tail_padding_alignment_in_elements());
  proto.set_index_primitive_type(index_primitive_type());
  proto.set_pointer_primitive_type(pointer_primitive_type());
  proto.set_element_size_in_bits(element_size_in_bits());
  proto.set_memory_space(memory_space());
  for (const SplitConfig& split : split_configs()) {
    *proto.add_split_configs() = split.ToProto();
  }
  if (has_physical_shape()) {
    physical_shape().SetProto(*proto.mutable_physical_shape());
  }
  proto.set_dynamic_shape_metadata_prefix_bytes(
      dynamic_shape_metadata_prefix_bytes());
  proto.mutable_padded_dimensions()->Add(padded_dimensions().begin(),
                                         padded_dimensions().end());
  proto.set_padding_value(padding_value());
}

LayoutProto Layout::ToProto() const {
  LayoutProto proto;
  SetProto(proto);
  return proto;
}

absl::StatusOr<Shape> Shape::FromProto(const ShapeProto& proto) {
  return ShapeFromProto(proto, 0);
}

void Shape::SetProto(ShapeProto& proto) const {
  proto.Clear();
  proto.set_element_type(element_type_);
  proto.mutable_dimensions()->Add(dimensions_.begin(), dimensions_.end());
  for (bool dynamic : dynamic_dimensions_) {
    proto.add_is_dynamic_dimension(dynamic);
  }
  for (const Shape& part : tuple_shapes_) {
    part.SetProto(*proto.add_tuple_shapes());
  }
  if (layout_.has_value()) layout_->SetProto(*proto.mutable_layout());
}

ShapeProto Shape::ToProto() const {
  ShapeProto proto;
  SetProto(proto);
  return proto;
}

uint64_t Shape::FingerprintWithLayout() const {
  return StableBlockHash(SerializeAsString());
}

absl::StatusOr<ProgramShape> ProgramShape::FromProto(
    const ProgramShapeProto& proto) {
  if (proto.parameter_names_size() > proto.parameters_size()) {
    return Malformed("program shape has more names than parameters");
  }
  ProgramShape program_shape;
  for (const ShapeProto& parameter : proto.parameters()) {
    TF_ASSIGN_OR_RETURN(*program_shape.add_parameters(),
                        Shape::FromProto(parameter));
  }
  TF_ASSIGN_OR_RETURN(program_shape.result_, Shape::FromProto(proto.result()));
  for (const std::string& name : proto.parameter_names()) {
    program_shape.add_parameter_names(name);
  }
  return program_shape;
}

void ProgramShape::ToProto(ProgramShapeProto& proto) const {
  proto.Clear();
  for (const Shape& shape : parameters_) {
    shape.SetProto(*proto.add_parameters());
  }
  result_.SetProto(*proto.mutable_result());
  for (const std::string& name : parameter_names_) {
    proto.add_parameter_names(name);
  }
}

ProgramShapeProto ProgramShape::ToProto() const {
  ProgramShapeProto proto;
  ToProto(proto);
  return proto;
}

}  // namespace xla
