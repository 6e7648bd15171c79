// Schedules, aliases and other parts of modules, as tools for XLA edit them.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_input_output_alias_config.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_schedule.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

constexpr absl::string_view kScheduled = R"(
HloModule m, is_scheduled=true
add {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT s = f32[] add(p, q)
}
ENTRY e {
  x = f32[4] parameter(0)
  b = f32[4] cosine(x)
  a = f32[4] sine(x)
  c = f32[4] add(a, b)
  zero = f32[] constant(0)
  ROOT r = f32[] reduce(c, zero), dimensions={0}, to_apply=add
})";

class ScheduleTest : public HloHardwareIndependentTestBase {
 protected:
  void SetUp() override {
    module_ = ParseAndReturnVerifiedModule(kScheduled).value();
    entry_ = module_->entry_computation();
  }

  HloInstruction* Find(absl::string_view name) {
    return entry_->GetInstructionWithName(name);
  }
  static std::vector<std::string> Names(
      const HloInstructionSequence& sequence) {
    std::vector<std::string> names;
    for (const HloInstruction* instruction : sequence.instructions()) {
      names.push_back(std::string(instruction->name()));
    }
    return names;
  }
  std::vector<std::string> ScheduledNames() {
    return Names(module_->schedule().sequence(entry_));
  }
  std::vector<std::string> ListedNames() {
    std::vector<std::string> names;
    for (const HloInstruction* instruction : entry_->instructions()) {
      names.push_back(std::string(instruction->name()));
    }
    return names;
  }

  std::unique_ptr<HloModule> module_;
  HloComputation* entry_ = nullptr;
};

// A schedule printer: positions of the instructions and the last use of each.
std::string PrintLiveRanges(const HloModule& module) {
  std::string text;
  const HloInstructionSequence& sequence =
      module.schedule().sequence(module.entry_computation());
  for (int64_t i = 0; i < sequence.size(); ++i) {
    int64_t last = i;
    for (int64_t j = i + 1; j < sequence.size(); ++j) {
      if (sequence.instructions()[j]->IsUserOf(sequence.instructions()[i])) {
        last = j;
      }
    }
    absl::StrAppend(&text, sequence.instructions()[i]->name(), " ", i, "-",
                    last, "\n");
  }
  return text;
}

TEST_F(ScheduleTest, SchedulePrinter) {
  ASSERT_TRUE(module_->has_schedule());
  EXPECT_EQ(PrintLiveRanges(*module_),
            "x 0-2\nb 1-3\na 2-3\nc 3-5\nzero 4-5\nr 5-5\n");
  const std::string text = module_->schedule().ToString();
  EXPECT_THAT(text, HasSubstr("HloSchedule\ncomputation add:\n  p\n  q\n  s"));
  EXPECT_THAT(text, HasSubstr("computation e:\n  x\n  b\n  a\n  c\n"));
}

TEST_F(ScheduleTest, UpdatePlacesNewInstructionsAsEarlyAsPossible) {
  HloInstruction* c = Find("c");
  HloInstruction* negate = entry_->AddInstruction(
      HloInstruction::CreateUnary(c->shape(), HloOpcode::kNegate, Find("b")));
  ASSERT_TRUE(c->ReplaceOperandWith(1, negate).ok());
  EXPECT_THAT(module_->schedule().Verify().message(),
              HasSubstr("has 6 instructions, the computation 7"));
  ASSERT_TRUE(module_->schedule().Update().ok());
  EXPECT_THAT(ScheduledNames(),
              ElementsAre("x", "b", "negate", "a", "c", "zero", "r"));
  EXPECT_EQ(ListedNames(), ScheduledNames());
}

TEST_F(ScheduleTest, UpdateForgetsRemovedInstructionsAndComputations) {
  HloInstruction* b = Find("b");
  HloComputation* unused = module_->AddEmbeddedComputation(
      module_->GetComputationWithName("add")->Clone());
  EXPECT_FALSE(module_->schedule().is_computation_scheduled(unused));
  ASSERT_TRUE(module_->schedule().Update().ok());
  EXPECT_EQ(module_->schedule().sequence(unused).instructions(),
            unused->MakeInstructionPostOrder());
  ASSERT_TRUE(module_->RemoveEmbeddedComputation(unused).ok());
  ASSERT_TRUE(entry_->ReplaceInstruction(b, Find("a")).ok());
  ASSERT_TRUE(module_->schedule().Update().ok());
  EXPECT_THAT(ScheduledNames(), ElementsAre("x", "a", "c", "zero", "r"));
}

TEST_F(ScheduleTest, SequencesOfTheModuleReorderTheInstructions) {
  HloSchedule& schedule = module_->schedule();
  HloInstructionSequence& sequence = schedule.GetOrCreateSequence(entry_);
  HloInstruction* zero = Find("zero");
  sequence.remove_instruction(zero);
  EXPECT_FALSE(sequence.contains(zero));
  sequence.insert_instruction(zero, 0);
  EXPECT_THAT(ListedNames(), ElementsAre("zero", "x", "b", "a", "c", "r"));
  EXPECT_TRUE(schedule.Verify().ok());

  // A copy is a plan until the module takes it.
  HloSchedule plan = schedule;
  plan.set_sequence(
      entry_, {Find("x"), Find("a"), Find("b"), Find("c"), zero, Find("r")});
  EXPECT_EQ(ListedNames()[0], "zero");
  HloSchedule again = schedule;
  again.remove_computation(entry_);
  again = plan;
  EXPECT_EQ(ListedNames()[0], "zero");
  ASSERT_TRUE(module_->set_schedule(plan).ok());
  EXPECT_THAT(ListedNames(), ElementsAre("x", "a", "b", "c", "zero", "r"));
  EXPECT_THAT(module_->ToString(), HasSubstr("is_scheduled=true"));
}

TEST_F(ScheduleTest, SchedulesThatBreakAnOrderAreRefused) {
  HloSchedule wrong = module_->schedule();
  wrong.set_sequence(entry_, {Find("x"), Find("c"), Find("b"), Find("a"),
                              Find("zero"), Find("r")});
  EXPECT_THAT(module_->set_schedule(wrong).message(),
              HasSubstr("instruction c is scheduled before its operand a"));
  auto other = module_->Clone();
  EXPECT_THAT(other->set_schedule(module_->schedule()).message(),
              HasSubstr("is not of module m-clone"));
  EXPECT_EQ(other->schedule().sequences().size(), 2);
}

TEST_F(ScheduleTest, ProtosKeepTheOrder) {
  HloScheduleProto proto = module_->schedule().ToProto().value();
  auto read = HloSchedule::CreateFromProto(module_.get(), proto);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->sequence(entry_), module_->schedule().sequence(entry_));
  auto& ids = (*proto.mutable_sequences())[entry_->unique_id()];
  const int64_t first = ids.instruction_ids(0);
  const absl::flat_hash_map<int64_t, absl::flat_hash_map<int64_t, int64_t>>
      remap = {{entry_->unique_id(), {{9999, first}}}};
  ids.set_instruction_ids(0, 9999);
  EXPECT_TRUE(HloSchedule::CreateFromProto(module_.get(), proto, &remap).ok());
  EXPECT_THAT(
      HloSchedule::CreateFromProto(module_.get(), proto).status().message(),
      HasSubstr("computation e has no instruction with id 9999"));

  auto copy = HloModule::CreateFromProto(module_->ToProto(), module_->config());
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_EQ((*copy)->schedule().ToString(), module_->schedule().ToString());
}

TEST_F(ScheduleTest, ASchedulerOrdersAModule) {
  module_->clear_schedule();
  EXPECT_FALSE(module_->has_schedule());
  // Users of the least bytes last: here simply post order from the root.
  HloSchedule schedule(module_.get());
  for (const HloComputation* computation :
       module_->MakeNonfusionComputations()) {
    schedule.set_sequence(computation, computation->MakeInstructionPostOrder());
  }
  ASSERT_TRUE(module_->set_schedule(std::move(schedule)).ok());
  EXPECT_TRUE(module_->is_scheduled());
  EXPECT_THAT(module_->schedule().num_sequences_by_execution_thread(),
              ElementsAre(Pair("main", 2)));
}

// An alias editor: donates every parameter that has the shape of an output.
int64_t AliasEqualShapes(HloModule* module) {
  HloInputOutputAliasConfig& config = module->input_output_alias_config();
  const Shape& result = module->result_shape();
  int64_t count = 0;
  for (int64_t i = 0; i < module->entry_computation()->num_parameters(); ++i) {
    const Shape& parameter =
        module->entry_computation()->parameter_instruction(i)->shape();
    for (int64_t j = 0; j < ShapeUtil::TupleElementCount(result); ++j) {
      if (config.OutputHasAlias({j}) || config.ParameterHasAlias(i, {}) ||
          !ShapeUtil::Equal(parameter, result.tuple_shapes(j))) {
        continue;
      }
      EXPECT_TRUE(config.SetUpAlias({j}, i, {}).ok());
      ++count;
    }
  }
  return count;
}

TEST_F(ScheduleTest, AliasEditor) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  n = s32[] parameter(1)
  y = f32[4] negate(x)
  k = s32[] negate(n)
  ROOT t = (s32[], f32[4]) tuple(k, y)
})")
                    .value();
  EXPECT_EQ(AliasEqualShapes(module.get()), 2);
  HloInputOutputAliasConfig& config = module->input_output_alias_config();
  EXPECT_EQ(config.GetAliasedOutput(0, {}), ShapeIndex({1}));
  EXPECT_EQ(config.GetAliasedParameter({0})->parameter_number, 1);
  EXPECT_FALSE(config.ParameterMustAlias(0, {}));
  EXPECT_EQ(config.shape(), module->result_shape());
  EXPECT_THAT(module->ToString(),
              HasSubstr("input_output_alias={ {0}: (1, {}, may-alias), "
                        "{1}: (0, {}, may-alias) }"));
  EXPECT_THAT(
      config.SetUpAlias({0}, 0, {}).message(),
      HasSubstr("is aliased with parameter (1, {}, may-alias) already"));
  EXPECT_THAT(config.SetUpAlias({7}, 0, {}).message(),
              HasSubstr("has no subshape {7}"));
  auto size = [](const Shape& shape) { return ShapeUtil::ByteSizeOf(shape); };
  EXPECT_TRUE(config.Verify(*module, size).ok());

  HloBufferDonorConfig& donors = module->buffer_donor_config();
  ASSERT_TRUE(donors.AddBufferDonor(1, {}).ok());
  EXPECT_TRUE(donors.ParameterIsBufferDonor(1, {}));
  EXPECT_THAT(donors.Verify(*module).message(),
              HasSubstr("is both donated and aliased"));
  ASSERT_TRUE(donors.RemoveBufferDonor(1, {}).ok());
  EXPECT_TRUE(donors.buffer_donor().empty());

  auto copy = HloInputOutputAliasConfig::CreateFromProto(module->result_shape(),
                                                         config.ToProto());
  ASSERT_TRUE(copy.ok());
  EXPECT_EQ(copy->ToShortString(), config.ToShortString());
}

TEST_F(ScheduleTest, OutlinerMovesAnExpression) {
  module_->clear_schedule();
  HloInstruction* call = module_->OutlineExpressionFromComputation(
      {Find("b"), Find("a"), Find("c")}, "outlined", entry_);
  EXPECT_EQ(call->opcode(), HloOpcode::kCall);
  EXPECT_EQ(call->to_apply()->name(), "outlined");
  EXPECT_THAT(call->operands(), ElementsAre(Find("x")));
  EXPECT_EQ(Find("c"), nullptr);
}

TEST_F(ScheduleTest, ModulesAreMerged) {
  auto other = module_->Clone("other");
  EXPECT_EQ(other->name(), "m-other");
  const int64_t count = module_->computation_count();
  module_->MoveComputationsFrom(other.get());
  EXPECT_EQ(module_->computation_count(), 2 * count);
  EXPECT_FALSE(other->has_entry_computation());
  std::vector<std::string> names;
  for (const HloComputation* computation : module_->MakeComputationSorted()) {
    names.push_back(computation->name());
  }
  EXPECT_THAT(names, ElementsAre(StartsWith("e"), StartsWith("e"),
                                 StartsWith("add"), StartsWith("add")));
}

TEST_F(ScheduleTest, ComputationsAreReplaced) {
  HloComputation* add = module_->GetComputationWithName("add");
  HloComputation* copy = module_->AddEmbeddedComputation(add->Clone("fast"));
  module_->ReplaceComputations({{add, copy}});
  EXPECT_EQ(Find("r")->to_apply(), copy);
  EXPECT_EQ(module_->computation_count(), 2);
}

TEST_F(ScheduleTest, CloneWithContextFindsTheClones) {
  auto [clone, context] = module_->CloneWithContext("twin");
  EXPECT_EQ(context->GetInstruction(Find("c"))->GetModule(), clone.get());
  EXPECT_EQ(context->GetComputation(entry_), clone->entry_computation());
  EXPECT_EQ(context->GetComputation(entry_)->name(), "e.twin");
  EXPECT_EQ(Names(clone->schedule().sequence(clone->entry_computation())),
            ScheduledNames());
  EXPECT_EQ(clone->schedule().sequences().size(),
            module_->schedule().sequences().size());
}

TEST_F(ScheduleTest, AReplacedEntryHasNoAliases) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  x = f32[4] parameter(0)
  ROOT y = f32[4] negate(x)
})")
                    .value();
  HloComputation::Builder builder("other");
  builder.AddInstruction(
      HloInstruction::CreateParameter(0, ShapeUtil::MakeShape(F32, {}), "z"));
  module->ReplaceEntryComputation(
      module->AddEmbeddedComputation(builder.Build()));
  EXPECT_EQ(module->input_output_alias_config().ToShortString(), "");
  EXPECT_EQ(module->entry_computation_layout().result_shape(),
            ShapeUtil::MakeShape(F32, {}));
}

TEST_F(ScheduleTest, PrefetchesAndShardingsOfTheModule) {
  module_->AddCrossProgramPrefetch(0, {});
  EXPECT_TRUE(module_->SetCrossProgramPrefetchOffset(0, 128).ok());
  EXPECT_FALSE(module_->SetCrossProgramPrefetchOffset(1, 128).ok());
  ASSERT_EQ(module_->CrossProgramPrefetches().size(), 1);
  EXPECT_EQ(module_->CrossProgramPrefetches()[0].alt_memory_offset, 128);
  module_->set_spmd_output_sharding(HloSharding::Replicate());
  module_->set_spmd_parameters_shardings({HloSharding::AssignDevice(1)});
  auto copy =
      HloModule::CreateFromProto(module_->ToProto(), module_->config()).value();
  EXPECT_EQ(copy->CrossProgramPrefetches()[0].parameter, 0);
  EXPECT_EQ(copy->spmd_output_sharding(), HloSharding::Replicate());
  EXPECT_EQ(copy->spmd_parameters_shardings()[0], HloSharding::AssignDevice(1));
}

}  // namespace
}  // namespace xla
