// Source of the rows: StableHLO's VhloOps.td and Shardy's ops.td; checked
// against jaxlib 0.10.2.
#include "xla/stablehlo/bytecode/op_table.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "xla/stablehlo/bytecode/op_rows.h"

namespace xla::stablehlo {
namespace {

struct Row {
  absl::string_view op;
  absl::string_view properties;  // with the marks of PropertyRow appended
  // Empty means "stablehlo." and the name without its version.
  absl::string_view tree_name = "";
};

#define XLA_CONV_DIMENSIONS_                                        \
  "batch_group_count feature_group_count input_batch_dimension "    \
  "input_feature_dimension input_spatial_dimensions "               \
  "kernel_input_feature_dimension kernel_output_feature_dimension " \
  "kernel_spatial_dimensions lhs_dilation output_batch_dimension "  \
  "output_feature_dimension output_spatial_dimensions "

constexpr Row kVhloRows[] = {
    {"abs_v1", ""},
    {"add_v1", ""},
    {"after_all_v1", ""},
    {"all_gather_v1",
     "all_gather_dim channel_id replica_groups use_global_device_ids"},
    {"all_gather_v2",
     "all_gather_dim channel_id replica_groups use_global_device_ids"},
    {"all_reduce_v1", "channel_id replica_groups use_global_device_ids"},
    {"all_reduce_v2", "channel_id replica_groups use_global_device_ids"},
    {"all_to_all_v1",
     "channel_id concat_dimension replica_groups split_count split_dimension"},
    {"all_to_all_v2",
     "channel_id concat_dimension replica_groups split_count split_dimension"},
    {"and_v1", ""},
    {"async_done_v1", ""},
    {"async_start_v1", ""},
    {"atan2_v1", ""},
    {"batch_norm_grad_v1", "epsilon feature_index"},
    {"batch_norm_inference_v1", "epsilon feature_index"},
    {"batch_norm_training_v1", "epsilon feature_index"},
    {"bitcast_convert_v1", ""},
    {"broadcast_in_dim_v1", "broadcast_dimensions"},
    {"broadcast_v1", "broadcast_sizes"},
    {"call_v1", "callee@", "func.call"},
    {"case_v1", ""},
    {"cbrt_v1", ""},
    {"cbrt_v2", "result_accuracy~"},
    {"ceil_v1", ""},
    {"cholesky_v1", "lower"},
    {"clamp_v1", ""},
    {"collective_broadcast_v1", "channel_id replica_groups"},
    {"collective_permute_v1", "channel_id source_target_pairs"},
    {"compare_v1", "compare_type comparison_direction"},
    {"complex_v1", ""},
    {"composite_v1", "composite_attributes decomposition@ name version"},
    {"composite_v2", "composite_attributes decomposition@ name version"},
    {"concatenate_v1", "dimension"},
    {"constant_v1", "value"},
    {"convert_v1", ""},
    {"convolution_v1", XLA_CONV_DIMENSIONS_
     "padding precision_config rhs_dilation window_reversal window_strides"},
    {"cosine_v1", ""},
    {"cosine_v2", "result_accuracy~"},
    {"count_leading_zeros_v1", ""},
    {"create_token_v1", ""},
    {"cross-replica-sum_v1", "replica_groups"},
    {"custom_call_v1",
     "api_version backend_config call_target_name called_computations@ "
     "has_side_effect operand_layouts output_operand_aliases result_layouts"},
    {"divide_v1", ""},
    {"dot_general_v1",
     "lhs_batching_dimensions lhs_contracting_dimensions precision_config "
     "rhs_batching_dimensions rhs_contracting_dimensions"},
    {"dot_general_v2",
     "accumulation_type~ allow_imprecise_accumulation~ "
     "lhs_batching_dimensions lhs_component_count~ "
     "lhs_contracting_dimensions lhs_precision_type~ "
     "num_primitive_operations~ precision_config rhs_batching_dimensions "
     "rhs_component_count~ rhs_contracting_dimensions rhs_precision_type~"},
    {"dot_v1", "precision_config"},
    {"dynamic_broadcast_in_dim_v1",
     "broadcast_dimensions known_expanding_dimensions~ "
     "known_nonexpanding_dimensions~"},
    // The padding operand applies; the attribute is unused.
    {"dynamic_conv_v1", XLA_CONV_DIMENSIONS_
     "padding! precision_config rhs_dilation window_reversal window_strides"},
    {"dynamic_conv_v2", XLA_CONV_DIMENSIONS_
     "precision_config rhs_dilation window_reversal window_strides"},
    {"dynamic_gather_v1",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
     "operand_batching_dims+ start_index_map start_indices_batching_dims+"},
    {"dynamic_gather_v2",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
     "operand_batching_dims start_index_map start_indices_batching_dims"},
    {"dynamic_iota_v1", "iota_dimension"},
    {"dynamic_pad_v1", ""},
    {"dynamic_reshape_v1", ""},
    {"dynamic_slice_v1", "slice_sizes"},
    {"dynamic_update_slice_v1", ""},
    {"einsum_v1", "einsum_config"},
    {"exponential_minus_one_v1", ""},
    {"exponential_minus_one_v2", "result_accuracy~"},
    {"exponential_v1", ""},
    {"exponential_v2", "result_accuracy~"},
    {"fft_v1", "fft_length fft_type"},
    {"floor_v1", ""},
    {"func_v1", "arg_attrs function_type res_attrs sym_name sym_visibility",
     "func.func"},
    {"gather_v1",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
     "operand_batching_dims+ slice_sizes start_index_map "
     "start_indices_batching_dims+"},
    {"gather_v2",
     "collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims "
     "operand_batching_dims slice_sizes start_index_map "
     "start_indices_batching_dims"},
    {"get_dimension_size_v1", "dimension"},
    {"get_tuple_element_v1", "index"},
    {"if_v1", ""},
    {"imag_v1", ""},
    {"infeed_v1", "infeed_config layout"},
    {"iota_v1", "iota_dimension"},
    {"is_finite_v1", ""},
    {"log_plus_one_v1", ""},
    {"log_plus_one_v2", "result_accuracy~"},
    {"log_v1", ""},
    {"log_v2", "result_accuracy~"},
    {"logistic_v1", ""},
    {"logistic_v2", "result_accuracy~"},
    {"map_v1", "dimensions"},
    {"maximum_v1", ""},
    {"minimum_v1", ""},
    {"multiply_v1", ""},
    {"negate_v1", ""},
    {"not_v1", ""},
    {"optimization_barrier_v1", ""},
    {"or_v1", ""},
    {"outfeed_v1", "outfeed_config"},
    {"pad_v1", "edge_padding_high edge_padding_low interior_padding"},
    {"partition_id_v1", ""},
    {"popcnt_v1", ""},
    {"power_v1", ""},
    {"real_dynamic_slice_v1", ""},
    {"real_v1", ""},
    {"recv_v1", "channel_id channel_type is_host_transfer"},
    {"recv_v2",
     "channel_id channel_type is_host_transfer source_target_pairs~"},
    {"reduce_precision_v1", "exponent_bits mantissa_bits"},
    {"reduce_scatter_v1",
     "channel_id replica_groups scatter_dimension use_global_device_ids"},
    {"reduce_v1", "dimensions"},
    {"reduce_window_v1",
     "base_dilations padding window_dilations window_dimensions "
     "window_strides"},
    {"remainder_v1", ""},
    {"replica_id_v1", ""},
    {"reshape_v1", ""},
    {"return_v1", "", "return"},
    {"reverse_v1", "dimensions"},
    {"rng_bit_generator_v1", "rng_algorithm"},
    {"rng_v1", "rng_distribution"},
    {"round_nearest_afz_v1", ""},
    {"round_nearest_even_v1", ""},
    {"rsqrt_v1", ""},
    {"rsqrt_v2", "result_accuracy~"},
    {"scatter_v1",
     "index_vector_dim indices_are_sorted input_batching_dims+ "
     "inserted_window_dims scatter_dims_to_operand_dims "
     "scatter_indices_batching_dims+ unique_indices update_window_dims"},
    {"scatter_v2",
     "index_vector_dim indices_are_sorted input_batching_dims "
     "inserted_window_dims scatter_dims_to_operand_dims "
     "scatter_indices_batching_dims unique_indices update_window_dims"},
    {"select_and_scatter_v1", "padding window_dimensions window_strides"},
    {"select_v1", ""},
    {"send_v1", "channel_id channel_type is_host_transfer"},
    {"send_v2",
     "channel_id channel_type is_host_transfer source_target_pairs~"},
    {"set_dimension_size_v1", "dimension"},
    {"shift_left_v1", ""},
    {"shift_right_arithmetic_v1", ""},
    {"shift_right_logical_v1", ""},
    {"sign_v1", ""},
    {"sine_v1", ""},
    {"sine_v2", "result_accuracy~"},
    {"slice_v1", "limit_indices start_indices strides"},
    {"sort_v1", "dimension is_stable"},
    {"sqrt_v1", ""},
    {"sqrt_v2", "result_accuracy~"},
    {"subtract_v1", ""},
    {"tan_v1", ""},
    {"tan_v2", "result_accuracy~"},
    {"tanh_v1", ""},
    {"tanh_v2", "result_accuracy~"},
    {"torch_index_select_v1", "batch_dims dim"},
    {"transpose_v1", "permutation"},
    {"triangular_solve_v1", "left_side lower transpose_a unit_diagonal"},
    {"tuple_v1", ""},
    {"unary_einsum_v1", "einsum_config"},
    {"uniform_dequantize_v1", ""},
    {"uniform_quantize_v1", ""},
    {"while_v1", ""},
    {"xor_v1", ""},
};

constexpr Row kSdyRows[] = {
    {"all_gather", "gathering_axes out_sharding", "sdy.all_gather"},
    {"all_reduce", "out_sharding reduction_axes", "sdy.all_reduce"},
    {"all_slice", "out_sharding slicing_axes", "sdy.all_slice"},
    {"all_to_all", "out_sharding params", "sdy.all_to_all"},
    {"collective_permute", "out_sharding", "sdy.collective_permute"},
    {"constant", "value", "sdy.constant"},
    {"data_flow_edge", "sharding?", "sdy.data_flow_edge"},
    {"func_data_flow_edge", "sharding?", "sdy.func_data_flow_edge"},
    {"manual_computation", "in_shardings manual_axes out_shardings",
     "sdy.manual_computation"},
    {"mesh", "mesh sym_name", "sdy.mesh"},
    {"named_computation", "in_shardings? name out_shardings?",
     "sdy.named_computation"},
    {"propagation_barrier", "allowed_direction", "sdy.propagation_barrier"},
    {"reduce_scatter", "out_sharding reduce_scatter_axes",
     "sdy.reduce_scatter"},
    {"replicated_to_unreduced", "axes out_sharding",
     "sdy.replicated_to_unreduced"},
    {"reshard", "sharding", "sdy.reshard"},
    {"return", "", "return"},
    {"sharded_to_unreduced", "axes out_sharding", "sdy.sharded_to_unreduced"},
    {"sharding_constraint", "sharding", "sdy.sharding_constraint"},
    {"sharding_group", "group_id", "sdy.sharding_group"},
};

constexpr Row kBuiltinRows[] = {
    {"module", "sym_name? sym_visibility?", "builtin.module"},
    {"unrealized_conversion_cast", "", "builtin.unrealized_conversion_cast"},
};

PropertyRow MakeProperty(absl::string_view text) {
  PropertyRow property;
  while (!text.empty() && !absl::ascii_isalpha(text.back())) {
    const char mark = text.back();
    property.optional |= mark == '?';
    property.symbol |= mark == '@';
    property.left_out |= mark == '~';
    property.added |= mark == '+';
    property.gone |= mark == '!';
    text.remove_suffix(1);
  }
  property.name = text;
  return property;
}

OpRow MakeRow(const Row& row) {
  OpRow made;
  made.name =
      row.tree_name.empty()
          ? absl::StrCat("stablehlo.", row.op.substr(0, row.op.rfind("_v")))
          : std::string(row.tree_name);
  for (absl::string_view property :
       absl::StrSplit(row.properties, ' ', absl::SkipEmpty())) {
    made.properties.push_back(MakeProperty(property));
  }
  return made;
}

OpRow MakePlainRow(const OpProperties& op) {
  const bool is_return = absl::EndsWith(op.op, ".return");
  OpRow row = MakeRow({op.op, op.properties, is_return ? "return" : op.op});
  row.is_plain = true;
  return row;
}

using Table = absl::flat_hash_map<std::string, OpRow>;

const Table& OpTable() {
  static const Table* const table = [] {
    auto* made = new Table;
    for (const Row& row : kVhloRows) {
      made->emplace(absl::StrCat("vhlo.", row.op), MakeRow(row));
    }
    for (const Row& row : kSdyRows) {
      made->emplace(absl::StrCat("sdy.", row.op), MakeRow(row));
    }
    for (const Row& row : kBuiltinRows) {
      made->emplace(absl::StrCat("builtin.", row.op), MakeRow(row));
    }
    for (const OpProperties& op : PlainOps()) {
      made->emplace(op.op, MakePlainRow(op));
    }
    return made;
  }();
  return *table;
}

}  // namespace

const OpRow* FindOpRow(absl::string_view dialect, absl::string_view name) {
  auto it = OpTable().find(absl::StrCat(dialect, ".", name));
  return it == OpTable().end() ? nullptr : &it->second;
}

std::vector<std::string> AllOpNames() {
  std::vector<std::string> names;
  for (const auto& [name, row] : OpTable()) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace xla::stablehlo
