// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// ERROR: stablehlo.add at line 2, column 8: expected 2 operands, got 1
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.add"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// ERROR: expected 1 operands, got 2
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @mhlo.tan(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// ERROR: (elementwise_unary_c2)
func.func @main(%x: tensor<4xf32>) -> tensor<4xi32> {
  %c = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %0 = stablehlo.custom_call @mhlo.erf(%c) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// ERROR: expected as many limits and strides as the 1 starts, got 2 and 1
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[] 0
// ERROR: expected as much high and interior padding
func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.pad"(%x, %y) <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64>, interior_padding = array<i64: 0>}> : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// ERROR: attribute 'dimensions' is missing
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.reverse"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// ERROR: broadcast dimension 7 is not one of
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 7>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// ERROR: dimension 1 is not one of f32[4]
func.func @main(%x: tensor<4xf32>) -> tensor<i32> {
  %0 = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<4xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// -----
// ARGS: c64[4]{0} {(1, 0), (2, 0), (3, 0), (4, 0)}
// ERROR: (fft_c
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = "stablehlo.fft"(%x) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 3>}> : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
// -----
// ARGS: f32[6]{0} {1, 2, 3, 4, 5, 6}
// ERROR: (slice_c3)
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
  %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %s = "stablehlo.slice"(%c) <{start_indices = array<i64: 500000>, limit_indices = array<i64: 500002>, strides = array<i64: 1>}> : (tensor<2xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %x : tensor<6xf32>
}
// -----
// ARGS: f32[6]{0} {1, 2, 3, 4, 5, 6}
// ERROR: s32[100000000000000] is too large to be evaluated here
func.func @main(%x: tensor<6xf32>) -> tensor<6xf32> {
  %c = stablehlo.iota dim = 0 : tensor<100000000000000xi32>
  %0 = stablehlo.dynamic_reshape %x, %c : (tensor<6xf32>, tensor<100000000000000xi32>) -> tensor<?x?xf32>
  return %x : tensor<6xf32>
}
// -----
// ARGS: f32[6]{0} {1, 2, 3, 4, 5, 6}; f32[] 0
// ERROR: stablehlo.reduce at line 2
func.func @main(%x: tensor<6xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 0>}> : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// ARGS: f32[2]{0} {1, 2}
// ERROR: stablehlo.after_all at line 2, column 8: operand 0 must be a token, got f32[2]
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %t = "stablehlo.after_all"(%x) : (tensor<2xf32>) -> !stablehlo.token
  return %x : tensor<2xf32>
}
// -----
// ARGS: f32[2]{0} {1, 2}
// ERROR: stablehlo.create_token at line 3, column 8: expected 0 operands, got 1
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %u = "stablehlo.create_token"(%t) : (!stablehlo.token) -> !stablehlo.token
  return %x : tensor<2xf32>
}
