// Which shardings the conversion refuses. What it makes of others is in
// sharding_annotations.mlir.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/stablehlo.h"

namespace xla::stablehlo {
namespace {

using testing::HasSubstr;

constexpr absl::string_view kAttributes = R"(mhlo.num_partitions = 4 : i32)";

absl::Status Convert(absl::string_view argument, absl::string_view body,
                     absl::string_view attributes = kAttributes) {
  return ReadModule(absl::StrCat("module attributes {", attributes, R"(} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  sdy.mesh @large = <["x"=8]>
  sdy.mesh @maximal = <[], device_ids=[4]>
  func.func @main(%a: tensor<8x6xf32>)",
                                 argument, ") -> tensor<8x6xf32> {\n", body,
                                 "\n    return %0 : tensor<8x6xf32>\n  }\n}\n"))
      .status();
}

TEST(ShardingAnnotationsTest, RefusesBrokenShardings) {
  const struct {
    absl::string_view argument;
    absl::string_view body;
    absl::string_view message;
  } rows[] = {
      {R"({sdy.sharding = #sdy.sharding<@none, [{}, {}]>})", "",
       "there is no mesh @none"},
      {R"({sdy.sharding = #sdy.sharding<@large, [{}, {}]>})", "",
       "the mesh has 8 devices, but the program has 4 partitions"},
      {R"({sdy.sharding = #sdy.sharding<@maximal, []>})", "",
       "the mesh has 5 devices"},
      {R"({sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})", "",
       "there are 1 dimensions for f32[8,6]"},
      {R"({sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"x"}]>})", "",
       "uses an axis twice"},
      {R"({mhlo.sharding = "{devices=[2,2]}"})", "", "devices"},
      {R"({mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<"}})",
       "", "xla.sdy.sharding: line 1"},
      {"", R"(%0 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<8x6xf32>)",
       "sdy.sharding_constraint at line 6"},
      {"",
       R"(%0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>]>} : tensor<8x6xf32>)",
       "there are 2 shardings for 1 results"},
      {"",
       R"(%0 = "sdy.propagation_barrier"(%a) {allowed_direction = 7 : i32} : (tensor<8x6xf32>) -> tensor<8x6xf32>)",
       "allowed_direction must be 0 to 3"},
      {"",
       R"(%0 = sdy.manual_computation(%a) in_shardings=[] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%b: tensor<8x6xf32>) { sdy.return %b : tensor<8x6xf32> } : (tensor<8x6xf32>) -> tensor<8x6xf32>)",
       "in_shardings must have 1 shardings"},
      {"",
       R"(%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {"x", "y"}]>] out_shardings=[<@mesh, [{}, {"x", "y"}]>] manual_axes={"x", "y"} (%b: tensor<8x1xf32>) { sdy.return %b : tensor<8x1xf32> } : (tensor<8x6xf32>) -> tensor<8x6xf32>)",
       "dimension 1 of f32[8,6] does not divide into 4 equal parts"},
      {"",
       R"(%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x6xf32>) { sdy.return %b : tensor<2x6xf32> } : (tensor<8x6xf32>) -> tensor<8x6xf32>)",
       "argument 0 of its body has another shape than f32[4,6]"},
      {"",
       R"(%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) { sdy.return %b : tensor<4x6xf32> } : (tensor<8x6xf32>) -> tensor<8x6xf32>)",
       "result 0 is f32[8,6], but its parts make f32[4,6]"},
      {"",
       R"(%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"z"} (%b: tensor<8x6xf32>) { sdy.return %b : tensor<8x6xf32> } : (tensor<8x6xf32>) -> tensor<8x6xf32>)",
       "the mesh has no axis z"},
      {"",
       R"(%0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%a) : (tensor<8x6xf32>) -> tensor<8x6xf32>)",
       "lacks frontend attribute xla.sdy.allowed_direction"},
      {"",
       R"(%0 = call @xla.sdy.manual_computation_body(%a) : (tensor<8x6xf32>) -> tensor<8x6xf32>)",
       "there is no body @xla.sdy.manual_computation_body"},
  };
  for (const auto& row : rows) {
    const absl::Status status =
        Convert(row.argument, row.body.empty() ? "%0 = stablehlo.negate %a : "
                                                 "tensor<8x6xf32>"
                                               : row.body);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << row.argument << row.body << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(row.message));
  }
}

// A body that calls itself by the round trip's name is no endless loop.
TEST(ShardingAnnotationsTest, RefusesRecursiveBodies) {
  const absl::Status status = ReadModule(R"(
module attributes {mhlo.num_partitions = 2 : i32, mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22a\22=2]>}"}} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @xla.sdy.manual_computation_body(%a) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{}]>]>"}} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @xla.sdy.manual_computation_body(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @xla.sdy.manual_computation_body(%a) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{}>", xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{}]>]>"}} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})")
                                  .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("calls itself"));
}

}  // namespace
}  // namespace xla::stablehlo
