// Original values and recovery tables as passes of XLA's clients use them.
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "gmock/gmock.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_original_value.h"
#include "xla/hlo/ir/hlo_original_value_util.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/shape_util.h"
#include "xla/tuple_tree.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using Tree = TupleTree<std::optional<OriginalArray>>;

std::unique_ptr<HloModule> ReadModule(const std::string& text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

HloInstruction* Find(const HloModule& module, const std::string& name) {
  HloInstruction* found =
      module.entry_computation()->GetInstructionWithName(name);
  EXPECT_NE(found, nullptr) << name;
  return found;
}

std::string OriginOf(const HloModule& module, const std::string& name) {
  const auto value = Find(module, name)->original_value();
  return value == nullptr ? "none" : value->ToString();
}

OriginalValue Leaf(const std::string& name, ShapeIndex index = {}) {
  return OriginalValue(Tree::Node::Leaf(OriginalArray{name, std::move(index)}));
}

TEST(OriginalValueTest, TextAndProtoRoundTrip) {
  for (const std::string text :
       {"{}", "()", "{\"a\"}", "{\"a\" {1,0}}", "({\"a\"}, ({\"b\" {2}}, {}))",
        "((), {\"quote\\\" and \\\\\"})", "[synthetic_call]"}) {
    const auto module = ReadModule(
        "HloModule m\nENTRY e {\n  ROOT p = f32[4] "
        "parameter(0), origin={" +
        text + "}\n}");
    EXPECT_EQ(OriginOf(*module, "p"), text);
    EXPECT_THAT(module->ToString(), HasSubstr("origin={" + text + "}"));
    const auto again = OriginalValue::FromProto(
        Find(*module, "p")->original_value()->ToProto());
    ASSERT_NE(again, nullptr) << text;
    EXPECT_EQ(again->ToString(), text);
    EXPECT_EQ(*again, *Find(*module, "p")->original_value());
  }
}

TEST(OriginalValueTest, WrongTextIsRefused) {
  for (const std::string text :
       {"{\"a\"}, {\"b\"}", "({\"a\"}", "{\"a\" {-1}}", "[synthetic]", "{a}"}) {
    const auto module = ParseAndReturnUnverifiedModule(
        "ENTRY e {\n  ROOT p = f32[] parameter(0), origin={" + text + "}\n}");
    EXPECT_FALSE(module.ok()) << text;
  }
}

TEST(OriginalValueTest, WrongProtosAreRefused) {
  OriginalValueProto proto;
  proto.add_elements()->add_shape_index(-1);
  EXPECT_EQ(OriginalValue::FromProto(proto), nullptr);
  proto.mutable_elements(0)->set_shape_index(0, int64_t{1} << 40);
  EXPECT_EQ(OriginalValue::FromProto(proto), nullptr);
  // Each leaf makes a tuple of its own.
  proto.Clear();
  for (int i = 0; i < 200; ++i) {
    auto* index = proto.add_elements()->mutable_shape_index();
    index->Add(i);
    index->Add(1000);
  }
  EXPECT_EQ(OriginalValue::FromProto(proto), nullptr);
  proto.Clear();
  proto.add_elements()->mutable_original_array()->add_shape_index(-3);
  EXPECT_EQ(OriginalValue::FromProto(proto), nullptr);

  const auto module = ReadModule(
      "ENTRY e {\n  ROOT p = f32[] parameter(0), origin={{\"a\"}}\n}");
  HloModuleProto whole = module->ToProto();
  whole.mutable_computations(0)
      ->mutable_instructions(0)
      ->mutable_original_value()
      ->mutable_elements(0)
      ->add_shape_index(-1);
  EXPECT_THAT(HloModule::CreateFromProto(whole).status().message(),
              HasSubstr("original value"));
}

TEST(OriginalValueTest, TreesAndArrays) {
  OriginalValue value(ShapeUtil::MakeTupleShape(
      {ShapeUtil::MakeShape(F32, {2}), ShapeUtil::MakeTupleShape({})}));
  EXPECT_TRUE(value.IsEmpty());
  EXPECT_TRUE(value.IsTuple());
  EXPECT_EQ(value.ToString(), "({}, ())");
  *value.mutable_original_array({0}) = OriginalArray{"x", {1}};
  EXPECT_EQ(value.original_array({0})->ToString(), "\"x\" {1}");
  EXPECT_FALSE(value.IsEmpty());
  int count = 0;
  for (auto& [index, array] : value.mutable_original_arrays()) {
    EXPECT_EQ(index, ShapeIndex({0}));
    array->instruction_name = "y";
    ++count;
  }
  EXPECT_EQ(count, 1);
  EXPECT_EQ(value.ToString(), "({\"y\" {1}}, ())");
  EXPECT_FALSE(value.IsCompatibleWith(ShapeUtil::MakeShape(F32, {})));
  // Tuples have no arrays themselves.
  const OriginalValue tuple(Tree::Node::Tuple(
      OriginalArray{"t", {}}, {Tree::Node::Leaf(OriginalArray{"a", {}})}));
  EXPECT_EQ(tuple.ToString(), "({\"a\"})");
  EXPECT_FALSE(tuple.original_array({}).has_value());
}

TEST(OriginalValueTest, SyntheticCalls) {
  OriginalValue call = OriginalValue::SyntheticCall();
  EXPECT_TRUE(call.is_synthetic_call());
  EXPECT_TRUE(call.IsEmpty());
  EXPECT_TRUE(call.IsCompatibleWith(ShapeUtil::MakeShape(F32, {3})));
  EXPECT_EQ(call.original_arrays().begin(), call.original_arrays().end());
  EXPECT_EQ(call, OriginalValue::SyntheticCall());
  EXPECT_NE(call, Leaf("a"));
}

TEST(OriginalValueTest, EqualValuesHaveEqualHashes) {
  EXPECT_EQ(absl::HashOf(Leaf("a", {1})), absl::HashOf(Leaf("a", {1})));
  EXPECT_NE(absl::HashOf(Leaf("a", {1})), absl::HashOf(Leaf("a", {2})));
  EXPECT_NE(Leaf("a", {1}), Leaf("a", {2}));
  EXPECT_NE((OriginalArray{"a", {}}), (OriginalArray{"b", {}}));
}

constexpr char kTuples[] = R"(
HloModule m
ENTRY e {
  p = f32[2] parameter(0), origin={{"x"}}
  q = (f32[2], (f32[3], s32[])) parameter(1), origin={({"y" {0}}, ({"y" {1,0}}, {}))}
  wrong = (f32[2], f32[2]) parameter(2), origin={{"z"}}
  g = (f32[3], s32[]) get-tuple-element(q), index=1
  w = f32[2] get-tuple-element(wrong), index=1
  n = f32[2] negate(p)
  t = (f32[2], f32[2], (f32[2], (f32[3], s32[]))) tuple(n, p, q)
  u = (f32[2]) tuple(n)
  ROOT r = (f32[2], (f32[3], s32[])) copy(q)
})";

TEST(OriginalValueTest, CreateFromInstruction) {
  const auto module = ReadModule(kTuples);
  const auto made = [&](const std::string& name, const std::string& prefix) {
    const auto value =
        OriginalValue::CreateFromInstruction(Find(*module, name), prefix);
    return value == nullptr ? "none" : value->ToString();
  };
  EXPECT_EQ(made("n", "call/"), "{\"call/n\"}");
  EXPECT_EQ(made("r", ""), "({\"r\" {0}}, ({\"r\" {1,0}}, {\"r\" {1,1}}))");
  EXPECT_EQ(made("g", "unused"), "({\"y\" {1,0}}, {})");
  EXPECT_EQ(made("t", ""), "({}, {\"x\"}, ({\"y\" {0}}, ({\"y\" {1,0}}, {})))");
  EXPECT_EQ(made("u", ""), "none");
  EXPECT_EQ(made("w", ""), "none");  // The tree is not that of the shape.
}

TEST(OriginalValueTest, CopiesShareOrClone) {
  const auto module = ReadModule(kTuples);
  HloInstruction* p = Find(*module, "p");
  HloInstruction* n = Find(*module, "n");
  CopyOriginalValue(p, n, /*clone=*/false, /*issue_warning=*/true);
  EXPECT_EQ(n->original_value(), p->original_value());
  CopyOriginalValue(p, n, /*clone=*/true, /*issue_warning=*/true);
  EXPECT_NE(n->original_value(), p->original_value());
  EXPECT_EQ(*n->original_value(), *p->original_value());
  CopyOriginalValue(Find(*module, "q"), n, /*clone=*/true,
                    /*issue_warning=*/false);
  EXPECT_EQ(OriginOf(*module, "n"), "{\"x\"}");
  DeduplicateOriginalValues(module.get());
  EXPECT_EQ(n->original_value(), p->original_value());
}

TEST(OriginalValueTest, CopiesMoveElements) {
  const auto module = ReadModule(kTuples);
  HloInstruction* u = Find(*module, "u");
  HloInstruction* q = Find(*module, "q");
  CopyOriginalValue(q, u, absl::flat_hash_map<int64_t, int64_t>{{0, 0}});
  EXPECT_EQ(OriginOf(*module, "u"), "({\"y\" {0}})");
  // There is no element 2, and place 1 is none of one.
  CopyOriginalValue(q, u, absl::flat_hash_map<int64_t, int64_t>{{2, 0}});
  CopyOriginalValue(q, u, absl::flat_hash_map<int64_t, int64_t>{{1, 1}});
  EXPECT_EQ(OriginOf(*module, "u"), "({\"y\" {0}})");
  HloInstruction* t = Find(*module, "t");
  CopyOriginalValue(q, t,
                    absl::flat_hash_map<int64_t, int64_t>{{0, 1}, {1, 0}});
  EXPECT_EQ(OriginOf(*module, "t"),
            "(({\"y\" {1,0}}, {}), {\"y\" {0}}, ({}, ({}, {})))");
}

TEST(OriginalValueTest, ClonesOfInstructionsHaveTheirOwn) {
  const auto module = ReadModule(kTuples);
  HloInstruction* p = Find(*module, "p");
  const auto clone = p->Clone();
  EXPECT_EQ(*clone->original_value(), *p->original_value());
  clone->original_value()->mutable_original_array({})->reset();
  EXPECT_EQ(OriginOf(*module, "p"), "{\"x\"}");
  // What has another shape is another value.
  const auto other =
      p->CloneWithNewShape(ShapeUtil::MakeTupleShape({p->shape()}));
  EXPECT_EQ(other->original_value(), nullptr);
  EXPECT_EQ(OriginOf(*module->Clone(), "q"), OriginOf(*module, "q"));
}

constexpr char kReplaced[] = R"(
HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  old = (f32[2], f32[2], f32[2]) custom-call(p), custom_call_target="a", origin={({"a"}, {"b"}, {"c" {1}})}
  ROOT new = (f32[2], f32[2], f32[2]) custom-call(p), custom_call_target="b", origin={({}, {"d"}, {})}
})";

TEST(RecoveryTableTest, EqualValuesGoToTheNewInstruction) {
  const auto module = ReadModule(kReplaced);
  auto& table = module->mutable_original_value_recovery_table();
  EXPECT_TRUE(table.empty());
  table.AddRecoveryComputation(Find(*module, "old"), Find(*module, "new"));
  EXPECT_EQ(OriginOf(*module, "new"), "({\"a\"}, {\"d\"}, {\"c\" {1}})");
  EXPECT_EQ(table.ToString(), "{\"b\"} : {\"d\"}\n");
  EXPECT_THAT(module->ToString(),
              HasSubstr("origin_recovery_table={\n  {\"b\"} : {\"d\"}\n}\n"));
}

TEST(RecoveryTableTest, ComputationsAreBuilt) {
  const auto module = ReadModule(kReplaced);
  auto& table = module->mutable_original_value_recovery_table();
  const auto build =
      [](HloComputation::Builder& builder, const ShapeIndex& index,
         const OriginalArray& array, const Shape& old_shape,
         const Shape& new_shape) -> std::optional<HloInstruction*> {
    if (index[0] == 1) return std::nullopt;
    if (array.instruction_name == "c") return nullptr;
    HloInstruction* p = builder.AddInstruction(
        HloInstruction::CreateParameter(0, new_shape, "p"));
    return builder.AddInstruction(
        HloInstruction::CreateUnary(old_shape, HloOpcode::kNegate, p));
  };
  table.BuildAndAddRecoveryComputation(Find(*module, "old"),
                                       Find(*module, "new"), build);
  EXPECT_EQ(OriginOf(*module, "new"),
            "({\"a__ovp0\" {0}}, {\"d\"}, {\"c\" {1}})");
  ASSERT_EQ(table.size(), 1u);
  const auto& [array, recovery] = *table.begin();
  EXPECT_EQ(array.instruction_name, "a");
  EXPECT_EQ(recovery.first.instruction_name, "a__ovp0");
  EXPECT_EQ(recovery.second->entry_computation()->root_instruction()->opcode(),
            HloOpcode::kNegate);
  // Text, protos and clones have the table.
  const std::string text = module->ToString();
  EXPECT_THAT(text, HasSubstr("{\"a\"} : {\"a__ovp0\" {0}},\n"));
  EXPECT_EQ(ReadModule(text)->ToString(), text);
  auto again = HloModule::CreateFromProto(module->ToProto());
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->ToString(), text);
  EXPECT_EQ(module->Clone()->original_value_recovery_table().ToString(),
            table.ToString());
}

TEST(RecoveryTableTest, NamesMadeUpAreCounted) {
  const auto module = ReadModule(R"(
ENTRY e {
  p = f32[2] parameter(0)
  old = f32[2] negate(p), origin={{"a__ovp41"}}
  ROOT new = f32[2] sine(p)
})");
  HloModule::OriginalValueRecoveryTable table;
  table.AddRecoveryComputation(
      Find(*module, "old"), Find(*module, "new"),
      [](const ShapeIndex&, const OriginalArray&, const Shape&, const Shape&) {
        return ReadModule("ENTRY e { ROOT p = f32[2] parameter(0) }");
      });
  EXPECT_EQ(OriginOf(*module, "new"), "{\"a__ovp42\"}");
  module->set_original_value_recovery_table(std::move(table));
  EXPECT_EQ(module->original_value_recovery_table().size(), 1u);
}

TEST(RecoveryTableTest, QuotesInsideModulesAreEscaped) {
  const std::string text =
      R"(HloModule m, origin_recovery_table={ {"a"} : {"b"}, ")"
      R"(ENTRY e { ROOT r = f32[] custom-call(), custom_call_target=\"x\" }" }
ENTRY e { ROOT p = f32[] parameter(0) })";
  const std::string printed = ReadModule(text)->ToString();
  EXPECT_THAT(printed, HasSubstr("custom_call_target=\\\"x\\\""));
  EXPECT_EQ(ReadModule(printed)->ToString(), printed);
}

TEST(RecoveryTableTest, WrongTextIsRefused) {
  for (const std::string table :
       {"{\"a\"} : {\"b\"}, {\"c\"} : {\"d\"}", "{\"a\"}", "{\"a\"} {\"b\"}",
        "{\"a\"} : {\"b\"}, \"ENTRY e {}\""}) {
    const auto module = ParseAndReturnUnverifiedModule(
        "HloModule m, origin_recovery_table={ " + table +
        " }\nENTRY e { ROOT p = f32[] parameter(0) }");
    EXPECT_EQ(module.status().code(), absl::StatusCode::kInvalidArgument)
        << table;
  }
}

}  // namespace
}  // namespace xla
