func.func public @main(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.uniform_quantize %a : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x4xf32>
  %2 = stablehlo.uniform_quantize %a : (tensor<2x4xf32>) -> tensor<2x4x!quant.uniform<u8<0:100>:f32, 2.0:7>>
  return %1 : tensor<2x4xf32>
}
