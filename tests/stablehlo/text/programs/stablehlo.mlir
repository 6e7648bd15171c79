module @all {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  sdy.mesh @mesh1 = <["x"=2], device_ids=[1, 0]>
  func.func private @body(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @unary(%arg0: tensor<4xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4xcomplex<f32>>) {
    %0 = stablehlo.abs %arg0 : tensor<4xf32>
    %1 = stablehlo.cbrt %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-03, rtol = 5.000000e-01, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>
    %2 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf32>
    %3 = stablehlo.abs %arg2 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %4 = stablehlo.real %arg2 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %5 = stablehlo.complex %arg0, %arg0 : tensor<4xcomplex<f32>>
    %6 = stablehlo.is_finite %arg0 : (tensor<4xf32>) -> tensor<4xi1>
    %7 = stablehlo.convert %arg0 : (tensor<4xf32>) -> tensor<4xi32>
    %8 = stablehlo.select %6, %arg0, %arg0 : tensor<4xi1>, tensor<4xf32>
    %9 = stablehlo.clamp %arg0, %arg0, %arg0 : tensor<4xf32>
    %10 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4xf32>
    %11 = stablehlo.compare LT, %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %12 = stablehlo.compare LT, %arg0, %arg0, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %13 = stablehlo.tan %arg0 : tensor<4xf32>
    return
  }
  func.func @shape(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<2xi32>) -> (tensor<4x8xf32> {jax.result_info = "a"}) attributes {foo = 1 : i32} {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<4x8xf32>) -> tensor<4x3x8xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<4x8xf32>) -> tensor<32xf32>
    %2 = stablehlo.slice %arg0 [0:4:2, 1:8] : (tensor<4x8xf32>) -> tensor<2x7xf32>
    %3 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [1, 2] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %4 = stablehlo.dynamic_update_slice %arg0, %3, %arg2, %arg2 : (tensor<4x8xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %5 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %6 = stablehlo.pad %arg0, %arg1, low = [1, -1], high = [0, 0], interior = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x14xf32>
    %7 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    %8 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<4x8xf32>
    %9 = stablehlo.iota dim = 1 : tensor<3x4xi32>
    %10 = stablehlo.bitcast_convert %arg0 : (tensor<4x8xf32>) -> tensor<4x8xi32>
    %11 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<4x8xf32>) -> tensor<i32>
    %12 = stablehlo.set_dimension_size %arg0, %arg2, dim = 0 : (tensor<4x8xf32>, tensor<i32>) -> tensor<?x8xf32, #stablehlo.bounds<4, ?>>
    %13 = stablehlo.broadcast %arg0, sizes = [2] : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
    %14 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg3, dims = [0, 1] : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %15 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg3, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %16 = stablehlo.dynamic_iota %arg3, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
    %17 = stablehlo.dynamic_reshape %arg0, %arg3 : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %18 = stablehlo.dynamic_pad %arg0, %arg1, %arg3, %arg3, %arg3 : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    %19 = stablehlo.real_dynamic_slice %arg0, %arg3, %arg3, %arg3 : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    return %arg0 : tensor<4x8xf32>
  }
  func.func @dots(%arg0: tensor<2x4x8xf32>, %arg1: tensor<2x8x4xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<8x3xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, DEFAULT] : (tensor<2x4x8xf32>, tensor<2x8x4xf32>) -> tensor<2x4x4xf32>
    %1 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0, 2] x [0, 1], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x4x8xf32>, tensor<2x8x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.dot %arg2, %arg3 : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %3 = stablehlo.dot %arg2, %arg3, precision = [HIGH, HIGH] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %4 = stablehlo.dot_general %arg2, %arg2, contracting_dims = [] x [] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8x4x8xf32>
    %5 = stablehlo.einsum %arg2, %arg3, config = "ij,jk->ik" : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %6 = stablehlo.unary_einsum %arg2, config = "ij->j" : (tensor<4x8xf32>) -> tensor<8xf32>
    return
  }
  func.func @conv(%arg0: tensor<1x8x8x3xf32>, %arg1: tensor<3x3x3x16xf32>, %arg2: tensor<2x2xi32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 2]], lhs_dilate = [1, 2], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x15x16xf32>
    %1 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
    %2 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>, tensor<2x2xi32>) -> tensor<1x?x?x16xf32>
    return
  }
  func.func @gathers(%arg0: tensor<3x4x2xi32>, %arg1: tensor<2x3x2xi64>, %arg2: tensor<2x3x2x2xi32>, %arg3: tensor<3xi64>, %arg4: tensor<4x8xf32>, %arg5: tensor<f32>, %arg6: tensor<2x4xf32>) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
    %1 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg3) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xi32>
    %2 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, unique_indices = true}> ({
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<i32>):
      %6 = stablehlo.add %arg7, %arg8 : tensor<i32>
      stablehlo.return %6 : tensor<i32>
    }) : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<2x3x2x2xi32>) -> tensor<3x4x2xi32>
    %3 = "stablehlo.select_and_scatter"(%arg4, %arg6, %arg5) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %6 = stablehlo.compare GE, %arg7, %arg8 : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    }, {
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %6 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
    %4 = "stablehlo.reduce_window"(%arg4, %arg5) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %6 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %5 = "stablehlo.torch_index_select"(%arg4, %arg1) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x8xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x8xf32>
    return
  }
  func.func @reduces(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xi32>, %arg2: tensor<f32>, %arg3: tensor<i32>) {
    %0 = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %1:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [1] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>)  {
      %5 = stablehlo.add %arg4, %arg6 : tensor<f32>
      %6 = stablehlo.maximum %arg5, %arg7 : tensor<i32>
      stablehlo.return %5, %6 : tensor<f32>, tensor<i32>
    }
    %2 = stablehlo.reduce(%arg0 init: %arg2) across dimensions = [1] {foo = "x"} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%arg4: tensor<f32>, %arg5: tensor<f32>)  {
      %5 = stablehlo.add %arg4, %arg5 : tensor<f32>
      %6 = stablehlo.maximum %5, %arg5 : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }
    %3 = "stablehlo.map"(%arg0, %arg0) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %5 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %4:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<i32>, %arg7: tensor<i32>):
      %5 = stablehlo.compare GT, %arg4, %arg5, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    return
  }
  func.func @control(%arg0: tensor<i32>, %arg1: tensor<i1>, %arg2: tensor<4xf32>, %arg3: !stablehlo.token) {
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg2) : tensor<i32>, tensor<4xf32> attributes {foo = "bar"}
    cond {
      %21 = stablehlo.compare LT, %iterArg, %arg0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %21 : tensor<i1>
    } do {
      %21 = stablehlo.add %iterArg, %arg0 : tensor<i32>
      stablehlo.return %21, %iterArg_0 : tensor<i32>, tensor<4xf32>
    }
    %1 = "stablehlo.if"(%arg1) ({
      stablehlo.return %arg2 : tensor<4xf32>
    }, {
      %21 = stablehlo.negate %0#1 : tensor<4xf32>
      stablehlo.return %21 : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    %2 = "stablehlo.case"(%arg0) ({
      stablehlo.return %arg2 : tensor<4xf32>
    }, {
      stablehlo.return %0#1 : tensor<4xf32>
    }, {
      stablehlo.return %1 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %3 = stablehlo.tuple %arg0, %arg2 : tuple<tensor<i32>, tensor<4xf32>>
    %4 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
    %5 = stablehlo.optimization_barrier %arg2 : tensor<4xf32>
    %6:2 = stablehlo.optimization_barrier %arg2, %arg0 : tensor<4xf32>, tensor<i32>
    %7 = stablehlo.after_all %arg3, %arg3 : !stablehlo.token
    %8 = stablehlo.after_all  : !stablehlo.token
    %9 = stablehlo.create_token : !stablehlo.token
    %10:3 = "stablehlo.infeed"(%9) <{infeed_config = "abc", layout = [[0], [0]]}> : (!stablehlo.token) -> (tensor<4xf32>, tensor<3xi32>, !stablehlo.token)
    %11 = "stablehlo.outfeed"(%arg2, %9) <{outfeed_config = "x"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %12 = "stablehlo.send"(%arg2, %9) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %13:2 = "stablehlo.recv"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %14 = stablehlo.partition_id : tensor<ui32>
    %15 = stablehlo.replica_id : tensor<ui32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = call @body(%cst, %cst) {a = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = call @body(%cst, %cst) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = stablehlo.composite "my.op" %cst, %cst {composite_attributes = {k = 5 : i32, name = "v", t = tensor<4xf32>}, decomposition = @body, version = 3 : i32} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = stablehlo.custom_call @foo(%arg2, %arg0) {api_version = 2 : i32, backend_config = "abc\0A\22", called_computations = [@body], has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
    %20:2 = stablehlo.custom_call @"my\0Atarget"(%arg2) {api_version = 4 : i32, mhlo.backend_config = {a = 1 : i32, b = 2.500000e+00 : f32, c = dense<[1, 2]> : tensor<2xi64>}} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
    stablehlo.custom_call @noresult() : () -> ()
    return
  }
  func.func @coll(%arg0: tensor<4x8xf32>, %arg1: tensor<f32>) {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
    %1 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %3 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>) -> tensor<2x16xf32>
    %4 = "stablehlo.collective_permute"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = "stablehlo.all_reduce"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %7 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return
  }
  func.func @misc(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4x4xcomplex<f32>>, %arg3: tensor<f32>, %arg4: tensor<2xi64>, %arg5: tensor<2xui64>) {
    %0 = stablehlo.fft %arg2, type = FFT, length = [4] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %1 = stablehlo.rng %arg3, %arg3, %arg4, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x2xf32>
    %output_state, %output = stablehlo.rng_bit_generator %arg5, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    %2 = stablehlo.cholesky %arg0, lower = true : tensor<4x4xf32>
    %3 = "stablehlo.triangular_solve"(%arg0, %arg0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %output_0, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    %4 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
    %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg1, %arg1, %arg0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    return
  }
}
