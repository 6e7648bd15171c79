// Codecs of windows, padding and slices: a few numbers per dimension.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/window_math.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla {

// PaddingConfig: 0_1x-1_2_3, low_high or low_high_interior per dimension ----

template <>
void FieldCodec<PaddingConfig>::Print(std::string_view name,
                                      const PaddingConfig& value, bool always,
                                      std::string* out) {
  PrintAttrName(name, out);
  const bool interior =
      std::any_of(value.dimensions().begin(), value.dimensions().end(),
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
  // The padding of a scalar is empty.
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

// Sets one value in each dimension of `window`. If this is the first list,
// makes the dimensions first, with XLA's defaults.
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
    if (std::any_of(values.begin(), values.end(),
                    [](int64_t v) { return v != 0 && v != 1; })) {
      return scanner.ErrorAt(start, "rhs_reversal is 0 or 1 per dimension");
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

// std::vector<SliceRange>: {[0:4], [1:9:2]} ----------------------------------

template <>
void FieldCodec<std::vector<SliceRange>>::Print(
    std::string_view name, const std::vector<SliceRange>& value, bool always,
    std::string* out) {
  PrintAttrName(name, out);
  out->push_back('{');
  // The strides of all dimensions, or of none.
  const bool strided = std::any_of(
      value.begin(), value.end(),
      [](const SliceRange& range) { return range.stride != 1; });
  for (size_t i = 0; i < value.size(); ++i) {
    absl::StrAppend(out, i > 0 ? ", [" : "[", value[i].start, ":",
                    value[i].limit);
    if (strided) absl::StrAppend(out, ":", value[i].stride);
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
