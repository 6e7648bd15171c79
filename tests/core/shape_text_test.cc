// Shapes and layouts to text and back, and invalid texts.
#include "xla/core/shape_text.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

std::string Print(const Shape& shape) {
  return ShapeUtil::HumanStringWithLayout(shape);
}

TEST(ShapeText, RoundTrips) {
  for (const char* text :
       {"f32[3,5]{1,0:T(2,2)}",
        "bf16[16,256]{1,0:T(8,128)(2,1)}",
        "f32[2,3,4]{2,1,0:T(*,2,2)}",
        "s4[3]{0:E(4)}",
        "f32[2]{0:S(1)}",
        "f32[3,5]{1,0:T(2,2)L(4)#(u32)*(u64)E(32)S(5)SC(0:1,2)(1:3)M(8)}",
        "f32[2,3]{0,1:PD(3,5)PV(ZERO_PAD)}",
        "f32[<=5,3]{1,0}",
        "f32[?,3]{1,0}",
        "f32[]",
        "pred[0]{0}",
        "f32[]{:T(128)}",
        "token[]",
        "opaque[]",
        "b(f32[2]{0})",
        "()",
        "(f32[2]{0}, s32[], (pred[], ()))",
        "f8e4m3b11fnuz[2]{0}",
        "c128[1]{0}",
        "f32[1,2,3,4,5,6,7,8]{7,6,5,4,3,2,1,0}",
        "(f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[])"}) {
    absl::StatusOr<Shape> shape = ParseShape(text);
    ASSERT_TRUE(shape.ok()) << text << ": " << shape.status();
    EXPECT_EQ(Print(*shape), text);
    absl::StatusOr<Shape> again = Shape::FromProto(shape->ToProto());
    ASSERT_TRUE(again.ok()) << text << ": " << again.status();
    EXPECT_EQ(*again, *shape) << text;
  }
}

TEST(ShapeText, OtherSpellings) {
  EXPECT_EQ(Print(ParseShape("f32[2,3]").value()), "f32[2,3]{1,0}");
  EXPECT_EQ(Print(ParseShape(" f32 [ 2 , 3 ] { 0 , 1 } ").value()),
            "f32[2,3]{0,1}");
  EXPECT_EQ(Print(ParseShape("f32[2]/*c*/{0}").value()), "f32[2]{0}");
  EXPECT_EQ(Print(ParseShape("f32[2,3]{1,0:D(D,D)T(2,2)}").value()),
            "f32[2,3]{1,0:T(2,2)}");
  EXPECT_EQ(Print(ParseShape("f32[2]{0:S(1)T(2)}").value()),
            "f32[2]{0:T(2)S(1)}");
  EXPECT_EQ(Print(ParseShape("b(f32[2])").value()), "b(f32[2]{0})");
}

TEST(ShapeText, WithoutLayouts) {
  TextScanner scanner("f32[2,3] s32[] f32[1]{0}");
  const ShapeTextOptions options = {.fill_missing_layouts = false};
  EXPECT_FALSE(ScanShape(scanner, options).value().has_layout());
  EXPECT_TRUE(ScanShape(scanner, options).value().has_layout());
  EXPECT_TRUE(ScanShape(scanner, options).value().has_layout());
  EXPECT_TRUE(scanner.AtEnd());
}

TEST(ShapeText, BraceOfAComputationIsNotALayout) {
  for (const char* text : {"f32[2] { x = f32[2] parameter(0)", "f32[2]{ x",
                           "f32[] { }", "f32[] {\n ROOT"}) {
    TextScanner scanner(text);
    ASSERT_TRUE(ScanShape(scanner).ok()) << text;
    EXPECT_TRUE(scanner.NextIs("{")) << text;
  }
}

TEST(ShapeText, NextIsShape) {
  for (const char* text :
       {"f32[2] x", "(f32[])", "token[] t", "b(f32[2])", "f8e5m2 [2]"}) {
    TextScanner scanner(text);
    EXPECT_TRUE(NextIsShape(scanner)) << text;
    EXPECT_EQ(scanner.position(), 0) << text;
  }
  for (const char* text : {"x", "%f32", "f32", "f32.1", "b", "", "add(x)"}) {
    TextScanner scanner(text);
    EXPECT_FALSE(NextIsShape(scanner)) << text;
  }
}

TEST(ShapeText, Lists) {
  const auto shapes = ParseShapeList("{f32[1], s32[2,2]}").value();
  ASSERT_EQ(shapes.size(), 2);
  EXPECT_EQ(Print(shapes[1]), "s32[2,2]{1,0}");
  EXPECT_TRUE(ParseShapeList("{}").value().empty());
  EXPECT_FALSE(ParseShapeList("{f32[1]").ok());
}

TEST(ShapeText, ProgramShapes) {
  for (const char* text : {"(x: f32[2], y: (s32[], pred[3])) -> f32[2]",
                           "() -> token[]", "(p.0: f32[], b: f32[1]) -> ()"}) {
    EXPECT_EQ(ParseProgramShape(text).value().ToString(), text);
  }
  ProgramShape shape = ParseProgramShape("(f32[2], s32[]) -> f32[2]").value();
  EXPECT_EQ(shape.parameters_size(), 2);
  shape.clear_parameter_names();
  EXPECT_EQ(shape.ToString(),
            "((unknown): f32[2], (unknown): s32[]) -> f32[2]");
  EXPECT_TRUE(ParseProgramShape(shape.ToString()).ok());
  EXPECT_TRUE(ProgramShape::FromProto(shape.ToProto()).value() == shape);
}

TEST(ShapeText, BadTexts) {
  for (const char* text : {"",
                           "f32",
                           "f32[",
                           "f32[2",
                           "f32[2,",
                           "f32[2,]",
                           "f32[-1]",
                           "f33[2]",
                           "F32[2]",
                           "f32[2]{0",
                           "f32[2]{1}",
                           "f32[2]{0,1}",
                           "f32[2,2]{0,0}",
                           "f32[2]{0:T(0)}",
                           "f32[2]{0:T()}",
                           "f32[2]{0:T(2,*)}",
                           "f32[2]{0:Q(1)}",
                           "f32[2]{0:E(-4)}",
                           "f32[2]{0:S(-4)}",
                           "f32[2]{0:#(f32)}",
                           "f32[2]{0:SC(1:1)}",
                           "f32[2]{0:L(0)}",
                           "f32[2]{0:PD(1)}",
                           "f32[2]{0:PD(2,2)}",
                           "f32[2]{0:PV(NOTHING)}",
                           "token[2]",
                           "tuple[]",
                           "buffer[]",
                           "b(token[])",
                           "b((f32[]))",
                           "(f32[2]",
                           "(f32[2],)",
                           "f32[2] x",
                           "f32[<=?]",
                           "f32[<=]",
                           "f32[99999999999999999999]",
                           "f32[2]{0:T(2)",
                           "f32[2]{0:P(f32[4]{0})}",
                           "f32[2,3]{1,0:D(D,C)}",
                           "f32[2,3]{1,0:D(X,C)}",
                           "f32[2,3]{1,0:D(D)}",
                           "f32[2]{0:D()}",
                           "f32[2]{0:P(f32[2]}"}) {
    absl::StatusOr<Shape> shape = ParseShape(text);
    EXPECT_FALSE(shape.ok()) << text << " gave " << *shape;
    EXPECT_EQ(shape.status().code(), absl::StatusCode::kInvalidArgument)
        << text;
  }
}

TEST(ShapeText, OverflowNamesTheShape) {
  const absl::Status status =
      ParseShape("(s32[], f32[4611686018427387904,2])").status();
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("f32[4611686018427387904,2]"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("overflow"));
  // A size of 0 must not hide the others from code that multiplies in turn.
  EXPECT_FALSE(ParseShape("f32[0,4611686018427387904,4]").ok());
}

TEST(ShapeText, NestingIsLimited) {
  const std::string deep(1000000, '(');
  EXPECT_THAT(std::string(ParseShape(deep).status().message()),
              HasSubstr("nested"));
  std::string physical;
  for (int i = 0; i < 10000; ++i) physical += "f32[2]{0:P(";
  EXPECT_FALSE(ParseShape(physical).ok());
  std::string buffers;
  for (int i = 0; i < 10000; ++i) buffers += "b(";
  EXPECT_FALSE(ParseShape(buffers).ok());
  EXPECT_TRUE(ParseShape(absl::StrCat(std::string(99, '('), "f32[]",
                                      std::string(99, ')')))
                  .ok());
}

TEST(ShapeText, EveryPrefixIsHandled) {
  const std::string text =
      "(f32[<=3,?]{1,0:T(2,2)L(4)#(u32)SC(0:1)P(f32[1])PD(3,5)PV(ONE_PAD)}, "
      "b(s4[3]{0:E(4)}))";
  for (size_t i = 0; i < text.size(); ++i) {
    EXPECT_FALSE(ParseShape(text.substr(0, i)).ok()) << text.substr(0, i);
  }
}

TEST(LayoutText, RoundTrips) {
  for (const char* text :
       {"{}", "{0}", "{1,0}", "{:T(8)}", "{1,0:T(2,2)S(1)}"}) {
    EXPECT_EQ(ParseLayout(text).value().ToString(), text);
  }
  EXPECT_FALSE(ParseLayout("{1}").ok());
  EXPECT_FALSE(ParseLayout("{0,0}").ok());
  EXPECT_FALSE(ParseLayout("{0} x").ok());
}

}  // namespace
}  // namespace xla
