// Compares dot, convolution, fft, cholesky and triangular-solve with the
// evaluator.
#include <complex>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunk_emitter/library_program.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

// Small numbers without a pattern, the same in each call.
Literal Numbers(PrimitiveType type, std::vector<int64_t> dimensions,
                double diagonal = 0) {
  Literal wide(ShapeUtil::MakeShape(C128, dimensions));
  uint32_t state = 12345;
  int64_t i = 0;
  const int64_t n = dimensions.empty() ? 1 : dimensions.back();
  for (complex128& value : wide.data<complex128>()) {
    state = state * 1664525 + 1013904223;
    const double re = static_cast<int>(state >> 24) % 9 - 4;
    const double im = static_cast<int>(state >> 16 & 255) % 5 - 2;
    const bool on_diagonal = i % n == (i / n) % n;
    value = {re + (on_diagonal ? diagonal : 0), on_diagonal ? 0 : im};
    ++i;
  }
  if (primitive_util::IsComplexType(type)) return *wide.Convert(type);
  Literal real(ShapeUtil::MakeShape(F64, dimensions));
  for (int64_t j = 0; j < i; ++j) {
    real.data<double>()[j] = wide.data<complex128>()[j].real();
  }
  return *real.Convert(type);
}

std::string Dot(PrimitiveType type, std::vector<int64_t> lhs,
                std::vector<int64_t> rhs, absl::string_view result,
                absl::string_view attributes) {
  const Shape lhs_shape = ShapeUtil::MakeShape(type, lhs);
  const Shape rhs_shape = ShapeUtil::MakeShape(type, rhs);
  std::vector<Literal> arguments;
  arguments.push_back(Numbers(type, lhs));
  arguments.push_back(Numbers(type, rhs));
  return RunBothAlone(
      absl::StrCat("HloModule m\nENTRY e {\n a = ", lhs_shape.ToString(),
                   " parameter(0)\n b = ", rhs_shape.ToString(),
                   " parameter(1)\n ROOT r = ", result, " dot(a, b), ",
                   attributes, "\n}"),
      std::move(arguments));
}

TEST(DotTest, CanonicalFormsAndOthers) {
  Dot(F32, {3, 4}, {4, 5}, "f32[3,5]",
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  Dot(F64, {4, 3}, {5, 4}, "f64[3,5]",
      "lhs_contracting_dims={0}, rhs_contracting_dims={1}");
  Dot(S32, {2, 3, 4}, {2, 4, 5}, "s32[2,3,5]",
      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
      "rhs_contracting_dims={1}");
  // Several dimensions of a kind, next to each other.
  Dot(F32, {2, 3, 2, 4}, {2, 4, 5}, "f32[2,3,5]",
      "lhs_contracting_dims={2,3}, rhs_contracting_dims={0,1}");
  // Contracting dimensions in another order, and batch dimensions inside.
  Dot(F32, {3, 2, 4}, {4, 2, 5}, "f32[3,5]",
      "lhs_contracting_dims={2,1}, rhs_contracting_dims={0,1}");
  Dot(C64, {3, 2, 4}, {4, 5, 2}, "c64[2,3,5]",
      "lhs_batch_dims={1}, rhs_batch_dims={2}, lhs_contracting_dims={2}, "
      "rhs_contracting_dims={0}");
  Dot(F32, {0, 4}, {4, 5}, "f32[0,5]",
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  Dot(F32, {3, 0}, {0, 5}, "f32[3,5]",
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
}

std::string ConstantOf(const Literal& value) {
  return absl::StrCat(value.shape().ToString(), " constant(",
                      value.ToStringWithoutShape(), ")");
}

// Constants are packed when the program is compiled, one for two dots once.
TEST(DotTest, ConstantRightOperands) {
  constexpr absl::string_view kText = R"(HloModule m
ENTRY e {
  a = $lhs[$b0$m,40] parameter(0)
  c = $lhs[$b0$m,40] parameter(1)
  b = $constant
  x = $out[$b0$m,$n] dot(a, b), $dims
  y = $out[$b0$m,$n] dot(c, b), $dims
  ROOT r = ($out[$b0$m,$n], $out[$b0$m,$n]) tuple(x, y)
})";
  struct Case {
    PrimitiveType type;
    absl::string_view lhs, out;
  };
  for (const auto& [type, lhs, out] :
       {Case{F32, "f32", "f32"}, Case{F64, "f64", "f64"},
        Case{BF16, "bf16", "f32"}, Case{S8, "s8", "s32"}, Case{S8, "u8", "s32"},
        Case{C64, "c64", "c64"}}) {
    for (const int64_t m : {3, 20, 130}) {
      for (const bool transposed : {false, true}) {
        for (const bool batched : {false, true}) {
          std::vector<int64_t> sizes = {transposed ? 70 : 40,
                                        transposed ? 40 : 70};
          std::vector<int64_t> lhs_sizes = {m, 40};
          if (batched) {
            sizes.insert(sizes.begin(), 2);
            lhs_sizes.insert(lhs_sizes.begin(), 2);
          }
          const std::string dims = absl::StrCat(
              batched ? "lhs_batch_dims={0}, rhs_batch_dims={0}, " : "",
              "lhs_contracting_dims={", batched + 1,
              "}, rhs_contracting_dims={", batched + transposed, "}");
          const PrimitiveType lhs_type = lhs == "u8" ? U8 : type;
          std::vector<Literal> arguments;
          arguments.push_back(Numbers(lhs_type, lhs_sizes));
          arguments.push_back(Numbers(lhs_type, lhs_sizes, /*diagonal=*/2));
          RunBothAlone(
              absl::StrReplaceAll(
                  kText, {{"$lhs", lhs},
                          {"$out", out},
                          {"$b0", batched ? "2," : ""},
                          {"$m", absl::StrCat(m)},
                          {"$n", "70"},
                          {"$constant", ConstantOf(Numbers(type, sizes))},
                          {"$dims", dims}}),
              std::move(arguments));
        }
      }
    }
  }
}

TEST(ConvolutionTest, ConstantKernels) {
  for (const PrimitiveType type : {F32, BF16, S8, C64}) {
    for (const int64_t groups : {1, 2, 12}) {
      const std::string t = primitive_util::LowercasePrimitiveTypeName(type);
      std::vector<Literal> arguments;
      arguments.push_back(Numbers(type, {2, 9, 10, 12}));
      RunBothAlone(
          absl::StrCat("HloModule m\nENTRY e {\n x = ", t,
                       "[2,9,10,12] parameter(0)\n w = ",
                       ConstantOf(Numbers(type, {3, 3, 12 / groups, 36})),
                       "\n ROOT r = ", type == S8 ? "s32" : t,
                       "[2,9,10,36] convolution(x, w), window={size=3x3 "
                       "pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
                       "feature_group_count=",
                       groups, "\n}"),
          std::move(arguments));
    }
  }
}

TEST(DotTest, AlgorithmsRound) {
  for (const char* algorithm : {"dot_bf16_bf16_f32", "dot_bf16_bf16_bf16",
                                "dot_f16_f16_f32", "dot_f16_f16_f16"}) {
    std::vector<Literal> arguments;
    arguments.push_back(LiteralUtil::CreateR2<float>({{1.001f, 300.7f}}));
    arguments.push_back(LiteralUtil::CreateR2<float>({{3.003f}, {1.0001f}}));
    RunBothAlone(absl::StrCat(R"(HloModule m
ENTRY e {
  a = f32[1,2] parameter(0)
  b = f32[2,1] parameter(1)
  ROOT r = f32[1,1] dot(a, b), lhs_contracting_dims={1},
    rhs_contracting_dims={0}, algorithm=)",
                              algorithm, "\n}"),
                 std::move(arguments));
  }
}

TEST(ConvolutionTest, AnyOrderOfDimensions) {
  for (const char* labels :
       {"b01f_01io->b01f", "bf01_oi01->bf01", "10fb_o1i0->f1b0"}) {
    // Sizes: b=2, f=4, spatial 5 and 6; kernel 3 and 2, o=8, i=2.
    const auto shape = [&](absl::string_view part, bool kernel) {
      std::vector<int64_t> dims;
      for (const char c : part) {
        dims.push_back(kernel ? (c == '0'   ? 3
                                 : c == '1' ? 2
                                 : c == 'i' ? 2
                                            : 8)
                              : (c == 'b'   ? 2
                                 : c == 'f' ? 4
                                 : c == '0' ? 5
                                            : 6));
      }
      return dims;
    };
    const absl::string_view text(labels);
    const auto input = shape(text.substr(0, 4), false);
    const auto kernel = shape(text.substr(5, 4), true);
    std::vector<int64_t> result;
    for (const char c : text.substr(11)) {
      result.push_back(c == 'b' ? 2 : c == 'f' ? 8 : c == '0' ? 3 : 12);
    }
    std::vector<Literal> arguments;
    arguments.push_back(Numbers(F32, input));
    arguments.push_back(Numbers(F32, kernel));
    RunBothAlone(absl::StrCat("HloModule m\nENTRY e {\n a = ",
                              ShapeUtil::MakeShape(F32, input).ToString(),
                              " parameter(0)\n b = ",
                              ShapeUtil::MakeShape(F32, kernel).ToString(),
                              " parameter(1)\n ROOT r = ",
                              ShapeUtil::MakeShape(F32, result).ToString(),
                              " convolution(a, b), window={size=3x2 stride=2x1 "
                              "pad=1_1x1_1 lhs_dilate=1x2 rhs_reversal=0x1}, "
                              "feature_group_count=2, dim_labels=",
                              labels, "\n}"),
                 std::move(arguments));
  }
}

// `order` 60 uses the kernel.
void TestCholesky(PrimitiveType type, bool lower, int64_t order) {
  // The second and third matrices are definite, like the first.
  std::vector<Literal> arguments;
  arguments.push_back(Numbers(type, {3, order, order}, 5 * order));
  const std::string shape =
      ShapeUtil::MakeShape(type, {3, order, order}).ToString();
  RunBothAlone(
      absl::StrCat("HloModule m\nENTRY e {\n a = ", shape,
                   " parameter(0)\n ROOT r = ", shape,
                   " cholesky(a), lower=", lower ? "true" : "false", "\n}"),
      std::move(arguments));
}

TEST(CholeskyTest, TypesTrianglesAndFailure) {
  for (const bool lower : {true, false}) {
    for (const PrimitiveType type : {F32, F64, C64, C128, BF16}) {
      TestCholesky(type, lower, 4);
    }
    TestCholesky(F32, lower, 60);
    TestCholesky(F64, lower, 60);
  }
  std::vector<Literal> arguments;
  arguments.push_back(LiteralUtil::CreateR3<float>(
      {{{4, 9}, {2, 5}}, {{1, 0}, {2, 1}}, {{NAN, 0}, {0, 1}}}));
  EXPECT_EQ(RunBothAlone(R"(HloModule m
ENTRY e {
  a = f32[3,2,2] parameter(0)
  ROOT r = f32[3,2,2] cholesky(a), lower=true
})",
                         std::move(arguments)),
            "f32[3,2,2] { { { 2, 0 }, { 1, 2 } }, { { nan, nan }, { nan, nan } "
            "}, { { nan, nan }, { nan, nan } } }");
}

// Systems of `order` equations for `count` right-hand sides.
void TestTriangularSolve(PrimitiveType type, int options, int64_t order,
                         int64_t count) {
  const bool left = options & 1, lower = options & 2, unit = options & 4;
  const char* transpose[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
  const std::vector<int64_t> b = left ? std::vector<int64_t>{2, order, count}
                                      : std::vector<int64_t>{2, count, order};
  if (unit && order > 10) return;  // solutions would grow without bound
  std::vector<Literal> arguments;
  arguments.push_back(Numbers(type, {2, order, order}, 4 * order));
  arguments.push_back(Numbers(type, b));
  const std::string shape = ShapeUtil::MakeShape(type, b).ToString();
  RunBothAlone(
      absl::StrCat(
          "HloModule m\nENTRY e {\n a = ",
          ShapeUtil::MakeShape(type, {2, order, order}).ToString(),
          " parameter(0)\n b = ", shape, " parameter(1)\n ROOT r = ", shape,
          " triangular-solve(a, b), left_side=", left ? "true" : "false",
          ", lower=", lower ? "true" : "false",
          ", unit_diagonal=", unit ? "true" : "false",
          ", transpose_a=", transpose[options / 8], "\n}"),
      std::move(arguments));
}

TEST(TriangularSolveTest, AllOptions) {
  for (int options = 0; options < 24; ++options) {
    TestTriangularSolve(F32, options, 3, 5);
    TestTriangularSolve(C128, options, 3, 5);
    TestTriangularSolve(F32, options, 60, 20);
    TestTriangularSolve(F64, options, 60, 20);
  }
}

// Matrices of a size for which kernels replace LAPACK.
TEST(LapackTest, LargeFactorsAndSystems) {
  const std::string matrix = "f32[60,60]{0,1}";
  for (const int uplo : {'L', 'U'}) {
    std::vector<Literal> arguments;
    arguments.push_back(Numbers(F32, {60, 60}, 300));
    RunBothAlone(
        absl::StrCat("HloModule m\nENTRY e {\n a = f32[60,60] parameter(0)\n "
                     "ROOT r = (",
                     matrix,
                     ", s32[]) custom-call(a), "
                     "custom_call_target=\"lapack_spotrf_ffi\", "
                     "api_version=API_VERSION_TYPED_FFI, "
                     "operand_layout_constraints={",
                     matrix, "}, backend_config=\"{uplo = ", uplo,
                     " : ui8}\"\n}"),
        std::move(arguments));
    for (const int side : {'L', 'R'}) {
      std::vector<Literal> system;
      system.push_back(Numbers(F32, {60, 60}, 300));
      system.push_back(Numbers(F32, {60, 60}));
      RunBothAlone(
          absl::StrCat(
              "HloModule m\nENTRY e {\n a = f32[60,60] parameter(0)\n "
              "b = f32[60,60] parameter(1)\n ROOT r = ",
              matrix,
              " custom-call(a, b), "
              "custom_call_target=\"lapack_strsm_ffi\", "
              "api_version=API_VERSION_TYPED_FFI, "
              "operand_layout_constraints={",
              matrix, ", ", matrix, "}, backend_config=\"{uplo = ", uplo,
              " : ui8, side = ", side,
              " : ui8, trans_x = ", static_cast<int>('T'),
              " : ui8, diag = ", static_cast<int>('N'), " : ui8}\"\n}"),
          std::move(system));
    }
  }
}

TEST(FftTest, AllKinds) {
  struct Case {
    const char* kind;
    const char* lengths;
    PrimitiveType from, to;
    std::vector<int64_t> in, out;
  };
  for (const Case& c :
       std::vector<Case>{{"FFT", "8", C64, C64, {3, 8}, {3, 8}},
                         {"IFFT", "6,10", C128, C128, {2, 6, 10}, {2, 6, 10}},
                         {"RFFT", "12", F32, C64, {4, 12}, {4, 7}},
                         {"RFFT", "4,7", F64, C128, {4, 7}, {4, 4}},
                         {"IRFFT", "4,6", C64, F32, {4, 4}, {4, 6}},
                         {"IRFFT", "5", C64, F32, {2, 3}, {2, 5}},
                         {"FFT", "0", C64, C64, {2, 0}, {2, 0}}}) {
    std::vector<Literal> arguments;
    arguments.push_back(Numbers(c.from, c.in));
    RunBothAlone(absl::StrCat("HloModule m\nENTRY e {\n a = ",
                              ShapeUtil::MakeShape(c.from, c.in).ToString(),
                              " parameter(0)\n ROOT r = ",
                              ShapeUtil::MakeShape(c.to, c.out).ToString(),
                              " fft(a), fft_type=", c.kind, ", fft_length={",
                              c.lengths, "}\n}"),
                 std::move(arguments));
  }
}

TEST(CanonicalFormTest, OtherLayoutsAreNamed) {
  LibraryOptions options;
  const auto executable = CompileLibraryProgram(R"(HloModule m
ENTRY e {
  a = f32[2,3]{0,1} parameter(0)
  b = f32[3,2] parameter(1)
  ROOT d = f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})",
                                                options);
  EXPECT_EQ(executable.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(executable.status().message()),
              HasSubstr("d: dot takes static row-major arrays"));
}

}  // namespace
}  // namespace xla::cpu
