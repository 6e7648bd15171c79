// Uses the fixtures that hold a client, as older tests of XLA's clients do.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "xla/array2d.h"
#include "xla/array4d.h"
#include "xla/client/global_data.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/tests/client_library_test_base.h"
#include "xla/tests/local_client_test_base.h"
#include "xla/tests/test_macros.h"
#include "xla/tsl/lib/core/bitmap.h"
#include "xla/tsl/lib/core/status_test_util.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/xla_data.pb.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

constexpr ErrorSpec kClose{1e-5, 1e-5};

class HeldValuesTest : public ClientLibraryTestBase {
 protected:
  void SetUp() override { current_ = this; }
  static HeldValuesTest* current_;
};
HeldValuesTest* HeldValuesTest::current_ = nullptr;

XLA_TEST_F(HeldValuesTest, ComparesByRank) {
  XlaBuilder zero(TestName());
  EXPECT_EQ(zero.name(), "ComparesByRank");
  Sub(ConstantR0<int32_t>(&zero, 2), ConstantR0<int32_t>(&zero, 3));
  ComputeAndCompareR0<int32_t>(&zero, -1, {});
  XlaBuilder one("one");
  Sqrt(ConstantR1<float>(&one, {4, 2}));
  ComputeAndCompareR1<float>(&one, {2, 1.4142135f}, {}, kClose);
  XlaBuilder flags("flags");
  Not(ConstantR1<bool>(&flags, {true, false}));
  tsl::core::Bitmap expected(2);
  expected.set(1);
  ComputeAndCompareR1(&flags, expected, {});
  XlaBuilder four("four");
  const Array4D<float> threes(2, 1, 1, 2, 3.0f);
  Neg(ConstantR4FromArray4D(&four, threes));
  ComputeAndCompareR4<float>(&four, Array4D<float>(2, 1, 1, 2, -3.0f), {},
                             kClose);
  XlaBuilder text("text");
  ConstantR1<uint8_t>(&text, {'o', 'k'});
  ComputeAndCompareR1U8(&text, "ok", {});
  EXPECT_NONFATAL_FAILURE(
      {
        XlaBuilder wrong("wrong");
        ConstantR0<int32_t>(&wrong, 4);
        current_->ComputeAndCompareR0<int32_t>(&wrong, 5, {});
      },
      "4");
}

XLA_TEST_F(HeldValuesTest, ParametersAreHeldByTheClient) {
  XlaBuilder builder("parameters");
  XlaOp x, y, z;
  const auto x_data = CreateR0Parameter<float>(2, 0, "x", &builder, &x);
  const auto y_data = CreateR2Parameter<float>(Array2D<float>{{1, 2}, {3, 4}},
                                               1, "y", &builder, &y);
  TF_ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<GlobalData> z_data,
      CreateParameterAndTransferLiteral(2, LiteralUtil::CreateR1<float>({1, 0}),
                                        "z", &builder, &z));
  Add(Mul(y, x, /*broadcast_dimensions=*/{}), z,
      /*broadcast_dimensions=*/{1});
  const std::vector<GlobalData*> data = {x_data.get(), y_data.get(),
                                         z_data.get()};
  TF_ASSERT_OK_AND_ASSIGN(const XlaComputation program, builder.Build());
  TF_ASSERT_OK_AND_ASSIGN(const Literal value,
                          ExecuteAndTransfer(program, data));
  const Literal expected = LiteralUtil::CreateR2<float>({{3, 4}, {7, 8}});
  EXPECT_TRUE(LiteralTestUtil::Equal(expected, value));
  const Shape columns =
      ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 2}, {0, 1});
  TF_ASSERT_OK_AND_ASSIGN(const Literal reference,
                          ExecuteAndTransferReference(program, data, &columns));
  EXPECT_TRUE(LiteralTestUtil::Equal(expected, reference));
  EXPECT_EQ(reference.shape().layout(), columns.layout());
  TF_ASSERT_OK_AND_ASSIGN(const Literal relaid,
                          ExecuteAndTransfer(program, data, &columns));
  EXPECT_EQ(relaid.shape().layout(), columns.layout());
  TF_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GlobalData> held,
                          client_->Execute(program, data, &execution_options_));
  TF_ASSERT_OK_AND_ASSIGN(const Literal transferred, client_->Transfer(*held));
  EXPECT_EQ(transferred, expected);
}

XLA_TEST_F(HeldValuesTest, ComparesWithTheReference) {
  const auto build = [&](XlaBuilder* builder) {
    const XlaOp x = Parameter(builder, 0, ShapeUtil::MakeShape(F32, {2}), "x");
    const XlaOp y = Parameter(builder, 1, ShapeUtil::MakeShape(F32, {2}), "y");
    Div(x, y);
  };
  std::vector<Literal> values;
  values.push_back(LiteralUtil::CreateR1<float>({1, 6}));
  values.push_back(LiteralUtil::CreateR1<float>({4, 3}));
  XlaBuilder given("given");
  build(&given);
  ComputeAndCompare(&given, values, kClose);
  XlaBuilder again("again");
  build(&again);
  TF_ASSERT_OK_AND_ASSIGN(const auto both,
                          ComputeValueAndReference(&again, values));
  EXPECT_EQ(both.first, LiteralUtil::CreateR1<float>({0.25, 2}));
  EXPECT_TRUE(LiteralTestUtil::Near(both.first, both.second, kClose));
}

XLA_TEST_F(HeldValuesTest, ProgramsTakeAddedValues) {
  XlaBuilder builder("added");
  const XlaOp x = AddParam(LiteralUtil::CreateR1<float>({1, 6}), &builder);
  const XlaOp y = AddParam(Array<float>({2}, 2.0f), &builder);
  Div(x, y);
  ComputeAndCompareR1<float>(&builder, {0.5, 3}, {}, kClose);
}

XLA_TEST_F(HeldValuesTest, AddedValuesAreComparedWithTheReference) {
  XlaBuilder builder("added");
  Log(AddParam(LiteralUtil::CreateR1<float>({1, 6}), &builder));
  ComputeAndCompare(&builder, {}, kClose);
}

XLA_TEST_F(HeldValuesTest, AddedValuesAreAllThereAre) {
  XlaBuilder builder("added");
  AddParam(LiteralUtil::CreateR0<int32_t>(1), &builder);
  const std::unique_ptr<GlobalData> other =
      client_->TransferToServer(LiteralUtil::CreateR0<int32_t>(2)).value();
  EXPECT_THAT(ExecuteToString(&builder, {other.get()}), HasSubstr("AddParam"));
}

XLA_TEST_F(HeldValuesTest, FloatsMayBeShort) {
  EXPECT_FALSE(use_bfloat16());
  set_use_bfloat16(true);
  EXPECT_EQ(FloatType(), BF16);
  XlaBuilder builder("short");
  const XlaOp x =
      CreateConstantFromArray(Array2D<float>{{1, -3}, {5, -7}}, &builder);
  EXPECT_EQ(builder.GetShape(x)->element_type(), BF16);
  const XlaOp largest =
      Reduce(x, CreateConstantFromScalar<float>(-100, &builder),
             CreateScalarMax(), /*dimensions_to_reduce=*/{0});
  Map(&builder, {largest}, CreateScalarRelu(), {0});
  TF_ASSERT_OK(ComputeAndCompareLiteralWithStatus(
      &builder, LiteralUtil::CreateR1<float>({5, 0}), {}, ErrorSpec(0.01)));
  XlaBuilder gradient("gradient");
  Map(&gradient,
      {CreateConstantFromLiteral(LiteralUtil::CreateR1<float>({-1, 0, 2}),
                                 &gradient),
       CreateConstantFromLiteral(LiteralUtil::CreateR1<float>({7, 8, 9}),
                                 &gradient)},
      CreateScalarReluSensitivity(), {0});
  ComputeAndCompareR1<float>(&gradient, {0, 0, 9}, {});
}

class DeviceMemoryTest : public LocalClientTestBase {};

XLA_TEST_F(DeviceMemoryTest, RunsOnBuffers) {
  XlaBuilder builder(TestName());
  const Shape shape = ShapeUtil::MakeShape(F32, {3});
  Add(Parameter(&builder, 0, shape, "x"), Parameter(&builder, 1, shape, "y"));
  const XlaComputation program = builder.Build().value();
  const ScopedShapedBuffer x =
      LiteralToShapedBuffer(LiteralUtil::CreateR1<float>({1, 2, 3}));
  const ScopedShapedBuffer y =
      LiteralToShapedBuffer(LiteralUtil::CreateR1<float>({10, 20, 30}));
  const ScopedShapedBuffer sum = ExecuteLocallyOrDie(program, {&x, &y});
  LiteralTestUtil::ExpectR1Equal<float>({11, 22, 33},
                                        ShapedBufferToLiteral(sum));
  EXPECT_FALSE(ExecuteLocally(program, {&x}).ok());
}

XLA_TEST_F(DeviceMemoryTest, CountsAllocations) {
  XlaBuilder builder(TestName());
  Iota(&builder, S32, 4);
  const XlaComputation program = builder.Build().value();
  TestAllocator* const allocator =
      GetOrCreateAllocator(local_client_->platform());
  const int64_t allocated = allocator->allocation_count();
  const int64_t freed = allocator->deallocation_count(0);
  {
    const ScopedShapedBuffer result =
        ExecuteLocallyOrDie(program, {}, DefaultExecutableBuildOptions(),
                            DefaultExecutableRunOptions());
    EXPECT_GT(allocator->allocation_count(), allocated);
    EXPECT_EQ(allocator->deallocation_count(0), freed);
  }
  EXPECT_EQ(allocator->allocation_count() - allocated,
            allocator->deallocation_count() - freed);
  EXPECT_EQ(allocator->allocation_count(/*device_ordinal=*/1), 0);
}

XLA_TEST_F(DeviceMemoryTest, ParsesModules) {
  TF_ASSERT_OK_AND_ASSIGN(const auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  ROOT c = s32[] constant(1)
})"));
  EXPECT_EQ(module->computation_count(), 1);
  EXPECT_FALSE(ParseAndReturnVerifiedModule("HloModule broken").ok());
}

}  // namespace
}  // namespace xla
