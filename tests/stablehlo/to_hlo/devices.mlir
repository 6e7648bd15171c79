// RUN: tessera translate %s | FileCheck %s
// RUN: tessera opt --passes=sharding-propagation,spmd-partitioner,dce %s | FileCheck %s --check-prefix=SPMD
// Four partitions on a 2 by 2 mesh. The conversion leaves arrays whole outside
// of the manual computation, whose body sees parts, and groups along an axis
// are lists of devices.
// CHECK: entry_computation_layout={(f32[4,4]{1,0})->(f32[4,4]{1,0}, f32[4,4]{1,0})}
// The partitioner passes the part that a device has to the manual computation
// of the same sharding. It computes the rest on parts, too, and gathers those
// along the axis by which the result is not divided.
// SPMD: entry_computation_layout={(f32[2,4]{1,0})->(f32[2,4]{1,0}, f32[4,2]{1,0})}
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
      -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
          tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
    // CHECK: %[[WHOLE:.*]] = f32[4,4]{1,0} parameter(0)
    // CHECK: %[[PART:.*]] = f32[2,4]{1,0} custom-call({{.*}}), custom_call_target="SPMDFullToShardShape"
    // CHECK: %[[SUM:.*]] = f32[2,4]{1,0} all-reduce(%[[PART]]), {{.*}}replica_groups={{[{][{]}}0,1},{2,3}}
    // SPMD: %[[ARG:.*]] = f32[2,4]{1,0} parameter(0)
    // SPMD-NEXT: %[[SUM:.*]] = f32[2,4]{1,0} all-reduce(%[[ARG]]), {{.*}}replica_groups={{[{][{]}}0,1},{2,3}}
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%part: tensor<2x4xf32>) {
      %1 = "stablehlo.all_reduce"(%part) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      sdy.return %1 : tensor<2x4xf32>
    } : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: %[[RESULT:.*]] = f32[4,4]{1,0} custom-call({{.*}}), custom_call_target="SPMDShardToFullShape"
    // CHECK: %[[EXP:.*]] = f32[4,4]{1,0} exponential(%[[WHOLE]])
    // SPMD: %[[CUT:.*]] = f32[2,2]{1,0} dynamic-slice(%[[ARG]]
    // SPMD: %[[EXP:.*]] = f32[2,2]{1,0} exponential(%[[CUT]])
    // SPMD: %[[COLUMNS:.*]] = f32[4,2]{1,0} all-gather(%[[EXP]]), {{.*}}replica_groups={{[{][{]}}0,2},{1,3}}, dimensions={0}
    // SPMD: ROOT %{{.*}} tuple(%[[SUM]], %[[COLUMNS]])
    %3 = stablehlo.exponential %arg0 : tensor<4x4xf32>
    return %0, %3 : tensor<4x4xf32>, tensor<4x4xf32>
  }
}
