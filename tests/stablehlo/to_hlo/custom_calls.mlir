// RUN: tessera translate %s | FileCheck %s
// Configuration of typed calls, all spellings of lists, layouts, aliases.
// CHECK: ENTRY
func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK: f32[2,3]{0,1} custom-call(), custom_call_target="source"
  // CHECK-SAME: operand_layout_constraints={}
  // CHECK: custom-call(%{{.*}}), custom_call_target="typed"
  // CHECK-SAME: api_version=API_VERSION_TYPED_FFI
  // CHECK-SAME: backend_config={a = array<i32: 1, 2>, b = array<f32: 1.500000000e+00, 0x7F800000>, c = array<i1: true, false>, d = array<i64: 3, 4>, e = "s\22", f = {g = 3 : i8}, h = array<f64: 2.50000000000000000e+00>}
  %0 = stablehlo.custom_call @typed(%x) {api_version = 4 : i32, backend_config = {a = dense<[1, 2]> : tensor<2xi32>, b = dense<[1.5, 0x7F800000]> : tensor<2xf32>, c = array<i1: true, false>, d = array<i64: 3, 4>, e = "s\22", f = {g = 3 : i8}, h = dense<2.5> : tensor<1xf64>}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = stablehlo.custom_call @source() {operand_layouts = [], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : () -> tensor<2x3xf32>
  // CHECK: f32[2,3]{0,1} custom-call(%{{.*}}), custom_call_target="laid_out"
  // CHECK-SAME: operand_layout_constraints={f32[2,3]{0,1}}
  // CHECK-SAME: output_to_operand_aliasing={{{[{][}]}}: (0, {{[{][}]}})}
  %1 = stablehlo.custom_call @laid_out(%0) {has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // Hints of frameworks, which have the shape of their operand.
  // CHECK: %[[D:.*]] = f32[2,3]{1,0} custom-call(%{{.*}}), custom_call_target="annotate_device_placement"
  %2 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<?x3xf32>
  %3 = stablehlo.custom_call @annotate_device_placement(%2) {has_side_effect = true} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK: f32[2,3]{0,1} custom-call(%[[D]]), custom_call_target="LayoutConstraint"
  %4 = stablehlo.custom_call @LayoutConstraint(%3) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<?x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
