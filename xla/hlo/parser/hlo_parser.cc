// The public functions; each reads all of its text.
#include "xla/hlo/parser/hlo_parser.h"

#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"
#include "xla/hlo/attrs/annotation_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/hlo/parser/module_builder.h"
#include "xla/hlo/parser/syntax_reader.h"

namespace xla {
namespace {

absl::Status CheckEnd(TextScanner& scanner) {
  if (scanner.AtEnd()) return absl::OkStatus();
  return scanner.Error("expected the end of the text");
}

// Returns what `scan` reads, which must be all of `str`.
template <typename T>
absl::StatusOr<T> ScanAll(absl::string_view str,
                          absl::StatusOr<T> (*scan)(TextScanner&)) {
  TextScanner scanner(str);
  TF_ASSIGN_OR_RETURN(T value, scan(scanner));
  TF_RETURN_IF_ERROR(CheckEnd(scanner));
  return value;
}

// Parses all of `str` as an attribute of type T.
template <typename T>
absl::StatusOr<T> ParseField(absl::string_view str) {
  TextScanner scanner(str);
  T value;
  TF_RETURN_IF_ERROR(
      FieldCodec<T>::kDef.parse("value", "value", scanner, &value).status());
  TF_RETURN_IF_ERROR(CheckEnd(scanner));
  return value;
}

}  // namespace

absl::StatusOr<std::unique_ptr<HloModule>> ParseAndReturnUnverifiedModule(
    absl::string_view str, const HloModuleConfig& config,
    const HloParserOptions& options) {
  TextScanner scanner(str);
  TF_ASSIGN_OR_RETURN(ModuleSyntax syntax,
                      SyntaxReader(scanner, options).Read(config));
  return ModuleBuilder(scanner, std::move(syntax)).Build();
}

absl::StatusOr<HloSharding> ParseSharding(absl::string_view str) {
  TF_ASSIGN_OR_RETURN(const OpSharding proto, ScanAll(str, &ScanSharding));
  return HloSharding::FromProto(proto);
}

absl::StatusOr<FrontendAttributes> ParseFrontendAttributes(
    absl::string_view str) {
  return ScanAll(str, &ScanFrontendAttributes);
}

absl::StatusOr<StatisticsViz> ParseStatisticsViz(absl::string_view str) {
  return ScanAll(str, &ScanStatistics);
}

absl::StatusOr<std::vector<bool>> ParseParameterReplication(
    absl::string_view str) {
  TF_ASSIGN_OR_RETURN(ParameterReplication replication,
                      ParseField<ParameterReplication>(str));
  const auto& leaves = replication.replicated_at_leaf_buffers();
  return std::vector<bool>(leaves.begin(), leaves.end());
}

absl::StatusOr<Window> ParseWindow(absl::string_view str) {
  str = absl::StripAsciiWhitespace(str);
  if (!str.empty() && str[0] == '{') return ParseField<Window>(str);
  return ParseField<Window>(absl::StrCat("{", str, "}"));
}

absl::StatusOr<ConvolutionDimensionNumbers> ParseConvolutionDimensionNumbers(
    absl::string_view str) {
  return ParseField<ConvolutionDimensionNumbers>(str);
}

absl::StatusOr<PaddingConfig> ParsePaddingConfig(absl::string_view str) {
  return ParseField<PaddingConfig>(str);
}

absl::StatusOr<std::vector<ReplicaGroup>> ParseReplicaGroupsOnly(
    absl::string_view str) {
  TF_ASSIGN_OR_RETURN(const ReplicaGroups groups,
                      ParseField<ReplicaGroups>(str));
  return groups.device_list().replica_groups();
}

absl::StatusOr<CollectiveDeviceList> ParseCollectiveDeviceListOnly(
    absl::string_view str) {
  TF_ASSIGN_OR_RETURN(const ReplicaGroups groups,
                      ParseField<ReplicaGroups>(str));
  const CollectiveDeviceListBase& list = groups.device_list();
  if (const auto* iota = dynamic_cast<const IotaReplicaGroupList*>(&list)) {
    return CollectiveDeviceList(*iota);
  }
  return ConvertToV1CollectiveDeviceList(list);
}

}  // namespace xla
