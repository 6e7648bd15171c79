// Uses the ops of xla/hlo/builder/xla_builder.h that call computations, talk to
// other devices or to the host, or call the host's functions.
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace {

using names_testing::AddOf;
using names_testing::Floats;
using names_testing::Ints;
using names_testing::Scalar;
using names_testing::ShapeOf;
using names_testing::TupleOf;
using names_testing::ValueOf;
using ::testing::HasSubstr;

// A computation in the two forms in which ops take one.
void ExpectBothForms(
    const XlaComputation& computation,
    absl::FunctionRef<XlaOp(XlaBuilder*, const XlaComputation&)> with_value,
    absl::FunctionRef<XlaOp(XlaBuilder*, XlaComputationId)> with_id,
    const std::string& expected) {
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) { return with_value(b, computation); }),
            expected);
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return with_id(b, b->AddSubComputation(computation));
            }),
            expected);
}

// `make(b, computation)` for both forms.
#define EXPECT_FORMS(computation, make, expected)                         \
  ExpectBothForms(                                                        \
      computation,                                                        \
      [&](XlaBuilder* b, const XlaComputation& c) { return make(b, c); }, \
      [&](XlaBuilder* b, XlaComputationId c) { return make(b, c); }, expected)

// (T[]) -> pred[]: x < limit, and (T[]) -> T[]: x + 1.
XlaComputation BelowLimit(int32_t limit) {
  XlaBuilder b("below");
  Lt(Parameter(&b, 0, ShapeUtil::MakeShape(S32, {}), "x"),
     ConstantR0<int32_t>(&b, limit));
  return b.Build().value();
}
XlaComputation PlusOne(PrimitiveType type) {
  XlaBuilder b("plus_one");
  XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(type, {}), "x");
  Add(x, ConvertElementType(ConstantR0<int32_t>(&b, 1), type));
  return b.Build().value();
}
// (f32[], f32[]) -> pred[]: whether the first is not less, or less.
XlaComputation Order(bool less) {
  XlaBuilder b("order");
  XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {}), "x");
  XlaOp y = Parameter(&b, 1, ShapeUtil::MakeShape(F32, {}), "y");
  less ? Lt(x, y) : Ge(x, y);
  return b.Build().value();
}
// (f32[], f32[], f32[], f32[]) -> (f32[], f32[]): sums of pairs.
XlaComputation AddPairs() {
  XlaBuilder b("add_pairs");
  std::vector<XlaOp> p;
  for (int i = 0; i < 4; ++i) {
    p.push_back(Parameter(&b, i, ShapeUtil::MakeShape(F32, {}), "p"));
  }
  Tuple(&b, {Add(p[0], p[2]), Add(p[1], p[3])});
  return b.Build().value();
}

TEST(XlaBuilderCallsNamesTest, Calls) {
  auto call = [](XlaBuilder* b, auto c) {
    return Call(b, c, {Scalar(b, 1), Scalar(b, 2)});
  };
  EXPECT_FORMS(AddOf(F32), call, "3");
  auto composite = [](XlaBuilder* b, auto c) {
    return CompositeCall(b, c, {Scalar(b, 1), Scalar(b, 2)}, "my.add");
  };
  EXPECT_FORMS(AddOf(F32), composite, "3");
  auto versioned = [](XlaBuilder* b, auto c) {
    return CompositeCall(b, c, {Scalar(b, 1), Scalar(b, 2)}, "my.add",
                         absl::string_view("{n = 1 : i64}"), 2);
  };
  EXPECT_FORMS(AddOf(F32), versioned, "3");
}

TEST(XlaBuilderCallsNamesTest, ControlFlow) {
  const XlaComputation below = BelowLimit(5);
  const XlaComputation step = PlusOne(S32);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return While(below, step, ConstantR0<int32_t>(b, 0));
            }),
            "5");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return While(b->AddSubComputation(below),
                           b->AddSubComputation(step),
                           ConstantR0<int32_t>(b, 9));
            }),
            "9");
  const XlaComputation plus = PlusOne(F32);
  auto either = [](XlaBuilder* b, auto c) {
    return Conditional(ConstantR0<bool>(b, true), Scalar(b, 1), c, Scalar(b, 5),
                       c);
  };
  EXPECT_FORMS(plus, either, "2");
  for (int32_t index : {0, 1, 7}) {  // the last branch for those out of range
    const std::string expected = index == 0 ? "2" : "6";
    EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
                const XlaComputation* branches[] = {&plus, &plus};
                return Conditional(ConstantR0<int32_t>(b, index), branches,
                                   {Scalar(b, 1), Scalar(b, 5)});
              }),
              expected);
    EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
                const XlaComputationId id = b->AddSubComputation(plus);
                return Conditional(ConstantR0<int32_t>(b, index),
                                   std::vector<XlaComputationId>{id, id},
                                   {Scalar(b, 1), Scalar(b, 5)});
              }),
              expected);
  }
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return OptimizationBarrier(Floats(b, {1, 2}));
            }),
            "{1, 2}");
}

TEST(XlaBuilderCallsNamesTest, Reductions) {
  auto matrix = [](XlaBuilder* b) {
    return ConstantR2<float>(b, {{1, 2, 3}, {4, 5, 6}});
  };
  auto reduce = [&](XlaBuilder* b, auto c) {
    return Reduce(matrix(b), Scalar(b, 0), c, {1});
  };
  EXPECT_FORMS(AddOf(F32), reduce, "{6, 15}");
  auto all = [&](XlaBuilder* b, auto c) {
    return ReduceAll(matrix(b), Scalar(b, 0), c);
  };
  EXPECT_FORMS(AddOf(F32), all, "21");
  auto pairs = [&](XlaBuilder* b, auto c) {
    return Reduce(b, {matrix(b), matrix(b)}, {Scalar(b, 0), Scalar(b, 1)}, c,
                  {0, 1});
  };
  EXPECT_FORMS(AddPairs(), pairs, "( 21, 22 )");
  auto map = [](XlaBuilder* b, auto c) {
    return Map(b, {Floats(b, {1, 2}), Floats(b, {3, 4})}, c, {0});
  };
  EXPECT_FORMS(AddOf(F32), map, "{4, 6}");
  auto with_static = [](XlaBuilder* b, auto c) {
    return Map(b, {Floats(b, {1, 2})}, c, {0}, {Scalar(b, 10)});
  };
  EXPECT_FORMS(AddOf(F32), with_static, "{11, 12}");
  XlaBuilder sum("sum");
  XlaOp x = Parameter(&sum, 0, ShapeUtil::MakeShape(F32, {}), "x");
  XlaOp next = Add(x, Parameter(&sum, 1, ShapeUtil::MakeShape(F32, {}), "y"));
  Tuple(&sum, {next, next});
  const XlaComputation running_sum = sum.Build().value();
  auto scan = [](XlaBuilder* b, auto c) {
    return Scan({Floats(b, {1, 2, 3})}, {Scalar(b, 0)}, c, 0);
  };
  EXPECT_FORMS(running_sum, scan, "( {1, 3, 6}, 6 )");
  auto back = [](XlaBuilder* b, auto c) {
    return Scan({Floats(b, {1, 2, 3})}, {Scalar(b, 0)}, c, 0,
                /*is_reverse=*/true, TRI_STATE_TRUE);
  };
  EXPECT_FORMS(running_sum, back, "( {6, 5, 3}, 6 )");
}

TEST(XlaBuilderCallsNamesTest, Windows) {
  auto window = [](XlaBuilder* b, auto c) {
    return ReduceWindow(Floats(b, {1, 2, 3}), Scalar(b, 0), c, {2}, {1},
                        Padding::kValid);
  };
  EXPECT_FORMS(AddOf(F32), window, "{3, 5}");
  auto general = [](XlaBuilder* b, auto c) {
    return ReduceWindowWithGeneralPadding(Floats(b, {1, 2, 3}), Scalar(b, 0), c,
                                          {2}, {1}, {}, {}, {{1, 0}});
  };
  EXPECT_FORMS(AddOf(F32), general, "{1, 3, 5}");
  auto pairs = [](XlaBuilder* b, auto c) {
    return ReduceWindow({Floats(b, {1, 2, 3}), Floats(b, {4, 5, 6})},
                        {Scalar(b, 0), Scalar(b, 0)}, c, {3}, {1},
                        Padding::kValid);
  };
  EXPECT_FORMS(AddPairs(), pairs, "( {6}, {15} )");
  auto general_pairs = [](XlaBuilder* b, auto c) {
    return ReduceWindowWithGeneralPadding(
        {Floats(b, {1, 2, 3}), Floats(b, {4, 5, 6})},
        {Scalar(b, 0), Scalar(b, 0)}, c, {2}, {2}, {1}, {2}, {{0, 0}});
  };
  EXPECT_FORMS(AddPairs(), general_pairs, "( {4}, {10} )");
  const XlaComputation select = Order(/*less=*/false);
  const XlaComputation scatter = AddOf(F32);
  auto source = [](XlaBuilder* b) { return Floats(b, {10, 20}); };
  auto operand = [](XlaBuilder* b) { return Floats(b, {1, 3, 4, 2}); };
  const std::string scattered = "{0, 10, 20, 0}";
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return SelectAndScatter(operand(b), select, {2}, {2},
                                      Padding::kValid, source(b), Scalar(b, 0),
                                      scatter);
            }),
            scattered);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return SelectAndScatter(operand(b), b->AddSubComputation(select),
                                      {2}, {2}, Padding::kValid, source(b),
                                      Scalar(b, 0),
                                      b->AddSubComputation(scatter));
            }),
            scattered);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return SelectAndScatterWithGeneralPadding(
                  operand(b), select, {2}, {2}, {{0, 0}}, source(b),
                  Scalar(b, 0), scatter);
            }),
            scattered);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return SelectAndScatterWithGeneralPadding(
                  operand(b), b->AddSubComputation(select), {2}, {2}, {{0, 0}},
                  source(b), Scalar(b, 0), b->AddSubComputation(scatter));
            }),
            scattered);
}

TEST(XlaBuilderCallsNamesTest, SortAndScatter) {
  auto sort = [](XlaBuilder* b, auto c) {
    return Sort({Floats(b, {3, 1})}, c);
  };
  EXPECT_FORMS(Order(true), sort, "{1, 3}");
  auto stable = [](XlaBuilder* b, auto c) {
    return Sort({Floats(b, {3, 1})}, c, 0, /*is_stable=*/true);
  };
  EXPECT_FORMS(Order(false), stable, "{3, 1}");
  ScatterDimensionNumbers numbers;
  numbers.add_inserted_window_dims(0);
  numbers.add_scatter_dims_to_operand_dims(0);
  numbers.set_index_vector_dim(1);
  auto scatter = [&](XlaBuilder* b, auto c) {
    return Scatter(Floats(b, {1, 2, 3}), Ints(b, {2, 0}), Floats(b, {10, 20}),
                   c, numbers);
  };
  EXPECT_FORMS(AddOf(F32), scatter, "{21, 2, 13}");
  auto several = [&](XlaBuilder* b, auto c) {
    return Scatter({Floats(b, {1, 2}), Floats(b, {3, 4})}, Ints(b, {1}),
                   {Floats(b, {10}), Floats(b, {20})}, c, numbers,
                   /*indices_are_sorted=*/true, /*unique_indices=*/true);
  };
  EXPECT_FORMS(AddPairs(), several, "( {1, 12}, {3, 24} )");
}

// One device.
TEST(XlaBuilderCallsNamesTest, Collectives) {
  auto x = [](XlaBuilder* b) { return Floats(b, {1, 2}); };
  ReplicaGroup self;
  self.add_replica_ids(0);
  const std::vector<std::pair<std::string, std::function<XlaOp(XlaBuilder*)>>>
      same = {
          {"sum", [&](XlaBuilder* b) { return CrossReplicaSum(x(b), {self}); }},
          {"gather", [&](XlaBuilder* b) { return AllGather(x(b), 0, 1); }},
          {"all", [&](XlaBuilder* b) { return AllToAll(x(b), 0, 0, 1); }},
          {"all tuple",
           [&](XlaBuilder* b) { return AllToAllTuple(x(b), 0, 0, 1, {self}); }},
          {"broadcast",
           [&](XlaBuilder* b) { return CollectiveBroadcast(x(b), {self}); }},
          {"permute",
           [&](XlaBuilder* b) { return CollectivePermute(x(b), {{0, 0}}); }},
          {"ragged", [&](XlaBuilder* b) {
             return RaggedAllToAll(x(b), Ints(b, {0}), Ints(b, {2}),
                                   Floats(b, {0, 0}), Ints(b, {0}),
                                   Ints(b, {2}), {self});
           }}};
  for (const auto& [name, make] : same) {
    EXPECT_EQ(ValueOf(make), "{1, 2}") << name;
  }
  auto reduce = [&](XlaBuilder* b, auto c) { return AllReduce(x(b), c); };
  EXPECT_FORMS(AddOf(F32), reduce, "{1, 2}");
  auto reduce_tuple = [&](XlaBuilder* b, auto c) {
    return AllReduceTuple({x(b), Scalar(b, 3)}, c, {self});
  };
  EXPECT_FORMS(AddOf(F32), reduce_tuple, "( {1, 2}, 3 )");
  auto scatter = [&](XlaBuilder* b, auto c) {
    return ReduceScatter(x(b), c, 0, 1);
  };
  EXPECT_FORMS(AddOf(F32), scatter, "{1, 2}");
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return AllGatherTuple({x(b), x(b)}, 0, 1, {self});
            }),
            "( {1, 2}, {1, 2} )");
  EXPECT_EQ(
      TupleOf([&](XlaBuilder* b) { return AllToAllTuple({x(b)}, {self}); }),
      "( {1, 2} )");
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return MultiCollectivePermute({x(b), Scalar(b, 3)}, {{0, 0}});
            }),
            "( {1, 2}, 3 )");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              auto at = [&](int32_t i) {
                return Tuple(b, {ConstantR0<int32_t>(b, i)});
              };
              return MultiCollectivePermute(
                  {x(b), Floats(b, {7, 8, 9}), at(0), at(1)}, {{0, 0}},
                  std::nullopt, /*inplace=*/true);
            }),
            "{7, 1, 2}");
  EXPECT_THAT(ShapeOf([&](XlaBuilder* b) {
                return CollectivePermute(x(b), {{0, 0}}, std::nullopt,
                                         /*inplace=*/true);
              }),
              HasSubstr("four operands"));
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return ReplicaId(b); }), "0");
}

TEST(XlaBuilderCallsNamesTest, CollectivesAmongMany) {
  auto x = [](XlaBuilder* b) { return Floats(b, {1, 2}); };
  ChannelHandle channel;
  channel.set_handle(1);
  ReplicaGroup four;
  for (int device : {0, 1, 2, 3}) four.add_replica_ids(device);
  const Layout layout = LayoutUtil::MakeLayout({0});
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return AllGather(x(b), 0, 4, {four}, channel, layout, true);
            }),
            "f32[8]");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return ReduceScatter(x(b), AddOf(F32), 0, 2, {}, channel, layout);
            }),
            "f32[1]");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return AllReduce(x(b), AddOf(F32), {}, channel,
                               ShapeUtil::MakeShape(F32, {2}));
            }),
            "f32[2]");
}

ChannelHandle Channel(ChannelHandle::ChannelType type) {
  ChannelHandle channel;
  channel.set_handle(3);
  channel.set_type(type);
  return channel;
}

TEST(XlaBuilderCallsNamesTest, InfeedAndOutfeed) {
  const Shape vector = ShapeUtil::MakeShape(F32, {2});
  LocalClient* client = ClientLibrary::LocalClientOrDie();
  const Literal sent = LiteralUtil::CreateR1<float>({1, 2});
  ASSERT_TRUE(client->TransferToInfeed(sent).ok());
  ASSERT_TRUE(client->TransferToInfeed(sent).ok());
  XlaBuilder b("feeds");
  XlaOp first = Infeed(&b, vector);
  XlaOp second = InfeedWithToken(CreateToken(&b), vector, "config");
  EXPECT_EQ(ShapeUtil::HumanString(b.GetShape(second).value()),
            "(f32[2], token[])");
  Outfeed(Add(first, GetTupleElement(second, 0)), vector, "");
  XlaOp token =
      OutfeedWithToken(first, GetTupleElement(second, 1), vector, "config");
  EXPECT_EQ(ShapeUtil::HumanString(b.GetShape(token).value()), "token[]");
  ASSERT_TRUE(
      client->Execute(b.Build(first).value(), absl::Span<GlobalData* const>())
          .ok());
  std::vector<std::string> received;
  for (int i = 0; i < 2; ++i) {
    received.push_back(client->TransferFromOutfeed(&vector)
                           .value()
                           .ToStringWithoutShapeOneline());
  }
  EXPECT_THAT(received, ::testing::UnorderedElementsAre(std::string("{2, 4}"),
                                                        std::string("{1, 2}")));
}

TEST(XlaBuilderCallsNamesTest, SendAndReceive) {
  const Shape vector = ShapeUtil::MakeShape(F32, {2});
  const ChannelHandle between = Channel(ChannelHandle::DEVICE_TO_DEVICE);
  XlaBuilder b("transfers");
  Send(Floats(&b, {1, 2}), between);
  XlaOp received = Recv(&b, vector, between);
  EXPECT_EQ(b.GetShape(received).value(), vector);
  XlaOp token = SendWithToken(received, CreateToken(&b), between);
  EXPECT_TRUE(b.GetShape(token).value().IsToken());
  XlaOp pair = RecvWithToken(token, vector, between);
  EXPECT_EQ(ShapeUtil::HumanString(b.GetShape(pair).value()),
            "(f32[2], token[])");
  const Shape with_layout = ShapeUtil::MakeShapeWithDenseLayout(F32, {2}, {0});
  XlaOp sent = SendToHost(received, GetTupleElement(pair, 1), with_layout,
                          Channel(ChannelHandle::DEVICE_TO_HOST));
  EXPECT_TRUE(b.GetShape(sent).value().IsToken());
  XlaOp from_host =
      RecvFromHost(sent, with_layout, Channel(ChannelHandle::HOST_TO_DEVICE));
  EXPECT_EQ(ShapeUtil::HumanString(b.GetShape(from_host).value()),
            "(f32[2], token[])");
  EXPECT_TRUE(b.Build().ok());
  SendToHost(Floats(&b, {1}), CreateToken(&b), with_layout, between);
  EXPECT_FALSE(b.first_error().ok());
}

HloInstructionProto RootOf(XlaBuilder* b) {
  const XlaComputation program = b->Build().value();
  for (const auto& computation : program.proto().computations()) {
    if (computation.id() != program.proto().entry_computation_id()) continue;
    for (const auto& op : computation.instructions()) {
      if (op.id() == computation.root_id()) return op;
    }
  }
  return HloInstructionProto();
}

TEST(XlaBuilderCallsNamesTest, CustomCalls) {
  const Shape vector = ShapeUtil::MakeShapeWithDenseLayout(F32, {2}, {0});
  const Literal literal = LiteralUtil::CreateR0<float>(5);
  XlaBuilder b("custom");
  auto x = [&] { return Floats(&b, {1, 2}); };
  CustomCall(&b, "target", {x()}, vector);
  HloInstructionProto op = RootOf(&b);
  EXPECT_EQ(op.custom_call_target(), "target");
  EXPECT_FALSE(op.custom_call_has_side_effect());
  CustomCall(&b, "target", {x()}, vector, "opaque", true, {{{}, {0, {}}}},
             &literal, CustomCallSchedule::SCHEDULE_LATEST,
             CustomCallApiVersion::API_VERSION_STATUS_RETURNING);
  op = RootOf(&b);
  EXPECT_EQ(op.backend_config(), "opaque");
  EXPECT_TRUE(op.custom_call_has_side_effect());
  EXPECT_EQ(op.output_operand_aliasing_size(), 1);
  EXPECT_TRUE(op.has_literal());
  EXPECT_EQ(op.custom_call_schedule(), SCHEDULE_LATEST);
  EXPECT_EQ(op.custom_call_api_version(), API_VERSION_STATUS_RETURNING);
  CustomCallWithComputation(&b, "target", {x()}, AddOf(F32), vector);
  EXPECT_EQ(RootOf(&b).called_computation_ids_size(), 1);
  CustomCallWithComputation(&b, "target", {x()},
                            b.AddSubComputation(AddOf(F32)), vector, "opaque");
  EXPECT_EQ(RootOf(&b).called_computation_ids_size(), 1);
  CustomCallWithComputationAndLayouts(
      &b, "target", {x()}, b.AddSubComputation(AddOf(F32)), vector, {vector});
  op = RootOf(&b);
  EXPECT_TRUE(op.constrain_layout());
  EXPECT_EQ(op.operand_shapes_with_layout_size(), 1);
  CustomCallWithLayout(&b, "target", {x()}, vector, {vector}, "opaque");
  EXPECT_TRUE(RootOf(&b).constrain_layout());
  CustomCallWithConvDnums(&b, "conv", {x()}, vector, {vector}, "", false, {},
                          nullptr, Window(),
                          XlaBuilder::CreateDefaultConvDimensionNumbers(0));
  EXPECT_TRUE(RootOf(&b).has_convolution_dimension_numbers());
}

TEST(XlaBuilderCallsNamesTest, SpmdShapes) {
  OpSharding tiles;
  tiles.set_type(OpSharding::OTHER);
  for (int size : {2, 2}) tiles.add_tile_assignment_dimensions(size);
  for (int device : {0, 1, 2, 3}) tiles.add_tile_assignment_devices(device);
  const Shape whole = ShapeUtil::MakeShape(F32, {4, 6});
  XlaBuilder b("spmd");
  XlaOp x = Parameter(&b, 0, whole, "x");
  XlaOp part = ConvertSpmdFullToShardShape(&b, x, -1, tiles, {}).value();
  EXPECT_EQ(ShapeUtil::HumanString(b.GetShape(part).value()), "f32[2,3]");
  EXPECT_EQ(b.GetOpSharding(part).value()->type(), OpSharding::MANUAL);
  XlaOp back =
      ConvertSpmdShardToFullShape(&b, part, whole, -1, tiles, {}).value();
  EXPECT_EQ(b.GetShape(back).value(), whole);
  EXPECT_EQ(b.GetOpSharding(back).value()->tile_assignment_devices_size(), 4);
  HloInstructionProto op = RootOf(&b);
  EXPECT_EQ(op.custom_call_target(), "SPMDShardToFullShape");
  EXPECT_EQ(op.backend_config(), "");
  // Of one dimension; the devices along it come last.
  x = Parameter(&b, 0, whole, "x");
  part = ConvertSpmdFullToShardShape(&b, x, 0, tiles, {1}).value();
  EXPECT_EQ(ShapeUtil::HumanString(b.GetShape(part).value()), "f32[2,6]");
  op = RootOf(&b);
  EXPECT_EQ(op.custom_call_target(), "SPMDFullToShardShape");
  EXPECT_EQ(op.backend_config(), "unspecified_dims=[1]");
  EXPECT_THAT(op.sharding().tile_assignment_dimensions(),
              ::testing::ElementsAre(1, 2, 2));
  EXPECT_THAT(op.sharding().tile_assignment_devices(),
              ::testing::ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(op.sharding().last_tile_dims(),
              ::testing::ElementsAre(OpSharding::MANUAL));
  EXPECT_FALSE(b.sharding().has_value());
  XlaOp vector = Floats(&b, {1, 2});
  EXPECT_THAT(
      ConvertSpmdFullToShardShape(&b, vector, 1, tiles, {}).status().message(),
      BreaksRule("spmd_shape_c1"));
}

// Bindings take the addresses of XLA's declarations.
TEST(XlaBuilderCallsNamesTest, Addresses) {
  auto* reduce = static_cast<XlaOp (*)(XlaOp, XlaOp, const XlaComputation&,
                                       absl::Span<const int64_t>)>(&Reduce);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return reduce(Floats(b, {1, 2}), Scalar(b, 0), AddOf(F32), {0});
            }),
            "3");
  auto* call = static_cast<XlaOp (*)(XlaBuilder*, XlaComputationId,
                                     absl::Span<const XlaOp>)>(&Call);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return call(b, b->AddSubComputation(AddOf(F32)),
                          {Scalar(b, 1), Scalar(b, 2)});
            }),
            "3");
  auto* add =
      static_cast<XlaOp (*)(XlaOp, XlaOp, absl::Span<const int64_t>)>(&Add);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return add(Scalar(b, 1), Scalar(b, 2), {});
            }),
            "3");
}

#undef EXPECT_FORMS

}  // namespace
}  // namespace xla
