// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {2.41885853, 1.67096376, 1.26610363, 0.451026857}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.acos"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.848062098, -0.100167423, 0.304692686, 1.11976945}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.asin"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.643501163, -0.0996686593, 0.291456789, 0.732815146}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.atan"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.972955108, -0.100335345, 0.309519619, 1.47221935}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.atanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.711155593, -0.112462915, 0.328626812, 0.7969082}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.erf"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.813419819, -0.0888559893, 0.272462755, 1.16308701}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.erf_inv"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {1.71115553, 1.11246288, 0.671373248, 0.203091845}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.erfc"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.822316706, -0.100166731, 0.304520279, 1.02651668}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.sinh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {1.29468334, 1.00500417, 1.04533851, 1.4330864}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.cosh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.693147182, -0.0998340771, 0.295673072, 0.808866858}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.asinh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.931596458, -0.100334674, 0.309336275, 1.26015818}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.tan"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.189887792, -0.0452984534, 0.112377569, 0.202116504}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.bessel_i1e"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.931596458, -0.100334674, 0.309336275, 1.26015818}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @mhlo.tan(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-1.38629436, -0.105360518, 0.26236427, 0.641853873}
// TOLERANCE: 2e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @mhlo.log_plus_one(%x) {mhlo.attributes = {}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-0.75, -0.100000001, 0.300000012, 0.899999976}
// EXPECT: f32[4]{0} {-0.711155593, -0.112462915, 0.328626812, 0.7969082}
// TOLERANCE: 2e-06
func.func @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "chlo.erf" %x {decomposition = @erf} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {1.25, 2, 5.5, 30}
// EXPECT: f32[4]{0} {0.693147182, 1.31695795, 2.38952637, 4.09406662}
// TOLERANCE: 2e-05
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.acosh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {1.25, 2, 5.5, 30}
// EXPECT: f32[4]{0} {-0.0982718468, 0, 3.95781589, 71.2570496}
// TOLERANCE: 2e-05
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.lgamma"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {1.25, 2, 5.5, 30}
// EXPECT: f32[4]{0} {-0.227453828, 0.422784626, 1.61109328, 3.38443828}
// TOLERANCE: 2e-05
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.digamma"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {6.25, 0.25, 0.0625, 9}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.square"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: c64[2]{0} {(1, 2), (-3, 0.5)}
// EXPECT: c64[2]{0} {(1, -2), (-3, -0.5)}
func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = "chlo.conj"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
// -----
// ARGS: f32[4]{0} {inf, -inf, 1, nan}
// EXPECT: pred[4]{0} {true, true, false, false}
func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "chlo.is_inf"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: f32[4]{0} {inf, -inf, 1, nan}
// EXPECT: pred[4]{0} {true, false, false, false}
func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "chlo.is_pos_inf"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: f32[4]{0} {inf, -inf, 1, nan}
// EXPECT: pred[4]{0} {false, true, false, false}
func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "chlo.is_neg_inf"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: f32[2]{0} {1, 2}; f32[2]{0} {2.5, 1.5}
// EXPECT: f32[2]{0} {0.490357757, -0.828796923}
// TOLERANCE: 1e-05
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "chlo.polygamma"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// ARGS: f32[2]{0} {3, 2.5}; f32[2]{0} {1.5, 2}
// EXPECT: f32[2]{0} {0.414398372, 0.341487229}
// TOLERANCE: 1e-05
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "chlo.zeta"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// ARGS: f32[3]{0} {1, 1, 0}; f32[3]{0} {2, 0, 1}
// EXPECT: f32[3]{0} {1.00000012, 0.99999994, 1.40129846e-45}
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "chlo.next_after"(%x, %y) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {2.5, 2.5, 2.5, 2.5}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.constant_like"(%x) {value = 2.5 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[3]{0} {10, 20, 30}
// EXPECT: f32[2,3]{1,0} {{11, 22, 33}, {14, 25, 36}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_add"(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// ARGS: f32[2]{0} {10, 20}; f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}
// EXPECT: f32[2,3]{1,0} {{9, 8, 7}, {16, 15, 14}}
func.func @main(%x: tensor<2xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_subtract"(%x, %y) {broadcast_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[2,1]{1,0} {{10}, {20}}
// EXPECT: f32[2,3]{1,0} {{10, 20, 30}, {80, 100, 120}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_multiply"(%x, %y) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[] 3
// EXPECT: pred[2,3]{1,0} {{true, true, false}, {false, false, false}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<f32>) -> tensor<2x3xi1> {
  %0 = "chlo.broadcast_compare"(%x, %y) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}
// -----
// ARGS: pred[3]{0} {true, false, true}; f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; f32[] 9
// EXPECT: f32[2,3]{1,0} {{1, 9, 3}, {4, 9, 6}}
func.func @main(%p: tensor<3xi1>, %x: tensor<2x3xf32>, %y: tensor<f32>) -> tensor<2x3xf32> {
  %0 = "chlo.broadcast_select"(%p, %x, %y) : (tensor<3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// ARGS: f32[2,4]{1,0} {{1, 4, 2, 3}, {8, 5, 7, 6}}
// EXPECT: f32[2,2]{1,0} {{4, 3}, {8, 7}}; s32[2,2]{1,0} {{1, 3}, {0, 2}}
func.func @main(%x: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<2x4xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xi32>
}
