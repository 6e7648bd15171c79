// Worked examples of the operation semantics: ops that call computations,
// element-wise ops, and ops that move data to and from the program.
#include <cstring>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/spec/spec_testing.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/evaluator/custom_call.h"
#include "xla/runtime/transfer_queues.h"

namespace xla::spec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Shape kF32 = ShapeUtil::MakeShape(F32, {});

// f32[] -> f32[], x times `factor`.
XlaComputation Times(XlaBuilder& parent, float factor) {
  const std::unique_ptr<XlaBuilder> b = parent.CreateSubBuilder("times");
  Mul(Parameter(b.get(), 0, kF32, "x"), ConstantR0<float>(b.get(), factor));
  return *b->Build();
}

TEST(CallTest, ArgumentsOfManyAndNone) {
  XlaBuilder b("call");
  const std::unique_ptr<XlaBuilder> seven = b.CreateSubBuilder("seven");
  ConstantR0<float>(seven.get(), 7);
  Tuple(&b, {Call(&b, CreateScalarAddComputation(F32, &b),
                  {ConstantR0<float>(&b, 1), ConstantR0<float>(&b, 2)}),
             Call(&b, *seven->Build(), {})});
  EXPECT_EQ(BuildAndRun(b), Text("(f32[], f32[]) (3, 7)"));
}

TEST(ConditionalTest, Predicate) {
  for (bool predicate : {true, false}) {
    XlaBuilder b("conditional");
    Conditional(ConstantR0<bool>(&b, predicate), ConstantR0<float>(&b, 1),
                Times(b, 10), ConstantR0<float>(&b, 2), Times(b, 100));
    EXPECT_EQ(BuildAndRun(b), predicate ? "f32[] 10" : "f32[] 200");
  }
}

// Outside of [0, N) the last branch runs.
TEST(ConditionalTest, BranchIndex) {
  const std::vector<float> expected = {300, 10, 200, 300, 300};
  for (int32_t index = -1; index < 4; ++index) {
    XlaBuilder b("conditional");
    const XlaComputation f = Times(b, 10), g = Times(b, 100), h = Times(b, 100);
    Conditional(ConstantR0<int32_t>(&b, index), {&f, &g, &h},
                {ConstantR0<float>(&b, 1), ConstantR0<float>(&b, 2),
                 ConstantR0<float>(&b, 3)});
    const Literal result = RunToLiteral(b);
    EXPECT_EQ(result.GetFirstElement<float>(), expected[index + 1]) << index;
  }
}

// "Only one of the computations runs": the other one would never end.
TEST(ConditionalTest, OnlyOneBranchRuns) {
  XlaBuilder b("conditional");
  const std::unique_ptr<XlaBuilder> forever = b.CreateSubBuilder("forever");
  {
    const std::unique_ptr<XlaBuilder> always =
        forever->CreateSubBuilder("always");
    Parameter(always.get(), 0, kF32, "x");
    ConstantR0<bool>(always.get(), true);
    const XlaOp x = Parameter(forever.get(), 0, kF32, "x");
    While(*always->Build(), Times(*forever, 1), x);
  }
  const XlaOp one = ConstantR0<float>(&b, 1);
  Conditional(ConstantR0<bool>(&b, false), one, *forever->Build(), one,
              Times(b, 5));
  EXPECT_EQ(BuildAndRun(b), "f32[] 5");
}

// elem_out <- computation(elem1, elem2, elem3, par1). XlaBuilder no longer has
// an argument for par1: it is one more operand.
TEST(MapTest, ThreeOperandsAndAParameter) {
  XlaBuilder b("map");
  const std::unique_ptr<XlaBuilder> f = b.CreateSubBuilder("f");
  XlaOp p[4];
  for (int i = 0; i < 4; ++i) p[i] = Parameter(f.get(), i, kF32, "p");
  Add(Mul(p[0], p[1]), Mul(p[2], p[3]));
  Map(&b,
      {Constant(b, "f32[2,2] {{1, 2}, {3, 4}}"),
       Constant(b, "f32[2,2] {{5, 6}, {7, 8}}"),
       Constant(b, "f32[2,2] {{1, 0}, {0, 1}}"),
       Broadcast(ConstantR0<float>(&b, 100), {2, 2})},
      *f->Build(), {0, 1});
  EXPECT_EQ(BuildAndRun(b), Text("f32[2,2] {{105, 12}, {21, 132}}"));
}

// T is a tuple of an int32 count and a vector[10]; 1000 iterations add a
// constant vector.
TEST(WhileTest, ThousandIterations) {
  XlaBuilder b("while");
  const Shape t = ShapeUtil::MakeTupleShape(
      {ShapeUtil::MakeShape(S32, {}), ShapeUtil::MakeShape(F32, {10})});
  const std::unique_ptr<XlaBuilder> condition = b.CreateSubBuilder("condition");
  Lt(GetTupleElement(Parameter(condition.get(), 0, t, "result"), 0),
     ConstantR0<int32_t>(condition.get(), 1000));
  const std::unique_ptr<XlaBuilder> body = b.CreateSubBuilder("body");
  const XlaOp result = Parameter(body.get(), 0, t, "result");
  const XlaOp iteration =
      Add(GetTupleElement(result, 0), ConstantR0<int32_t>(body.get(), 1));
  const XlaOp new_vector = Add(GetTupleElement(result, 1),
                               ConstantLiteral(body.get(), Counting({10})));
  Tuple(body.get(), {iteration, new_vector});
  const XlaOp init = Tuple(&b, {ConstantR0<int32_t>(&b, 0),
                                Broadcast(ConstantR0<float>(&b, 0), {10})});
  While(*condition->Build(), *body->Build(), init);
  EXPECT_EQ(BuildAndRun(b),
            Text("(s32[], f32[10]) (1000, {0, 1000, 2000, 3000, 4000, 5000, "
                 "6000, 7000, 8000, 9000})"));
}

TEST(SortTest, ThreeOperandsByTheFirst) {
  XlaBuilder b("sort");
  const std::unique_ptr<XlaBuilder> less = b.CreateSubBuilder("less");
  const XlaOp left = Parameter(less.get(), 0, kF32, "left");
  const XlaOp right = Parameter(less.get(), 1, kF32, "right");
  for (int i = 2; i < 6; ++i) {
    Parameter(less.get(), i, ShapeUtil::MakeShape(i < 4 ? S32 : F32, {}),
              "unused");
  }
  Lt(left, right);
  Sort({Constant(b, "f32[2] {3, 1}"), Constant(b, "s32[2] {42, 50}"),
        Constant(b, "f32[2] {-3, 1.1}")},
       *less->Build());
  EXPECT_EQ(BuildAndRun(b), Text("(f32[2], s32[2], f32[2]) "
                                 "({1, 3}, {50, 42}, {1.1, -3})"));
}

// Dimension 0 sorts columns, 1 rows, and the default is the last.
TEST(SortTest, DimensionsOfAMatrix) {
  XlaBuilder b("sort");
  const XlaOp x = Constant(b, "f32[2,3] {{3, 1, 2}, {0, 5, 1}}");
  const XlaComputation less = CreateScalarComputation(
      "less", F32, &b, [](XlaOp l, XlaOp r) { return Lt(l, r); });
  Tuple(&b, {Sort({x}, less, 0), Sort({x}, less, 1), Sort({x}, less)});
  EXPECT_EQ(BuildAndRun(b), Text("(f32[2,3], f32[2,3], f32[2,3]) ("
                                 "{{0, 1, 1}, {3, 5, 2}}, "
                                 "{{1, 2, 3}, {0, 1, 5}}, "
                                 "{{1, 2, 3}, {0, 1, 5}})"));
}

TEST(ElementwiseBinaryTest, EachOp) {
  XlaBuilder b("binary");
  const XlaOp x = Constant(b, "s32[4] {7, -7, 7, -7}");
  const XlaOp y = Constant(b, "s32[4] {2, 2, -2, -2}");
  const XlaOp p = Constant(b, "pred[4] {true, true, false, false}");
  const XlaOp q = Constant(b, "pred[4] {true, false, true, false}");
  Tuple(&b, {Add(x, y), Sub(x, y), Mul(x, y), Div(x, y), Rem(x, y), Max(x, y),
             Min(x, y), LogicalAnd(p, q), LogicalOr(p, q)});
  EXPECT_EQ(BuildAndRun(b),
            Text("(s32[4], s32[4], s32[4], s32[4], s32[4], s32[4], s32[4], "
                 "pred[4], pred[4]) ({9, -5, 5, -9}, {5, -9, 9, -5}, "
                 "{14, -14, -14, 14}, {3, -3, -3, 3}, {1, -1, 1, -1}, "
                 "{7, 2, 7, -2}, {2, -7, -2, -7}, "
                 "{true, false, false, false}, {true, true, true, false})"));
}

// -NaN < -Inf < -Finite < -0 < +0 < +Finite < +Inf < +NaN.
TEST(ElementwiseComparisonTest, TotalOrder) {
  XlaBuilder b("compare");
  const XlaOp x = Constant(b, "f32[7] {-nan, -inf, -1, -0, 0, 1, inf}");
  const XlaOp y = Constant(b, "f32[7] {-inf, -1, -0, 0, 1, inf, nan}");
  const XlaOp all = Constant(b, "pred[] true");
  const XlaComputation conjunction = CreateScalarAndComputation(PRED, &b);
  const auto holds = [&](XlaOp relation) {
    return ReduceAll(relation, all, conjunction);
  };
  Tuple(&b, {holds(LtTotalOrder(x, y)), holds(LeTotalOrder(x, y)),
             holds(NeTotalOrder(x, y)), holds(GtTotalOrder(y, x)),
             holds(GeTotalOrder(y, x)), holds(EqTotalOrder(x, x)),
             holds(Lt(x, y)), holds(Eq(x, x))});
  EXPECT_EQ(BuildAndRun(b),
            Text("(pred[], pred[], pred[], pred[], pred[], pred[], pred[], "
                 "pred[]) (true, true, true, true, true, true, false, "
                 "false)"));
}

TEST(ElementwiseUnaryTest, EachExactOp) {
  XlaBuilder b("unary");
  const XlaOp x = Constant(b, "f32[4] {2.5, -2.5, 0.5, -1}");
  Tuple(&b, {Abs(x), Ceil(x), Floor(x), Neg(x), Round(x), RoundNearestEven(x),
             Sign(x), Real(x), Imag(x), IsFinite(x),
             PopulationCount(Constant(b, "u8[4] {0, 1, 6, 255}")),
             LogicalNot(Constant(b, "pred[2] {true, false}"))});
  EXPECT_EQ(
      BuildAndRun(b),
      Text("(f32[4], f32[4], f32[4], f32[4], f32[4], f32[4], f32[4], f32[4], "
           "f32[4], pred[4], u8[4], pred[2]) ({2.5, 2.5, 0.5, 1}, "
           "{3, -2, 1, -1}, {2, -3, 0, -1}, {-2.5, 2.5, -0.5, 1}, "
           "{3, -3, 1, -1}, {2, -2, 0, -1}, {1, -1, 1, -1}, "
           "{2.5, -2.5, 0.5, -1}, {0, 0, 0, 0}, {true, true, true, true}, "
           "{0, 1, 2, 8}, {false, true})"));
}

TEST(ElementwiseUnaryTest, EachFunction) {
  XlaBuilder b("unary");
  const XlaOp x = Constant(b, "f64[2] {0.25, 4}");
  Tuple(&b, {Cos(x), Exp(x), Log(x), Logistic(x), Rsqrt(x), Sqrt(x), Cbrt(x),
             Tanh(x)});
  const Literal result = RunToLiteral(b);
  for (int64_t i : {0, 1}) {
    const double v = i == 0 ? 0.25 : 4;
    const double expected[] = {
        std::cos(v),      std::exp(v),  std::log(v),  1 / (1 + std::exp(-v)),
        1 / std::sqrt(v), std::sqrt(v), std::cbrt(v), std::tanh(v)};
    for (int64_t op = 0; op < 8; ++op) {
      EXPECT_NEAR(result.Get<double>({i}, {op}), expected[op], 1e-12) << op;
    }
  }
}

// The document's function, with z completed.
void MyFunc(void* out, void** in) {
  float(&x)[2] = *static_cast<float(*)[2]>(in[0]);
  float(&y)[2][3] = *static_cast<float(*)[2][3]>(in[1]);
  EXPECT_EQ(1, x[0]);
  EXPECT_EQ(2, x[1]);
  EXPECT_EQ(10, y[0][0]);
  EXPECT_EQ(20, y[0][1]);
  EXPECT_EQ(30, y[0][2]);
  EXPECT_EQ(40, y[1][0]);
  EXPECT_EQ(50, y[1][1]);
  EXPECT_EQ(60, y[1][2]);
  float(&z)[3][3] = *static_cast<float(*)[3][3]>(out);
  std::memset(z, 0, sizeof(z));
  z[0][0] = x[1] + y[1][0];
}
XLA_CPU_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM("spec_myfunc", MyFunc);

TEST(CustomCallTest, FunctionOfTheDocument) {
  XlaBuilder b("custom_call");
  CustomCall(&b, "spec_myfunc",
             {Constant(b, "f32[2] {1, 2}"),
              Constant(b, "f32[2,3] {{10, 20, 30}, {40, 50, 60}}")},
             ShapeUtil::MakeShape(F32, {3, 3}));
  EXPECT_EQ(BuildAndRun(b),
            Text("f32[3,3] {{42, 0, 0}, {0, 0, 0}, {0, 0, 0}}"));
}

// result1 = while(condition, init_value) { Infeed(shape) } result2 =
// while(condition, result1) { Infeed(shape) } The loops are in a total order,
// so the second one continues where the first one stopped: at a value that is
// not positive.
TEST(InfeedTest, LoopsOrderTheInfeeds) {
  XlaBuilder b("infeed");
  const auto loop = [&](XlaOp init, float bound) {
    const std::unique_ptr<XlaBuilder> condition = b.CreateSubBuilder("less");
    Lt(Parameter(condition.get(), 0, kF32, "x"),
       ConstantR0<float>(condition.get(), bound));
    const std::unique_ptr<XlaBuilder> body = b.CreateSubBuilder("body");
    Parameter(body.get(), 0, kF32, "x");
    Infeed(body.get(), kF32);
    return While(*condition->Build(), *body->Build(), init);
  };
  const XlaOp result1 = loop(ConstantR0<float>(&b, 0), 10);
  const XlaOp result2 = loop(result1, 100);
  Tuple(&b, {result1, result2});
  TransferQueues queues;
  for (float value : {1, 2, 30, 40, 500, 6}) {
    queues.TransferToInfeed(LiteralUtil::CreateR0<float>(value));
  }
  ReplicatedOptions options;
  options.queues = {&queues};
  EXPECT_THAT(RunOnDevices(b, options),
              ElementsAre(Text("(f32[], f32[]) (30, 500)")));
}

TEST(InfeedTest, TheEmptyTupleReadsNothing) {
  XlaBuilder b("infeed");
  Infeed(&b, ShapeUtil::MakeTupleShape({}));
  EXPECT_EQ(BuildAndRun(b), Text("() ()"));
}

TEST(OptimizationBarrierTest, PassesItsInputs) {
  XlaBuilder b("barrier");
  OptimizationBarrier(Tuple(&b, {Constant(b, "f32[2] {1, 2}")}));
  EXPECT_EQ(BuildAndRun(b), Text("(f32[2]) ({1, 2})"));
}

// exponent_bits, mantissa_bits: "ties to even", infinity beyond the range.
TEST(ReducePrecisionTest, HalfPrecision) {
  XlaBuilder b("reduce_precision");
  ReducePrecision(Constant(b,
                           "f32[4] {1.00048828125, 1.00146484375, 65504, "
                           "-65520}"),
                  /*exponent_bits=*/5, /*mantissa_bits=*/10);
  EXPECT_EQ(BuildAndRun(b), Text("f32[4] {1, 1.001953125, 65504, -inf}"));
}

TEST(ReducePrecisionTest, NeedsAnExponent) {
  XlaBuilder b("reduce_precision");
  ReducePrecision(Constant(b, "f32[1] {1}"), 0, 10);
  EXPECT_THAT(BuildAndRun(b), HasSubstr("(reduce_precision_c"));
}

// "A deterministic function of the initial state", which it returns updated.
TEST(RngBitGeneratorTest, FollowsFromTheState) {
  std::string texts[2];
  for (std::string& text : texts) {
    XlaBuilder b("rng");
    RngBitGenerator(RandomAlgorithm::RNG_THREE_FRY,
                    Constant(b, "u64[2] {1311768467463790320, 3}"),
                    ShapeUtil::MakeShape(U32, {4}));
    text = BuildAndRun(b);
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_THAT(texts[0], HasSubstr("{1311768467463790320, 5}"));
}

// Uniform numbers are in [a, b), and normal ones have the given mean.
TEST(RngTest, UniformAndNormal) {
  XlaBuilder b("rng");
  const Shape shape = ShapeUtil::MakeShape(F32, {4096});
  Tuple(
      &b,
      {RngUniform(ConstantR0<float>(&b, 2), ConstantR0<float>(&b, 5), shape),
       RngNormal(ConstantR0<float>(&b, 10), ConstantR0<float>(&b, 2), shape)});
  const Literal result = RunToLiteral(b);
  double mean[2] = {0, 0};
  double variance = 0;
  for (int64_t i = 0; i < 4096; ++i) {
    const float uniform = result.Get<float>({i}, {0});
    EXPECT_GE(uniform, 2);
    EXPECT_LT(uniform, 5);
    mean[0] += uniform / 4096;
    const float normal = result.Get<float>({i}, {1});
    mean[1] += normal / 4096;
    variance += (normal - 10) * (normal - 10) / 4096;
  }
  EXPECT_NEAR(mean[0], 3.5, 0.1);
  EXPECT_NEAR(mean[1], 10, 0.2);
  EXPECT_NEAR(variance, 4, 0.5);
}

}  // namespace
}  // namespace xla::spec
