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
#include "xla/base/logging.h"
#include "xla/core/comparison.h"
#include "xla/core/layout.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloComputation;
class HloInstruction;

// One number of each dimension's range in a slice, seen as a pointer to a
// vector of them. The attributes of the slice must not move meanwhile.
class SliceNumbers {
 public:
  SliceNumbers(std::vector<SliceRange>* ranges, int64_t SliceRange::* number)
      : ranges_(ranges), number_(number) {}
  const SliceNumbers& operator*() const { return *this; }
  const SliceNumbers* operator->() const { return this; }
  size_t size() const { return ranges_->size(); }
  int64_t& operator[](size_t i) const { return (*ranges_)[i].*number_; }
  int64_t& at(size_t i) const {
    CHECK_LT(i, size());
    return (*this)[i];
  }

 private:
  std::vector<SliceRange>* ranges_;
  int64_t SliceRange::* number_;
};

// An attribute that the op does not have is a programmer error (CHECK).
// HloInstruction::attrs<A>() gives all attributes of an op at once.
class InstructionAttributes {
 public:
  // Values.
  int64_t parameter_number() const;
  // For each leaf, whether all replicas pass the same value; none is not known.
  std::optional<std::vector<bool>> parameter_replicated_at_leaf_buffers() const;
  void set_parameter_replicated_at_leaf_buffers(absl::Span<const bool> values);
  void set_parameter_replicated_at_leaf_buffers(
      const std::vector<bool>& values);
  const Literal& literal() const;
  // False for ops other than constants, and for a constant without a literal.
  bool HasLiteral() const;
  // Leaves a constant, whose value is known elsewhere, without its literal.
  void DropLiteral();
  // Gives a constant the layout, in its shape and in its literal.
  void RelayoutConstant(const Layout& new_layout,
                        const ShapeIndex& shape_index = {});
  int64_t tuple_index() const;
  void set_tuple_index(int64_t new_tuple_index);
  int64_t iota_dimension() const;

  // Dimensions. dimensions() is that of broadcast, concatenate, iota, map,
  // reduce, reverse, scan, sort, transpose, the size of a dimension and the
  // collectives that have some.
  absl::Span<const int64_t> dimensions() const;
  int64_t dimensions(int64_t index) const { return dimensions()[index]; }
  std::vector<int64_t>* mutable_dimensions();
  int64_t dimension() const { return dimensions(0); }
  void set_all_gather_dimension(int64_t d) { *mutable_dimensions() = {d}; }
  void set_split_dimension(int64_t d) { *mutable_dimensions() = {d}; }
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
  // To be used as pointers to vectors: (*hlo->mutable_slice_starts())[0] = 1.
  SliceNumbers mutable_slice_starts();
  SliceNumbers mutable_slice_limits();
  SliceNumbers mutable_slice_strides();
  const std::vector<int64_t>& dynamic_slice_sizes() const;
  int64_t slice_sizes(int64_t dimension) const {
    return dynamic_slice_sizes()[dimension];
  }
  // Of a collective-permute of four operands.
  const std::vector<std::vector<int64_t>>& dynamic_slice_sizes_list() const;
  const std::vector<int64_t>& gather_slice_sizes() const;
  const PaddingConfig& padding_config() const;
  PaddingConfig* mutable_padding_config();

  // Windows and dimension numbers.
  const Window& window() const;
  void set_window(const Window& window);
  const GatherDimensionNumbers& gather_dimension_numbers() const;
  const ScatterDimensionNumbers& scatter_dimension_numbers() const;
  const DotDimensionNumbers& dot_dimension_numbers() const;
  DotDimensionNumbers* mutable_dot_dimension_numbers();
  const RaggedDotDimensionNumbers& ragged_dot_dimension_numbers() const;
  RaggedDotDimensionNumbers* mutable_ragged_dot_dimension_numbers();
  const ConvolutionDimensionNumbers& convolution_dimension_numbers() const;
  void set_convolution_dimension_numbers(
      const ConvolutionDimensionNumbers& dnums);
  int64_t feature_group_count() const;
  void set_feature_group_count(int64_t count);
  int64_t batch_group_count() const;
  void set_batch_group_count(int64_t count);
  // Whether the op has one.
  bool SupportsPrecisionConfig() const;
  const PrecisionConfig& precision_config() const;
  PrecisionConfig* mutable_precision_config();
  bool indices_are_sorted() const;
  void set_indices_are_sorted(bool indices_are_sorted);
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
  void set_delta(int64_t delta);
  const TriangularSolveOptions& triangular_solve_options() const;
  const CholeskyOptions& cholesky_options() const;
  // The default accuracy where the op has none.
  const ResultAccuracy& result_accuracy() const;
  bool has_result_accuracy() const;
  void set_result_accuracy(ResultAccuracy result_accuracy);

  // Devices.
  std::optional<int64_t> channel_id() const;
  void set_channel_id(const std::optional<int64_t>& channel_id);
  const std::vector<ReplicaGroup>& replica_groups() const;
  // The same in the form that they have: a list, an iota, axes of a mesh.
  const CollectiveDeviceListBase& device_list() const;
  bool has_replica_groups() const;
  const SourceTargetPairs& source_target_pairs() const;
  bool constrain_layout() const;
  bool use_global_device_ids() const;
  void set_use_global_device_ids(bool value);
  bool is_host_transfer() const;
  const std::string& infeed_config() const;
  void set_infeed_config(const std::string& config);
  const std::string& outfeed_config() const;
  void set_outfeed_config(const std::string& config);
  const Shape& outfeed_shape() const;
  Shape* mutable_outfeed_shape();
  std::optional<int> cross_program_prefetch_index() const;
  absl::string_view async_execution_thread() const;

  // Calls.
  const std::string& custom_call_target() const;
  void set_custom_call_target(absl::string_view target);
  bool custom_call_has_side_effect() const;
  void set_custom_call_has_side_effect(bool has_side_effect);
  CustomCallApiVersion api_version() const;
  void set_api_version(CustomCallApiVersion api_version);
  CustomCallSchedule custom_call_schedule() const;
  void set_custom_call_schedule(CustomCallSchedule schedule);
  PaddingType padding_type() const;
  void set_padding_type(PaddingType padding_type);
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
