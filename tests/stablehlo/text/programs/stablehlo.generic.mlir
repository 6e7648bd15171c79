"builtin.module"() <{sym_name = "all"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2], device_ids=[1, 0]>, sym_name = "mesh1"}> : () -> ()
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>) -> tensor<f32>, sym_name = "body", sym_visibility = "private"}> ({
  ^bb0(%arg69: tensor<f32>, %arg70: tensor<f32>):
    %110 = "stablehlo.add"(%arg69, %arg70) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%110) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>, tensor<4xi32>, tensor<4xcomplex<f32>>) -> (), sym_name = "unary"}> ({
  ^bb0(%arg66: tensor<4xf32>, %arg67: tensor<4xi32>, %arg68: tensor<4xcomplex<f32>>):
    %96 = "stablehlo.abs"(%arg66) : (tensor<4xf32>) -> tensor<4xf32>
    %97 = "stablehlo.cbrt"(%arg66) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-03, rtol = 5.000000e-01, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<4xf32>) -> tensor<4xf32>
    %98 = "stablehlo.exponential"(%arg66) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4xf32>) -> tensor<4xf32>
    %99 = "stablehlo.abs"(%arg68) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %100 = "stablehlo.real"(%arg68) : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    %101 = "stablehlo.complex"(%arg66, %arg66) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
    %102 = "stablehlo.is_finite"(%arg66) : (tensor<4xf32>) -> tensor<4xi1>
    %103 = "stablehlo.convert"(%arg66) : (tensor<4xf32>) -> tensor<4xi32>
    %104 = "stablehlo.select"(%102, %arg66, %arg66) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %105 = "stablehlo.clamp"(%arg66, %arg66, %arg66) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %106 = "stablehlo.reduce_precision"(%arg66) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
    %107 = "stablehlo.compare"(%arg66, %arg66) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %108 = "stablehlo.compare"(%arg66, %arg66) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %109 = "stablehlo.tan"(%arg66) : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<f32>, tensor<i32>, tensor<2xi32>) -> tensor<4x8xf32>, res_attrs = [{jax.result_info = "a"}], sym_name = "shape"}> ({
  ^bb0(%arg62: tensor<4x8xf32>, %arg63: tensor<f32>, %arg64: tensor<i32>, %arg65: tensor<2xi32>):
    %76 = "stablehlo.broadcast_in_dim"(%arg62) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<4x8xf32>) -> tensor<4x3x8xf32>
    %77 = "stablehlo.reshape"(%arg62) : (tensor<4x8xf32>) -> tensor<32xf32>
    %78 = "stablehlo.slice"(%arg62) <{limit_indices = array<i64: 4, 8>, start_indices = array<i64: 0, 1>, strides = array<i64: 2, 1>}> : (tensor<4x8xf32>) -> tensor<2x7xf32>
    %79 = "stablehlo.dynamic_slice"(%arg62, %arg64, %arg64) <{slice_sizes = array<i64: 1, 2>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %80 = "stablehlo.dynamic_update_slice"(%arg62, %79, %arg64, %arg64) : (tensor<4x8xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %81 = "stablehlo.transpose"(%arg62) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %82 = "stablehlo.pad"(%arg62, %arg63) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 1, -1>, interior_padding = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x14xf32>
    %83 = "stablehlo.concatenate"(%arg62, %arg62) <{dimension = 1 : i64}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    %84 = "stablehlo.reverse"(%arg62) <{dimensions = array<i64: 0, 1>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %85 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x4xi32>
    %86 = "stablehlo.bitcast_convert"(%arg62) : (tensor<4x8xf32>) -> tensor<4x8xi32>
    %87 = "stablehlo.get_dimension_size"(%arg62) <{dimension = 1 : i64}> : (tensor<4x8xf32>) -> tensor<i32>
    %88 = "stablehlo.set_dimension_size"(%arg62, %arg64) <{dimension = 0 : i64}> : (tensor<4x8xf32>, tensor<i32>) -> tensor<?x8xf32, #stablehlo.bounds<4, ?>>
    %89 = "stablehlo.broadcast"(%arg62) <{broadcast_sizes = array<i64: 2>}> : (tensor<4x8xf32>) -> tensor<2x4x8xf32>
    %90 = "stablehlo.dynamic_broadcast_in_dim"(%arg62, %arg65) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %91 = "stablehlo.dynamic_broadcast_in_dim"(%arg62, %arg65) <{broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>}> : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %92 = "stablehlo.dynamic_iota"(%arg65) <{iota_dimension = 0 : i64}> : (tensor<2xi32>) -> tensor<?x?xf32>
    %93 = "stablehlo.dynamic_reshape"(%arg62, %arg65) : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %94 = "stablehlo.dynamic_pad"(%arg62, %arg63, %arg65, %arg65, %arg65) : (tensor<4x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    %95 = "stablehlo.real_dynamic_slice"(%arg62, %arg65, %arg65, %arg65) : (tensor<4x8xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    "func.return"(%arg62) : (tensor<4x8xf32>) -> ()
  }) {foo = 1 : i32} : () -> ()
  "func.func"() <{function_type = (tensor<2x4x8xf32>, tensor<2x8x4xf32>, tensor<4x8xf32>, tensor<8x3xf32>) -> (), sym_name = "dots"}> ({
  ^bb0(%arg58: tensor<2x4x8xf32>, %arg59: tensor<2x8x4xf32>, %arg60: tensor<4x8xf32>, %arg61: tensor<8x3xf32>):
    %69 = "stablehlo.dot_general"(%arg58, %arg59) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}> : (tensor<2x4x8xf32>, tensor<2x8x4xf32>) -> tensor<2x4x4xf32>
    %70 = "stablehlo.dot_general"(%arg58, %arg59) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 2], rhs_contracting_dimensions = [0, 1]>}> : (tensor<2x4x8xf32>, tensor<2x8x4xf32>) -> tensor<4x4xf32>
    %71 = "stablehlo.dot"(%arg60, %arg61) : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %72 = "stablehlo.dot"(%arg60, %arg61) <{precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]}> : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %73 = "stablehlo.dot_general"(%arg60, %arg60) <{dot_dimension_numbers = #stablehlo.dot<>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8x4x8xf32>
    %74 = "stablehlo.einsum"(%arg60, %arg61) <{einsum_config = "ij,jk->ik"}> : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    %75 = "stablehlo.unary_einsum"(%arg60) <{einsum_config = "ij->j"}> : (tensor<4x8xf32>) -> tensor<8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>, tensor<2x2xi32>) -> (), sym_name = "conv"}> ({
  ^bb0(%arg55: tensor<1x8x8x3xf32>, %arg56: tensor<3x3x3x16xf32>, %arg57: tensor<2x2xi32>):
    %66 = "stablehlo.convolution"(%arg55, %arg56) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 2>, padding = dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 2, 1>}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x4x15x16xf32>
    %67 = "stablehlo.convolution"(%arg55, %arg56) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
    %68 = "stablehlo.dynamic_conv"(%arg55, %arg56, %arg57) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>, tensor<2x2xi32>) -> tensor<1x?x?x16xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<2x3x2x2xi32>, tensor<3xi64>, tensor<4x8xf32>, tensor<f32>, tensor<2x4xf32>) -> (), sym_name = "gathers"}> ({
  ^bb0(%arg40: tensor<3x4x2xi32>, %arg41: tensor<2x3x2xi64>, %arg42: tensor<2x3x2x2xi32>, %arg43: tensor<3xi64>, %arg44: tensor<4x8xf32>, %arg45: tensor<f32>, %arg46: tensor<2x4xf32>):
    %56 = "stablehlo.gather"(%arg40, %arg41) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2, 2>}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>) -> tensor<2x3x2x2xi32>
    %57 = "stablehlo.dynamic_gather"(%arg40, %arg41, %arg43) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<3xi64>) -> tensor<2x3x?x?xi32>
    %58 = "stablehlo.scatter"(%arg40, %arg41, %arg42) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>, unique_indices = true}> ({
    ^bb0(%arg53: tensor<i32>, %arg54: tensor<i32>):
      %65 = "stablehlo.add"(%arg53, %arg54) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%65) : (tensor<i32>) -> ()
    }) : (tensor<3x4x2xi32>, tensor<2x3x2xi64>, tensor<2x3x2x2xi32>) -> tensor<3x4x2xi32>
    %59 = "stablehlo.select_and_scatter"(%arg44, %arg46, %arg45) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg51: tensor<f32>, %arg52: tensor<f32>):
      %64 = "stablehlo.compare"(%arg51, %arg52) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%64) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg49: tensor<f32>, %arg50: tensor<f32>):
      %63 = "stablehlo.add"(%arg49, %arg50) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%63) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<4x8xf32>
    %60 = "stablehlo.reduce_window"(%arg44, %arg45) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
    ^bb0(%arg47: tensor<f32>, %arg48: tensor<f32>):
      %62 = "stablehlo.add"(%arg47, %arg48) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%62) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %61 = "stablehlo.torch_index_select"(%arg44, %arg41) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x8xf32>, tensor<2x3x2xi64>) -> tensor<2x3x2x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (), sym_name = "reduces"}> ({
  ^bb0(%arg22: tensor<4x8xf32>, %arg23: tensor<4x8xi32>, %arg24: tensor<f32>, %arg25: tensor<i32>):
    %44 = "stablehlo.reduce"(%arg22, %arg24) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %55 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%55) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %45:2 = "stablehlo.reduce"(%arg22, %arg23, %arg24, %arg25) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<i32>, %arg36: tensor<f32>, %arg37: tensor<i32>):
      %53 = "stablehlo.add"(%arg34, %arg36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %54 = "stablehlo.maximum"(%arg35, %arg37) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%53, %54) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    %46 = "stablehlo.reduce"(%arg22, %arg24) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %51 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %52 = "stablehlo.maximum"(%51, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%52) : (tensor<f32>) -> ()
    }) {foo = "x"} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %47 = "stablehlo.map"(%arg22, %arg22) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg30: tensor<f32>, %arg31: tensor<f32>):
      %50 = "stablehlo.add"(%arg30, %arg31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%50) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %48:2 = "stablehlo.sort"(%arg22, %arg23) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>, %arg28: tensor<i32>, %arg29: tensor<i32>):
      %49 = "stablehlo.compare"(%arg26, %arg27) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%49) : (tensor<i1>) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i32>, tensor<i1>, tensor<4xf32>, !stablehlo.token) -> (), sym_name = "control"}> ({
  ^bb0(%arg14: tensor<i32>, %arg15: tensor<i1>, %arg16: tensor<4xf32>, %arg17: !stablehlo.token):
    %19:2 = "stablehlo.while"(%arg14, %arg16) ({
    ^bb0(%arg20: tensor<i32>, %arg21: tensor<4xf32>):
      %43 = "stablehlo.compare"(%arg20, %arg14) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%43) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg18: tensor<i32>, %arg19: tensor<4xf32>):
      %42 = "stablehlo.add"(%arg18, %arg14) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%42, %arg19) : (tensor<i32>, tensor<4xf32>) -> ()
    }) {foo = "bar"} : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    %20 = "stablehlo.if"(%arg15) ({
      "stablehlo.return"(%arg16) : (tensor<4xf32>) -> ()
    }, {
      %41 = "stablehlo.negate"(%19#1) : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%41) : (tensor<4xf32>) -> ()
    }) : (tensor<i1>) -> tensor<4xf32>
    %21 = "stablehlo.case"(%arg14) ({
      "stablehlo.return"(%arg16) : (tensor<4xf32>) -> ()
    }, {
      "stablehlo.return"(%19#1) : (tensor<4xf32>) -> ()
    }, {
      "stablehlo.return"(%20) : (tensor<4xf32>) -> ()
    }) : (tensor<i32>) -> tensor<4xf32>
    %22 = "stablehlo.tuple"(%arg14, %arg16) : (tensor<i32>, tensor<4xf32>) -> tuple<tensor<i32>, tensor<4xf32>>
    %23 = "stablehlo.get_tuple_element"(%22) <{index = 1 : i32}> : (tuple<tensor<i32>, tensor<4xf32>>) -> tensor<4xf32>
    %24 = "stablehlo.optimization_barrier"(%arg16) : (tensor<4xf32>) -> tensor<4xf32>
    %25:2 = "stablehlo.optimization_barrier"(%arg16, %arg14) : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
    %26 = "stablehlo.after_all"(%arg17, %arg17) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
    %27 = "stablehlo.after_all"() : () -> !stablehlo.token
    %28 = "stablehlo.create_token"() : () -> !stablehlo.token
    %29:3 = "stablehlo.infeed"(%28) <{infeed_config = "abc", layout = [[0], [0]]}> : (!stablehlo.token) -> (tensor<4xf32>, tensor<3xi32>, !stablehlo.token)
    %30 = "stablehlo.outfeed"(%arg16, %28) <{outfeed_config = "x"}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %31 = "stablehlo.send"(%arg16, %28) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    %32:2 = "stablehlo.recv"(%28) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
    %33 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %34 = "stablehlo.replica_id"() : () -> tensor<ui32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "func.call"(%35, %35) <{callee = @body}> {a = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %37 = "func.call"(%35, %35) <{callee = @body}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %38 = "stablehlo.composite"(%35, %35) <{composite_attributes = {k = 5 : i32, name = "v", t = tensor<4xf32>}, decomposition = @body, name = "my.op", version = 3 : i32}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %39 = "stablehlo.custom_call"(%arg16, %arg14) <{api_version = 2 : i32, backend_config = "abc\0A\22", call_target_name = "foo", called_computations = [@body], has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]}> : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
    %40:2 = "stablehlo.custom_call"(%arg16) <{api_version = 4 : i32, call_target_name = "my\0Atarget"}> {mhlo.backend_config = {a = 1 : i32, b = 2.500000e+00 : f32, c = dense<[1, 2]> : tensor<2xi64>}} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
    "stablehlo.custom_call"() <{call_target_name = "noresult"}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<f32>) -> (), sym_name = "coll"}> ({
  ^bb0(%arg6: tensor<4x8xf32>, %arg7: tensor<f32>):
    %8 = "stablehlo.all_gather"(%arg6) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
    %9 = "stablehlo.all_reduce"(%arg6) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %18 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %10 = "stablehlo.reduce_scatter"(%arg6) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %17 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %11 = "stablehlo.all_to_all"(%arg6) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>) -> tensor<2x16xf32>
    %12 = "stablehlo.collective_permute"(%arg6) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %13 = "stablehlo.collective_broadcast"(%arg6) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %14 = "stablehlo.all_reduce"(%arg6) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %16 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%16) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %15 = "stablehlo.cross-replica-sum"(%arg6) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<f32>, tensor<2xi64>, tensor<2xui64>) -> (), sym_name = "misc"}> ({
  ^bb0(%arg0: tensor<4x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4x4xcomplex<f32>>, %arg3: tensor<f32>, %arg4: tensor<2xi64>, %arg5: tensor<2xui64>):
    %0 = "stablehlo.fft"(%arg2) <{fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %1 = "stablehlo.rng"(%arg3, %arg3, %arg4) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x2xf32>
    %2:2 = "stablehlo.rng_bit_generator"(%arg5) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    %3 = "stablehlo.cholesky"(%arg0) <{lower = true}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = "stablehlo.triangular_solve"(%arg0, %arg0) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %5:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    %6 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
    %7:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg1, %arg1, %arg0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
