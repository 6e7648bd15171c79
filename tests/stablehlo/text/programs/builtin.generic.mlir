#map = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf32>, tuple<tensor<2xf32>, tuple<>>, !stablehlo.future<tensor<2xf32>>) -> (tensor<2xf32>, tensor<2xf32>), res_attrs = [{}, {a.b}], sym_name = "c"}> ({
  ^bb0(%arg0: tensor<2xf32>, %arg1: tuple<tensor<2xf32>, tuple<>>, %arg2: !stablehlo.future<tensor<2xf32>>):
    %0 = "stablehlo.constant"() <{value = dense<[[true, false]]> : tensor<1x2xi1>}> : () -> tensor<1x2xi1>
    %1 = "stablehlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>}> : () -> tensor<2xf32>
    %2 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<2xf32>}> : () -> tensor<2xf32>
    %3 = "stablehlo.constant"() <{value = dense<[(1.000000e+00,2.000000e+00), (0x7FC00000,-1.000000e+00)]> : tensor<2xcomplex<f32>>}> : () -> tensor<2xcomplex<f32>>
    %4 = "stablehlo.constant"() <{value = dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f64>>}> : () -> tensor<2xcomplex<f64>>
    %5 = "stablehlo.constant"() <{value = dense<[1, -8]> : tensor<2xi4>}> : () -> tensor<2xi4>
    %6 = "stablehlo.constant"() <{value = dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf8E4M3FN>}> : () -> tensor<2xf8E4M3FN>
    %7 = "stablehlo.constant"() <{value = dense<> : tensor<0x4xf32>}> : () -> tensor<0x4xf32>
    %8 = "stablehlo.constant"() <{value = dense<-9223372036854775808> : tensor<i64>}> : () -> tensor<i64>
    %9 = "stablehlo.constant"() <{value = dense<18446744073709551615> : tensor<ui64>}> : () -> tensor<ui64>
    %10 = "stablehlo.constant"() <{value = dense<-0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %11 = "stablehlo.constant"() <{value = dense<[1.500000e+00, 6.000000e+00]> : tensor<2xf6E3M2FN>}> : () -> tensor<2xf6E3M2FN>
    %12 = "stablehlo.constant"() <{value = dense<[1.500000e+00, 6.000000e+00]> : tensor<2xf4E2M1FN>}> : () -> tensor<2xf4E2M1FN>
    %13 = "stablehlo.constant"() <{value = dense<[-1, 1]> : tensor<2xi2>}> : () -> tensor<2xi2>
    %14 = "stablehlo.constant"() <{value = dense<[-1.000000e+00, 1.000000e+00]> : tensor<2xf8E4M3B11FNUZ>}> : () -> tensor<2xf8E4M3B11FNUZ>
    %15:3 = "foo.bar"(%arg0) ({
    ^bb0(%arg3: tensor<2xf32>):
      "foo.ret"() : () -> ()
    ^bb1:  // no predecessors
      "foo.baz"() : () -> ()
    }, {
    }) {x} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    "func.return"(%arg0, %15#2) : (tensor<2xf32>, tensor<2xf32>) -> ()
  }) {a.m = #map} : () -> ()
  "func.func"() <{arg_attrs = [{a.b = 1 : i32}, {}], function_type = (tensor<2xf32>, i32) -> (f64, none), sym_name = "ext", sym_visibility = "private"}> ({
  }) : () -> ()
}) {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32} : () -> ()
