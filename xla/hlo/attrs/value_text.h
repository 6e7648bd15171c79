// Text of single attribute values under XLA's names, as HLO text has it, and
// back. The codecs of the attributes define the spelling.
#ifndef XLA_HLO_ATTRS_VALUE_TEXT_H_
#define XLA_HLO_ATTRS_VALUE_TEXT_H_

#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// "1_2x0_0_3".
std::string PaddingConfigToString(const PaddingConfig& padding);
// "b01f_01io->b01f".
std::string ConvolutionDimensionNumbersToString(
    const ConvolutionDimensionNumbers& dnums);
// "lhs_contracting_dims={1}, rhs_contracting_dims={0}".
std::string DotDimensionNumbersToString(const DotDimensionNumbers& dnums);
std::string RaggedDotDimensionNumbersToString(
    const RaggedDotDimensionNumbers& dnums);
// "offset_dims={1}, collapsed_slice_dims={0}, ..., index_vector_dim=1".
std::string GatherDimensionNumbersToString(const GatherDimensionNumbers& dnums);
std::string ScatterDimensionNumbersToString(
    const ScatterDimensionNumbers& dnums);
// "{a="b",c={"json": 1}}".
std::string FrontendAttributesToString(
    const FrontendAttributes& frontend_attributes);
// "{visualizing_index=1,flops=3.5}"; "{}" for no statistics.
std::string StatisticsVizToString(const StatisticsViz& statistics_viz);
// "tolerance={atol=0,rtol=0.5,ulps=2}".
std::string ResultAccuracyToleranceToString(
    const ResultAccuracy::Tolerance& tolerance);

// Words in lower case, such as "rng_default", "highest" and "dot_f32_f32_f32";
// of kinds of fusions "kLoop" and so on. An enumerator that the schema does not
// have is "".
absl::string_view ToString(FusionKind kind);
std::string RandomAlgorithmToString(const RandomAlgorithm& algorithm);
std::string RandomDistributionToString(const RandomDistribution& distribution);
std::string PrecisionToString(const PrecisionConfig::Precision& precision);
std::string AlgorithmToString(const PrecisionConfig::Algorithm& algorithm);
std::string ResultAccuracyToString(ResultAccuracy::Mode accuracy_mode);

// The inverses, which read words in any case but those of fusions. Errors:
// InvalidArgument for a word that is none of them.
absl::StatusOr<FusionKind> StringToFusionKind(absl::string_view kind_name);
absl::StatusOr<RandomAlgorithm> StringToRandomAlgorithm(
    const std::string& name);
absl::StatusOr<RandomDistribution> StringToRandomDistribution(
    const std::string& name);
absl::StatusOr<PrecisionConfig::Precision> StringToPrecision(
    const std::string& name);
absl::StatusOr<PrecisionConfig::Algorithm> StringToAlgorithm(
    const std::string& name);
absl::StatusOr<ResultAccuracy::Mode> StringToResultAccuracy(
    absl::string_view name);
absl::StatusOr<CustomCallSchedule> StringToCustomCallSchedule(
    absl::string_view name);
absl::StatusOr<CustomCallApiVersion> StringToCustomCallApiVersion(
    absl::string_view name);

std::ostream& operator<<(std::ostream& out, FusionKind kind);

// Whether the mode is one that the schema has, and no tolerance is negative.
bool IsValidResultAccuracy(const ResultAccuracy& result_accuracy);

}  // namespace xla

#endif  // XLA_HLO_ATTRS_VALUE_TEXT_H_
