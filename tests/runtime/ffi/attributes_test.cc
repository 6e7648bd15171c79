// Attributes of typed custom calls, to and from text.
#include "xla/runtime/ffi/attributes.h"

#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla::ffi {
namespace {

using ::testing::HasSubstr;

AttributesMap Parse(const std::string& text) {
  auto map = ParseAttributes(text);
  EXPECT_TRUE(map.ok()) << map.status();
  return map.ok() ? *map : AttributesMap();
}

void ExpectRoundTrip(const std::string& text) {
  const AttributesMap map = Parse(text);
  EXPECT_EQ(Parse(AttributesToString(map)), map) << AttributesToString(map);
}

TEST(AttributesTest, Scalars) {
  const AttributesMap map = Parse(
      R"({a = 1 : i32, b = -2, c = 76 : ui8, d = true, e = 1.5 : f32, f = 2.0,
          g = 0x7FC00000 : f32, h = -128 : i8, i = 18446744073709551615 : ui64,
          j = false, k = -0.0 : f64})");
  EXPECT_EQ(map.size(), 11);
  EXPECT_EQ(map.at("a"), Attribute::Scalar<int32_t>(1));
  EXPECT_EQ(map.at("b"), Attribute::Scalar<int64_t>(-2));
  EXPECT_EQ(map.at("c"), Attribute::Scalar<uint8_t>(76));
  EXPECT_EQ(map.at("d"), Attribute::Scalar(true));
  EXPECT_EQ(map.at("e"), Attribute::Scalar(1.5f));
  EXPECT_EQ(map.at("f"), Attribute::Scalar(2.0));
  EXPECT_EQ(map.at("g"),
            Attribute::Scalar(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_EQ(map.at("h"), Attribute::Scalar<int8_t>(-128));
  EXPECT_EQ(map.at("i"), Attribute::Scalar(~uint64_t{0}));
  EXPECT_EQ(map.at("k"), Attribute::Scalar(-0.0));
  EXPECT_EQ(*GetScalar<int32_t>(map, "a"), 1);
  EXPECT_THAT(std::string(GetScalar<int64_t>(map, "a").status().message()),
              HasSubstr("attribute \"a\" is s32, not s64"));
}

TEST(AttributesTest, ArraysStringsDictionaries) {
  const AttributesMap map = Parse(
      R"(perm = array<i64: 1, 0>, none = array<f32>, "quoted name" = "a\"\0Ab",
         t = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>, list = [1 : i8, 2 : i8],
         s = dense<7> : tensor<3xi32>, x = dense<"0x0100000002000000"> :
         tensor<2xi32>, nested = {in = {deep = 1 : i1}}, empty = {})");
  EXPECT_EQ(map.at("perm"), Attribute::Array<int64_t>({1, 0}));
  EXPECT_EQ(map.at("none"), Attribute::Array<float>({}));
  EXPECT_EQ(map.at("quoted name"), Attribute::String("a\"\nb"));
  EXPECT_EQ(map.at("t"), Attribute::Array<int32_t>({1, 2, 3, 4}));
  EXPECT_EQ(map.at("list"), Attribute::Array<int8_t>({1, 2}));
  EXPECT_EQ(map.at("s"), Attribute::Array<int32_t>({7, 7, 7}));
  EXPECT_EQ(map.at("x"), Attribute::Array<int32_t>({1, 2}));
  EXPECT_EQ(
      map.at("nested"),
      Attribute(AttributesMap{
          {"in",
           Attribute(AttributesMap{{"deep", Attribute::Scalar(true)}})}}));
  EXPECT_EQ(map.at("empty"), Attribute(AttributesMap{}));
}

TEST(AttributesTest, RoundTrips) {
  for (const char* text :
       {"", "{}", "{a = 1 : i32}", "{a = true, b = {c = \"x\\\\y\\00\"}}",
        "{f = 0.1 : f32, d = 0.1, big = 1e300, inf = 0x7F800000 : f32}",
        "{a = array<i1: true, false>, b = array<ui16: 65535>}",
        "{\"a b\" = array<f64: 0.5, -1e-300, 0xFFF0000000000000>}"}) {
    ExpectRoundTrip(text);
  }
}

TEST(AttributesTest, Errors) {
  for (const char* text : {"{",
                           "}",
                           "{a}",
                           "{a = }",
                           "{a = 1",
                           "{a = 1,}",
                           "{a = 1 b = 2}",
                           "{a = 1, a = 2}",
                           "{a = 300 : ui8}",
                           "{a = -1 : ui8}",
                           "{a = 1.5 : i32}",
                           "{a = x : i32}",
                           "{a = 1 : i33}",
                           "{a = 1 : f16}",
                           "{a = \"x}",
                           "{a = \"\\q\"}",
                           "{a = array<i32: >}",
                           "{a = dense<[1, 2]> : tensor<3xi32>}",
                           "{a = dense<[1]>}",
                           "{a = dense<]> : tensor<1xi32>}",
                           "{a = [1 : i8, 2 : i16]}",
                           "{a = dense<1> : tensor<99999999999999999999xi32>}",
                           "{a = dense<1> : tensor<4000000x4000000xi32>}",
                           "{a = dense<\"0x0\"> : tensor<1xi8>}",
                           "{} x",
                           "{a = 1 : f32 : f32}"}) {
    auto map = ParseAttributes(text);
    EXPECT_EQ(map.status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(AttributesTest, DeepNestingIsRefused) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "{a = ";
  EXPECT_THAT(std::string(ParseAttributes(text).status().message()),
              HasSubstr("nest more than 64"));
}

// Splats are short in text but long in memory.
TEST(AttributesTest, ManySplatsAreRefused) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) {
    text += "a" + std::to_string(i) + " = dense<1> : tensor<1000000xi64>, ";
  }
  EXPECT_THAT(std::string(ParseAttributes(text).status().message()),
              HasSubstr("too many elements"));
}

TEST(AttributesTest, MutatedTextGivesAStatus) {
  const std::string text =
      R"({a = 1 : i32, b = array<i64: 1, 0>, c = dense<[1]> : tensor<1xi8>,
          d = {e = "x\0A"}, f = 1.5e-3})";
  for (size_t i = 0; i < text.size(); ++i) {
    for (char c : std::string("{}<>[]:,=\"\\-x0 \0", 16)) {
      std::string mutated = text;
      mutated[i] = c;
      (void)ParseAttributes(mutated);
      (void)ParseAttributes(text.substr(0, i));
    }
  }
}

}  // namespace
}  // namespace xla::ffi
