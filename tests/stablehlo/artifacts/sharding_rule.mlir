module @rule {
sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]>
func.func public @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=4}>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=NONE : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
}
