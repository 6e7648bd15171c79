"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<f32>, tensor<4xi32>, tensor<4x8xf32>, tensor<2x8x5xf32>, tensor<2xi32>, tensor<8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf32>, %arg1: tensor<f32>, %arg2: tensor<4xi32>, %arg3: tensor<4x8xf32>, %arg4: tensor<2x8x5xf32>, %arg5: tensor<2xi32>, %arg6: tensor<8xf32>):
    %0 = "chlo.erf"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = "chlo.broadcast_compare"(%arg0, %arg1) <{compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>}> : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
    %3 = "chlo.broadcast_add"(%arg3, %arg0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
    %4 = "chlo.is_inf"(%arg0) : (tensor<4xf32>) -> tensor<4xi1>
    %5 = "chlo.zeta"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %6:2 = "chlo.top_k"(%arg0) <{k = 2 : i64}> : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
    %7 = "chlo.constant_like"(%arg0) <{value = 1.500000e+00 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
    %8 = "chlo.ragged_dot"(%arg3, %arg4, %arg5) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<2x8x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
    %9 = "chlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf32>}> : () -> tensor<2xf32>
    %10 = "chlo.broadcast_select"(%2, %arg0, %arg0) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %11 = "chlo.lgamma"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %12 = "chlo.mulhi"(%arg2, %arg2) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %13:2 = "chlo.scan"(%arg3, %arg6) <{dimension = 0 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: tensor<8xf32>, %arg8: tensor<8xf32>):
      %14 = "stablehlo.add"(%arg7, %arg8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      "stablehlo.return"(%14, %14) : (tensor<8xf32>, tensor<8xf32>) -> ()
    }) : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
