// RUN: tessera opt --split-input-file %s | FileCheck %s
// Arrays keep their sizes; parameters and constraints say how they are divided,
// a result by a call before the root.
// CHECK-LABEL: HloModule constraints, {{.*}}entry_computation_layout={(f32[8,4]{1,0}, f32[])->(f32[8,4]{1,0}, f32[8,4]{1,0})}
// CHECK: %[[B:.*]] = f32[] parameter(1){{$}}
// CHECK: %[[S:.*]] = f32[] custom-call(%[[B]]), custom_call_target="Sharding", sharding={mesh['x'=2,'y'=4], replicated}
// CHECK: %[[A:.*]] = f32[8,4]{1,0} parameter(0), sharding={mesh['x'=2,'y'=4], [{'x'}, {'y':(1)2, ?}], replicated={'y':(2)2}}
// CHECK: custom-call(%[[A]]), custom_call_target="Sharding", custom_call_has_side_effect=true, sharding={unknown shard_as 7}
// CHECK: %[[C:.*]] = f32[8,4]{1,0} custom-call(%[[A]]), custom_call_target="Sharding", sharding={mesh['x'=2,'y'=4], [{?}, {}], unreduced={'x'}, metadata={{.*}}op_name="1,0"
// CHECK: %[[BARRIER:.*]] = f32[8,4]{1,0} custom-call(%[[C]]), custom_call_target="xla.sdy.PropagationBarrier", sharding={unknown}, frontend_attributes={xla.sdy.allowed_direction="BACKWARD"}
// CHECK: %[[SUM:.*]] = f32[8,4]{1,0} add(%[[A]], %[[BARRIER]]), sharding={mesh['x'=2,'y'=4], device_ids=(1,0,2,3,4,5,6,7), [{'y', ?}, {?}]}
// CHECK: %[[OUT:.*]] = f32[8,4]{1,0} custom-call(%[[SUM]]), custom_call_target="xla.sdy.FuncResultSharding", sharding={mesh['x'=2,'y'=4], [{'x'}, {}]}
// CHECK: ROOT %{{.*}} tuple(%[[OUT]], %[[A]])
module @constraints attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @odd = <["x"=2, "y"=4], device_ids=[1, 0, 2, 3, 4, 5, 6, 7]>
  sdy.mesh @empty_mesh = <[]>
  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y":(1)2, ?}], replicated={"y":(2)2}>}, %b: tensor<f32>)
      -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x4xf32>) {
    %0 = sdy.sharding_constraint %a <@mesh, [{?}p1, {}], unreduced={"x"}> : tensor<8x4xf32>
    %1 = sdy.sharding_constraint %b <@empty_mesh, []> : tensor<f32>
    %2 = sdy.propagation_barrier %0 allowed_direction=BACKWARD : tensor<8x4xf32>
    sdy.sharding_group %a group_id=7 : tensor<8x4xf32>
    %3 = stablehlo.add %a, %2 {sdy.sharding = #sdy.sharding_per_value<[<@odd, [{"y", ?}, {?}]>]>} : tensor<8x4xf32>
    return %3, %a : tensor<8x4xf32>, tensor<8x4xf32>
  }
}
// -----
// A manual computation over one axis: the other stays free. Axes that an array
// is not divided along must not divide it. Calls that no array connects with
// the computation are marked.
// CHECK-LABEL: HloModule manual
// CHECK: %[[WHOLE_IN:.*]] = f32[4]{0} custom-call(%{{.*}}), custom_call_target="Sharding", sharding={mesh['x'=2,'y'=4], [{?}], replicated={'x'}}
// CHECK: f32[4]{0} custom-call(%[[WHOLE_IN]]), custom_call_target="SPMDFullToShardShape", sharding={mesh['x'=2,'y'=4], [{?}], manual={'x'}}
// CHECK: custom-call(), custom_call_target="callback", custom_call_has_side_effect=true, sharding={mesh['x'=2,'y'=4], [], manual={'x'}}
// CHECK: %[[A:.*]] = f32[8,4]{1,0} parameter(0)
// CHECK: %[[IN:.*]] = f32[8,4]{1,0} custom-call(%[[A]]), custom_call_target="Sharding", sharding={mesh['x'=2,'y'=4], [{'x', 'y'}, {?}]}
// CHECK: %[[PART:.*]] = f32[4,4]{1,0} custom-call(%[[IN]]), custom_call_target="SPMDFullToShardShape", sharding={mesh['x'=2,'y'=4], [{'y'}, {?}], manual={'x'}}
// CHECK: %[[SINE:.*]] = f32[4,4]{1,0} sine(%[[PART]])
// CHECK: %[[OUT:.*]] = f32[4,4]{1,0} custom-call(%[[SINE]]), custom_call_target="Sharding", sharding={mesh['x'=2,'y'=4], [{?}, {}], manual={'x'}}
// CHECK: ROOT %{{.*}} = f32[4,8]{1,0} custom-call(%[[OUT]]), custom_call_target="SPMDShardToFullShape", sharding={mesh['x'=2,'y'=4], [{?}, {'x'}]}
module @manual attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(%a: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<4x8xf32> {
    %0 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x", "y"}, {?}]>, <@mesh, [{?}]>] out_shardings=[<@mesh, [{?}, {"x"}]>] manual_axes={"x"} (%part: tensor<4x4xf32>, %c: tensor<4xf32>) {
      stablehlo.custom_call @callback() {has_side_effect = true} : () -> ()
      %1 = stablehlo.sine %part : tensor<4x4xf32>
      sdy.return %1 : tensor<4x4xf32>
    } : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
// -----
// Calls that one device runs, and calls that say how they are divided.
// CHECK-LABEL: HloModule calls
// CHECK: (token[], f32[4]{0}) custom-call({{.*}}, custom_call_target="one", {{.*}}sharding={{[{][{]}}maximal_mesh[device_id=3]}, {maximal_mesh[device_id=3]}}
// CHECK: () custom-call({{.*}}, custom_call_target="log", {{.*}}sharding={maximal_mesh[device_id=0]}
// CHECK: custom_call_target="batched", {{.*}}frontend_attributes={num_batch_dims="1",xla.sdy.sharding_rule="#sdy.op_sharding_rule<([i, j])->([i, k]) {i=4, j=2, k=2} need_replication={j, k}, custom>"}
module @calls attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>
  sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>
  func.func @main(%a: tensor<4xf32>, %b: tensor<4x2xf32>) -> (tensor<4xf32>, tensor<4x2xf32>) {
    %t = stablehlo.create_token : !stablehlo.token
    %0:2 = stablehlo.custom_call @one(%t, %a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_3, []>, <@maximal_mesh_3, []>]>} : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)
    stablehlo.custom_call @log(%a) {has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<4xf32>) -> ()
    %1 = stablehlo.custom_call @batched(%b) {mhlo.frontend_attributes = {num_batch_dims = "1"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, k]) {i=4, j=2, k=2} need_replication={j, k}, custom>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    return %0#1, %1 : tensor<4xf32>, tensor<4x2xf32>
  }
}
// -----
// GSPMD's form keeps its tiles and custom calls.
// CHECK-LABEL: HloModule tiles
// CHECK: %[[A:.*]] = f32[4,4]{1,0} parameter(0), sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}
// CHECK: %[[S:.*]] = f32[4,4]{1,0} custom-call(%[[A]]), custom_call_target="Sharding", sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}, backend_config="unspecified_dims=[1]"
// CHECK: %[[F:.*]] = f32[2,4]{1,0} custom-call(%[[S]]), custom_call_target="SPMDFullToShardShape", sharding={manual}
// CHECK: %[[M:.*]] = f32[2,4]{1,0} custom-call(%[[F]]), custom_call_target="Sharding", sharding={manual}
// CHECK: %[[R:.*]] = f32[4,4]{1,0} custom-call(%[[M]]), custom_call_target="SPMDShardToFullShape", sharding={devices=[4,1]<=[4]}
// CHECK: %[[G:.*]] = f32[4,4]{1,0} custom-call(%[[R]]), custom_call_target="Sharding", custom_call_has_side_effect=true, sharding={unknown shard_as 0}
// CHECK: %[[N:.*]] = f32[4,4]{1,0} negate(%[[G]]), sharding={replicated}
// CHECK: ROOT %{{.*}} = f32[4,4]{1,0} custom-call(%[[N]]), custom_call_target="xla.sdy.FuncResultSharding", sharding={devices=[1,4]<=[4]}
module @tiles attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<4x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}) -> (tensor<4x4xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) {
    %0 = stablehlo.custom_call @Sharding(%a) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.custom_call @Sharding(%1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {backend_config = "", mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.custom_call @Sharding(%3) {backend_config = "", has_side_effect = true, mhlo.sharding = "{unknown shard_as 0}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.negate %4 {mhlo.sharding = "{replicated}"} : tensor<4x4xf32>
    return %5 : tensor<4x4xf32>
  }
}
// -----
// Shardy's round trip: text in frontend attributes, which are not kept.
// CHECK-LABEL: HloModule round_trip
// CHECK-NOT: frontend_attributes
// CHECK: %[[A:.*]] = f32[4,4]{1,0} parameter(0), sharding={mesh['a'=2], [{'a'}, {}]}
// CHECK: %[[C:.*]] = f32[4,4]{1,0} custom-call(%[[A]]), custom_call_target="Sharding", sharding={mesh['a'=2], [{}, {'a'}]}
// CHECK: %[[IN:.*]] = f32[4,4]{1,0} custom-call(%[[C]]), custom_call_target="Sharding", sharding={mesh['a'=2], [{'a'}, {}]}
// CHECK: %[[PART:.*]] = f32[2,4]{1,0} custom-call(%[[IN]]), custom_call_target="SPMDFullToShardShape", sharding={mesh['a'=2], [{}, {}], manual={'a'}}
// CHECK: %[[SINE:.*]] = f32[2,4]{1,0} sine(%[[PART]])
// CHECK: %[[OUT:.*]] = f32[2,4]{1,0} custom-call(%[[SINE]]), custom_call_target="Sharding", sharding={mesh['a'=2], [{}, {}], manual={'a'}}
// CHECK: %[[WHOLE:.*]] = f32[4,4]{1,0} custom-call(%[[OUT]]), custom_call_target="SPMDShardToFullShape", sharding={mesh['a'=2], [{'a'}, {}]}
// CHECK: custom-call(%[[WHOLE]]), custom_call_target="Sharding", custom_call_has_side_effect=true, sharding={unknown shard_as 12}
// CHECK: ROOT %{{.*}} = f32[4,4]{1,0} custom-call(%[[WHOLE]]), custom_call_target="xla.sdy.FuncResultSharding", sharding={mesh['a'=2], [{}, {'a', ?}]}
module @round_trip attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\22a\\\22=2]>}"}, mhlo.num_partitions = 2 : i32} {
  func.func @main(%a: tensor<4x4xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22a\22}, {}]>"}, mhlo.sharding = "{devices=[2,1]<=[2]}"}) -> tensor<4x4xf32> {
    %0 = stablehlo.custom_call @Sharding(%a) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}, {\\\22a\\\22}]>]>"}, mhlo.sharding = "{devices=[1,2]<=[2]}"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %2 = call @xla.sdy.manual_computation_body(%1) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22a\22}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22a\22}, {}]>]>"}} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) : (tensor<2x4xf32>) -> tensor<4x4xf32>
    stablehlo.custom_call @xla.sdy.ShardingGroup(%3) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "12 : i64"}} : (tensor<4x4xf32>) -> ()
    %4 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%3) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{}, {\22a\22, ?}]>]>"}} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %4 : tensor<4x4xf32>
  }
  func.func private @xla.sdy.manual_computation_body(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.sine %a : tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}
