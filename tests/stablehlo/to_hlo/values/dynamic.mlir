// ARGS: f32[2]{0} {1, 2}
// EXPECT: f32[2,3]{1,0} {{2, 2, 2}, {4, 4, 4}}
func.func @main(%x: tensor<2xf32>) -> tensor<2x3xf32> {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<2xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.add %0, %0 : tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %1, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}
// EXPECT: f32[6]{0} {0, 2, 6, 12, 20, 30}
func.func @main(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %a = stablehlo.get_dimension_size %x, dim = 0 : (tensor<2x3xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  %c = stablehlo.multiply %a, %b : tensor<i32>
  %s = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<?xf32>
  %3 = stablehlo.convert %2 : (tensor<?xf32>) -> tensor<?xi32>
  %4 = stablehlo.convert %3 : (tensor<?xi32>) -> tensor<?xf32>
  %5 = stablehlo.dynamic_reshape %4, %s : (tensor<?xf32>, tensor<1xi32>) -> tensor<6xf32>
  return %5 : tensor<6xf32>
}
// -----
// ARGS: f32[5]{0} {1, 2, 3, 4, 5}; f32[] 9
// EXPECT: f32[2]{0} {2, 4}; f32[8]{0} {9, 1, 2, 3, 4, 5, 9, 9}
func.func @main(%x: tensor<5xf32>, %v: tensor<f32>) -> (tensor<2xf32>, tensor<8xf32>) {
  %a = stablehlo.constant dense<1> : tensor<1xi32>
  %b = stablehlo.constant dense<5> : tensor<1xi32>
  %c = stablehlo.constant dense<2> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %a, %b, %c : (tensor<5xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_reshape %0, %c : (tensor<?xf32>, tensor<1xi32>) -> tensor<2xf32>
  %2 = stablehlo.dynamic_pad %x, %v, %a, %c, %z : (tensor<5xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %n = stablehlo.constant dense<8> : tensor<1xi32>
  %3 = stablehlo.dynamic_reshape %2, %n : (tensor<?xf32>, tensor<1xi32>) -> tensor<8xf32>
  return %1, %3 : tensor<2xf32>, tensor<8xf32>
}
// -----
// ARGS: f32[5]{0} {1, 2, 3, 4, 5}; s32[1]{0} {2}
// EXPECT: f32[2]{0} {3, 4}
func.func @main(%x: tensor<5xf32>, %i: tensor<1xi32>) -> tensor<2xf32> {
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %e = stablehlo.add %i, %two : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %i, %e, %one : (tensor<5xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; s32[3,1]{1,0} {{1}, {0}, {1}}
// EXPECT: f32[3,3]{1,0} {{4, 5, 6}, {1, 2, 3}, {4, 5, 6}}
func.func @main(%x: tensor<2x3xf32>, %i: tensor<3x1xi32>) -> tensor<3x3xf32> {
  %s = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<2x3xf32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
// -----
// ARGS: f32[1,4,1]{2,1,0} {{{1}, {2}, {3}, {4}}}; f32[3,1,1]{2,1,0} {{{1}}, {{10}}, {{100}}}
// EXPECT: f32[1,4,1]{2,1,0} {{{210}, {321}, {432}, {43}}}
func.func @main(%x: tensor<1x4x1xf32>, %k: tensor<3x1x1xf32>) -> tensor<1x4x1xf32> {
  %p = stablehlo.constant dense<1> : tensor<1x2xi32>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x1xf32>, tensor<3x1x1xf32>, tensor<1x2xi32>) -> tensor<1x?x1xf32>
  %s = stablehlo.constant dense<[1, 4, 1]> : tensor<3xi32>
  %1 = stablehlo.dynamic_reshape %0, %s : (tensor<1x?x1xf32>, tensor<3xi32>) -> tensor<1x4x1xf32>
  return %1 : tensor<1x4x1xf32>
}
// -----
// ARGS: s32[] 3; f32[5]{0} {1, 2, 3, 4, 5}
// EXPECT: f32[] 6; s32[] 3
func.func @main(%n: tensor<i32>, %x: tensor<5xf32>) -> (tensor<f32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<5xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<5>>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<i32>
  %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<f32>) -> tensor<f32>
  return %2, %1 : tensor<f32>, tensor<i32>
}
// -----
// Element-wise ops behind it are dynamic, whatever their types; if these are
// static, they determine the size.
// ARGS: s32[] 3; f32[5]{0} {1, 2, 3, 4, 5}
// EXPECT: f32[] 12; s32[] 5; f32[5]{0} {2, 4, 6, 0, 0}; f32[] 6; f32[] 15
func.func @main(%n: tensor<i32>, %x: tensor<5xf32>) -> (tensor<f32>, tensor<i32>, tensor<5xf32>, tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<5xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<5>>
  %1 = "stablehlo.add"(%0, %0) : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<5xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<5xf32>) -> tensor<i32>
  %4 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
  %5 = stablehlo.set_dimension_size %4, %five, dim = 0 : (tensor<5xf32>, tensor<i32>) -> tensor<5xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  %7 = stablehlo.set_dimension_size %0, %five, dim = 0 : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<i32>) -> tensor<5xf32>
  %8 = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return %2, %3, %1, %6, %8 : tensor<f32>, tensor<i32>, tensor<5xf32>, tensor<f32>, tensor<f32>
}
// -----
// ERROR: stablehlo.dynamic_reshape at line 2
func.func @main(%x: tensor<6xf32>, %s: tensor<2xi32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  %1 = stablehlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
