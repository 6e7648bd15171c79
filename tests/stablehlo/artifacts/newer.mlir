func.func private @impl(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func public @main(%m: tensor<2x4x4xf32>, %i: tensor<2x4x1xi32>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x4x4xf32>, tensor<2x4x1xi32>) -> tensor<2x4x4xf32>
  %1 = stablehlo.composite "my.op" %a {composite_attributes = {n = 1 : i64, s = "x"}, decomposition = @impl, version = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.tan %a : tensor<4xf32>
  %3 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.dot_general %m, %m, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %5 = stablehlo.custom_call @ffi(%a) {api_version = 4 : i32, backend_config = {n = 1 : i64, f = 1.5 : f32, v = array<i64: 1, 2>, b = true}} : (tensor<4xf32>) -> tensor<4xf32>
  %6:2 = "stablehlo.all_reduce"(%a, %a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %1 : tensor<4xf32>
}
