// Right operands that do not change in a loop are packed before it.
#include "xla/backends/cpu/planning/loop_operands.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/planned_program.h"
#include "xla/client/compilers.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

// x becomes tanh(x w) STEPS times, for each of OUTER times. NEXT is w in the
// next iteration, and ACROSS in the next outer one.
constexpr char kLoops[] = R"(
HloModule loops
inner_less {
  p = (s32[], f32[20,96], f32[96,96]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(STEPS)
  ROOT c = pred[] compare(i, n), direction=LT
}
inner_step {
  p = (s32[], f32[20,96], f32[96,96]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[20,96] get-tuple-element(p), index=1
  w = f32[96,96] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  d = f32[20,96] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[20,96] tanh(d)
  v = f32[96,96] negate(w)
  ROOT t = (s32[], f32[20,96], f32[96,96]) tuple(j, y, NEXT)
}
outer_less {
  p = (s32[], f32[20,96], f32[96,96]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(OUTER)
  ROOT c = pred[] compare(i, n), direction=LT
}
outer_step {
  p = (s32[], f32[20,96], f32[96,96]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[20,96] get-tuple-element(p), index=1
  w = f32[96,96] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  zero = s32[] constant(0)
  u = f32[96,96] cosine(w)
  start = (s32[], f32[20,96], f32[96,96]) tuple(zero, x, w)
  loop = (s32[], f32[20,96], f32[96,96]) while(start), condition=inner_less, body=inner_step
  y = f32[20,96] get-tuple-element(loop), index=1
  ROOT t = (s32[], f32[20,96], f32[96,96]) tuple(j, y, ACROSS)
}
ENTRY e {
  x = f32[20,96] parameter(0)
  w = f32[96,96] parameter(1)
  zero = s32[] constant(0)
  start = (s32[], f32[20,96], f32[96,96]) tuple(zero, x, w)
  loop = (s32[], f32[20,96], f32[96,96]) while(start), condition=outer_less, body=outer_step
  ROOT r = f32[20,96] get-tuple-element(loop), index=1
})";

struct Loops {
  int steps = 20, outer = 20;
  std::string next = "w", across = "w";

  std::string Text() const {
    return absl::StrReplaceAll(kLoops, {{"STEPS", absl::StrCat(steps)},
                                        {"OUTER", absl::StrCat(outer)},
                                        {"NEXT", next},
                                        {"ACROSS", across}});
  }
};

class LoopOperandsTest : public PlannedProgramTest {
 protected:
  // Returns the number of loops around each thunk that packs.
  std::vector<int> PackDepths(const Loops& loops) {
    Plan(loops.Text());
    std::vector<int> depths;
    int depth = 0;
    for (size_t i = 0; i < plan_.thunks.size(); ++i) {
      const PlannedThunk& thunk = plan_.thunks[i];
      if (thunk.kind == PlannedThunk::Kind::kPack) depths.push_back(depth);
      if (thunk.kind == PlannedThunk::Kind::kJumpIfFalse) ++depth;
      if (thunk.kind == PlannedThunk::Kind::kJump) --depth;
    }
    return depths;
  }

  static Literal Run(absl::string_view compiler, const std::string& text,
                     const std::vector<Literal>& arguments) {
    const auto executable =
        (*MakeCompiler(compiler))
            ->Compile(*ParseAndReturnUnverifiedModule(text));
    EXPECT_TRUE(executable.ok()) << executable.status();
    std::vector<const Literal*> pointers;
    for (const Literal& argument : arguments) pointers.push_back(&argument);
    auto results = (*executable)->Execute({pointers}, {});
    EXPECT_TRUE(results.ok()) << results.status();
    return std::move((*results)[0]);
  }

  // The native program computes what the evaluator does, twice alike: what a
  // run keeps must not last into the next.
  static void ExpectValues(const Loops& loops) {
    std::vector<Literal> arguments;
    arguments.emplace_back(ShapeUtil::MakeShape(F32, {20, 96}));
    arguments.emplace_back(ShapeUtil::MakeShape(F32, {96, 96}));
    for (Literal& argument : arguments) {
      int64_t i = 0;
      for (float& value : argument.data<float>()) {
        value = static_cast<float>((i++ * 37 + 11) % 101 - 50) / 400;
      }
    }
    EXPECT_TRUE(literal_comparison::Near(
                    Run("evaluator", loops.Text(), arguments),
                    Run("cpu", loops.Text(), arguments), ErrorSpec(1e-5, 1e-4))
                    .ok());
  }
};

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST_F(LoopOperandsTest, PacksBeforeTheOutermostLoop) {
  EXPECT_THAT(PackDepths({}), ElementsAre(0));
  ExpectValues({});
}

TEST_F(LoopOperandsTest, AChangeInTheOuterLoopLeavesTheInnerOne) {
  EXPECT_THAT(PackDepths({.across = "u"}), ElementsAre(1));
  ExpectValues({.across = "u"});
}

TEST_F(LoopOperandsTest, OperandsThatChangeArePackedInEachIteration) {
  EXPECT_THAT(PackDepths({.next = "v"}), IsEmpty());
  ExpectValues({.next = "v"});
}

TEST_F(LoopOperandsTest, ProductsShareAnOperand) {
  Plan(absl::StrReplaceAll(
      Loops().Text(), {{"y = f32[20,96] tanh(d)",
                        "e = f32[20,96] tanh(d)\n"
                        "  y = f32[20,96] dot(e, w), lhs_contracting_dims={1}, "
                        "rhs_contracting_dims={0}"}}));
  ASSERT_EQ(plan_.packs.size(), 1);
  EXPECT_EQ(plan_.packs[0].size(), 2);
}

TEST_F(LoopOperandsTest, TwoIterationsDoNotPay) {
  // The passes make straight code of such loops; one that stays has no counter
  // that they know.
  EXPECT_THAT(PackDepths({.steps = 2, .outer = 2}), IsEmpty());
  ExpectValues({.steps = 2, .outer = 2});
}

}  // namespace
}  // namespace xla::cpu
