module @sharded attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @one = <[], device_ids=[3]>
func.func public @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {"y":(2)2}]>}, %t: !stablehlo.token) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}], unreduced={"y"}>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x4xf32>) {
    %1 = stablehlo.add %b, %b : tensor<2x4xf32>
    sdy.return %1 : tensor<2x4xf32>
  } : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}]> : tensor<4x4xf32>
  sdy.sharding_group %1 group_id=7 : tensor<4x4xf32>
  %2 = stablehlo.custom_call @foo(%1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
}
