// Uses every name of xla/client/executable_build_options.h.
#include "xla/client/executable_build_options.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ExecutableBuildOptionsNamesTest, Defaults) {
  const ExecutableBuildOptions options;
  EXPECT_EQ(options.device_ordinal(), -1);
  EXPECT_EQ(options.result_layout(), nullptr);
  EXPECT_EQ(options.device_allocator(), nullptr);
  EXPECT_FALSE(options.has_debug_options());
  EXPECT_FALSE(options.has_device_assignment());
  EXPECT_EQ(options.num_replicas(), 1);
  EXPECT_EQ(options.num_partitions(), 1);
  EXPECT_THAT(options.allow_spmd_sharding_propagation_to_parameters(),
              ElementsAre(false));
  EXPECT_THAT(options.allow_spmd_sharding_propagation_to_output(),
              ElementsAre(false));
  EXPECT_FALSE(options.any_allow_spmd_sharding_propagation_to_parameters());
  EXPECT_FALSE(options.any_allow_spmd_sharding_propagation_to_output());
  EXPECT_EQ(options.optimization_level(), ExecutionOptions::EFFORT_UNKNOWN);
  EXPECT_EQ(options.process_index(), 0);
  EXPECT_EQ(options.process_count(), 1);
  EXPECT_EQ(options.slice_size(), 0);
  EXPECT_THAT(options.ToString(), HasSubstr("num_replicas=1"));
}

ExecutableBuildOptions AllSet() {
  ExecutableBuildOptions options;
  DeviceAssignment assignment(2, 1);
  assignment.FillIota(0);
  options.set_device_ordinal(3)
      .set_result_layout(
          ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 3}, {0, 1}))
      .set_num_replicas(2)
      .set_num_partitions(1)
      .set_use_spmd_partitioning(true)
      .set_use_auto_spmd_partitioning(true)
      .set_auto_spmd_partitioning_mesh_shape({2, 1})
      .set_auto_spmd_partitioning_mesh_ids({1, 0})
      .set_exec_time_optimization_effort(0.5f)
      .set_memory_fitting_effort(-0.5f)
      .set_optimization_level(ExecutionOptions::EFFORT_O2)
      .set_memory_fitting_level(ExecutionOptions::EFFORT_O1)
      .set_deduplicate_hlo(true)
      .set_device_assignment(assignment)
      .set_run_backend_only(true)
      .set_allow_spmd_sharding_propagation_to_parameters({true, false})
      .set_allow_spmd_sharding_propagation_to_output({true})
      .set_device_memory_size(1 << 20)
      .set_use_shardy_partitioner(true);
  options.set_alias_passthrough_params(true);
  options.set_fdo_profile("profile");
  *options.mutable_fdo_profile() += "d";
  options.set_process_index(1);
  options.set_process_count(2);
  options.set_slice_size(4);
  options.mutable_debug_options()->set_xla_dump_to("/nowhere");
  return options;
}

void ExpectAllSet(const ExecutableBuildOptions& options) {
  EXPECT_EQ(options.device_ordinal(), 3);
  EXPECT_THAT(options.result_layout()->layout().minor_to_major(),
              ElementsAre(0, 1));
  EXPECT_EQ(options.num_replicas(), 2);
  EXPECT_EQ(options.num_partitions(), 1);
  EXPECT_TRUE(options.use_spmd_partitioning());
  EXPECT_TRUE(options.use_auto_spmd_partitioning());
  EXPECT_THAT(options.auto_spmd_partitioning_mesh_shape(), ElementsAre(2, 1));
  EXPECT_THAT(options.auto_spmd_partitioning_mesh_ids(), ElementsAre(1, 0));
  EXPECT_EQ(options.exec_time_optimization_effort(), 0.5f);
  EXPECT_EQ(options.memory_fitting_effort(), -0.5f);
  EXPECT_EQ(options.optimization_level(), ExecutionOptions::EFFORT_O2);
  EXPECT_EQ(options.memory_fitting_level(), ExecutionOptions::EFFORT_O1);
  EXPECT_TRUE(options.deduplicate_hlo());
  EXPECT_TRUE(options.has_device_assignment());
  EXPECT_EQ(options.device_assignment()(1, 0), 1);
  EXPECT_TRUE(options.alias_passthrough_params());
  EXPECT_TRUE(options.run_backend_only());
  EXPECT_THAT(options.allow_spmd_sharding_propagation_to_parameters(),
              ElementsAre(true, false));
  EXPECT_THAT(options.allow_spmd_sharding_propagation_to_output(),
              ElementsAre(true));
  EXPECT_TRUE(options.any_allow_spmd_sharding_propagation_to_parameters());
  EXPECT_TRUE(options.any_allow_spmd_sharding_propagation_to_output());
  EXPECT_EQ(options.fdo_profile(), "profiled");
  EXPECT_EQ(options.device_memory_size(), 1 << 20);
  EXPECT_TRUE(options.use_shardy_partitioner());
  EXPECT_EQ(options.process_index(), 1);
  EXPECT_EQ(options.process_count(), 2);
  EXPECT_EQ(options.slice_size(), 4);
  EXPECT_TRUE(options.has_debug_options());
  EXPECT_EQ(options.debug_options().xla_dump_to(), "/nowhere");
}

TEST(ExecutableBuildOptionsNamesTest, SettersAndProto) {
  ExecutableBuildOptions options = AllSet();
  ExpectAllSet(options);
  const ExecutableBuildOptionsProto proto = options.ToProto().value();
  EXPECT_EQ(proto.slice_size(), 4);
  ExpectAllSet(ExecutableBuildOptionsFromProto(proto).value());
  options.clear_device_assignment();
  EXPECT_FALSE(options.has_device_assignment());
  ExecutableBuildOptionsProto bad = proto;
  bad.set_num_replicas(-1);
  EXPECT_FALSE(ExecutableBuildOptionsFromProto(bad).ok());
  LocalClient* client = ClientLibrary::LocalClientOrDie();
  options.set_device_allocator(client->backend().memory_allocator());
  EXPECT_EQ(options.device_allocator(), client->backend().memory_allocator());
}

TEST(ExecutableBuildOptionsNamesTest, ExecutionOptions) {
  ProgramShape program;
  *program.mutable_result() =
      ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 3}, {0, 1});
  ExecutionOptions options =
      CreateExecutionOptions(ExecutableBuildOptions(), &program);
  EXPECT_THAT(options.shape_with_output_layout().layout().minor_to_major(),
              ElementsAre(1, 0));
  EXPECT_EQ(options.num_replicas(), 1);
  EXPECT_TRUE(options.has_debug_options());
  options = CreateExecutionOptions(AllSet(), &program);
  EXPECT_THAT(options.shape_with_output_layout().layout().minor_to_major(),
              ElementsAre(0, 1));
  EXPECT_EQ(options.num_replicas(), 2);
  EXPECT_THAT(options.allow_spmd_sharding_propagation_to_parameters(),
              ElementsAre(true, false));
  EXPECT_THAT(options.auto_spmd_partitioning_mesh_ids(), ElementsAre(1, 0));
  EXPECT_EQ(options.fdo_profile(), "profiled");
  EXPECT_EQ(options.memory_fitting_level(), ExecutionOptions::EFFORT_O1);
  EXPECT_EQ(options.debug_options().xla_dump_to(), "/nowhere");
  EXPECT_EQ(options.device_assignment().replica_count(), 2);
}

}  // namespace
}  // namespace xla
