// Codecs of lists of slice sizes, and of structured sparsity.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla {

// std::vector<std::vector<int64_t>>: {{1,3},{2,2}} ---------------------------

using IntLists = std::vector<std::vector<int64_t>>;

template <>
void FieldCodec<IntLists>::Print(std::string_view name, const IntLists& value,
                                 bool always, std::string* out) {
  if (value.empty() && !always) return;
  PrintAttrName(name, out);
  out->push_back('{');
  for (size_t i = 0; i < value.size(); ++i) {
    if (i > 0) out->push_back(',');
    PrintIntList(value[i], out);
  }
  out->push_back('}');
}

template <>
absl::StatusOr<bool> FieldCodec<IntLists>::Parse(std::string_view name,
                                                 absl::string_view key,
                                                 TextScanner& scanner,
                                                 IntLists* value) {
  if (key != ToAbsl(name)) return false;
  value->clear();
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(value->emplace_back(), ScanIntList(scanner));
    return absl::OkStatus();
  }));
  return true;
}

// Protos concatenate the numbers of all lists. hlo_proto.cc, which knows how
// long each list is, splits them.
template <>
void FieldCodec<IntLists>::ToProto(std::string_view proto_name,
                                   const IntLists& value,
                                   HloInstructionProto* proto) {
  std::vector<int64_t> all;
  for (const auto& list : value)
    all.insert(all.end(), list.begin(), list.end());
  FieldCodec<std::vector<int64_t>>::ToProto(proto_name, all, proto);
}

template <>
absl::Status FieldCodec<IntLists>::FromProto(std::string_view proto_name,
                                             const HloInstructionProto& proto,
                                             IntLists* value) {
  std::vector<int64_t> all;
  TF_RETURN_IF_ERROR(
      FieldCodec<std::vector<int64_t>>::FromProto(proto_name, proto, &all));
  value->clear();
  if (!all.empty()) value->push_back(std::move(all));
  return absl::OkStatus();
}

// SparsityConfig: {lhs={sparsity=1x4 dimension=3 stride=0} rhs={...}} --------

namespace {

using TensorSparsity = SparsityConfig::TensorSparsityConfig;

void PrintTensorSparsity(absl::string_view side, const TensorSparsity& value,
                         std::string* out) {
  if (out->back() != '{') out->push_back(' ');
  absl::StrAppend(out, side, "={sparsity=", value.num_non_zero(), "x",
                  value.block_size(), " dimension=", value.dimension(),
                  " stride=", value.stride(), "}");
}

absl::Status ScanTensorSparsity(TextScanner& scanner, TensorSparsity* value) {
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  while (!scanner.TryConsume("}")) {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(absl::string_view key, scanner.Name());
    TF_RETURN_IF_ERROR(scanner.Consume("="));
    if (key == "sparsity") {
      TF_ASSIGN_OR_RETURN(std::vector<int64_t> pair,
                          ScanJoinedInts(scanner, 'x'));
      if (pair.size() != 2) {
        return scanner.ErrorAt(start, "expected sparsity=nonzeros x block");
      }
      value->set_num_non_zero(pair[0]);
      value->set_block_size(pair[1]);
    } else if (key == "dimension") {
      TF_ASSIGN_OR_RETURN(const int64_t dimension, scanner.Int64());
      value->set_dimension(dimension);
    } else if (key == "stride") {
      TF_ASSIGN_OR_RETURN(const int64_t stride, scanner.Int64());
      value->set_stride(stride);
    } else {
      return scanner.ErrorAt(start, "expected sparsity, dimension or stride");
    }
  }
  return absl::OkStatus();
}

}  // namespace

template <>
void FieldCodec<SparsityConfig>::Print(std::string_view name,
                                       const SparsityConfig& value, bool always,
                                       std::string* out) {
  if (!value.has_lhs() && !value.has_rhs()) return;
  PrintAttrName(name, out);
  out->push_back('{');
  if (value.has_lhs()) PrintTensorSparsity("lhs", value.lhs(), out);
  if (value.has_rhs()) PrintTensorSparsity("rhs", value.rhs(), out);
  out->push_back('}');
}

template <>
absl::StatusOr<bool> FieldCodec<SparsityConfig>::Parse(std::string_view name,
                                                       absl::string_view key,
                                                       TextScanner& scanner,
                                                       SparsityConfig* value) {
  if (key != ToAbsl(name)) return false;
  value->Clear();
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  while (!scanner.TryConsume("}")) {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(absl::string_view side, scanner.Name());
    TF_RETURN_IF_ERROR(scanner.Consume("="));
    if (side != "lhs" && side != "rhs") {
      return scanner.ErrorAt(start, "expected lhs or rhs");
    }
    TF_RETURN_IF_ERROR(ScanTensorSparsity(
        scanner, side == "lhs" ? value->mutable_lhs() : value->mutable_rhs()));
  }
  return true;
}

}  // namespace xla
