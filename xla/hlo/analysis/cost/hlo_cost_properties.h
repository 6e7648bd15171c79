// HloCostProperties: the numbers that HloCostAnalysis finds for an instruction
// or a computation, by name; HloCostOptions: what it is told of the hardware.
#ifndef XLA_HLO_ANALYSIS_COST_HLO_COST_PROPERTIES_H_
#define XLA_HLO_ANALYSIS_COST_HLO_COST_PROPERTIES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/container/btree_map.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"

namespace xla {

// A map from names to numbers in which every name is present, most with 0. The
// names that every analysis uses are found without a search. Copies are deep.
class HloCostProperties {
 public:
  static constexpr absl::string_view kFlopsKey = "flops";
  static constexpr absl::string_view kTranscendentalsKey = "transcendentals";
  static constexpr absl::string_view kBytesAccessedKey = "bytes accessed";
  static constexpr absl::string_view kOptimalSecondsKey = "optimal_seconds";
  static constexpr absl::string_view kUtilizationKey = "utilization";
  // For subclasses of HloCostAnalysis to use as they like.
  static constexpr absl::string_view kReserved0Key = "reserved0";

  // "bytes accessed1{0}", "utilization1{0}", "bytes accessedout{0}": the part
  // at `index` of operand 1 and of the result.
  static std::string OperandBytesAccessedKey(int64_t operand,
                                             const ShapeIndex& index);
  static std::string OperandUtilizationKey(int64_t operand,
                                           const ShapeIndex& index);
  static std::string OutputBytesAccessedKey(const ShapeIndex& index);

  float& operator[](absl::string_view key) {
    const size_t position = PositionOf(key);
    return position < kKnownKeys.size() ? known_[position] : Named(key);
  }
  float operator[](absl::string_view key) const {
    const size_t position = PositionOf(key);
    if (position < kKnownKeys.size()) return known_[position];
    const auto it = named_.find(key);
    return it == named_.end() ? 0 : it->second;
  }

  // Calls `fn` with the name and the value of each number that is not 0.
  template <typename Fn>
  void ForEach(Fn&& fn) const {
    for (size_t i = 0; i < kKnownKeys.size(); ++i) {
      if (known_[i] != 0) fn(kKnownKeys[i], known_[i]);
    }
    for (const auto& [key, value] : named_) {
      if (value != 0) fn(absl::string_view(key), value);
    }
  }

  float operand_utilization(int64_t operand,
                            const ShapeIndex& shape_index = {}) const {
    return (*this)[OperandUtilizationKey(operand, shape_index)];
  }
  void set_operand_utilization(int64_t operand, float value) {
    set_operand_utilization(operand, {}, value);
  }
  void set_operand_utilization(int64_t operand, const ShapeIndex& shape_index,
                               float value) {
    (*this)[OperandUtilizationKey(operand, shape_index)] = value;
  }

  float operand_bytes_accessed(int64_t operand,
                               const ShapeIndex& shape_index = {}) const {
    return (*this)[OperandBytesAccessedKey(operand, shape_index)];
  }
  void set_operand_bytes_accessed(int64_t operand, float value) {
    set_operand_bytes_accessed(operand, {}, value);
  }
  void set_operand_bytes_accessed(int64_t operand,
                                  const ShapeIndex& shape_index, float value) {
    (*this)[OperandBytesAccessedKey(operand, shape_index)] = value;
  }

  float output_bytes_accessed(const ShapeIndex& shape_index = {}) const {
    return (*this)[OutputBytesAccessedKey(shape_index)];
  }
  void set_output_bytes_accessed(float value) {
    set_output_bytes_accessed({}, value);
  }
  void set_output_bytes_accessed(const ShapeIndex& shape_index, float value) {
    (*this)[OutputBytesAccessedKey(shape_index)] = value;
  }

  // Lists the names that every analysis uses; all others too if asked to.
  std::string ToString(bool print_named_properties = false) const;

 private:
  static constexpr auto kKnownKeys = std::to_array<absl::string_view>(
      {kFlopsKey, kTranscendentalsKey, kBytesAccessedKey, kOptimalSecondsKey,
       kUtilizationKey, "utilization0{}", "utilization1{}", "bytes accessed0{}",
       "bytes accessed1{}", "bytes accessedout{}", kReserved0Key});

  // Returns the size of kKnownKeys for other keys.
  static constexpr size_t PositionOf(absl::string_view key) {
    size_t i = 0;
    while (i < kKnownKeys.size() && kKnownKeys[i] != key) ++i;
    return i;
  }
  float& Named(absl::string_view key);

  std::array<float, kKnownKeys.size()> known_ = {};
  absl::btree_map<std::string, float> named_;
};

struct HloCostOptions {
  // Returns the bytes of a value of this shape, of tuples those of the table of
  // pointers alone.
  using ShapeSizeFunction = std::function<int64_t(const Shape&)>;
  static constexpr int64_t kDefaultPointerSize = 8;
  static int64_t DefaultShapeSize(const Shape& shape);

  ShapeSizeFunction shape_size = DefaultShapeSize;
  // How much of each property the hardware does in a second; 0 if unknown.
  HloCostProperties per_second_rates = {};
  // The least time that any amount of a property takes.
  HloCostProperties min_latencies_seconds = {};
  // Whether broadcasts and windows read an element each time they use it.
  bool count_multiple_input_accesses = false;

  void set_flops_per_second(float value) {
    per_second_rates[HloCostProperties::kFlopsKey] = value;
  }
  void set_flops_min_latency_second(float value) {
    min_latencies_seconds[HloCostProperties::kFlopsKey] = value;
  }
  void set_transcendentals_per_second(float value) {
    per_second_rates[HloCostProperties::kTranscendentalsKey] = value;
  }
  void set_bytes_per_second(float value) {
    per_second_rates[HloCostProperties::kBytesAccessedKey] = value;
  }
  void set_bytes_min_latency_second(float value) {
    min_latencies_seconds[HloCostProperties::kBytesAccessedKey] = value;
  }
  float per_second_rate(absl::string_view key) const {
    return per_second_rates[key];
  }
  float min_latency_seconds(absl::string_view key) const {
    return min_latencies_seconds[key];
  }
  std::string ToString() const;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_COST_HLO_COST_PROPERTIES_H_
