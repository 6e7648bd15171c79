// Codecs of dimension numbers, windows, padding and slices.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "xla/base/status_macros.h"
#include "xla/core/window_math.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla {
namespace {

using Ints = google::protobuf::RepeatedField<int64_t>;

void PrintInts(std::string_view name, const Ints& values, std::string* out) {
  PrintAttrName(name, out);
  PrintIntList(values, out);
}

absl::Status ScanInts(TextScanner& scanner, Ints* values) {
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> list, ScanIntList(scanner));
  values->Assign(list.begin(), list.end());
  return absl::OkStatus();
}

// A message-typed field of HloInstructionProto, both ways.
template <typename T>
void MessageToProto(std::string_view proto_name, const T& value,
                    HloInstructionProto* proto) {
  proto->GetReflection()
      ->MutableMessage(proto, InstructionField(proto_name))
      ->CopyFrom(value);
}
template <typename T>
absl::Status MessageFromProto(std::string_view proto_name,
                              const HloInstructionProto& proto, T* value) {
  *value = static_cast<const T&>(proto.GetReflection()->GetMessage(
      proto, InstructionField(proto_name)));
  return absl::OkStatus();
}

}  // namespace

// PaddingConfig: 0_1x-1_2_3, low_high or low_high_interior per dimension ----

template <>
void FieldCodec<PaddingConfig>::Print(std::string_view name,
                                      const PaddingConfig& value, bool always,
                                      std::string* out) {
  PrintAttrName(name, out);
  const bool interior = std::any_of(
      value.dimensions().begin(), value.dimensions().end(),
      [](const auto& d) { return d.interior_padding() != 0; });
  absl::string_view separator;
  for (const auto& d : value.dimensions()) {
    absl::StrAppend(out, separator, d.edge_padding_low(), "_",
                    d.edge_padding_high());
    if (interior) absl::StrAppend(out, "_", d.interior_padding());
    separator = "x";
  }
}

template <>
absl::StatusOr<bool> FieldCodec<PaddingConfig>::Parse(std::string_view name,
                                                      absl::string_view key,
                                                      TextScanner& scanner,
                                                      PaddingConfig* value) {
  if (key != ToAbsl(name)) return false;
  value->Clear();
  // A scalar's padding is empty.
  const char next = scanner.Peek();
  if (next != '-' && !absl::ascii_isdigit(next)) return true;
  do {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> parts,
                        ScanJoinedInts(scanner, '_'));
    if (parts.size() != 2 && parts.size() != 3) {
      return scanner.ErrorAt(start, "expected low_high[_interior]");
    }
    auto* d = value->add_dimensions();
    d->set_edge_padding_low(parts[0]);
    d->set_edge_padding_high(parts[1]);
    if (parts.size() == 3) d->set_interior_padding(parts[2]);
  } while (scanner.TryConsume("x"));
  return true;
}

template <>
void FieldCodec<PaddingConfig>::ToProto(std::string_view proto_name,
                                        const PaddingConfig& value,
                                        HloInstructionProto* proto) {
  MessageToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<PaddingConfig>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    PaddingConfig* value) {
  return MessageFromProto(proto_name, proto, value);
}

// Window: {size=3x3 stride=2x2 pad=1_1x0_0 lhs_dilate= rhs_dilate=
// rhs_reversal=} -------------------------------------------------------------

template <>
void FieldCodec<Window>::Print(std::string_view name, const Window& value,
                               bool always, std::string* out) {
  if (value.dimensions_size() == 0) return;
  PrintAttrName(name, out);
  absl::StrAppend(out, "{", window_util::ToString(value), "}");
}

namespace {

// Sets one value per dimension of `window`, making the dimensions with the
// defaults of XLA if this is the first list.
absl::Status SetWindowField(const TextScanner& scanner, size_t start,
                            absl::Span<const int64_t> values, Window* window,
                            void (WindowDimension::*set)(int64_t)) {
  if (window->dimensions_size() == 0) {
    for (size_t i = 0; i < values.size(); ++i) {
      WindowDimension* d = window->add_dimensions();
      d->set_size(1);
      d->set_stride(1);
      d->set_window_dilation(1);
      d->set_base_dilation(1);
    }
  }
  if (values.size() != static_cast<size_t>(window->dimensions_size())) {
    return scanner.ErrorAt(start,
                           "the lists of a window must have equal lengths");
  }
  for (size_t i = 0; i < values.size(); ++i) {
    (window->mutable_dimensions(i)->*set)(values[i]);
  }
  return absl::OkStatus();
}

absl::Status ScanWindowPadding(TextScanner& scanner, Window* window) {
  const size_t start = scanner.position();
  std::vector<int64_t> low, high;
  do {
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> pair,
                        ScanJoinedInts(scanner, '_'));
    if (pair.size() != 2) {
      return scanner.ErrorAt(start, "expected low_high for each dimension");
    }
    low.push_back(pair[0]);
    high.push_back(pair[1]);
  } while (scanner.TryConsume("x"));
  TF_RETURN_IF_ERROR(SetWindowField(scanner, start, low, window,
                                    &WindowDimension::set_padding_low));
  return SetWindowField(scanner, start, high, window,
                        &WindowDimension::set_padding_high);
}

void SetReversal(absl::Span<const int64_t> values, Window* window) {
  for (size_t i = 0; i < values.size(); ++i) {
    window->mutable_dimensions(i)->set_window_reversal(values[i] != 0);
  }
}

absl::Status ScanWindowField(TextScanner& scanner, Window* window) {
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(absl::string_view field, scanner.Name());
  TF_RETURN_IF_ERROR(scanner.Consume("="));
  if (field == "pad") return ScanWindowPadding(scanner, window);
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> values,
                      ScanJoinedInts(scanner, 'x'));
  if (field == "size") {
    return SetWindowField(scanner, start, values, window,
                          &WindowDimension::set_size);
  }
  if (field == "stride") {
    return SetWindowField(scanner, start, values, window,
                          &WindowDimension::set_stride);
  }
  if (field == "lhs_dilate") {
    return SetWindowField(scanner, start, values, window,
                          &WindowDimension::set_base_dilation);
  }
  if (field == "rhs_dilate") {
    return SetWindowField(scanner, start, values, window,
                          &WindowDimension::set_window_dilation);
  }
  if (field == "rhs_reversal") {
    if (values.size() != static_cast<size_t>(window->dimensions_size())) {
      return scanner.ErrorAt(start,
                             "the lists of a window must have equal lengths");
    }
    SetReversal(values, window);
    return absl::OkStatus();
  }
  return scanner.ErrorAt(start,
                         absl::StrCat("unknown window field '", field, "'"));
}

}  // namespace

template <>
absl::StatusOr<bool> FieldCodec<Window>::Parse(std::string_view name,
                                               absl::string_view key,
                                               TextScanner& scanner,
                                               Window* value) {
  if (key != ToAbsl(name)) return false;
  value->Clear();
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  while (!scanner.TryConsume("}")) {
    TF_RETURN_IF_ERROR(ScanWindowField(scanner, value));
  }
  return true;
}

template <>
void FieldCodec<Window>::ToProto(std::string_view proto_name,
                                 const Window& value,
                                 HloInstructionProto* proto) {
  // XLA wants it even where it is empty, but for custom calls, which may have
  // none.
  if (value.dimensions_size() > 0 || proto->opcode() != "custom-call") {
    MessageToProto(proto_name, value, proto);
  }
}
template <>
absl::Status FieldCodec<Window>::FromProto(std::string_view proto_name,
                                           const HloInstructionProto& proto,
                                           Window* value) {
  return MessageFromProto(proto_name, proto, value);
}

// ConvolutionDimensionNumbers: b01f_01io->b01f -------------------------------

namespace {

// The labels of one operand, dimension i at character i.
std::string DimLabels(char first, int64_t first_dim, char second,
                      int64_t second_dim, const Ints& spatial) {
  const int64_t rank = spatial.size() + 2;
  std::string labels(rank, '?');
  auto put = [&](int64_t dim, char label) {
    if (dim >= 0 && dim < rank) labels[dim] = label;
  };
  put(first_dim, first);
  put(second_dim, second);
  for (int i = 0; i < spatial.size(); ++i) put(spatial[i], '0' + i);
  return labels;
}

// The inverse of DimLabels. False unless each label occurs once.
bool ReadDimLabels(absl::string_view labels, char first, int64_t* first_dim,
                   char second, int64_t* second_dim, Ints* spatial) {
  const int64_t rank = labels.size();
  if (rank < 2 || rank > 12) return false;
  spatial->Resize(rank - 2, -1);
  *first_dim = *second_dim = -1;
  for (int64_t i = 0; i < rank; ++i) {
    const char c = labels[i];
    int64_t number = i;
    if (c == first && *first_dim < 0) {
      *first_dim = number;
    } else if (c == second && *second_dim < 0) {
      *second_dim = number;
    } else if (c >= '0' && c < '0' + rank - 2 &&
               spatial->Get(c - '0') < 0) {
      spatial->Set(c - '0', number);
    } else {
      return false;
    }
  }
  return *first_dim >= 0 && *second_dim >= 0;
}

bool ReadConvolutionLabels(absl::string_view text,
                           ConvolutionDimensionNumbers* numbers) {
  std::vector<absl::string_view> sides = absl::StrSplit(text, "->");
  if (sides.size() != 2) return false;
  std::vector<absl::string_view> operands = absl::StrSplit(sides[0], '_');
  if (operands.size() != 2 || operands[0].size() != operands[1].size() ||
      operands[0].size() != sides[1].size()) {
    return false;
  }
  int64_t first = 0, second = 0;
  if (!ReadDimLabels(operands[0], 'b', &first, 'f', &second,
                     numbers->mutable_input_spatial_dimensions())) {
    return false;
  }
  numbers->set_input_batch_dimension(first);
  numbers->set_input_feature_dimension(second);
  if (!ReadDimLabels(operands[1], 'i', &first, 'o', &second,
                     numbers->mutable_kernel_spatial_dimensions())) {
    return false;
  }
  numbers->set_kernel_input_feature_dimension(first);
  numbers->set_kernel_output_feature_dimension(second);
  if (!ReadDimLabels(sides[1], 'b', &first, 'f', &second,
                     numbers->mutable_output_spatial_dimensions())) {
    return false;
  }
  numbers->set_output_batch_dimension(first);
  numbers->set_output_feature_dimension(second);
  return true;
}

}  // namespace

template <>
void FieldCodec<ConvolutionDimensionNumbers>::Print(
    std::string_view name, const ConvolutionDimensionNumbers& value,
    bool always, std::string* out) {
  PrintAttrName(name, out);
  absl::StrAppend(
      out,
      DimLabels('b', value.input_batch_dimension(), 'f',
                value.input_feature_dimension(),
                value.input_spatial_dimensions()),
      "_",
      DimLabels('i', value.kernel_input_feature_dimension(), 'o',
                value.kernel_output_feature_dimension(),
                value.kernel_spatial_dimensions()),
      "->",
      DimLabels('b', value.output_batch_dimension(), 'f',
                value.output_feature_dimension(),
                value.output_spatial_dimensions()));
}

template <>
absl::StatusOr<bool> FieldCodec<ConvolutionDimensionNumbers>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    ConvolutionDimensionNumbers* value) {
  if (key != ToAbsl(name)) return false;
  scanner.Peek();
  const size_t start = scanner.position();
  absl::string_view rest = scanner.text().substr(start);
  size_t length = 0;
  while (length < rest.size() &&
         (absl::ascii_isalnum(rest[length]) || rest[length] == '_' ||
          rest[length] == '-' || rest[length] == '>')) {
    ++length;
  }
  value->Clear();
  if (!ReadConvolutionLabels(rest.substr(0, length), value)) {
    return scanner.ErrorAt(start,
                           "expected dimension labels such as b01f_01io->b01f");
  }
  scanner.set_position(start + length);
  return true;
}

template <>
void FieldCodec<ConvolutionDimensionNumbers>::ToProto(
    std::string_view proto_name, const ConvolutionDimensionNumbers& value,
    HloInstructionProto* proto) {
  // Only a convolution, not every custom call, has them in the proto.
  if (value.ByteSizeLong() > 0) MessageToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<ConvolutionDimensionNumbers>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    ConvolutionDimensionNumbers* value) {
  return MessageFromProto(proto_name, proto, value);
}

// DotDimensionNumbers: four lists --------------------------------------------

template <>
void FieldCodec<DotDimensionNumbers>::Print(std::string_view name,
                                            const DotDimensionNumbers& value,
                                            bool always, std::string* out) {
  const bool batch = value.lhs_batch_dimensions_size() > 0 ||
                     value.rhs_batch_dimensions_size() > 0;
  if (batch) PrintInts("lhs_batch_dims", value.lhs_batch_dimensions(), out);
  PrintInts("lhs_contracting_dims", value.lhs_contracting_dimensions(), out);
  if (batch) PrintInts("rhs_batch_dims", value.rhs_batch_dimensions(), out);
  PrintInts("rhs_contracting_dims", value.rhs_contracting_dimensions(), out);
}

template <>
absl::StatusOr<bool> FieldCodec<DotDimensionNumbers>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    DotDimensionNumbers* value) {
  Ints* list = key == "lhs_contracting_dims"
                   ? value->mutable_lhs_contracting_dimensions()
               : key == "rhs_contracting_dims"
                   ? value->mutable_rhs_contracting_dimensions()
               : key == "lhs_batch_dims" ? value->mutable_lhs_batch_dimensions()
               : key == "rhs_batch_dims" ? value->mutable_rhs_batch_dimensions()
                                         : nullptr;
  if (list == nullptr) return false;
  TF_RETURN_IF_ERROR(ScanInts(scanner, list));
  return true;
}

template <>
void FieldCodec<DotDimensionNumbers>::ToProto(std::string_view proto_name,
                                              const DotDimensionNumbers& value,
                                              HloInstructionProto* proto) {
  MessageToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<DotDimensionNumbers>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    DotDimensionNumbers* value) {
  return MessageFromProto(proto_name, proto, value);
}

// RaggedDotDimensionNumbers: the lists of dot, and two more ------------------

template <>
void FieldCodec<RaggedDotDimensionNumbers>::Print(
    std::string_view name, const RaggedDotDimensionNumbers& value, bool always,
    std::string* out) {
  FieldCodec<DotDimensionNumbers>::Print(name, value.dot_dimension_numbers(),
                                         always, out);
  PrintInts("lhs_ragged_dims", value.lhs_ragged_dimensions(), out);
  if (value.rhs_group_dimensions_size() > 0) {
    PrintInts("rhs_group_dims", value.rhs_group_dimensions(), out);
  }
}

template <>
absl::StatusOr<bool> FieldCodec<RaggedDotDimensionNumbers>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    RaggedDotDimensionNumbers* value) {
  if (key == "lhs_ragged_dims") {
    TF_RETURN_IF_ERROR(
        ScanInts(scanner, value->mutable_lhs_ragged_dimensions()));
    return true;
  }
  if (key == "rhs_group_dims") {
    TF_RETURN_IF_ERROR(
        ScanInts(scanner, value->mutable_rhs_group_dimensions()));
    return true;
  }
  return FieldCodec<DotDimensionNumbers>::Parse(
      name, key, scanner, value->mutable_dot_dimension_numbers());
}

template <>
void FieldCodec<RaggedDotDimensionNumbers>::ToProto(
    std::string_view proto_name, const RaggedDotDimensionNumbers& value,
    HloInstructionProto* proto) {
  MessageToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<RaggedDotDimensionNumbers>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    RaggedDotDimensionNumbers* value) {
  return MessageFromProto(proto_name, proto, value);
}

// GatherDimensionNumbers -----------------------------------------------------

template <>
void FieldCodec<GatherDimensionNumbers>::Print(
    std::string_view name, const GatherDimensionNumbers& value, bool always,
    std::string* out) {
  PrintInts("offset_dims", value.offset_dims(), out);
  PrintInts("collapsed_slice_dims", value.collapsed_slice_dims(), out);
  PrintInts("start_index_map", value.start_index_map(), out);
  if (value.operand_batching_dims_size() > 0) {
    PrintInts("operand_batching_dims", value.operand_batching_dims(), out);
  }
  if (value.start_indices_batching_dims_size() > 0) {
    PrintInts("start_indices_batching_dims",
              value.start_indices_batching_dims(), out);
  }
  FieldCodec<int64_t>::Print("index_vector_dim", value.index_vector_dim(),
                             true, out);
}

template <>
absl::StatusOr<bool> FieldCodec<GatherDimensionNumbers>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    GatherDimensionNumbers* value) {
  if (key == "index_vector_dim") {
    TF_ASSIGN_OR_RETURN(int64_t dim, scanner.Int64());
    value->set_index_vector_dim(dim);
    return true;
  }
  Ints* list =
      key == "offset_dims" ? value->mutable_offset_dims()
      : key == "collapsed_slice_dims"
          ? value->mutable_collapsed_slice_dims()
      : key == "start_index_map" ? value->mutable_start_index_map()
      : key == "operand_batching_dims"
          ? value->mutable_operand_batching_dims()
      : key == "start_indices_batching_dims"
          ? value->mutable_start_indices_batching_dims()
          : nullptr;
  if (list == nullptr) return false;
  TF_RETURN_IF_ERROR(ScanInts(scanner, list));
  return true;
}

template <>
void FieldCodec<GatherDimensionNumbers>::ToProto(
    std::string_view proto_name, const GatherDimensionNumbers& value,
    HloInstructionProto* proto) {
  MessageToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<GatherDimensionNumbers>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    GatherDimensionNumbers* value) {
  return MessageFromProto(proto_name, proto, value);
}

// ScatterDimensionNumbers ----------------------------------------------------

template <>
void FieldCodec<ScatterDimensionNumbers>::Print(
    std::string_view name, const ScatterDimensionNumbers& value, bool always,
    std::string* out) {
  PrintInts("update_window_dims", value.update_window_dims(), out);
  PrintInts("inserted_window_dims", value.inserted_window_dims(), out);
  PrintInts("scatter_dims_to_operand_dims",
            value.scatter_dims_to_operand_dims(), out);
  if (value.input_batching_dims_size() > 0) {
    PrintInts("input_batching_dims", value.input_batching_dims(), out);
  }
  if (value.scatter_indices_batching_dims_size() > 0) {
    PrintInts("scatter_indices_batching_dims",
              value.scatter_indices_batching_dims(), out);
  }
  FieldCodec<int64_t>::Print("index_vector_dim", value.index_vector_dim(),
                             true, out);
}

template <>
absl::StatusOr<bool> FieldCodec<ScatterDimensionNumbers>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    ScatterDimensionNumbers* value) {
  if (key == "index_vector_dim") {
    TF_ASSIGN_OR_RETURN(int64_t dim, scanner.Int64());
    value->set_index_vector_dim(dim);
    return true;
  }
  Ints* list =
      key == "update_window_dims" ? value->mutable_update_window_dims()
      : key == "inserted_window_dims"
          ? value->mutable_inserted_window_dims()
      : key == "scatter_dims_to_operand_dims"
          ? value->mutable_scatter_dims_to_operand_dims()
      : key == "input_batching_dims" ? value->mutable_input_batching_dims()
      : key == "scatter_indices_batching_dims"
          ? value->mutable_scatter_indices_batching_dims()
          : nullptr;
  if (list == nullptr) return false;
  TF_RETURN_IF_ERROR(ScanInts(scanner, list));
  return true;
}

template <>
void FieldCodec<ScatterDimensionNumbers>::ToProto(
    std::string_view proto_name, const ScatterDimensionNumbers& value,
    HloInstructionProto* proto) {
  MessageToProto(proto_name, value, proto);
}
template <>
absl::Status FieldCodec<ScatterDimensionNumbers>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    ScatterDimensionNumbers* value) {
  return MessageFromProto(proto_name, proto, value);
}

// std::vector<SliceRange>: {[0:4], [1:9:2]} ----------------------------------

template <>
void FieldCodec<std::vector<SliceRange>>::Print(
    std::string_view name, const std::vector<SliceRange>& value, bool always,
    std::string* out) {
  PrintAttrName(name, out);
  out->push_back('{');
  for (size_t i = 0; i < value.size(); ++i) {
    absl::StrAppend(out, i > 0 ? ", [" : "[", value[i].start, ":",
                    value[i].limit);
    if (value[i].stride != 1) absl::StrAppend(out, ":", value[i].stride);
    out->push_back(']');
  }
  out->push_back('}');
}

template <>
absl::StatusOr<bool> FieldCodec<std::vector<SliceRange>>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    std::vector<SliceRange>* value) {
  if (key != ToAbsl(name)) return false;
  value->clear();
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    SliceRange range;
    TF_RETURN_IF_ERROR(scanner.Consume("["));
    TF_ASSIGN_OR_RETURN(range.start, scanner.Int64());
    TF_RETURN_IF_ERROR(scanner.Consume(":"));
    TF_ASSIGN_OR_RETURN(range.limit, scanner.Int64());
    if (scanner.TryConsume(":")) {
      TF_ASSIGN_OR_RETURN(range.stride, scanner.Int64());
    }
    value->push_back(range);
    return scanner.Consume("]");
  }));
  return true;
}

template <>
void FieldCodec<std::vector<SliceRange>>::ToProto(
    std::string_view proto_name, const std::vector<SliceRange>& value,
    HloInstructionProto* proto) {
  proto->clear_slice_dimensions();
  for (const SliceRange& range : value) {
    auto* d = proto->add_slice_dimensions();
    d->set_start(range.start);
    d->set_limit(range.limit);
    d->set_stride(range.stride);
  }
}

template <>
absl::Status FieldCodec<std::vector<SliceRange>>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    std::vector<SliceRange>* value) {
  value->clear();
  for (const auto& d : proto.slice_dimensions()) {
    value->push_back({d.start(), d.limit(), d.stride()});
  }
  return absl::OkStatus();
}

}  // namespace xla
