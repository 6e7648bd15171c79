// Edits that XLA's passes make while they go over long lists: users,
// instructions, schedules.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_schedule.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/shape_util.h"
#include "xla/tsl/lib/core/status_test_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ListEditsTest : public LoadedModuleTest {
 protected:
  void SetUp() override {
    Load(R"(
HloModule m, is_scheduled=true
ENTRY e {
  x = f32[4] parameter(0)
  a = f32[4] negate(x)
  b = f32[4] sine(x)
  c = f32[4] cosine(x)
  d = f32[4] exponential(x)
  ROOT r = f32[4] add(a, d)
})");
    entry_ = module_->entry_computation();
  }

  static std::vector<std::string> NamesOf(
      const std::vector<HloInstruction*>& instructions) {
    std::vector<std::string> names;
    for (const HloInstruction* hlo : instructions) {
      names.push_back(std::string(hlo->name()));
    }
    return names;
  }
  std::vector<std::string> Listed() {
    return NamesOf(
        {entry_->instructions().begin(), entry_->instructions().end()});
  }
  HloInstruction* AddNegate(HloInstruction* operand) {
    return entry_->AddInstruction(HloInstruction::CreateUnary(
        operand->shape(), HloOpcode::kNegate, operand));
  }
  HloInstructionSequence& Sequence() {
    return module_->schedule().GetOrCreateSequence(entry_);
  }

  HloComputation* entry_ = nullptr;
};

TEST_F(ListEditsTest, FewUsersKeepTheirOrder) {
  HloInstruction* x = Find("x");
  EXPECT_THAT(NamesOf(x->users()), ElementsAre("a", "b", "c", "d"));
  TF_ASSERT_OK(entry_->RemoveInstruction(Find("b")));
  EXPECT_THAT(NamesOf(x->users()), ElementsAre("a", "c", "d"));
  HloInstruction* r = Find("r");
  TF_ASSERT_OK(r->ReplaceOperandWith(0, x));
  TF_ASSERT_OK(r->ReplaceOperandWith(1, x));
  EXPECT_THAT(NamesOf(x->users()), ElementsAre("a", "c", "d", "r"));
}

TEST_F(ListEditsTest, ManyUsersComeAndGo) {
  HloInstruction* x = Find("x");
  std::vector<HloInstruction*> added;
  for (int i = 0; i < 40; ++i) added.push_back(AddNegate(x));
  EXPECT_EQ(x->user_count(), 44);
  // The last one takes the place of one that goes.
  TF_ASSERT_OK(entry_->RemoveInstruction(added[0]));
  EXPECT_EQ(x->users()[4], added[39]);
  EXPECT_EQ(x->user_count(), 43);
  for (int i = 39; i > 0; --i) {
    TF_ASSERT_OK(entry_->RemoveInstruction(added[i]));
  }
  EXPECT_THAT(NamesOf(x->users()), ElementsAre("a", "b", "c", "d"));
  HloInstruction* y = AddNegate(x);
  TF_ASSERT_OK(x->ReplaceAllUsesWith(y));
  EXPECT_THAT(NamesOf(x->users()), ElementsAre(y->name()));
  EXPECT_THAT(NamesOf(y->users()), ElementsAre("a", "b", "c", "d"));
}

TEST_F(ListEditsTest, ManyUsersDie) {
  HloInstruction* x = Find("x");
  std::vector<HloInstruction*> added;
  for (int i = 0; i < 160000; ++i) added.push_back(AddNegate(x));
  for (HloInstruction* hlo : added) {
    TF_ASSERT_OK(entry_->RemoveInstruction(hlo));
  }
  EXPECT_EQ(x->user_count(), 4);
}

TEST_F(ListEditsTest, LoopsMayRemoveAnything) {
  module_->clear_schedule();
  std::vector<std::string> seen;
  for (HloInstruction* hlo : entry_->instructions()) {
    seen.push_back(std::string(hlo->name()));
    if (hlo->name() == "b") {
      // The one at hand, the next one, and one that is added.
      TF_ASSERT_OK(entry_->RemoveInstruction(Find("c")));
      TF_ASSERT_OK(entry_->RemoveInstruction(hlo));
      AddNegate(Find("x"));
    }
  }
  EXPECT_THAT(seen, ElementsAre("x", "a", "b", "d", "r", "negate"));
  EXPECT_EQ(entry_->instruction_count(), 5);
  EXPECT_EQ(entry_->instructions().size(), 5u);
  EXPECT_THAT(Listed(), ElementsAre("x", "a", "d", "r", "negate"));
  std::vector<std::string> backwards;
  for (auto it = entry_->instructions().rbegin();
       it != entry_->instructions().rend(); ++it) {
    backwards.push_back(std::string((*it)->name()));
  }
  EXPECT_THAT(backwards, ElementsAre("negate", "r", "d", "a", "x"));
  entry_->Cleanup();
  EXPECT_EQ(entry_->instruction_count(), 5);
  EXPECT_THAT(Listed(), ElementsAre("x", "a", "d", "r", "negate"));
}

TEST_F(ListEditsTest, TheLastMayGo) {
  TF_ASSERT_OK(Find("r")->ReplaceOperandWith(0, Find("x")));
  TF_ASSERT_OK(entry_->RemoveInstruction(Find("a")));
  HloInstruction* last = AddNegate(Find("x"));
  TF_ASSERT_OK(entry_->RemoveInstruction(last));
  EXPECT_EQ(entry_->instructions().front()->name(), "x");
  EXPECT_EQ(entry_->instructions().back()->name(), "r");
  EXPECT_TRUE(entry_->IsMarkedAsDead(last));
}

TEST_F(ListEditsTest, SequencesMoveWhatIsInserted) {
  HloInstruction* n = AddNegate(Find("a"));
  n->SetAndSanitizeName("n");
  Sequence().insert_instruction(n, 2);
  EXPECT_THAT(Listed(), ElementsAre("x", "a", "n", "b", "c", "d", "r"));
  Sequence().remove_instruction(n);
  EXPECT_THAT(Listed(), ElementsAre("x", "a", "n", "b", "c", "d", "r"));
  Sequence().push_back(n);
  EXPECT_THAT(Listed(), ElementsAre("x", "a", "b", "c", "d", "r", "n"));
  // Several at once.
  Sequence().remove_instruction(n);
  Sequence().remove_instruction(Find("d"));
  Sequence().insert_instruction(Find("d"), 1);
  EXPECT_THAT(Listed(), ElementsAre("x", "a", "b", "c", "d", "r", "n"));
  Sequence().insert_instruction(n, 3);
  EXPECT_THAT(Listed(), ElementsAre("x", "d", "a", "n", "b", "c", "r"));
  EXPECT_TRUE(module_->schedule().Verify().ok());
}

TEST_F(ListEditsTest, SequencesFollowReplacements) {
  HloInstruction* n = AddNegate(Find("x"));
  n->SetAndSanitizeName("n");
  HloInstruction* a = Find("a");
  Sequence().replace_instruction(a, n);
  // The list is in order as soon as the old one is gone.
  TF_ASSERT_OK(entry_->ReplaceInstruction(a, n));
  EXPECT_THAT(Listed(), ElementsAre("x", "n", "b", "c", "d", "r"));
  EXPECT_TRUE(module_->schedule().Verify().ok());
}

TEST_F(ListEditsTest, SequencesRecoverFromStrays) {
  const int64_t id = Find("b")->unique_id();
  TF_ASSERT_OK(entry_->RemoveInstruction(Find("b")));
  HloInstruction* n = AddNegate(Find("x"));
  n->SetAndSanitizeName("n");
  // As many as the list has, but one of them is gone.
  EXPECT_FALSE(module_->schedule().Verify().ok());
  entry_->Cleanup();
  EXPECT_THAT(module_->schedule().ToString(),
              HasSubstr(absl::StrCat("\n  a\n  ", id,
                                     " (no longer in HLO module)\n  c\n")));
  Sequence().push_back(n);
  EXPECT_THAT(Listed(), ElementsAre("x", "a", "c", "d", "r", "n"));
  module_->schedule().set_sequence(
      entry_, {Find("x"), n, Find("a"), Find("c"), Find("d"), Find("r")});
  EXPECT_THAT(Listed(), ElementsAre("x", "n", "a", "c", "d", "r"));
  Sequence().remove_instruction(n);
  Sequence().insert_instruction(n, 4);
  EXPECT_THAT(Listed(), ElementsAre("x", "a", "c", "d", "n", "r"));
}

TEST_F(ListEditsTest, LongSequencesAreEditedFast) {
  HloInstruction* x = Find("x");
  std::vector<HloInstruction*> order = {x};
  for (int i = 0; i < 20000; ++i) order.push_back(AddNegate(x));
  for (HloInstruction* hlo : entry_->instructions()) {
    if (hlo != x && hlo->opcode() != HloOpcode::kNegate) order.push_back(hlo);
    if (hlo->name() == "a") order.insert(order.begin() + 1, hlo);
  }
  module_->schedule().set_sequence(entry_, order);
  ASSERT_TRUE(module_->schedule().Verify().ok());
  for (int i = 0; i < 5000; ++i) {
    HloInstruction* n = AddNegate(x);
    Sequence().insert_instruction(n, 10000);
    module_->schedule().remove_instruction(entry_, order[3 * i + 2]);
    TF_ASSERT_OK(entry_->RemoveInstruction(order[3 * i + 2]));
  }
  EXPECT_TRUE(module_->schedule().Verify().ok());
  EXPECT_EQ(NamesOf(Sequence().instructions()), Listed());
}

TEST_F(ListEditsTest, ReplacementsInheritWhatTheyLack) {
  HloInstruction* a = Find("a");
  HloInstruction* n = AddNegate(Find("x"));
  OpMetadata metadata;
  metadata.set_op_name("from a");
  a->set_metadata(metadata);
  a->set_sharding(HloSharding::Replicate());
  a->add_frontend_attribute("key", "value");
  TF_ASSERT_OK(entry_->ReplaceInstruction(a, n));
  EXPECT_EQ(n->metadata().op_name(), "from a");
  ASSERT_TRUE(n->has_sharding());
  EXPECT_TRUE(n->sharding().IsReplicated());
  EXPECT_EQ(n->get_frontend_attribute("key"), "value");

  // What it has stays.
  HloInstruction* d = Find("d");
  HloInstruction* own = AddNegate(Find("x"));
  d->set_metadata(metadata);
  metadata.set_op_name("its own");
  own->set_metadata(metadata);
  TF_ASSERT_OK(entry_->ReplaceInstruction(d, own));
  EXPECT_EQ(own->metadata().op_name(), "its own");
  EXPECT_FALSE(own->has_sharding());
}

}  // namespace
}  // namespace xla
