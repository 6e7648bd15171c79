// Compares messages with the helpers of xla/tsl/util/proto and
// xla/protobuf_util.h, written as for XLA.
#include <limits>
#include <memory>
#include <string>
#include <unordered_set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/protobuf_util.h"
#include "xla/tsl/platform/logging.h"
#include "xla/tsl/util/proto/parse_text_proto.h"
#include "xla/tsl/util/proto/proto_matchers.h"
#include "xla/tsl/util/safe_reinterpret_cast.h"
#include "xla/xla_data.pb.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::tsl::proto_testing::EqualsProto;
using ::tsl::proto_testing::EquivToProto;
using ::tsl::proto_testing::IgnoringRepeatedFieldOrdering;
using ::tsl::proto_testing::ParseTextProtoOrDie;
using ::tsl::proto_testing::Partially;
using ::tsl::proto_testing::TreatingNaNsAsEqual;

TEST(MessagesTest, AreCompared) {
  const ShapeProto shape = ParseTextProtoOrDie(R"pb(element_type: F32
                                                    dimensions: 2
                                                    dimensions: 3)pb");
  EXPECT_EQ(shape.dimensions_size(), 2);
  const auto same =
      ParseTextProtoOrDie<ShapeProto>(R"pb(element_type: F32
                                           dimensions: [ 2, 3 ])pb");
  EXPECT_THAT(shape, EqualsProto(same));
  EXPECT_THAT(shape, EquivToProto(same));
  EXPECT_THAT(shape, EqualsProto(R"pb(element_type: F32
                                      dimensions: 2
                                      dimensions: 3)pb"));
  EXPECT_THAT(shape, Not(EqualsProto(R"pb(element_type: F32)pb")));
  EXPECT_THAT(shape, Partially(EqualsProto(R"pb(element_type: F32)pb")));
  EXPECT_THAT(shape, Not(Partially(EqualsProto(R"pb(element_type: S32)pb"))));
  EXPECT_THAT(shape, Partially(IgnoringRepeatedFieldOrdering(
                         EquivToProto(R"pb(dimensions: [ 3, 2 ])pb"))));
  EXPECT_THAT(shape, Not(EqualsProto("no text of a shape")));

  ::testing::StringMatchResultListener listener;
  EXPECT_FALSE(::testing::ExplainMatchResult(
      EqualsProto(R"pb(element_type: S32 dimensions: 2 dimensions: 3)pb"),
      shape, &listener));
  EXPECT_THAT(listener.str(), HasSubstr("element_type"));
  EXPECT_THAT(
      ::testing::DescribeMatcher<ShapeProto>(Partially(EqualsProto(same))),
      HasSubstr("equals (ignoring extra fields)"));

  LiteralProto nan;
  nan.add_f32s(std::numeric_limits<float>::quiet_NaN());
  EXPECT_THAT(nan, Not(EqualsProto(nan)));
  EXPECT_THAT(nan, TreatingNaNsAsEqual(EqualsProto(nan)));
}

TEST(MessagesTest, AreKeys) {
  ShapeProto a;
  a.set_element_type(F32);
  ShapeProto b = a;
  EXPECT_TRUE(protobuf_util::HaveSameSerialization(a, b));
  EXPECT_EQ(protobuf_util::ProtobufHashBySerialization(a),
            protobuf_util::ProtobufHashBySerialization(b));
  b.add_dimensions(0);
  EXPECT_FALSE(protobuf_util::HaveSameSerialization(a, b));
  std::unordered_set<ShapeProto,
                     protobuf_util::ProtobufHashBySerializationFunctor,
                     protobuf_util::HaveSameSerializationFunctor>
      shapes;
  shapes.insert(a);
  shapes.insert(a);
  shapes.insert(b);
  EXPECT_EQ(shapes.size(), 2);

  EXPECT_FALSE(protobuf_util::ProtobufEquals(a, b));
  EXPECT_EQ(protobuf_util::ProtobufHash(a),
            protobuf_util::ProtobufHashBySerialization(a));
  std::unordered_set<ShapeProto, protobuf_util::ProtobufHashWrapper,
                     protobuf_util::ProtobufEqualsWrapper>
      same(shapes.begin(), shapes.end());
  EXPECT_EQ(same.size(), 2);
}

TEST(CheckNotNullTest, ReturnsThePointer) {
  int value = 3;
  EXPECT_EQ(*CHECK_NOTNULL(&value), 3);
  auto owned = std::make_unique<std::string>("a");
  const std::unique_ptr<std::string> moved = CHECK_NOTNULL(std::move(owned));
  EXPECT_EQ(*moved, "a");
  int* none = nullptr;
  EXPECT_DEATH(CHECK_NOTNULL(none), "'none' Must be non NULL");
}

template <typename To, typename From>
constexpr bool Casts =
    requires(From from) { tsl::safe_reinterpret_cast<To>(from); };

TEST(SafeReinterpretCastTest, OnlyWhatHasAMeaning) {
  const int32_t value = 0x01010101;
  EXPECT_EQ(*tsl::safe_reinterpret_cast<const char*>(&value), 1);
  const auto address = tsl::safe_reinterpret_cast<std::uintptr_t>(&value);
  EXPECT_EQ(tsl::safe_reinterpret_cast<const int32_t*>(address), &value);
  static_assert(Casts<float*, char*> && Casts<std::byte*, float*>);
  static_assert(!Casts<float*, int32_t*> && !Casts<int16_t, float*>);
}

}  // namespace
}  // namespace xla
