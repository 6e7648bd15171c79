// The names of numbers, and texts of all of them.
#include "xla/hlo/analysis/cost/hlo_cost_properties.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// What ToString calls the known keys.
constexpr auto kLabels = std::to_array<absl::string_view>(
    {"flops", "transcendentals", "bytes_accessed", "optimal_seconds",
     "utilization", "operand0_utilization", "operand1_utilization",
     "operand0_bytes_accessed", "operand1_bytes_accessed",
     "output_root_bytes_accessed", "reserved0"});

}  // namespace

std::string HloCostProperties::OperandBytesAccessedKey(
    int64_t operand, const ShapeIndex& index) {
  return absl::StrCat(kBytesAccessedKey, operand, index.ToString());
}

std::string HloCostProperties::OperandUtilizationKey(int64_t operand,
                                                     const ShapeIndex& index) {
  return absl::StrCat(kUtilizationKey, operand, index.ToString());
}

std::string HloCostProperties::OutputBytesAccessedKey(const ShapeIndex& index) {
  return absl::StrCat(kBytesAccessedKey, "out", index.ToString());
}

float& HloCostProperties::Named(absl::string_view key) {
  if (const auto it = named_.find(key); it != named_.end()) return it->second;
  return named_[std::string(key)];
}

std::string HloCostProperties::ToString(bool print_named_properties) const {
  static_assert(kLabels.size() == kKnownKeys.size());
  std::string text = "HloCostAnalysis::Properties{\n";
  const auto append = [&](absl::string_view label, float value) {
    absl::StrAppendFormat(&text, " %s: %f\n", label, value);
  };
  for (size_t i = 0; i < known_.size(); ++i) append(kLabels[i], known_[i]);
  if (print_named_properties) {
    for (const auto& [key, value] : named_) append(key, value);
  }
  return absl::StrCat(text, "}");
}

int64_t HloCostOptions::DefaultShapeSize(const Shape& shape) {
  return shape.IsOpaque() ? kDefaultPointerSize
                          : ShapeUtil::ByteSizeOf(shape, kDefaultPointerSize);
}

std::string HloCostOptions::ToString() const {
  return absl::StrFormat(
      "HloCostAnalysis::Options{\n per_second_rates: %s\n"
      " min_latency_seconds: %s\n count_multiple_input_accesses: %d\n}",
      per_second_rates.ToString(), min_latencies_seconds.ToString(),
      count_multiple_input_accesses);
}

}  // namespace xla
