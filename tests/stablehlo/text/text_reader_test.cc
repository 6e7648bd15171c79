// The reader of StableHLO text: pretty and generic forms give the same tree.
#include "xla/stablehlo/text/text_reader.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/stablehlo/tree_text.h"

namespace xla::stablehlo {
namespace {

using ::testing::HasSubstr;

std::string ReadSourceFile(absl::string_view path) {
  const char* root = std::getenv("TESSERA_SRC");
  std::ifstream file(absl::StrCat(root == nullptr ? "." : root, "/", path));
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string TreeOf(absl::string_view text) {
  const auto module = ReadText(text);
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return "";
  return TreeToString(**module, {.defaults = false});
}

class Programs : public testing::TestWithParam<const char*> {};

TEST_P(Programs, PrettyAndGenericFormsAgree) {
  const std::string base =
      absl::StrCat("tests/stablehlo/text/programs/", GetParam());
  const std::string tree = TreeOf(ReadSourceFile(base + ".mlir"));
  EXPECT_THAT(tree, HasSubstr("\"func.func\""));
  EXPECT_EQ(tree, TreeOf(ReadSourceFile(base + ".generic.mlir")));
}

INSTANTIATE_TEST_SUITE_P(All, Programs,
                         testing::Values("stablehlo", "chlo", "sdy",
                                         "builtin"));

// Returns the value of the constant `dense` in the tree.
const Attribute* ConstantOf(const Module& module) {
  return module.root->Body()->ops[0]->Find("value");
}

std::string Hex(absl::string_view bytes) {
  std::string hex;
  for (unsigned char c : bytes) {
    absl::StrAppend(&hex, absl::Hex(c, absl::kZeroPad2));
  }
  return hex;
}

struct DenseCase {
  const char* text;
  const char* hex;  // little-endian
  bool splat;
};

class Dense : public testing::TestWithParam<DenseCase> {};

TEST_P(Dense, GivesBytes) {
  const auto module =
      ReadText(absl::StrCat("stablehlo.constant ", GetParam().text));
  ASSERT_TRUE(module.ok()) << module.status();
  const Attribute* value = ConstantOf(**module);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(Hex(value->data), GetParam().hex) << GetParam().text;
  EXPECT_EQ(value->splat, GetParam().splat) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    All, Dense,
    testing::Values(
        DenseCase{"dense<1.0> : tensor<f32>", "0000803f", true},
        DenseCase{"dense<[1.0, -2.5e+00]> : tensor<2xf32>", "0000803f000020c0",
                  false},
        DenseCase{"dense<[3, 3]> : tensor<2xi16>", "0300", true},
        DenseCase{"dense<[[1, 2], [3, -4]]> : tensor<2x2xi8>", "010203fc",
                  false},
        DenseCase{"dense<[1, -8]> : tensor<2xi4>", "01f8", false},
        DenseCase{"dense<15> : tensor<2xui4>", "0f", true},
        DenseCase{"dense<[true, false]> : tensor<2xi1>", "0100", false},
        DenseCase{"dense<0x7FC00001> : tensor<f32>", "0100c07f", true},
        DenseCase{"dense<0x3C> : tensor<f8E4M3FN>", "3c", true},
        DenseCase{"dense<1.5> : tensor<bf16>", "c03f", true},
        DenseCase{"dense<[(1.0, -1.0), (0.0, 2.0)]> : tensor<2xcomplex<f32>>",
                  "0000803f000080bf0000000000000040", false},
        DenseCase{"dense<(1.0, 0x7FF0000000000000)> : tensor<complex<f64>>",
                  "000000000000f03f000000000000f07f", true},
        DenseCase{"dense<\"0x0102\"> : tensor<2xi8>", "0102", false},
        DenseCase{"dense<\"0x01\"> : tensor<2xi8>", "01", true},
        DenseCase{"dense<\"0x010001\"> : tensor<3xi1>", "010001", false},
        DenseCase{"dense<\"0x0505\"> : tensor<11xi1>", "0100010000000000010001",
                  false},
        DenseCase{"dense<\"0xFF\"> : tensor<8xi1>", "01", true},
        DenseCase{"dense<> : tensor<0x4xf32>", "", false},
        DenseCase{"dense<[[], []]> : tensor<2x0xf32>", "", false},
        DenseCase{"dense<18446744073709551615> : tensor<ui64>",
                  "ffffffffffffffff", true},
        DenseCase{"dense<-9223372036854775808> : tensor<i64>",
                  "0000000000000080", true},
        DenseCase{"dense<1.0e+400> : tensor<f64>", "000000000000f07f", true}));

std::string TypeOf(absl::string_view type) {
  const auto module =
      ReadText(absl::StrCat("func.func private @f(", type, ")"));
  EXPECT_TRUE(module.ok()) << type << ": " << module.status();
  if (!module.ok()) return "";
  const Attribute* function =
      (*module)->root->Body()->ops[0]->Find("function_type");
  return TypeToText(*function->type->elements[0]);
}

TEST(Types, Quantized) {
  EXPECT_EQ(TypeOf("tensor<4x!quant.uniform<i8:f32, 5.0e-01:3>>"),
            "tensor<4x!quant.uniform<i8<-128:127>:f32, 0.5:3>>");
  EXPECT_EQ(
      TypeOf("tensor<4x2x!quant.uniform<u8<1:200>:f32:1, {0.5:-3, 2.0}>>"),
      "tensor<4x2x!quant.uniform<ui8<1:200>:f32:1, 0.5:-3, 2:0>>");
  EXPECT_EQ(TypeOf("tensor<2x4x!quant.uniform<i4:bf16:{0:1, 1:4}, "
                   "{{0.5:3}, {0.25}}>>"),
            "tensor<2x4x!quant.uniform<i4<-8:7>:bf16:{0,1}:{1,4}, 0.5:3, "
            "0.25:0>>");
}

TEST(Types, BoundsAndOthers) {
  EXPECT_EQ(TypeOf("tensor<?x4xf32, #stablehlo.bounds<8, ?>>"),
            "tensor<?x4xf32, bounds<8, ?>>");
  EXPECT_EQ(TypeOf("tensor<?xi1, #stablehlo.type_extensions<bounds = [8]>>"),
            "tensor<?xi1, bounds<8>>");
  EXPECT_EQ(TypeOf("tensor<0x0xf8E4M3FN>"), "tensor<0x0xf8E4M3FN>");
  EXPECT_EQ(TypeOf("tuple<tensor<f32>, !stablehlo.token, tuple<>>"),
            "tuple<tensor<f32>, !stablehlo.token, tuple<>>");
  EXPECT_EQ(TypeOf("!foo.bar<(->, [\")\"])>"), "!foo.bar<(->, [\")\"])>");
}

TEST(Reader, FunctionsNeedNoModule) {
  EXPECT_EQ(TreeOf("func.func @f() { return }"),
            TreeOf("module { func.func @f() { func.return } }"));
}

TEST(Reader, OpsHaveTheirPlace) {
  const auto module =
      ReadText("// x\nfunc.func @f() {\n  foo.bar\n  return\n}");
  ASSERT_TRUE(module.ok()) << module.status();
  const Op* function = (*module)->root->Body()->ops[0];
  EXPECT_EQ(function->location.ToString(), "line 2, column 1");
  EXPECT_EQ(function->Body()->ops[0]->location.ToString(), "line 3, column 3");
}

TEST(Reader, UnknownOpsAndAttributesStay) {
  const std::string tree = TreeOf(
      "func.func @f(%a: tensor<f32>) {\n"
      "  %0 = \"foo.bar\"(%a) {x = #foo.baz<(a -> [b])>} : "
      "(tensor<f32>) -> !foo.t\n  return\n}");
  EXPECT_THAT(tree, HasSubstr("\"foo.bar\""));
  EXPECT_THAT(tree, HasSubstr("#foo.baz<(a -> [b])>"));
}

struct BadCase {
  const char* text;
  const char* message;
};

class BadText : public testing::TestWithParam<BadCase> {};

TEST_P(BadText, IsRefusedWithPlaceAndReason) {
  const auto module = ReadText(GetParam().text);
  ASSERT_FALSE(module.ok()) << GetParam().text;
  EXPECT_THAT(std::string(module.status().message()),
              HasSubstr(GetParam().message))
      << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    All, BadText,
    testing::Values(
        BadCase{"module {",
                "line 1, column 9: expected an op or '}', got the "
                "end of the text"},
        BadCase{"func.func f() {}", "expected a @name, got 'f'"},
        BadCase{"func.func @f() {\n  return %x : tensor<f32>\n}",
                "line 2, column 10: %x is not defined here"},
        BadCase{"func.func @f(%a: i32) {\n %a = foo.b : i32 }",
                "line 2, column 2: %a is defined twice"},
        BadCase{"func.func @f(%a: i32, %a: i32) {}", "%a is defined twice"},
        BadCase{"func.func @f(%a: tensor<2y>) {}",
                "expected 'x' behind the size of a dimension"},
        BadCase{"func.func @f(%a: tensor<9999999999999999999xf32>) {}",
                "is not a 64-bit integer"},
        BadCase{"func.func @f(%a: tensor<*xf32>) {}", "unknown rank"},
        BadCase{"func.func @f(%a: tensor<?xf32, #stablehlo.bounds<1, 2>>)",
                "expected 1 bounds, got 2"},
        BadCase{"func.func @f(%a: !t) {}", "type alias !t is not defined"},
        BadCase{"func.func @f() attributes {a = #m}",
                "attribute alias #m is not defined"},
        BadCase{"func.func @f(i32) { return }",
                "arguments of a function with a body need names"},
        BadCase{"func.func @f(%a: tensor<f32>) {\n"
                "  %0 = stablehlo.add %a, %a : tensor<f64>\n}",
                "operand 0 of stablehlo.add is tensor<f32>, not tensor<f64>"},
        BadCase{"func.func @f(%a: tensor<f32>) {\n  %0 = \"foo.bar\"(%a) : "
                "() -> tensor<f32>\n}",
                "foo.bar has 1 operands, but types of 0"},
        BadCase{"%0:2 = stablehlo.constant dense<1> : tensor<i32>",
                "has 1 results, but 2 are named"},
        BadCase{"%0 = stablehlo.constant dense<1> : tensor<i32>\n"
                "\"a.b\"(%0#1) : (tensor<i32>) -> ()",
                "%0 has 1 results, none of number 1"},
        BadCase{"stablehlo.constant dense<[1, 2]> : tensor<3xi32>",
                "do not have the shape of tensor<3xi32>"},
        BadCase{"stablehlo.constant dense<[[1]]> : tensor<1xi32>",
                "do not have the shape"},
        BadCase{"stablehlo.constant dense<300> : tensor<i8>",
                "column 26: expected an integer that the type can hold, got "
                "'300'"},
        BadCase{"stablehlo.constant dense<1> : tensor<f32>",
                "expected a float such as 1.0, got '1'"},
        BadCase{"stablehlo.constant dense<x> : tensor<i1>",
                "expected true or false, got 'x'"},
        BadCase{"stablehlo.constant dense<\"0x123\"> : tensor<i8>",
                "expected bytes as \"0x...\""},
        BadCase{"stablehlo.constant dense<\"0x0102\"> : tensor<3xi8>",
                "has 2 bytes, expected 3 elements of 1"},
        BadCase{"stablehlo.constant dense<1> : tensor<?xi8>",
                "expected a tensor of static shape"},
        BadCase{"stablehlo.constant dense<1", "never closed"},
        BadCase{"stablehlo.constant dense_resource<a> : tensor<2xf32>",
                "dense_resource<> attributes are not supported"},
        BadCase{"\"a.b\"() {x = \"open} : () -> ()",
                "got a string that is not closed"},
        BadCase{"\"a.b\"() {x = \"\\q\"} : () -> ()", "unknown escape"},
        BadCase{"\"a.b\"() {x = 1, x = 2} : () -> ()",
                "has the attribute 'x' twice"},
        BadCase{"\"a.b\"() {x = 256 : ui8} : () -> ()",
                "cannot hold the integer"},
        BadCase{"\"a.b\"() {x = #foo.bar<(]>} : () -> ()",
                "']' does not close the bracket before it"},
        BadCase{"\"a.b\"()[^bb0] : () -> ()", "successor blocks"},
        BadCase{"\"a.b\"() ({ ^bb0(%a: i32): }, {) : () -> ()",
                "expected an op's name, got ')'"},
        BadCase{"func.func @f(%a: tensor<f32>) {\n  %0 = stablehlo.compare LT, "
                "%a, %a : tensor<f32>, tensor<f32>\n}",
                "expected 1 types of stablehlo.compare, got 2"},
        BadCase{"func.func @f(%a: tensor<4xf32>) {\n  %0 = stablehlo.slice %a "
                "[0:4:] : (tensor<4xf32>) -> tensor<4xf32>\n}",
                "expected an integer, got ']'"},
        BadCase{"func.func @f(%a: tensor<f32>) {\n %0 = "
                "stablehlo.reduce_precision %a, format = e5 : tensor<f32>\n}",
                "expected a format such as e5m10, got 'e5'"},
        BadCase{"func.func @f(%a: tensor<1x1x1xf32>) {\n %0 = "
                "stablehlo.convolution(%a, %a) dim_numbers = [b, f, 1]x",
                "spatial dimensions are not numbered from 0"},
        BadCase{"func.func @f(%a: tensor<1x1x1xf32>) {\n %0 = "
                "stablehlo.convolution(%a, %a) dim_numbers = [b, b, 0]x",
                "each once, got 'b'"},
        BadCase{"func.func @f(%a: tensor<f32>) {\n %0 = stablehlo.while(%b = "
                "%a) : tensor<f32> do {}",
                "expected 'cond', got 'do'"},
        BadCase{"func.func @f(%a: !quant.uniform<i8>, %b: "
                "tensor<2x!quant.uniform<f8:f32, 1.0>>)",
                "expected an integer storage type, got 'f8'"},
        BadCase{"func.func @f(%b: tensor<2x!quant.uniform<i8:f32, -1.0>>)",
                "expected a positive scale"},
        BadCase{"a.b loc(#loc1)",
                "column 9: location alias #loc1 is not defined"},
        BadCase{"a.b loc(#loc1)\n#loc1 = 3",
                "location alias #loc1 is no location"},
        BadCase{"#loc1 = loc(\"x\"(#loc2))\n#loc2 = loc(unknown)",
                "attribute alias #loc2 is not defined"},
        BadCase{"#m = 3\na.b loc(\"x\"(#m))", "#m is no location"},
        BadCase{"a.b loc()", "expected a location"},
        BadCase{"a.b loc(\"f.py\":x)", "expected an integer, got 'x'"},
        BadCase{"a.b loc(\"f.py\":-1:2)", "less than 2^31"},
        BadCase{"a.b loc(\"f.py\":1:2147483648)", "less than 2^31"},
        BadCase{"a.b loc(\"f.py\":1:2 to 3)", "expected ':', got ')'"},
        BadCase{"a.b loc(callsite(\"a\" \"b\"))", "expected 'at', got '\"b\"'"},
        BadCase{"a.b loc(fused[])", "expected a location"},
        BadCase{"a.b loc(fused<3>(\"a\"))", "expected '[', got '('"},
        BadCase{"a.b loc(\"x\"", "expected ')', got the end of the text"},
        BadCase{"\x01", "expected an op's name"}));

// Returns the line of the only op in `text`, or what is wrong with it.
std::string LineOf(absl::string_view text) {
  const auto module = ReadText(text);
  if (!module.ok()) return std::string(module.status().message());
  const LocationAttr* location = (*module)->root->Body()->ops[0]->loc;
  if (location == nullptr) return "unknown";
  const LocationAttr* line = location->InnermostLine();
  if (line == nullptr) return absl::StrCat("no line in ", location->text);
  return absl::StrCat(line->text, ":", line->line, ":", line->column, " to ",
                      line->end_line, ":", line->end_column);
}

TEST(Locations, HaveLines) {
  EXPECT_EQ(LineOf("a.b"), "unknown");
  EXPECT_EQ(LineOf("a.b loc(unknown)"), "unknown");
  EXPECT_EQ(LineOf("a.b loc(#llvm.di_file<\"x\">)"), "unknown");
  EXPECT_EQ(LineOf("a.b loc(\"add\")"), "no line in add");
  EXPECT_EQ(LineOf("a.b loc(\"a \\22.py\":3)"), "a \".py:3:0 to 3:0");
  EXPECT_EQ(LineOf("a.b loc(\"f.py\":3:4)"), "f.py:3:4 to 3:4");
  EXPECT_EQ(LineOf("a.b loc(\"f.py\":3:4 to :9)"), "f.py:3:4 to 3:9");
  EXPECT_EQ(LineOf("a.b loc(\"f.py\":3:4 to 5:6)"), "f.py:3:4 to 5:6");
  EXPECT_EQ(LineOf("a.b loc(callsite(\"f.py\":1:2 at \"f.py\":3:4))"),
            "f.py:1:2 to 1:2");
  EXPECT_EQ(LineOf("a.b loc(fused<{x = 1}>[\"n\", unknown, \"f.py\":3:4])"),
            "f.py:3:4 to 3:4");
  // Aliases of whole locations may be defined later.
  EXPECT_EQ(LineOf("#loc1 = loc(\"f.py\":3:4)\na.b loc(#loc2)\n"
                   "#loc2 = loc(\"n\"(#loc1))"),
            "f.py:3:4 to 3:4");
}

TEST(Locations, BelongToArgumentsAndImpliedOps) {
  const auto module = ReadText(
      "func.func @f(%a: tensor<4xf32> loc(\"x\"), %b: tensor<f32>) {\n"
      "  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across "
      "dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> "
      "loc(#loc)\n  return loc(\"r\")\n}\n#loc = loc(\"sum\")");
  ASSERT_TRUE(module.ok()) << module.status();
  const Block& body = *(*module)->root->Body()->ops[0]->Body();
  ASSERT_EQ(body.argument_locations.size(), 2);
  EXPECT_EQ(body.argument_locations[0]->text, "x");
  EXPECT_EQ(body.argument_locations[1], nullptr);
  EXPECT_EQ(body.ops[0]->loc->text, "sum");
  EXPECT_EQ(body.ops[0]->Body()->ops[0]->loc->text, "sum");
  EXPECT_EQ(body.ops[1]->loc->text, "r");
}

TEST(Reader, LimitsDepth) {
  const int depth = 100000;
  std::string types = "func.func @f(%a: ";
  for (int i = 0; i < depth; ++i) types += "tuple<";
  EXPECT_THAT(std::string(ReadText(types).status().message()),
              HasSubstr("nested deeper than"));
  std::string regions;
  for (int i = 0; i < depth; ++i) regions += "\"a.b\"() ({ ";
  EXPECT_THAT(std::string(ReadText(regions).status().message()),
              HasSubstr("nested deeper than"));
  std::string lists = "\"a.b\"() {x = ";
  for (int i = 0; i < depth; ++i) lists += "[";
  EXPECT_THAT(std::string(ReadText(lists).status().message()),
              HasSubstr("nested deeper than"));
  std::string locations = "a.b loc(";
  for (int i = 0; i < depth; ++i) locations += "\"x\"(";
  EXPECT_THAT(std::string(ReadText(locations).status().message()),
              HasSubstr("nested deeper than"));
}

// Aliases of locations are read once, whatever they stand for.
TEST(Reader, LocationsNestThroughAliases) {
  std::string text = "#loc0 = loc(\"f.py\":3:4)\n";
  for (int i = 1; i < 20000; ++i) {
    absl::StrAppend(&text, "#loc", i, " = loc(callsite(#loc", i - 1, " at #loc",
                    i - 1, "))\n");
  }
  EXPECT_EQ(LineOf(absl::StrCat(text, "a.b loc(#loc19999)")),
            "f.py:3:4 to 3:4");
}

TEST(Reader, AliasesCannotGrowWithoutBound) {
  std::string text = "!t0 = tensor<f32>\n";
  for (int i = 1; i < 60; ++i) {
    absl::StrAppend(&text, "!t", i, " = tuple<!t", i - 1, ", !t", i - 1, ">\n");
  }
  EXPECT_THAT(std::string(ReadText(text).status().message()),
              HasSubstr("is too large"));
}

TEST(Reader, CorpusReads) {
  for (const char* name : {"digits_predict", "digits_train_step",
                           "text_generate", "text_train_step"}) {
    const std::string text =
        ReadSourceFile(absl::StrCat("tests/corpus/", name, ".mlir"));
    EXPECT_TRUE(ReadText(text).ok()) << name;
  }
}

}  // namespace
}  // namespace xla::stablehlo
