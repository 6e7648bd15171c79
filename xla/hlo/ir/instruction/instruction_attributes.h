// InstructionAttributes: the part of HloInstruction that reads and writes the
// attributes of ops, each under the name that XLA gives it.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ATTRIBUTES_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ATTRIBUTES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloComputation;
class HloInstruction;

// An attribute that the op does not have is a programmer error (CHECK).
// HloInstruction::attrs<A>() gives all attributes of an op at once.
class InstructionAttributes {
 public:
  // Values.
  int64_t parameter_number() const;
  const Literal& literal() const;
  // False for ops other than constants, and for a constant without a literal.
  bool HasLiteral() const;
  int64_t tuple_index() const;
  int64_t iota_dimension() const;

  // Dimensions. dimensions() is that of broadcast, concatenate, iota, map,
  // reduce, reverse, scan, sort, transpose, the size of a dimension and the
  // collectives that have some.
  absl::Span<const int64_t> dimensions() const;
  int64_t dimensions(int64_t index) const { return dimensions()[index]; }
  std::vector<int64_t>* mutable_dimensions();
  int64_t dimension() const { return dimensions(0); }
  int64_t concatenate_dimension() const { return dimensions(0); }
  int64_t sort_dimension() const { return dimensions(0); }
  int64_t inferred_dimension() const;  // of a reshape; -1 if there is none

  // Slices, one element for each dimension.
  std::vector<int64_t> slice_starts() const;
  std::vector<int64_t> slice_limits() const;
  std::vector<int64_t> slice_strides() const;
  int64_t slice_starts(int64_t dimension) const;
  int64_t slice_limits(int64_t dimension) const;
  int64_t slice_strides(int64_t dimension) const;
  const std::vector<int64_t>& dynamic_slice_sizes() const;
  int64_t slice_sizes(int64_t dimension) const {
    return dynamic_slice_sizes()[dimension];
  }
  const std::vector<int64_t>& gather_slice_sizes() const;
  const PaddingConfig& padding_config() const;
  PaddingConfig* mutable_padding_config();

  // Windows and dimension numbers.
  const Window& window() const;
  void set_window(const Window& window);
  const GatherDimensionNumbers& gather_dimension_numbers() const;
  const ScatterDimensionNumbers& scatter_dimension_numbers() const;
  const DotDimensionNumbers& dot_dimension_numbers() const;
  const RaggedDotDimensionNumbers& ragged_dot_dimension_numbers() const;
  const ConvolutionDimensionNumbers& convolution_dimension_numbers() const;
  void set_convolution_dimension_numbers(
      const ConvolutionDimensionNumbers& dnums);
  int64_t feature_group_count() const;
  void set_feature_group_count(int64_t count);
  int64_t batch_group_count() const;
  void set_batch_group_count(int64_t count);
  const PrecisionConfig& precision_config() const;
  PrecisionConfig* mutable_precision_config();
  bool indices_are_sorted() const;
  bool unique_indices() const;

  // Numbers.
  ComparisonDirection comparison_direction() const;
  ComparisonOrder comparison_order() const;
  Comparison::Type comparison_type() const;
  int64_t exponent_bits() const;
  int64_t mantissa_bits() const;
  float epsilon() const;
  int64_t feature_index() const;
  bool is_stable() const;
  int64_t k() const;
  bool largest() const;
  FftType fft_type() const;
  const std::vector<int64_t>& fft_length() const;
  RandomDistribution random_distribution() const;
  RandomAlgorithm algorithm() const;
  int64_t delta() const;
  const TriangularSolveOptions& triangular_solve_options() const;
  const CholeskyOptions& cholesky_options() const;
  // The default accuracy where the op has none.
  const ResultAccuracy& result_accuracy() const;
  bool has_result_accuracy() const;
  void set_result_accuracy(ResultAccuracy result_accuracy);

  // Devices.
  std::optional<int64_t> channel_id() const;
  void set_channel_id(const std::optional<int64_t>& channel_id);
  std::vector<ReplicaGroup> replica_groups() const;
  const SourceTargetPairs& source_target_pairs() const;
  bool constrain_layout() const;
  bool use_global_device_ids() const;
  bool is_host_transfer() const;
  const std::string& infeed_config() const;
  void set_infeed_config(const std::string& config);
  const std::string& outfeed_config() const;
  void set_outfeed_config(const std::string& config);
  const Shape& outfeed_shape() const;
  absl::string_view async_execution_thread() const;

  // Calls.
  const std::string& custom_call_target() const;
  void set_custom_call_target(absl::string_view target);
  bool custom_call_has_side_effect() const;
  void set_custom_call_has_side_effect(bool has_side_effect);
  CustomCallApiVersion api_version() const;
  void set_api_version(CustomCallApiVersion api_version);
  CustomCallSchedule custom_call_schedule() const;
  PaddingType padding_type() const;
  bool layout_constrained() const;
  const std::vector<Shape>& operand_shapes_with_layout() const;
  const std::string& opaque() const;
  std::vector<std::pair<ShapeIndex, std::pair<int64_t, ShapeIndex>>>
  output_operand_aliasing() const;
  void set_output_to_operand_aliasing(
      std::vector<std::pair<ShapeIndex, std::pair<int64_t, ShapeIndex>>>
          aliasing);
  FusionKind fusion_kind() const;
  void set_fusion_kind(FusionKind kind);

 protected:
  ~InstructionAttributes() = default;

 private:
  const HloInstruction& self() const;
  HloInstruction& self();
};

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ATTRIBUTES_H_
