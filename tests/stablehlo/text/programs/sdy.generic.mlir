"builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"}> : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2], device_ids=[1, 0]>, sym_name = "mesh2"}> : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<[], device_ids=[1]>, sym_name = "mesh3"}> : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = "mesh4"}> : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {}]>}, {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{?}, {"x"}]>}], function_type = (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>, res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x", "y":(2)2}, {}], replicated={"y":(1)2}>}], sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8x16xf32>, %arg1: tensor<8x16xf32>):
    %0 = "sdy.sharding_constraint"(%arg0) <{sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    "sdy.sharding_group"(%0) <{group_id = 3 : i64}> : (tensor<8x16xf32>) -> ()
    %1 = "sdy.manual_computation"(%0, %arg1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
    ^bb0(%arg3: tensor<4x16xf32>, %arg4: tensor<4x16xf32>):
      %5 = "stablehlo.add"(%arg3, %arg4) : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
      "sdy.return"(%5) : (tensor<4x16xf32>) -> ()
    }) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %2 = "stablehlo.custom_call"(%1) <{call_target_name = "foo"}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=16}, custom>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %3 = "sdy.reshard"(%2) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %4 = "sdy.named_computation"(%3) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, name = "foo", out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
    ^bb0(%arg2: tensor<8x16xf32>):
      "sdy.return"(%arg2) : (tensor<8x16xf32>) -> ()
    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    "sdy.manual_computation"() <{in_shardings = #sdy.sharding_per_value<[]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[]>}> ({
      "sdy.return"() : () -> ()
    }) : () -> ()
    "func.return"(%4) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
}) : () -> ()
