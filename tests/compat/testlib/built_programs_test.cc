// Runs what XlaBuilder builds with the fixture of xla/tests, as XLA's tests of
// the client library do.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "xla/array2d.h"
#include "xla/array3d.h"
#include "xla/array4d.h"
#include "xla/error_spec.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/layout_util.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/tests/client_library_test_runner_mixin.h"
#include "xla/tests/client_library_test_runner_utils.h"
#include "xla/tests/hlo_pjrt_interpreter_reference_mixin.h"
#include "xla/tests/hlo_pjrt_test_base.h"
#include "xla/tests/hlo_runner.h"
#include "xla/tsl/lib/core/bitmap.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/xla_data.pb.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

constexpr ErrorSpec kError{1e-5, 1e-5};

class BuiltProgramsTest
    : public ClientLibraryTestRunnerMixin<
          HloPjRtInterpreterReferenceMixin<HloPjRtTestBase>> {
 protected:
  void SetUp() override { current_ = this; }
  static BuiltProgramsTest* current_;
};
BuiltProgramsTest* BuiltProgramsTest::current_ = nullptr;

TEST_F(BuiltProgramsTest, ComparesByRank) {
  XlaBuilder zero("r0");
  Add(ConstantR0<int32_t>(&zero, 2), ConstantR0<int32_t>(&zero, 3));
  ComputeAndCompareR0<int32_t>(&zero, 5, {});
  XlaBuilder one("r1");
  Exp(ConstantR1<float>(&one, {0, 1}));
  ComputeAndCompareR1<float>(&one, {1, 2.7182818f}, {}, kError);
  XlaBuilder flags("flags");
  Gt(ConstantR1<float>(&flags, {0, 2}), ConstantR1<float>(&flags, {1, 1}));
  tsl::core::Bitmap expected(2);
  expected.set(1);
  ComputeAndCompareR1(&flags, expected, {});
  XlaBuilder two("r2");
  Transpose(ConstantR2<int32_t>(&two, {{1, 2}, {3, 4}}), {1, 0});
  ComputeAndCompareR2<int32_t>(&two, {{1, 3}, {2, 4}}, {});
  XlaBuilder three("r3");
  const Array3D<float> cube({{{1, 2}, {3, 4}}});
  Neg(ConstantR3FromArray3D(&three, cube));
  ComputeAndCompareR3<float>(&three, Array3D<float>({{{-1, -2}, {-3, -4}}}),
                             {});
  XlaBuilder four("r4");
  const Array4D<float> ones(1, 2, 1, 2, 1.0f);
  const Array4D<float> twos(1, 2, 1, 2, 2.0f);
  const XlaOp x = ConstantR4FromArray4D(&four, ones);
  Add(x, x);
  ComputeAndCompareR4<float>(&four, twos, {}, kError);
}

TEST_F(BuiltProgramsTest, Parameters) {
  std::vector<Literal> arguments;
  const auto build = [&](XlaBuilder* builder) {
    XlaOp x, y, z;
    arguments.clear();
    arguments.push_back(CreateR0Parameter<float>(2, 0, "x", builder, &x));
    arguments.push_back(CreateR1Parameter<float>({1, 2}, 1, "y", builder, &y));
    arguments.push_back(
        CreateR2Parameter<float>({{1, 2}}, 2, "z", builder, &z));
    Tuple(builder, {Mul(x, y, /*broadcast_dimensions=*/{}), z});
    return LiteralUtil::MakePointers(arguments);
  };
  const Literal expected =
      LiteralUtil::MakeTupleOwned(LiteralUtil::CreateR1<float>({2, 4}),
                                  LiteralUtil::CreateR2<float>({{1, 2}}));
  XlaBuilder known("known");
  const std::vector<const Literal*> pointers = build(&known);
  ComputeAndCompareTuple(&known, expected, pointers, kError);
  XlaBuilder reference("reference");
  ComputeAndCompare(&reference, build(&reference), kError);
  XlaBuilder builder("builder");
  build(&builder);
  TF_ASSERT_OK_AND_ASSIGN(const XlaComputation program, builder.Build());
  TF_ASSERT_OK_AND_ASSIGN(
      const Literal result,
      ExecuteAndTransfer(program, LiteralUtil::MakePointers(arguments)));
  EXPECT_EQ(result, expected);
  XlaBuilder few("few");
  build(&few);
  EXPECT_THAT(ExecuteToString(&few, {&arguments[0]}),
              HasSubstr("3 parameters"));
}

TEST_F(BuiltProgramsTest, OtherFloats) {
  set_float_type(BF16);
  EXPECT_EQ(FloatType(), BF16);
  XlaBuilder builder("bf16");
  XlaOp x;
  const Literal argument = CreateParameterAndTransferLiteral(
      0, LiteralUtil::CreateR1<float>({1, 2.5}), "x", &builder, &x);
  EXPECT_EQ(argument.shape().element_type(), BF16);
  Add(x, x);
  ComputeAndCompareR1<float>(&builder, {2, 5}, {&argument}, ErrorSpec{0.01});
  XlaBuilder reduction("reduction");
  XlaOp y;
  const Literal values =
      CreateR1Parameter<float>({1, 3, 2}, 0, "y", &reduction, &y);
  Reduce(y, ConstantLiteral(&reduction, LiteralUtil::MinValue(BF16)),
         CreateScalarMax(), {0});
  ComputeAndCompareR0<float>(&reduction, 3, {&values});
}

TEST_F(BuiltProgramsTest, LayoutsAndText) {
  XlaBuilder builder("layout");
  Neg(ConstantR2<float>(&builder, {{1, 2, 3}, {4, 5, 6}}));
  const Shape columns =
      ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 3}, {0, 1});
  ComputeAndCompareLiteral(
      &builder, LiteralUtil::CreateR2<float>({{-1, -2, -3}, {-4, -5, -6}}), {},
      &columns);
  XlaBuilder again("again");
  ConstantR2<float>(&again, {{1, 2, 3}, {4, 5, 6}});
  TF_ASSERT_OK_AND_ASSIGN(const Literal result,
                          ExecuteAndTransfer(&again, {}, &columns));
  EXPECT_EQ(result.shape().layout(), columns.layout());
  XlaBuilder text("text");
  ConstantR1<uint8_t>(&text, {'h', 'i'});
  ComputeAndCompareR1U8(&text, "hi", {});
  XlaBuilder number("number");
  ConstantR0<int32_t>(&number, 7);
  EXPECT_EQ(ExecuteToString(&number, {}), "s32[] 7");
}

// Each of three replicas broadcasts what `make` makes of its number.
XlaComputation BroadcastOfReplicas(
    const std::function<std::vector<XlaOp>(XlaOp id)>& make) {
  XlaBuilder builder("broadcast");
  const XlaOp roots =
      Parameter(&builder, 0, ShapeUtil::MakeShape(S32, {2}), "roots");
  ReplicaGroup group;
  for (const int64_t id : {2, 0, 1}) group.add_replica_ids(id);
  std::vector<XlaOp> operands =
      make(ConvertElementType(ReplicaId(&builder), S32));
  operands.push_back(roots);
  CollectiveBroadcast(operands, {group}, /*channel_id=*/std::nullopt,
                      /*has_dynamic_root=*/true);
  return builder.Build().value();
}

TEST_F(BuiltProgramsTest, ARootIsChosenInTheRun) {
  mutable_execution_options()->set_num_replicas(3);
  const XlaComputation program = BroadcastOfReplicas([](XlaOp id) {
    const XlaOp digits = ConstantR1<int32_t>(id.builder(), {10, 20});
    return std::vector<XlaOp>{id, Add(digits, id, {})};
  });
  const Literal roots = LiteralUtil::CreateR1<int32_t>({1, 0});
  const Literal expected =
      LiteralUtil::MakeTupleOwned(LiteralUtil::CreateR0<int32_t>(0),
                                  LiteralUtil::CreateR1<int32_t>({12, 22}));
  TF_ASSERT_OK_AND_ASSIGN(const Literal result,
                          ExecuteAndTransfer(program, {&roots}));
  EXPECT_EQ(result, expected);
  HloRunner evaluator("evaluator");
  TF_ASSERT_OK_AND_ASSIGN(auto module, BuildModule(program, {&roots}));
  TF_ASSERT_OK_AND_ASSIGN(const Literal evaluated,
                          RunModule(evaluator, std::move(module), {&roots}));
  EXPECT_EQ(evaluated, expected);
}

TEST_F(BuiltProgramsTest, ARootOfAChannelIsAPartition) {
  mutable_execution_options()->set_num_partitions(2);
  XlaBuilder builder("partitions");
  const XlaOp root =
      Parameter(&builder, 0, ShapeUtil::MakeShape(S32, {1}), "root");
  const XlaOp id = internal::XlaBuilderFriend::BuildPartitionId(
      &builder, ShapeUtil::MakeShape(U32, {}));
  ReplicaGroup group;
  group.add_replica_ids(0);
  group.add_replica_ids(1);
  ChannelHandle channel;
  channel.set_handle(1);
  channel.set_type(ChannelHandle::DEVICE_TO_DEVICE);
  CollectiveBroadcast({id, root}, {group}, channel, /*has_dynamic_root=*/true);
  const Literal second = LiteralUtil::CreateR1<int32_t>({1});
  ComputeAndCompareR0<uint32_t>(&builder, 1, {&second});
}

TEST_F(BuiltProgramsTest, SeesDifferences) {
  EXPECT_NONFATAL_FAILURE(
      {
        XlaBuilder builder("wrong");
        ConstantR1<int32_t>(&builder, {1, 2});
        current_->ComputeAndCompareR1<int32_t>(&builder, {1, 3}, {});
      },
      "s32[2]");
}

TEST_F(BuiltProgramsTest, SeedsAndOptions) {
  SetSeed(42);
  SetFastMathDisabled(true);
  EXPECT_FALSE(mutable_debug_options()->xla_cpu_enable_fast_math());
  XlaBuilder builder("random");
  RngUniform(ConstantR0<float>(&builder, 0), ConstantR0<float>(&builder, 1),
             ShapeUtil::MakeShape(F32, {4}));
  TF_ASSERT_OK_AND_ASSIGN(const XlaComputation program, builder.Build());
  TF_ASSERT_OK_AND_ASSIGN(const Literal first, ExecuteAndTransfer(program, {}));
  TF_ASSERT_OK_AND_ASSIGN(const Literal second,
                          ExecuteAndTransfer(program, {}));
  EXPECT_EQ(first, second);
}

TEST(PatternsOfArraysTest, AreWhatTheySay) {
  EXPECT_EQ((*CreatePatternedMatrix(2, 3, 0.5f))(1, 2), 1002.5f);
  const auto padded = CreatePatternedMatrixWithZeroPadding(1, 2, 2, 3);
  EXPECT_EQ((*padded)(0, 1), 1.0f);
  EXPECT_EQ((*padded)(1, 1), 0.0f);
  EXPECT_EQ(CreatePseudorandomR1<float>(3, 0, 1, /*seed=*/1),
            CreatePseudorandomR1<float>(3, 0, 1, /*seed=*/1));
}

}  // namespace
}  // namespace xla
