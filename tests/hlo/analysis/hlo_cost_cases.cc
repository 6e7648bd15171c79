// Modules that have every family of ops which call no computations, and what
// XLA says they cost. The costs are those that jaxlib 0.10.2 printed for these
// modules on platform cpu (hlo_module_cost_analysis).
#include "tests/hlo/analysis/hlo_cost_cases.h"

namespace xla {
namespace {

constexpr HloCostCase kCases[] = {
    {"Elementwise",
     R"(
  x = f32[3,5] parameter(0)
  y = f32[3,5] parameter(1)
  a = f32[3,5] add(x, y)
  b = f32[3,5] divide(a, x)
  c = pred[3,5] compare(a, b), direction=LT
  d = f32[3,5] select(c, a, b)
  e = f32[3,5] clamp(x, d, y)
  f = f32[3,5] reduce-precision(e), exponent_bits=5, mantissa_bits=10
  g = f16[3,5] convert(f)
  ROOT h = f16[3,5] round-nearest-afz(g)
)",
     "flops: 120, bytes accessed: 1200, utilization0{}: 8, "
     "utilization1{}: 5, bytes accessed0{}: 405, bytes accessed1{}: 300, "
     "bytes accessedout{}: 375, bytes accessed2{}: 120, utilization2{}: 2"},
    {"Transcendental",
     R"(
  x = f32[3,5] parameter(0)
  a = f32[3,5] exponential(x)
  b = f32[3,5] log-plus-one(a)
  c = f32[3,5] power(a, b)
  d = f32[3,5] atan2(b, c)
  e = f32[3,5] erf(d)
  f = f32[3,5] tan(e)
  g = f32[3,5] sqrt(f)
  ROOT h = f32[3,5] acosh(g)
)",
     "transcendentals: 120, bytes accessed: 1080, utilization0{}: 8, "
     "utilization1{}: 2, bytes accessed0{}: 480, bytes accessed1{}: 120, "
     "bytes accessedout{}: 480"},
    {"NotTranscendental",
     R"(
  x = f32[3,5] parameter(0)
  a = f32[3,5] abs(x)
  b = f32[3,5] sign(a)
  c = f32[3,5] floor(b)
  d = pred[3,5] is-finite(c)
  ROOT e = pred[3,5] not(d)
)",
     "flops: 75, bytes accessed: 465, utilization0{}: 5, "
     "bytes accessed0{}: 255, bytes accessedout{}: 210"},
    {"PowerOfIntegers",
     R"(
  x = s32[7] parameter(0)
  ROOT p = s32[7] power(x, x)
)",
     "transcendentals: 7, bytes accessed: 84, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 28, bytes accessed1{}: 28, "
     "bytes accessedout{}: 28"},
    {"Bits",
     R"(
  x = u32[9] parameter(0)
  a = u32[9] popcnt(x)
  b = u32[9] count-leading-zeros(a)
  c = u32[9] shift-left(b, x)
  d = f32[9] bitcast-convert(c)
  ROOT e = bf16[9] stochastic-convert(d, x)
)",
     "flops: 45, bytes accessed: 414, utilization0{}: 5, utilization1{}: 2, "
     "bytes accessed0{}: 180, bytes accessed1{}: 72, "
     "bytes accessedout{}: 162"},
    {"Complex",
     R"(
  x = f32[4] parameter(0)
  z = c64[4] complex(x, x)
  w = c64[4] multiply(z, z)
  r = f32[4] real(w)
  i = f32[4] imag(w)
  ROOT a = f32[4] atan2(r, i)
)",
     "flops: 16, transcendentals: 4, bytes accessed: 304, "
     "utilization0{}: 5, utilization1{}: 3, bytes accessed0{}: 128, "
     "bytes accessed1{}: 64, bytes accessedout{}: 112"},
    {"Doubles",
     R"(
  x = c128[6] parameter(0)
  y = c128[6] exponential(x)
  ROOT z = f64[6] abs(y)
)",
     "flops: 6, transcendentals: 6, bytes accessed: 336, utilization0{}: 2, "
     "bytes accessed0{}: 192, bytes accessedout{}: 144"},
    {"PackedIntegers",
     R"(
  x = s4[10]{0:E(4)} parameter(0)
  y = s4[10]{0:E(4)} add(x, x)
  ROOT z = s8[10] convert(y)
)",
     "flops: 20, bytes accessed: 30, utilization0{}: 2, utilization1{}: 1, "
     "bytes accessed0{}: 10, bytes accessed1{}: 5, bytes accessedout{}: 15"},
    {"UnpackedIntegers",
     R"(
  x = u4[11] parameter(0)
  ROOT y = u4[11] multiply(x, x)
)",
     "flops: 11, bytes accessed: 33, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 11, bytes accessed1{}: 11, bytes accessedout{}: 11"},
    {"SmallFloats",
     R"(
  x = f8e4m3fn[5] parameter(0)
  y = bf16[5] convert(x)
  ROOT z = pred[5] compare(y, y), direction=GE
)",
     "flops: 10, bytes accessed: 40, utilization0{}: 2, utilization1{}: 1, "
     "bytes accessed0{}: 15, bytes accessed1{}: 10, bytes accessedout{}: 15"},
    {"Empty",
     R"(
  x = f32[0,4] parameter(0)
  ROOT y = f32[0,4] tanh(x)
)",
     "utilization0{}: 1"},
    {"Scalar",
     R"(
  x = f32[] parameter(0)
  ROOT y = f32[] multiply(x, x)
)",
     "flops: 1, bytes accessed: 12, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 4, bytes accessed1{}: 4, bytes accessedout{}: 4"},
    {"Dynamic",
     R"(
  x = f32[<=4,3] parameter(0)
  ROOT y = f32[<=4,3] negate(x)
)",
     "flops: 12, bytes accessed: 112, utilization0{}: 1, "
     "bytes accessed0{}: 56, bytes accessedout{}: 56"},
    {"TuplesAndElements",
     R"(
  x = f32[6] parameter(0)
  y = s8[3] parameter(1)
  t = (f32[6], s8[3]) tuple(x, y)
  u = ((f32[6], s8[3]), s8[3]) tuple(t, y)
  e = (f32[6], s8[3]) get-tuple-element(u), index=0
  ROOT f = f32[6] get-tuple-element(e), index=0
)",
     "bytes accessed: 32, utilization0{}: 4, utilization1{}: 2, "
     "bytes accessedout{}: 32"},
    {"Constants",
     R"(
  c = f32[4] constant({1, 2, 3, 4})
  i = s32[4,2] iota(), iota_dimension=1
  b = s32[2] constant({5, 6})
  d = s32[4,2] broadcast(b), dimensions={1}
  ROOT t = (f32[4], s32[4,2]) tuple(c, d)
)",
     "bytes accessed: 88, utilization0{}: 2, utilization1{}: 1, "
     "bytes accessed0{}: 8, bytes accessedout{}: 80"},
    {"Movement",
     R"(
  x = f32[2,3,4] parameter(0)
  r = f32[6,4] reshape(x)
  t = f32[4,6] transpose(r), dimensions={1,0}
  v = f32[4,6] reverse(t), dimensions={0}
  c = f32[4,6]{0,1} copy(v)
  ROOT b = f32[6,4] bitcast(c)
)",
     "bytes accessed: 768, utilization0{}: 5, bytes accessed0{}: 384, "
     "bytes accessedout{}: 384"},
    {"TransposeThatIsABitcast",
     R"(
  x = f32[3,4]{1,0} parameter(0)
  ROOT t = f32[4,3]{0,1} transpose(x), dimensions={1,0}
)",
     "utilization0{}: 1"},
    {"Pad",
     R"(
  x = f32[10,4] parameter(0)
  v = f32[] parameter(1)
  ROOT p = f32[7,6] pad(x, v), padding=-3_0x1_1
)",
     "bytes accessed: 332, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 160, bytes accessed1{}: 4, bytes accessedout{}: 168"},
    {"Concatenate",
     R"(
  x = f32[3,2] parameter(0)
  y = f32[3,5] parameter(1)
  ROOT c = f32[3,7] concatenate(x, y), dimensions={1}
)",
     "bytes accessed: 168, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 24, bytes accessed1{}: 60, bytes accessedout{}: 84"},
    {"ConcatenateOfMany",
     R"(
  x = s16[2] parameter(0)
  y = s16[3] parameter(1)
  z = s16[4] parameter(2)
  ROOT c = s16[11] concatenate(x, y, z, x), dimensions={0}
)",
     "bytes accessed: 44, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 4, bytes accessed1{}: 6, bytes accessedout{}: 22, "
     "bytes accessed2{}: 8, bytes accessed3{}: 4, utilization2{}: 1, "
     "utilization3{}: 1"},
    {"Slice",
     R"(
  x = f32[20,10] parameter(0)
  ROOT s = f32[5,4] slice(x), slice={[0:10:2], [3:7]}
)",
     "bytes accessed: 160, utilization0{}: 0.1, "
     "bytes accessed0{}: 80, bytes accessedout{}: 80"},
    {"DynamicSlice",
     R"(
  x = f32[20,10] parameter(0)
  i = s64[] parameter(1)
  j = s64[] parameter(2)
  ROOT s = f32[2,10] dynamic-slice(x, i, j), dynamic_slice_sizes={2,10}
)",
     "bytes accessed: 168, utilization0{}: 0.1, utilization1{}: 1, "
     "bytes accessed0{}: 80, bytes accessed1{}: 8, bytes accessedout{}: 80, "
     "bytes accessed2{}: 8, utilization2{}: 1"},
    {"DynamicUpdateSlice",
     R"(
  x = f32[20,10] parameter(0)
  u = f32[2,10] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  ROOT s = f32[20,10] dynamic-update-slice(x, u, i, j)
)",
     "bytes accessed: 164, utilization0{}: 0.9, utilization1{}: 1, "
     "bytes accessed1{}: 80, bytes accessedout{}: 80, bytes accessed2{}: 4, "
     "bytes accessed3{}: 4, utilization2{}: 1, utilization3{}: 1"},
    {"Gather",
     R"(
  x = f32[50,8] parameter(0)
  i = s32[6,1] parameter(1)
  ROOT g = f32[6,8] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}
)",
     "bytes accessed: 408, utilization0{}: 0.12, utilization1{}: 1, "
     "bytes accessed0{}: 192, bytes accessed1{}: 24, "
     "bytes accessedout{}: 192"},
    {"Dot",
     R"(
  a = f32[3,5] parameter(0)
  b = f32[5,7] parameter(1)
  ROOT d = f32[3,7] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)",
     "flops: 210, bytes accessed: 284, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 60, bytes accessed1{}: 140, "
     "bytes accessedout{}: 84"},
    {"DotOfBatches",
     R"(
  a = bf16[2,3,5,4] parameter(0)
  b = bf16[2,4,5,7] parameter(1)
  ROOT d = f32[2,3,7] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2,3}, rhs_contracting_dims={2,1}
)",
     "flops: 1680, bytes accessed: 968, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 240, bytes accessed1{}: 560, "
     "bytes accessedout{}: 168"},
    {"OuterProduct",
     R"(
  a = s8[3] parameter(0)
  b = s8[4] parameter(1)
  ROOT d = s32[3,4] dot(a, b), lhs_contracting_dims={}, rhs_contracting_dims={}
)",
     "flops: 24, bytes accessed: 55, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 3, bytes accessed1{}: 4, bytes accessedout{}: 48"},
    {"RaggedDot",
     R"(
  a = f32[12,5] parameter(0)
  b = f32[3,5,7] parameter(1)
  n = s32[3] parameter(2)
  ROOT d = f32[12,7] ragged-dot(a, b, n), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}
)",
     "flops: 70, bytes accessed: 1008, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 240, bytes accessed1{}: 420, "
     "bytes accessedout{}: 336, bytes accessed2{}: 12, utilization2{}: 1"},
    {"ScaledDot",
     R"(
  a = f8e4m3fn[4,32] parameter(0)
  b = f8e4m3fn[32,8] parameter(1)
  s = f8e8m0fnu[4,1] parameter(2)
  t = f8e8m0fnu[1,8] parameter(3)
  ROOT d = f32[4,8] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)",
     "flops: 2048, bytes accessed: 524, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 128, bytes accessed1{}: 256, "
     "bytes accessedout{}: 128, bytes accessed2{}: 4, bytes accessed3{}: 8, "
     "utilization2{}: 1, utilization3{}: 1"},
    {"Convolution",
     R"(
  x = f32[2,8,8,3] parameter(0)
  k = f32[3,3,3,16] parameter(1)
  ROOT c = f32[2,6,6,16] convolution(x, k), window={size=3x3}, dim_labels=b01f_01io->b01f
)",
     "flops: 62208, bytes accessed: 7872, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 1536, bytes accessed1{}: 1728, "
     "bytes accessedout{}: 4608"},
    {"ConvolutionWithPaddingAndStrides",
     R"(
  x = f32[1,9,8,3] parameter(0)
  k = f32[3,2,3,16] parameter(1)
  ROOT c = f32[1,5,5,16] convolution(x, k), window={size=3x2 stride=2x2 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
)",
     "flops: 9984, bytes accessed: 3616, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 864, bytes accessed1{}: 1152, "
     "bytes accessedout{}: 1600"},
    {"ConvolutionWithDilations",
     R"(
  x = f32[1,5,7,2] parameter(0)
  k = f32[3,2,2,4] parameter(1)
  ROOT c = f32[1,9,10,4] convolution(x, k), window={size=3x2 stride=1x1 pad=2_2x0_0 lhs_dilate=2x2 rhs_dilate=2x3}, dim_labels=b01f_01io->b01f
)",
     "flops: 2080, bytes accessed: 1912, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 280, bytes accessed1{}: 192, "
     "bytes accessedout{}: 1440"},
    {"ConvolutionWithNegativePadding",
     R"(
  x = f32[1,20,1] parameter(0)
  k = f32[4,1,1] parameter(1)
  ROOT c = f32[1,6,1] convolution(x, k), window={size=4 stride=3 pad=-2_1 rhs_reversal=1}, dim_labels=b0f_0io->b0f
)",
     "flops: 46, bytes accessed: 120, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 80, bytes accessed1{}: 16, bytes accessedout{}: 24"},
    {"ConvolutionOfFeatureGroups",
     R"(
  x = f32[1,5,6] parameter(0)
  k = f32[3,2,12] parameter(1)
  ROOT c = f32[1,3,12] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f, feature_group_count=3
)",
     "flops: 432, bytes accessed: 552, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 120, bytes accessed1{}: 288, "
     "bytes accessedout{}: 144"},
    {"ConvolutionOfBatchGroups",
     R"(
  x = f32[4,5,3] parameter(0)
  k = f32[3,3,6] parameter(1)
  ROOT c = f32[2,3,6] convolution(x, k), window={size=3}, dim_labels=b0f_0io->b0f, batch_group_count=2
)",
     "flops: 648, bytes accessed: 600, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 240, bytes accessed1{}: 216, "
     "bytes accessedout{}: 144"},
    {"ConvolutionWithoutWindow",
     R"(
  x = f32[5,3] parameter(0)
  k = f32[3,6] parameter(1)
  ROOT c = f32[5,6] convolution(x, k), dim_labels=bf_io->bf
)",
     "flops: 180, bytes accessed: 252, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 60, bytes accessed1{}: 72, "
     "bytes accessedout{}: 120"},
    {"DepthwiseGradient",
     R"(
  x = f32[1,1,1] parameter(0)
  k = f32[7,1,1] parameter(1)
  ROOT c = f32[1,7,1] convolution(x, k), window={size=7 pad=6_6}, dim_labels=b0f_0io->b0f
)",
     "flops: 14, bytes accessed: 60, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 4, bytes accessed1{}: 28, bytes accessedout{}: 28"},
    {"TopK",
     R"(
  x = f32[8,9] parameter(0)
  ROOT t = (f32[8,3], s32[8,3]) topk(x), k=3, largest=true
)",
     "bytes accessed: 480, utilization0{}: 1, bytes accessed0{}: 288, "
     "bytes accessedout{}: 192"},
    {"CustomCall",
     R"(
  x = f32[10] parameter(0)
  y = (f32[10], s32[2]) custom-call(x, x), custom_call_target="target"
  ROOT z = f32[10] get-tuple-element(y), index=0
)",
     "flops: -1, bytes accessed: -1, optimal_seconds: -1, "
     "utilization0{}: 2, utilization1{}: 1, bytes accessed0{}: -1, "
     "bytes accessed1{}: -1, bytes accessedout{}: -1"},
    {"Fft",
     R"(
  x = c64[3,4,16] parameter(0)
  ROOT f = c64[3,4,16] fft(x), fft_type=FFT, fft_length={4,16}
)",
     "flops: 12288, bytes accessed: 3072, utilization0{}: 1, "
     "bytes accessed0{}: 1536, bytes accessedout{}: 1536"},
    {"RealFft",
     R"(
  x = f32[3,20] parameter(0)
  ROOT f = c64[3,11] fft(x), fft_type=RFFT, fft_length={20}
)",
     "flops: 1920, bytes accessed: 504, utilization0{}: 1, "
     "bytes accessed0{}: 240, bytes accessedout{}: 264"},
    {"Cholesky",
     R"(
  a = f32[2,5,5] parameter(0)
  ROOT c = f32[2,5,5] cholesky(a), lower=true
)",
     "flops: 83, bytes accessed: 200, utilization0{}: 1, "
     "bytes accessed0{}: 100, bytes accessedout{}: 100"},
    {"TriangularSolve",
     R"(
  a = f64[2,5,5] parameter(0)
  b = f64[2,5,3] parameter(1)
  ROOT c = f64[2,5,3] triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
)",
     "flops: 300, bytes accessed: 680, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 240, bytes accessed1{}: 240, "
     "bytes accessedout{}: 240"},
    {"Rng",
     R"(
  a = f32[] constant(0)
  b = f32[] constant(1)
  ROOT r = f32[4,5] rng(a, b), distribution=rng_uniform
)",
     "transcendentals: 20, bytes accessed: 88, utilization0{}: 1, "
     "utilization1{}: 1, bytes accessed0{}: 4, bytes accessed1{}: 4, "
     "bytes accessedout{}: 80"},
    {"RngBitGenerator",
     R"(
  s = u64[2] parameter(0)
  ROOT r = (u64[2], u32[33]) rng-bit-generator(s), algorithm=rng_three_fry
)",
     "transcendentals: 35, bytes accessed: 164, utilization0{}: 1, "
     "bytes accessed0{}: 16, bytes accessedout{}: 148"},
    {"RngState",
     R"(
  ROOT s = u64[2] rng-get-and-update-state(), delta=1
)",
     "bytes accessed: 16, bytes accessedout{}: 16"},
    {"BatchNormTraining",
     R"(
  x = f32[4,6,3] parameter(0)
  s = f32[3] parameter(1)
  ROOT r = (f32[4,6,3], f32[3], f32[3]) batch-norm-training(x, s, s), epsilon=0.5, feature_index=2
)",
     "bytes accessed: 624, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 288, bytes accessed1{}: 12, "
     "bytes accessedout{}: 312, bytes accessed2{}: 12, utilization2{}: 1"},
    {"BatchNormInference",
     R"(
  x = f32[4,3] parameter(0)
  s = f32[3] parameter(1)
  ROOT r = f32[4,3] batch-norm-inference(x, s, s, s, s), epsilon=0.5, feature_index=1
)",
     "bytes accessed: 144, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 48, bytes accessed1{}: 12, "
     "bytes accessedout{}: 48, bytes accessed2{}: 12, "
     "bytes accessed3{}: 12, bytes accessed4{}: 12, utilization2{}: 1, "
     "utilization3{}: 1, utilization4{}: 1"},
    {"BatchNormGrad",
     R"(
  x = f32[4,3] parameter(0)
  s = f32[3] parameter(1)
  g = f32[4,3] parameter(2)
  ROOT r = (f32[4,3], f32[3], f32[3]) batch-norm-grad(x, s, s, s, g), epsilon=0.5, feature_index=1
)",
     "bytes accessed: 204, utilization0{}: 1, utilization1{}: 1, "
     "bytes accessed0{}: 48, bytes accessed1{}: 12, "
     "bytes accessedout{}: 72, bytes accessed2{}: 12, "
     "bytes accessed3{}: 12, bytes accessed4{}: 48, utilization2{}: 1, "
     "utilization3{}: 1, utilization4{}: 1"},
    {"AllGatherInTwoParts",
     R"(
  x = f32[4] parameter(0)
  s = (f32[4], f32[8]) all-gather-start(x), replica_groups={{0,1}}, dimensions={0}
  ROOT d = f32[8] all-gather-done(s)
)",
     "bytes accessed: 112, utilization0{}: 2, bytes accessed0{}: 32, "
     "bytes accessedout{}: 80"},
    {"PermuteInTwoParts",
     R"(
  x = f32[4] parameter(0)
  s = (f32[4], f32[4], u32[], u32[]) collective-permute-start(x), source_target_pairs={{0,1}}
  ROOT d = f32[4] collective-permute-done(s)
)",
     "bytes accessed: 104, utilization0{}: 2, bytes accessed0{}: 48, "
     "bytes accessedout{}: 56"},
    {"CopyInTwoParts",
     R"(
  x = f32[4] parameter(0)
  s = (f32[4], f32[4], u32[]) copy-start(x)
  ROOT d = f32[4] copy-done(s)
)",
     "bytes accessed: 92, utilization0{}: 2, bytes accessed0{}: 40, "
     "bytes accessedout{}: 52"},
    {"SendAndRecv",
     R"(
  x = f32[4] parameter(0)
  t = token[] after-all()
  s = (f32[4], u32[], token[]) send(x, t), channel_id=1
  u = token[] send-done(s), channel_id=1
  r = (f32[4], u32[], token[]) recv(u), channel_id=2
  ROOT d = (f32[4], token[]) recv-done(r), channel_id=2
)",
     "bytes accessed: 120, utilization0{}: 4, utilization1{}: 1, "
     "bytes accessed0{}: 64, bytes accessedout{}: 56"},
    {"InfeedAndOutfeed",
     R"(
  t = token[] after-all()
  i = ((f32[3], (s8[5], f64[2])), token[]) infeed(t)
  d = (f32[3], (s8[5], f64[2])) get-tuple-element(i), index=0
  ROOT o = token[] outfeed(d, t), outfeed_shape=(f32[3], (s8[5], f64[2]))
)",
     "bytes accessed: 66, utilization0{}: 3, utilization1{}: 1, "
     "bytes accessed0{}: 33, bytes accessedout{}: 33, "
     "bytes accessed0{0}: 12, bytes accessed0{1,0}: 5, "
     "bytes accessed0{1,1}: 16, bytes accessedout{0,0}: 12, "
     "bytes accessedout{0,1,0}: 5, bytes accessedout{0,1,1}: 16"},
    {"Order",
     R"(
  x = f32[4] parameter(0)
  t = token[] after-all()
  y = f32[4] add-dependency(x, t)
  z = f32[4] opt-barrier(y)
  ROOT d = f32[4] domain(z), domain={kind="sharding", entry={maximal device=0}, exit={maximal device=1}}
)",
     "bytes accessed: 32, utilization0{}: 3, utilization1{}: 1, "
     "bytes accessed0{}: 16, bytes accessedout{}: 16"},
    {"DimensionSizes",
     R"(
  x = f32[8,3] parameter(0)
  n = s32[] parameter(1)
  d = f32[<=8,3] set-dimension-size(x, n), dimensions={0}
  ROOT m = s32[] get-dimension-size(d), dimensions={0}
)",
     "bytes accessed: 312, utilization0{}: 2, utilization1{}: 1, "
     "bytes accessed0{}: 200, bytes accessed1{}: 4, bytes accessedout{}: 108"},
};

}  // namespace

absl::Span<const HloCostCase> HloCostCases() { return kCases; }

}  // namespace xla
