// .npy and .npz: every type, and invalid files.
#include "xla/core/literal/literal_io.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/parsed_shape.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/literal/npy/npy_header.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_text.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

TEST(NpyTest, EveryTypeRoundTrips) {
  for (int i = PrimitiveType_MIN; i <= PrimitiveType_MAX; ++i) {
    const PrimitiveType type = static_cast<PrimitiveType>(i);
    if (!PrimitiveType_IsValid(i) || !primitive_util::IsArrayType(type))
      continue;
    Literal literal = LiteralUtil::CreateR2<float>({{0.5f, 1, -1}, {2, 3, -7}})
                          .Convert(type)
                          ->Relayout(Layout({0, 1}));
    auto back = ReadNpy(WriteNpy(literal), &literal.shape());
    ASSERT_TRUE(back.ok()) << PrimitiveType_Name(type) << back.status();
    EXPECT_TRUE(back->Equal(literal, true)) << PrimitiveType_Name(type);
  }
}

TEST(NpyTest, OrderAndEndianness) {
  std::string file = MakeNpyHeader(">u2", {2, 2});
  file.replace(file.find("False"), 5, "True ");
  file += std::string("\0\1\0\2\0\3\0\4", 8);
  EXPECT_EQ(*ReadNpy(file), LiteralUtil::CreateR2<uint16_t>({{1, 3}, {2, 4}}));
}

TEST(NpyTest, BadFilesAreRefused) {
  auto message = [](absl::string_view bytes, const char* shape = nullptr) {
    Shape expected = S(shape != nullptr ? shape : "f32[]");
    auto literal = ReadNpy(bytes, shape != nullptr ? &expected : nullptr);
    return std::string(literal.status().message());
  };
  std::string good = WriteNpy(LiteralUtil::CreateR1<float>({1, 2}));
  ASSERT_TRUE(ReadNpy(good).ok());
  for (size_t n = 0; n < good.size(); ++n) {
    EXPECT_FALSE(ReadNpy(absl::string_view(good).substr(0, n)).ok()) << n;
  }
  EXPECT_THAT(message(good, "f32[3]"), HasSubstr("expected f32[3]"));
  EXPECT_THAT(message(good, "s32[2]"), HasSubstr("expected s32[2]"));
  EXPECT_THAT(message(MakeNpyHeader("|V1", {0})), HasSubstr("raw bytes"));
  EXPECT_THAT(message(MakeNpyHeader("<U3", {0})), HasSubstr("lack"));
  EXPECT_THAT(message(MakeNpyHeader("|O", {0})), HasSubstr("not read"));
  EXPECT_THAT(message(MakeNpyHeader("<f4", {int64_t{1} << 40, 1 << 30})),
              HasSubstr(""));
  EXPECT_FALSE(ReadNpy(MakeNpyHeader("<f4", {int64_t{1} << 40, 1 << 30})).ok());
  EXPECT_THAT(message(MakeNpyHeader("<f4", {1 << 20})), HasSubstr("cut off"));
  EXPECT_THAT(message(MakeNpyHeader("|i1", {1}) + "\x09", "s4[1]"),
              HasSubstr("out of range for s4"));
}

TEST(NpzTest, RoundTripsAndIsReproducible) {
  std::vector<NamedLiteral> arrays;
  arrays.emplace_back("arg0", LiteralUtil::CreateR1<float>({1, 2}));
  arrays.emplace_back("arg1", LiteralUtil::CreateR0<bfloat16>(bfloat16(3.0f)));
  arrays.emplace_back("arg2", LiteralUtil::CreateR1<s4>({s4(-3), s4(7)}));
  std::string bytes = WriteNpz(arrays).value();
  EXPECT_EQ(bytes, WriteNpz(arrays).value());
  const Shape small = S("s4[2]");
  auto back = ReadNpz(bytes, [&](absl::string_view name) {
    return name == "arg2" ? &small : nullptr;
  });
  ASSERT_TRUE(back.ok()) << back.status();
  ASSERT_EQ(back->size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*back)[i].first, arrays[i].first);
    EXPECT_EQ((*back)[i].second, arrays[i].second);
  }
  arrays.emplace_back("arg0", Literal(S("f32[]")));
  EXPECT_FALSE(WriteNpz(arrays).ok());
}

TEST(NpzTest, BadArchivesAreRefused) {
  std::vector<NamedLiteral> arrays;
  EXPECT_TRUE(ReadNpz(WriteNpz(arrays).value())->empty());
  EXPECT_FALSE(ReadNpz("").ok());
  EXPECT_FALSE(ReadNpz("not an archive").ok());
  arrays.emplace_back("x", LiteralUtil::CreateR1<float>({1, 2}));
  std::string bytes = WriteNpz(arrays).value();
  for (size_t n = 0; n < bytes.size(); ++n) {
    ReadNpz(absl::string_view(bytes).substr(0, n)).status().IgnoreError();
    std::string broken = bytes;
    broken[n] ^= 0x55;
    ReadNpz(broken).status().IgnoreError();  // either way, it must not crash
  }
}

}  // namespace
}  // namespace xla
