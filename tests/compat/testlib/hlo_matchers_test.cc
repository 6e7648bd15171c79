// Matches instructions with xla/hlo/utils/hlo_matchers.h, written as for XLA.
#include "xla/hlo/utils/hlo_matchers.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/xla_data.pb.h"

namespace xla {
namespace {

namespace op = xla::testing::opcode_matchers;
using ::testing::_;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class HloMatchersTest : public HloHardwareIndependentTestBase {
 protected:
  const HloInstruction* Root(absl::string_view text) {
    auto module = ParseAndReturnVerifiedModule(text);
    EXPECT_TRUE(module.ok()) << module.status();
    if (!module.ok()) return nullptr;
    module_ = *std::move(module);
    return module_->entry_computation()->root_instruction();
  }
  const HloInstruction* Find(absl::string_view name) {
    return FindInstruction(module_.get(), name);
  }
  static std::string Explain(
      const ::testing::Matcher<const HloInstruction*>& matcher,
      const HloInstruction* instruction) {
    ::testing::StringMatchResultListener listener;
    EXPECT_FALSE(matcher.MatchAndExplain(instruction, &listener));
    return listener.str();
  }

  std::unique_ptr<HloModule> module_;
};

TEST_F(HloMatchersTest, OpcodesAndOperands) {
  const HloInstruction* root = Root(R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  two = f32[2] constant({2, 3})
  s = f32[2] add(x, y)
  c = pred[2] compare(s, two), direction=LT
  ROOT r = f32[2] select(c, s, two)
})");
  EXPECT_THAT(root, op::Select());
  EXPECT_THAT(root, op::Select(op::Compare(), op::Add(), op::Constant()));
  EXPECT_THAT(root, op::Select(op::Lt(op::Add(op::Parameter(0), _), _),
                               op::Add(_, op::Parameter(1)), _));
  EXPECT_THAT(root, Not(op::Select(op::Gt(), _, _)));
  EXPECT_THAT(root, Not(op::Select(_, op::Add(op::Parameter(1), _), _)));
  EXPECT_THAT(root, Not(op::Add()));
  EXPECT_THAT(root->operand(2),
              op::Constant(LiteralUtil::CreateR1<float>({2, 3})));
  EXPECT_THAT(root->operand(2),
              Not(op::Constant(LiteralUtil::CreateR1<float>({2, 4}))));
  EXPECT_THAT(root->operands(),
              ElementsAre(op::Compare(), op::Add(), op::Constant()));
  EXPECT_THAT(Find("x"), op::UsedBy(op::Add()));
  EXPECT_THAT(Find("x"), Not(op::UsedBy(op::Select())));
  const HloInstruction* none = nullptr;
  EXPECT_THAT(none, Not(op::Add()));

  EXPECT_THAT(Explain(op::Select(op::Add()), root),
              HasSubstr("has too many operands (got 3, want 1)"));
  EXPECT_THAT(Explain(op::Select(_, op::Add(op::Parameter(1), _), _), root),
              HasSubstr("operand 1:"));
  EXPECT_THAT(Explain(op::Parameter(4), Find("x")), HasSubstr("got 0, want 4"));
  EXPECT_THAT(::testing::DescribeMatcher<const HloInstruction*>(
                  op::Add(op::Parameter(), op::Dot())),
              "add(parameter, dot)");
  EXPECT_THAT(::testing::PrintToString(Find("s")), StartsWith("%s = f32[2]"));
}

TEST_F(HloMatchersTest, TuplesCallsAndDots) {
  Root(R"(
HloModule m
ENTRY main {
  x = f32[2,3] parameter(0)
  y = f32[3,2] parameter(1)
  i = s32[] constant(0)
  d = f32[2,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = (f32[2,2], f32[2,3]) custom-call(d, x), custom_call_target="my.target"
  e = f32[2,3] get-tuple-element(c), index=1
  ROOT s = f32[1,3] dynamic-slice(e, i, i), dynamic_slice_sizes={1,3}
})");
  EXPECT_THAT(Find("d"), op::Dot());
  EXPECT_THAT(Find("d"), op::Dot(op::Parameter(0), op::Parameter(1)));
  EXPECT_THAT(Find("d"), op::Dot(op::Parameter(0), op::Parameter(1), 1, 0));
  EXPECT_THAT(Find("d"),
              Not(op::Dot(op::Parameter(0), op::Parameter(1), 0, 0)));
  EXPECT_THAT(Find("c"), op::CustomCall());
  EXPECT_THAT(Find("c"), op::CustomCall(op::Dot(), op::Parameter(0)));
  EXPECT_THAT(Find("c"), op::CustomCall("my.target", op::Dot(), _));
  EXPECT_THAT(Find("c"), op::CustomCall(StartsWith("my.")));
  EXPECT_THAT(Find("c"), Not(op::CustomCall("other")));
  EXPECT_THAT(Explain(op::CustomCall("other"), Find("c")),
              HasSubstr("call target"));
  EXPECT_THAT(Find("e"), op::GetTupleElement());
  EXPECT_THAT(Find("e"), op::GetTupleElement(op::CustomCall()));
  EXPECT_THAT(Find("e"), op::GetTupleElement(op::CustomCall(), 1));
  EXPECT_THAT(Find("e"), Not(op::GetTupleElement(op::CustomCall(), 0)));
  const std::vector<::testing::Matcher<const HloInstruction*>> operands = {
      op::GetTupleElement(), op::Constant(), op::Constant()};
  EXPECT_THAT(Find("s"), op::DynamicSlice(operands));
  std::vector<std::unique_ptr<HloInstruction>> made;
  made.push_back(HloInstruction::CreateConstant(LiteralUtil::CreateR0(1)));
  EXPECT_THAT(xla::testing::Pointers(made), ElementsAre(op::Constant()));
}

TEST_F(HloMatchersTest, ShapesShardingsAndAttributes) {
  const HloInstruction* root = Root(R"(
HloModule m
ENTRY main {
  x = f32[2,4]{0,1} parameter(0), sharding={devices=[2,1]<=[2]}
  ROOT n = f32[2,4]{0,1} negate(x), frontend_attributes={key="value"}, metadata={op_type="neg" op_name="model/neg" source_file="a.py" source_line=3}
})");
  EXPECT_THAT(root, AllOf(op::Negate(), op::Shape("f32[2,4]")));
  EXPECT_THAT(root, op::Shape(ShapeUtil::MakeShape(F32, {2, 4})));
  EXPECT_THAT(root, Not(op::Shape("f32[4,2]")));
  EXPECT_THAT(root, op::ShapeWithLayout("f32[2,4]{0,1}"));
  EXPECT_THAT(root, Not(op::ShapeWithLayout("f32[2,4]{1,0}")));
  EXPECT_THAT(root, Not(op::ShapeWithLayout("f32[2,4]{0,1:S(5)}")));
  EXPECT_THAT(root, op::ShapeWithLayout("f32[2,4]{0,1:S(5)}", true));
  EXPECT_THAT(root->operand(0), op::Sharding("{devices=[2,1]<=[2]}"));
  EXPECT_THAT(root->operand(0), Not(op::Sharding("{replicated}")));
  EXPECT_THAT(root->operand(0), Not(op::NoSharding()));
  EXPECT_THAT(root, op::NoSharding());
  EXPECT_THAT(Explain(op::Sharding("{replicated}"), root),
              HasSubstr("has no sharding (expected: {replicated})"));
  EXPECT_THAT(root, op::FrontendAttribute("key", "value"));
  EXPECT_THAT(root, Not(op::FrontendAttribute("key", "other")));
  EXPECT_THAT(root, Not(op::FrontendAttribute("other", "value")));
  OpMetadata metadata;
  metadata.set_op_type("neg");
  metadata.set_op_name("model/neg");
  metadata.set_source_file("a.py");
  metadata.set_source_line(3);
  EXPECT_THAT(root, op::Metadata(metadata));
  metadata.set_source_line(4);
  EXPECT_THAT(root, Not(op::Metadata(metadata)));
}

TEST_F(HloMatchersTest, CollectivesAndCopies) {
  Root(R"(
HloModule m, num_partitions=4
ENTRY main {
  x = f32[4] parameter(0)
  g = f32[8] all-gather(x), dimensions={0}, replica_groups={{0,1},{2,3}}, channel_id=1, use_global_device_ids=true
  p = f32[8] collective-permute(g), source_target_pairs={{0,1},{1,0}}, channel_id=2
  s = (f32[8]{0:S(5)}, f32[8], u32[]) copy-start(p)
  ROOT d = f32[8]{0:S(5)} copy-done(s)
})");
  EXPECT_THAT(Find("g"), op::ReplicaGroups({{0, 1}, {2, 3}}));
  EXPECT_THAT(Find("g"), Not(op::ReplicaGroups({{0, 2}, {1, 3}})));
  EXPECT_THAT(Explain(op::ReplicaGroups({{0}}), Find("x")),
              HasSubstr("not a collective op"));
  EXPECT_THAT(Find("p"), op::SourceTargetPairs({{0, 1}, {1, 0}}));
  EXPECT_THAT(Find("p"), Not(op::SourceTargetPairs({{0, 1}})));
  EXPECT_THAT(Find("g"), Not(op::SourceTargetPairs({{0, 1}})));
  EXPECT_THAT(Find("d"), op::AsyncCopy(5, 0, op::CollectivePermute()));
  EXPECT_THAT(Find("d"), Not(op::AsyncCopy(0, 5, op::CollectivePermute())));
  EXPECT_THAT(Find("d"), Not(op::AsyncCopy(5, 0, op::Parameter())));
}

}  // namespace
}  // namespace xla
