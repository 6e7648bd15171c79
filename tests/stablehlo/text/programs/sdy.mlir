module {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @mesh2 = <["x"=2], device_ids=[1, 0]>
  sdy.mesh @mesh3 = <[], device_ids=[1]>
  sdy.mesh @mesh4 = <[]>
  func.func @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {}]>}, %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{?}, {"x"}]>}) -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y":(2)2}, {}], replicated={"y":(1)2}>}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {?}]> : tensor<8x16xf32>
    sdy.sharding_group %0 group_id=3 : tensor<8x16xf32>
    %1 = sdy.manual_computation(%0, %arg1) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg2: tensor<4x16xf32>, %arg3: tensor<4x16xf32>) {
      %5 = stablehlo.add %arg2, %arg3 : tensor<4x16xf32>
      sdy.return %5 : tensor<4x16xf32>
    } : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %2 = stablehlo.custom_call @foo(%1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16}, custom>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %3 = sdy.reshard %2 <@mesh, [{"x"}, {}]> : tensor<8x16xf32>
    %4 = sdy.named_computation<"foo">(%3) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] (%arg2: tensor<8x16xf32>) {
      sdy.return %arg2 : tensor<8x16xf32>
    } : (tensor<8x16xf32>) -> tensor<8x16xf32>
    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x", "y"} () {
      sdy.return
    } : () -> ()
    return %4 : tensor<8x16xf32>
  }
}
