// Each rule that the builder's functions add to those of the ops.
#include <functional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

// Returns the error of `make`, which gets parameters f32[2,4], f32[] and a
// token.
std::string Error(
    const std::function<void(XlaBuilder&, XlaOp, XlaOp, XlaOp)>& make) {
  XlaBuilder b("rules");
  XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {2, 4}), "x");
  XlaOp s = Parameter(&b, 1, ShapeUtil::MakeShape(F32, {}), "s");
  make(b, x, s, CreateToken(&b));
  return ErrorOf(b);
}

#define EXPECT_RULE(label, ...)                                         \
  EXPECT_THAT(Error([&](XlaBuilder& b, XlaOp x, XlaOp s, XlaOp token) { \
                __VA_ARGS__;                                            \
              }),                                                       \
              BreaksRule(label))

TEST(RulesTest, Broadcasts) {
  EXPECT_RULE("broadcast_in_dim_c1", BroadcastInDim(token, {2}, {}));
  EXPECT_RULE("broadcast_in_dim_c2", BroadcastInDim(x, {2, 4}, {0}));
  EXPECT_RULE("broadcast_in_dim_c3", BroadcastInDim(x, {4, 2}, {1, 0}));
  EXPECT_RULE("broadcast_in_dim_c3", BroadcastInDim(x, {2, 4}, {0, 2}));
  EXPECT_RULE("broadcast_in_dim_c4", BroadcastInDim(x, {2, 3}, {0, 1}));
  EXPECT_RULE("broadcast_in_dim_c6", BroadcastInDim(x, {-2, 4}, {0, 1}));
  EXPECT_RULE("implicit_broadcast_c1", Add(x, token));
  EXPECT_RULE("implicit_broadcast_c2", Add(x, ConvertElementType(x, S32)));
  EXPECT_RULE("implicit_broadcast_c3", Add(x, Reshape(x, {8})));
  EXPECT_RULE("implicit_broadcast_c4", Add(x, Reshape(x, {8}), {2}));
  EXPECT_RULE("implicit_broadcast_c5", Add(Broadcast(x, {3}), x, {2, 1}));
  EXPECT_RULE("implicit_broadcast_c6", Add(x, x, {1, 0}));
  EXPECT_RULE("implicit_broadcast_c7", Add(x, Reshape(x, {4, 2})));
}

TEST(RulesTest, Reshapes) {
  EXPECT_RULE("collapse_c1", Collapse(x, {1, 2}));
  EXPECT_RULE("collapse_c2", Collapse(x, {1, 0}));
  EXPECT_RULE("dynamic_reshape_bounds_c1", DynamicReshape(x, {}, {8}, {}));
  EXPECT_RULE("reshape_c3", Reshape(x, {3}));
}

TEST(RulesTest, DynamicBroadcasts) {
  const Shape cube = ShapeUtil::MakeShape(F32, {3, 2, 4});
  const auto vector = [](XlaBuilder& b, int64_t n) {
    return ConstantR1<int32_t>(&b, n, 1);
  };
  EXPECT_RULE("mhlo_dynamic_broadcast_c1",
              MhloDynamicBroadcastInDim(x, s, {1, 2}, cube));
  EXPECT_RULE("mhlo_dynamic_broadcast_c1",
              MhloDynamicBroadcastInDim(x, token, {1, 2}, cube));
  EXPECT_RULE(
      "mhlo_dynamic_broadcast_c1",
      MhloDynamicBroadcastInDim(x, ConvertElementType(x, S32), {1, 2}, cube));
  EXPECT_RULE("mhlo_dynamic_broadcast_c2",
              MhloDynamicBroadcastInDim(x, vector(b, 3), {1}, cube));
  EXPECT_RULE("mhlo_dynamic_broadcast_c2",
              MhloDynamicBroadcastInDim(token, vector(b, 3), {}, cube));
  EXPECT_RULE("mhlo_dynamic_broadcast_c2",
              MhloDynamicBroadcastInDim(s, vector(b, 3), {},
                                        ShapeUtil::MakeTokenShape()));
  EXPECT_RULE("mhlo_dynamic_broadcast_c2",
              MhloDynamicBroadcastInDim(x, vector(b, 1), {0, 1},
                                        ShapeUtil::MakeShape(F32, {2})));
  EXPECT_RULE("mhlo_dynamic_broadcast_c3",
              MhloDynamicBroadcastInDim(x, vector(b, 3), {1, 3}, cube));
  EXPECT_RULE("mhlo_dynamic_broadcast_c3",
              MhloDynamicBroadcastInDim(x, vector(b, 3), {-1, 2}, cube));
  EXPECT_RULE("mhlo_dynamic_broadcast_c4",
              MhloDynamicBroadcastInDim(x, vector(b, 3), {0, 2}, cube));
}

TEST(RulesTest, DynamicReshapes) {
  const auto vector = [](XlaBuilder& b, int64_t n) {
    return ConstantR1<int32_t>(&b, n, 1);
  };
  EXPECT_RULE(
      "mhlo_dynamic_reshape_c1",
      MhloDynamicReshape(x, vector(b, 1), ShapeUtil::MakeShape(S32, {8})));
  EXPECT_RULE(
      "mhlo_dynamic_reshape_c1",
      MhloDynamicReshape(token, vector(b, 1), ShapeUtil::MakeShape(F32, {8})));
  EXPECT_RULE(
      "mhlo_dynamic_reshape_c2",
      MhloDynamicReshape(x, vector(b, 1), ShapeUtil::MakeShape(F32, {9})));
  EXPECT_RULE(
      "mhlo_dynamic_reshape_c3",
      MhloDynamicReshape(x, vector(b, 2), ShapeUtil::MakeShape(F32, {8})));
  EXPECT_RULE("mhlo_dynamic_reshape_c3",
              MhloDynamicReshape(x, s, ShapeUtil::MakeShape(F32, {8})));
  EXPECT_RULE("mhlo_dynamic_reshape_c3",
              MhloDynamicReshape(x, token, ShapeUtil::MakeShape(F32, {8})));
}

TEST(RulesTest, CompositeCalls) {
  EXPECT_RULE("composite_call_c1", CompositeCall(&b, ScalarAdd(), {s, s}, ""));
  EXPECT_RULE("composite_call_c2",
              CompositeCall(&b, ScalarAdd(), {s, s}, "my.add", ""));
  EXPECT_RULE("composite_call_c3",
              CompositeCall(&b, ScalarAdd(), {s, s}, "my.add", "{}", -1));
}

// What tests of XLA's look for in messages.
TEST(RulesTest, WordsOfXla) {
  const auto error = [](auto make) {
    return Error(
        [&](XlaBuilder& b, XlaOp x, XlaOp s, XlaOp) { make(b, x, s); });
  };
  EXPECT_THAT(error([](XlaBuilder&, XlaOp x, XlaOp) { x >> x; }),
              HasSubstr("Argument to >> operator does not have an integral "
                        "type"));
  EXPECT_THAT(error([](XlaBuilder& b, XlaOp, XlaOp) {
                Parameter(&b, 0, ShapeUtil::MakeShape(F32, {}), "again");
              }),
              HasSubstr("parameter 0 already registered"));
  EXPECT_THAT(error([](XlaBuilder& b, XlaOp, XlaOp s) {
                CompositeCall(&b, ScalarAdd(), {s, s}, "my.add", "{}", -1);
              }),
              HasSubstr("composite.version whose value is a non-negative "
                        "integer but got: -1"));
  XlaBuilder other("b1"), main("main");
  XlaOp theirs = Parameter(&other, 0, ShapeUtil::MakeShape(F32, {}), "p0");
  Parameter(&main, 0, ShapeUtil::MakeShape(F32, {}), "p");
  EXPECT_THAT(std::string(main.Build(theirs).status().message()),
              HasSubstr("root operation is not in this computation"));
  EXPECT_THAT(std::string(main.GetProgramShape(theirs).status().message()),
              HasSubstr("root operation is not in this computation"));
  Neg(Add(Parameter(&main, 1, ShapeUtil::MakeShape(F32, {}), "q"), theirs));
  EXPECT_THAT(ErrorOf(main),
              HasSubstr("built by builder 'b1', but is trying to use it in "
                        "builder 'main'"));
}

TEST(RulesTest, Slices) {
  EXPECT_RULE("pad_in_dim_c1", PadInDim(x, s, 2, 0, 0));
  EXPECT_RULE("slice_in_dim_c1", SliceInDim(x, 0, 1, 1, -1));
  EXPECT_RULE("slice_lists_c1", Slice(x, {0, 0}, {1, 1}, {1}));
}

TEST(RulesTest, Elementwise) {
  EXPECT_RULE("shift_right_c1", x >> x);
  EXPECT_RULE("convert_type_c1", ConvertElementType(x, TUPLE));
  EXPECT_RULE("convert_type_c1", BitcastConvertType(token, F32));
}

TEST(RulesTest, Products) {
  EXPECT_RULE("dot_type_c1", XlaOp i = ConvertElementType(x, S32);
              Dot(i, Transpose(i, {1, 0}), nullptr, S8));
  EXPECT_RULE("conv_spatial_c1", Conv(x, x, {1}, Padding::kSame));
  ConvolutionDimensionNumbers numbers =
      XlaBuilder::CreateDefaultConvDimensionNumbers(1);
  auto message = [&] {
    return std::string(XlaBuilder::Validate(numbers).message());
  };
  numbers.set_input_batch_dimension(1);
  EXPECT_THAT(message(), BreaksRule("convolution_dimension_numbers_c3"));
  numbers.set_input_batch_dimension(-1);
  EXPECT_THAT(message(), BreaksRule("convolution_dimension_numbers_c2"));
  numbers.add_output_spatial_dimensions(3);
  EXPECT_THAT(message(), BreaksRule("convolution_dimension_numbers_c1"));
}

TEST(RulesTest, Windows) {
  const XlaComputation add = ScalarAdd();
  EXPECT_RULE("padding_c1",
              ReduceWindow(x, s, add, {2}, {1, 1}, Padding::kSame));
  EXPECT_RULE("padding_c2",
              ReduceWindow(x, s, add, {2, 0}, {1, 1}, Padding::kSame));
  EXPECT_RULE("window_lists_c1", ReduceWindowWithGeneralPadding(
                                     x, s, add, {2, 2}, {1}, {}, {}, {}));
  EXPECT_THAT(std::string(ValidatePaddingValues({-1}, {1}, {1}).message()),
              BreaksRule("padding_c3"));
}

TEST(RulesTest, Numerics) {
  EXPECT_RULE("rng_bits_c1",
              RngBitGenerator(RNG_DEFAULT, s, ShapeUtil::MakeShape(F32, {2})));
  EXPECT_RULE("sort_last_c1", Sort({s}, ScalarLess()));
  EXPECT_RULE("scan_size_c1",
              Scan({x}, {s}, ScalarAdd(), 0, std::optional<int64_t>(3)));
}

TEST(RulesTest, Transfers) {
  const Shape matrix = ShapeUtil::MakeShape(F32, {2, 4});
  ChannelHandle between, to_host;
  between.set_type(ChannelHandle::DEVICE_TO_DEVICE);
  to_host.set_type(ChannelHandle::DEVICE_TO_HOST);
  EXPECT_RULE("channel_c1", Send(x, to_host));
  EXPECT_RULE("channel_c1", Recv(&b, matrix, to_host));
  EXPECT_RULE("channel_c1", SendToHost(x, token, matrix, between));
  EXPECT_RULE("host_transfer_c1",
              SendToHost(x, token, Shape(F32, {2}), to_host));
  EXPECT_RULE("host_transfer_c2",
              SendToHost(x, token, ShapeUtil::MakeShape(F32, {2}), to_host));
  EXPECT_RULE("outfeed_shape_c1", Outfeed(x, Shape(F32, {2, 4}), ""));
  EXPECT_RULE("custom_call_layout_c1",
              CustomCallWithLayout(&b, "f", {x}, matrix, {}));
}

TEST(RulesTest, Collectives) {
  EXPECT_RULE("all_gather_of_c1", AllGather(x, 2, 2));
  EXPECT_RULE("all_gather_of_c1", AllGather(x, 0, int64_t{1} << 62));
  EXPECT_RULE("all_reduce_layout_c1",
              AllReduce(x, ScalarAdd(), {}, std::nullopt, Shape(F32, {2, 4})));
  EXPECT_RULE("all_gather_of_c1", AllGather(Tuple(&b, {}), 0, 2));
  EXPECT_RULE("all_gather_of_c1", AllGather(Tuple(&b, {x, s}), 0, 2));
  EXPECT_RULE("reduce_scatter_of_c1", ReduceScatter(x, ScalarAdd(), 1, 3));
  EXPECT_RULE("all_to_all_of_c1", AllToAll(x, 0, 1, 3));
  EXPECT_RULE(
      "all_to_all_of_c2",
      AllToAllTuple(Slice(x, {0, 0}, {0, 4}, {1, 1}), 0, 1, int64_t{1} << 40));
}

TEST(RulesTest, CollectiveBroadcastsWithDynamicRoots) {
  ReplicaGroup pair, one;
  pair.add_replica_ids(0);
  pair.add_replica_ids(1);
  one.add_replica_ids(2);
  const auto broadcast = [](std::vector<XlaOp> operands,
                            std::vector<ReplicaGroup> groups) {
    return CollectiveBroadcast(operands, groups, std::nullopt,
                               /*has_dynamic_root=*/true);
  };
  const auto roots = [](XlaBuilder& b, int64_t n) {
    return ConstantR1<int32_t>(&b, n, 1);
  };
  EXPECT_RULE("collective_broadcast_of_c1", broadcast({x, s}, {pair}));
  EXPECT_RULE("collective_broadcast_of_c1", broadcast({x, token}, {pair}));
  EXPECT_RULE("collective_broadcast_of_c1", broadcast({x, x}, {pair}));
  EXPECT_RULE("collective_broadcast_of_c1", broadcast({roots(b, 1)}, {pair}));
  EXPECT_RULE("collective_broadcast_of_c1",
              broadcast({x, roots(b, 2)}, {pair}));
  EXPECT_RULE("collective_broadcast_of_c2", broadcast({x, roots(b, 1)}, {}));
  EXPECT_RULE("collective_broadcast_of_c2",
              broadcast({x, roots(b, 1)}, {pair, one}));
  EXPECT_RULE("collective_broadcast_c1",
              broadcast({token, roots(b, 1)}, {pair}));
}

TEST(RulesTest, InternalOps) {
  using Friend = internal::XlaBuilderFriend;
  EXPECT_RULE(
      "internal_op_c1",
      Friend::BuildAddDependency(&b, x, token, ShapeUtil::MakeShape(F32, {})));
  EXPECT_RULE("fusion_kind_c1",
              Friend::BuildFusion(&b, {s, s}, "kOther", ScalarAdd()));
}

TEST(RulesTest, ArraysAsStaticOperands) {
  const auto map = [](XlaBuilder* b, XlaOp x, const XlaComputation& f,
                      std::vector<int64_t> dimensions) {
    return Map(b, {x}, f, dimensions, {x});
  };
  EXPECT_RULE("map_static_c1",
              map(&b, x, Identity(ShapeUtil::MakeShape(F32, {})), {0, 1}));
  EXPECT_RULE("map_c2", map(&b, x, ScalarAdd(), {0}));
  // The second parameter is a scalar.
  EXPECT_RULE("map_static_c2", map(&b, x, ScalarAdd(), {0, 1}));
  EXPECT_RULE("map_c1", Map(&b, {}, ScalarAdd(), {}, {x}));
}

TEST(RulesTest, ConvolutionsOfDynamicSizes) {
  const auto numbers = XlaBuilder::CreateDefaultConvDimensionNumbers(0);
  EXPECT_RULE("known_call_c4",
              DynamicConvInputGrad(s, x, x, {}, {}, {}, {}, numbers, 1, 1,
                                   nullptr, PADDING_SAME));
  EXPECT_RULE("known_call_c5",
              DynamicConvForward(x, x, {}, {}, {}, {}, numbers, 1, 1, nullptr,
                                 PADDING_INVALID));
}

// Sizes of the result of any integer type are converted.
TEST(RulesTest, SizesOfConvolutionsAreIntegers) {
  const auto numbers = XlaBuilder::CreateDefaultConvDimensionNumbers(2);
  for (PrimitiveType type : {S32, U32, S64}) {
    XlaBuilder b("sizes");
    XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {1, 3, 4, 4}), "x");
    XlaOp k = Parameter(&b, 1, ShapeUtil::MakeShape(F32, {3, 3, 2, 2}), "k");
    XlaOp n = Parameter(&b, 2, ShapeUtil::MakeShape(type, {4}), "n");
    DynamicConvInputGrad(n, x, k, {1, 1}, {{1, 1}, {1, 1}}, {1, 1}, {1, 1},
                         numbers, 1, 1, nullptr, PADDING_VALID);
    EXPECT_EQ(ErrorOf(b), "");
    EXPECT_TRUE(ReadAndVerify(*b.Build()).ok());
  }
}

TEST(RulesTest, UnimplementedFormsSaySo) {
  EXPECT_THAT(Error([&](XlaBuilder& b, XlaOp x, XlaOp s, XlaOp) {
                XlaOp n = ConstantR0<int32_t>(&b, 1);
                Map(&b, {SetDimensionSize(x, n, 0)}, ScalarAdd(), {0, 1}, {x});
              }),
              HasSubstr("operands of dynamic sizes"));
  EXPECT_THAT(Error([&](XlaBuilder& b, XlaOp x, XlaOp, XlaOp) {
                ReplicaGroup alone;
                alone.add_replica_ids(0);
                CollectiveBroadcast(
                    {SetDimensionSize(x, ConstantR0<int32_t>(&b, 1), 0),
                     ConstantR1<int32_t>(&b, 1, 0)},
                    {alone}, std::nullopt, /*has_dynamic_root=*/true);
              }),
              HasSubstr("with a dynamic root"));
}

TEST(RulesTest, HugeSizesAreErrors) {
  constexpr int64_t kHuge = int64_t{1} << 40;
  EXPECT_NE(Error([&](XlaBuilder&, XlaOp, XlaOp s, XlaOp) {
              Broadcast(s, {kHuge, kHuge});
            }),
            "");
  EXPECT_NE(Error([&](XlaBuilder&, XlaOp x, XlaOp, XlaOp) {
              Reshape(x, {kHuge, kHuge, -1});
            }),
            "");
  EXPECT_NE(
      Error([&](XlaBuilder& b, XlaOp, XlaOp, XlaOp) { Iota(&b, F32, -5); }),
      "");
  EXPECT_NE(Error([&](XlaBuilder& b, XlaOp, XlaOp, XlaOp) {
              Parameter(&b, 2, Shape(F32, {kHuge, kHuge}), "p");
            }),
            "");
}

}  // namespace
}  // namespace xla
