// RUN: tessera translate %s | FileCheck %s
// Sizes follow from constants and operands where the types leave them open;
// dimensions of size 1 grow by a reshape and a broadcast; a large splat is a
// broadcast.
// CHECK: ENTRY
func.func @main(%x: tensor<2x1xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[X:.*]] = f32[2,1]{1,0} parameter(0)
  // CHECK: %[[R:.*]] = f32[2]{0} reshape(%[[X]])
  // CHECK: %[[B:.*]] = f32[2,3]{1,0} broadcast(%[[R]]), dimensions={0}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %n = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %m = stablehlo.multiply %n, %two : tensor<i32>
  %size = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  // CHECK: %[[F:.*]] = f32[6]{0} reshape(%[[B]])
  %1 = stablehlo.dynamic_reshape %0, %size : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK: %[[T:.*]] = f32[6]{0} tanh(%[[F]])
  %2 = stablehlo.tanh %1 : tensor<?xf32>
  // CHECK: %[[C:.*]] = f64[6]{0} convert(%[[T]])
  %3 = stablehlo.convert %2 : (tensor<?xf32>) -> tensor<?xf64>
  // CHECK: %[[D:.*]] = f32[6]{0} convert(%[[C]])
  %4 = stablehlo.convert %3 : (tensor<?xf64>) -> tensor<?xf32>
  %sizes = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  // CHECK: f32[2,3]{1,0} reshape(%[[D]])
  %5 = stablehlo.dynamic_reshape %4, %sizes : (tensor<?xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  // CHECK: %[[S:.*]] = f32[100]{0} broadcast
  %6 = stablehlo.constant dense<1.0> : tensor<100xf32>
  // CHECK: reduce(%[[S]], %{{.*}}), dimensions={0}
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: ROOT %{{.*}} = f32[2,3]{1,0} add
  %9 = stablehlo.add %5, %8 : tensor<2x3xf32>
  return %9 : tensor<2x3xf32>
}
