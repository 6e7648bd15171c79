// ARGS: f32[5]{0} {0.25, 0.75, -1, 100, -100}
// EXPECT: s8[5]{0} {4, 4, 1, 127, -128}; f32[5]{0} {0.5, 0.5, -1, 62, -65.5}
func.func @main(%x: tensor<5xf32>) -> (tensor<5xi8>, tensor<5xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<5xi8>
  %2 = stablehlo.uniform_dequantize %0 : (tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<5xf32>
  return %1, %2 : tensor<5xi8>, tensor<5xf32>
}
// -----
// ARGS: f32[2,2]{1,0} {{1, 2}, {-3, 100}}
// EXPECT: s8[2,2]{1,0} {{3, 6}, {-5, 127}}; f32[2,2]{1,0} {{1, 2}, {-3, 32.25}}
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xi8>, tensor<2x2xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {5.000000e-01:1, 2.500000e-01:-2}>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {5.000000e-01:1, 2.500000e-01:-2}>>) -> tensor<2x2xi8>
  %2 = stablehlo.uniform_dequantize %0 : (tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {5.000000e-01:1, 2.500000e-01:-2}>>) -> tensor<2x2xf32>
  return %1, %2 : tensor<2x2xi8>, tensor<2x2xf32>
}
// -----
// ARGS: f32[4]{0} {1, 2, 3, 4}
// EXPECT: s8[4]{0} {2, 4, 12, 16}; f32[4]{0} {1, 2, 3, 4}
func.func @main(%x: tensor<4xf32>) -> (tensor<4xi8>, tensor<4xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32:{0:2}, {5.000000e-01, 2.500000e-01}>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4x!quant.uniform<i8:f32:{0:2}, {5.000000e-01, 2.500000e-01}>>) -> tensor<4xi8>
  %2 = stablehlo.uniform_dequantize %0 : (tensor<4x!quant.uniform<i8:f32:{0:2}, {5.000000e-01, 2.500000e-01}>>) -> tensor<4xf32>
  return %1, %2 : tensor<4xi8>, tensor<4xf32>
}
// -----
// ARGS: f32[2]{0} {1, 2}; f32[2]{0} {0.5, -4}
// EXPECT: f32[2]{0} {1.5, -2}; s8[2,1]{1,0} {{6}, {-8}}
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2x1xi8>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %1 = stablehlo.uniform_quantize %y : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01:0>>
  %2 = stablehlo.add %0, %1 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:0>>) -> tensor<2x!quant.uniform<i8:f32, 2.500000e-01:0>>
  %3 = stablehlo.reshape %2 : (tensor<2x!quant.uniform<i8:f32, 2.500000e-01:0>>) -> tensor<2x1x!quant.uniform<i8:f32, 2.500000e-01:0>>
  %4 = stablehlo.bitcast_convert %3 : (tensor<2x1x!quant.uniform<i8:f32, 2.500000e-01:0>>) -> tensor<2x1xi8>
  %5 = stablehlo.uniform_dequantize %2 : (tensor<2x!quant.uniform<i8:f32, 2.500000e-01:0>>) -> tensor<2xf32>
  return %5, %4 : tensor<2xf32>, tensor<2x1xi8>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[3,2]{1,0} {{1, 0}, {2, 1}, {0, 3}}
// EXPECT: f32[2,2]{1,0} {{5, 11}, {14, 23}}; f32[2,2]{1,0} {{5, 11}, {14, 23}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %1 = stablehlo.uniform_quantize %y : (tensor<3x2xf32>) -> tensor<3x2x!quant.uniform<i8:f32, 2.500000e-01:0>>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x2x!quant.uniform<i8:f32, 2.500000e-01:0>>) -> tensor<2x2x!quant.uniform<i32:f32, 1.250000e-01>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<2x2x!quant.uniform<i32:f32, 1.250000e-01>>) -> tensor<2x2xf32>
  %4 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2x!quant.uniform<i8:f32, 2.500000e-01:0>>) -> tensor<2x2xf32>
  return %3, %4 : tensor<2x2xf32>, tensor<2x2xf32>
}
// -----
// ARGS: f32[4]{0} {1, 2, 3, 4}
// EXPECT: f32[] 10
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %z = stablehlo.constant() {value = dense<3> : tensor<i8>} : () -> tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>
  %1 = stablehlo.reduce(%0 init: %z) across dimensions = [0] : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>
   reducer(%a: tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>, %b: tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>)  {
    %2 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>
    stablehlo.return %2 : tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>
  }
  %3 = stablehlo.uniform_dequantize %1 : (tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<f32>
  return %3 : tensor<f32>
}
// -----
// ARGS: s8[2]{0} {1, 2}; s8[2]{0} {1, 2}
// ERROR: must be quantized alike
func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %y: tensor<2x!quant.uniform<i8:f32, 2.500000e-01:0>>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>> {
  %0 = "stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01:0>>) -> tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>
}
