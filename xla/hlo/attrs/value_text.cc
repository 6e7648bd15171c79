// Prints single values with the codecs of attributes, and reads words.
#include "xla/hlo/attrs/value_text.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/generated_enum_reflection.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"
#include "xla/hlo/attrs/annotation_text.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"

namespace xla {
namespace {

constexpr std::string_view kName = "value";

// Returns the text of an attribute without its name.
template <typename T>
std::string ValueText(const T& value) {
  std::string out;
  FieldCodec<T>::Print(kName, value, /*always=*/true, &out);
  return std::string(
      absl::StripPrefix(out, absl::StrCat(", ", ToAbsl(kName), "=")));
}

// Returns the text of a value that is several attributes, each with its name.
template <typename T>
std::string PartsText(const T& value) {
  std::string out;
  FieldCodec<T>::Print(kName, value, /*always=*/true, &out);
  return std::string(absl::StripPrefix(out, ", "));
}

// Reads the whole of `text` as the value of an attribute.
template <typename T>
absl::StatusOr<T> ReadValue(absl::string_view text) {
  T value{};
  TextScanner scanner(text);
  TF_RETURN_IF_ERROR(
      FieldCodec<T>::Parse(kName, ToAbsl(kName), scanner, &value).status());
  if (!scanner.AtEnd()) {
    return InvalidArgument("'%s' is more than one word", text);
  }
  return value;
}

// Reads an enumerator whose name is `prefix` and `word` in upper case.
template <typename E>
absl::StatusOr<E> ReadEnumerator(absl::string_view word,
                                 absl::string_view prefix = "") {
  const auto* type = google::protobuf::GetEnumDescriptor<E>();
  const auto* entry =
      type->FindValueByName(absl::StrCat(prefix, absl::AsciiStrToUpper(word)));
  if (entry == nullptr) {
    return InvalidArgument("unknown %s '%s'", type->name(), word);
  }
  return static_cast<E>(entry->number());
}

template <typename E>
std::string EnumeratorText(E value, absl::string_view prefix = "") {
  const auto* entry =
      google::protobuf::GetEnumDescriptor<E>()->FindValueByNumber(value);
  if (entry == nullptr) return "";
  return absl::AsciiStrToLower(absl::StripPrefix(entry->name(), prefix));
}

}  // namespace

std::string PaddingConfigToString(const PaddingConfig& padding) {
  return ValueText(padding);
}
std::string ConvolutionDimensionNumbersToString(
    const ConvolutionDimensionNumbers& dnums) {
  return ValueText(dnums);
}
std::string DotDimensionNumbersToString(const DotDimensionNumbers& dnums) {
  return PartsText(dnums);
}
std::string RaggedDotDimensionNumbersToString(
    const RaggedDotDimensionNumbers& dnums) {
  return PartsText(dnums);
}
std::string GatherDimensionNumbersToString(
    const GatherDimensionNumbers& dnums) {
  return PartsText(dnums);
}
std::string ScatterDimensionNumbersToString(
    const ScatterDimensionNumbers& dnums) {
  return PartsText(dnums);
}
std::string FrontendAttributesToString(
    const FrontendAttributes& frontend_attributes) {
  std::string out;
  PrintFrontendAttributes(frontend_attributes, &out);
  return out;
}
std::string StatisticsVizToString(const StatisticsViz& statistics_viz) {
  if (statistics_viz.statistics().empty()) return "{}";
  std::string out;
  PrintStatistics(statistics_viz, &out);
  return out;
}
std::string ResultAccuracyToleranceToString(
    const ResultAccuracy::Tolerance& tolerance) {
  ResultAccuracy accuracy;
  *accuracy.mutable_tolerance() = tolerance;
  const std::string text = ValueText(accuracy);  // in braces
  return text.substr(1, text.size() - 2);
}

absl::string_view ToString(FusionKind kind) {
  static const auto* const kTexts = new std::string[]{
      ValueText(FusionKind::kLoop), ValueText(FusionKind::kInput),
      ValueText(FusionKind::kOutput), ValueText(FusionKind::kCustom)};
  return kTexts[static_cast<int>(kind)];
}
std::string RandomAlgorithmToString(const RandomAlgorithm& algorithm) {
  return ValueText(algorithm);
}
std::string RandomDistributionToString(const RandomDistribution& distribution) {
  return ValueText(distribution);
}
std::string PrecisionToString(const PrecisionConfig::Precision& precision) {
  return EnumeratorText(precision);
}
std::string AlgorithmToString(const PrecisionConfig::Algorithm& algorithm) {
  return EnumeratorText(algorithm, "ALG_");
}
std::string ResultAccuracyToString(ResultAccuracy::Mode accuracy_mode) {
  return EnumeratorText(accuracy_mode);
}

absl::StatusOr<FusionKind> StringToFusionKind(absl::string_view kind_name) {
  return ReadValue<FusionKind>(kind_name);
}
absl::StatusOr<RandomAlgorithm> StringToRandomAlgorithm(
    const std::string& name) {
  return ReadValue<RandomAlgorithm>(name);
}
absl::StatusOr<RandomDistribution> StringToRandomDistribution(
    const std::string& name) {
  return ReadValue<RandomDistribution>(name);
}
absl::StatusOr<PrecisionConfig::Precision> StringToPrecision(
    const std::string& name) {
  return ReadEnumerator<PrecisionConfig::Precision>(name);
}
absl::StatusOr<PrecisionConfig::Algorithm> StringToAlgorithm(
    const std::string& name) {
  return ReadEnumerator<PrecisionConfig::Algorithm>(name, "ALG_");
}
absl::StatusOr<ResultAccuracy::Mode> StringToResultAccuracy(
    absl::string_view name) {
  return ReadEnumerator<ResultAccuracy::Mode>(name);
}
absl::StatusOr<CustomCallSchedule> StringToCustomCallSchedule(
    absl::string_view name) {
  return ReadEnumerator<CustomCallSchedule>(name);
}
absl::StatusOr<CustomCallApiVersion> StringToCustomCallApiVersion(
    absl::string_view name) {
  return ReadEnumerator<CustomCallApiVersion>(name);
}

std::ostream& operator<<(std::ostream& out, FusionKind kind) {
  return out << ToString(kind);
}

bool IsValidResultAccuracy(const ResultAccuracy& result_accuracy) {
  const ResultAccuracy::Tolerance& tolerance = result_accuracy.tolerance();
  return ResultAccuracy::Mode_IsValid(result_accuracy.mode()) &&
         tolerance.rtol() >= 0 && tolerance.atol() >= 0 &&
         tolerance.ulps() >= 0;
}

}  // namespace xla
