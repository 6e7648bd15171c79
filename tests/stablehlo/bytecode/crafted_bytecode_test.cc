// Artifacts that no writer produces: each violates one rule of the format.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/stablehlo/bytecode/bytecode_reader.h"
#include "xla/stablehlo/tree_text.h"

namespace xla::stablehlo {
namespace {

using ::testing::HasSubstr;

// Encodes a number below 2^14.
std::string Number(uint64_t value) {
  if (value < 128) return std::string(1, static_cast<char>(value << 1 | 1));
  const uint64_t bits = value << 2 | 2;
  return {static_cast<char>(bits & 0xff), static_cast<char>(bits >> 8)};
}

std::string Numbers(const std::vector<uint64_t>& values) {
  std::string bytes;
  for (uint64_t value : values) bytes += Number(value);
  return bytes;
}

std::string Section(int id, const std::string& content) {
  return static_cast<char>(id) + Number(content.size()) + content;
}

// The number of the first attribute of "builtin", the location of all ops.
constexpr uint64_t kLocation = 120;

// Bytecode of version 6 with one dialect, "vhlo", besides "builtin".
struct Crafted {
  std::vector<std::string> attributes;  // vhlo's, less than kLocation
  std::vector<std::string> locations = {Number(15)};  // loc(unknown)
  std::vector<std::string> types;
  std::vector<std::string> properties;
  std::string ops;  // of the module's body
  int op_count = 0;
  int value_count = 0;

  std::string Bytes() const;
};

constexpr const char* kStrings[] = {"builtin", "module",   "vhlo",
                                    "add_v1",  "case_v1",  "constant_v1",
                                    "call_v1", "return_v1"};
enum OpNumber { kModule, kAdd, kCase, kConstant, kCall, kReturn };

std::string Crafted::Bytes() const {
  std::string sizes, texts;
  for (const char* text : kStrings) {
    const std::string with_end = std::string(text) + '\0';
    sizes = Number(with_end.size()) + sizes;
    texts += with_end;
  }
  const std::string strings = Number(std::size(kStrings)) + sizes + texts;
  // Names with the flag that follows them in dialects and op names.
  const std::string dialects = Numbers({2, 0 << 1, 2 << 1, 6,  //
                                        0, 1, 1 << 1 | 1,      //
                                        1, 5, 3 << 1 | 1, 4 << 1 | 1,
                                        5 << 1 | 1, 6 << 1 | 1, 7 << 1 | 1});
  std::vector<std::string> filled = attributes;
  filled.resize(kLocation);
  std::string offsets = Numbers({kLocation + locations.size(), types.size()});
  std::string entries;
  for (const std::vector<std::string>* list :
       std::initializer_list<const std::vector<std::string>*>{
           &filled, &locations, &types}) {
    if (list->empty()) continue;
    offsets +=
        Numbers({list == &locations ? uint64_t{0} : uint64_t{1}, list->size()});
    for (const std::string& entry : *list) {
      offsets += Number(entry.size() << 1 | 1);
      entries += entry;
    }
  }
  std::string property_section = Number(properties.size() + 1) + Number(2) +
                                 Numbers({0, 0});  // the module's: no names
  for (const std::string& property : properties) {
    property_section += Number(property.size()) + property;
  }
  const std::string body = Numbers({1, static_cast<uint64_t>(value_count),
                                    static_cast<uint64_t>(op_count) << 1}) +
                           ops;
  const std::string ir = Number(1 << 1) + Number(kModule) + "\x50" +
                         Number(kLocation) + Number(0) + Number(1 << 1 | 1) +
                         Section(4, body);
  return absl::StrCat(
      "ML\xEFR", Number(6), absl::string_view("StableHLO_v1.17.0\0", 18),
      Section(0, strings), Section(1, dialects), Section(2, entries),
      Section(3, offsets), Section(4, ir), Section(8, property_section));
}

std::string ErrorOfCrafted(const Crafted& crafted) {
  auto module = ReadBytecode(crafted.Bytes());
  return module.ok() ? TreeToString(**module)
                     : std::string(module.status().message());
}

// f32, and a tensor of it.
const std::vector<std::string> kTypes = {Number(4), Numbers({20, 0, 0})};

std::string Op(OpNumber name, int mask, const std::string& rest) {
  return Number(name) + static_cast<char>(mask) + Number(kLocation) + rest;
}

TEST(CraftedBytecodeTest, TheFrameIsGood) {
  EXPECT_EQ(ErrorOfCrafted({}), "\"builtin.module\"() ({\n}) : () -> ()\n");
  Crafted call;
  call.attributes = {Numbers({14, 2})};  // a string
  call.properties = {Number(0)};
  call.op_count = 1;
  call.ops = Op(kCall, 0x40, Number(1));
  EXPECT_THAT(ErrorOfCrafted(call),
              HasSubstr("\"func.call\"() {callee = @vhlo}"));
}

TEST(CraftedBytecodeTest, ValuesMustBeDefinedBefore) {
  Crafted crafted;
  crafted.types = kTypes;
  crafted.op_count = 1;
  crafted.value_count = 1;
  crafted.ops = Op(kAdd, 0x06, Numbers({1, 1, 2, 0, 0}));
  EXPECT_THAT(ErrorOfCrafted(crafted),
              HasSubstr("(stablehlo.add): operand 0 is value 0, which is not "
                        "defined before"));
  crafted.ops = Op(kAdd, 0x06, Numbers({1, 1, 2, 99, 0}));
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("operand 0 is value 99"));
}

TEST(CraftedBytecodeTest, RegionsDoNotSeeResultsOfTheirOp) {
  Crafted crafted;
  crafted.types = kTypes;
  crafted.op_count = 1;
  crafted.value_count = 1;
  const std::string region =
      Numbers({1, 0, 1 << 1}) + Op(kReturn, 0x04, Numbers({1, 0}));
  crafted.ops = Op(kCase, 0x12, Numbers({1, 1, 1 << 1})) + region;
  EXPECT_THAT(ErrorOfCrafted(crafted),
              HasSubstr("value 0, which is not defined"));
}

TEST(CraftedBytecodeTest, CountsAreLimitedByTheBytes) {
  Crafted crafted;
  crafted.types = kTypes;
  crafted.op_count = 5000;
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("a block of 5000 ops"));
  crafted.op_count = 1;
  crafted.value_count = 5000;
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("value count of 5000"));
  crafted.value_count = 0;
  crafted.ops = Op(kAdd, 0x02, Numbers({5000}));
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("result count of 5000"));
  crafted.ops = Op(kAdd, 0x02, Numbers({1, 1}));
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("more than the 0 values"));
  crafted.ops = Op(kAdd, 0x04, Numbers({5000}));
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("operand count of 5000"));
}

TEST(CraftedBytecodeTest, NestingIsLimited) {
  Crafted crafted;
  crafted.op_count = 1;
  for (int i = 0; i < 1000; ++i) {
    crafted.ops += Op(kCase, 0x10, Numbers({1 << 1, 1, 0, 1 << 1}));
  }
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("nested more than 200 deep"));
}

TEST(CraftedBytecodeTest, PropertiesAreThoseOfTheOp) {
  Crafted crafted;
  crafted.attributes = {Numbers({14, 2})};
  crafted.op_count = 1;
  crafted.ops = Op(kConstant, 0x40, Number(1));
  crafted.properties = {""};
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("property value is missing"));
  crafted.properties = {Numbers({0, 0})};
  EXPECT_THAT(ErrorOfCrafted(crafted),
              HasSubstr("1 bytes of unknown properties"));
  crafted.properties = {};
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("properties 1 of 1"));
  crafted.ops = Op(kConstant, 0, "");
  EXPECT_THAT(ErrorOfCrafted(crafted), HasSubstr("property value is missing"));
}

std::string ErrorOfAttributes(const std::vector<std::string>& attributes,
                              const std::vector<std::string>& types = kTypes) {
  Crafted crafted;
  crafted.attributes = attributes;
  crafted.types = types;
  crafted.properties = {Number(0)};
  crafted.op_count = 1;
  crafted.ops = Op(kConstant, 0x40, Number(1));
  return ErrorOfCrafted(crafted);
}

TEST(CraftedBytecodeTest, AttributesAreTrees) {
  EXPECT_THAT(ErrorOfAttributes({Numbers({1, 1, 0})}),
              HasSubstr("attribute 0 contains itself"));
  EXPECT_THAT(ErrorOfAttributes({Numbers({1, 1, 700})}),
              HasSubstr("attribute 700 of 121 does not exist"));
  std::vector<std::string> chain;
  for (uint64_t i = 0; i < 100; ++i) chain.push_back(Numbers({1, 1, i + 1}));
  EXPECT_THAT(ErrorOfAttributes(chain), HasSubstr("more than 64 deep"));
}

// A walk over the tree would visit 2^60 attributes.
TEST(CraftedBytecodeTest, SharingIsLimited) {
  std::vector<std::string> pairs;
  for (uint64_t i = 0; i < 60; ++i)
    pairs.push_back(Numbers({1, 2, i + 1, i + 1}));
  pairs.push_back(Numbers({2, 0}));
  EXPECT_THAT(ErrorOfAttributes(pairs), HasSubstr("too many parts"));
  std::vector<std::string> tuples = {Number(4)};
  for (uint64_t i = 0; i < 60; ++i) tuples.push_back(Numbers({23, 2, i, i}));
  EXPECT_THAT(ErrorOfAttributes({Numbers({17, 60})}, tuples),
              HasSubstr("too many parts"));
}

TEST(CraftedBytecodeTest, ElementsFitTheirType) {
  const std::string dense = Numbers({15, 1});
  EXPECT_THAT(ErrorOfAttributes({dense + Number(4) + "abcd"}),
              HasSubstr("dense<0x61626364> : tensor<f32>"));
  EXPECT_THAT(ErrorOfAttributes({dense + Number(3) + "abc"}),
              HasSubstr("tensor<f32> has 3 bytes of elements"));
  EXPECT_THAT(ErrorOfAttributes({dense + Number(9) + "abc"}),
              HasSubstr("attribute 0 of dialect vhlo at byte "));
  // The type has two dimensions of 2^61.
  const std::string huge("\0\0\0\0\0\0\0\0\x40", 9);
  EXPECT_THAT(ErrorOfAttributes(
                  {dense + Number(4) + "abcd"},
                  {Number(4), Numbers({20, 2}) + huge + huge + Number(0)}),
              HasSubstr("too many elements"));
}

TEST(CraftedBytecodeTest, BooleansOfAByteEachAreZeroOrOne) {
  EXPECT_THAT(
      ErrorOfAttributes({Numbers({15, 1, 3}) + std::string("\xed\0\x02", 3)},
                        {Number(0), Numbers({20, 1, 6, 0})}),
      HasSubstr("[1, 0, 1]"));
}

TEST(CraftedBytecodeTest, NamesUnknownCodes) {
  EXPECT_THAT(ErrorOfAttributes({Number(99)}),
              HasSubstr("unknown vhlo attribute code 99"));
  EXPECT_THAT(ErrorOfAttributes({Numbers({17, 0})}, {Number(99)}),
              HasSubstr("unknown vhlo type code 99"));
  EXPECT_THAT(ErrorOfAttributes({Numbers({3, 6})}),
              HasSubstr("unknown number 6 of the enum with LT"));
}

// Returns the location of the module, attribute 120, as "name: line".
std::string LocationOf(const std::vector<std::string>& locations) {
  Crafted crafted;
  crafted.locations = locations;
  auto module = ReadBytecode(crafted.Bytes());
  if (!module.ok()) return std::string(module.status().message());
  const LocationAttr* location = (*module)->root->loc;
  if (location == nullptr) return "unknown";
  const LocationAttr* line = location->InnermostLine();
  return absl::StrCat(
      location->text, ": ", location->LineToString(),
      line == nullptr ? ""
                      : absl::StrCat(":", line->column, " to ", line->end_line,
                                     ":", line->end_column));
}

TEST(CraftedBytecodeTest, LocationsAreRead) {
  const std::string text = Numbers({2, 1});  // "module"
  const std::string line = Numbers({11, 1 + kLocation, 3, 4});
  EXPECT_EQ(LocationOf({Number(15)}), "unknown");
  EXPECT_EQ(LocationOf({Numbers({14, 121, 122}), text, line}),
            "module: module:3:4 to 3:4");
  // Ranges state as many numbers as they need.
  const auto range = [&](const std::vector<uint64_t>& numbers) {
    return LocationOf(
        {Numbers({22, 121, numbers.size()}) + Numbers(numbers), text});
  };
  EXPECT_EQ(range({}), "module: module:0:0 to 0:0");
  EXPECT_EQ(range({3}), "module: module:3:0 to 3:0");
  EXPECT_EQ(range({3, 4}), "module: module:3:4 to 3:4");
  EXPECT_EQ(range({3, 4, 9}), "module: module:3:4 to 3:9");
  EXPECT_EQ(range({3, 4, 5, 6}), "module: module:3:4 to 5:6");
  // The callee's line comes first; metadata of fused locations is not kept.
  EXPECT_EQ(LocationOf({Numbers({10, 122, 123}), text, Numbers({14, 121, 124}),
                        Numbers({11, 121, 9, 9}), line}),
            ": module:3:4 to 3:4");
  EXPECT_EQ(
      LocationOf({Numbers({13, 2, 122, 123, 121}), text, Number(15), line}),
      ": module:3:4 to 3:4");
}

TEST(CraftedBytecodeTest, LocationsNestAsDeepAsTheyLike) {
  std::vector<std::string> chain;
  for (uint64_t i = 1; i < 1000; ++i) {
    chain.push_back(Numbers({10, kLocation + i, kLocation + i}));
  }
  chain.push_back(Numbers({11, kLocation + 1000, 3, 4}));
  chain.push_back(Numbers({2, 1}));
  EXPECT_EQ(LocationOf(chain), ": module:3:4 to 3:4");
}

TEST(CraftedBytecodeTest, MalformedLocationsAreRefused) {
  const std::string text = Numbers({2, 1});
  EXPECT_THAT(LocationOf({}), HasSubstr("location 120 of 120 does not exist"));
  EXPECT_THAT(LocationOf({text}), HasSubstr("location 120 at byte "));
  EXPECT_THAT(LocationOf({Number(99)}), HasSubstr("is malformed"));
  EXPECT_THAT(LocationOf({Numbers({14, 121}), text}),
              HasSubstr("is malformed"));
  EXPECT_THAT(LocationOf({Numbers({14, 120, 121}), Number(15)}),
              HasSubstr("is malformed"));  // its name is no string
  EXPECT_THAT(LocationOf({Numbers({22, 121, 5, 1, 2, 3, 4, 5}), text}),
              HasSubstr("is malformed"));
  EXPECT_THAT(LocationOf({Numbers({12, 50})}), HasSubstr("is malformed"));
  EXPECT_THAT(LocationOf({Numbers({10, 121, 120}), Number(15)}),
              HasSubstr("location 120 contains itself"));
  EXPECT_THAT(LocationOf({Numbers({10, 700, 700})}),
              HasSubstr("location 700 of 121 does not exist"));
}

}  // namespace
}  // namespace xla::stablehlo
