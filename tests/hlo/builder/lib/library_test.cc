// Constants, scalar computations, loops, tuples, broadcasts, slices, sorting.
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/lib/arguments.h"
#include "tests/hlo/builder/lib/evaluate.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/broadcast.h"
#include "xla/hlo/builder/lib/comparators.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/lib/slicing.h"
#include "xla/hlo/builder/lib/sorting.h"
#include "xla/hlo/builder/lib/tuple.h"

namespace xla {
namespace {

using Ops = absl::Span<const XlaOp>;

// Returns the text of the constant that `make` makes.
std::string Text(const std::function<XlaOp(XlaBuilder*)>& make) {
  return RunToText([&](XlaBuilder* b, Ops) { return make(b); });
}

TEST(ConstantsTest, OfTypesKnownAtRunTime) {
  auto with = [](PrimitiveType type, auto value) {
    return Text(
        [=](XlaBuilder* b) { return ConstantR0WithType(b, type, value); });
  };
  EXPECT_EQ(with(F32, 1.5), "1.5");
  EXPECT_EQ(with(BF16, 1), "1");
  EXPECT_EQ(with(C64, 2.5), "(2.5, 0)");
  EXPECT_EQ(with(C128, complex64(1, 2)), "(1, 2)");
  EXPECT_EQ(with(U8, -1), "255");
  EXPECT_EQ(with(S8, 200u), "-56");
  EXPECT_EQ(with(S4, 9), "-7");
  EXPECT_EQ(with(PRED, 2), "true");
  EXPECT_EQ(with(U64, ~uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(with(F64, half(0.5)), "0.5");
}

TEST(ConstantsTest, LikeOthers) {
  const Arguments x = Of(LiteralUtil::CreateR1<int8_t>({1, 2}));
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, Ops p) {
                  return Add(FullLike(p[0], 3), ScalarLike(p[0], 4));
                },
                x),
            "{7, 7}");
  EXPECT_EQ(RunToText([](XlaBuilder*, Ops p) { return ZerosLike(p[0]); }, x),
            "{0, 0}");
  EXPECT_EQ(Text([](XlaBuilder* b) {
              return Zeros(b, ShapeUtil::MakeShape(F32, {2}));
            }),
            "{0, 0}");
  EXPECT_EQ(Text([](XlaBuilder* b) { return Zero(b, F16); }), "0");
  EXPECT_EQ(Text([](XlaBuilder* b) { return One(b, C64); }), "(1, 0)");
}

TEST(ConstantsTest, Limits) {
  auto limit = [](XlaOp (*f)(XlaBuilder*, PrimitiveType), PrimitiveType type) {
    return Text([=](XlaBuilder* b) { return f(b, type); });
  };
  EXPECT_EQ(limit(Epsilon, F16), "0.00097656");
  EXPECT_EQ(limit(Epsilon, F64), "2.2204460492503131e-16");
  EXPECT_EQ(limit(MinPositiveNormalValue, BF16), "1.175e-38");
  EXPECT_EQ(limit(MinValue, F32), "-inf");
  EXPECT_EQ(limit(MinValue, S8), "-128");
  EXPECT_EQ(limit(MaxValue, F16), "inf");
  EXPECT_EQ(limit(MaxValue, U16), "65535");
  EXPECT_EQ(limit(MinFiniteValue, F16), "-65504");
  EXPECT_EQ(limit(MaxFiniteValue, F8E4M3FN), "448");
  EXPECT_EQ(limit(MaxFiniteValue, S32), "2147483647");
  EXPECT_EQ(limit(NanValue, F32), "nan");
}

TEST(ConstantsTest, Rules) {
  auto breaks = [](const char* rule, std::function<XlaOp(XlaBuilder*)> make) {
    ExpectBreaks(rule, [&](XlaBuilder* b, Ops) { return make(b); });
  };
  breaks("constant_r0_c1", [](XlaBuilder* b) { return Zero(b, TUPLE); });
  breaks("constant_r0_c2",
         [](XlaBuilder* b) { return ConstantR0WithType(b, S32, 1.5); });
  breaks("constant_r0_c2", [](XlaBuilder* b) {
    return ConstantR0WithType(b, F32, complex64(1, 2));
  });
  XlaBuilder b("casts");
  ConstantR0WithType(&b, S32, 4.5);
  EXPECT_THAT(std::string(b.first_error().message()),
              ::testing::HasSubstr("Invalid cast"));
  breaks("limit_c1", [](XlaBuilder* b) { return Epsilon(b, S32); });
  breaks("limit_c1", [](XlaBuilder* b) { return MinValue(b, C64); });
  breaks("limit_c1", [](XlaBuilder* b) { return NanValue(b, PRED); });
  breaks("full_like_c1", [](XlaBuilder* b) {
    return constants_internal::Fill(Tuple(b, {}), One(b, F32));
  });
}

TEST(ArithmeticTest, ScalarComputations) {
  const Arguments x = Of(LiteralUtil::CreateR1<int32_t>({3, 1, 2}));
  auto reduced = [&](XlaComputation (*f)(PrimitiveType, XlaBuilder*),
                     int init) {
    return RunToText(
        [=](XlaBuilder* b, Ops p) {
          return ReduceAll(p[0], ScalarLike(p[0], init), f(S32, b));
        },
        x);
  };
  EXPECT_EQ(reduced(CreateScalarAddComputation, 0), "6");
  EXPECT_EQ(reduced(CreateScalarMultiplyComputation, 1), "6");
  EXPECT_EQ(reduced(CreateScalarMaxComputation, 0), "3");
  EXPECT_EQ(reduced(CreateScalarMinComputation, 9), "1");
  EXPECT_EQ(reduced(CreateScalarAndComputation, -1), "0");
  EXPECT_EQ(reduced(CreateScalarOrComputation, 0), "3");
  EXPECT_EQ(reduced(CreateScalarIdentityWithZeroComputation, 0), "6");
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  return Sort({p[0]}, CreateScalarGeComputation(S32, b));
                },
                x),
            "{3, 2, 1}");
}

TEST(ArithmeticTest, Any) {
  const Arguments x = Of(LiteralUtil::CreateR1<bool>({false, true}));
  EXPECT_EQ(RunToText([](XlaBuilder*, Ops p) { return Any(p[0]); }, x), "true");
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return Any(And(p[0], Not(p[0]))); },
                x),
      "false");
}

TEST(ArithmeticTest, ArgMinMax) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const Arguments x = Of(LiteralUtil::CreateR2<float>(
      {{1, 5, 5, 0}, {2, nan, 9, nan}, {-inf, -inf, -inf, -inf}}));
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return ArgMax(p[0], S32, 1); }, x),
      "{1, 1, 0}");
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return ArgMin(p[0], S64, 1); }, x),
      "{3, 1, 0}");
  EXPECT_EQ(
      RunToText([](XlaBuilder*,
                   Ops p) { return ArgMinMax(p[0], S8, 0, /*is_min=*/true); },
                x),
      "{2, 1, 2, 1}");
  ExpectBreaks(
      "arg_min_max_c1", [](XlaBuilder*, Ops p) { return ArgMax(p[0], S32, 2); },
      x);
}

TEST(ComparatorsTest, TotalOrder) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Arguments x = Of(LiteralUtil::CreateR1<float>({nan, 0.0f, -0.0f, -1}));
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  return Sort({p[0]}, CreateScalarLtComputation({F32}, b));
                },
                x),
            "{-1, -0, 0, nan}");
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  return Sort({p[0]}, CreateScalarGtComputation({F32}, b));
                },
                x),
            "{nan, 0, -0, -1}");
}

TEST(ComparatorsTest, SeveralKeys) {
  const Arguments x = Of(LiteralUtil::CreateR1<int32_t>({1, 2, 1, 2}),
                         LiteralUtil::CreateR1<int32_t>({5, 6, 7, 8}));
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  return GetTupleElement(
                      Sort({p[0], p[1]}, CreateScalarComparisonComputation(
                                             "compare", {S32, S32},
                                             {LtTotalOrder, GtTotalOrder}, b)),
                      1);
                },
                x),
            "{7, 5, 8, 6}");
  ExpectBreaks(
      "comparator_c1",
      [](XlaBuilder* b, Ops p) {
        return Sort({p[0]}, CreateScalarComparisonComputation(
                                "compare", {S32}, {std::nullopt}, b));
      },
      x);
}

// As XLA has it: select(eq of the first, lt of the second, lt of the first),
// and nothing that is not used.
TEST(ComparatorsTest, AreSelects) {
  XlaBuilder builder("test");
  const auto compare = [&](std::vector<PrimitiveType> types) {
    return CreateScalarComparisonComputation(
               "compare", types,
               std::vector<std::optional<XlaOp (*)(
                   XlaOp, XlaOp, absl::Span<const int64_t>)>>(types.size(),
                                                              LtTotalOrder),
               &builder)
        .proto()
        .computations(0);
  };
  EXPECT_EQ(compare({U16}).instructions_size(), 3);
  EXPECT_EQ(compare({U16, U32, S8}).instructions_size(), 6 + 3 + 3 + 2);
  const HloComputationProto two = compare({U16, U32});
  EXPECT_EQ(two.instructions_size(), 4 + 3 + 1);
  const auto at = [&](int64_t id) -> const HloInstructionProto& {
    return two.instructions().at(static_cast<int>(id - 1));
  };
  const HloInstructionProto& root = at(two.root_id());
  EXPECT_EQ(root.opcode(), "select");
  const auto expect_compare = [&](int i, const char* direction, int lhs) {
    const HloInstructionProto& op = at(root.operand_ids(i));
    EXPECT_EQ(op.comparison_direction(), direction);
    EXPECT_EQ(at(op.operand_ids(0)).parameter_number(), lhs);
    EXPECT_EQ(at(op.operand_ids(1)).parameter_number(), lhs + 1);
  };
  expect_compare(0, "EQ", 0);
  expect_compare(1, "LT", 2);
  expect_compare(2, "LT", 0);
}

TEST(LoopsTest, ForEachIndex) {
  // Computes factorials: (i, f) -> f (i + 1).
  EXPECT_EQ(Text([](XlaBuilder* b) {
              return ForEachIndex(
                         5, S32,
                         [](XlaOp i, Ops v,
                            XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
                           return std::vector<XlaOp>{
                               Mul(v[0], Add(i, ScalarLike(i, 1)))};
                         },
                         {ConstantR0<int32_t>(b, 1)}, "factorial", b)
                  .value()[0];
            }),
            "120");
}

TEST(LoopsTest, WhileLoop) {
  EXPECT_EQ(
      Text([](XlaBuilder* b) {
        return WhileLoopHelper(
                   [](Ops v, XlaBuilder*) -> absl::StatusOr<XlaOp> {
                     return Lt(v[0], v[1]);
                   },
                   [](Ops v,
                      XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
                     return std::vector<XlaOp>{Add(v[0], v[0]), v[1]};
                   },
                   {ConstantR0<int32_t>(b, 1), ConstantR0<int32_t>(b, 100)},
                   "double", b)
            .value()[0];
      }),
      "128");
}

TEST(BroadcastTest, BroadcastTo) {
  const Arguments x = Of(LiteralUtil::CreateR2<int32_t>({{1, 2}}));
  auto to = [&](std::vector<int64_t> dims) {
    return RunToText(
        [=](XlaBuilder*, Ops p) { return BroadcastTo(p[0], dims).value(); }, x);
  };
  EXPECT_EQ(to({1, 2}), "{ { 1, 2 } }");
  EXPECT_EQ(to({2, 2}), "{ { 1, 2 }, { 1, 2 } }");
  EXPECT_EQ(to({1, 4}), "{ { 1, 2, 1, 2 } }");
  EXPECT_EQ(to({2, 1, 2}), "{ { { 1, 2 } }, { { 1, 2 } } }");
  ExpectBreaks(
      "broadcast_to_c1",
      [](XlaBuilder* b, Ops p) {
        return b->ReportErrorOrReturn(BroadcastTo(p[0], {1, 3}));
      },
      x);
}

TEST(TupleTest, ApartAndTogether) {
  const Arguments x =
      Of(LiteralUtil::CreateR0<int32_t>(1), LiteralUtil::CreateR0<int32_t>(2));
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  XlaOp nested = Tuple(b, {p[0], Tuple(b, {p[1], p[0]})});
                  ShapeTree<XlaOp> tree = DisassembleTuple(nested).value();
                  std::swap(*tree.mutable_element({0}),
                            *tree.mutable_element({1, 0}));
                  return AssembleTuple(b, std::move(tree));
                },
                x),
            "( 2, ( 1, 1 ) )");
}

Arguments Cube() {
  Literal cube(ShapeUtil::MakeShape(S32, {2, 2, 3}));
  for (int i = 0; i < 12; ++i) cube.data<int32_t>()[i] = i;
  return Of(std::move(cube));
}

TEST(SlicingTest, MinorDims) {
  EXPECT_EQ(
      RunToText([](XlaBuilder*,
                   Ops p) { return SliceInMinorDims(p[0], {1, 1}, {2, 3}); },
                Cube()),
      "{ { { 4, 5 } }, { { 10, 11 } } }");
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  return DynamicSliceInMinorDims(
                      p[0], {ConstantR0<int32_t>(b, 1)}, {2});
                },
                Cube()),
            "{ { { 1, 2 }, { 4, 5 } }, { { 7, 8 }, { 10, 11 } } }");
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  XlaOp update = Zeros(b, ShapeUtil::MakeShape(S32, {2, 1, 2}));
                  return UpdateSliceInMinorDims(p[0], update, {0, 1});
                },
                Cube()),
            "{ { { 0, 0, 0 }, { 3, 4, 5 } }, { { 6, 0, 0 }, { 9, 10, 11 } } }");
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  XlaOp update = Zeros(b, ShapeUtil::MakeShape(S32, {2, 2, 1}));
                  return DynamicUpdateSliceInMinorDims(
                      p[0], update, {ConstantR0<int32_t>(b, 2)});
                },
                Cube()),
            "{ { { 0, 1, 0 }, { 3, 4, 0 } }, { { 6, 7, 0 }, { 9, 10, 0 } } }");
  ExpectBreaks(
      "minor_dims_c1",
      [](XlaBuilder*, Ops p) {
        return SliceInMinorDims(p[0], {0, 0, 0, 0}, {1, 1, 1, 1});
      },
      Cube());
}

TEST(SlicingTest, UpdateAndStrides) {
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  XlaOp update = Zeros(b, ShapeUtil::MakeShape(S32, {1, 1, 3}));
                  return UpdateSlice(p[0], update, {1, 0, 0});
                },
                Cube()),
            "{ { { 0, 1, 2 }, { 3, 4, 5 } }, { { 0, 0, 0 }, { 9, 10, 11 } } }");
  EXPECT_EQ(RunToText(
                [](XlaBuilder* b, Ops p) {
                  XlaOp zero = ConstantR0<int32_t>(b, 0);
                  return DynamicStridedSlice(p[0], {zero, zero, zero},
                                             {2, 2, 3}, {1, 2, 2});
                },
                Cube()),
            "{ { { 0, 2 } }, { { 6, 8 } } }");
}

TEST(SlicingTest, TorchGatherAndScatter) {
  const Arguments x = Of(LiteralUtil::CreateR2<int32_t>({{1, 2, 3}, {4, 5, 6}}),
                         LiteralUtil::CreateR2<int32_t>({{2, 0}, {1, 1}}),
                         LiteralUtil::CreateR2<int8_t>({{1, 0, 1}}),
                         LiteralUtil::CreateR2<int32_t>({{10, 20}, {30, 40}}));
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return TorchGather(p[0], p[1], 1); },
                x),
      "{ { 3, 1 }, { 5, 5 } }");
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, Ops p) {
                  return TorchGather(p[0], p[2], 0, /*sparse=*/false);
                },
                x),
            "{ { 4, 2, 6 } }");
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, Ops p) {
                  return TorchScatterDense(
                      p[0], p[1], p[3], 1,
                      [](XlaOp a, XlaOp b) { return Add(a, b); });
                },
                x),
            "{ { 21, 2, 13 }, { 4, 75, 6 } }");
  ExpectBreaks(
      "torch_c1", [](XlaBuilder*, Ops p) { return TorchGather(p[0], p[1], 2); },
      x);
}

TEST(SlicingTest, TorchIndexSelect) {
  Arguments x = Cube();
  x.push_back(LiteralUtil::CreateR1<int32_t>({2, 0}));
  x.push_back(LiteralUtil::CreateR2<int32_t>({{1}, {0}}));
  EXPECT_EQ(RunToText([](XlaBuilder*,
                         Ops p) { return TorchIndexSelect(p[0], p[1], 2); },
                      x),
            "{ { { 2, 0 }, { 5, 3 } }, { { 8, 6 }, { 11, 9 } } }");
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, Ops p) {
                  return TorchIndexSelect(p[0], p[2], 1, /*batch_dims=*/1);
                },
                x),
            "{ { { 3, 4, 5 } }, { { 6, 7, 8 } } }");
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, Ops p) {
                  return TorchIndexSelect(p[0], p[2], 2, /*batch_dims=*/1);
                },
                x),
            "{ { {1}, {4} }, { {6}, {9} } }");
  ExpectBreaks(
      "torch_c1",
      [](XlaBuilder*, Ops p) { return TorchIndexSelect(p[0], p[1], 3); }, x);
  // Nothing can be selected from an empty array, by any number of indices.
  Arguments empty = Of(Literal(ShapeUtil::MakeShape(S32, {0, 2})));
  empty.push_back(LiteralUtil::CreateR1<int32_t>({5}));
  EXPECT_EQ(RunToText([](XlaBuilder*,
                         Ops p) { return TorchIndexSelect(p[0], p[1], 0); },
                      empty),
            "{ { 0, 0 } }");
}

TEST(SortingTest, TopK) {
  const Arguments x = Of(
      LiteralUtil::CreateR2<float>({{1, 7, 3, 7, 5, 2}, {0, 1, 2, 3, 4, 5}}));
  for (int64_t parts : {1, 2, 3, 100}) {
    EXPECT_EQ(
        RunToText([=](XlaBuilder*,
                      Ops p) { return TopKWithPartitions(p[0], 2, parts); },
                  x),
        "( { { 7, 7 }, { 5, 4 } }, { { 1, 3 }, { 5, 4 } } )")
        << parts;
  }
  EXPECT_EQ(
      RunToText([](XlaBuilder*,
                   Ops p) { return GetTupleElement(TopK(p[0], 1, S8), 1); },
                x),
      "{ {1}, {5} }");
  ExpectBreaks("top_k_c1", [](XlaBuilder*, Ops p) { return TopK(p[0], 7); }, x);
}

}  // namespace
}  // namespace xla
