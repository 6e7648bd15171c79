// Includes every header of compat/ (headers_test.py checks the list), and uses
// what they add to our headers.
#include "absl/base/nullability.h"
#include "absl/log/check.h"
#include "absl/log/initialize.h"
#include "absl/log/log.h"
#include "absl/log/vlog_is_on.h"
#include "absl/status/status_matchers.h"
#include "ml_dtypes/include/float8.h"
#include "ml_dtypes/include/intn.h"
#include "ml_dtypes/include/mxfloat.h"
#include "tsl/lib/core/status_test_util.h"
#include "tsl/platform/bfloat16.h"
#include "tsl/platform/errors.h"
#include "tsl/platform/logging.h"
#include "tsl/platform/macros.h"
#include "tsl/platform/ml_dtypes.h"
#include "tsl/platform/protobuf.h"
#include "tsl/platform/status.h"
#include "tsl/platform/status_matchers.h"
#include "tsl/platform/statusor.h"
#include "tsl/platform/test.h"
#include "tsl/platform/types.h"
#include "xla/array.h"
#include "xla/array2d.h"
#include "xla/array3d.h"
#include "xla/array4d.h"
#include "xla/client/lib/approx_topk.h"
#include "xla/client/lib/approx_topk_shape.h"
#include "xla/client/lib/arithmetic.h"
#include "xla/client/lib/broadcast.h"
#include "xla/client/lib/comparators.h"
#include "xla/client/lib/constants.h"
#include "xla/client/lib/conv_grad_size_util.h"
#include "xla/client/lib/dynamic_shaped_ops.h"
#include "xla/client/lib/logdet.h"
#include "xla/client/lib/loops.h"
#include "xla/client/lib/lu_decomposition.h"
#include "xla/client/lib/math.h"
#include "xla/client/lib/math_impl.h"
#include "xla/client/lib/matrix.h"
#include "xla/client/lib/pooling.h"
#include "xla/client/lib/prng.h"
#include "xla/client/lib/qr.h"
#include "xla/client/lib/quantize.h"
#include "xla/client/lib/self_adjoint_eig.h"
#include "xla/client/lib/slicing.h"
#include "xla/client/lib/sorting.h"
#include "xla/client/lib/svd.h"
#include "xla/client/lib/tridiagonal.h"
#include "xla/client/lib/tuple.h"
#include "xla/client/padding.h"
#include "xla/client/sharding_builder.h"
#include "xla/client/value_inference.h"
#include "xla/client/xla_builder.h"
#include "xla/client/xla_computation.h"
#include "xla/comparison_util.h"
#include "xla/debug_options_flags.h"
#include "xla/error_spec.h"
#include "xla/executable_run_options.h"
#include "xla/execution_options_util.h"
#include "xla/ffi/api/c_api.h"
#include "xla/ffi/attribute_map.h"
#include "xla/ffi/execution_context.h"
#include "xla/ffi/ffi_api.h"
#include "xla/ffi/ffi_registry.h"
#include "xla/ffi/type_registry.h"
#include "xla/fp_util.h"
#include "xla/future.h"
#include "xla/hlo/analysis/hlo_alias_analysis.h"
#include "xla/hlo/analysis/hlo_dataflow_analysis.h"
#include "xla/hlo/analysis/hlo_operand_index.h"
#include "xla/hlo/analysis/hlo_ordering.h"
#include "xla/hlo/analysis/hlo_reachability.h"
#include "xla/hlo/analysis/tuple_points_to_analysis.h"
#include "xla/hlo/builder/lib/dynamic_shaped_ops.h"
#include "xla/hlo/builder/value_inference.h"
#include "xla/hlo/ir/backend_config.h"
#include "xla/hlo/ir/collective_op_group_mode.h"
#include "xla/hlo/ir/dfs_hlo_visitor.h"
#include "xla/hlo/ir/dfs_hlo_visitor_with_default.h"
#include "xla/hlo/ir/dynamic_parameter_binding.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_input_output_alias_config.h"
#include "xla/hlo/ir/hlo_module_metadata.h"
#include "xla/hlo/ir/hlo_op_metadata.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/ir/hlo_original_value.h"
#include "xla/hlo/ir/hlo_original_value_util.h"
#include "xla/hlo/ir/hlo_reachability.h"
#include "xla/hlo/ir/hlo_schedule.h"
#include "xla/hlo/ir/mesh_and_axis.h"
#include "xla/hlo/ir/named_sharding.h"
#include "xla/hlo/ir/ptrvec.h"
#include "xla/hlo/ir/replica_group.h"
#include "xla/hlo/ir/tile_assignment.h"
#include "xla/hlo/pass/hlo_pass_fix.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/hlo/pass/hlo_pass_pipeline.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/hlo/testlib/literal_test_util.h"
#include "xla/hlo/testlib/test.h"
#include "xla/hlo/testlib/test_helpers.h"
#include "xla/hlo/transforms/simplifiers/hlo_dce.h"
#include "xla/index_util.h"
#include "xla/iterator_util.h"
#include "xla/layout.h"
#include "xla/layout_util.h"
#include "xla/literal.h"
#include "xla/literal_comparison.h"
#include "xla/literal_util.h"
#include "xla/map_util.h"
#include "xla/permutation_util.h"
#include "xla/pjrt/c/pjrt_c_api.h"
#include "xla/pjrt/c/pjrt_c_api_cross_host_transfers_extension.h"
#include "xla/pjrt/c/pjrt_c_api_custom_partitioner_extension.h"
#include "xla/pjrt/c/pjrt_c_api_ffi_extension.h"
#include "xla/pjrt/c/pjrt_c_api_layouts_extension.h"
#include "xla/pjrt/c/pjrt_c_api_memory_descriptions_extension.h"
#include "xla/pjrt/c/pjrt_c_api_profiler_extension.h"
#include "xla/pjrt/c/pjrt_c_api_shardings_extension.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/pjrt_common.h"
#include "xla/pjrt/pjrt_device_description.h"
#include "xla/pjrt/pjrt_executable.h"
#include "xla/pjrt/pjrt_future.h"
#include "xla/pjrt/pjrt_layout.h"
#include "xla/pjrt/plugin/xla_cpu/cpu_client_options.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"
#include "xla/primitive_util.h"
#include "xla/printer.h"
#include "xla/reference_util.h"
#include "xla/reference_util/contractions.h"
#include "xla/reference_util/elementwise.h"
#include "xla/reference_util/movement.h"
#include "xla/reference_util/ranked_array.h"
#include "xla/reference_util/reductions.h"
#include "xla/service/backend.h"
#include "xla/service/buffer_value.h"
#include "xla/service/call_graph.h"
#include "xla/service/compiled_module.h"
#include "xla/service/compiler.h"
#include "xla/service/computation_layout.h"
#include "xla/service/computation_placer.h"
#include "xla/service/creation_utils/more_ops.h"
#include "xla/service/creation_utils/ops.h"
#include "xla/service/creation_utils/shapes.h"
#include "xla/service/custom_call_status.h"
#include "xla/service/custom_call_target_registry.h"
#include "xla/service/executable.h"
#include "xla/service/hlo.pb.h"
#include "xla/service/hlo_alias_analysis.h"
#include "xla/service/hlo_buffer.h"
#include "xla/service/hlo_cost_analysis.h"
#include "xla/service/hlo_creation_utils.h"
#include "xla/service/hlo_cse.h"
#include "xla/service/hlo_dataflow_analysis.h"
#include "xla/service/hlo_dce.h"
#include "xla/service/hlo_evaluator.h"
#include "xla/service/hlo_module_config.h"
#include "xla/service/hlo_ordering.h"
#include "xla/service/hlo_parser.h"
#include "xla/service/hlo_value.h"
#include "xla/service/hlo_verifier.h"
#include "xla/service/local_service.h"
#include "xla/service/logical_buffer.h"
#include "xla/service/maybe_owning_device_address.h"
#include "xla/service/maybe_owning_device_memory.h"
#include "xla/service/pattern_matcher.h"
#include "xla/service/pattern_matcher/instruction_pattern.h"
#include "xla/service/pattern_matcher/op_patterns.h"
#include "xla/service/pattern_matcher/pattern.h"
#include "xla/service/pattern_matcher/shape_pattern.h"
#include "xla/service/pattern_matcher_gmock.h"
#include "xla/service/platform_util.h"
#include "xla/service/service.h"
#include "xla/service/shape_inference.h"
#include "xla/service/shaped_buffer.h"
#include "xla/service/tuple_points_to_analysis.h"
#include "xla/shape.h"
#include "xla/shape_layout.h"
#include "xla/shape_pool.h"
#include "xla/shape_tree.h"
#include "xla/shape_util.h"
#include "xla/shape_util.pb.h"
#include "xla/status.h"
#include "xla/status_macros.h"
#include "xla/statusor.h"
#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/device_address_allocator.h"
#include "xla/stream_executor/device_memory.h"
#include "xla/stream_executor/device_memory_allocator.h"
#include "xla/stream_executor/platform.h"
#include "xla/test.h"
#include "xla/test_helpers.h"
#include "xla/tests/literal_test_util.h"
#include "xla/tsl/lib/core/bitmap.h"
#include "xla/tsl/lib/core/status_test_util.h"
#include "xla/tsl/lib/gtl/iterator_range.h"
#include "xla/tsl/platform/bfloat16.h"
#include "xla/tsl/platform/errors.h"
#include "xla/tsl/platform/logging.h"
#include "xla/tsl/platform/macros.h"
#include "xla/tsl/platform/ml_dtypes.h"
#include "xla/tsl/platform/protobuf.h"
#include "xla/tsl/platform/status.h"
#include "xla/tsl/platform/status_matchers.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/tsl/platform/test.h"
#include "xla/tsl/platform/types.h"
#include "xla/tuple_tree.h"
#include "xla/types.h"
#include "xla/util.h"
#include "xla/util/bits.h"
#include "xla/util/containers.h"
#include "xla/util/dimensions.h"
#include "xla/util/logging.h"
#include "xla/util/text.h"
#include "xla/window_util.h"
#include "xla/xla.pb.h"
#include "xla/xla_data.pb.h"

namespace {

using ::absl_testing::IsOk;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::HasSubstr;
using ::testing::Not;

absl::StatusOr<int> Half(int value) {
  if (value % 2 != 0) return tsl::errors::InvalidArgument(value, " is odd");
  return value / 2;
}

tsl::StatusOr<int> Quarter(int value) {
  TF_ASSIGN_OR_RETURN(const int half, Half(value));
  return Half(half);
}

TEST(CompatTest, StatusMatchers) {
  EXPECT_THAT(Half(4), IsOkAndHolds(2));
  EXPECT_THAT(Half(4), IsOkAndHolds(testing::Gt(1)));
  EXPECT_THAT(Half(3), Not(IsOkAndHolds(1)));
  EXPECT_THAT(Half(4), IsOk());
  EXPECT_THAT(absl::OkStatus(), IsOk());
  EXPECT_THAT(Half(3), Not(IsOk()));
  EXPECT_THAT(Quarter(6), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Quarter(6), StatusIs(absl::StatusCode::kInvalidArgument,
                                   HasSubstr("3 is odd")));
  EXPECT_THAT(Quarter(6).status(),
              Not(StatusIs(absl::StatusCode::kInvalidArgument, "other")));
}

TEST(CompatTest, StatusMacros) {
  TF_ASSERT_OK_AND_ASSIGN(const int quarter, Quarter(8));
  EXPECT_EQ(quarter, 2);
  TF_EXPECT_OK(Quarter(8));
  TF_ASSERT_OK(Quarter(8).status());
  TF_CHECK_OK(Half(2).status());
  const tsl::Status status = Half(1).status();
  EXPECT_TRUE(tsl::errors::IsInvalidArgument(status));
  EXPECT_FALSE(tsl::errors::IsInternal(status));
}

TEST(CompatTest, ElementTypesOfOtherNamespaces) {
  EXPECT_EQ(static_cast<float>(tsl::float8_e5m2(1.5f)), 1.5f);
  EXPECT_EQ(static_cast<float>(ml_dtypes::float8_e4m3fn(-2.0f)), -2.0f);
  EXPECT_EQ(static_cast<float>(tsl::bfloat16(3.0f)), 3.0f);
  const tsl::int64 number = 5;
  EXPECT_EQ(xla::CeilOfRatio<int64_t>(number, 2), 3);
}

TEST(CompatTest, LiteralTestUtil) {
  const xla::Literal literal = xla::LiteralUtil::CreateR1<float>({1, 2});
  xla::LiteralTestUtil::ExpectR1Equal<float>({1, 2}, literal);
  xla::LiteralTestUtil::ExpectR1Near<float>({1, 2.0001}, literal,
                                            xla::ErrorSpec(1e-3));
  EXPECT_FALSE(
      xla::LiteralTestUtil::Near(xla::LiteralUtil::CreateR1<float>({1, 3}),
                                 literal, xla::ErrorSpec(1e-3)));
  EXPECT_TRUE(xla::LiteralTestUtil::NotEqual(
      xla::LiteralUtil::CreateR1<float>({1, 3}), literal));
}

}  // namespace
