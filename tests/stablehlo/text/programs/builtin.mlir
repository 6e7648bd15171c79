#loc = loc("a.py":3:4 to :9)
#m = affine_map<(d0) -> (d0)>
!t = tensor<2xf32>
module attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32} {
func.func @c(%a : !t loc("x"), %u: tuple<!t, tuple<>>, %fu: !stablehlo.future<tensor<2xf32>>) -> (!t, !t {a.b}) attributes {a.m = #m} {
  %0 = stablehlo.constant dense<[[true, false]]> : tensor<1x2xi1>
  %1 = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  %2 = stablehlo.constant dense<0x7FC00000> : tensor<2xf32>
  %3 = stablehlo.constant dense<[(1.0, 2.0), (0x7FC00000, -1.0)]> : tensor<2xcomplex<f32>>
  %4 = stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f64>>
  %5 = stablehlo.constant dense<[1, -8]> : tensor<2xi4>
  %6 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E4M3FN>
  %7 = stablehlo.constant dense<> : tensor<0x4xf32>

  %9 = stablehlo.constant dense<-9223372036854775808> : tensor<i64> loc(fused<"m">["a", "b"(#loc)])
  %10 = stablehlo.constant dense<18446744073709551615> : tensor<ui64> loc(callsite("x" at #loc))
  %11 = stablehlo.constant dense<0x8000> : tensor<bf16> loc(unknown)


  %14 = stablehlo.constant dense<[1.5, 6.0]> : tensor<2xf6E3M2FN>
  %15 = stablehlo.constant dense<[1.5, 6.0]> : tensor<2xf4E2M1FN>

  %17 = stablehlo.constant dense<[-1,1]> : tensor<2xi2>
  %18 = stablehlo.constant dense<[-1.0,1.0]> : tensor<2xf8E4M3B11FNUZ>

  // comment
  %20, %21:2 = "foo.bar"(%a) ({ ^bb0(%x: !t): "foo.ret"() : () -> () ^bb1: "foo.baz"() : () -> () }, {}) {x} : (!t) -> (!t, !t, !t)
  return %a, %21#1 : !t, !t loc(#loc)
}
func.func private @ext(tensor<2xf32> {a.b = 1 : i32}, i32) -> (f64, none)
}
