// ARGS: f32[2,2]{1,0} {{4, 2}, {2, 5}}
// EXPECT: f32[2,2]{1,0} {{2, 0}, {1, 2}}
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.cholesky %x, lower = true : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// ARGS: f32[2,2]{1,0} {{2, 0}, {1, 4}}; f32[2,1]{1,0} {{2}, {9}}
// EXPECT: f32[2,1]{1,0} {{1}, {2}}
func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x1xf32>) -> tensor<2x1xf32> {
  %0 = "stablehlo.triangular_solve"(%x, %y) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}
// -----
// ARGS: f32[2,2]{1,0} {{2, 0}, {1, 4}}; f32[2,1]{1,0} {{2}, {9}}
// EXPECT: f32[2,1]{1,0} {{-0.125}, {2.25}}
func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x1xf32>) -> tensor<2x1xf32> {
  %0 = "stablehlo.triangular_solve"(%x, %y) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}
// -----
// ARGS: c64[4]{0} {(1, 0), (2, 0), (3, 0), (4, 0)}
// EXPECT: c64[4]{0} {(10, 0), (-2, 2), (-2, 0), (-2, -2)}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = stablehlo.fft %x, type =  FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
// -----
// ARGS: f32[4]{0} {1, 2, 3, 4}
// EXPECT: c64[3]{0} {(10, 0), (-2, 2), (-2, 0)}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<3xcomplex<f32>> {
  %0 = stablehlo.fft %x, type =  RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
// -----
// ARGS: c64[3]{0} {(10, 0), (-2, 2), (-2, 0)}
// EXPECT: f32[4]{0} {1, 2, 3, 4}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<3xcomplex<f32>>) -> tensor<4xf32> {
  %0 = stablehlo.fft %x, type =  IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[2,2]{1,0} {{1, 2}, {3, 6}}; f32[2]{0} {1, 2}; f32[2]{0} {0, 1}
// EXPECT: f32[2,2]{1,0} {{-1, -1}, {1, 3}}; f32[2]{0} {2, 4}; f32[2]{0} {1, 4}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<2x2xf32>, %s: tensor<2xf32>, %o: tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0, %1, %2 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
}
// -----
// ARGS: f32[2,2]{1,0} {{1, 2}, {3, 6}}; f32[2]{0} {1, 2}; f32[2]{0} {0, 1}; f32[2]{0} {2, 4}; f32[2]{0} {1, 4}
// EXPECT: f32[2,2]{1,0} {{-1, -1}, {1, 3}}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<2x2xf32>, %s: tensor<2xf32>, %o: tensor<2xf32>, %m: tensor<2xf32>, %v: tensor<2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// ARGS: f32[2,2]{1,0} {{1, 2}, {3, 6}}; f32[2]{0} {1, 2}; f32[2]{0} {2, 4}; f32[2]{0} {1, 4}; f32[2,2]{1,0} {{1, 2}, {3, 5}}
// EXPECT: f32[2,2]{1,0} {{0, 0}, {0, 0}}; f32[2]{0} {2, 3}; f32[2]{0} {4, 7}
// TOLERANCE: 1e-05
func.func @main(%x: tensor<2x2xf32>, %s: tensor<2xf32>, %m: tensor<2xf32>, %v: tensor<2xf32>, %g: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0, %1, %2 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %0, %1, %2 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
}
