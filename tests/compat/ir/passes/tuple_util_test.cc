// TupleUtil: tuples taken apart and put together.
#include "xla/service/tuple_util.h"

#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/testlib/pattern_matcher_gmock.h"
#include "xla/service/pattern_matcher.h"
#include "xla/shape_tree.h"

namespace xla {
namespace {

namespace m = match;

class TupleUtilTest : public LoadedModuleTest {
 protected:
  void SetUp() override {
    Load(R"(
HloModule tuples
ENTRY main {
  x = f32[2] parameter(0)
  p = (f32[2], (s32[], f32[3])) parameter(1)
  inner = s32[] constant(7)
  y = f32[3] constant({1, 2, 3})
  pair = (s32[], f32[3]) tuple(inner, y)
  t = (f32[2], (s32[], f32[3])) tuple(x, pair)
  n = f32[2] negate(x)
  i = s32[] negate(inner)
  two = ((f32[2], (s32[], f32[3])), (f32[2], (s32[], f32[3]))) tuple(p, t)
  ROOT all = (((f32[2], (s32[], f32[3])), (f32[2], (s32[], f32[3]))), f32[2], s32[]) tuple(two, n, i)
})");
    x_ = Find("x");
    p_ = Find("p");
    t_ = Find("t");
  }
  void ExpectValid() { EXPECT_TRUE(verifier().Run(module_.get()).ok()); }

  HloInstruction* x_;
  HloInstruction* p_;
  HloInstruction* t_;
};

TEST_F(TupleUtilTest, Prefixes) {
  HloInstruction* first = TupleUtil::ExtractPrefix(p_, 1, "head");
  EXPECT_THAT(first,
              GmockMatch(m::Tuple(m::GetTupleElement(m::Op().Is(p_), 0))));
  EXPECT_EQ(first->name(), "head");
  EXPECT_EQ(first->operand(0)->name(), "head.element.0");
  EXPECT_EQ(TupleUtil::ExtractPrefix(p_, 0)->operand_count(), 0);
  EXPECT_EQ(TupleUtil::Duplicate(p_)->shape(), p_->shape());
  HloInstruction* longer = TupleUtil::AppendSuffix(p_, {x_, x_});
  EXPECT_THAT(longer,
              GmockMatch(m::Tuple(m::GetTupleElement(), m::GetTupleElement(),
                                  m::Op().Is(x_), m::Op().Is(x_))));
  ExpectValid();
}

TEST_F(TupleUtilTest, OnePartIsReplaced) {
  HloInstruction* n = Find("n");
  HloInstruction* i = Find("i");
  EXPECT_THAT(TupleUtil::ReplaceTupleWith(n, p_, {0}).value(),
              GmockMatch(m::Tuple(m::Op().Is(n), m::GetTupleElement())));
  // Operands of tuples are taken as they are.
  EXPECT_THAT(
      TupleUtil::ReplaceTupleWith(i, t_, {1, 0}).value(),
      GmockMatch(m::Tuple(m::Op().Is(x_),
                          m::Tuple(m::Op().Is(i), m::Op().Is(Find("y"))))));
  EXPECT_THAT(TupleUtil::ReplaceTupleWith(n, t_, {2}).value(),
              GmockMatch(m::Tuple(m::Op(), m::Op(), m::Op().Is(n))));
  ExpectValid();
}

TEST_F(TupleUtilTest, NothingIsReplacedByItself) {
  EXPECT_EQ(TupleUtil::ReplaceTupleWith(x_, t_, {0}).value(), t_);
  HloInstruction* element = TupleUtil::AddGetTupleElements({p_, {1, 0}});
  EXPECT_EQ(TupleUtil::ReplaceTupleWith(element, p_, {1, 0}).value(), p_);
  EXPECT_NE(TupleUtil::ReplaceTupleWith(element, t_, {1, 0}).value(), t_);
}

TEST_F(TupleUtilTest, OtherShapesAreBitcast) {
  Shape other = x_->shape();
  other.mutable_layout()->set_memory_space(1);
  HloInstruction* moved = module_->entry_computation()->AddInstruction(
      HloInstruction::CreateUnary(other, HloOpcode::kCopy, x_));
  EXPECT_THAT(TupleUtil::ReplaceTupleWith(moved, p_, {0}).value(),
              GmockMatch(m::Tuple(m::Bitcast(m::Op().Is(moved)), m::Op())));
  const HloInstruction* as_is =
      TupleUtil::ReplaceTupleWith(moved, p_, {0}, false).value();
  EXPECT_EQ(as_is->operand(0), moved);
  EXPECT_EQ(as_is->shape().tuple_shapes(0), other);
}

TEST_F(TupleUtilTest, WrongIndicesAreErrors) {
  for (const ShapeIndex& index : {ShapeIndex{}, ShapeIndex{3}, ShapeIndex{-1},
                                  ShapeIndex{0, 0}, ShapeIndex{2, 0}}) {
    EXPECT_EQ(TupleUtil::ReplaceTupleWith(x_, t_, index).status().code(),
              absl::StatusCode::kInvalidArgument)
        << index.ToString();
  }
}

TEST_F(TupleUtilTest, ElementsAreFoundOrAdded) {
  EXPECT_EQ(TupleUtil::AddGetTupleElements({x_, {}}), x_);
  HloInstruction* element = TupleUtil::AddGetTupleElements({p_, {1, 1}});
  EXPECT_THAT(element, GmockMatch(m::GetTupleElement(
                           m::GetTupleElement(m::Op().Is(p_), 1), 1)));
  EXPECT_EQ(TupleUtil::AddGetTupleElements({p_, {1, 1}}), element);
}

TEST_F(TupleUtilTest, PartsMakeTheTupleAgain) {
  ShapeTree<HloInstruction*> parts = TupleUtil::DisassembleTupleInstruction(p_);
  EXPECT_EQ(parts.element({}), p_);
  EXPECT_THAT(parts.element({1, 0}), GmockMatch(m::GetTupleElement(
                                         m::Op().Is(parts.element({1})), 0)));
  HloComputation* entry = module_->entry_computation();
  HloInstruction* again =
      TupleUtil::AssembleTupleInstruction(entry, parts, "again");
  EXPECT_THAT(
      again, GmockMatch(m::Tuple(m::Op().Is(parts.element({0})),
                                 m::Tuple(m::Op().Is(parts.element({1, 0})),
                                          m::Op().Is(parts.element({1, 1}))))));
  EXPECT_EQ(again->name(), "again");
  EXPECT_EQ(TupleUtil::AssembleTupleInstruction(
                entry, ShapeTree<HloInstruction*>(x_->shape(), x_)),
            x_);
  ExpectValid();
}

TEST_F(TupleUtilTest, TupleInstructionsAreFound) {
  EXPECT_EQ(TupleUtil::GetTupleInstructionAtIndex(*t_, {}), t_);
  EXPECT_EQ(TupleUtil::GetTupleInstructionAtIndex(*t_, {1}), Find("pair"));
  for (const ShapeIndex& index :
       {ShapeIndex{0}, ShapeIndex{2}, ShapeIndex{0, 0}, ShapeIndex{1, 0}}) {
    EXPECT_EQ(TupleUtil::GetTupleInstructionAtIndex(*t_, index), nullptr);
  }
  EXPECT_EQ(TupleUtil::GetTupleInstructionAtIndex(*p_, {1}), nullptr);
}

}  // namespace
}  // namespace xla
