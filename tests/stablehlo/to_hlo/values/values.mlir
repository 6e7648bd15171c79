// EXPECT: f32[2,2]{1,0} {{1, 2.5}, {-3, inf}}; pred[3]{0} {true, false, true}; f64[] 1e+100; c64[2]{0} {(1, 2), (3, -4)}; s8[20]{0} {-7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7}
func.func @main() -> (tensor<2x2xf32>, tensor<3xi1>, tensor<f64>, tensor<2xcomplex<f32>>, tensor<20xi8>) {
  %0 = stablehlo.constant dense<[[1.0, 2.5], [-3.0, 0x7F800000]]> : tensor<2x2xf32>
  %1 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %2 = stablehlo.constant dense<1.0e+100> : tensor<f64>
  %3 = stablehlo.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %4 = stablehlo.constant dense<-7> : tensor<20xi8>
  return %0, %1, %2, %3, %4 : tensor<2x2xf32>, tensor<3xi1>, tensor<f64>, tensor<2xcomplex<f32>>, tensor<20xi8>
}
// -----
// EXPECT: s32[2,3]{1,0} {{0, 1, 2}, {0, 1, 2}}; f32[2,3]{1,0} {{0, 0, 0}, {1, 1, 1}}
func.func @main() -> (tensor<2x3xi32>, tensor<2x3xf32>) {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %1 = stablehlo.iota dim = 0 : tensor<2x3xf32>
  return %0, %1 : tensor<2x3xi32>, tensor<2x3xf32>
}
// -----
// ARGS: u64[2]{0} {1, 2}
// EXPECT: u64[2]{0} {1, 4}; u32[4]{0} {43444564, 2150618427, 3979645651, 3745730563}
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %0, %1 : tensor<2xui64>, tensor<4xui32>
}
// -----
// ARGS: u64[2]{0} {1, 2}
// EXPECT: u64[2]{0} {1, 3}; u32[4]{0} {2100602697, 2847456232, 2074354647, 800269529}
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %0, %1 : tensor<2xui64>, tensor<4xui32>
}
// -----
// ARGS: u64[2]{0} {1, 2}
// EXPECT: u64[2]{0} {1, 3}; u32[4]{0} {2100602697, 2847456232, 2074354647, 800269529}
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %0, %1 : tensor<2xui64>, tensor<4xui32>
}
// -----
// EXPECT: f32[2,3]{1,0} {{5, 5, 5}, {5, 5, 5}}
func.func @main() -> tensor<2x3xf32> {
  %lo = stablehlo.constant dense<5.0> : tensor<f32>
  %sizes = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %lo, %lo, %sizes, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
