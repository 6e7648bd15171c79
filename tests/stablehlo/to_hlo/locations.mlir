// RUN: tessera translate --to=text %s | FileCheck %s
// RUN: tessera translate --to=stablehlo --mlir-print-debuginfo %s -o %t && tessera translate --to=text %t | FileCheck %s
// Locations become metadata, and are the same after they were printed.
// CHECK: FileNames
// CHECK-NEXT: 1 "main.py"
// CHECK-NEXT: 2 "layer.py"
// CHECK: FunctionNames
// CHECK-NEXT: 1 "main"
// CHECK-NEXT: 2 "dense"
// CHECK: FileLocations
// CHECK-NEXT: 1 {file_name_id=1 function_name_id=1 line=9 end_line=9 column=4 end_column=9}
// CHECK-NEXT: 2 {file_name_id=2 function_name_id=2 line=3 end_line=5 column=1 end_column=2}
// CHECK: StackFrames
// CHECK-NEXT: 1 {file_location_id=1 parent_frame_id=1}
// CHECK-NEXT: 2 {file_location_id=2 parent_frame_id=2}
//
// Arguments and inner ops.
// CHECK: parameter(0), metadata={op_name="reduce_sum"}
// CHECK: add({{.*}}), metadata={op_name="jit(f)/reduce_sum" stack_frame_id=1}
// CHECK: ENTRY
// CHECK-DAG: parameter(0), metadata={op_name="x"}
// CHECK-DAG: parameter(1){{$}}
// CHECK-DAG: constant(0){{$}}
// CHECK-DAG: reduce({{.*}}, metadata={op_name="jit(f)/reduce_sum" stack_frame_id=1}
// The frames of the caller are below those of the callee.
// CHECK-DAG: sine({{.*}}), metadata={op_name="jit(f)/layer/sin" stack_frame_id=2}
// All instructions of an op have its metadata.
// CHECK-DAG: reshape({{.*}}), metadata={op_name="jit(f)/add" stack_frame_id=1}
// CHECK-DAG: broadcast({{.*}}, metadata={op_name="jit(f)/add" stack_frame_id=1}
// A line without a function is no frame. Several names are joined; a name that
// ends with ':' is the type; what follows '@' is left out.
// CHECK-DAG: cosine({{.*}}), metadata={op_type="Cos" op_name="cos;second" source_file="a b.py" source_line=3 source_end_line=3 source_column=4 source_end_column=4}
// CHECK-DAG: tanh({{.*}}), metadata={op_name="named"}
// CHECK-DAG: negate({{.*}}), metadata={op_type="Neg" op_name="jit(f)/neg" stack_frame_id=2}
// CHECK-DAG: abs({{[^)]*}}){{$}}
#loc = loc(unknown)
#loc1 = loc("main"("main.py":9:4 to :9))
#loc2 = loc("dense"("layer.py":3:1 to 5:2))
#loc3 = loc(callsite(#loc2 at #loc1))
module @locations {
  func.func @main(%arg0: tensor<4xf32> loc("x"), %arg1: tensor<f32> loc(unknown)) -> (tensor<f32>, tensor<4xf32>) {
    %0 = stablehlo.constant dense<0.0> : tensor<f32> loc(#loc5)
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32> loc("reduce_sum"), %b: tensor<f32>):
      %9 = stablehlo.add %a, %b : tensor<f32> loc(#loc5)
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc(#loc5)
    %2 = stablehlo.sine %arg1 : tensor<f32> loc(#loc4)
    %3 = stablehlo.reshape %2 : (tensor<f32>) -> tensor<1xf32> loc(#loc6)
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xf32>) -> tensor<4xf32> loc(#loc6)
    %5 = stablehlo.cosine %4 : tensor<4xf32> loc(fused["cos"("Cos:"), "second@function", "a b.py":3:4])
    %6 = stablehlo.tanh %5 : tensor<4xf32> loc("named")
    %7 = stablehlo.negate %6 : tensor<4xf32> loc("jit(f)/neg"("Neg:"(#loc3)))
    %8 = stablehlo.abs %7 : tensor<4xf32> loc(#loc)
    return %1, %8 : tensor<f32>, tensor<4xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc4 = loc("jit(f)/layer/sin"(#loc3))
#loc5 = loc("jit(f)/reduce_sum"(#loc1))
#loc6 = loc("jit(f)/add"(#loc1))
