// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; s32[3,1]{1,0} {{1}, {0}, {5}}
// EXPECT: f32[3,3]{1,0} {{4, 5, 6}, {1, 2, 3}, {4, 5, 6}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x1xi32>) -> tensor<3x3xf32> {
  %0 = "stablehlo.gather"(%x, %y) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<2x3xf32>, tensor<3x1xi32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; s32[2,1]{1,0} {{2}, {1}}
// EXPECT: f32[2]{0} {3, 5}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x1xi32>) -> tensor<2xf32> {
  %0 = "stablehlo.gather"(%x, %y) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xf32>, tensor<2x1xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// ARGS: f32[4]{0} {1, 2, 3, 4}; s32[3,1]{1,0} {{1}, {1}, {9}}; f32[3]{0} {10, 20, 30}
// EXPECT: f32[4]{0} {1, 32, 3, 4}
func.func @main(%x: tensor<4xf32>, %i: tensor<3x1xi32>, %u: tensor<3xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// ARGS: f32[4]{0} {1, 2, 3, 4}; s32[4]{0} {1, 2, 3, 4}; s32[2,1]{1,0} {{0}, {2}}; f32[2]{0} {10, 20}; s32[2]{0} {5, 6}
// EXPECT: f32[4]{0} {-9, 2, -17, 4}; s32[4]{0} {5, 2, 18, 4}
func.func @main(%x: tensor<4xf32>, %y: tensor<4xi32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>, %v: tensor<2xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %1 = stablehlo.subtract %a, %c : tensor<f32>
    %2 = stablehlo.multiply %b, %d : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}
// -----
// ARGS: f32[2,3]{1,0} {{3, 1, 2}, {4, 6, 5}}; s32[2,3]{1,0} {{0, 1, 2}, {0, 1, 2}}
// EXPECT: f32[2,3]{1,0} {{3, 2, 1}, {6, 5, 4}}; s32[2,3]{1,0} {{0, 2, 1}, {1, 2, 0}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}
// -----
// ARGS: f32[2,3]{1,0} {{1, 2, 3}, {4, 5, 6}}; s32[2]{0} {2, 0}
// EXPECT: f32[2,2]{1,0} {{3, 1}, {6, 4}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2xi32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.torch_index_select"(%x, %y) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
