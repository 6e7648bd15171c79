func.func public @main(%a: tensor<4x4xf32>, %x0: tensor<2xi2>, %x1: tensor<2xui2>, %x2: tensor<2xf4E2M1FN>, %x3: tensor<2xf6E2M3FN>, %x4: tensor<2xf6E3M2FN>, %x5: tensor<2xf8E3M4>, %x6: tensor<2xf8E4M3>, %x7: tensor<2xf8E8M0FNU>, %x8: tensor<2xf8E4M3FNUZ>, %x9: tensor<2xf8E5M2FNUZ>, %xa: tensor<2xf8E4M3B11FNUZ>, %xb: tensor<2xf8E5M2>, %xc: tensor<2xcomplex<f64>>, %xd: tensor<2xui4>) -> tensor<8x4xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>], device_ids = dense<[3, 1, 2, 0]> : tensor<4xi64>>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
  %1 = "stablehlo.cosine"(%a) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-5, rtol = 0.5, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<8x4xf32>
}
