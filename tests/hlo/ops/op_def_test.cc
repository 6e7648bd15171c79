// The table of ops, and the rules that all ops share.
#include "xla/hlo/ops/op_def.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hlo/rule_matcher.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/random.h"

namespace xla {
namespace {

using testing::HasSubstr;

TEST(OpTableTest, EachNameIsFoundAgain) {
  for (const OpDef* def : OpTable()) {
    auto opcode = StringToHloOpcode(HloOpcodeString(def->opcode));
    ASSERT_TRUE(opcode.ok()) << opcode.status().message();
    EXPECT_EQ(*opcode, def->opcode);
  }
  EXPECT_EQ(StringToHloOpcode("ad").status().message(), "unknown opcode 'ad'");
}

TEST(OpTableTest, EachRowIsComplete) {
  for (const OpDef* def : OpTable()) {
    const absl::string_view name = HloOpcodeString(def->opcode);
    EXPECT_NE(def->infer, nullptr) << name;
    EXPECT_FALSE(def->summary.empty()) << name;
    EXPECT_FALSE(def->section.empty()) << name;
    for (const FieldDef& field : def->attrs->fields()) {
      EXPECT_FALSE(field.doc.empty()) << name;
      if (field.proto_name != "-") {
        EXPECT_NE(HloInstructionProto::descriptor()->FindFieldByName(
                      std::string(field.proto_name)),
                  nullptr)
            << name << " " << field.proto_name;
      }
    }
  }
}

// Checks the facts of a row that constrain each other.
TEST(OpTableTest, CostClassesFitTheirRows) {
  for (const OpDef* def : OpTable()) {
    const absl::string_view name = HloOpcodeString(def->opcode);
    const bool calls = def->computations.size() > 0;
    switch (def->cost_class) {
      case CostClass::kNone:
        EXPECT_FALSE(calls || def->elementwise || def->side_effect) << name;
        break;
      case CostClass::kMovement:
        EXPECT_FALSE(calls || def->side_effect) << name;
        break;
      case CostClass::kArithmetic:
      case CostClass::kDivision:
      case CostClass::kSquareRoot:
      case CostClass::kRemainder:
      case CostClass::kTranscendental:
      case CostClass::kLongTranscendental:
        EXPECT_TRUE(def->elementwise && !calls) << name;
        break;
      case CostClass::kControl:
      case CostClass::kFusion:
      case CostClass::kApplication:
      case CostClass::kScatteredUpdate:
        EXPECT_TRUE(calls) << name;
        break;
      case CostClass::kContraction:
      case CostClass::kAlgorithm:
        EXPECT_FALSE(def->elementwise || def->device_dependent) << name;
        break;
      case CostClass::kDevice:
        EXPECT_TRUE(def->side_effect || def->device_dependent) << name;
        break;
      case CostClass::kForeign:
        EXPECT_EQ(def->opcode, HloOpcode::kCustomCall);
        break;
    }
    if (def->device_dependent) {
      EXPECT_EQ(def->cost_class, CostClass::kDevice) << name;
    }
    if (def->commutative) {
      EXPECT_EQ(def->operands.size(), 2) << name;
      EXPECT_EQ(def->cost_class, CostClass::kArithmetic) << name;
    }
  }
}

TEST(InferShapeTest, op_c1) {
  const Shape scalar = ShapeUtil::MakeShape(F32, {});
  const Shape* const one[] = {&scalar};
  EXPECT_THAT(InferShape(GetOpDef(HloOpcode::kAdd), InferArgs{one}, nullptr)
                  .status()
                  .message(),
              testing::AllOf(HasSubstr("add: expected 2 operands, got 1"),
                             BreaksRule("op_c1")));
}

TEST(InferShapeTest, op_c2) {
  const Shape scalar = ShapeUtil::MakeShape(F32, {});
  const Shape* const one[] = {&scalar};
  EXPECT_THAT(
      InferShape(GetOpDef(HloOpcode::kCall), InferArgs{one}, nullptr)
          .status()
          .message(),
      testing::AllOf(HasSubstr("call: expected 1 called computations, got 0"),
                     BreaksRule("op_c2")));
}

TEST(InferShapeTest, op_c3) {
  const Shape array = ShapeUtil::MakeShape(F32, {2});
  const Shape buffer = Shape::MakeBufferShape(array);
  const Shape* const operands[] = {&array, &buffer};
  const auto error = [](HloOpcode opcode, InferArgs args) {
    return std::string(
        InferShape(GetOpDef(opcode), args, nullptr).status().message());
  };
  EXPECT_THAT(error(HloOpcode::kAdd, InferArgs{operands}),
              HasSubstr("add: works on arrays, not on the buffer b(f32[2]"));
  InferArgs constant;
  constant.declared = &buffer;
  EXPECT_THAT(error(HloOpcode::kConstant, constant), BreaksRule("op_c3"));
  EXPECT_EQ(error(HloOpcode::kTuple, InferArgs{operands}), "");
}

// The parser and the proto reader look up algorithms by name or number, so only
// C++ callers can break this rule.
TEST(InferShapeTest, rng_bit_generator_c3) {
  const Shape state = ShapeUtil::MakeShape(U64, {2});
  const Shape* const operands[] = {&state};
  const Shape result =
      ShapeUtil::MakeTupleShape({state, ShapeUtil::MakeShape(U32, {4})});
  Attrs attrs(RngBitGeneratorAttrs{static_cast<RandomAlgorithm>(7)});
  InferArgs args{operands};
  args.declared = &result;
  EXPECT_THAT(
      InferShape(GetOpDef(HloOpcode::kRngBitGenerator), args, attrs.get())
          .status()
          .message(),
      testing::AllOf(HasSubstr("unknown algorithm 7"),
                     BreaksRule("rng_bit_generator_c3")));
}

}  // namespace
}  // namespace xla
