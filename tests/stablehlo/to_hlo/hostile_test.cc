// Short programs that ask for far more than their size: each must result in a
// Status, or in a module of reasonable size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "xla/backends/evaluator/evaluator_compiler.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/stablehlo/stablehlo.h"

namespace xla::stablehlo {
namespace {

using testing::HasSubstr;

// Returns the first error on the way to an executable.
absl::Status Compile(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<HloModule>> module = ReadModule(text);
  if (!module.ok()) return module.status();
  absl::Status status = HloVerifier().Verify(**module);
  if (!status.ok()) return status;
  (void)(*module)->ToString();
  (void)PrintModule(**module);
  return EvaluatorCompiler().Compile(*std::move(module)).status();
}

void ExpectTooMuch(absl::string_view text) {
  const absl::Status status = Compile(text);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("asks for too much"));
}

std::string Repeated(absl::string_view text, int count,
                     absl::string_view separator = "") {
  std::string all;
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&all, i == 0 ? "" : separator, text);
  }
  return all;
}

// Functions with dynamic types are inlined; here each calls the next twice.
TEST(HostileTest, InlinedFunctionsDouble) {
  std::string text =
      "func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {\n"
      "  %c = stablehlo.convert %x : (tensor<4xf32>) -> tensor<?xf32>\n"
      "  %0 = call @f0(%c) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  return %0 : tensor<?xf32>\n}\n";
  for (int i = 0; i < 40; ++i) {
    const std::string call = absl::StrCat(
        "call @f", i + 1, "(%x) : (tensor<?xf32>) -> ", "tensor<?xf32>\n");
    absl::StrAppend(&text, "func.func private @f", i,
                    "(%x: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = ", call,
                    "  %1 = ", call, "  return %1 : tensor<?xf32>\n}\n");
  }
  absl::StrAppend(&text,
                  "func.func private @f40(%x: tensor<?xf32>) -> tensor<?xf32> "
                  "{\n  return %x : tensor<?xf32>\n}\n");
  ExpectTooMuch(text);
}

// Each location contains the one before it twice: 2^60 names, or frames.
std::string OpWithLocation(absl::string_view first, absl::string_view twice) {
  std::string text = absl::StrCat("#loc0 = loc(", first, ")\n");
  for (int i = 0; i < 60; ++i) {
    const std::string part = absl::StrCat("#loc", i);
    absl::StrAppend(&text, "#loc", i + 1, " = loc(",
                    absl::Substitute(twice, part), ")\n");
  }
  return absl::StrCat(text,
                      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
                      "  %0 = stablehlo.sine %x : tensor<f32> loc(#loc60)\n"
                      "  return %0 : tensor<f32>\n}\n");
}

TEST(HostileTest, LocationsDouble) {
  ExpectTooMuch(OpWithLocation("\"x\"", "fused[$0, $0]"));
  ExpectTooMuch(OpWithLocation("\"f\"(\"f.py\":1:2)", "callsite($0 at $0)"));
  // Only one path is followed.
  EXPECT_TRUE(
      Compile(OpWithLocation("\"f\"(\"f.py\":1:2)", "\"x\"(fused[$0])")).ok());
}

// Nested loops compute a size.
TEST(HostileTest, FoldedLoopsNest) {
  std::string body = "    stablehlo.return %a : tensor<1xi32>\n";
  for (int i = 0; i < 4; ++i) {
    const std::string name = absl::StrCat("%w", i);
    body = absl::StrCat(
        "    ", name, " = \"stablehlo.while\"(%c) ({\n  ^bb0(%a: ",
        "tensor<1xi32>):\n    %t = stablehlo.constant dense<true> : tensor<i1>",
        "\n    stablehlo.return %t : tensor<i1>\n  }, {\n  ^bb0(%a: ",
        "tensor<1xi32>):\n", body,
        "  }) : (tensor<1xi32>) -> tensor<1xi32>\n    ",
        i < 3 ? "stablehlo.return " : "%s = stablehlo.abs ", name,
        " : tensor<1xi32>\n");
  }
  ExpectTooMuch(
      absl::StrCat("func.func @main(%x: tensor<6xf32>) -> tensor<?xf32> {\n"
                   "  %c = stablehlo.constant dense<[6]> : tensor<1xi32>\n",
                   body,
                   "  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, "
                   "tensor<1xi32>) -> tensor<?xf32>\n"
                   "  return %0 : tensor<?xf32>\n}\n"));
}

// A window of 10^9 elements, almost all of them padding, computes a size.
TEST(HostileTest, FoldedWindowIsLarge) {
  ExpectTooMuch(R"(
func.func @main(%x: tensor<6xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<[6]> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %s = "stablehlo.reduce_window"(%c, %z) <{window_dimensions = array<i64: 1000000001>, padding = dense<[[500000000, 500000000]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %m : tensor<i32>
  }) : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
)");
}

// Host code must not run while a program is read.
TEST(HostileTest, CustomCallIsNotFolded) {
  EXPECT_THAT(std::string(Compile(R"(
func.func @main(%x: tensor<6xf32>) -> tensor<?xf32> {
  %s = stablehlo.custom_call @sizes() : () -> tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
)")
                              .message()),
              HasSubstr("a custom call is no constant"));
}

// Reducers copy the constants that they use.
TEST(HostileTest, RegionsCopyAConstant) {
  std::string text = absl::StrCat(
      "func.func @main(%x: tensor<4xi8>, %z: tensor<i8>) -> tensor<i8> {\n",
      "  %c = stablehlo.constant dense<\"0x02", Repeated("01", 99999),
      "\"> : tensor<100000xi8>\n",
      "  %i = stablehlo.constant dense<0> : tensor<i32>\n");
  for (int i = 0; i < 5000; ++i) {
    absl::StrAppend(
        &text, "%r", i, " = \"stablehlo.reduce\"(%x, %z) <{dimensions = ",
        "array<i64: 0>}> ({\n^bb0(%a: tensor<i8>, %b: tensor<i8>):\n%m = ",
        "\"stablehlo.dynamic_slice\"(%c, %i) <{slice_sizes = array<i64: 1>}> ",
        ": (tensor<100000xi8>, tensor<i32>) -> tensor<1xi8>\n",
        "stablehlo.return %a : tensor<i8>\n}) ",
        ": (tensor<4xi8>, tensor<i8>) -> tensor<i8>\n");
  }
  ExpectTooMuch(absl::StrCat(text, "return %z : tensor<i8>\n}\n"));
}

// The constant is too large to copy, so the loop passes it to the body.
TEST(HostileTest, LoopSharesALargeConstant) {
  auto module = ReadModule(
      absl::StrCat("func.func @main(%x: tensor<i32>) -> tensor<i32> {\n",
                   "  %c = stablehlo.constant dense<\"0x02000000",
                   Repeated("01000000", 999), "\"> : tensor<1000xi32>\n", R"(
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    %t = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>):
    %s = "stablehlo.dynamic_slice"(%c, %a) <{slice_sizes = array<i64: 1>}> : (tensor<1000xi32>, tensor<i32>) -> tensor<1xi32>
    %r = stablehlo.reshape %s : (tensor<1xi32>) -> tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
)"));
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_TRUE(HloVerifier().Verify(**module).ok());
  int large = 0;
  for (const auto& computation : (*module)->computations()) {
    for (const auto& instruction : computation->instructions()) {
      large += instruction->IsConstant() && instruction->shape().rank() == 1;
    }
  }
  EXPECT_EQ(large, 1);
}

// The tuples stand for 100^6 elements, although their types are short.
TEST(HostileTest, TuplesOfTuples) {
  std::string text = "func.func @main(%t0: tensor<f32>) -> tensor<f32> {\n";
  for (int i = 0; i < 6; ++i) {
    absl::StrAppend(&text, "  %t", i + 1, " = \"stablehlo.tuple\"(",
                    Repeated(absl::StrCat("%t", i), 100, ", "), ") : (",
                    Repeated(i == 0 ? "tensor<f32>" : "tuple<>", 100, ", "),
                    ") -> tuple<>\n");
  }
  const absl::Status status =
      Compile(absl::StrCat(text, "  return %t0 : tensor<f32>\n}\n"));
  EXPECT_FALSE(status.ok());
}

// A sharding may list all partitions.
TEST(HostileTest, ManyPartitions) {
  std::string arguments;
  for (int i = 0; i < 1000; ++i) {
    absl::StrAppend(&arguments, i == 0 ? "" : ", ", "%x", i,
                    ": tensor<65536xf32> {sdy.sharding = ",
                    "#sdy.sharding<@m, [{\"x\"}]>}");
  }
  ExpectTooMuch(
      absl::StrCat("module attributes {mhlo.num_partitions = 65536 : i32} {\n"
                   "sdy.mesh @m = <[\"x\"=65536]>\nfunc.func @main(",
                   arguments, ") {\n  return\n}\n}\n"));
  EXPECT_THAT(std::string(Compile("module attributes {mhlo.num_partitions = "
                                  "1000000000 : i32} {\nfunc.func @main() {\n"
                                  "  return\n}\n}\n")
                              .message()),
              HasSubstr("mhlo.num_partitions must be a number of devices"));
}

// Fuzzing found these: shardings that do not fit.
TEST(HostileTest, BrokenShardings) {
  struct Case {
    absl::string_view mesh, sharding, message;
  };
  for (const Case& c : {
           Case{R"(<["x"=2, "y"=2]>)", R"([{"x"}, {}, {}])",
                "there are 3 dimensions for f32[4,4]"},
           Case{R"(<["x"=2, "y"=2]>)", R"([{"x"}, {"x", "x"}])",
                "uses an axis twice"},
           Case{R"(<["x"=4], device_ids=[0, 1, 1, 3]>)", R"([{"x"}, {}])",
                "device_ids must be 0 to 3, each once"},
           Case{R"(<["x"=4], device_ids=[0, 1, 2, 4]>)", R"([{"x"}, {}])",
                "device_ids must be 0 to 3, each once"},
       }) {
    const absl::Status status = Compile(absl::StrCat(
        "module attributes {mhlo.num_partitions = 4 : i32} {\nsdy.mesh @m = ",
        c.mesh, "\nfunc.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n",
        "  %0 = sdy.manual_computation(%x) in_shardings=[<@m, [{}, {}]>] ",
        "out_shardings=[<@m, ", c.sharding, ">] manual_axes={\"x\"} ",
        "(%a: tensor<4x4xf32>) {\n    sdy.return %a : tensor<4x4xf32>\n  } ",
        ": (tensor<4x4xf32>) -> tensor<4x4xf32>\n",
        "  return %0 : tensor<4x4xf32>\n}\n}\n"));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message));
  }
}

// A single value of any shape becomes a broadcast.
TEST(HostileTest, SplatsOfAbsurdShapes) {
  for (absl::string_view type :
       {"tensor<1000000000000xf32>", "tensor<1000000x1000000xi4>",
        "tensor<4x1000000000x100xcomplex<f64>>", "tensor<0x1000000000xi1>"}) {
    const absl::string_view value =
        absl::string_view(type).find("complex") != absl::string_view::npos
            ? "(0.0,1.0)"
        : absl::string_view(type).find("i1>") != absl::string_view::npos
            ? "true"
        : absl::string_view(type).find("f32") != absl::string_view::npos ? "1.0"
                                                                         : "1";
    const absl::Status status = Compile(absl::StrCat(
        "func.func @main() -> ", type, " {\n  %0 = stablehlo.constant dense<",
        value, "> : ", type, "\n  return %0 : ", type, "\n}\n"));
    EXPECT_TRUE(status.ok()) << type << ": " << status;
  }
}

// Nests calls and regions up to the limits, and beyond.
TEST(HostileTest, Depth) {
  for (int depth : {450, 600}) {
    std::string text;
    for (int i = 0; i < depth; ++i) {
      absl::StrAppend(&text, "func.func ", i == 0 ? "" : "private ", "@",
                      i == 0 ? "main" : absl::StrCat("f", i),
                      "(%x: tensor<f32>) -> tensor<f32> {\n  %0 = call @f",
                      i + 1, "(%x) : (tensor<f32>) -> tensor<f32>\n",
                      "  return %0 : tensor<f32>\n}\n");
    }
    absl::StrAppend(&text, "func.func private @f", depth,
                    "(%x: tensor<f32>) -> tensor<f32> {\n",
                    "  return %x : tensor<f32>\n}\n");
    EXPECT_EQ(Compile(text).ok(), depth == 450) << Compile(text);
  }
  std::string body = "stablehlo.return %x : tensor<f32>\n";
  for (int i = 0; i < 190; ++i) {
    body = absl::StrCat("%v", i, " = \"stablehlo.if\"(%p) ({\n", body,
                        "}, {\nstablehlo.return %x : tensor<f32>\n}) : ",
                        "(tensor<i1>) -> tensor<f32>\n",
                        i < 189 ? "stablehlo.return %v" : "return %v", i,
                        " : tensor<f32>\n");
  }
  const absl::Status status = Compile(absl::StrCat(
      "func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {\n",
      body, "}\n"));
  EXPECT_TRUE(status.ok()) << status;
}

// Fuzzing found these: lists without elements have no data.
TEST(HostileTest, EmptyAndOddLayouts) {
  for (absl::string_view layout :
       {"dense<> : tensor<0xindex>", "dense<[0, 1, 2]> : tensor<3xi32>",
        "dense<0> : tensor<1000000000xindex>", "dense<1.0> : tensor<2xf32>"}) {
    const absl::Status status = Compile(absl::StrCat(
        "func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {\n",
        "  %0 = stablehlo.custom_call @f(%x) {operand_layouts = [", layout,
        "], result_layouts = [", layout,
        "]} : (tensor<2x2xf32>) -> tensor<2x2xf32>\n",
        "  return %0 : tensor<2x2xf32>\n}\n"));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
}

TEST(HostileTest, Rank) {
  for (int rank : {8, 1000, 60000}) {
    const std::string type =
        absl::StrCat("tensor<", Repeated("1x", rank), "f32>");
    const absl::Status status =
        Compile(absl::StrCat("func.func @main(%x: ", type, ") -> ", type,
                             " {\n  %0 = stablehlo.add %x, %x : ", type,
                             "\n  return %0 : ", type, "\n}\n"));
    EXPECT_EQ(status.ok(), rank <= 1000) << status;
  }
}

}  // namespace
}  // namespace xla::stablehlo
