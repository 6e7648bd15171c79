// ARGS: f32[3]{0} {1, 2, 3}
// EXPECT: f32[2,3]{1,0} {{1, 2, 3}, {1, 2, 3}}
func.func @main(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// ARGS: f32[2]{0} {1, 2}
// EXPECT: f32[2,3]{1,0} {{1, 1, 1}, {2, 2, 2}}
func.func @main(%x: tensor<2xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// ARGS: f32[2,1]{1,0} {{1}, {2}}
// EXPECT: f32[2,3,2]{2,1,0} {{{1, 1}, {1, 1}, {1, 1}}, {{2, 2}, {2, 2}, {2, 2}}}
func.func @main(%x: tensor<2x1xf32>) -> tensor<2x3x2xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x1xf32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}
// EXPECT: f32[3,2]{1,0} {{1, 4}, {2, 5}, {3, 6}}
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}
// EXPECT: f32[3,2]{1,0} {{1, 2}, {3, 4}, {5, 6}}
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// -----
// ARGS: f32[1,2,3]{2,1,0} {{{1, 2, 3}, {4, 5, 6}}}
// EXPECT: f32[3,1,2]{2,1,0} {{{1, 4}}, {{2, 5}}, {{3, 6}}}
func.func @main(%x: tensor<1x2x3xf32>) -> tensor<3x1x2xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<1x2x3xf32>) -> tensor<3x1x2xf32>
  return %0 : tensor<3x1x2xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}
// EXPECT: f32[2,3]{1,0} {{3, 2, 1}, {6, 5, 4}}
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}
// EXPECT: f32[2,2]{1,0} {{1, 3}, {4, 6}}
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.slice %x [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; s32[] 1; s32[] 9
// EXPECT: f32[1,2]{1,0} {{5, 6}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<i32>, %z: tensor<i32>) -> tensor<1x2xf32> {
  %0 = stablehlo.dynamic_slice %x, %y, %z, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[1,2]{1,0} {{8, 9}}; s32[] 1; s32[] 1
// EXPECT: f32[2,3]{1,0} {{1, 2, 3}, {4, 8, 9}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x2xf32>, %z: tensor<i32>, %w: tensor<i32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %y, %z, %w : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[] 7
// EXPECT: f32[3,4]{1,0} {{7, 7, 7, 7}, {1, 7, 2, 7}, {4, 7, 5, 7}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<f32>) -> tensor<3x4xf32> {
  %0 = stablehlo.pad %x, %y, low = [1, 0], high = [0, -1], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[2,1]{1,0} {{7}, {8}}
// EXPECT: f32[2,4]{1,0} {{1, 2, 3, 7}, {4, 5, 6, 8}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
