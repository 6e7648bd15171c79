// RUN: tessera translate %s | FileCheck %s
// Attributes that do not affect the evaluator's results.
// CHECK: ENTRY
func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: exponential(%{{.*}}), result_accuracy={mode=highest}
  %0 = "stablehlo.exponential"(%x) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: tanh(%{{.*}}), result_accuracy={tolerance={atol=0.5,rtol=0,ulps=2}}
  %1 = "stablehlo.tanh"(%0) {result_accuracy = #stablehlo.result_accuracy<atol = 5.0e-1, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // The default is not printed.
  // CHECK: sqrt(%{{[^,]*}}){{$}}
  %2 = "stablehlo.sqrt"(%1) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: dot(%{{.*}}), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={high,highest}
  %3 = stablehlo.dot_general %2, %y, contracting_dims = [1] x [0], precision = [HIGH, HIGHEST] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: dot(%{{.*}}), lhs_contracting_dims={1}, rhs_contracting_dims={0}{{$}}
  %4 = stablehlo.dot_general %3, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: algorithm=dot_tf32_tf32_f32_x3
  %5 = stablehlo.dot_general %4, %y, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: compare(%{{.*}}), direction=LT, type=TOTALORDER
  %6 = stablehlo.compare LT, %5, %y, TOTALORDER : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
  // CHECK: compare(%{{[^)]*}}), direction=GE{{$}}
  %7 = stablehlo.compare GE, %5, %y, FLOAT : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
  %8 = stablehlo.and %6, %7 : tensor<4x4xi1>
  %9 = stablehlo.select %8, %5, %y : tensor<4x4xi1>, tensor<4x4xf32>
  return %9 : tensor<4x4xf32>
}
