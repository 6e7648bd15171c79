// Text of metadata, frontend attributes, backend configs and statistics.
// Stack frames are in stack_frame_text.cc.
#include "xla/hlo/attrs/annotation_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/codec_text.h"

namespace xla {

size_t EndOfBraces(absl::string_view text) {
  if (text.empty() || text[0] != '{') return 0;
  size_t depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Reflection;

// The fields of OpMetadata that are printed, in this order. The payload and the
// profile types are not plain fields and have code of their own.
constexpr const char* kMetadataFields[] = {
    "op_type",           "op_name",         "source_file",
    "source_line",       "source_end_line", "source_column",
    "source_end_column", "profile_type",    "deduplicated_name",
    "stack_frame_id",    "scheduling_name", "metadata_payload"};
constexpr int kMetadataFieldCount = std::size(kMetadataFields);

// Returns the descriptor of field `i` of kMetadataFields in OpMetadata.
const FieldDescriptor* MetadataField(int i) {
  static const auto* const kFields = [] {
    auto* fields = new std::vector<const FieldDescriptor*>;
    for (const char* name : kMetadataFields) {
      fields->push_back(OpMetadata::descriptor()->FindFieldByName(name));
    }
    return fields;
  }();
  return (*kFields)[i];
}

// Prints a number without loss, in as few digits as possible.
std::string ShortestDouble(double value) {
  for (int digits : {6, 15}) {
    std::string text = absl::StrFormat("%.*g", digits, value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return absl::StrFormat("%.17g", value);
}

// Prints text in braces as it is, anything else as a quoted string.
void PrintBracedOrQuoted(const std::string& text, std::string* out) {
  if (!text.empty() && EndOfBraces(text) == text.size()) {
    out->append(text);
  } else {
    PrintQuoted(text, out);
  }
}

absl::StatusOr<std::string> ScanBracedOrQuoted(TextScanner& scanner) {
  if (scanner.Peek() != '{') return scanner.QuotedString();
  const size_t start = scanner.position();
  absl::string_view rest = scanner.text().substr(start);
  const size_t length = EndOfBraces(rest);
  if (length == 0) return scanner.Error("no \"}\" closes this \"{\"");
  scanner.set_position(start + length);
  return std::string(rest.substr(0, length));
}

absl::Status ScanMetadataField(TextScanner& scanner, int field,
                               OpMetadata* metadata) {
  const absl::string_view name = kMetadataFields[field];
  if (name == "metadata_payload") {
    TF_ASSIGN_OR_RETURN(std::string payload, scanner.QuotedString());
    metadata->mutable_metadata_payload()->set_value(std::move(payload));
    return absl::OkStatus();
  }
  const size_t start = scanner.position();
  if (name == "profile_type") {
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> types, ScanIntList(scanner));
    for (int64_t type : types) {
      if (type != static_cast<int>(type) ||
          !ProfileType_IsValid(static_cast<int>(type))) {
        return scanner.ErrorAt(start,
                               absl::StrCat("unknown profile type ", type));
      }
      metadata->add_profile_type(static_cast<ProfileType>(type));
    }
    return absl::OkStatus();
  }
  const Reflection* reflection = metadata->GetReflection();
  const FieldDescriptor* descriptor = MetadataField(field);
  if (descriptor->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    TF_ASSIGN_OR_RETURN(std::string value, scanner.QuotedString());
    reflection->SetString(metadata, descriptor, std::move(value));
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(int64_t value, scanner.Int64());
  if (value != static_cast<int32_t>(value)) {
    return scanner.ErrorAt(start, "the number does not fit in 32 bits");
  }
  reflection->SetInt32(metadata, descriptor, value);
  return absl::OkStatus();
}

void PrintStringField(absl::string_view name, const std::string& value,
                      absl::string_view& separator, std::string* out) {
  if (value.empty()) return;
  absl::StrAppend(out, separator, name, "=");
  PrintQuoted(value, out);
  separator = " ";
}

void PrintIntField(absl::string_view name, int64_t value,
                   absl::string_view& separator, std::string* out) {
  if (value == 0) return;
  absl::StrAppend(out, separator, name, "=", value);
  separator = " ";
}

}  // namespace

// Metadata ------------------------------------------------------------------

bool HasMetadataText(const OpMetadata& metadata) {
  return !metadata.op_name().empty() || !metadata.op_type().empty() ||
         !metadata.source_file().empty() || metadata.source_line() != 0 ||
         metadata.stack_frame_id() != 0 || metadata.source_end_line() != 0 ||
         metadata.source_column() != 0 || metadata.source_end_column() != 0 ||
         metadata.profile_type_size() > 0 ||
         !metadata.deduplicated_name().empty() ||
         !metadata.scheduling_name().empty() ||
         !metadata.metadata_payload().value().empty();
}

void PrintMetadata(const OpMetadata& metadata, std::string* out) {
  absl::string_view gap;
  out->push_back('{');
  PrintStringField("op_type", metadata.op_type(), gap, out);
  PrintStringField("op_name", metadata.op_name(), gap, out);
  PrintStringField("source_file", metadata.source_file(), gap, out);
  PrintIntField("source_line", metadata.source_line(), gap, out);
  PrintIntField("source_end_line", metadata.source_end_line(), gap, out);
  PrintIntField("source_column", metadata.source_column(), gap, out);
  PrintIntField("source_end_column", metadata.source_end_column(), gap, out);
  if (metadata.profile_type_size() > 0) {
    absl::StrAppend(out, gap, "profile_type=");
    PrintIntList(std::vector<int64_t>(metadata.profile_type().begin(),
                                      metadata.profile_type().end()),
                 out);
    gap = " ";
  }
  PrintStringField("deduplicated_name", metadata.deduplicated_name(), gap, out);
  PrintIntField("stack_frame_id", metadata.stack_frame_id(), gap, out);
  PrintStringField("scheduling_name", metadata.scheduling_name(), gap, out);
  PrintStringField("metadata_payload", metadata.metadata_payload().value(), gap,
                   out);
  out->push_back('}');
}

absl::StatusOr<OpMetadata> ScanMetadata(TextScanner& scanner) {
  OpMetadata metadata;
  uint32_t seen = 0;
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  while (!scanner.TryConsume("}")) {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(absl::string_view name, scanner.Name());
    const int field = std::find(std::begin(kMetadataFields),
                                std::end(kMetadataFields), name) -
                      std::begin(kMetadataFields);
    if (field == kMetadataFieldCount) {
      return scanner.ErrorAt(
          start, absl::StrCat("metadata has no field '", name, "'"));
    }
    if ((seen >> field & 1) != 0) {
      return scanner.ErrorAt(
          start, absl::StrCat("metadata field '", name, "' occurs twice"));
    }
    seen |= 1u << field;
    TF_RETURN_IF_ERROR(scanner.Consume("="));
    TF_RETURN_IF_ERROR(ScanMetadataField(scanner, field, &metadata));
    scanner.TryConsume(",");
  }
  return metadata;
}

// Frontend attributes, backend config ---------------------------------------

void PrintFrontendAttributes(const FrontendAttributes& attributes,
                             std::string* out) {
  std::vector<std::pair<absl::string_view, const std::string*>> sorted;
  for (const auto& [key, value] : attributes.map()) {
    sorted.push_back({key, &value});
  }
  std::sort(sorted.begin(), sorted.end());
  absl::string_view separator = "{";
  for (const auto& [key, value] : sorted) {
    absl::StrAppend(out, separator, key, "=");
    PrintBracedOrQuoted(*value, out);
    separator = ",";
  }
  out->append(sorted.empty() ? "{}" : "}");
}

absl::StatusOr<FrontendAttributes> ScanFrontendAttributes(
    TextScanner& scanner) {
  FrontendAttributes attributes;
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(absl::string_view key, scanner.Name());
    TF_RETURN_IF_ERROR(scanner.Consume("="));
    TF_ASSIGN_OR_RETURN(std::string value, ScanBracedOrQuoted(scanner));
    if (!attributes.mutable_map()
             ->insert({std::string(key), std::move(value)})
             .second) {
      return scanner.ErrorAt(
          start, absl::StrCat("frontend attribute '", key, "' occurs twice"));
    }
    return absl::OkStatus();
  }));
  return attributes;
}

void PrintBackendConfig(const std::string& config, std::string* out) {
  PrintBracedOrQuoted(config, out);
}

absl::StatusOr<std::string> ScanBackendConfig(TextScanner& scanner) {
  return ScanBracedOrQuoted(scanner);
}

// Statistics ----------------------------------------------------------------

void PrintStatistics(const StatisticsViz& statistics, std::string* out) {
  absl::StrAppend(out,
                  "{visualizing_index=", statistics.stat_index_to_visualize());
  for (const Statistic& statistic : statistics.statistics()) {
    absl::StrAppend(out, ",", statistic.stat_name(), "=",
                    ShortestDouble(statistic.stat_val()));
  }
  out->push_back('}');
}

absl::StatusOr<StatisticsViz> ScanStatistics(TextScanner& scanner) {
  StatisticsViz statistics;
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  if (scanner.TryConsume("}")) return statistics;
  TF_RETURN_IF_ERROR(scanner.Consume("visualizing_index"));
  TF_RETURN_IF_ERROR(scanner.Consume("="));
  TF_ASSIGN_OR_RETURN(int64_t index, scanner.Int64());
  statistics.set_stat_index_to_visualize(index);
  while (scanner.TryConsume(",")) {
    Statistic* statistic = statistics.add_statistics();
    TF_ASSIGN_OR_RETURN(absl::string_view name, scanner.Name());
    statistic->set_stat_name(std::string(name));
    TF_RETURN_IF_ERROR(scanner.Consume("="));
    TF_ASSIGN_OR_RETURN(double value, scanner.Double());
    statistic->set_stat_val(value);
  }
  TF_RETURN_IF_ERROR(scanner.Consume("}"));
  return statistics;
}

}  // namespace xla
