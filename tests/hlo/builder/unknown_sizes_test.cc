// Dimensions without a bound: what element-wise functions and those that move
// elements make of them. Shapes and, in errors, words are those of XLA's
// builder.
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "tests/hlo/builder/shape_rows.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {
namespace {

// A row of a function with one operand, or with two.
ShapeRow Unary(const std::string& name, XlaOp (*make)(XlaOp),
               const std::string& operand = "f32[?]",
               const std::string& expected = "f32[?]") {
  return {name,
          {operand},
          [=](XlaBuilder&, const Ops& p) { return make(p[0]); },
          expected};
}
using BinaryFunction = XlaOp (*)(XlaOp, XlaOp, absl::Span<const int64_t>);
ShapeRow MixedBinary(const std::string& name, BinaryFunction make,
                     const std::string& type = "f32",
                     const std::string& result_type = "f32") {
  return {name,
          {type + "[1,?,2,?,<=2,?,?]", type + "[?,1,?,2,?,<=2,?]"},
          [=](XlaBuilder&, const Ops& p) { return make(p[0], p[1], {}); },
          result_type + "[?,?,2,2,<=2,<=2,?]"};
}
ShapeRow Broadcasting(const std::string& name, BinaryFunction make,
                      const std::string& type = "f32",
                      const std::string& result_type = "f32") {
  return {name,
          {type + "[?,10]", type + "[1]"},
          [=](XlaBuilder&, const Ops& p) { return make(p[0], p[1], {0}); },
          result_type + "[?,10]"};
}

XlaOp IdentityOf(XlaOp x) { return Copy(x); }

TEST(UnknownSizesTest, ElementwiseUnary) {
  using Accurate = XlaOp (*)(XlaOp);
  const auto accurate = [](auto make) { return static_cast<Accurate>(make); };
  ExpectShapes({
      Unary("abs", Abs),
      Unary("cbrt", accurate([](XlaOp x) { return Cbrt(x); })),
      Unary("ceil", Ceil),
      Unary("clz", Clz, "u32[?]", "u32[?]"),
      Unary("copy", IdentityOf),
      Unary("cos", accurate([](XlaOp x) { return Cos(x); })),
      Unary("erf", accurate([](XlaOp x) { return Erf(x); })),
      Unary("exp", accurate([](XlaOp x) { return Exp(x); })),
      Unary("expm1", accurate([](XlaOp x) { return Expm1(x); })),
      Unary("floor", Floor),
      Unary("imag", Imag),
      Unary("is_finite", IsFinite, "f32[?]", "pred[?]"),
      Unary("log", accurate([](XlaOp x) { return Log(x); })),
      Unary("log1p", accurate([](XlaOp x) { return Log1p(x); })),
      Unary("logistic", accurate([](XlaOp x) { return Logistic(x); })),
      Unary("neg", Neg),
      Unary("not", Not, "s32[?]", "s32[?]"),
      Unary("popcnt", PopulationCount, "u32[?]", "u32[?]"),
      Unary("real", Real),
      Unary("round", Round),
      Unary("round_nearest_even", RoundNearestEven),
      Unary("rsqrt", accurate([](XlaOp x) { return Rsqrt(x); })),
      Unary("sign", Sign),
      Unary("sin", accurate([](XlaOp x) { return Sin(x); })),
      Unary("sqrt", accurate([](XlaOp x) { return Sqrt(x); })),
      Unary("tan", accurate([](XlaOp x) { return Tan(x); })),
      Unary("tanh", accurate([](XlaOp x) { return Tanh(x); })),
      Unary(
          "convert", [](XlaOp x) { return ConvertElementType(x, S32); },
          "f32[?]", "s32[?]"),
      Unary(
          "bitcast_convert", [](XlaOp x) { return BitcastConvertType(x, F16); },
          "f32[?,10]", "f16[?,10,2]"),
      Unary(
          "reduce_precision", [](XlaOp x) { return ReducePrecision(x, 2, 2); },
          "f32[?,10]", "f32[?,10]"),
      Unary("opt_barrier", OptimizationBarrier, "f32[?,10]", "f32[?,10]"),
  });
}

TEST(UnknownSizesTest, ElementwiseBinary) {
  ExpectShapes({
      MixedBinary("add", Add),
      MixedBinary("and", And, "s32", "s32"),
      MixedBinary("atan2", Atan2),
      MixedBinary("complex", Complex, "f32", "c64"),
      MixedBinary("div", Div),
      MixedBinary("eq", Eq, "f32", "pred"),
      MixedBinary("max", Max),
      MixedBinary("min", Min),
      MixedBinary("mul", Mul),
      MixedBinary("or", Or, "s32", "s32"),
      MixedBinary("pow", Pow),
      MixedBinary("rem", Rem),
      MixedBinary("shift_left", ShiftLeft, "s32", "s32"),
      MixedBinary("shift_right_arithmetic", ShiftRightArithmetic, "s32", "s32"),
      MixedBinary("shift_right_logical", ShiftRightLogical, "s32", "s32"),
      MixedBinary("sub", Sub),
      MixedBinary("xor", Xor, "s32", "s32"),
  });
}

TEST(UnknownSizesTest, ImplicitBroadcasts) {
  const auto add = [](std::vector<int64_t> dimensions) {
    return [dimensions](XlaBuilder&, const Ops& p) {
      return Add(p[0], p[1], dimensions);
    };
  };
  ExpectShapes({
      Broadcasting("add", Add),
      Broadcasting("complex", Complex, "f32", "c64"),
      Broadcasting("ne", Ne, "f32", "pred"),
      Broadcasting("shift_left", ShiftLeft, "s32", "s32"),
      {"scalar", {"f32[?,10]", "f32[]"}, add({}), "f32[?,10]"},
      {"scalar on the left", {"f32[]", "f32[?,10]"}, add({}), "f32[?,10]"},
      {"size 1", {"f32[?,10]", "f32[1,10]"}, add({0, 1}), "f32[?,10]"},
      {"size 1 of both", {"f32[?,1]", "f32[1,?]"}, add({}), "f32[?,?]"},
      {"known sizes", {"f32[?,1]", "f32[5,10]"}, add({}), "f32[5,10]"},
      {"lower rank", {"f32[?]", "f32[?,10]"}, add({0}), "f32[?,10]"},
      {"lower rank, size 1", {"f32[5]", "f32[1,?]"}, add({0}), "f32[5,?]"},
  });
  ExpectErrors({
      {"known and unknown",
       {"f32[?,10]", "f32[2]"},
       add({0}),
       "Broadcast dimension 0 mismatch: 2 != -9223372036854775808; f32[2] and "
       "f32[?,10]. (implicit_broadcast_c8)"},
      {"unknown and known",
       {"f32[?]", "f32[2,10]"},
       add({0}),
       "(implicit_broadcast_c8)"},
      {"bounded and unknown",
       {"f32[?,10]", "f32[<=2]"},
       add({0}),
       "(implicit_broadcast_c8)"},
  });
}

// The size 1 grows where the program runs, not before.
TEST(UnknownSizesTest, ImplicitBroadcastTakesTheSizesOfTheOtherOperand) {
  XlaBuilder b("sum");
  Add(Parameter(&b, 0, *ShapeUtil::ParseShapeString("f32[?,10]"), "x"),
      Parameter(&b, 1, *ShapeUtil::ParseShapeString("f32[1]"), "y"), {0});
  const auto module = ReadAndVerify(*b.Build());
  ASSERT_TRUE(module.ok()) << module.status();
  const HloInstruction* root =
      (*module)->entry_computation()->root_instruction();
  EXPECT_EQ(root->operand(1)->custom_call_target(),
            "mhlo.dynamic_broadcast_in_dim");
  EXPECT_EQ(root->operand(1)->operand(1)->shape().ToString(), "s32[2]");
}

TEST(UnknownSizesTest, ClampAndSelect) {
  const auto clamp = [](XlaBuilder&, const Ops& p) {
    return Clamp(p[0], p[1], p[2]);
  };
  const auto select = [](XlaBuilder&, const Ops& p) {
    return Select(p[0], p[1], p[2]);
  };
  const std::string a = "f32[1,?,2,?,<=2,?,?]", b = "f32[?,1,?,2,?,<=2,?]";
  const std::string m = "f32[?,10]";
  ExpectShapes({
      {"clamp", {a, b, a}, clamp, b},
      {"clamp min", {"f32[]", m, m}, clamp, m},
      {"clamp bounds", {"f32[]", m, "f32[]"}, clamp, m},
      {"clamp operand and max", {m, "f32[]", "f32[]"}, clamp, m},
      {"clamp min and operand", {"f32[]", "f32[]", m}, clamp, m},
      {"select",
       {"pred[1,?,2,?,<=2,?,?]", b, a},
       select,
       "f32[1,1,2,2,<=2,<=2,?]"},
      {"select by scalar", {"pred[]", m, m}, select, m},
      {"select of scalars", {"pred[?,10]", "f32[]", "f32[]"}, select, m},
      {"select scalar on false", {"pred[]", m, "f32[]"}, select, m},
      {"select scalar on true", {"pred[]", "f32[]", m}, select, m},
  });
  ExpectErrors({
      {"clamp", {m, "f32[1]", m}, clamp, "Unimplemented implicit broadcast."},
      {"select",
       {"pred[?,10]", "f32[1]", m},
       select,
       "(implicit_broadcast_c9)"},
  });
}

TEST(UnknownSizesTest, Shapes) {
  ExpectShapes({
      {"broadcast_in_dim",
       {"f32[<=2,?]"},
       [](XlaBuilder&, const Ops& p) {
         return BroadcastInDim(p[0], {2, 3, 4}, {0, 2});
       },
       "f32[<=2,3,4]"},
      {"broadcast_in_dim of size 1",
       {"f32[1,?]"},
       [](XlaBuilder&, const Ops& p) {
         return BroadcastInDim(p[0], {3, 4}, {0, 1});
       },
       "f32[3,4]"},
      {"broadcast_in_dim of equal rank",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) {
         return BroadcastInDim(p[0], {4, 10}, {0, 1});
       },
       "f32[4,10]"},
      {"reshape",
       {"f32[?]"},
       [](XlaBuilder&, const Ops& p) { return Reshape(p[0], {2, 3}); },
       "f32[2,3]"},
      {"transpose",
       {"f32[1,?,2,?,<=2]"},
       [](XlaBuilder&, const Ops& p) {
         return Transpose(p[0], {4, 0, 3, 2, 1});
       },
       "f32[<=2,1,?,2,?]"},
      {"reverse",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return Rev(p[0], {0, 1}); },
       "f32[?,10]"},
      {"get_dimension_size",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return GetDimensionSize(p[0], 0); },
       "s32[]"},
      {"set_dimension_size",
       {"f32[?,10]", "s32[]"},
       [](XlaBuilder&, const Ops& p) {
         return SetDimensionSize(p[0], p[1], 0);
       },
       "f32[?,10]"},
      {"mhlo.dynamic_broadcast_in_dim",
       {"f32[1,?]", "s32[3]"},
       [](XlaBuilder&, const Ops& p) {
         return MhloDynamicBroadcastInDim(
             p[0], p[1], {1, 2}, *ShapeUtil::ParseShapeString("f32[1,2,?]"));
       },
       "f32[1,2,?]"},
      {"mhlo.dynamic_reshape",
       {"f32[?,15]", "s32[2]"},
       [](XlaBuilder&, const Ops& p) {
         return MhloDynamicReshape(p[0], p[1],
                                   *ShapeUtil::ParseShapeString("f32[?,15]"));
       },
       "f32[?,15]"},
  });
  const auto iota = [](XlaBuilder& b, const Ops&) {
    return Iota(&b, *ShapeUtil::ParseShapeString("f32[?]"), 0);
  };
  ExpectErrors({
      {"broadcast",
       {"f32[<=3,?]"},
       [](XlaBuilder&, const Ops& p) { return Broadcast(p[0], {1}); },
       "is_unbounded_dynamic: f32[<=3,?] (broadcast_of_c1)"},
      {"broadcast to unknown",
       {"f32[1]"},
       [](XlaBuilder&, const Ops& p) {
         return Broadcast(p[0], {Shape::kUnboundedSize});
       },
       "Non-broadcast dimensions must not be dynamic. (broadcast_of_c2)"},
      {"broadcast_in_dim",
       {"f32[<=3,?]"},
       [](XlaBuilder&, const Ops& p) {
         return BroadcastInDim(p[0], {2, 3, Shape::kUnboundedSize}, {0, 2});
       },
       "BroadcastInDim output must shape be static or bounded dynamic "
       "f32[2,3,?] (broadcast_in_dim_c5)"},
      {"reshape to unknown",
       {"f32[6]"},
       [](XlaBuilder&, const Ops& p) {
         return Reshape(p[0], {Shape::kUnboundedSize, Shape::kUnboundedSize});
       },
       "Reshaping with unbounded result shape is not supported."},
      {"reshape to a shape",
       {"f32[?]"},
       [](XlaBuilder&, const Ops& p) {
         return Reshape(*ShapeUtil::ParseShapeString("f32[?]"), p[0]);
       },
       "(reshape_c5)"},
      {"reshape of both",
       {"f32[?,<=2]"},
       [](XlaBuilder&, const Ops& p) { return Reshape(p[0], {6}); },
       "(reshape_c6)"},
      {"collapse",
       {"f32[?,2,3]"},
       [](XlaBuilder&, const Ops& p) { return Collapse(p[0], {0, 1}); },
       "(reshape_c5)"},
      {"dynamic_reshape",
       {"f32[?]", "s32[]"},
       [](XlaBuilder&, const Ops& p) {
         return DynamicReshape(p[0], {p[1]}, {6}, {true});
       },
       "(dynamic_reshape_c1)"},
      {"remove_dynamic_dimension",
       {"f32[?]"},
       [](XlaBuilder&, const Ops& p) {
         return RemoveDynamicDimension(p[0], 0);
       },
       "(remove_dynamic_dimension_c1)"},
      {"iota", {}, iota, "(iota_c1)"},
  });
}

PaddingConfig OneOnEachSide(int dimensions) {
  PaddingConfig config;
  for (int i = 0; i < dimensions; ++i) {
    auto* dimension = config.add_dimensions();
    dimension->set_edge_padding_low(1);
    dimension->set_edge_padding_high(1);
    dimension->set_interior_padding(1);
  }
  return config;
}

TEST(UnknownSizesTest, Slices) {
  ExpectShapes({
      {"concatenate",
       {"f32[3,?,2,?,<=2,?,?]", "f32[?,4,?,2,?,<=2,?]",
        "f32[?,?,2,2,<=2,<=2,?]"},
       [](XlaBuilder& b, const Ops& p) { return ConcatInDim(&b, p, 2); },
       "f32[3,4,?,2,<=2,<=2,?]"},
      {"concatenate a bounded size",
       {"f32[<=3]", "f32[?]"},
       [](XlaBuilder& b, const Ops& p) { return ConcatInDim(&b, p, 0); },
       "f32[?]"},
      {"pad",
       {"f32[?,10]", "f32[]"},
       [](XlaBuilder&, const Ops& p) {
         return Pad(p[0], p[1], OneOnEachSide(2));
       },
       "f32[?,21]"},
      {"slice",
       {"f32[1,<=3,?]"},
       [](XlaBuilder&, const Ops& p) {
         return Slice(p[0], {0, 1, 2}, {1, 3, 5}, {1, 1, 1});
       },
       "f32[1,<=2,3]"},
      {"slice_in_dim",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return SliceInDim(p[0], 0, 4, 2, 0); },
       "f32[2,10]"},
      {"dynamic_slice",
       {"f32[?,10]", "s32[]", "s32[]"},
       [](XlaBuilder&, const Ops& p) {
         return DynamicSlice(p[0], {p[1], p[2]}, {2, 2});
       },
       "f32[2,2]"},
      {"dynamic_update_slice",
       {"f32[?,10]", "f32[?,5]", "s32[]", "s32[]"},
       [](XlaBuilder&, const Ops& p) {
         return DynamicUpdateSlice(p[0], p[1], {p[2], p[3]});
       },
       "f32[?,10]"},
      {"sort",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) {
         return Sort({p[0]}, ScalarLess(), 0, true);
       },
       "f32[?,10]"},
      {"topk",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return TopK(p[0], 3, true); },
       "(f32[?,3], s32[?,3])"},
      {"topk of an unknown number",
       {"f32[10,?]"},
       [](XlaBuilder&, const Ops& p) { return TopK(p[0], 3, true); },
       "(f32[10,3], s32[10,3])"},
  });
  ExpectErrors({
      {"slice_in_dim",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return SliceInDim(p[0], 0, 4, 1, 1); },
       "(slice_in_dim_c2)"},
      {"slice of a negative limit",
       {"f32[?]"},
       [](XlaBuilder&, const Ops& p) { return Slice(p[0], {0}, {-1}, {1}); },
       "(slice_c3)"},
      {"topk",
       {"f32[10,?]"},
       [](XlaBuilder&, const Ops& p) {
         return TopK(p[0], int64_t{1} << 31, true);
       },
       "(topk_c3)"},
  });
}

}  // namespace
}  // namespace xla
