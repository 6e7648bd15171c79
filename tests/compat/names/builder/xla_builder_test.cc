// Uses every name of xla/hlo/builder/xla_builder.h that is not an op: the
// builder, its handles, scopes, and the ops that make values.
// xla_builder_ops_test.cc and xla_builder_calls_test.cc have the other ops.
#include "xla/hlo/builder/xla_builder.h"

#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::AddOf;
using names_testing::Floats;
using names_testing::RunToText;
using names_testing::Scalar;
using names_testing::ShapeOf;
using names_testing::TupleOf;
using names_testing::ValueOf;
using ::testing::HasSubstr;

TEST(XlaBuilderNamesTest, Handles) {
  XlaOp none;
  EXPECT_FALSE(none.valid());
  EXPECT_TRUE(none.IsUninitialized());
  XlaBuilder b("b");
  XlaOp x = Scalar(&b, 1);
  EXPECT_TRUE(x.valid());
  EXPECT_FALSE(x.IsUninitialized());
  EXPECT_EQ(x.builder(), &b);
  XlaOp copy(x);
  none = x;
  EXPECT_TRUE(copy.IsIdenticalTo(x) && none.IsIdenticalTo(copy));
  XlaOp y = Scalar(&b, 1);
  EXPECT_FALSE(y.IsIdenticalTo(x));
  std::ostringstream x_text, y_text;
  x_text << x;
  y_text << y;
  EXPECT_NE(x_text.str(), y_text.str());

  XlaComputationId no_id;
  EXPECT_FALSE(no_id.valid());
  const XlaComputationId id = b.AddSubComputation(AddOf(F32));
  EXPECT_TRUE(id.valid());
  XlaComputationId copied(id);
  no_id = copied;
  EXPECT_TRUE(no_id.valid());
  std::ostringstream id_text, copied_text;
  id_text << id;
  copied_text << no_id;
  EXPECT_EQ(id_text.str(), copied_text.str());
}

TEST(XlaBuilderNamesTest, Building) {
  XlaBuilder b("program");
  EXPECT_EQ(b.name(), "program");
  const Shape vector = ShapeUtil::MakeShape(F32, {2});
  XlaOp x = Parameter(&b, 0, vector, "x");
  XlaOp y = Parameter(&b, 1, vector, "y", {true});
  XlaOp sum = Add(x, y);
  Neg(sum);
  EXPECT_EQ(ShapeUtil::HumanString(*b.GetShapePtr(sum).value()), "f32[2]");
  EXPECT_EQ(b.GetShape(x).value(), vector);
  EXPECT_EQ(b.GetOperandShapes({x, y}).value(),
            (std::vector<Shape>{vector, vector}));
  EXPECT_EQ(b.GetProgramShape().value().ToString(),
            "(x: f32[2], y: f32[2]) -> f32[2]");
  EXPECT_EQ(b.GetProgramShape(x).value().parameters_size(), 2);
  EXPECT_FALSE(b.IsConstant(sum).value());
  EXPECT_THAT(b.OpToString(sum), HasSubstr("add"));
  EXPECT_TRUE(b.first_error().ok());
  EXPECT_TRUE(b.GetCurrentStatus().ok());
  const XlaComputation with_root = b.Build(sum).value();
  EXPECT_EQ(with_root.GetProgramShape().value().result(), vector);
  EXPECT_EQ(with_root.name().substr(0, 7), "program");
}

TEST(XlaBuilderNamesTest, BuildRemovesDynamicSizes) {
  const Shape bounded = ShapeUtil::MakeShape(F32, {4}, {true});
  XlaBuilder b("b");
  Neg(Parameter(&b, 0, bounded, "x"));
  EXPECT_TRUE(b.Build(/*remove_dynamic_dimensions=*/true)
                  .value()
                  .GetProgramShape()
                  .value()
                  .result()
                  .is_static());
  XlaOp x = Parameter(&b, 0, bounded, "x");
  EXPECT_FALSE(
      b.Build(x, false).value().GetProgramShape().value().result().is_static());
}

TEST(XlaBuilderNamesTest, SubComputations) {
  XlaBuilder b("b");
  auto sub = b.CreateSubBuilder("square");
  XlaOp x = Parameter(sub.get(), 0, ShapeUtil::MakeShape(F32, {}), "x");
  XlaOp square = Mul(x, x);
  Neg(square);
  const XlaComputationId id =
      sub->BuildSubComputation(square, /*remove_dynamic_dimensions=*/false)
          .value();
  Call(&b, id, {Scalar(&b, 3)});
  EXPECT_EQ(RunToText(&b), "9");

  XlaBuilder entry("entry");
  const XlaComputationId main = entry.AddSubComputation(AddOf(F32));
  EXPECT_EQ(
      entry.Build(main).value().GetProgramShape().value().parameters_size(), 2);

  auto bad = b.CreateSubBuilder("bad");
  Add(Floats(bad.get(), {1, 2}), Floats(bad.get(), {1, 2, 3}));
  EXPECT_TRUE(bad->BuildAndNoteError().IsNull());
  EXPECT_FALSE(b.first_error().ok());
}

TEST(XlaBuilderNamesTest, Errors) {
  XlaBuilder b("b");
  XlaOp bad = b.ReportError(absl::InternalError("mine"));
  EXPECT_FALSE(bad.valid());
  EXPECT_EQ(bad.builder(), &b);
  EXPECT_EQ(b.first_error().message(), "mine");
  b.ReportError(absl::InternalError("second"));
  EXPECT_EQ(b.GetCurrentStatus().message(), "mine");
  EXPECT_EQ(b.Build().status().message(), "mine");

  XlaBuilder c("c");
  XlaOp good = Scalar(&c, 2);
  EXPECT_TRUE(
      c.ReportErrorOrReturn(absl::StatusOr<XlaOp>(good)).IsIdenticalTo(good));
  EXPECT_TRUE(c.ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
                 return good;
               }).IsIdenticalTo(good));
  EXPECT_FALSE(c.ReportErrorOrReturn([]() -> absl::StatusOr<XlaOp> {
                  return absl::NotFoundError("gone");
                }).valid());
  EXPECT_EQ(c.first_error().message(), "gone");
  XlaBuilder strict("strict");
  strict.set_die_immediately_on_error(true);
  EXPECT_DEATH(strict.ReportError(absl::InternalError("fatal")), "fatal");
}

TEST(XlaBuilderNamesTest, ConstantParts) {
  XlaBuilder b("b");
  XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {2}), "x");
  XlaOp constant = Add(Floats(&b, {1, 2}), Floats(&b, {3, 4}));
  EXPECT_TRUE(b.IsConstant(constant).value());
  const XlaComputation part = b.BuildConstantSubGraph(constant).value();
  EXPECT_EQ(ClientLibrary::LocalClientOrDie()
                ->ExecuteAndTransfer(part, {})
                .value()
                .ToStringWithoutShapeOneline(),
            "{4, 6}");
  EXPECT_FALSE(b.BuildConstantSubGraph(Neg(x)).ok());
  XlaOp bounded = Parameter(&b, 1, ShapeUtil::MakeShape(F32, {3}, {true}), "d");
  XlaOp size = GetDimensionSize(bounded, 0);
  const XlaComputation size_part =
      b.BuildConstantSubGraph(size, /*dynamic_dimension_is_minus_one=*/true)
          .value();
  EXPECT_EQ(ClientLibrary::LocalClientOrDie()
                ->ExecuteAndTransfer(size_part, {})
                .value()
                .Get<int32_t>({}),
            -1);
}

HloInstructionProto LastOp(XlaBuilder* b) {
  const XlaComputation program = b->Build().value();
  const HloModuleProto& module = program.proto();
  const auto& ops = module.computations(0).instructions();
  return ops.at(ops.size() - 1);
}

TEST(XlaBuilderNamesTest, Annotations) {
  XlaBuilder b("b");
  OpMetadata metadata;
  metadata.set_op_name("mine");
  b.SetOpMetadata(metadata);
  OpSharding replicated;
  replicated.set_type(OpSharding::REPLICATED);
  b.SetSharding(replicated);
  EXPECT_EQ(b.sharding()->type(), OpSharding::REPLICATED);
  FrontendAttributes attributes;
  (*attributes.mutable_map())["key"] = "value";
  b.SetFrontendAttributes(attributes);
  EXPECT_EQ(b.frontend_attributes().map().at("key"), "value");
  OriginalValueProto original;
  b.SetOriginalValue(original);
  EXPECT_TRUE(b.original_value().has_value());
  XlaOp x = Scalar(&b, 1);
  EXPECT_EQ(b.GetOpSharding(x).value()->type(), OpSharding::REPLICATED);
  HloInstructionProto op = LastOp(&b);
  EXPECT_EQ(op.metadata().op_name(), "mine");
  EXPECT_EQ(op.sharding().type(), OpSharding::REPLICATED);
  EXPECT_EQ(op.frontend_attributes().map().at("key"), "value");

  EXPECT_EQ(b.SwapOpMetadata(OpMetadata()).op_name(), "mine");
  EXPECT_EQ(b.SwapFrontendAttributes(FrontendAttributes()).map().size(), 1);
  b.SetOpMetadata(metadata);
  b.ClearOpMetadata();
  b.SetFrontendAttributes(attributes);
  b.ClearFrontendAttributes();
  b.ClearSharding();
  b.ClearOriginalValue();
  EXPECT_FALSE(b.sharding().has_value());
  EXPECT_FALSE(b.original_value().has_value());
  b.SetOneShotOpMetadata(metadata);
  XlaOp first = Scalar(&b, 1);
  EXPECT_FALSE(b.GetOpSharding(first).value().has_value());
  Neg(first);
  op = LastOp(&b);
  EXPECT_EQ(op.metadata().op_name(), "");
  EXPECT_FALSE(op.has_sharding());
  EXPECT_TRUE(op.frontend_attributes().map().empty());

  XlaOp one = Scalar(&b, 1);
  EXPECT_TRUE(b.SetInstructionFrontendAttribute(one, "k", "v").ok());
  EXPECT_TRUE(b.SetInstructionFrontendAttribute(one, "k", "w").ok());
  EXPECT_TRUE(b.SetInstructionSharding(one, replicated).ok());
  op = LastOp(&b);
  EXPECT_EQ(op.frontend_attributes().map().at("k"), "w");
  EXPECT_EQ(op.sharding().type(), OpSharding::REPLICATED);
}

TEST(XlaBuilderNamesTest, Scopes) {
  XlaBuilder b("b");
  OpSharding manual;
  manual.set_type(OpSharding::MANUAL);
  FrontendAttributes attributes;
  (*attributes.mutable_map())["key"] = "value";
  OpMetadata metadata;
  metadata.set_op_type("type");
  {
    XlaScopedShardingAssignment sharding(&b, manual);
    XlaScopedFrontendAttributesAssignment frontend(&b, attributes);
    XlaScopedOpMetadataAssignment op_metadata(&b, metadata);
    XlaScopedOriginalValueAssignment value(&b, OriginalValueProto());
    EXPECT_EQ(b.sharding()->type(), OpSharding::MANUAL);
    EXPECT_EQ(b.frontend_attributes().map().size(), 1);
    EXPECT_TRUE(b.original_value().has_value());
    {
      XlaScopedShardingAssignment none(&b, std::nullopt);
      XlaScopedOriginalValueAssignment no_value(&b, std::nullopt);
      EXPECT_FALSE(b.sharding().has_value());
      EXPECT_FALSE(b.original_value().has_value());
    }
    EXPECT_TRUE(b.sharding().has_value());
    Scalar(&b, 1);
    EXPECT_EQ(LastOp(&b).metadata().op_type(), "type");
  }
  EXPECT_FALSE(b.sharding().has_value());
  EXPECT_TRUE(b.frontend_attributes().map().empty());
  EXPECT_FALSE(b.original_value().has_value());
  Scalar(&b, 1);
  EXPECT_EQ(LastOp(&b).metadata().op_type(), "");
}

TEST(XlaBuilderNamesTest, Aliases) {
  XlaBuilder b("b");
  const Shape vector = ShapeUtil::MakeShape(F32, {2});
  XlaOp x = Parameter(&b, 0, vector, "x");
  XlaOp y = Parameter(&b, 1, vector, "y");
  Tuple(&b, {Add(x, y), Sub(x, y)});
  const XlaBuilder::InputOutputAlias alias = {
      .output_index = {0},
      .param_number = 0,
      .param_index = {},
      .kind = HloInputOutputAliasConfig::AliasKind::kMustAlias};
  b.SetUpAlias(alias.output_index, alias.param_number, alias.param_index,
               alias.kind);
  b.AddBufferDonor(1, {});
  const XlaComputation program = b.Build().value();
  ASSERT_EQ(program.proto().input_output_alias().entries_size(), 1);
  EXPECT_EQ(program.proto().input_output_alias().entries(0).kind(),
            Kind::MUST_ALIAS);
  EXPECT_EQ(program.proto().buffer_donor().entries_size(), 1);
  x = Parameter(&b, 0, vector, "x");
  Neg(x);
  b.SetUpAlias({}, 0, {});
  EXPECT_EQ(b.Build().value().proto().input_output_alias().entries(0).kind(),
            Kind::MAY_ALIAS);
}

TEST(XlaBuilderNamesTest, ConvolutionDimensions) {
  ConvolutionDimensionNumbers numbers =
      XlaBuilder::CreateDefaultConvDimensionNumbers();
  EXPECT_EQ(numbers.input_batch_dimension(), XlaBuilder::kConvBatchDimension);
  EXPECT_EQ(numbers.input_feature_dimension(),
            XlaBuilder::kConvFeatureDimension);
  EXPECT_EQ(numbers.input_spatial_dimensions(0),
            XlaBuilder::kConvFirstSpatialDimension);
  EXPECT_EQ(numbers.output_spatial_dimensions(1),
            XlaBuilder::kConvSecondSpatialDimension);
  EXPECT_EQ(numbers.kernel_output_feature_dimension(),
            XlaBuilder::kConvKernelOutputDimension);
  EXPECT_EQ(numbers.kernel_input_feature_dimension(),
            XlaBuilder::kConvKernelInputDimension);
  EXPECT_EQ(numbers.kernel_spatial_dimensions(0),
            XlaBuilder::kConvKernelFirstSpatialDimension);
  EXPECT_EQ(numbers.kernel_spatial_dimensions(1),
            XlaBuilder::kConvKernelSecondSpatialDimension);
  EXPECT_TRUE(XlaBuilder::Validate(numbers).ok());
  EXPECT_EQ(XlaBuilder::CreateDefaultConvDimensionNumbers(3)
                .input_spatial_dimensions_size(),
            3);
  numbers.set_input_feature_dimension(0);
  EXPECT_FALSE(XlaBuilder::Validate(numbers).ok());
}

TEST(XlaBuilderNamesTest, Constants) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return ConstantLiteral(b, LiteralUtil::CreateR1<int32_t>({1, 2}));
            }),
            "{1, 2}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return ConstantR0<int32_t>(b, 7); }),
            "7");
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return ConstantR1<float>(b, {1, 2.5}); }),
      "{1, 2.5}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return ConstantR1<float>(b, 3, 2); }),
            "{2, 2, 2}");
  tsl::core::Bitmap bits(3);
  bits.set(1);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return ConstantR1(b, bits); }),
            "{0, 1, 0}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return ConstantR2<int32_t>(b, {{1, 2}, {3, 4}});
            }),
            "{ { 1, 2 }, { 3, 4 } }");
  const Layout columns = LayoutUtil::MakeLayout({0, 1});
  const Array<int32_t> two({{1, 2}, {3, 4}});
  const Array2D<int32_t> two_d({{1, 2}, {3, 4}});
  for (auto make : std::vector<std::function<XlaOp(XlaBuilder*)>>{
           [&](XlaBuilder* b) { return ConstantFromArray<int32_t>(b, two); },
           [&](XlaBuilder* b) {
             return ConstantFromArrayWithLayout<int32_t>(b, two, columns);
           },
           [&](XlaBuilder* b) {
             return ConstantR2FromArray2D<int32_t>(b, two_d);
           },
           [&](XlaBuilder* b) {
             return ConstantR2FromArray2DWithLayout<int32_t>(b, two_d, columns);
           }}) {
    EXPECT_EQ(ValueOf(make), "{ { 1, 2 }, { 3, 4 } }");
  }
  const Array3D<float> three(1, 2, 2, 5);
  const Layout three_layout = LayoutUtil::MakeLayout({0, 1, 2});
  const std::string three_text = "{ { { 5, 5 }, { 5, 5 } } }";
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return ConstantR3FromArray3D<float>(b, three);
            }),
            three_text);
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return ConstantR3FromArray3DWithLayout<float>(b, three,
                                                            three_layout);
            }),
            three_text);
  Array4D<float> four(1, 1, 1, 2);
  four(0, 0, 0, 1) = 9;
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return Reshape(ConstantR4FromArray4D<float>(b, four), {2});
            }),
            "{0, 9}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return Reshape(ConstantR4FromArray4DWithLayout<float>(
                                 b, four, LayoutUtil::MakeLayout({0, 1, 2, 3})),
                             {2});
            }),
            "{0, 9}");
}

TEST(XlaBuilderNamesTest, Values) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return Iota(b, S32, 3); }),
            "{0, 1, 2}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Iota(b, ShapeUtil::MakeShape(S32, {2, 2}), 0);
            }),
            "{ { 0, 0 }, { 1, 1 } }");
  EXPECT_EQ(TupleOf([](XlaBuilder* b) {
              return Tuple(b, {Scalar(b, 1), Floats(b, {2, 3})});
            }),
            "( 1, {2, 3} )");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return GetTupleElement(Tuple(b, {Scalar(b, 1), Scalar(b, 2)}), 1);
            }),
            "2");
  EXPECT_EQ(ShapeOf([](XlaBuilder* b) { return CreateToken(b); }), "token[]");
  EXPECT_EQ(ShapeOf([](XlaBuilder* b) {
              return AfterAll(b, {CreateToken(b), CreateToken(b)});
            }),
            "token[]");
}

}  // namespace
}  // namespace xla
