// What XlaBuilder puts on instructions: shardings, names, places in the
// client's program, original values; and the ids of protos.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "xla/base/errors.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/sharding_builder.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_sharding.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const HloInstruction& At(XlaBuilder& b, XlaOp op) { return **b.LookUp(op); }

Shape Floats(std::vector<int64_t> sizes) {
  return ShapeUtil::MakeShape(F32, sizes);
}

OpSharding Halves() { return sharding_builder::Tile1D(Floats({4}), 2); }

HloSharding OnDevice0() { return HloSharding::AssignDevice(0); }

TEST(BuilderShardingTest, FitsTheShapeOrIsAnError) {
  const OpSharding quarters = sharding_builder::Tile1D(Floats({5}), 4);
  XlaBuilder b("sharded");
  b.SetSharding(quarters);
  EXPECT_FALSE(Parameter(&b, 0, Floats({6, 8}), "x").valid());
  EXPECT_THAT(ErrorOf(b), HasSubstr("parameter"));
  EXPECT_EQ(b.Build().status().code(), absl::StatusCode::kInvalidArgument);

  XlaBuilder later("sharded");
  XlaOp x = Parameter(&later, 0, Floats({6, 8}), "x");
  EXPECT_FALSE(later.SetInstructionSharding(x, quarters).ok());
  EXPECT_FALSE(later.GetOpSharding(x)->has_value());
  EXPECT_TRUE(later.Build().ok()) << "the builder keeps no error of it";

  // Out of order, a parameter takes the place of a placeholder.
  XlaBuilder places("sharded");
  Parameter(&places, 1, Floats({4}), "y");
  places.SetSharding(quarters);
  EXPECT_FALSE(Parameter(&places, 0, Floats({6, 8}), "x").valid());
  EXPECT_FALSE(places.Build().ok());
}

TEST(BuilderShardingTest, LeavesOfTuplesHaveOneEach) {
  XlaBuilder b("sharded");
  b.SetSharding(sharding_builder::Replicate());
  XlaOp pair = Parameter(
      &b, 0, ShapeUtil::MakeTupleShape({Floats({5}), Floats({6})}), "pair");
  EXPECT_EQ(At(b, pair).sharding().tuple_elements().size(), 2);
  EXPECT_EQ(At(b, Tuple(&b, {})).sharding().tuple_elements().size(), 1);
  EXPECT_FALSE(At(b, CreateToken(&b)).sharding().IsTuple());
}

TEST(BuilderShardingTest, IsThatOfTheArrayNotOfItsParts) {
  XlaBuilder b("sharded");
  b.SetSharding(Halves());
  XlaOp ones = ConstantR1<float>(&b, {1, 1, 1, 1});
  EXPECT_TRUE(At(b, ones).sharding().IsTiled());
  EXPECT_FALSE(At(b, ones).operand(0)->has_sharding());
  EXPECT_TRUE(b.Build().ok());
}

TEST(BuilderShardingTest, IsThatOfTheResultOfABroadcast) {
  XlaBuilder b("sharded");
  XlaOp x = Parameter(&b, 0, Floats({4, 6}), "x");
  XlaOp column = Parameter(&b, 1, Floats({4, 1}), "column");
  XlaOp rows =
      Parameter(&b, 2, *ShapeUtil::ParseShapeString("f32[<=4,6]"), "rows");
  XlaOp scalar = Parameter(&b, 3, Floats({}), "scalar");
  sharding_builder::TileAssignment devices({2, 1});
  devices.FillIota(0);
  b.SetSharding(sharding_builder::Tile(Floats({2, 6}), devices));
  // Of the steps to the other's sizes, those of fewer dimensions have none.
  const HloInstruction& sum = At(b, Add(x, column));
  EXPECT_TRUE(sum.operand(1)->sharding().IsTiled());
  EXPECT_EQ(sum.operand(1)->operand(0)->opcode(), HloOpcode::kReshape);
  EXPECT_FALSE(sum.operand(1)->operand(0)->has_sharding());
  EXPECT_TRUE(Add(rows, scalar).valid());
  EXPECT_TRUE(Add(x, Broadcast(scalar, {4, 6})).valid());
  EXPECT_EQ(ErrorOf(b), "");
}

TEST(BuilderShardingTest, Outfeed) {
  for (const OpSharding& sharding : {sharding_builder::Replicate(), Halves()}) {
    XlaBuilder b("fed");
    XlaOp value = ConstantR1<float>(&b, {1, 2, 3, 4});
    b.SetSharding(sharding);
    Outfeed(value, ShapeUtil::MakeShapeWithDenseLayout(F32, {4}, {0}), "");
    auto module = *ReadAndVerify(*b.Build());
    const HloComputation& entry = *module->entry_computation();
    EXPECT_FALSE(entry.root_instruction()->has_sharding());
    for (const HloInstruction* hlo : entry.instructions()) {
      if (hlo->opcode() != HloOpcode::kOutfeed) continue;
      const auto& parts = hlo->sharding().tuple_elements();
      ASSERT_EQ(parts.size(), 2);
      EXPECT_EQ(parts[0].ToProto().type(), sharding.type());
      EXPECT_EQ(parts[1], OnDevice0());
      EXPECT_EQ(hlo->operand(1)->sharding(), OnDevice0());
    }
  }
}

TEST(BuilderShardingTest, Infeed) {
  XlaBuilder b("fed");
  b.SetSharding(sharding_builder::Replicate());
  XlaOp value = Infeed(&b, Floats({4}));
  const HloInstruction& infeed = *At(b, value).operand(0);
  EXPECT_TRUE(infeed.sharding().IsReplicated());
  EXPECT_EQ(infeed.operand(0)->sharding(), OnDevice0());
  EXPECT_EQ(At(b, b.infeed_token()).sharding(), OnDevice0());
  EXPECT_TRUE(At(b, value).sharding().IsReplicated());
  EXPECT_TRUE(ReadAndVerify(*b.Build()).ok());

  // Shardings of the data's leaves get one more, for the token.
  const Shape pair = ShapeUtil::MakeTupleShape({Floats({4}), Floats({})});
  OpSharding of_pair;
  of_pair.set_type(OpSharding::TUPLE);
  *of_pair.add_tuple_shardings() = Halves();
  *of_pair.add_tuple_shardings() = sharding_builder::Replicate();
  b.SetSharding(of_pair);
  XlaOp values = Infeed(&b, pair);
  const auto& parts = At(b, values).operand(0)->sharding().tuple_elements();
  ASSERT_EQ(parts.size(), 3);
  EXPECT_EQ(parts[2], OnDevice0());
  EXPECT_EQ(At(b, values).sharding().tuple_elements().size(), 2);
  EXPECT_TRUE(b.Build().ok());
}

TEST(BuilderTransfersTest, FeedsWithoutTokensRunInOrder) {
  XlaBuilder b("fed");
  XlaOp first = Infeed(&b, Floats({2})), second = Infeed(&b, Floats({2}));
  const Shape vector = ShapeUtil::MakeShapeWithDenseLayout(F32, {2}, {0});
  Outfeed(first, vector, "");
  const XlaOp after_first = b.outfeed_token();
  Outfeed(second, vector, "");
  // The second infeed takes the token of the first.
  const HloInstruction& token = *At(b, second).operand(0)->operand(0);
  EXPECT_EQ(token.opcode(), HloOpcode::kGetTupleElement);
  EXPECT_EQ(token.operand(0), At(b, first).operand(0));
  EXPECT_EQ(At(b, b.outfeed_token()).operand(1), &At(b, after_first));
  EXPECT_TRUE(ReadAndVerify(*b.Build()).ok());
  // The tokens left with the computation.
  Infeed(&b, Floats({2}));
  EXPECT_TRUE(ReadAndVerify(*b.Build()).ok());
}

TEST(BuilderNamesTest, ComeFromMetadata) {
  XlaBuilder b("named");
  XlaOp x = Parameter(&b, 0, Floats({}), "x");
  const auto name = [&](const std::string& op_name) {
    OpMetadata metadata;
    metadata.set_op_name(op_name);
    XlaScopedOpMetadataAssignment scope(&b, metadata);
    return std::string(At(b, Neg(x)).name());
  };
  EXPECT_EQ(name("jit(fn)/sin"), "sin.2");
  EXPECT_EQ(name("inputs.x"), "inputs_x.3");
  EXPECT_EQ(name("fusion.3.clone"), "fusion_clone.4");
  EXPECT_EQ(name("a/b[c=1]"), "b_c_1_.5");
  EXPECT_EQ(name(""), "negate.6");
  EXPECT_EQ(name("jit(fn)/"), "negate.7");
  EXPECT_EQ(name("jit(fn)/7"), "negate.8");
  OpMetadata metadata;
  metadata.set_op_name("jit(fn)/sin");
  b.SetOpMetadata(metadata);
  XlaOp y = Parameter(&b, 1, Floats({}), "y");
  EXPECT_THAT(std::string(At(b, y).name()), StartsWith("y."));
  EXPECT_TRUE(ReadAndVerify(*b.Build()).ok());
}

TEST(BuilderErrorsTest, NameThePlaceInTheClientsProgram) {
  constexpr char kPlace[] = "\n\nPython Code Location:\n  File: f.py:42";
  OpMetadata metadata;
  metadata.set_source_file("f.py");
  metadata.set_source_line(42);
  XlaBuilder b("errors");
  b.SetOpMetadata(metadata);
  b.ReportError(NotFound("gone"));
  EXPECT_EQ(ErrorOf(b), std::string("gone") + kPlace);
  EXPECT_EQ(b.first_error().code(), absl::StatusCode::kNotFound);

  XlaBuilder once("errors");
  once.SetOneShotOpMetadata(metadata);
  Transpose(XlaOp(), {0});
  Parameter(&once, -1, Floats({}), "x");
  EXPECT_THAT(ErrorOf(once), HasSubstr(kPlace));

  XlaBuilder nowhere("errors");
  nowhere.ReportError(NotFound("gone"));
  EXPECT_EQ(ErrorOf(nowhere), "gone");
}

// What the instruction `name` stands for, of the tree of `shape`.
OriginalValueProto Original(const std::string& name, const Shape& shape) {
  OriginalValue value(shape);
  for (auto& [index, array] : value.mutable_original_arrays()) {
    array = OriginalArray{name, index};
  }
  return value.ToProto();
}

TEST(BuilderOriginalValueTest, TuplesHaveThoseOfTheirElements) {
  XlaBuilder b("traced");
  b.SetOriginalValue(Original("a", Floats({2})));
  XlaOp x = Parameter(&b, 0, Floats({2}), "x");
  b.SetOriginalValue(Original("b", Floats({2})));
  XlaOp y = Neg(x);
  XlaOp pair = Tuple(&b, {x, y});
  EXPECT_EQ(At(b, pair).original_value()->ToString(), R"(({"a"}, {"b"}))");
  b.ClearOriginalValue();
  XlaOp z = Neg(x);
  EXPECT_EQ(At(b, Tuple(&b, {z, y})).original_value()->ToString(),
            R"(({}, {"b"}))");
  EXPECT_EQ(At(b, Tuple(&b, {z})).original_value(), nullptr);
  EXPECT_TRUE(ReadAndVerify(*b.Build()).ok());
}

TEST(BuilderOriginalValueTest, ElementsHaveTheirPart) {
  const Shape shape = ShapeUtil::MakeTupleShape({Floats({2}), Floats({})});
  XlaBuilder b("traced");
  b.SetOriginalValue(Original("p", shape));
  XlaOp pair = Parameter(&b, 0, shape, "pair");
  XlaOp second = GetTupleElement(pair, 1);
  EXPECT_EQ(At(b, pair).original_value()->ToString(),
            R"(({"p" {0}}, {"p" {1}}))");
  EXPECT_EQ(At(b, second).original_value()->ToString(), R"({"p" {1}})");
  OriginalValueProto unsound;
  unsound.add_elements()->add_shape_index(-1);
  b.SetOriginalValue(unsound);
  EXPECT_FALSE(Neg(second).valid());
  EXPECT_THAT(ErrorOf(b), HasSubstr("without a sound tree"));
}

XlaComputation SumOfCalls() {
  XlaBuilder b("sums");
  XlaOp x = Parameter(&b, 0, Floats({}), "x");
  XlaOp one = ConstantR0<float>(&b, 1);
  const XlaComputation add = ScalarAdd();
  Add(Call(&b, add, {x, one}), Call(&b, add, {one, x}));
  return *b.Build();
}

TEST(BuilderIdsTest, EqualBuildsAreEqual) {
  EXPECT_EQ(SumOfCalls().proto().SerializeAsString(),
            SumOfCalls().proto().SerializeAsString());
}

TEST(BuilderIdsTest, InstructionsStartAtOneInTheirComputation) {
  XlaBuilder b("ids");
  XlaOp x = Parameter(&b, 0, Floats({}), "x");
  XlaOp sum = Add(x, ConstantR0<float>(&b, 1));
  Neg(sum);
  const XlaComputation program = *b.Build(sum);
  const HloComputationProto& entry = program.proto().computations(0);
  EXPECT_EQ(entry.id(), 1);
  EXPECT_EQ(program.proto().entry_computation_id(), 1);
  EXPECT_EQ(program.proto().id(), 1);
  // Indices are 32 bits wide, so what the upper half says is cut off.
  const auto& hlos = entry.instructions();
  const auto& root = hlos.at(static_cast<int>(entry.root_id() - 1));
  EXPECT_EQ(root.opcode(), "add");
  EXPECT_EQ(hlos.at(static_cast<int>(root.operand_ids(0) - 1)).opcode(),
            "parameter");
  EXPECT_EQ(root.id(), (int64_t{1} << 32) | 3);
}

TEST(BuilderIdsTest, AreUniqueInTheModuleAndRead) {
  const XlaComputation program = SumOfCalls();
  ASSERT_EQ(program.proto().computations_size(), 2);
  EXPECT_EQ(program.proto().computations(0).id(), 1);
  EXPECT_EQ(program.proto().entry_computation_id(), 2);
  EXPECT_EQ(program.proto().computations(0).root_id() >> 32, 1);
  EXPECT_EQ(program.proto().computations(1).root_id() >> 32, 2);
  auto module = *ReadAndVerify(program);
  EXPECT_EQ(module->entry_computation()->root_instruction()->opcode(),
            HloOpcode::kAdd);
  // A computation that was read is built in again.
  XlaBuilder b("outer");
  Call(&b, program, {ConstantR0<float>(&b, 2)});
  EXPECT_EQ(BuildAndRun(b).ToString(), "f32[] 6");
}

}  // namespace
}  // namespace xla
