// Finds an attribute in the attribute structs that have it.
#include "xla/hlo/ir/instruction/instruction_attributes.h"

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "xla/base/logging.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/device_attrs.h"
#include "xla/hlo/ops/device/transfers.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/ops/reduction/batch_norm.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

void CheckHas(const void* field, const HloInstruction& hlo,
              absl::string_view name) {
  CHECK(field != nullptr) << HloOpcodeString(hlo.opcode()) << " " << hlo.name()
                          << " has no " << name;
}

// Returns the field that `get` takes out of the op's attribute struct; null if
// that is none of A.
template <typename... A, typename Get>
auto* FindField(const HloInstruction& hlo, const Get& get) {
  using First = std::tuple_element_t<0, std::tuple<A...>>;
  std::remove_reference_t<decltype(get(std::declval<const First&>()))>* found =
      nullptr;
  const auto look = [&]<typename S>(std::type_identity<S>) {
    const S* attrs = hlo.raw_attrs().As<S>();
    if (attrs != nullptr) found = &get(*attrs);
  };
  (look(std::type_identity<A>()), ...);
  return found;
}

// The same of an op that has it (CHECK).
template <typename... A, typename Get>
auto& FieldOf(const HloInstruction& hlo, absl::string_view name,
              const Get& get) {
  auto* found = FindField<A...>(hlo, get);
  CheckHas(found, hlo, name);
  return *found;
}

// As FieldOf, to write it.
template <typename... A, typename Get>
auto& MutableFieldOf(HloInstruction& hlo, absl::string_view name,
                     const Get& get) {
  auto& field = FieldOf<A...>(hlo, name, get);
  return const_cast<
      std::remove_const_t<std::remove_reference_t<decltype(field)>>&>(field);
}

const PrecisionConfig* FindPrecisionConfig(const HloInstruction& hlo) {
  return FindField<DotAttrs, RaggedDotAttrs, ScaledDotAttrs, ConvolutionAttrs,
                   CustomCallAttrs>(
      hlo, [](const auto& a) -> auto& { return a.precision_config; });
}

// One number of each dimension's range.
std::vector<int64_t> OfSlices(const HloInstruction& hlo,
                              int64_t SliceRange::* number) {
  std::vector<int64_t> numbers;
  for (const SliceRange& range : hlo.attrs<SliceAttrs>().slice) {
    numbers.push_back(range.*number);
  }
  return numbers;
}

constexpr auto kDimensions = [](const auto& a) -> const std::vector<int64_t>& {
  return a.dimensions;
};

}  // namespace

const HloInstruction& InstructionAttributes::self() const {
  return static_cast<const HloInstruction&>(*this);
}
HloInstruction& InstructionAttributes::self() {
  return static_cast<HloInstruction&>(*this);
}

int64_t InstructionAttributes::parameter_number() const {
  return FieldOf<ParameterAttrs>(
      self(), "parameter_number",
      [](const auto& a) -> auto& { return a.number; });
}
std::optional<std::vector<bool>>
InstructionAttributes::parameter_replicated_at_leaf_buffers() const {
  const auto& values =
      self().attrs<ParameterAttrs>().replication.replicated_at_leaf_buffers();
  if (values.empty()) return std::nullopt;
  return std::vector<bool>(values.begin(), values.end());
}
void InstructionAttributes::set_parameter_replicated_at_leaf_buffers(
    absl::Span<const bool> values) {
  set_parameter_replicated_at_leaf_buffers(
      std::vector<bool>(values.begin(), values.end()));
}
void InstructionAttributes::set_parameter_replicated_at_leaf_buffers(
    const std::vector<bool>& values) {
  CHECK_EQ(static_cast<int64_t>(values.size()),
           ShapeUtil::GetLeafCount(self().shape()))
      << self().name();
  ParameterReplication& replication =
      self().mutable_attrs<ParameterAttrs>().replication;
  replication.Clear();
  for (bool value : values) replication.add_replicated_at_leaf_buffers(value);
}
const Literal& InstructionAttributes::literal() const {
  CHECK(HasLiteral()) << self().name() << " has no literal";
  return *self().attrs<ConstantAttrs>().literal.value;
}
bool InstructionAttributes::HasLiteral() const {
  const auto* constant = self().raw_attrs().As<ConstantAttrs>();
  return constant != nullptr && constant->literal.value != nullptr;
}
void InstructionAttributes::DropLiteral() {
  self().mutable_attrs<ConstantAttrs>().literal.value = nullptr;
}
void InstructionAttributes::RelayoutConstant(const Layout& new_layout,
                                             const ShapeIndex& shape_index) {
  CHECK(HasLiteral()) << self().name() << " has no literal";
  Shape* part =
      ShapeUtil::GetMutableSubshape(self().mutable_shape(), shape_index);
  CHECK(part->IsArray()) << self().name();
  *part->mutable_layout() = new_layout;
  const Shape& of_literal =
      ShapeUtil::GetSubshape(literal().shape(), shape_index);
  if (of_literal.layout() == new_layout) return;
  self().mutable_attrs<ConstantAttrs>().literal =
      literal().Relayout(new_layout, shape_index);
}
int64_t InstructionAttributes::tuple_index() const {
  return FieldOf<GetTupleElementAttrs>(
      self(), "tuple_index", [](const auto& a) -> auto& { return a.index; });
}
void InstructionAttributes::set_tuple_index(int64_t new_tuple_index) {
  self().mutable_attrs<GetTupleElementAttrs>().index = new_tuple_index;
}
int64_t InstructionAttributes::iota_dimension() const {
  return FieldOf<IotaAttrs>(
      self(), "iota_dimension",
      [](const auto& a) -> auto& { return a.iota_dimension; });
}

absl::Span<const int64_t> InstructionAttributes::dimensions() const {
  if (const auto* iota = self().raw_attrs().As<IotaAttrs>()) {
    return absl::MakeConstSpan(&iota->iota_dimension, 1);
  }
  return FieldOf<BroadcastAttrs, ConcatenateAttrs, TransposeAttrs, ReverseAttrs,
                 DimensionSizeAttrs, SortAttrs, ReduceAttrs, ScanAttrs,
                 MapAttrs, AllGatherAttrs, ReduceScatterAttrs, AllToAllAttrs>(
      self(), "dimensions", kDimensions);
}
std::vector<int64_t>* InstructionAttributes::mutable_dimensions() {
  return &MutableFieldOf<BroadcastAttrs, ConcatenateAttrs, TransposeAttrs,
                         ReverseAttrs, DimensionSizeAttrs, SortAttrs,
                         ReduceAttrs, ScanAttrs, MapAttrs, AllGatherAttrs,
                         ReduceScatterAttrs, AllToAllAttrs>(
      self(), "dimensions", kDimensions);
}
int64_t InstructionAttributes::inferred_dimension() const {
  return self().attrs<ReshapeAttrs>().inferred_dimension.value_or(-1);
}

std::vector<int64_t> InstructionAttributes::slice_starts() const {
  return OfSlices(self(), &SliceRange::start);
}
int64_t InstructionAttributes::slice_starts(int64_t dimension) const {
  return self().attrs<SliceAttrs>().slice[dimension].start;
}
std::vector<int64_t> InstructionAttributes::slice_limits() const {
  return OfSlices(self(), &SliceRange::limit);
}
int64_t InstructionAttributes::slice_limits(int64_t dimension) const {
  return self().attrs<SliceAttrs>().slice[dimension].limit;
}
std::vector<int64_t> InstructionAttributes::slice_strides() const {
  return OfSlices(self(), &SliceRange::stride);
}
int64_t InstructionAttributes::slice_strides(int64_t dimension) const {
  return self().attrs<SliceAttrs>().slice[dimension].stride;
}
SliceNumbers InstructionAttributes::mutable_slice_starts() {
  return {&self().mutable_attrs<SliceAttrs>().slice, &SliceRange::start};
}
SliceNumbers InstructionAttributes::mutable_slice_limits() {
  return {&self().mutable_attrs<SliceAttrs>().slice, &SliceRange::limit};
}
SliceNumbers InstructionAttributes::mutable_slice_strides() {
  return {&self().mutable_attrs<SliceAttrs>().slice, &SliceRange::stride};
}
const std::vector<std::vector<int64_t>>&
InstructionAttributes::dynamic_slice_sizes_list() const {
  return self().attrs<CollectivePermuteAttrs>().slice_sizes;
}
const std::vector<int64_t>& InstructionAttributes::dynamic_slice_sizes() const {
  return FieldOf<DynamicSliceAttrs>(
      self(), "dynamic_slice_sizes",
      [](const auto& a) -> auto& { return a.dynamic_slice_sizes; });
}
const std::vector<int64_t>& InstructionAttributes::gather_slice_sizes() const {
  return FieldOf<GatherAttrs>(
      self(), "gather_slice_sizes",
      [](const auto& a) -> auto& { return a.slice_sizes; });
}
const PaddingConfig& InstructionAttributes::padding_config() const {
  return FieldOf<PadAttrs>(self(), "padding_config",
                           [](const auto& a) -> auto& { return a.padding; });
}
PaddingConfig* InstructionAttributes::mutable_padding_config() {
  return &self().mutable_attrs<PadAttrs>().padding;
}

const Window& InstructionAttributes::window() const {
  return FieldOf<ConvolutionAttrs, ReduceWindowAttrs, SelectAndScatterAttrs,
                 CustomCallAttrs>(
      self(), "window", [](const auto& a) -> auto& { return a.window; });
}
void InstructionAttributes::set_window(const Window& value) {
  MutableFieldOf<ConvolutionAttrs, ReduceWindowAttrs, SelectAndScatterAttrs,
                 CustomCallAttrs>(self(), "window", [](const auto& a) -> auto& {
    return a.window;
  }) = value;
}
const GatherDimensionNumbers& InstructionAttributes::gather_dimension_numbers()
    const {
  return FieldOf<GatherAttrs>(
      self(), "gather_dimension_numbers",
      [](const auto& a) -> auto& { return a.dimension_numbers; });
}
const ScatterDimensionNumbers&
InstructionAttributes::scatter_dimension_numbers() const {
  return FieldOf<ScatterAttrs>(
      self(), "scatter_dimension_numbers",
      [](const auto& a) -> auto& { return a.dimension_numbers; });
}
const DotDimensionNumbers& InstructionAttributes::dot_dimension_numbers()
    const {
  return FieldOf<DotAttrs, ScaledDotAttrs>(
      self(), "dot_dimension_numbers",
      [](const auto& a) -> auto& { return a.dot_dimension_numbers; });
}
DotDimensionNumbers* InstructionAttributes::mutable_dot_dimension_numbers() {
  return const_cast<DotDimensionNumbers*>(&dot_dimension_numbers());
}
RaggedDotDimensionNumbers*
InstructionAttributes::mutable_ragged_dot_dimension_numbers() {
  return const_cast<RaggedDotDimensionNumbers*>(
      &ragged_dot_dimension_numbers());
}
const RaggedDotDimensionNumbers&
InstructionAttributes::ragged_dot_dimension_numbers() const {
  return FieldOf<RaggedDotAttrs>(
      self(), "ragged_dot_dimension_numbers",
      [](const auto& a) -> auto& { return a.ragged_dot_dimension_numbers; });
}
const ConvolutionDimensionNumbers&
InstructionAttributes::convolution_dimension_numbers() const {
  if (const auto* call = self().raw_attrs().As<CustomCallAttrs>()) {
    return call->dim_labels;
  }
  return self().attrs<ConvolutionAttrs>().convolution_dimension_numbers;
}
void InstructionAttributes::set_convolution_dimension_numbers(
    const ConvolutionDimensionNumbers& dnums) {
  if (auto* call = self().mutable_raw_attrs().As<CustomCallAttrs>()) {
    call->dim_labels = dnums;
    return;
  }
  self().mutable_attrs<ConvolutionAttrs>().convolution_dimension_numbers =
      dnums;
}
int64_t InstructionAttributes::feature_group_count() const {
  return FieldOf<ConvolutionAttrs, CustomCallAttrs>(
      self(), "feature_group_count",
      [](const auto& a) -> auto& { return a.feature_group_count; });
}
void InstructionAttributes::set_feature_group_count(int64_t value) {
  MutableFieldOf<ConvolutionAttrs, CustomCallAttrs>(
      self(), "feature_group_count",
      [](const auto& a) -> auto& { return a.feature_group_count; }) = value;
}
int64_t InstructionAttributes::batch_group_count() const {
  return FieldOf<ConvolutionAttrs, CustomCallAttrs>(
      self(), "batch_group_count",
      [](const auto& a) -> auto& { return a.batch_group_count; });
}
void InstructionAttributes::set_batch_group_count(int64_t value) {
  MutableFieldOf<ConvolutionAttrs, CustomCallAttrs>(
      self(), "batch_group_count",
      [](const auto& a) -> auto& { return a.batch_group_count; }) = value;
}
bool InstructionAttributes::SupportsPrecisionConfig() const {
  return FindPrecisionConfig(self()) != nullptr;
}
const PrecisionConfig& InstructionAttributes::precision_config() const {
  const PrecisionConfig* found = FindPrecisionConfig(self());
  CheckHas(found, self(), "precision_config");
  return *found;
}
PrecisionConfig* InstructionAttributes::mutable_precision_config() {
  return const_cast<PrecisionConfig*>(&precision_config());
}
bool InstructionAttributes::indices_are_sorted() const {
  return FieldOf<GatherAttrs, ScatterAttrs>(
      self(), "indices_are_sorted",
      [](const auto& a) -> auto& { return a.indices_are_sorted; });
}
void InstructionAttributes::set_indices_are_sorted(bool value) {
  MutableFieldOf<GatherAttrs, ScatterAttrs>(
      self(), "indices_are_sorted",
      [](const auto& a) -> auto& { return a.indices_are_sorted; }) = value;
}
bool InstructionAttributes::unique_indices() const {
  return FieldOf<ScatterAttrs>(
      self(), "unique_indices",
      [](const auto& a) -> auto& { return a.unique_indices; });
}

ComparisonDirection InstructionAttributes::comparison_direction() const {
  return FieldOf<CompareAttrs>(
      self(), "comparison_direction",
      [](const auto& a) -> auto& { return a.direction; });
}
Comparison::Type InstructionAttributes::comparison_type() const {
  return self().attrs<CompareAttrs>().type.value_or(
      DefaultComparisonType(self().operand(0)->shape().element_type()));
}
ComparisonOrder InstructionAttributes::comparison_order() const {
  return comparison_type() == Comparison::Type::kFloat
             ? ComparisonOrder::kPartial
             : ComparisonOrder::kTotal;
}
int64_t InstructionAttributes::exponent_bits() const {
  return FieldOf<ReducePrecisionAttrs>(
      self(), "exponent_bits",
      [](const auto& a) -> auto& { return a.exponent_bits; });
}
int64_t InstructionAttributes::mantissa_bits() const {
  return FieldOf<ReducePrecisionAttrs>(
      self(), "mantissa_bits",
      [](const auto& a) -> auto& { return a.mantissa_bits; });
}
float InstructionAttributes::epsilon() const {
  return FieldOf<BatchNormAttrs>(
      self(), "epsilon", [](const auto& a) -> auto& { return a.epsilon; });
}
int64_t InstructionAttributes::feature_index() const {
  return FieldOf<BatchNormAttrs>(
      self(), "feature_index",
      [](const auto& a) -> auto& { return a.feature_index; });
}
bool InstructionAttributes::is_stable() const {
  return FieldOf<SortAttrs, TopKAttrs>(
      self(), "is_stable", [](const auto& a) -> auto& { return a.is_stable; });
}
int64_t InstructionAttributes::k() const {
  return FieldOf<TopKAttrs>(self(), "k",
                            [](const auto& a) -> auto& { return a.k; });
}
bool InstructionAttributes::largest() const {
  return FieldOf<TopKAttrs>(self(), "largest",
                            [](const auto& a) -> auto& { return a.largest; });
}
FftType InstructionAttributes::fft_type() const {
  return FieldOf<FftAttrs>(self(), "fft_type",
                           [](const auto& a) -> auto& { return a.fft_type; });
}
const std::vector<int64_t>& InstructionAttributes::fft_length() const {
  return FieldOf<FftAttrs>(self(), "fft_length",
                           [](const auto& a) -> auto& { return a.fft_length; });
}
RandomDistribution InstructionAttributes::random_distribution() const {
  return FieldOf<RngAttrs>(
      self(), "random_distribution",
      [](const auto& a) -> auto& { return a.distribution; });
}
RandomAlgorithm InstructionAttributes::algorithm() const {
  return FieldOf<RngBitGeneratorAttrs>(
      self(), "algorithm", [](const auto& a) -> auto& { return a.algorithm; });
}
int64_t InstructionAttributes::delta() const {
  return FieldOf<RngGetAndUpdateStateAttrs>(
      self(), "delta", [](const auto& a) -> auto& { return a.delta; });
}
void InstructionAttributes::set_delta(int64_t delta) {
  self().mutable_attrs<RngGetAndUpdateStateAttrs>().delta = delta;
}
const TriangularSolveOptions& InstructionAttributes::triangular_solve_options()
    const {
  return FieldOf<TriangularSolveAttrs>(
      self(), "triangular_solve_options",
      [](const auto& a) -> auto& { return a.triangular_solve_options; });
}
const CholeskyOptions& InstructionAttributes::cholesky_options() const {
  return FieldOf<CholeskyAttrs>(
      self(), "cholesky_options",
      [](const auto& a) -> auto& { return a.cholesky_options; });
}
const ResultAccuracy& InstructionAttributes::result_accuracy() const {
  const auto* accuracy = self().raw_attrs().As<AccuracyAttrs>();
  return accuracy != nullptr ? accuracy->result_accuracy
                             : ResultAccuracy::default_instance();
}
bool InstructionAttributes::has_result_accuracy() const {
  const ResultAccuracy& accuracy = result_accuracy();
  return accuracy.has_tolerance() || accuracy.mode() != ResultAccuracy::DEFAULT;
}
void InstructionAttributes::set_result_accuracy(
    ResultAccuracy result_accuracy) {
  self().mutable_attrs<AccuracyAttrs>().result_accuracy =
      std::move(result_accuracy);
}

std::optional<int64_t> InstructionAttributes::channel_id() const {
  const std::optional<int64_t>* channel = ChannelOf(self().raw_attrs());
  CheckHas(channel, self(), "channel_id");
  return *channel;
}
void InstructionAttributes::set_channel_id(
    const std::optional<int64_t>& value) {
  std::optional<int64_t>* channel =
      MutableChannelOf(self().mutable_raw_attrs());
  CheckHas(channel, self(), "channel_id");
  *channel = value;
}
const std::vector<ReplicaGroup>& InstructionAttributes::replica_groups() const {
  return device_list().replica_groups();
}
const CollectiveDeviceListBase& InstructionAttributes::device_list() const {
  const ReplicaGroups* groups = GroupsOf(self().raw_attrs());
  CheckHas(groups, self(), "replica_groups");
  return groups->device_list();
}
bool InstructionAttributes::has_replica_groups() const {
  return device_list().num_replica_groups() > 0;
}
const SourceTargetPairs& InstructionAttributes::source_target_pairs() const {
  return FieldOf<CollectivePermuteAttrs>(
      self(), "source_target_pairs",
      [](const auto& a) -> auto& { return a.source_target_pairs; });
}
bool InstructionAttributes::constrain_layout() const {
  return FieldOf<AllGatherAttrs, AllReduceAttrs, ReduceScatterAttrs,
                 AllToAllAttrs>(
      self(), "constrain_layout",
      [](const auto& a) -> auto& { return a.constrain_layout; });
}
bool InstructionAttributes::use_global_device_ids() const {
  return FieldOf<AllGatherAttrs, AllReduceAttrs, ReduceScatterAttrs>(
      self(), "use_global_device_ids",
      [](const auto& a) -> auto& { return a.use_global_device_ids; });
}
void InstructionAttributes::set_use_global_device_ids(bool value) {
  MutableFieldOf<AllGatherAttrs, AllReduceAttrs, ReduceScatterAttrs>(
      self(), "use_global_device_ids",
      [](const auto& a) -> auto& { return a.use_global_device_ids; }) = value;
}
bool InstructionAttributes::is_host_transfer() const {
  return FieldOf<ChannelAttrs>(
      self(), "is_host_transfer",
      [](const auto& a) -> auto& { return a.is_host_transfer; });
}
const std::string& InstructionAttributes::infeed_config() const {
  return FieldOf<InfeedAttrs>(
      self(), "infeed_config",
      [](const auto& a) -> auto& { return a.infeed_config; });
}
void InstructionAttributes::set_infeed_config(const std::string& value) {
  MutableFieldOf<InfeedAttrs>(
      self(), "infeed_config",
      [](const auto& a) -> auto& { return a.infeed_config; }) = value;
}
const std::string& InstructionAttributes::outfeed_config() const {
  return FieldOf<OutfeedAttrs>(
      self(), "outfeed_config",
      [](const auto& a) -> auto& { return a.outfeed_config; });
}
void InstructionAttributes::set_outfeed_config(const std::string& value) {
  MutableFieldOf<OutfeedAttrs>(
      self(), "outfeed_config",
      [](const auto& a) -> auto& { return a.outfeed_config; }) = value;
}
const Shape& InstructionAttributes::outfeed_shape() const {
  const Shape& shape = self().attrs<OutfeedAttrs>().outfeed_shape;
  return shape == Shape() ? self().operand(0)->shape() : shape;
}
Shape* InstructionAttributes::mutable_outfeed_shape() {
  Shape* shape = &self().mutable_attrs<OutfeedAttrs>().outfeed_shape;
  if (*shape == Shape()) *shape = self().operand(0)->shape();
  return shape;
}
std::optional<int> InstructionAttributes::cross_program_prefetch_index() const {
  return self().attrs<CopyStartAttrs>().cross_program_prefetch_index;
}
absl::string_view InstructionAttributes::async_execution_thread() const {
  // That of the start, which the other links need not repeat.
  const HloInstruction* link = &self();
  while ((link->opcode() == HloOpcode::kAsyncUpdate ||
          link->opcode() == HloOpcode::kAsyncDone) &&
         link->operand_count() == 1) {
    link = link->operand(0);
  }
  if (link->opcode() == HloOpcode::kAsyncStart && link != &self()) {
    return link->async_execution_thread();
  }
  const std::string& thread = FieldOf<AsyncAttrs, AsyncStartAttrs>(
      self(), "async_execution_thread",
      [](const auto& a) -> auto& { return a.async_execution_thread; });
  return thread.empty() ? HloComputation::kMainExecutionThread : thread;
}

const std::string& InstructionAttributes::custom_call_target() const {
  return FieldOf<CustomCallAttrs>(
      self(), "custom_call_target",
      [](const auto& a) -> auto& { return a.custom_call_target; });
}
void InstructionAttributes::set_custom_call_target(absl::string_view value) {
  MutableFieldOf<CustomCallAttrs>(self(), "custom_call_target",
                                  [](const auto& a) -> auto& {
                                    return a.custom_call_target;
                                  }) = std::string(value);
}
bool InstructionAttributes::custom_call_has_side_effect() const {
  return FieldOf<CustomCallAttrs>(
      self(), "custom_call_has_side_effect",
      [](const auto& a) -> auto& { return a.custom_call_has_side_effect; });
}
void InstructionAttributes::set_custom_call_has_side_effect(bool value) {
  MutableFieldOf<CustomCallAttrs>(self(), "custom_call_has_side_effect",
                                  [](const auto& a) -> auto& {
                                    return a.custom_call_has_side_effect;
                                  }) = value;
}
CustomCallApiVersion InstructionAttributes::api_version() const {
  return FieldOf<CustomCallAttrs>(
      self(), "api_version",
      [](const auto& a) -> auto& { return a.api_version; });
}
void InstructionAttributes::set_api_version(CustomCallApiVersion value) {
  MutableFieldOf<CustomCallAttrs>(
      self(), "api_version",
      [](const auto& a) -> auto& { return a.api_version; }) = value;
}
CustomCallSchedule InstructionAttributes::custom_call_schedule() const {
  return FieldOf<CustomCallAttrs>(
      self(), "custom_call_schedule",
      [](const auto& a) -> auto& { return a.schedule; });
}
void InstructionAttributes::set_custom_call_schedule(
    CustomCallSchedule schedule) {
  self().mutable_attrs<CustomCallAttrs>().schedule = schedule;
}
void InstructionAttributes::set_padding_type(PaddingType padding_type) {
  self().mutable_attrs<CustomCallAttrs>().padding_type = padding_type;
}
PaddingType InstructionAttributes::padding_type() const {
  return FieldOf<CustomCallAttrs>(
      self(), "padding_type",
      [](const auto& a) -> auto& { return a.padding_type; });
}
bool InstructionAttributes::layout_constrained() const {
  return self().attrs<CustomCallAttrs>().operand_layout_constraints.has_value();
}
const std::vector<Shape>& InstructionAttributes::operand_shapes_with_layout()
    const {
  CHECK(layout_constrained()) << self().name() << " constrains no layouts";
  return *self().attrs<CustomCallAttrs>().operand_layout_constraints;
}
const std::string& InstructionAttributes::opaque() const {
  return self().raw_backend_config_string();
}
std::vector<std::pair<ShapeIndex, std::pair<int64_t, ShapeIndex>>>
InstructionAttributes::output_operand_aliasing() const {
  std::vector<std::pair<ShapeIndex, std::pair<int64_t, ShapeIndex>>> pairs;
  for (const OutputOperandAlias& alias :
       FieldOf<CustomCallAttrs, FusionAttrs, AsyncStartAttrs>(
           self(), "output_to_operand_aliasing", [](const auto& a) -> auto& {
             return a.output_to_operand_aliasing;
           })) {
    pairs.push_back(
        {alias.output_index, {alias.operand_number, alias.operand_index}});
  }
  return pairs;
}
void InstructionAttributes::set_output_to_operand_aliasing(
    std::vector<std::pair<ShapeIndex, std::pair<int64_t, ShapeIndex>>>
        aliasing) {
  auto& aliases = MutableFieldOf<CustomCallAttrs, FusionAttrs, AsyncStartAttrs>(
      self(), "output_to_operand_aliasing",
      [](const auto& a) -> auto& { return a.output_to_operand_aliasing; });
  aliases.clear();
  for (auto& [output, operand] : aliasing) {
    aliases.push_back({output, operand.first, operand.second});
  }
}
FusionKind InstructionAttributes::fusion_kind() const {
  return FieldOf<FusionAttrs>(self(), "fusion_kind",
                              [](const auto& a) -> auto& { return a.kind; });
}
void InstructionAttributes::set_fusion_kind(FusionKind value) {
  MutableFieldOf<FusionAttrs>(self(), "fusion_kind",
                              [](const auto& a) -> auto& { return a.kind; }) =
      value;
}

}  // namespace xla
