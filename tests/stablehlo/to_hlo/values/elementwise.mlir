// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {2.5, 0.5, 0.25, 3}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.abs"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {2.5, 0.5, -0.25, -3}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-1, -1, 1, 1}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.sign"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-2, -0, 1, 3}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.ceil"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-3, -1, 0, 3}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.floor"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-3, -1, 0, 3}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.round_nearest_afz"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-2, -0, 0, 3}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.round_nearest_even"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-2.5, -0.5, 0.25, 3}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.real"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-1.35720885, -0.793700516, 0.629960537, 1.44224954}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.cbrt"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-0.801143587, 0.87758255, 0.968912423, -0.989992499}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.cosine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {0.0820849985, 0.606530666, 1.28402543, 20.085537}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.exponential"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-0.917914987, -0.393469334, 0.284025401, 19.085537}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.exponential_minus_one"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {0.0758581758, 0.377540678, 0.562176526, 0.952574134}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.logistic"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-0.598472118, -0.47942555, 0.247403964, 0.141120002}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.sine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {0.747022331, -0.546302497, 0.255341917, -0.142546549}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.tan"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {-0.986614347, -0.462117165, 0.244918659, 0.995054722}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.tanh"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {0.100000001, 0.5, 1, 3.5}
// EXPECT: f32[4]{0} {-2.30258512, -0.693147182, 0, 1.25276303}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.log"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {0.100000001, 0.5, 1, 3.5}
// EXPECT: f32[4]{0} {0.0953101814, 0.405465096, 0.693147182, 1.50407743}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.log_plus_one"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {0.100000001, 0.5, 1, 3.5}
// EXPECT: f32[4]{0} {3.16227746, 1.41421354, 1, 0.534522474}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.rsqrt"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {0.100000001, 0.5, 1, 3.5}
// EXPECT: f32[4]{0} {0.316227764, 0.707106769, 1, 1.87082875}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.sqrt"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {0.0820849985, 0.606530666, 1.28402543, 20.085537}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.exponential"(%x) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: c64[2]{0} {(1, 2), (-3, 0.5)}
// EXPECT: f32[2]{0} {2.23606801, 3.04138112}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %0 = "stablehlo.abs"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// ARGS: c64[2]{0} {(1, 2), (-3, 0.5)}
// EXPECT: f32[2]{0} {1, -3}
func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %0 = "stablehlo.real"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// ARGS: c64[2]{0} {(1, 2), (-3, 0.5)}
// EXPECT: f32[2]{0} {2, 0.5}
func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %0 = "stablehlo.imag"(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}
// EXPECT: f32[4]{0} {0, 0, 0, 0}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.imag"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {1, inf, nan, -0}
// EXPECT: pred[4]{0} {true, false, false, true}
func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "stablehlo.is_finite"(%x) : (tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: pred[2]{0} {true, false}
// EXPECT: pred[2]{0} {false, true}
func.func @main(%x: tensor<2xi1>) -> tensor<2xi1> {
  %0 = "stablehlo.not"(%x) : (tensor<2xi1>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
// ARGS: s32[4]{0} {-7, 0, 5, 2147483647}
// EXPECT: s32[4]{0} {6, -1, -6, -2147483648}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.not"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: s32[4]{0} {-7, 0, 5, 2147483647}
// EXPECT: s32[4]{0} {30, 0, 2, 31}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.popcnt"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: s32[4]{0} {-7, 0, 5, 2147483647}
// EXPECT: s32[4]{0} {0, 32, 29, 1}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.count_leading_zeros"(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[4]{0} {2, -1, 0.5, -2}
// EXPECT: f32[4]{0} {-0.5, -1.5, 0.75, 1}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[4]{0} {2, -1, 0.5, -2}
// EXPECT: f32[4]{0} {-4.5, 0.5, -0.25, 5}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.subtract"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[4]{0} {2, -1, 0.5, -2}
// EXPECT: f32[4]{0} {-5, 0.5, 0.125, -6}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.multiply"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[4]{0} {2, -1, 0.5, -2}
// EXPECT: f32[4]{0} {-1.25, 0.5, 0.5, -1.5}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.divide"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[4]{0} {2, -1, 0.5, -2}
// EXPECT: f32[4]{0} {2, -0.5, 0.5, 3}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.maximum"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[4]{0} {2, -1, 0.5, -2}
// EXPECT: f32[4]{0} {-2.5, -1, 0.25, -2}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.minimum"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[4]{0} {2, -1, 0.5, -2}
// EXPECT: f32[4]{0} {-0.5, -0.5, 0.25, 1}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.remainder"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {0.100000001, 0.5, 1, 3.5}; f32[4]{0} {2, -1, 0.5, -2}
// EXPECT: f32[4]{0} {0.0100000007, 2, 1, 0.0816326514}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.power"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {0.100000001, 0.5, 1, 3.5}; f32[4]{0} {2, -1, 0.5, -2}
// EXPECT: f32[4]{0} {0.0499583967, 2.67794514, 1.10714877, 2.08994246}
// TOLERANCE: 1e-06
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.atan2"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: s32[4]{0} {-7, 0, 5, 2147483647}; s32[4]{0} {3, -1, 6, 1}
// EXPECT: s32[4]{0} {1, 0, 4, 1}
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.and"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: s32[4]{0} {-7, 0, 5, 2147483647}; s32[4]{0} {3, -1, 6, 1}
// EXPECT: s32[4]{0} {-5, -1, 7, 2147483647}
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.or"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: s32[4]{0} {-7, 0, 5, 2147483647}; s32[4]{0} {3, -1, 6, 1}
// EXPECT: s32[4]{0} {-6, -1, 3, 2147483646}
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.xor"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: s32[4]{0} {-7, 0, 5, 2147483647}; s32[4]{0} {1, 2, 40, 3}
// EXPECT: s32[4]{0} {-14, 0, 0, -8}
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.shift_left"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: s32[4]{0} {-7, 0, 5, 2147483647}; s32[4]{0} {1, 2, 40, 3}
// EXPECT: s32[4]{0} {-4, 0, 0, 268435455}
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.shift_right_arithmetic"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: s32[4]{0} {-7, 0, 5, 2147483647}; s32[4]{0} {1, 2, 40, 3}
// EXPECT: s32[4]{0} {2147483644, 0, 0, 268435455}
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.shift_right_logical"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// ARGS: f32[2]{0} {1, 2}; f32[2]{0} {3, -4}
// EXPECT: c64[2]{0} {(1, 3), (2, -4)}
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xcomplex<f32>> {
  %0 = "stablehlo.complex"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
// -----
// ARGS: f32[4]{0} {1, nan, -0, 3}; f32[4]{0} {1, 1, 0, 2}
// EXPECT: pred[4]{0} {true, false, true, false}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: f32[4]{0} {1, nan, -0, 3}; f32[4]{0} {1, 1, 0, 2}
// EXPECT: pred[4]{0} {false, true, false, true}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction NE>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: f32[4]{0} {1, nan, -0, 3}; f32[4]{0} {1, 1, 0, 2}
// EXPECT: pred[4]{0} {true, false, true, true}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: f32[4]{0} {1, nan, -0, 3}; f32[4]{0} {1, 1, 0, 2}
// EXPECT: pred[4]{0} {false, false, false, true}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: f32[4]{0} {1, nan, -0, 3}; f32[4]{0} {1, 1, 0, 2}
// EXPECT: pred[4]{0} {true, false, true, false}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: f32[4]{0} {1, nan, -0, 3}; f32[4]{0} {1, 1, 0, 2}
// EXPECT: pred[4]{0} {false, false, false, false}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: f32[4]{0} {1, nan, -0, 3}; f32[4]{0} {1, 1, 0, 2}
// EXPECT: pred[4]{0} {false, false, true, false}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
  %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// ARGS: u8[2]{0} {1, 200}; u8[2]{0} {2, 100}
// EXPECT: pred[2]{0} {true, false}
func.func @main(%x: tensor<2xui8>, %y: tensor<2xui8>) -> tensor<2xi1> {
  %0 = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
// ARGS: f32[3]{0} {1.5, -2.70000005, 300}
// EXPECT: s8[3]{0} {1, -2, 127}
func.func @main(%x: tensor<3xf32>) -> tensor<3xi8> {
  %0 = "stablehlo.convert"(%x) : (tensor<3xf32>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}
// -----
// ARGS: s32[3]{0} {0, 1, -3}
// EXPECT: pred[3]{0} {false, true, true}
func.func @main(%x: tensor<3xi32>) -> tensor<3xi1> {
  %0 = "stablehlo.convert"(%x) : (tensor<3xi32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}
// -----
// ARGS: f32[2]{0} {1.00097656, 2}
// EXPECT: bf16[2]{0} {1, 2}
func.func @main(%x: tensor<2xf32>) -> tensor<2xbf16> {
  %0 = "stablehlo.convert"(%x) : (tensor<2xf32>) -> tensor<2xbf16>
  return %0 : tensor<2xbf16>
}
// -----
// ARGS: f32[2]{0} {1, -2}
// EXPECT: s32[2]{0} {1065353216, -1073741824}
func.func @main(%x: tensor<2xf32>) -> tensor<2xi32> {
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// ARGS: f32[2]{0} {1, -2}
// EXPECT: s16[2,2]{1,0} {{0, 16256}, {0, -16384}}
func.func @main(%x: tensor<2xf32>) -> tensor<2x2xi16> {
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<2xf32>) -> tensor<2x2xi16>
  return %0 : tensor<2x2xi16>
}
// -----
// ARGS: s16[2,2]{1,0} {{1, 2}, {3, 4}}
// EXPECT: s32[2]{0} {131073, 262147}
func.func @main(%x: tensor<2x2xi16>) -> tensor<2xi32> {
  %0 = "stablehlo.bitcast_convert"(%x) : (tensor<2x2xi16>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// ARGS: f32[2]{0} {1.23456776, 1.00000002e+30}
// EXPECT: f32[2]{0} {1.25, inf}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_precision"(%x) {exponent_bits = 5 : i32, mantissa_bits = 3 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// ARGS: f32[] -1; f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[] 2
// EXPECT: f32[4]{0} {-1, -0.5, 0.25, 2}
func.func @main(%lo: tensor<f32>, %x: tensor<4xf32>, %hi: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: pred[4]{0} {true, false, true, false}; f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[4]{0} {0.100000001, 0.5, 1, 3.5}
// EXPECT: f32[4]{0} {-2.5, 0.5, 0.25, 3.5}
func.func @main(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.select %p, %x, %y : tensor<4xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: pred[] false; f32[4]{0} {-2.5, -0.5, 0.25, 3}; f32[4]{0} {0.100000001, 0.5, 1, 3.5}
// EXPECT: f32[4]{0} {0.100000001, 0.5, 1, 3.5}
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}
