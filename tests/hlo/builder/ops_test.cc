// Calls each function of the builder once: the result is read back from its
// proto, verified, and must have the expected shape.
#include <string>

#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {
namespace {

Shape ShapeOf(absl::string_view text) {
  return *ShapeUtil::ParseShapeString(text);
}

// A builder with parameters of given shapes.
class OpsTest : public ::testing::Test {
 protected:
  XlaOp P(absl::string_view shape) {
    return Parameter(&b_, number_++, ShapeOf(shape), "p");
  }

  // Builds the last op and returns its shape.
  std::string Shape() {
    number_ = 0;
    absl::StatusOr<XlaComputation> built = b_.Build();
    if (!built.ok()) return built.status().ToString();
    absl::StatusOr<std::unique_ptr<HloModule>> module = ReadAndVerify(*built);
    if (!module.ok()) return module.status().ToString();
    const HloInstruction* root =
        (*module)->entry_computation()->root_instruction();
    opcode_ = std::string(HloOpcodeString(root->opcode()));
    return root->shape().ToString();
  }

  XlaBuilder b_{"ops"};
  int64_t number_ = 0;
  std::string opcode_;  // of the last root
};

TEST_F(OpsTest, Binary) {
  using Function = XlaOp (*)(XlaOp, XlaOp, absl::Span<const int64_t>);
  for (Function f : std::initializer_list<Function>{Add, Sub, Mul, Div, Rem,
                                                    Max, Min, Pow, Atan2}) {
    f(P("f32[2,3]"), P("f32[3]"), {1});
    EXPECT_EQ(Shape(), "f32[2,3]");
  }
  for (Function f : std::initializer_list<Function>{
           And, Or, Xor, LogicalAnd, LogicalOr, ShiftLeft, ShiftRightArithmetic,
           ShiftRightLogical, Mulhi}) {
    f(P("s32[2,3]"), P("s32[2]"), {0});
    EXPECT_EQ(Shape(), "s32[2,3]");
  }
  Complex(P("f64[2]"), P("f64[]"));
  EXPECT_EQ(Shape(), "c128[2]");
  for (Function f : std::initializer_list<Function>{
           Eq, Ne, Ge, Gt, Le, Lt, EqTotalOrder, NeTotalOrder, GeTotalOrder,
           GtTotalOrder, LeTotalOrder, LtTotalOrder}) {
    f(P("f32[2,3]"), P("f32[]"), {});
    EXPECT_EQ(Shape(), "pred[2,3]");
    f(P("u8[2,3]"), P("u8[]"), {});
    EXPECT_EQ(Shape(), "pred[2,3]");
    f(P("c64[2,3]"), P("c64[]"), {});
    EXPECT_EQ(Shape(), "pred[2,3]");
  }
  Compare(P("f32[2]"), P("f32[2]"), ComparisonDirection::kLt);
  EXPECT_EQ(Shape(), "pred[2]");
  Compare(P("f32[2]"), P("f32[2]"), {}, ComparisonDirection::kLt);
  EXPECT_EQ(Shape(), "pred[2]");
  Compare(P("f32[2]"), P("f32[2]"), {}, ComparisonDirection::kLt,
          Comparison::Type::kFloatTotalOrder);
  EXPECT_EQ(Shape(), "pred[2]");
  XlaOp p = P("pred[2]");
  And(p, p, p);
  EXPECT_EQ(Shape(), "pred[2]");
  p = P("pred[2]");
  Or(p, p, p, p);
  EXPECT_EQ(Shape(), "pred[2]");
}

TEST_F(OpsTest, Unary) {
  using Function = XlaOp (*)(XlaOp);
  for (Function f : std::initializer_list<Function>{
           Abs, Ceil, Floor, Round, RoundNearestEven, Sign, Neg, Copy}) {
    f(P("f32[2]"));
    EXPECT_EQ(Shape(), "f32[2]");
  }
  for (Function f :
       std::initializer_list<Function>{Not, LogicalNot, Clz, PopulationCount}) {
    f(P("s32[2]"));
    EXPECT_EQ(Shape(), "s32[2]");
  }
  using WithAccuracy = XlaOp (*)(XlaOp, const std::optional<ResultAccuracy>&);
  ResultAccuracy accuracy;
  accuracy.mutable_tolerance()->set_ulps(3);
  for (WithAccuracy f : std::initializer_list<WithAccuracy>{
           Erf, Exp, Expm1, Log, Log1p, Logistic, Cos, Sin, Tan, Tanh, Sqrt,
           Rsqrt, Cbrt}) {
    f(P("f32[2]"), std::nullopt);
    EXPECT_EQ(Shape(), "f32[2]");
    f(P("f32[2]"), accuracy);
    EXPECT_EQ(Shape(), "f32[2]");
  }
  IsFinite(P("f32[2]"));
  EXPECT_EQ(Shape(), "pred[2]");
  Real(P("c64[2]"));
  EXPECT_EQ(Shape(), "f32[2]");
  Imag(P("c64[2]"));
  EXPECT_EQ(Shape(), "f32[2]");
  Conj(P("c64[2]"));
  EXPECT_EQ(Shape(), "c64[2]");
}

TEST_F(OpsTest, Operators) {
  XlaOp x = P("s32[2]"), u = P("u32[2]");
  Tuple(&b_, {-x, x + x, x - x, x * x, x / x, x % x, ~x, !x, x & x, x | x,
              x ^ x, x << x});
  EXPECT_EQ(Shape(),
            "(s32[2], s32[2], s32[2], s32[2], s32[2], /*index=5*/s32[2], "
            "s32[2], s32[2], s32[2], s32[2], /*index=10*/s32[2], s32[2])");
  x = P("s32[2]");
  x >> x;
  EXPECT_EQ(Shape(), "s32[2]");
  EXPECT_EQ(opcode_, "shift-right-arithmetic");
  u = P("u32[2]");
  u >> u;
  EXPECT_EQ(Shape(), "u32[2]");
  EXPECT_EQ(opcode_, "shift-right-logical");
}

TEST_F(OpsTest, SelectionAndConversion) {
  Select(P("pred[2]"), P("f32[2]"), P("f32[]"));
  EXPECT_EQ(Shape(), "f32[2]");
  Select(P("pred[]"), P("f32[<=2]"), P("f32[<=2]"));
  EXPECT_EQ(Shape(), "f32[<=2]");
  Clamp(P("f32[]"), P("f32[2]"), P("f32[2]"));
  EXPECT_EQ(Shape(), "f32[2]");
  ConvertElementType(P("f32[2]"), S8);
  EXPECT_EQ(Shape(), "s8[2]");
  ConvertElementType(P("c64[2]"), F64);
  EXPECT_EQ(Shape(), "f64[2]");
  BitcastConvertType(P("f32[2]"), U32);
  EXPECT_EQ(Shape(), "u32[2]");
  BitcastConvertType(P("f32[2]"), U8);
  EXPECT_EQ(Shape(), "u8[2,4]");
  BitcastConvertType(P("u8[2,4]"), F32);
  EXPECT_EQ(Shape(), "f32[2]");
  StochasticConvertType(P("f32[2]"), P("u32[2]"), BF16);
  EXPECT_EQ(Shape(), "bf16[2]");
  ReducePrecision(P("f32[2]"), 5, 10);
  EXPECT_EQ(Shape(), "f32[2]");
}

TEST_F(OpsTest, Constants) {
  Layout columns = LayoutUtil::MakeLayout({0, 1});
  Array2D<float> matrix({{1, 2}, {3, 4}});
  tsl::core::Bitmap bits(3);
  bits.set(0);
  bits.set(2);
  Tuple(&b_, {ConstantR0<float>(&b_, 1), ConstantR1<int32_t>(&b_, {1, 2}),
              ConstantR1<int8_t>(&b_, 3, 7), ConstantR1(&b_, bits),
              ConstantR2<double>(&b_, {{1, 2}, {3, 4}}),
              ConstantFromArray<float>(&b_, matrix),
              ConstantFromArrayWithLayout<float>(&b_, matrix, columns),
              ConstantR2FromArray2D<float>(&b_, matrix),
              ConstantR2FromArray2DWithLayout<float>(&b_, matrix, columns),
              ConstantR3FromArray3D<float>(&b_, Array3D<float>(1, 2, 3)),
              ConstantR4FromArray4D<float>(&b_, Array4D<float>(1, 2, 3, 4)),
              ConstantLiteral(&b_, LiteralUtil::CreateR0<bool>(true)),
              Iota(&b_, S32, 4), Iota(&b_, ShapeOf("f32[2,3]"), 1)});
  EXPECT_EQ(Shape(),
            "(f32[], s32[2], s8[3], pred[3], f64[2,2], /*index=5*/f32[2,2], "
            "f32[2,2], f32[2,2], f32[2,2], f32[1,2,3], "
            "/*index=10*/f32[1,2,3,4], pred[], s32[4], f32[2,3])");
  Parameter(&b_, 0, ShapeOf("f32[2]"), "p", {true});
  EXPECT_EQ(Shape(), "f32[2]");
  GetTupleElement(P("(f32[2], s32[])"), 1);
  EXPECT_EQ(Shape(), "s32[]");
}

TEST_F(OpsTest, Shapes) {
  Reshape(P("f32[2,3]"), {3, 2});
  EXPECT_EQ(Shape(), "f32[3,2]");
  Reshape(ShapeOf("f32[6]"), P("f32[2,3]"));
  EXPECT_EQ(Shape(), "f32[6]");
  DynamicReshape(P("f32[2,3]"), {P("s32[]")}, {6}, {true});
  EXPECT_EQ(Shape(), "f32[<=6]");
  Transpose(P("f32[2,3]"), {1, 0});
  EXPECT_EQ(Shape(), "f32[3,2]");
  Rev(P("f32[2,3]"), {1});
  EXPECT_EQ(Shape(), "f32[2,3]");
  GetDimensionSize(P("f32[<=2,3]"), 0);
  EXPECT_EQ(Shape(), "s32[]");
  SetDimensionSize(P("f32[2,3]"), P("s32[]"), 0);
  EXPECT_EQ(Shape(), "f32[<=2,3]");
  MhloDynamicReshape(P("f32[2,3]"), P("s32[1]"), ShapeOf("f32[6]"));
  EXPECT_EQ(Shape(), "f32[6]");
  MhloDynamicBroadcastInDim(P("f32[3]"), P("s32[2]"), {1}, ShapeOf("f32[2,3]"));
  EXPECT_EQ(Shape(), "f32[2,3]");
}

TEST_F(OpsTest, Slicing) {
  PaddingConfig config;
  config.add_dimensions()->set_edge_padding_low(1);
  config.mutable_dimensions(0)->set_interior_padding(2);
  Pad(P("f32[3]"), P("f32[]"), config);
  EXPECT_EQ(Shape(), "f32[8]");
  PadInDim(P("f32[2,3]"), P("f32[]"), 1, 4, -1);
  EXPECT_EQ(Shape(), "f32[2,6]");
  Slice(P("f32[4,6]"), {1, 0}, {3, 6}, {1, 2});
  EXPECT_EQ(Shape(), "f32[2,3]");
  SliceInDim(P("f32[4,6]"), 1, 5, 3, 1);
  EXPECT_EQ(Shape(), "f32[4,2]");
  ConcatInDim(&b_, {P("f32[4,6]"), P("f32[4,1]")}, 1);
  EXPECT_EQ(Shape(), "f32[4,7]");
  GatherDimensionNumbers gather;
  gather.add_offset_dims(1);
  gather.add_collapsed_slice_dims(0);
  gather.add_start_index_map(0);
  gather.set_index_vector_dim(1);
  Gather(P("f32[5,6]"), P("s32[3]"), gather, {1, 6}, true);
  EXPECT_EQ(Shape(), "f32[3,6]");
  ScatterDimensionNumbers scatter;
  scatter.add_update_window_dims(1);
  scatter.add_inserted_window_dims(0);
  scatter.add_scatter_dims_to_operand_dims(0);
  scatter.set_index_vector_dim(1);
  Scatter(P("f32[5,6]"), P("s32[3]"), P("f32[3,6]"), ScalarAdd(), scatter);
  EXPECT_EQ(Shape(), "f32[5,6]");
  XlaOp indices = P("s32[3]"), x = P("f32[5,6]"), y = P("f32[3,6]");
  Scatter(absl::Span<const XlaOp>{x}, indices, absl::Span<const XlaOp>{y},
          ScalarAdd(), scatter, true, true);
  EXPECT_EQ(Shape(), "f32[5,6]");
}

TEST_F(OpsTest, Dots) {
  Dot(P("f32[2,3]"), P("f32[3,4]"));
  EXPECT_EQ(Shape(), "f32[2,4]");
  Dot(P("f32[3]"), P("f32[3]"));
  EXPECT_EQ(Shape(), "f32[]");
  Dot(P("bf16[3]"), P("f32[3,4]"));
  EXPECT_EQ(Shape(), "f32[4]");
  DotDimensionNumbers numbers;
  numbers.add_lhs_batch_dimensions(0);
  numbers.add_rhs_batch_dimensions(0);
  numbers.add_lhs_contracting_dimensions(2);
  numbers.add_rhs_contracting_dimensions(1);
  PrecisionConfig precision;
  precision.add_operand_precision(PrecisionConfig::HIGHEST);
  precision.add_operand_precision(PrecisionConfig::HIGHEST);
  DotGeneral(P("s8[5,2,3]"), P("s8[5,3,4]"), numbers, &precision, S32);
  EXPECT_EQ(Shape(), "s32[5,2,4]");
  RaggedDotDimensionNumbers ragged;
  ragged.mutable_dot_dimension_numbers()->add_lhs_contracting_dimensions(1);
  ragged.mutable_dot_dimension_numbers()->add_rhs_contracting_dimensions(1);
  ragged.add_lhs_ragged_dimensions(0);
  ragged.add_rhs_group_dimensions(0);
  RaggedDot(P("f32[6,3]"), P("f32[2,3,4]"), P("s32[2]"), ragged);
  EXPECT_EQ(Shape(), "f32[6,4]");
  DotDimensionNumbers plain;
  plain.add_lhs_contracting_dimensions(1);
  plain.add_rhs_contracting_dimensions(0);
  ScaledDot(P("f8e4m3fn[2,32]"), P("f8e4m3fn[32,4]"), P("f8e8m0fnu[2,1]"),
            P("f8e8m0fnu[1,4]"), plain, nullptr, BF16);
  EXPECT_EQ(Shape(), "bf16[2,4]");
}

TEST_F(OpsTest, Convolutions) {
  const auto default_numbers = XlaBuilder::CreateDefaultConvDimensionNumbers();
  EXPECT_TRUE(XlaBuilder::Validate(default_numbers).ok());
  Conv(P("f32[1,2,8,8]"), P("f32[4,2,3,3]"), {1, 1}, Padding::kSame);
  EXPECT_EQ(Shape(), "f32[1,4,8,8]");
  Conv(P("f32[1,2,8]"), P("f32[4,1,3]"), {2}, Padding::kValid, 2);
  EXPECT_EQ(Shape(), "f32[1,4,3]");
  ConvWithGeneralPadding(P("f32[1,2,8]"), P("f32[4,2,3]"), {1}, {{2, 0}});
  EXPECT_EQ(Shape(), "f32[1,4,8]");
  ConvWithGeneralDimensions(P("f32[1,2,8,8]"), P("f32[4,2,3,3]"), {2, 2},
                            Padding::kSame, default_numbers);
  EXPECT_EQ(Shape(), "f32[1,4,4,4]");
  ConvGeneral(P("f32[1,2,8,8]"), P("f32[4,2,3,3]"), {1, 1}, {{0, 0}, {1, 1}},
              default_numbers);
  EXPECT_EQ(Shape(), "f32[1,4,6,8]");
  ConvGeneralDilated(P("bf16[1,2,8,8]"), P("bf16[4,2,3,3]"), {1, 1},
                     {{0, 0}, {1, 1}}, {2, 1}, {1, 2}, default_numbers, 1, 1,
                     nullptr, F32, std::vector<bool>{true, true});
  EXPECT_EQ(Shape(), "f32[1,4,13,6]");
}

TEST_F(OpsTest, ConvolutionsOfDynamicSizes) {
  const auto numbers = XlaBuilder::CreateDefaultConvDimensionNumbers(1);
  DynamicConvForward(P("f32[<=2,3,<=8]"), P("f32[4,3,3]"), {2}, {{0, 1}}, {},
                     {}, numbers, 1, 1, nullptr, PADDING_SAME);
  EXPECT_EQ(Shape(), "f32[<=2,4,<=4]");
  EXPECT_EQ(opcode_, "custom-call");
  DynamicConvForward(P("bf16[2,3,<=8]"), P("bf16[6,1,3]"), {}, {}, {}, {2},
                     numbers, 3, 1, nullptr, PADDING_VALID, F32);
  EXPECT_EQ(Shape(), "f32[2,6,<=4]");
  DynamicConvInputGrad(P("s32[3]"), P("f32[2,4,<=4]"), P("f32[3,4,3]"), {},
                       {{2, 1}}, {2}, {}, numbers, 1, 1, nullptr, PADDING_SAME);
  EXPECT_EQ(Shape(), "f32[2,3,<=8]");
  DynamicConvKernelGrad(P("f32[3,2,<=8]"), P("f32[4,2,<=4]"), {1}, {{0, 1}}, {},
                        {2}, numbers, 1, 1, nullptr, PADDING_SAME);
  EXPECT_EQ(Shape(), "f32[3,4,3]");
}

TEST_F(OpsTest, Numerics) {
  Fft(P("f32[8]"), RFFT, {8});
  EXPECT_EQ(Shape(), "c64[5]");
  TriangularSolve(P("f32[3,3]"), P("f32[3,2]"), true, true, false,
                  TriangularSolveOptions::TRANSPOSE);
  EXPECT_EQ(Shape(), "f32[3,2]");
  Cholesky(P("f32[3,3]"), true);
  EXPECT_EQ(Shape(), "f32[3,3]");
  BatchNormTraining(P("f32[2,3]"), P("f32[3]"), P("f32[3]"), 0.1, 1);
  EXPECT_EQ(Shape(), "(f32[2,3], f32[3], f32[3])");
  XlaOp x = P("f32[2,3]"), y = P("f32[3]");
  BatchNormInference(x, y, y, y, y, 0.1, 1);
  EXPECT_EQ(Shape(), "f32[2,3]");
  x = P("f32[2,3]"), y = P("f32[3]");
  BatchNormGrad(x, y, y, y, x, 0.1, 1);
  EXPECT_EQ(Shape(), "(f32[2,3], f32[3], f32[3])");
  RngNormal(P("f32[]"), P("f32[]"), ShapeOf("f32[4]"));
  EXPECT_EQ(Shape(), "f32[4]");
  RngUniform(P("s32[]"), P("s32[]"), ShapeOf("s32[4]"));
  EXPECT_EQ(Shape(), "s32[4]");
  RngBitGenerator(RNG_PHILOX, P("u64[3]"), ShapeOf("s32[4]"));
  EXPECT_EQ(Shape(), "(u64[3], u32[4])");
  Sort({P("f32[2,3]")}, ScalarLess());
  EXPECT_EQ(Shape(), "f32[2,3]");
  TopK(P("f32[2,5]"), 3, true);
  EXPECT_EQ(Shape(), "(f32[2,3], s32[2,3])");
}

TEST_F(OpsTest, Reductions) {
  const XlaComputation add = ScalarAdd(), less = ScalarLess();
  Reduce(P("f32[2,3]"), P("f32[]"), add, {0});
  EXPECT_EQ(Shape(), "f32[3]");
  Reduce(P("f32[2,3]"), P("f32[]"), b_.AddSubComputation(add), {0});
  EXPECT_EQ(Shape(), "f32[3]");
  Reduce(&b_, {P("f32[2,3]")}, {P("f32[]")}, add, {1});
  EXPECT_EQ(Shape(), "f32[2]");
  ReduceAll(P("f32[2,3]"), P("f32[]"), add);
  EXPECT_EQ(Shape(), "f32[]");
  ReduceWindow(P("f32[4,6]"), P("f32[]"), add, {2, 3}, {2, 1}, Padding::kSame);
  EXPECT_EQ(Shape(), "f32[2,6]");
  XlaOp x = P("f32[4]"), init = P("f32[]");
  ReduceWindow(absl::Span<const XlaOp>{x}, absl::Span<const XlaOp>{init}, add,
               {2}, {2}, Padding::kValid);
  EXPECT_EQ(Shape(), "f32[2]");
  ReduceWindowWithGeneralPadding(P("f32[4]"), P("f32[]"), add, {2}, {1}, {2},
                                 {2}, {{1, 0}});
  EXPECT_EQ(Shape(), "f32[6]");
  x = P("f32[4]"), init = P("f32[]");
  ReduceWindowWithGeneralPadding(absl::Span<const XlaOp>{x},
                                 absl::Span<const XlaOp>{init}, add, {2}, {},
                                 {}, {}, {});
  EXPECT_EQ(Shape(), "f32[3]");
  SelectAndScatter(P("f32[4]"), less, {2}, {2}, Padding::kValid, P("f32[2]"),
                   P("f32[]"), add);
  EXPECT_EQ(Shape(), "f32[4]");
  SelectAndScatterWithGeneralPadding(P("f32[4]"), less, {2}, {2}, {{0, 0}},
                                     P("f32[2]"), P("f32[]"), add);
  EXPECT_EQ(Shape(), "f32[4]");
  Map(&b_, {P("f32[4]"), P("f32[4]")}, add, {0});
  EXPECT_EQ(Shape(), "f32[4]");
}

TEST_F(OpsTest, Scan) {
  XlaBuilder step("step");
  XlaOp x = Parameter(&step, 0, ShapeOf("f32[]"), "x");
  XlaOp sum = Add(x, Parameter(&step, 1, ShapeOf("f32[]"), "carry"));
  Tuple(&step, {sum, sum});
  XlaOp input = P("f32[4]"), init = P("f32[]");
  Scan({input}, {init}, *step.Build(), 0);
  EXPECT_EQ(Shape(), "(f32[4], f32[])");
}

TEST_F(OpsTest, ControlFlow) {
  const XlaComputation add = ScalarAdd();
  Call(&b_, add, {P("f32[]"), P("f32[]")});
  EXPECT_EQ(Shape(), "f32[]");
  CompositeCall(&b_, add, {P("f32[]"), P("f32[]")}, "my.add", "{k=1}", 2);
  EXPECT_EQ(Shape(), "f32[]");
  XlaBuilder condition("condition");
  Lt(Parameter(&condition, 0, ShapeOf("f32[]"), "x"),
     ConstantR0<float>(&condition, 9));
  While(*condition.Build(), Identity(ShapeOf("f32[]")), P("f32[]"));
  EXPECT_EQ(Shape(), "f32[]");
  const XlaComputation identity = Identity(ShapeOf("f32[2]"));
  Conditional(P("pred[]"), P("f32[2]"), identity, P("f32[2]"), identity);
  EXPECT_EQ(Shape(), "f32[2]");
  XlaOp x = P("f32[2]");
  Conditional(P("s32[]"), {&identity, &identity, &identity}, {x, x, x});
  EXPECT_EQ(Shape(), "f32[2]");
  x = P("f32[2]");
  XlaComputationId id = b_.AddSubComputation(identity);
  Conditional(P("s32[]"), {id, id}, {x, x});
  EXPECT_EQ(Shape(), "f32[2]");
  OptimizationBarrier(P("f32[2]"));
  EXPECT_EQ(Shape(), "f32[2]");
  AfterAll(&b_, {CreateToken(&b_), CreateToken(&b_)});
  EXPECT_EQ(Shape(), "token[]");
  AfterAll(&b_, {});
  EXPECT_EQ(Shape(), "token[]");
}

TEST_F(OpsTest, CustomCalls) {
  const xla::Shape vector = ShapeOf("f32[2]{0}");
  const Literal literal = LiteralUtil::CreateR0<float>(1);
  CustomCall(&b_, "f", {P("f32[2]")}, vector, "opaque", true, {{{}, {0, {}}}},
             &literal, SCHEDULE_LATEST, API_VERSION_TYPED_FFI);
  EXPECT_EQ(Shape(), "f32[2]");
  CustomCallWithComputation(&b_, "f", {P("f32[2]")}, ScalarAdd(), vector);
  EXPECT_EQ(Shape(), "f32[2]");
  CustomCallWithLayout(&b_, "f", {P("f32[2]")}, vector, {vector});
  EXPECT_EQ(Shape(), "f32[2]");
  CustomCallWithComputationAndLayouts(&b_, "f", {P("f32[2]")}, ScalarAdd(),
                                      vector, {vector});
  EXPECT_EQ(Shape(), "f32[2]");
  CustomCallWithConvDnums(&b_, "f", {P("f32[2]")}, vector, {vector}, "", false,
                          {}, nullptr, Window(),
                          XlaBuilder::CreateDefaultConvDimensionNumbers());
  EXPECT_EQ(Shape(), "f32[2]");
}

ChannelHandle Channel(ChannelHandle::ChannelType type) {
  ChannelHandle handle;
  handle.set_handle(1);
  handle.set_type(type);
  return handle;
}

TEST_F(OpsTest, Transfers) {
  const xla::Shape vector = ShapeOf("f32[2]{0}");
  Infeed(&b_, vector, "config");
  EXPECT_EQ(Shape(), "f32[2]");
  InfeedWithToken(CreateToken(&b_), vector);
  EXPECT_EQ(Shape(), "(f32[2], token[])");
  Outfeed(P("f32[2]"), vector, "config");
  EXPECT_EQ(Shape(), "()");
  OutfeedWithToken(P("f32[2]"), CreateToken(&b_), vector, "");
  EXPECT_EQ(Shape(), "token[]");
  Send(P("f32[2]"), Channel(ChannelHandle::DEVICE_TO_DEVICE));
  EXPECT_EQ(Shape(), "token[]");
  Recv(&b_, vector, Channel(ChannelHandle::DEVICE_TO_DEVICE));
  EXPECT_EQ(Shape(), "f32[2]");
  SendToHost(P("f32[2]"), CreateToken(&b_), vector,
             Channel(ChannelHandle::DEVICE_TO_HOST));
  EXPECT_EQ(Shape(), "token[]");
  RecvFromHost(CreateToken(&b_), vector,
               Channel(ChannelHandle::HOST_TO_DEVICE));
  EXPECT_EQ(Shape(), "(f32[2], token[])");
}

TEST_F(OpsTest, Collectives) {
  const XlaComputation add = ScalarAdd();
  const ChannelHandle channel = Channel(ChannelHandle::DEVICE_TO_DEVICE);
  const Layout rows = LayoutUtil::MakeLayout({1, 0});
  ReplicaGroup pair;
  pair.add_replica_ids(0);
  pair.add_replica_ids(1);
  CrossReplicaSum(P("f32[2]"));
  EXPECT_EQ(Shape(), "f32[2]");
  CrossReplicaSum(P("pred[2]"), {pair});
  EXPECT_EQ(Shape(), "pred[2]");
  AllGather(P("f32[2,4]"), 1, 2, {pair}, channel, rows, true);
  EXPECT_EQ(Shape(), "f32[2,8]");
  AllGather(P("(f32[2], s32[4,3])"), 0, 2, {pair});
  EXPECT_EQ(Shape(), "(f32[4], s32[8,3])");
  AllGather(P("(f32[2])"), 0, 2, {pair});
  EXPECT_EQ(Shape(), "f32[4]");
  AllGatherTuple({P("f32[2]"), P("f32[4]")}, 0, 2, {pair});
  EXPECT_EQ(Shape(), "(f32[4], f32[8])");
  AllReduce(P("f32[2,4]"), add, {pair}, channel, ShapeOf("f32[2,4]{0,1}"),
            true);
  EXPECT_EQ(Shape(), "f32[2,4]");
  AllReduce(P("(f32[2], f32[3])"), add);
  EXPECT_EQ(Shape(), "(f32[2], f32[3])");
  AllReduce(P("(f32[2])"), add);
  EXPECT_EQ(Shape(), "(f32[2])");
  AllReduceTuple({P("f32[2]"), P("f32[3]")}, add);
  EXPECT_EQ(Shape(), "(f32[2], f32[3])");
  ReduceScatter(P("f32[2,4]"), add, 1, 2, {pair}, channel, rows, true);
  EXPECT_EQ(Shape(), "f32[2,2]");
  ReduceScatter(P("(f32[2,4], f32[8])"), add, 0, 2, {pair});
  EXPECT_EQ(Shape(), "(f32[1,4], f32[4])");
  AllToAll(P("f32[2,4]"), 1, 0, 2, {pair});
  EXPECT_EQ(Shape(), "f32[4,2]");
  AllToAll(P("f32[2,4]"), 1, 1, 2, {pair});
  EXPECT_EQ(Shape(), "f32[2,4]");
  AllToAll(P("f32[2,4]"), 0, 1, 2, {pair}, rows);
  EXPECT_EQ(Shape(), "f32[1,8]");
  AllToAllTuple({P("f32[2]"), P("f32[2]")}, {pair});
  EXPECT_EQ(Shape(), "(f32[2], f32[2])");
  AllToAllTuple(P("f32[2,4]"), 1, 0, 2, {pair});
  EXPECT_EQ(Shape(), "f32[4,2]");
  XlaOp sizes = P("s32[2]");
  RaggedAllToAll(P("f32[8]"), sizes, sizes, P("f32[6]"), sizes, sizes, {pair});
  EXPECT_EQ(Shape(), "f32[6]");
  CollectiveBroadcast(P("f32[2]"), {pair});
  EXPECT_EQ(Shape(), "f32[2]");
  CollectivePermute(P("f32[2]"), {{0, 1}, {1, 0}}, channel);
  EXPECT_EQ(Shape(), "f32[2]");
  MultiCollectivePermute({P("f32[2]"), P("s32[]")}, {{0, 1}});
  EXPECT_EQ(Shape(), "(f32[2], s32[])");
  ReplicaId(&b_);
  EXPECT_EQ(Shape(), "u32[]");
}

TEST_F(OpsTest, Internal) {
  using Friend = internal::XlaBuilderFriend;
  const xla::Shape vector = ShapeOf("f32[2]"), scalar = ShapeOf("f32[]");
  Friend::BuildAddDependency(&b_, P("f32[2]"), CreateToken(&b_), vector);
  EXPECT_EQ(Shape(), "f32[2]");
  const xla::Shape async = ShapeOf("((f32[],f32[]), f32[])");
  Friend::BuildAsyncDone(&b_,
                         Friend::BuildAsyncStart(&b_, {P("f32[]"), P("f32[]")},
                                                 "", ScalarAdd(), async),
                         scalar);
  EXPECT_EQ(Shape(), "f32[]");
  Friend::BuildAllGatherStart(&b_, P("(f32[2], f32[3])"), 0, 2);
  EXPECT_EQ(Shape(), "((f32[2], f32[3]), (f32[4], f32[6]))");
  Friend::BuildAllGatherDone(
      &b_, Friend::BuildAllGatherStart(&b_, P("f32[2]"), 0, 2),
      ShapeOf("f32[4]"));
  EXPECT_EQ(Shape(), "f32[4]");
  Friend::BuildAllReduceDone(
      &b_, Friend::BuildAllReduceStart(&b_, P("f32[2]"), ScalarAdd()), vector);
  EXPECT_EQ(Shape(), "f32[2]");
  Friend::BuildCollectivePermuteDone(
      &b_, Friend::BuildCollectivePermuteStart(&b_, P("f32[2]"), {{0, 1}}),
      vector);
  EXPECT_EQ(Shape(), "f32[2]");
  Friend::BuildCopyDone(&b_, Friend::BuildCopyStart(&b_, P("f32[2]")), vector);
  EXPECT_EQ(Shape(), "f32[2]");
  Friend::BuildFusion(&b_, {P("f32[]"), P("f32[]")}, "kLoop", ScalarAdd());
  EXPECT_EQ(Shape(), "f32[]");
  Friend::BuildBitcast(&b_, P("f32[2]"), ShapeOf("f32[2,1]"));
  EXPECT_EQ(Shape(), "f32[2,1]");
  Friend::BuildPartitionId(&b_, ShapeOf("u32[]"));
  EXPECT_EQ(Shape(), "u32[]");
  const ChannelHandle channel = Channel(ChannelHandle::DEVICE_TO_DEVICE);
  Friend::BuildSendDone(
      &b_,
      Friend::BuildSend(&b_, P("f32[2]"), CreateToken(&b_), channel, false),
      channel, false);
  EXPECT_EQ(Shape(), "token[]");
  Friend::BuildRecvDone(
      &b_,
      Friend::BuildRecv(&b_, CreateToken(&b_),
                        ShapeOf("(f32[2], u32[], token[])"), channel, false),
      ShapeOf("(f32[2], token[])"), channel, false);
  EXPECT_EQ(Shape(), "(f32[2], token[])");
  Friend::BuildDomain(&b_, P("f32[2]"), OpSharding(), OpSharding(), vector);
  EXPECT_EQ(Shape(), "f32[2]");
  Friend::BuildRngGetAndUpdateState(&b_, 3, ShapeOf("u64[2]"));
  EXPECT_EQ(Shape(), "u64[2]");
}

}  // namespace
}  // namespace xla
