// Convolutions of dynamic sizes and their gradients give the same results as
// static ones on arrays that really have those sizes, on both backends.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "xla/backends/compiler.h"
#include "xla/base/status_macros.h"
#include "xla/client/compilers.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::test {
namespace {

// One dynamic spatial dimension of the forward convolution.
struct ConvolutionCase {
  bool same;
  int64_t kernel, stride, dilation;
  int64_t size, bound;

  int64_t extent() const { return (kernel - 1) * dilation + 1; }
  // The number of outputs for `n` elements, and the padding before them.
  int64_t Outputs(int64_t n) const {
    if (same) return (n + stride - 1) / stride;
    return n < extent() ? 0 : (n - extent()) / stride + 1;
  }
  int64_t Before(int64_t n) const {
    if (!same) return 0;
    return std::max<int64_t>(0, (Outputs(n) - 1) * stride + extent() - n) / 2;
  }
  std::string Name() const {
    return absl::StrCat(same ? "same" : "valid", " kernel ", kernel, " stride ",
                        stride, " dilation ", dilation, " size ", size);
  }
};

std::vector<ConvolutionCase> ConvolutionCases() {
  std::vector<ConvolutionCase> cases;
  for (bool same : {false, true}) {
    for (int64_t kernel : {1, 2, 3, 4}) {
      for (auto [stride, dilation] : {std::pair<int64_t, int64_t>{1, 1},
                                      {2, 1},
                                      {3, 1},
                                      {1, 2},
                                      {2, 2}}) {
        for (int64_t size : {0, 1, 2, 5, 6, 9}) {
          const ConvolutionCase c = {same, kernel, stride, dilation, size, 9};
          if (c.Outputs(c.bound) > 0) cases.push_back(c);
        }
      }
    }
  }
  return cases;
}

absl::StatusOr<std::vector<Literal>> RunText(const std::string& text,
                                             absl::string_view backend) {
  TF_ASSIGN_OR_RETURN(auto module, ParseAndReturnUnverifiedModule(text));
  TF_ASSIGN_OR_RETURN(auto compiler, MakeCompiler(backend));
  TF_ASSIGN_OR_RETURN(auto executable, compiler->Compile(std::move(module)));
  TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                      executable->Execute({{}}, Executable::RunOptions()));
  return std::move(results[0]).DecomposeTuple();
}

// The lines that make `name`, small integers in f32.
std::string Data(absl::string_view name, absl::string_view dims, int64_t count,
                 int64_t step) {
  return absl::Substitute(R"(
  $0.i = s32[$2] iota(), iota_dimension=0
  $0.t = s32[] constant($3)
  $0.tt = s32[$2] broadcast($0.t), dimensions={}
  $0.m = s32[$2] multiply($0.i, $0.tt)
  $0.s = s32[] constant(7)
  $0.ss = s32[$2] broadcast($0.s), dimensions={}
  $0.r = s32[$2] remainder($0.m, $0.ss)
  $0.f = f32[$2] convert($0.r)
  $0 = f32[$1] reshape($0.f))",
                          name, dims, count, step);
}

// The lines that make `to` the first `size` elements of dimension 1 of `from`,
// [2,bound,3,2]: as a dynamic size, or as a slice.
std::string First(absl::string_view to, absl::string_view from, int64_t size,
                  int64_t bound, bool dynamic) {
  if (!dynamic) {
    return absl::Substitute(
        "\n  $0 = f32[2,$2,3,2] slice($1), slice={[0:2],[0:$2],[0:3],[0:2]}",
        to, from, size);
  }
  return absl::Substitute(R"(
  $0.n = s32[] constant($2)
  $0.o = s32[1] reshape($0.n)
  $0.p = s32[] reduce($0.o, $0.n), dimensions={0}, to_apply=least
  $0 = f32[2,<=$3,3,2] set-dimension-size($1, $0.p), dimensions={1})",
                          to, from, size, bound);
}

// The convolution of `operands`, as a custom call with dynamic sizes or
// unchanged, and the ops that pad its result of `size` to `bound`.
std::string Convolution(const ConvolutionCase& c, bool dynamic,
                        absl::string_view target, absl::string_view operands,
                        absl::string_view sizes, absl::string_view window,
                        absl::string_view labels, absl::string_view shape,
                        int64_t missing) {
  if (dynamic) {
    return absl::Substitute(
        "\n  c = f32[$0] custom-call($1), window={$2}, dim_labels=$3, "
        "padding_type=PADDING_$4, "
        "custom_call_target=\"DynamicConvolution$5\"",
        shape, sizes.empty() ? operands : absl::StrCat(sizes, ", ", operands),
        window, labels, c.same ? "SAME" : "VALID", target);
  }
  return absl::Substitute(R"(
  v = f32[] constant(0)
  b = convolution($1), window={$2}, dim_labels=$3
  c = f32[$0] pad(b, v), padding=0_0x0_$4x0_0x0_0)",
                          shape, operands, window, labels, missing);
}

std::string Module(absl::string_view body, bool has_size, int64_t size,
                   bool dynamic) {
  std::string end = "\n  ROOT t = tuple(c)";
  if (has_size) {
    end = absl::StrCat(
        dynamic ? "\n  s = s32[] get-dimension-size(c), dimensions={1}"
                : absl::StrCat("\n  s = s32[] constant(", size, ")"),
        "\n  ROOT t = tuple(c, s)");
  }
  return absl::StrCat(R"(HloModule m
least {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  ROOT m = s32[] minimum(x, y)
}
ENTRY e {)",
                      body, end, "\n}\n");
}

std::string Forward(const ConvolutionCase& c, bool dynamic) {
  const int64_t n = dynamic ? c.bound : c.size;
  const int64_t outputs = c.Outputs(c.bound);
  const int64_t after =
      c.same ? std::max<int64_t>(0, (c.Outputs(n) - 1) * c.stride + c.extent() -
                                        n - c.Before(n))
             : 0;
  const std::string window =
      absl::Substitute("size=$0x2 stride=$1x1 pad=$2_$3x0_1 rhs_dilate=$4x1",
                       c.kernel, c.stride, c.Before(n), after, c.dilation);
  return Module(
      absl::StrCat(
          Data("x", absl::StrCat("2,", c.bound, ",3,2"), 12 * c.bound, 3),
          Data("k", absl::StrCat(c.kernel, ",2,2,2"), 8 * c.kernel, 5),
          First("d", "x", c.size, c.bound, dynamic),
          Convolution(c, dynamic, "Forward", "d, k", "", window,
                      "b01f_01io->b01f", absl::StrCat("2,", outputs, ",3,2"),
                      outputs - c.Outputs(c.size))),
      true, c.Outputs(c.size), dynamic);
}

std::string InputGrad(const ConvolutionCase& c, bool dynamic) {
  const int64_t n = dynamic ? c.bound : c.size;
  const int64_t most = c.Outputs(c.bound), outputs = c.Outputs(n);
  const int64_t dilated = outputs == 0 ? 0 : (outputs - 1) * c.stride + 1;
  const int64_t before = c.extent() - 1 - c.Before(n);
  const std::string window = absl::Substitute(
      "size=$0x2 pad=$1_$2x1_0 lhs_dilate=$3x1 rhs_dilate=$4x1", c.kernel,
      before, n + c.extent() - 1 - before - dilated, c.stride, c.dilation);
  return Module(
      absl::StrCat(
          Data("g", absl::StrCat("2,", most, ",3,2"), 12 * most, 3),
          Data("k", absl::StrCat(c.kernel, ",2,2,2"), 8 * c.kernel, 5),
          absl::StrCat("\n  z = s32[4] constant({2, ", c.size, ", 3, 2})"),
          First("d", "g", c.Outputs(c.size), most, dynamic),
          Convolution(c, dynamic, "InputGrad", "d, k", "z", window,
                      "b01f_01oi->b01f", absl::StrCat("2,", c.bound, ",3,2"),
                      c.bound - c.size)),
      true, c.size, dynamic);
}

std::string KernelGrad(const ConvolutionCase& c, bool dynamic) {
  const int64_t n = dynamic ? c.bound : c.size;
  const int64_t most = c.Outputs(c.bound), outputs = c.Outputs(n);
  const int64_t after = c.extent() + (outputs - 1) * c.stride - n - c.Before(n);
  const std::string window =
      absl::Substitute("size=$0x3 stride=$1x1 pad=$2_$3x0_1 rhs_dilate=$4x1",
                       outputs, c.dilation, c.Before(n), after, c.stride);
  return Module(
      absl::StrCat(
          Data("x", absl::StrCat("2,", c.bound, ",3,2"), 12 * c.bound, 3),
          Data("g", absl::StrCat("2,", most, ",3,2"), 12 * most, 5),
          First("d", "x", c.size, c.bound, dynamic),
          First("f", "g", c.Outputs(c.size), most, dynamic),
          Convolution(c, dynamic, "KernelGrad", "d, f", "", window,
                      "f01b_i01o->b01f", absl::StrCat("2,", c.kernel, ",2,2"),
                      0)),
      false, 0, dynamic);
}

void ExpectSame(const ConvolutionCase& c,
                std::string (*make)(const ConvolutionCase&, bool)) {
  const auto wanted = RunText(make(c, false), "evaluator");
  ASSERT_TRUE(wanted.ok()) << c.Name() << ": " << wanted.status().message()
                           << make(c, false);
  for (absl::string_view backend : {"evaluator", "cpu"}) {
    const auto got = RunText(make(c, true), backend);
    ASSERT_TRUE(got.ok()) << c.Name() << " on " << backend << ": "
                          << got.status().message() << make(c, true);
    EXPECT_TRUE(*got == *wanted)
        << c.Name() << " on " << backend << "\ngot " << (*got)[0].ToString()
        << "\nwanted " << (*wanted)[0].ToString() << make(c, true);
  }
}

TEST(DynamicConvolutionTest, ForwardIsThatOfTheSizes) {
  for (const ConvolutionCase& c : ConvolutionCases()) ExpectSame(c, &Forward);
}

TEST(DynamicConvolutionTest, InputGradIsThatOfTheSizes) {
  for (const ConvolutionCase& c : ConvolutionCases()) ExpectSame(c, &InputGrad);
}

TEST(DynamicConvolutionTest, KernelGradIsThatOfTheSizes) {
  for (const ConvolutionCase& c : ConvolutionCases()) {
    // A window without elements has no outputs.
    if (c.Outputs(c.size) > 0) ExpectSame(c, &KernelGrad);
  }
}

}  // namespace
}  // namespace xla::test
