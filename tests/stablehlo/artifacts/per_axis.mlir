func.func public @main(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.uniform_quantize %a : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32:0, {0.5:3, 1.5:-4}>>
  return %a : tensor<2x4xf32>
}
