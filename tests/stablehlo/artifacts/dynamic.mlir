func.func public @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32, #stablehlo.bounds<9, ?>>, %s: tensor<2xi32>, %i: tensor<2xi32>, %f: tensor<f32>, %n: tensor<i32>, %img: tensor<1x8x8x2xf32>, %ker: tensor<3x3x2x4xf32>, %pd: tensor<2x2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>} : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %2 = stablehlo.dynamic_pad %a, %f, %s, %s, %i : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = stablehlo.dynamic_reshape %a, %s : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %4 = stablehlo.real_dynamic_slice %a, %s, %i, %i : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %5 = stablehlo.set_dimension_size %b, %n, dim = 0 : (tensor<?x4xf32, #stablehlo.bounds<9, ?>>, tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<9, ?>>
  %6 = "stablehlo.dynamic_conv"(%img, %ker, %pd) <{window_strides = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x?x?x4xf32>
  return %3 : tensor<?x?xf32>
}
