// XlaBuilder itself: errors, parameters, computations, annotations, constants.
#include "xla/hlo/builder/builder.h"

#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/base/errors.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const Shape& Scalar() {
  static const Shape* const kShape = new Shape(ShapeUtil::MakeShape(F32, {}));
  return *kShape;
}
Shape Vector(int64_t n) { return ShapeUtil::MakeShape(F32, {n}); }

TEST(XlaBuilderTest, NumbersOfOpsStartAtOne) {
  XlaBuilder builder("numbers");
  const XlaOp x = Parameter(&builder, 0, ShapeUtil::MakeShape(F32, {}), "x");
  std::ostringstream text;
  text << x << " " << Neg(x);
  EXPECT_EQ(text.str(), "1 2");
}

TEST(XlaBuilderTest, NamesAndRootAreThoseOfXla) {
  XlaBuilder b("program");
  XlaOp x = Parameter(&b, 0, Vector(2), "x");
  XlaOp sum = Add(x, ConstantR0<float>(&b, 1));
  Neg(sum);
  EXPECT_EQ(b.GetProgramShape()->ToString(), "(x: f32[2]) -> f32[2]");
  XlaComputation computation = *b.Build(sum);
  EXPECT_EQ(computation.name(), "program");
  EXPECT_EQ(computation.GetProgramShape()->parameter_names(0), "x");
  auto module = *ReadAndVerify(computation);
  const HloComputation* entry = module->entry_computation();
  EXPECT_EQ(entry->root_instruction()->name(), "add.4");
  EXPECT_EQ(entry->parameter_instruction(0)->name(), "x.1");
  EXPECT_EQ(entry->instruction_count(), 5) << "ops without users stay";
}

TEST(XlaBuilderTest, FirstErrorIsKeptUntilBuild) {
  XlaBuilder b("errors");
  XlaOp x = Parameter(&b, 0, Vector(2), "x");
  XlaOp y = Parameter(&b, 1, Vector(3), "y");
  XlaOp bad = Add(x, y);
  EXPECT_FALSE(bad.valid());
  EXPECT_FALSE(bad.IsUninitialized());
  EXPECT_EQ(bad.builder(), &b);
  XlaOp worse = Transpose(bad, {5});
  EXPECT_FALSE(worse.valid());
  EXPECT_FALSE(Neg(x).valid()) << "nothing is added after an error";
  EXPECT_THAT(ErrorOf(b), BreaksRule("implicit_broadcast_c7"));
  EXPECT_EQ(b.Build().status(), b.first_error());
  EXPECT_EQ(b.GetShape(x).status(), b.first_error());
  EXPECT_EQ(b.GetCurrentStatus(), b.first_error());
}

TEST(XlaBuilderTest, ReportErrorOrReturn) {
  XlaBuilder b("errors");
  XlaOp x = Parameter(&b, 0, Scalar(), "x");
  EXPECT_TRUE(b.ReportErrorOrReturn(absl::StatusOr<XlaOp>(x)).IsIdenticalTo(x));
  EXPECT_FALSE(b.ReportErrorOrReturn([]() -> absl::StatusOr<XlaOp> {
                  return NotFound("gone");
                }).valid());
  EXPECT_EQ(b.first_error().code(), absl::StatusCode::kNotFound);
}

TEST(XlaBuilderTest, UninitializedOpsAreHarmless) {
  EXPECT_TRUE(Add(XlaOp(), XlaOp()).IsUninitialized());
  EXPECT_TRUE(Tuple(nullptr, {}).IsUninitialized());
  EXPECT_TRUE(Sort({}, ScalarLess()).IsUninitialized());
  XlaBuilder b("builder_c1");
  XlaOp x = Parameter(&b, 0, Scalar(), "x");
  EXPECT_FALSE(Add(XlaOp(), x).valid());
  EXPECT_THAT(ErrorOf(b), BreaksRule("builder_c1"));
}

TEST(XlaBuilderTest, OpsOfAnotherBuilder_builder_c1) {
  XlaBuilder a("a"), b("b");
  XlaOp x = Parameter(&a, 0, Scalar(), "x");
  XlaOp y = Parameter(&b, 0, Scalar(), "y");
  Add(y, x);
  EXPECT_THAT(ErrorOf(b), BreaksRule("builder_c1"));
  EXPECT_TRUE(a.first_error().ok());
}

TEST(XlaBuilderTest, OpsThatLeftWithABuild_builder_c2) {
  XlaBuilder b("b");
  XlaOp x = Parameter(&b, 0, Scalar(), "x");
  ASSERT_TRUE(b.Build().ok());
  EXPECT_THAT(b.OpToString(x), BreaksRule("builder_c2"));
  Neg(Parameter(&b, 0, Scalar(), "y"));
  Neg(x);
  EXPECT_THAT(ErrorOf(b), BreaksRule("builder_c2"));
}

TEST(XlaBuilderTest, ParametersInAnyOrder) {
  XlaBuilder b("parameters");
  XlaOp z = Parameter(&b, 2, Vector(2), "z");
  XlaOp x = Parameter(&b, 0, Scalar(), "x");
  EXPECT_THAT(std::string(b.Build().status().message()),
              BreaksRule("builder_c5"));
  XlaOp y = Parameter(&b, 1, Scalar(), "y");
  Tuple(&b, {z, x, y});
  XlaComputation computation = *b.Build();
  EXPECT_EQ(computation.GetProgramShape()->ToString(),
            "(x: f32[], y: f32[], z: f32[2]) -> (f32[2], f32[], f32[])");
  EXPECT_TRUE(ReadAndVerify(computation).ok());
}

TEST(XlaBuilderTest, ParameterNumbers_builder_c3) {
  for (int64_t number : {int64_t{-1}, int64_t{0}, int64_t{1} << 40}) {
    XlaBuilder b("parameters");
    Parameter(&b, 0, Scalar(), "x");
    Parameter(&b, number, Scalar(), "y");
    EXPECT_THAT(ErrorOf(b), BreaksRule("builder_c3"));
  }
}

TEST(XlaBuilderTest, NothingToBuild_builder_c5) {
  XlaBuilder b("empty");
  EXPECT_THAT(std::string(b.Build().status().message()),
              BreaksRule("builder_c5"));
  EXPECT_FALSE(b.GetProgramShape().ok());
}

TEST(XlaBuilderTest, Computations_builder_c4) {
  XlaBuilder b("calls");
  Call(&b, XlaComputation(), {});
  EXPECT_THAT(ErrorOf(b), BreaksRule("builder_c4"));
  XlaBuilder c("calls");
  Call(&c, XlaComputationId(), {});
  EXPECT_THAT(ErrorOf(c), BreaksRule("builder_c4"));
  XlaBuilder d("calls");
  const XlaComputation* const none = nullptr;
  Conditional(ConstantR0<int32_t>(&d, 0), {none}, {Tuple(&d, {})});
  EXPECT_THAT(ErrorOf(d), BreaksRule("builder_c4"));
}

TEST(XlaBuilderTest, BrokenComputationIsAnError) {
  XlaComputation broken = ScalarAdd();
  broken.mutable_proto()->mutable_computations(0)->set_root_id(12345);
  XlaBuilder b("calls");
  EXPECT_FALSE(b.AddSubComputation(broken).valid());
  EXPECT_FALSE(b.first_error().ok());
}

TEST(XlaBuilderTest, AComputationIsTakenInOnce) {
  XlaBuilder b("calls");
  XlaComputation add = ScalarAdd();
  XlaOp x = ConstantR0<float>(&b, 2);
  XlaOp sum = Call(&b, add, {x, x});
  XlaComputation copy = add;
  Call(&b, copy, {sum, Call(&b, b.AddSubComputation(add), {sum, x})});
  XlaComputation built = *b.Build();
  EXPECT_EQ(built.proto().computations_size(), 2);
  EXPECT_TRUE(ReadAndVerify(built).ok());
}

TEST(XlaBuilderTest, SubBuilders) {
  XlaBuilder b("main");
  auto sub = b.CreateSubBuilder("twice");
  XlaOp x = Parameter(sub.get(), 0, Scalar(), "x");
  XlaOp twice = Add(x, x);
  Neg(twice);
  XlaComputationId id = *sub->BuildSubComputation(twice);
  EXPECT_TRUE(id.valid());
  auto below = b.CreateSubBuilder("four_times");
  XlaOp y = Parameter(below.get(), 0, Scalar(), "y");
  Call(below.get(), id, {Call(below.get(), id, {y})});
  XlaComputation four_times = below->BuildAndNoteError();
  EXPECT_EQ(b.Build(id)->name(), "twice");
  Call(&b, four_times, {ConstantR0<float>(&b, 1.5)});
  EXPECT_EQ(BuildAndRun(b).ToString(), "f32[] 6");
  EXPECT_FALSE(b.BuildSubComputation().ok()) << "it has no parent";
}

TEST(XlaBuilderTest, BuildAndNoteErrorTellsTheParent) {
  XlaBuilder b("main");
  auto sub = b.CreateSubBuilder("sub");
  EXPECT_TRUE(sub->BuildAndNoteError().IsNull());
  EXPECT_THAT(ErrorOf(b), HasSubstr("error from sub"));
}

TEST(XlaBuilderTest, Annotations) {
  XlaBuilder b("annotated");
  OpMetadata metadata, once;
  metadata.set_op_name("always");
  once.set_op_name("once");
  OpSharding sharding;
  sharding.set_type(OpSharding::REPLICATED);
  FrontendAttributes attributes;
  (*attributes.mutable_map())["a"] = "1";
  b.SetOpMetadata(metadata);
  b.SetOneShotOpMetadata(once);
  XlaOp x = Parameter(&b, 0, Scalar(), "x");
  XlaOp y = Neg(x);
  b.ClearOpMetadata();
  XlaOp pair;
  {
    XlaScopedShardingAssignment with_sharding(&b, sharding);
    XlaScopedFrontendAttributesAssignment with_attributes(&b, attributes);
    XlaScopedOpMetadataAssignment with_metadata(&b, metadata);
    pair = Tuple(&b, {x, y});
  }
  XlaOp last = Neg(y);
  EXPECT_TRUE(b.SetInstructionFrontendAttribute(last, "b", "2").ok());
  EXPECT_TRUE(b.SetInstructionSharding(y, sharding).ok());
  EXPECT_EQ((*b.LookUp(x))->metadata().op_name(), "once");
  EXPECT_EQ((*b.LookUp(y))->metadata().op_name(), "always");
  EXPECT_EQ((*b.LookUp(last))->metadata().op_name(), "");
  EXPECT_EQ((*b.LookUp(pair))->frontend_attributes().map().at("a"), "1");
  EXPECT_EQ((*b.GetOpSharding(pair))->tuple_shardings_size(), 2);
  EXPECT_EQ((*b.GetOpSharding(y))->type(), OpSharding::REPLICATED);
  EXPECT_FALSE(b.GetOpSharding(last)->has_value());
  EXPECT_THAT(b.OpToString(last), HasSubstr("b=\"2\""));
}

TEST(XlaBuilderTest, AliasesAndDonors) {
  XlaBuilder b("aliased");
  XlaOp x = Parameter(&b, 0, Scalar(), "x");
  XlaOp y = Parameter(&b, 1, Scalar(), "y");
  Tuple(&b, {Add(x, y)});
  b.SetUpAlias({0}, 0, {}, HloInputOutputAliasConfig::kMustAlias);
  b.AddBufferDonor(1, {});
  XlaComputation built = *b.Build();
  ASSERT_EQ(built.proto().input_output_alias().entries_size(), 1);
  EXPECT_EQ(built.proto().input_output_alias().entries(0).kind(),
            Kind::MUST_ALIAS);
  EXPECT_EQ(built.proto().buffer_donor().entries_size(), 1);
  EXPECT_TRUE(ReadAndVerify(built).ok());
}

TEST(XlaBuilderTest, WrongAliases_builder_c6_builder_c7) {
  XlaBuilder b("aliased");
  Parameter(&b, 0, Scalar(), "x");
  b.SetUpAlias({}, 1, {});
  EXPECT_THAT(std::string(b.Build().status().message()),
              BreaksRule("builder_c6"));
  XlaBuilder c("aliased");
  Parameter(&c, 0, Scalar(), "x");
  c.SetUpAlias({0}, 0, {});
  EXPECT_THAT(std::string(c.Build().status().message()),
              BreaksRule("builder_c7"));
  XlaBuilder d("donated");
  Parameter(&d, 0, Scalar(), "x");
  d.SetUpAlias({}, 0, {});
  d.AddBufferDonor(0, {});
  EXPECT_THAT(std::string(d.Build().status().message()),
              AllOf(BreaksRule("builder_c6"),
                    HasSubstr("is already aliased with one output")));
}

TEST(XlaBuilderTest, RemoveDynamicDimensions) {
  XlaBuilder b("static");
  Neg(Parameter(&b, 0, *ShapeUtil::ParseShapeString("f32[<=3]"), "x"));
  EXPECT_EQ(b.Build(/*remove_dynamic_dimensions=*/true)
                ->GetProgramShape()
                ->ToString(),
            "(x: f32[3]) -> f32[3]");
}

TEST(XlaBuilderTest, ConstantSubGraph) {
  XlaBuilder b("constant");
  XlaOp x = Parameter(&b, 0, *ShapeUtil::ParseShapeString("f32[<=3]"), "x");
  XlaOp size = GetDimensionSize(x, 0);
  XlaOp sum = Add(size, ConstantR0<int32_t>(&b, 4));
  EXPECT_TRUE(*b.IsConstant(sum));
  EXPECT_FALSE(*b.IsConstant(x));
  EXPECT_FALSE(*b.IsConstant(Neg(x)));
  XlaComputation computation =
      *b.BuildConstantSubGraph(sum, /*dynamic_dimension_is_minus_one=*/true);
  EXPECT_TRUE(ReadAndVerify(computation).ok());
  EXPECT_EQ(computation.GetProgramShape()->parameters_size(), 0);
  EXPECT_THAT(std::string(b.BuildConstantSubGraph(x).status().message()),
              BreaksRule("builder_c8"));
}

TEST(XlaComputationTest, NullAndSnapshot) {
  XlaComputation null;
  EXPECT_TRUE(null.IsNull());
  EXPECT_FALSE(null.GetProgramShape().ok());
  EXPECT_FALSE(null.Snapshot().ok());
  XlaComputation add = ScalarAdd();
  EXPECT_EQ((*add.Snapshot())->hlo().hlo_module().name(), "add");
  XlaComputation moved = std::move(add);
  EXPECT_TRUE(add.IsNull());  // NOLINT: that is the point
  EXPECT_FALSE(moved.IsNull());
}

TEST(XlaOpTest, Prints) {
  std::ostringstream out;
  out << XlaOp() << XlaComputationId();
  EXPECT_EQ(out.str(), "-1-1");
}

TEST(PaddingTest, SameAndValid) {
  using Amounts = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(MakePadding({10, 5}, {3, 2}, {1, 1}, Padding::kSame),
            (Amounts{{1, 1}, {0, 1}}));
  EXPECT_EQ(MakePadding({10, 7}, {3, 3}, {2, 3}, Padding::kSame),
            (Amounts{{0, 1}, {1, 1}}));
  EXPECT_EQ(MakePadding({10}, {3}, {2}, Padding::kValid), (Amounts{{0, 0}}));
  EXPECT_EQ(MakePadding({0}, {3}, {2}, Padding::kSame), (Amounts{{0, 0}}));
}

}  // namespace
}  // namespace xla
