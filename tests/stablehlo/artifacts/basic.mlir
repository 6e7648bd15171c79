func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func public @main(
    %a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>,
    %i: tensor<4xi32>, %p: tensor<4xi1>, %c: tensor<4xcomplex<f32>>,
    %m: tensor<4x4xf32>, %s: tensor<i32>, %img: tensor<1x8x8x2xf32>,
    %ker: tensor<3x3x2x4xf32>, %tok: !stablehlo.token, %f: tensor<f32>)
    -> (tensor<4xf32> {jax.result_info = "r"}) {
  %abs = stablehlo.abs %a : tensor<4xf32>
  %add = stablehlo.add %a, %b : tensor<4xf32>
  %aft = stablehlo.after_all %tok, %tok : !stablehlo.token
  %and = stablehlo.and %p, %p : tensor<4xi1>
  %at2 = stablehlo.atan2 %a, %b : tensor<4xf32>
  %bit = stablehlo.bitcast_convert %a : (tensor<4xf32>) -> tensor<4xi32>
  %bro = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %cal = func.call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %cbr = stablehlo.cbrt %a : tensor<4xf32>
  %cei = stablehlo.ceil %a : tensor<4xf32>
  %cho = stablehlo.cholesky %m, lower = true : tensor<4x4xf32>
  %cla = stablehlo.clamp %a, %b, %a : tensor<4xf32>
  %clz = stablehlo.count_leading_zeros %i : tensor<4xi32>
  %cmp = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %cm2 = stablehlo.compare EQ, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %cpx = stablehlo.complex %a, %b : tensor<4xcomplex<f32>>
  %cat = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %k0 = stablehlo.constant dense<[1.0, -2.5, 0.0, 1.0e10]> : tensor<4xf32>
  %k1 = stablehlo.constant dense<7> : tensor<2x3xi64>
  %k2 = stablehlo.constant dense<[true, false, true, true, false, true, true, true, true, false]> : tensor<10xi1>
  %k3 = stablehlo.constant dense<true> : tensor<10xi1>
  %k4 = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %k5 = stablehlo.constant dense<[1, -2, 7]> : tensor<3xi4>
  %k6 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %k7 = stablehlo.constant dense<[255, 0]> : tensor<2xui8>
  %k8 = stablehlo.constant dense<> : tensor<0xf32>
  %k9 = stablehlo.constant dense<1.5> : tensor<2xf8E4M3FN>
  %cv = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi32>
  %con = stablehlo.convolution(%img, %ker) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 2], [0, 1]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x5x5x4xf32>
  %cos = stablehlo.cosine %a : tensor<4xf32>
  %cc = stablehlo.custom_call @foo(%a) {backend_config = "text", has_side_effect = true, api_version = 2 : i32, operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>], called_computations = [@callee], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], mhlo.frontend_attributes = {a = "b"}} : (tensor<4xf32>) -> tensor<4xf32>
  %div = stablehlo.divide %a, %b : tensor<4xf32>
  %dg = stablehlo.dot_general %m, %m, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %io2 = stablehlo.iota dim = 0 : tensor<2xi32>
  %i2 = stablehlo.constant dense<[1, 4]> : tensor<2xi32>
  %dgt = "stablehlo.dynamic_gather"(%m, %i, %i2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<4x4xf32>, tensor<4xi32>, tensor<2xi32>) -> tensor<4x4xf32>
  %dsl = stablehlo.dynamic_slice %a, %s, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  %dus = stablehlo.dynamic_update_slice %a, %dsl, %s : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  %exp = stablehlo.exponential %a : tensor<4xf32>
  %em1 = stablehlo.exponential_minus_one %a : tensor<4xf32>
  %fft = stablehlo.fft %c, type = FFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %flo = stablehlo.floor %a : tensor<4xf32>
  %gat = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false}> : (tensor<4x4xf32>, tensor<4xi32>) -> tensor<4x4xf32>
  %gds = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4xf32>) -> tensor<i32>
  %tup = stablehlo.tuple %a, %i : tuple<tensor<4xf32>, tensor<4xi32>>
  %gte = stablehlo.get_tuple_element %tup[1] : (tuple<tensor<4xf32>, tensor<4xi32>>) -> tensor<4xi32>
  %pr = stablehlo.constant dense<true> : tensor<i1>
  %if = "stablehlo.if"(%pr) ({
    stablehlo.return %a : tensor<4xf32>
  }, {
    %in = stablehlo.negate %a : tensor<4xf32>
    stablehlo.return %in : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %cas:2 = "stablehlo.case"(%s) ({
    stablehlo.return %a, %b : tensor<4xf32>, tensor<4xf32>
  }, {
    stablehlo.return %b, %if : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>)
  %im = stablehlo.imag %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %inf:2 = "stablehlo.infeed"(%tok) <{infeed_config = "cfg", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %fin = stablehlo.is_finite %a : (tensor<4xf32>) -> tensor<4xi1>
  %log = stablehlo.log %a : tensor<4xf32>
  %l1p = stablehlo.log_plus_one %a : tensor<4xf32>
  %lgs = stablehlo.logistic %a : tensor<4xf32>
  %map = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %max = stablehlo.maximum %a, %b : tensor<4xf32>
  %min = stablehlo.minimum %a, %b : tensor<4xf32>
  %mul = stablehlo.multiply %a, %b : tensor<4xf32>
  %neg = stablehlo.negate %a : tensor<4xf32>
  %not = stablehlo.not %i : tensor<4xi32>
  %opt:2 = stablehlo.optimization_barrier %a, %i : tensor<4xf32>, tensor<4xi32>
  %or = stablehlo.or %i, %i : tensor<4xi32>
  %out = "stablehlo.outfeed"(%a, %tok) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %pad = stablehlo.pad %a, %f, low = [1], high = [-1], interior = [2] : (tensor<4xf32>, tensor<f32>) -> tensor<10xf32>
  %pid = stablehlo.partition_id : tensor<ui32>
  %pop = stablehlo.popcnt %i : tensor<4xi32>
  %pow = stablehlo.power %a, %b : tensor<4xf32>
  %re = stablehlo.real %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %rec:2 = "stablehlo.recv"(%tok) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %red = stablehlo.reduce(%m init: %f) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %rdp = stablehlo.reduce_precision %a, format = e5m10 : tensor<4xf32>
  %rw = "stablehlo.reduce_window"(%m, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %rem = stablehlo.remainder %a, %b : tensor<4xf32>
  %rid = stablehlo.replica_id : tensor<ui32>
  %rsh = stablehlo.reshape %m : (tensor<4x4xf32>) -> tensor<16xf32>
  %rev = stablehlo.reverse %m, dims = [0, 1] : tensor<4x4xf32>
  %shp = stablehlo.constant dense<[4]> : tensor<1xi64>
  %rng = stablehlo.rng %f, %f, %shp, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %sta = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %rbg:2 = stablehlo.rng_bit_generator %sta, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %raz = stablehlo.round_nearest_afz %a : tensor<4xf32>
  %rne = stablehlo.round_nearest_even %a : tensor<4xf32>
  %rsq = stablehlo.rsqrt %a : tensor<4xf32>
  %ind = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %sca = "stablehlo.scatter"(%m, %ind, %m) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %sc = stablehlo.slice %m [0:4:2, 1:3] : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %sas = "stablehlo.select_and_scatter"(%m, %sc, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %sel = stablehlo.select %p, %a, %b : tensor<4xi1>, tensor<4xf32>
  %snd = "stablehlo.send"(%a, %tok) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %shl = stablehlo.shift_left %i, %i : tensor<4xi32>
  %sra = stablehlo.shift_right_arithmetic %i, %i : tensor<4xi32>
  %srl = stablehlo.shift_right_logical %i, %i : tensor<4xi32>
  %sig = stablehlo.sign %a : tensor<4xf32>
  %sin = stablehlo.sine %a : tensor<4xf32>
  %srt:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %v: tensor<i32>, %w: tensor<i32>):
    %z = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  %sqr = stablehlo.sqrt %a : tensor<4xf32>
  %sub = stablehlo.subtract %a, %b : tensor<4xf32>
  %tanh = stablehlo.tanh %a : tensor<4xf32>
  %tra = stablehlo.transpose %m, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %tri = "stablehlo.triangular_solve"(%m, %m) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %whi:2 = stablehlo.while(%x = %s, %y = %a) : tensor<i32>, tensor<4xf32>
  cond {
    %z = stablehlo.compare LT, %x, %s, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %z : tensor<i1>
  } do {
    %z = stablehlo.add %x, %s : tensor<i32>
    %v = stablehlo.multiply %y, %sub : tensor<4xf32>
    stablehlo.return %z, %v : tensor<i32>, tensor<4xf32>
  }
  %xor = stablehlo.xor %p, %p : tensor<4xi1>
  return %whi#1 : tensor<4xf32>
}
