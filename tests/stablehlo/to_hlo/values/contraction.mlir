// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[3,2]{1,0} {{1, 0}, {2, 1}, {0, 3}}
// EXPECT: f32[2,2]{1,0} {{5, 11}, {14, 23}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// ARGS: f32[3]{0} {1, 2, 3}; f32[3]{0} {1, 2, 0}
// EXPECT: f32[] 5
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<f32> {
  %0 = stablehlo.dot %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[2,3,2]{2,1,0} {{{0, 1}, {2, 3}, {4, 5}}, {{6, 7}, {8, 9}, {10, 11}}}
// EXPECT: f32[2,2]{1,0} {{16, 22}, {124, 139}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf32>, tensor<2x3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[3,2]{1,0} {{1, 0}, {2, 1}, {0, 3}}
// EXPECT: f32[2,2]{1,0} {{5, 11}, {14, 23}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// ARGS: s8[2,3]{1,0} {{20, 40, 60}, {80, 100, 120}}; s8[3,2]{1,0} {{20, 0}, {40, 20}, {0, 60}}
// EXPECT: s32[2,2]{1,0} {{2000, 4400}, {5600, 9200}}
func.func @main(%x: tensor<2x3xi8>, %y: tensor<3x2xi8>) -> tensor<2x2xi32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xi8>, tensor<3x2xi8>) -> tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
// -----
// ARGS: f32[1,4,4,1]{3,2,1,0} {{{{0}, {1}, {2}, {3}}, {{4}, {5}, {6}, {7}}, {{8}, {9}, {10}, {11}}, {{12}, {13}, {14}, {15}}}}; f32[3,3,1,1]{3,2,1,0} {{{{0}}, {{1}}, {{2}}}, {{{3}}, {{4}}, {{5}}}, {{{6}}, {{7}}, {{8}}}}
// EXPECT: f32[1,2,3,1]{3,2,1,0} {{{{31}, {46}, {25}}, {{258}, {294}, {174}}}}
func.func @main(%x: tensor<1x4x4x1xf32>, %y: tensor<3x3x1x1xf32>) -> tensor<1x2x3x1xf32> {
  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 1]], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x3x1xf32>
  return %0 : tensor<1x2x3x1xf32>
}
// -----
// ARGS: f32[1,2,4]{2,1,0} {{{0, 1, 2, 3}, {4, 5, 6, 7}}}; f32[2,1,2]{2,1,0} {{{1, 2}}, {{3, 4}}}
// EXPECT: f32[1,2,5]{2,1,0} {{{2, 0, 5, 0, 8}, {32, 0, 39, 0, 46}}}
func.func @main(%x: tensor<1x2x4xf32>, %y: tensor<2x1x2xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {lhs_dilate = [2], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x4xf32>, tensor<2x1x2xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// ARGS: f32[2,1,4]{2,1,0} {{{0, 1, 2, 3}}, {{4, 5, 6, 7}}}; f32[2,1,2]{2,1,0} {{{1, 2}}, {{3, 4}}}
// EXPECT: f32[1,2,3]{2,1,0} {{{2, 5, 8}, {32, 39, 46}}}
func.func @main(%x: tensor<2x1x4xf32>, %y: tensor<2x1x2xf32>) -> tensor<1x2x3xf32> {
  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x1x4xf32>, tensor<2x1x2xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[3,2]{1,0} {{1, 0}, {2, 1}, {0, 3}}
// EXPECT: f32[2,2]{1,0} {{5, 14}, {11, 23}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.einsum"(%x, %y) <{einsum_config = "ab,bc->ca"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}
// EXPECT: f32[3]{0} {5, 7, 9}
func.func @main(%x: tensor<2x3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->b"}> : (tensor<2x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// ARGS: f32[3,2]{1,0} {{1, 0}, {2, 1}, {0, 3}}; f32[2,2,2]{2,1,0} {{{0, 1}, {2, 3}}, {{4, 5}, {6, 7}}}; s32[2]{0} {1, 2}
// EXPECT: f32[3,2]{1,0} {{0, 1}, {14, 17}, {18, 21}}
func.func @main(%x: tensor<3x2xf32>, %y: tensor<2x2x2xf32>, %z: tensor<2xi32>) -> tensor<3x2xf32> {
  %0 = "chlo.ragged_dot"(%x, %y, %z) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<3x2xf32>, tensor<2x2x2xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
