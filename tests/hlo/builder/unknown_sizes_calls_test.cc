// Dimensions without a bound: windows, products, reductions, devices, calls.
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "tests/hlo/builder/shape_rows.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

TEST(UnknownSizesCallsTest, GatherAndScatter) {
  GatherDimensionNumbers gather;
  gather.add_offset_dims(2);
  gather.add_offset_dims(3);
  gather.add_collapsed_slice_dims(0);
  gather.add_start_index_map(1);
  gather.add_start_index_map(0);
  gather.set_index_vector_dim(2);
  ScatterDimensionNumbers scatter;
  scatter.add_update_window_dims(2);
  scatter.add_update_window_dims(3);
  scatter.add_inserted_window_dims(0);
  scatter.add_scatter_dims_to_operand_dims(1);
  scatter.add_scatter_dims_to_operand_dims(0);
  scatter.set_index_vector_dim(2);
  const auto gathered = [&](std::vector<int64_t> sizes) {
    return [=](XlaBuilder&, const Ops& p) {
      return Gather(p[0], p[1], gather, sizes);
    };
  };
  ExpectShapes({
      {"gather of known sizes",
       {"f32[3,4,2]", "s32[?,?,?]"},
       gathered({1, 2, 2}),
       "f32[?,?,2,2]"},
      {"gather of unknown sizes",
       {"f32[?,?,2]", "s32[5,?,2]"},
       gathered({1, 2, 2}),
       "f32[5,?,2,2]"},
      {"scatter",
       {"f32[?,?,?]", "s32[?,?,?]", "f32[?,?,?,?]"},
       [&](XlaBuilder&, const Ops& p) {
         return Scatter(p[0], p[1], p[2], ScalarAdd(), scatter);
       },
       "f32[?,?,?]"},
  });
  ExpectErrors({{"gather of a negative size",
                 {"f32[?,4,2]", "s32[?,?,?]"},
                 gathered({-1, 2, 2}),
                 "(gather_c11)"}});
}

ConvolutionDimensionNumbers BatchFirstFeaturesLast() {
  ConvolutionDimensionNumbers numbers;
  numbers.set_input_batch_dimension(0);
  numbers.set_output_batch_dimension(0);
  numbers.set_input_feature_dimension(3);
  numbers.set_output_feature_dimension(3);
  numbers.set_kernel_input_feature_dimension(2);
  numbers.set_kernel_output_feature_dimension(3);
  for (int i = 0; i < 2; ++i) {
    numbers.add_input_spatial_dimensions(1 + i);
    numbers.add_output_spatial_dimensions(1 + i);
    numbers.add_kernel_spatial_dimensions(i);
  }
  return numbers;
}

TEST(UnknownSizesCallsTest, ProductsAndWindows) {
  DotDimensionNumbers batched;
  batched.add_lhs_contracting_dimensions(2);
  batched.add_rhs_contracting_dimensions(1);
  batched.add_lhs_batch_dimensions(0);
  batched.add_rhs_batch_dimensions(0);
  const auto conv = [](std::vector<int64_t> strides, Padding padding) {
    return [=](XlaBuilder&, const Ops& p) {
      return ConvWithGeneralDimensions(p[0], p[1], strides, padding,
                                       BatchFirstFeaturesLast());
    };
  };
  const auto reduce_window = [](std::vector<int64_t> strides, Padding padding) {
    return [=](XlaBuilder&, const Ops& p) {
      return ReduceWindow(p[0], p[1], ScalarAdd(), {1, 2, 4}, strides, padding);
    };
  };
  const auto select_and_scatter = [](std::vector<int64_t> strides,
                                     Padding padding) {
    return [=](XlaBuilder&, const Ops& p) {
      return SelectAndScatter(p[0], ScalarLess(), {3, 1}, strides, padding,
                              p[1], p[2], ScalarAdd());
    };
  };
  const std::string input = "f32[?,2,?,128]", kernel = "f32[2,2,<=128,8]";
  ExpectShapes({
      {"dot",
       {"f32[?,10]", "f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return Dot(p[0], p[1]); },
       "f32[?,10]"},
      {"dot_general",
       {"f32[?,<=3,?]", "f32[2,4,5]"},
       [&](XlaBuilder&, const Ops& p) {
         return DotGeneral(p[0], p[1], batched);
       },
       "f32[?,<=3,5]"},
      {"conv", {input, kernel}, conv({1, 1}, Padding::kValid), "f32[?,1,?,8]"},
      {"conv with strides",
       {input, kernel},
       conv({1, 2}, Padding::kValid),
       "f32[?,1,?,8]"},
      {"conv that is padded",
       {input, kernel},
       conv({1, 1}, Padding::kSame),
       "f32[?,2,?,8]"},
      {"reduce_window",
       {"f32[?,4,8]", "f32[]"},
       reduce_window({1, 1, 1}, Padding::kValid),
       "f32[?,3,5]"},
      {"reduce_window that is padded",
       {"f32[?,4,8]", "f32[]"},
       reduce_window({1, 2, 2}, Padding::kSame),
       "f32[?,2,4]"},
      {"reduce_window that needs no padding",
       {"f32[?,4,8]", "f32[]"},
       reduce_window({3, 1, 1}, Padding::kSame),
       "f32[?,4,8]"},
      {"select_and_scatter",
       {"f32[?,10]", "f32[?,10]", "f32[]"},
       select_and_scatter({2, 1}, Padding::kValid),
       "f32[?,10]"},
  });
  ExpectErrors({
      {"conv", {input, kernel}, conv({1, 2}, Padding::kSame), "(padding_c4)"},
      {"reduce_window",
       {"f32[4,?,8]", "f32[]"},
       reduce_window({1, 2, 1}, Padding::kSame),
       "(padding_c4)"},
      {"select_and_scatter",
       {"f32[?,10]", "f32[?,10]", "f32[]"},
       select_and_scatter({2, 1}, Padding::kSame),
       "(padding_c4)"},
  });
}

TEST(UnknownSizesCallsTest, FunctionsOfTheLibrary) {
  const auto unary = [](XlaOp (*make)(XlaOp)) {
    return [=](XlaBuilder&, const Ops& p) { return make(p[0]); };
  };
  const auto arg_max = [](int axis) {
    return [=](XlaBuilder&, const Ops& p) { return ArgMax(p[0], S32, axis); };
  };
  ExpectShapes({
      {"zeros_like", {"f32[?,4]"}, unary(ZerosLike), "f32[?,4]"},
      {"erfc", {"f32[?]"}, unary(Erfc), "f32[?]"},
      {"lgamma", {"f32[2,?]"}, unary(Lgamma), "f32[2,?]"},
      {"erf_inv", {"f64[?,?]"}, unary(ErfInv), "f64[?,?]"},
      {"bessel_i0e", {"f32[?,<=2]"}, unary(BesselI0e), "f32[?,<=2]"},
      {"zeta",
       {"f32[?]"},
       [](XlaBuilder&, const Ops& p) { return Zeta(p[0], p[0]); },
       "f32[?]"},
      {"arg_max", {"f32[?,3]"}, arg_max(1), "s32[?]"},
  });
  ExpectErrors({{"arg_max", {"f32[?,3]"}, arg_max(0), "(iota_c1)"}});
}

TEST(UnknownSizesCallsTest,
     PaddingOfAnUnknownSizeIsThatOfAMultipleOfTheStride) {
  using Amounts = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(
      MakePadding({Shape::kUnboundedSize, 6}, {3, 3}, {2, 2}, Padding::kSame),
      (Amounts{{0, 1}, {0, 1}}));
  EXPECT_EQ(MakePadding({Shape::kUnboundedSize}, {3}, {2}, Padding::kValid),
            (Amounts{{0, 0}}));
}

XlaComputation ThreeSums() {
  XlaBuilder b("sums");
  Ops x;
  for (int i = 0; i < 6; ++i) {
    x.push_back(Parameter(&b, i, ShapeUtil::MakeShape(F32, {}), "x"));
  }
  Tuple(&b, {Add(x[0], x[3]), Add(x[1], x[4]), Add(x[2], x[5])});
  return *b.Build();
}

TEST(UnknownSizesCallsTest, Reductions) {
  ExpectShapes({
      {"reduce",
       {"f32[7,5]", "f32[?,5]", "f32[7,?]", "f32[]"},
       [](XlaBuilder& b, const Ops& p) {
         return Reduce(&b, {p[0], p[1], p[2]}, {p[3], p[3], p[3]}, ThreeSums(),
                       {1});
       },
       "(f32[7], f32[7], f32[7])"},
      {"reduce_all",
       {"f32[?,5]", "f32[]"},
       [](XlaBuilder&, const Ops& p) {
         return ReduceAll(p[0], p[1], ScalarAdd());
       },
       "f32[]"},
      {"map",
       {"f32[2,?,?]", "f32[?,3,?]"},
       [](XlaBuilder& b, const Ops& p) {
         return Map(&b, p, ScalarAdd(), {0, 1, 2});
       },
       "f32[2,?,?]"},
      {"batch_norm_training",
       {"f32[?,?,7]", "f32[5]", "f32[5]"},
       [](XlaBuilder&, const Ops& p) {
         return BatchNormTraining(p[0], p[1], p[2], 1, 1);
       },
       "(f32[?,?,7], f32[?], f32[?])"},
      {"batch_norm_inference",
       {"f32[?,?,7]", "f32[5]", "f32[5]", "f32[5]", "f32[5]"},
       [](XlaBuilder&, const Ops& p) {
         return BatchNormInference(p[0], p[1], p[2], p[3], p[4], 1, 1);
       },
       "f32[?,?,7]"},
      {"batch_norm_grad",
       {"f32[?,?,7]", "f32[5]", "f32[?]", "f32[?]", "f32[5,?,7]"},
       [](XlaBuilder&, const Ops& p) {
         return BatchNormGrad(p[0], p[1], p[2], p[3], p[4], 1, 1);
       },
       "(f32[?,?,7], f32[?], f32[?])"},
  });
}

TEST(UnknownSizesCallsTest, Numerics) {
  const auto fft = [](FftType type) {
    return [=](XlaBuilder&, const Ops& p) { return Fft(p[0], type, {5, 10}); };
  };
  const Shape matrix = *ShapeUtil::ParseShapeString("f32[?,10]");
  ExpectShapes({
      {"cholesky",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return Cholesky(p[0], true); },
       "f32[?,10]"},
      {"triangular_solve",
       {"f32[?,10]", "f32[10,?]"},
       [](XlaBuilder&, const Ops& p) {
         return TriangularSolve(p[0], p[1], true, true, false,
                                TriangularSolveOptions::TRANSPOSE);
       },
       "f32[10,?]"},
      {"fft", {"c64[2,<=5,?]"}, fft(FFT), "c64[2,<=5,?]"},
      {"ifft", {"c64[2,<=5,?]"}, fft(IFFT), "c64[2,<=5,?]"},
      {"rfft", {"f64[2,<=5,?]"}, fft(RFFT), "c128[2,<=5,6]"},
      {"irfft", {"c128[2,<=5,?]"}, fft(IRFFT), "f64[2,<=5,10]"},
      {"rng_normal",
       {"f32[]", "f32[]"},
       [&](XlaBuilder&, const Ops& p) { return RngNormal(p[0], p[1], matrix); },
       "f32[?,10]"},
      {"rng_uniform",
       {"f32[]", "f32[]"},
       [&](XlaBuilder&, const Ops& p) {
         return RngUniform(p[0], p[1], matrix);
       },
       "f32[?,10]"},
      {"rng_bit_generator",
       {"u32[?,10]"},
       [](XlaBuilder&, const Ops& p) {
         return RngBitGenerator(RNG_DEFAULT, p[0],
                                *ShapeUtil::ParseShapeString("u32[?,10]"));
       },
       "(u32[?,10], u32[?,10])"},
  });
}

// (T, T) -> T for arrays of sizes that are not known, as XLA's tests have it.
XlaComputation ArrayAdd() {
  const Shape shape = *ShapeUtil::ParseShapeString("f32[?,10]");
  XlaBuilder b("add");
  Add(Parameter(&b, 0, shape, "x"), Parameter(&b, 1, shape, "y"));
  return *b.Build();
}

TEST(UnknownSizesCallsTest, Collectives) {
  ReplicaGroup pair;
  pair.add_replica_ids(0);
  pair.add_replica_ids(1);
  const auto all_to_all = [](int64_t split, int64_t concat, int64_t count) {
    return [=](XlaBuilder&, const Ops& p) {
      return AllToAll(p[0], split, concat, count);
    };
  };
  const auto tuple_form = [](XlaBuilder&, const Ops& p) {
    return AllToAllTuple(p[0], 0, 1, 3);
  };
  ExpectShapes({
      {"all_gather",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return AllGather(p[0], 0, 2); },
       "f32[?,10]"},
      {"all_gather of a known size",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return AllGather(p[0], 1, 2); },
       "f32[?,20]"},
      {"all_reduce",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return AllReduce(p[0], ArrayAdd()); },
       "f32[?,10]"},
      {"cross_replica_sum",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) { return CrossReplicaSum(p[0]); },
       "f32[?,10]"},
      {"reduce_scatter",
       {"f32[?,10]"},
       [&](XlaBuilder&, const Ops& p) {
         return ReduceScatter(p[0], ArrayAdd(), 0, 2, {pair});
       },
       "f32[?,10]"},
      {"reduce_scatter of a known size",
       {"f32[?,10]"},
       [&](XlaBuilder&, const Ops& p) {
         return ReduceScatter(p[0], ScalarAdd(), 1, 2, {pair});
       },
       "f32[?,5]"},
      {"collective_broadcast",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) {
         return CollectiveBroadcast(p[0], absl::Span<const ReplicaGroup>());
       },
       "f32[?,10]"},
      {"collective_permute",
       {"f32[?,10]"},
       [](XlaBuilder&, const Ops& p) {
         return CollectivePermute(p[0], {{0, 1}});
       },
       "f32[?,10]"},
      {"all_to_all, split", {"f32[?,15]"}, all_to_all(0, 1, 3), "f32[?,45]"},
      {"all_to_all, concat", {"f32[?,15]"}, all_to_all(1, 0, 3), "f32[?,5]"},
      {"all_to_all, same", {"f32[?,15]"}, all_to_all(0, 0, 3), "f32[?,15]"},
      {"all_to_all, both", {"f32[?,?]"}, all_to_all(0, 1, 3), "f32[?,?]"},
      {"all_to_all, other", {"f32[?,6,4]"}, all_to_all(1, 2, 3), "f32[?,2,12]"},
  });
  ExpectErrors({
      {"all_to_all", {"f32[?,14]"}, all_to_all(1, 0, 3), "(all_to_all_of_c1)"},
      {"all_to_all of a bound",
       {"f32[3,<=15]"},
       all_to_all(0, 1, 3),
       "AllToAll does not support bounded dynamic shapes"},
      {"all_to_all of many",
       {"f32[?,15]"},
       all_to_all(0, 1, int64_t{1} << 40),
       "(all_to_all_of_c5)"},
      {"all_to_all to many",
       {"f32[?,4096]"},
       all_to_all(0, 1, int64_t{1} << 30),
       "(all_to_all_of_c5)"},
      {"all_to_all_tuple",
       {"f32[?,15]", "f32[?,15]"},
       [](XlaBuilder&, const Ops& p) { return AllToAllTuple(p, {}); },
       "AllToAllTuple does not support unbounded dynamic shapes"},
      {"all_to_all_tuple that splits",
       {"f32[?,15]"},
       tuple_form,
       "(all_to_all_of_c4)"},
      {"all_to_all_tuple of a bound",
       {"f32[3,<=15]"},
       tuple_form,
       "(all_to_all_of_c3)"},
      {"reduce_scatter",
       {"f32[?,10]"},
       [&](XlaBuilder&, const Ops& p) {
         return ReduceScatter(p[0], ScalarAdd(), 1, 3, {pair});
       },
       "(reduce_scatter_of_c1)"},
  });
}

TEST(UnknownSizesCallsTest, Control) {
  const Shape vector = *ShapeUtil::ParseShapeString("f32[?]");
  XlaBuilder condition("condition"), body("body");
  Ge(ConstantR0<float>(&condition, 10),
     Reduce(Parameter(&condition, 0, vector, "x"),
            ConstantR0<float>(&condition, 0), ScalarAdd(), {0}));
  Add(ConstantR1<float>(&body, {1}), Parameter(&body, 0, vector, "x"), {0});
  const XlaComputation goes_on = *condition.Build(), next = *body.Build();
  const XlaComputation known = Identity(ShapeUtil::MakeShape(F32, {4}));
  const XlaComputation unknown = Identity(vector);
  ExpectShapes({
      {"call",
       {"f32[?,10]", "f32[?,10]"},
       [](XlaBuilder& b, const Ops& p) { return Call(&b, ArrayAdd(), p); },
       "f32[?,10]"},
      {"while",
       {"f32[?]"},
       [&](XlaBuilder&, const Ops& p) { return While(goes_on, next, p[0]); },
       "f32[?]"},
      {"conditional",
       {"pred[]", "f32[4]", "f32[?]"},
       [&](XlaBuilder&, const Ops& p) {
         return Conditional(p[0], p[1], known, p[2], unknown);
       },
       "f32[?]"},
      {"conditional, the other way round",
       {"pred[]", "f32[?]", "f32[4]"},
       [&](XlaBuilder&, const Ops& p) {
         return Conditional(p[0], p[1], unknown, p[2], known);
       },
       "f32[?]"},
      {"tuple",
       {"f32[?,10]"},
       [](XlaBuilder& b, const Ops& p) { return Tuple(&b, p); },
       "(f32[?,10])"},
      {"get_tuple_element",
       {"f32[?,10]"},
       [](XlaBuilder& b, const Ops& p) {
         return GetTupleElement(Tuple(&b, p), 0);
       },
       "f32[?,10]"},
      {"custom_call",
       {"f32[?,10]"},
       [](XlaBuilder& b, const Ops& p) {
         return CustomCall(&b, "f", p,
                           *ShapeUtil::ParseShapeString("f32[10,?]"));
       },
       "f32[10,?]"},
  });
  ExpectErrors({{"after_all",
                 {"token[]", "f32[]"},
                 [](XlaBuilder& b, const Ops& p) { return AfterAll(&b, p); },
                 "All operands to AfterAll must be tokens; operand 1 has shape "
                 "f32[] (after_all_of_c1)"}});
}

TEST(UnknownSizesCallsTest, Transfers) {
  const Shape matrix = ShapeUtil::MakeShape(F32, {Shape::kUnboundedSize, 10},
                                            std::vector<bool>{true, false});
  ChannelHandle between, to_host, from_host;
  between.set_handle(1);
  between.set_type(ChannelHandle::DEVICE_TO_DEVICE);
  to_host.set_handle(2);
  to_host.set_type(ChannelHandle::DEVICE_TO_HOST);
  from_host.set_handle(3);
  from_host.set_type(ChannelHandle::HOST_TO_DEVICE);
  ExpectShapes({
      {"infeed",
       {},
       [&](XlaBuilder& b, const Ops&) { return Infeed(&b, matrix); },
       "f32[?,10]"},
      {"infeed_with_token",
       {"token[]"},
       [&](XlaBuilder&, const Ops& p) { return InfeedWithToken(p[0], matrix); },
       "(f32[?,10], token[])"},
      {"outfeed_with_token",
       {"f32[?,10]", "token[]"},
       [&](XlaBuilder&, const Ops& p) {
         return OutfeedWithToken(p[0], p[1], matrix, "");
       },
       "token[]"},
      {"send_with_token",
       {"f32[?,10]", "token[]"},
       [&](XlaBuilder&, const Ops& p) {
         return SendWithToken(p[0], p[1], between);
       },
       "token[]"},
      {"recv_with_token",
       {"token[]"},
       [&](XlaBuilder&, const Ops& p) {
         return RecvWithToken(p[0], matrix, between);
       },
       "(f32[?,10], token[])"},
      {"send_to_host",
       {"f32[?,10]", "token[]"},
       [&](XlaBuilder&, const Ops& p) {
         return SendToHost(p[0], p[1], matrix, to_host);
       },
       "token[]"},
      {"recv_from_host",
       {"token[]"},
       [&](XlaBuilder&, const Ops& p) {
         return RecvFromHost(p[0], matrix, from_host);
       },
       "(f32[?,10], token[])"},
  });
}

TEST(UnknownSizesCallsTest, RemovingDynamicDimensionsKeepsThem) {
  const ShapeRow row = {"negate",
                        {"f32[?,<=3]"},
                        [](XlaBuilder&, const Ops& p) { return Neg(p[0]); },
                        ""};
  EXPECT_EQ(ResultOf(row, /*remove_dynamic_dimensions=*/true), "f32[?,3]");
}

TEST(UnknownSizesCallsTest, TheEvaluatorRefuses) {
  const Literal three = ParseValue("f32[3] {1,2,3}");
  const auto evaluate = [&](XlaBuilder& b) {
    const auto module = ReadAndVerify(*b.Build());
    EXPECT_TRUE(module.ok()) << module.status();
    return HloEvaluator().Evaluate(**module, {&three}).status();
  };
  const Shape vector = *ShapeUtil::ParseShapeString("f32[?]");
  XlaBuilder same("same"), sliced("sliced");
  Parameter(&same, 0, vector, "x");
  Slice(Parameter(&sliced, 0, vector, "x"), {0}, {5}, {1});
  for (XlaBuilder* b : {&same, &sliced}) {
    const absl::Status status = evaluate(*b);
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("x.1 is f32[?]"));
  }
}

}  // namespace
}  // namespace xla
