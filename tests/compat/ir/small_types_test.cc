// PtrVec, BackendConfigWrapper and DynamicParameterBinding, as programs written
// for XLA use them.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/backend_config.h"
#include "xla/hlo/ir/dynamic_parameter_binding.h"
#include "xla/hlo/ir/ptrvec.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/xla_data.pb.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PtrVecTest, GrowsAndShrinks) {
  int numbers[5] = {};
  PtrVec<int*> vec;
  EXPECT_TRUE(vec.empty());
  EXPECT_EQ(vec.capacity(), 1u);
  for (int& number : numbers) vec.push_back(&number);
  EXPECT_EQ(vec.size(), 5u);
  EXPECT_GE(vec.capacity(), 5u);
  EXPECT_EQ(vec.front(), &numbers[0]);
  EXPECT_EQ(vec.back(), &numbers[4]);
  vec.erase(vec.begin() + 1);
  vec.pop_back();
  EXPECT_THAT(vec, ElementsAre(&numbers[0], &numbers[2], &numbers[3]));
  EXPECT_EQ(*vec.rbegin(), &numbers[3]);
  vec.resize(4);
  EXPECT_EQ(vec.at(3), nullptr);
  vec.resize(1);
  vec.resize(3, &numbers[4]);
  EXPECT_THAT(vec, ElementsAre(&numbers[0], &numbers[4], &numbers[4]));
  vec[1] = &numbers[1];
  EXPECT_EQ(vec.data()[1], &numbers[1]);
  vec.clear();
  EXPECT_TRUE(vec.empty());
}

TEST(PtrVecTest, CopiesAndMoves) {
  int a = 0, b = 0;
  PtrVec<int*> vec = {&a, &b};
  PtrVec<int*> copy = vec;
  EXPECT_EQ(copy, vec);
  PtrVec<int*> moved = std::move(vec);
  EXPECT_TRUE(vec.empty());
  EXPECT_EQ(moved, copy);
  PtrVec<int*> one = {&a};
  PtrVec<int*> other;
  other = std::move(one);
  EXPECT_TRUE(one.empty());
  EXPECT_THAT(other, ElementsAre(&a));
  EXPECT_NE(other, copy);
  other.assign(copy.begin(), copy.end());
  const std::vector<int*> plain = other;
  EXPECT_THAT(plain, ElementsAre(&a, &b));
  other.reserve(100);
  EXPECT_GE(other.capacity(), 100u);
}

OpMetadata Metadata(const std::string& name) {
  OpMetadata metadata;
  metadata.set_op_name(name);
  return metadata;
}

TEST(BackendConfigTest, MessagesAndText) {
  BackendConfigWrapper empty;
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(empty.GetRawString(), "");
  OpMetadata read;
  EXPECT_TRUE(empty.GetProto(&read).ok());

  BackendConfigWrapper from_proto(Metadata("x"));
  EXPECT_EQ(from_proto.GetRawString(), R"({"op_name":"x"})");
  BackendConfigWrapper from_text(std::string(R"({"op_name":"x"})"));
  EXPECT_TRUE(from_text.GetProto(&read).ok());
  EXPECT_EQ(read.op_name(), "x");
  EXPECT_EQ(from_proto, from_text);
  EXPECT_NE(from_proto, empty);
  EXPECT_EQ(BackendConfigToRawString(Metadata("x")).value(),
            from_text.GetRawString());
  EXPECT_EQ(CloneBackendConfigProto(nullptr), nullptr);

  FrontendAttributes other;
  EXPECT_EQ(from_proto.GetProto(&other).code(), absl::StatusCode::kInternal);
  EXPECT_EQ(BackendConfigWrapper(std::string("no json")).GetProto(&read).code(),
            absl::StatusCode::kInvalidArgument);

  BackendConfigWrapper copy(from_proto);
  BackendConfigWrapper moved;
  moved = std::move(copy);
  EXPECT_EQ(moved, from_proto);
  EXPECT_TRUE(copy.empty());
}

TEST(BackendConfigTest, FunctionsChangeMessages) {
  const auto rename = [](OpMetadata* metadata) {
    metadata->set_op_name(metadata->op_name() + "y");
    return absl::OkStatus();
  };
  BackendConfigWrapper config(std::string(R"({"op_name":"x"})"));
  EXPECT_TRUE(config.ApplyFnOnProto<OpMetadata>(rename).ok());
  EXPECT_EQ(config.GetRawString(), R"({"op_name":"xy"})");
  EXPECT_FALSE(BackendConfigWrapper().ApplyFnOnProto<OpMetadata>(rename).ok());
  BackendConfigWrapper wrong(std::string("no json"));
  EXPECT_FALSE(wrong.ApplyFnOnProto<OpMetadata>(rename).ok());
  EXPECT_EQ(wrong.GetRawString(), "no json");
}

class DynamicParameterBindingTest : public HloHardwareIndependentTestBase {};

TEST_F(DynamicParameterBindingTest, BindsAndVerifies) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  size = s32[] parameter(0)
  pair = (f32[], f32[10]) parameter(1)
  ROOT x = f32[10] get-tuple-element(pair), index=1
})")
                    .value();
  using Size = DynamicParameterBinding::DynamicSizeParameter;
  using Dimension = DynamicParameterBinding::DynamicDimension;
  const HloComputation& entry = *module->entry_computation();
  DynamicParameterBinding binding;
  EXPECT_TRUE(binding.empty());
  ASSERT_TRUE(binding.Bind(Size{0, {}}, Dimension{1, {1}, 0}).ok());
  EXPECT_FALSE(binding.Bind(Size{0, {}}, Dimension{1, {1}, 0}).ok());
  EXPECT_TRUE(binding.Verify(entry).ok());
  const auto found = binding.GetBinding(Dimension{1, {1}, 0});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->parameter_num, 0);
  EXPECT_FALSE(binding.GetBinding(Dimension{1, {1}, 1}).has_value());
  int count = 0;
  EXPECT_TRUE(binding
                  .ForEachBinding([&](const Size&, const Dimension&) {
                    ++count;
                    return absl::OkStatus();
                  })
                  .ok());
  EXPECT_EQ(count, 1);
  EXPECT_THAT(binding.ToString(),
              HasSubstr("Input param number 1 at {1} has dim 0 as dynamic "
                        "dimension, which is represented by param number 0 at "
                        "{}"));
  for (const Dimension& wrong :
       {Dimension{2, {}, 0}, Dimension{1, {2}, 0}, Dimension{1, {1}, 1},
        Dimension{1, {1}, -1}, Dimension{1, {}, 0}}) {
    DynamicParameterBinding bad;
    ASSERT_TRUE(bad.Bind(Size{0, {}}, wrong).ok());
    EXPECT_FALSE(bad.Verify(entry).ok());
  }
}

}  // namespace
}  // namespace xla
