// Codecs of dimension numbers.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/repeated_field.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Ints = google::protobuf::RepeatedField<int64_t>;

// One of the attributes as which dimension numbers are printed.
struct DimsField {
  const char* text_name;
  const char* proto_name;
  bool print_empty = true;
};
using DimsFields = absl::Span<const DimsField>;

const FieldDescriptor* FieldOf(const Message& message, const char* name) {
  return message.GetDescriptor()->FindFieldByName(name);
}

// Prints lists as name={1,2} and single numbers as name=1.
void PrintDims(const DimsField& field, const Message& message,
               std::string* out) {
  const FieldDescriptor* descriptor = FieldOf(message, field.proto_name);
  const auto* reflection = message.GetReflection();
  if (!descriptor->is_repeated()) {
    PrintAttrName(field.text_name, out);
    absl::StrAppend(out, reflection->GetInt64(message, descriptor));
    return;
  }
  const Ints& list = reflection->GetRepeatedField<int64_t>(message, descriptor);
  if (list.empty() && !field.print_empty) return;
  PrintAttrName(field.text_name, out);
  PrintIntList(list, out);
}

void PrintDims(DimsFields fields, const Message& message, std::string* out) {
  for (const DimsField& field : fields) PrintDims(field, message, out);
}

// Reads the value of `key` if it is one of `fields`; returns false otherwise.
absl::StatusOr<bool> ScanDims(DimsFields fields, absl::string_view key,
                              TextScanner& scanner, Message* message) {
  for (const DimsField& field : fields) {
    if (key != field.text_name) continue;
    const FieldDescriptor* descriptor = FieldOf(*message, field.proto_name);
    const auto* reflection = message->GetReflection();
    if (!descriptor->is_repeated()) {
      TF_ASSIGN_OR_RETURN(int64_t value, scanner.Int64());
      reflection->SetInt64(message, descriptor, value);
      return true;
    }
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> list, ScanIntList(scanner));
    reflection->MutableRepeatedField<int64_t>(message, descriptor)
        ->Assign(list.begin(), list.end());
    return true;
  }
  return false;
}

constexpr DimsField kDotFields[] = {
    {"lhs_batch_dims", "lhs_batch_dimensions", false},
    {"lhs_contracting_dims", "lhs_contracting_dimensions"},
    {"rhs_batch_dims", "rhs_batch_dimensions", false},
    {"rhs_contracting_dims", "rhs_contracting_dimensions"}};
constexpr DimsField kRaggedFields[] = {
    {"lhs_ragged_dims", "lhs_ragged_dimensions"},
    {"rhs_group_dims", "rhs_group_dimensions", false}};
constexpr DimsField kGatherFields[] = {
    {"offset_dims", "offset_dims"},
    {"collapsed_slice_dims", "collapsed_slice_dims"},
    {"start_index_map", "start_index_map"},
    {"operand_batching_dims", "operand_batching_dims", false},
    {"start_indices_batching_dims", "start_indices_batching_dims", false},
    {"index_vector_dim", "index_vector_dim"}};
constexpr DimsField kScatterFields[] = {
    {"update_window_dims", "update_window_dims"},
    {"inserted_window_dims", "inserted_window_dims"},
    {"scatter_dims_to_operand_dims", "scatter_dims_to_operand_dims"},
    {"input_batching_dims", "input_batching_dims", false},
    {"scatter_indices_batching_dims", "scatter_indices_batching_dims", false},
    {"index_vector_dim", "index_vector_dim"}};

}  // namespace

template <>
void FieldCodec<DotDimensionNumbers>::Print(std::string_view name,
                                            const DotDimensionNumbers& value,
                                            bool always, std::string* out) {
  PrintDims(kDotFields, value, out);
}

template <>
absl::StatusOr<bool> FieldCodec<DotDimensionNumbers>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    DotDimensionNumbers* value) {
  return ScanDims(kDotFields, key, scanner, value);
}

template <>
void FieldCodec<RaggedDotDimensionNumbers>::Print(
    std::string_view name, const RaggedDotDimensionNumbers& value, bool always,
    std::string* out) {
  PrintDims(kDotFields, value.dot_dimension_numbers(), out);
  PrintDims(kRaggedFields, value, out);
}

template <>
absl::StatusOr<bool> FieldCodec<RaggedDotDimensionNumbers>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    RaggedDotDimensionNumbers* value) {
  TF_ASSIGN_OR_RETURN(bool ragged,
                      ScanDims(kRaggedFields, key, scanner, value));
  if (ragged) return true;
  return ScanDims(kDotFields, key, scanner,
                  value->mutable_dot_dimension_numbers());
}

template <>
void FieldCodec<GatherDimensionNumbers>::Print(
    std::string_view name, const GatherDimensionNumbers& value, bool always,
    std::string* out) {
  PrintDims(kGatherFields, value, out);
}

template <>
absl::StatusOr<bool> FieldCodec<GatherDimensionNumbers>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    GatherDimensionNumbers* value) {
  return ScanDims(kGatherFields, key, scanner, value);
}

template <>
void FieldCodec<ScatterDimensionNumbers>::Print(
    std::string_view name, const ScatterDimensionNumbers& value, bool always,
    std::string* out) {
  PrintDims(kScatterFields, value, out);
}

template <>
absl::StatusOr<bool> FieldCodec<ScatterDimensionNumbers>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    ScatterDimensionNumbers* value) {
  return ScanDims(kScatterFields, key, scanner, value);
}

// ConvolutionDimensionNumbers: b01f_01io->b01f -------------------------------

namespace {

// The most dimensions that are printed with labels; protos may hold any number.
constexpr int64_t kMaxLabels = 64;

// Returns the labels of one operand, dimension i at character i; '?' marks
// dimensions that have no role.
std::string DimLabels(char first, int64_t first_dim, char second,
                      int64_t second_dim, const Ints& spatial) {
  int64_t last = std::max(first_dim, second_dim);
  for (int64_t dim : spatial) last = std::max(last, dim);
  last = std::max<int64_t>(last, spatial.size() + 1);
  const int64_t rank = std::min(last, kMaxLabels - 1) + 1;
  std::string labels(rank, '?');
  auto put = [&](int64_t dim, char label) {
    if (dim >= 0 && dim < rank) labels[dim] = label;
  };
  put(first_dim, first);
  put(second_dim, second);
  for (int i = 0; i < spatial.size(); ++i) put(spatial[i], '0' + i);
  return labels;
}

// Inverts DimLabels. Returns false unless each label occurs once.
bool ReadDimLabels(absl::string_view labels, char first, int64_t* first_dim,
                   char second, int64_t* second_dim, Ints* spatial) {
  const int64_t unknown = std::count(labels.begin(), labels.end(), '?');
  const int64_t length = labels.size();
  const int64_t rank = length - unknown;
  if (rank < 2 || rank > 12 || length > kMaxLabels) return false;
  spatial->Resize(rank - 2, -1);
  *first_dim = *second_dim = -1;
  for (int64_t i = 0; i < length; ++i) {
    const char c = labels[i];
    if (c == '?') continue;
    int64_t number = i;
    if (c == first && *first_dim < 0) {
      *first_dim = number;
    } else if (c == second && *second_dim < 0) {
      *second_dim = number;
    } else if (c >= '0' && c < '0' + rank - 2 && spatial->Get(c - '0') < 0) {
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
  if (operands.size() != 2) return false;
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
  return numbers->input_spatial_dimensions_size() ==
             numbers->kernel_spatial_dimensions_size() &&
         numbers->input_spatial_dimensions_size() ==
             numbers->output_spatial_dimensions_size();
}

}  // namespace

template <>
void FieldCodec<ConvolutionDimensionNumbers>::Print(
    std::string_view name, const ConvolutionDimensionNumbers& value,
    bool always, std::string* out) {
  PrintAttrName(name, out);
  absl::StrAppend(out,
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
          rest[length] == '-' || rest[length] == '>' || rest[length] == '?')) {
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

}  // namespace xla
