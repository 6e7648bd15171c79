// Modules that have every op which calls computations, and what XLA says they
// cost.
// The costs are those that jaxlib 0.10.2 printed for these modules on platform
// cpu (hlo_module_cost_analysis).
#include "tests/hlo/analysis/hlo_cost_call_cases.h"

namespace xla {
namespace {

constexpr HloCostCase kCallCases[] = {
    {"Scatter",
     R"(
  x = f32[50,8] parameter(0)
  i = s32[6,1] parameter(1)
  u = f32[6,8] parameter(2)
  ROOT s = f32[50,8] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
)",
     "flops: 48, bytes accessed: 600, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 192, bytes accessed1{}: 24, "
     "bytes accessedout{}: 192, bytes accessed2{}: 192, utilization2{}: 1"},
    {"ScatterOfTwo",
     R"(
  x = f32[50] parameter(0)
  y = f32[50] parameter(1)
  i = s32[6,1] parameter(2)
  u = f32[6] parameter(3)
  v = f32[6] parameter(4)
  ROOT s = (f32[50], f32[50]) scatter(x, y, i, u, v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_exp
)",
     "flops: 12, transcendentals: 6, bytes accessed: 168, "
     "utilization0{}: 1, utilization1{}: 1, bytes accessed0{}: 24, "
     "bytes accessed1{}: 24, bytes accessedout{}: 48, "
     "bytes accessed2{}: 24, bytes accessed3{}: 24, bytes accessed4{}: 24, "
     "utilization2{}: 1, utilization3{}: 1, utilization4{}: 1"},
    {"Reduce",
     R"(
  x = f32[6,7,8] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[7] reduce(x, z), dimensions={0,2}, to_apply=add
)",
     "flops: 329, bytes accessed: 1376, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 1344, bytes accessed1{}: 4, "
     "bytes accessedout{}: 28"},
    {"ReduceOfTwo",
     R"(
  x = f32[6,7] parameter(0)
  y = f32[6,7] parameter(1)
  z = f32[] constant(0)
  ROOT r = (f32[6], f32[6]) reduce(x, y, z, z), dimensions={1}, to_apply=add_exp
)",
     "flops: 72, transcendentals: 36, bytes accessed: 392, "
     "utilization0{}: 1, utilization1{}: 1, bytes accessed0{}: 168, "
     "bytes accessed1{}: 168, bytes accessedout{}: 48, "
     "bytes accessed2{}: 4, bytes accessed3{}: 4, utilization2{}: 1, "
     "utilization3{}: 1"},
    {"ReduceWithTranscendentals",
     R"(
  x = f32[30] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=logsum
)",
     "flops: 29, transcendentals: 58, bytes accessed: 128, "
     "utilization0{}: 1, utilization1{}: 1, bytes accessed0{}: 120, "
     "bytes accessed1{}: 4, bytes accessedout{}: 4"},
    {"ReduceWindow",
     R"(
  x = f32[4,16,16] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[4,8,8] reduce-window(x, z), window={size=1x3x3 stride=1x2x2 pad=0_0x0_1x0_1}, to_apply=add
)",
     "flops: 2048, bytes accessed: 5124, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 4096, bytes accessed1{}: 4, "
     "bytes accessedout{}: 1024"},
    {"CumulativeSum",
     R"(
  x = f32[4,100] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[4,100] reduce-window(x, z), window={size=1x100 pad=0_0x99_0}, to_apply=add
)",
     "flops: 39600, bytes accessed: 3204, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 1600, bytes accessed1{}: 4, "
     "bytes accessedout{}: 1600"},
    {"ReduceWindowThatBroadcasts",
     R"(
  x = f32[3,5] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[3,5] reduce-window(x, z), window={size=1x9 pad=0_0x4_4}, to_apply=add
)",
     "flops: 7, bytes accessed: 124, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 60, bytes accessed1{}: 4, bytes accessedout{}: 60"},
    {"ReduceWindowOfTwo",
     R"(
  x = f32[12] parameter(0)
  y = f32[12] parameter(1)
  z = f32[] constant(0)
  ROOT r = (f32[4], f32[4]) reduce-window(x, y, z, z), window={size=3 stride=3}, to_apply=add_exp
)",
     "flops: 16, transcendentals: 8, bytes accessed: 136, "
     "utilization0{}: 1, utilization1{}: 1, bytes accessed0{}: 48, "
     "bytes accessed1{}: 48, bytes accessedout{}: 32, bytes accessed2{}: 4, "
     "bytes accessed3{}: 4, utilization2{}: 1, utilization3{}: 1"},
    {"SelectAndScatter",
     R"(
  x = f32[8,8] parameter(0)
  s = f32[4,4] parameter(1)
  z = f32[] constant(0)
  ROOT r = f32[8,8] select-and-scatter(x, s, z), window={size=2x2 stride=2x2}, select=ge, scatter=add
)",
     "flops: 64, bytes accessed: 580, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 256, bytes accessed1{}: 64, "
     "bytes accessedout{}: 256, bytes accessed2{}: 4, utilization2{}: 1"},
    {"Sort",
     R"(
  x = f32[5,100] parameter(0)
  ROOT s = f32[5,100] sort(x), dimensions={1}, to_apply=less
)",
     "flops: 4500, bytes accessed: 4000, utilization0{}: 1, "
     "bytes accessed0{}: 2000, bytes accessedout{}: 2000"},
    {"SortOfTwo",
     R"(
  x = f32[64] parameter(0)
  i = s32[64] iota(), iota_dimension=0
  ROOT s = (f32[64], s32[64]) sort(x, i), dimensions={0}, to_apply=less_of_two
)",
     "flops: 384, bytes accessed: 1280, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 256, bytes accessed1{}: 256, "
     "bytes accessedout{}: 768"},
    {"Map",
     R"(
  x = f32[10] parameter(0)
  ROOT m = f32[10] map(x, x), dimensions={0}, to_apply=logsum
)",
     "flops: 10, transcendentals: 20, bytes accessed: 120, "
     "utilization0{}: 1, utilization1{}: 1, bytes accessed0{}: 40, "
     "bytes accessed1{}: 40, bytes accessedout{}: 40"},
    {"Scan",
     R"(
  x = f32[5,11,2] parameter(0)
  i = f32[3,2] parameter(1)
  ROOT s = (f32[5,11,2], f32[3,2]) scan(x, i), dimensions={1}, num_carries=1, to_apply=step
)",
     "flops: 60, transcendentals: 36, bytes accessed: 928, "
     "utilization0{}: 1, utilization1{}: 1, bytes accessed0{}: 440, "
     "bytes accessed1{}: 24, bytes accessedout{}: 464"},
    {"While",
     R"(
  x = f32[10] parameter(0)
  ROOT w = f32[10] while(x), condition=condition, body=body
)",
     "flops: 21, bytes accessed: 265, utilization0{}: 4.1, "
     "utilization1{}: 3, bytes accessed0{}: 92, bytes accessed1{}: 84, "
     "bytes accessedout{}: 89"},
    {"Conditional",
     R"(
  p = pred[] parameter(0)
  x = f32[10] parameter(1)
  ROOT c = f32[10] conditional(p, x, x), true_computation=body, false_computation=gelu
)",
     "flops: 20, transcendentals: 10, bytes accessed: 240, "
     "utilization0{}: 2, utilization1{}: 2, bytes accessed0{}: 80, "
     "bytes accessed1{}: 80, bytes accessedout{}: 80"},
    {"Branches",
     R"(
  n = s32[] parameter(0)
  x = f32[10] parameter(1)
  ROOT c = f32[10] conditional(n, x, x, x), branch_computations={body, gelu, body}
)",
     "flops: 20, transcendentals: 10, bytes accessed: 240, "
     "utilization0{}: 2, utilization1{}: 2, bytes accessed0{}: 80, "
     "bytes accessed1{}: 80, bytes accessedout{}: 80"},
    {"Call",
     R"(
  x = f32[10] parameter(0)
  y = f32[10] call(x), to_apply=body
  ROOT z = f32[10] call(y), to_apply=gelu
)",
     "flops: 30, transcendentals: 10, bytes accessed: 440, "
     "utilization0{}: 4, utilization1{}: 3, bytes accessed0{}: 160, "
     "bytes accessed1{}: 120, bytes accessedout{}: 160"},
    {"Fusion",
     R"(
  x = f32[10] parameter(0)
  y = f32[10] fusion(x), kind=kLoop, calls=gelu
  ROOT z = f32[10] fusion(y), kind=kInput, calls=body
)",
     "flops: 30, transcendentals: 10, bytes accessed: 160, "
     "utilization0{}: 2, utilization1{}: 3, bytes accessed0{}: 80, "
     "bytes accessed1{}: 120, bytes accessedout{}: 80"},
    {"FusionThatSlices",
     R"(
  x = f32[100,8] parameter(0)
  i = s32[] parameter(1)
  ROOT f = f32[1,8] fusion(x, i), kind=kLoop, calls=sliced
)",
     "flops: 8, bytes accessed: 100, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 64, bytes accessed1{}: 4, bytes accessedout{}: 32, "
     "bytes accessed2{}: 4, utilization2{}: 1"},
    {"FusionThatUpdates",
     R"(
  x = f32[100,8] parameter(0)
  y = f32[100,8] parameter(1)
  i = s32[] parameter(2)
  ROOT f = f32[100,8] fusion(x, y, i), kind=kLoop, calls=updated
)",
     "flops: 8, bytes accessed: 100, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 32, bytes accessed1{}: 32, "
     "bytes accessedout{}: 32, bytes accessed2{}: 4, bytes accessed3{}: 4, "
     "utilization2{}: 1, utilization3{}: 1"},
    {"FusionOfResults",
     R"(
  x = f32[100] parameter(0)
  ROOT f = (f32[100], f32[2,50], f32[]) fusion(x), kind=kLoop, calls=results
)",
     "flops: 99, transcendentals: 100, bytes accessed: 1204, "
     "utilization0{}: 1, utilization1{}: 2, bytes accessed0{}: 400, "
     "bytes accessed1{}: 4, bytes accessedout{}: 804, "
     "bytes accessedout{0}: 400, bytes accessedout{1}: 400, "
     "bytes accessedout{2}: 4, utilization2{}: 1"},
    {"FusionOfATuple",
     R"(
  x = f32[100] parameter(0)
  y = f32[40] parameter(1)
  t = (f32[100], f32[40]) tuple(x, y)
  ROOT f = f32[20] fusion(t), kind=kLoop, calls=of_tuple
)",
     "flops: 20, bytes accessed: 256, utilization0{}: 2, utilization1{}: 2, "
     "bytes accessed0{}: 160, bytes accessed1{}: 80, "
     "bytes accessedout{}: 96, bytes accessed0{0}: 80, "
     "bytes accessed0{1}: 80"},
    {"FusionOfFusions",
     R"(
  x = f32[100] parameter(0)
  ROOT f = f32[10] fusion(x), kind=kLoop, calls=outer
)",
     "flops: 110, bytes accessed: 120, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 80, bytes accessed1{}: 40, "
     "bytes accessedout{}: 40"},
    {"FusionOfAConstant",
     R"(
  x = f32[4] parameter(0)
  ROOT f = f32[4] fusion(x), kind=kLoop, calls=with_constant
)",
     "flops: 4, bytes accessed: 48, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 16, bytes accessed1{}: 16, bytes accessedout{}: 16"},
    {"CustomFusionOfAGather",
     R"(
  x = f32[50,8] parameter(0)
  i = s32[6,1] parameter(1)
  ROOT f = f32[6,8] fusion(x, i), kind=kCustom, calls=gathered
)",
     "bytes accessed: 408, utilization0{}: 0.12, utilization1{}: 1, "
     "bytes accessed0{}: 192, bytes accessed1{}: 24, "
     "bytes accessedout{}: 192"},
    {"AllReduce",
     R"(
  x = f32[30] parameter(0)
  ROOT r = f32[30] all-reduce(x), replica_groups={{0,1}}, to_apply=add
)",
     "flops: 30, bytes accessed: 240, utilization0{}: 1, "
     "bytes accessed0{}: 120, bytes accessedout{}: 120"},
    {"AllReduceOfTwo",
     R"(
  x = f32[30] parameter(0)
  y = bf16[4] parameter(1)
  ROOT r = (f32[30], bf16[4]) all-reduce(x, y), replica_groups={}, to_apply=add
)",
     "flops: 34, bytes accessed: 256, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 120, bytes accessed1{}: 8, bytes accessedout{}: 128"},
    {"AllReduceInTwoParts",
     R"(
  x = f32[30] parameter(0)
  s = f32[30] all-reduce-start(x), replica_groups={{0,1}}, to_apply=add
  ROOT d = f32[30] all-reduce-done(s)
)",
     "flops: 30, bytes accessed: 480, utilization0{}: 2, "
     "bytes accessed0{}: 240, bytes accessedout{}: 240"},
    {"OtherCollectives",
     R"(
  x = f32[8] parameter(0)
  g = f32[16] all-gather(x), replica_groups={{0,1}}, dimensions={0}
  s = f32[8] reduce-scatter(g), replica_groups={{0,1}}, dimensions={0}, to_apply=add
  a = f32[8] all-to-all(s), replica_groups={{0,1}}, dimensions={0}
  p = f32[8] collective-permute(a), source_target_pairs={{0,1},{1,0}}
  b = f32[8] collective-broadcast(p), replica_groups={{0,1}}
  r = u32[] replica-id()
  q = u32[] partition-id()
  ROOT t = (f32[8], u32[], u32[]) tuple(b, r, q)
)",
     "bytes accessed: 416, utilization0{}: 6, utilization1{}: 1, "
     "bytes accessed0{}: 192, bytes accessedout{}: 224, utilization2{}: 1"},
    {"Async",
     R"(
  x = f32[10] parameter(0)
  s = ((f32[10]), f32[10], s32[]) async-start(x), calls=gelu
  u = ((f32[10]), f32[10], s32[]) async-update(s)
  ROOT d = f32[10] async-done(u)
)",
     "flops: 10, transcendentals: 10, bytes accessed: 372, "
     "utilization0{}: 4, utilization1{}: 1, bytes accessed0{}: 128, "
     "bytes accessed1{}: 40, bytes accessedout{}: 204"},
};

}  // namespace

absl::Span<const HloCostCase> HloCallCostCases() { return kCallCases; }

const char* HloCostComputations() {
  return R"(add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
logsum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  e = f32[] exponential(a)
  s = f32[] add(e, b)
  ROOT l = f32[] log(s)
}
add_exp {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  d = f32[] parameter(3)
  s = f32[] add(a, c)
  e = f32[] exponential(b)
  m = f32[] multiply(e, d)
  ROOT t = (f32[], f32[]) tuple(s, m)
}
ge {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=GE
}
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = pred[] compare(a, b), direction=LT
}
less_of_two {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  ROOT c = pred[] compare(a, b), direction=LT
}
step {
  x = f32[5,2] parameter(0)
  c = f32[3,2] parameter(1)
  y = f32[5,2] add(x, x)
  d = f32[3,2] exponential(c)
  ROOT t = (f32[5,2], f32[3,2]) tuple(y, d)
}
body {
  x = f32[10] parameter(0)
  y = f32[10] add(x, x)
  ROOT z = f32[10] multiply(y, x)
}
condition {
  x = f32[10] parameter(0)
  s = f32[1] slice(x), slice={[0:1]}
  r = f32[] reshape(s)
  z = f32[] constant(0)
  ROOT c = pred[] compare(r, z), direction=LT
}
gelu {
  x = f32[10] parameter(0)
  t = f32[10] tanh(x)
  ROOT y = f32[10] multiply(x, t)
}
sliced {
  x = f32[100,8] parameter(0)
  i = s32[] parameter(1)
  z = s32[] constant(0)
  s = f32[1,8] dynamic-slice(x, i, z), dynamic_slice_sizes={1,8}
  u = f32[1,8] slice(x), slice={[3:4], [0:8]}
  ROOT a = f32[1,8] add(s, u)
}
updated {
  x = f32[100,8] parameter(0)
  y = f32[100,8] parameter(1)
  i = s32[] parameter(2)
  z = s32[] constant(0)
  a = f32[1,8] dynamic-slice(x, i, z), dynamic_slice_sizes={1,8}
  b = f32[1,8] dynamic-slice(y, i, z), dynamic_slice_sizes={1,8}
  s = f32[1,8] add(a, b)
  ROOT u = f32[100,8] dynamic-update-slice(y, s, i, z)
}
results {
  x = f32[100] parameter(0)
  y = f32[100] cosine(x)
  r = f32[2,50] reshape(y)
  z = f32[] constant(0)
  s = f32[] reduce(x, z), dimensions={0}, to_apply=add
  ROOT t = (f32[100], f32[2,50], f32[]) tuple(y, r, s)
}
of_tuple {
  t = (f32[100], f32[40]) parameter(0)
  x = f32[100] get-tuple-element(t), index=0
  y = f32[40] get-tuple-element(t), index=1
  a = f32[20] slice(x), slice={[0:20]}
  b = f32[20] slice(y), slice={[0:40:2]}
  ROOT s = f32[20] add(a, b)
}
inner {
  x = f32[100] parameter(0)
  ROOT y = f32[100] negate(x)
}
outer {
  x = f32[100] parameter(0)
  y = f32[100] fusion(x), kind=kLoop, calls=inner
  a = f32[10] slice(y), slice={[0:10]}
  b = f32[10] slice(x), slice={[90:100]}
  ROOT z = f32[10] add(a, b)
}
with_constant {
  x = f32[4] parameter(0)
  c = f32[4] constant({1, 2, 3, 4})
  ROOT y = f32[4] multiply(x, c)
}
gathered {
  x = f32[50,8] parameter(0)
  i = s32[6,1] parameter(1)
  ROOT g = f32[6,8] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}
}
)";
}

}  // namespace xla
