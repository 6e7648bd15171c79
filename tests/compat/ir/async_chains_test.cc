// Chains of asynchronous ops: how they are made, walked and moved to threads.
#include <memory>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class AsyncChainsTest : public ParsedModuleTest {
 protected:
  AsyncChainsTest() : under_way_(UnderWay(vector_)) {}

  static Shape UnderWay(const Shape& shape) {
    return ShapeUtil::MakeTupleShape({ShapeUtil::MakeTupleShape({shape}), shape,
                                      ShapeUtil::MakeScalarShape(U32)});
  }

  // A chain of three links that runs `called` on another thread, added to the
  // module after the chain.
  void RunOnSide(std::unique_ptr<HloComputation> called) {
    HloComputation::Builder builder("main");
    auto* x = builder.AddInstruction(
        HloInstruction::CreateParameter(0, vector_, "x"));
    start_ = builder.AddInstruction(HloInstruction::CreateAsyncStart(
        under_way_, {x}, called.get(), "side"));
    update_ = builder.AddInstruction(
        HloInstruction::CreateAsyncUpdate(under_way_, start_));
    done_ = builder.AddInstruction(
        HloInstruction::CreateAsyncDone(vector_, update_));
    module_->AddEntryComputation(builder.Build());
    module_->AddEmbeddedComputation(std::move(called));
  }
  // A computation with a single op.
  std::unique_ptr<HloComputation> Cosine() {
    HloComputation::Builder builder("wave");
    auto* p = builder.AddInstruction(
        HloInstruction::CreateParameter(0, vector_, "p"));
    builder.AddInstruction(
        HloInstruction::CreateUnary(vector_, HloOpcode::kCos, p));
    return builder.Build();
  }

  const Shape vector_ = ShapeUtil::MakeShape(F32, {6});
  const Shape under_way_;
  std::unique_ptr<VerifiedHloModule> module_ = CreateNewVerifiedModule();
  HloInstruction* start_ = nullptr;
  HloInstruction* update_ = nullptr;
  HloInstruction* done_ = nullptr;
};

TEST_F(AsyncChainsTest, AreNamedAfterTheirOp) {
  RunOnSide(Cosine());
  EXPECT_EQ(start_->name(), "cosine-start");
  EXPECT_EQ(update_->name(), "cosine-update");
  EXPECT_EQ(done_->name(), "cosine-done");
  EXPECT_TRUE(update_->called_computations().empty());
  EXPECT_TRUE(done_->called_computations().empty());
  const std::string text = module_->ToString();
  EXPECT_THAT(text, HasSubstr("%cosine-start = ((f32[6]{0}), f32[6]{0}, u32[]) "
                              "cosine-start(%x), "
                              "async_execution_thread=\"side\"\n"));
  EXPECT_THAT(text, HasSubstr("cosine-update(%cosine-start)\n"));
  EXPECT_THAT(text, HasSubstr("cosine-done(%cosine-update)\n"));
  EXPECT_THAT(text, Not(HasSubstr("%wave")));
  EXPECT_EQ(ParseAndReturnVerifiedModule(text).value()->ToString(), text);
}

TEST_F(AsyncChainsTest, MoveTheirComputationToTheThread) {
  // It calls another one, which moves too.
  auto* wave = module_->AddEmbeddedComputation(Cosine());
  HloComputation::Builder builder("outer");
  auto* p =
      builder.AddInstruction(HloInstruction::CreateParameter(0, vector_, "p"));
  builder.AddInstruction(HloInstruction::CreateCall(vector_, {p}, wave));
  RunOnSide(builder.Build());
  EXPECT_EQ(start_->name(), "call-start");
  EXPECT_EQ(start_->async_wrapped_computation()->execution_thread(), "side");
  EXPECT_EQ(wave->execution_thread(), "side");
  EXPECT_EQ(done_->async_execution_thread(), "side");
}

TEST_F(AsyncChainsTest, HaveLinks) {
  RunOnSide(Cosine());
  auto* start = Cast<HloAsyncInstruction>(start_);
  auto* update = Cast<HloAsyncInstruction>(update_);
  HloAsyncInstruction* done = start->async_chain_done();
  EXPECT_EQ(done, done_);
  EXPECT_EQ(start->async_chain_next(), update);
  EXPECT_EQ(update->async_chain_next(), done);
  EXPECT_EQ(done->async_chain_next(), nullptr);
  EXPECT_EQ(done->async_chain_start(), start);
  EXPECT_THAT(start->GetAsyncChain(), ElementsAre(start, update, done));
  EXPECT_THAT(done->GetAsyncChain(), ElementsAre(start, update, done));
}

TEST_F(AsyncChainsTest, GetShapesFromALink) {
  // Not verified: its other shapes do not follow.
  auto module = ParseAndReturnUnverifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[6] parameter(0)
  s = ((f32[6]), f32[6], u32[]) negate-start(x)
  u = ((f32[6]), f32[6], u32[]) negate-update(s)
  ROOT d = f32[6] negate-done(u)
})")
                    .value();
  auto* start = Cast<HloAsyncInstruction>(Find(module, "s"));
  const Shape other = ShapeUtil::MakeShape(F32, {2, 3});
  *start->mutable_shape() = UnderWay(other);
  start->UpdateChainShapes();
  EXPECT_EQ(Find(module, "u")->shape(), UnderWay(other));
  EXPECT_EQ(Find(module, "d")->shape(), other);
  Cast<HloAsyncInstruction>(Find(module, "d"))->UpdateChainShapes();
  EXPECT_EQ(Find(module, "d")->shape(), other);
}

TEST_F(AsyncChainsTest, GainOperands) {
  auto module = ParseAndReturnUnverifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[6] parameter(0)
  y = s8[] parameter(1)
  s = ((f32[6]), f32[6], u32[]) negate-start(x)
  ROOT d = f32[6] negate-done(s)
})")
                    .value();
  HloInstruction* start = Find(module, "s");
  const HloInstruction* parameter =
      Cast<HloAsyncStartInstruction>(start)->AddCallOperand(Find(module, "y"));
  EXPECT_EQ(parameter->parent(), start->async_wrapped_computation());
  EXPECT_EQ(parameter->parameter_number(), 1);
  EXPECT_EQ(start->operand(1), Find(module, "y"));
  EXPECT_EQ(ShapeUtil::HumanString(start->shape()),
            "((f32[6], s8[]), f32[6], u32[])");
  EXPECT_TRUE(verifier().Run(module.get()).ok());
}

TEST_F(AsyncChainsTest, MayKeepTheirThread) {
  auto module = Parse(R"(
HloModule m
body {
  p = f32[6] parameter(0)
  s = ((f32[6]), f32[6], u32[]) negate-start(p), async_execution_thread="own"
  ROOT d = f32[6] negate-done(s)
}
ENTRY e {
  x = f32[6] parameter(0)
  ROOT c = f32[6] call(x), to_apply=body
})");
  HloInstruction* call = Find(module, "c");
  const HloComputation* body = call->to_apply();
  const HloInstruction* done = body->root_instruction();
  call->set_called_computations_execution_thread(
      "other", /*skip_async_execution_thread_overwrite=*/true);
  EXPECT_EQ(body->execution_thread(), "other");
  EXPECT_EQ(done->async_execution_thread(), "own");
  EXPECT_EQ(done->async_wrapped_computation()->execution_thread(), "own");
  call->set_called_computations_execution_thread("main");
  EXPECT_EQ(body->execution_thread(), "main");
  EXPECT_EQ(done->async_execution_thread(), "main");
  EXPECT_EQ(done->async_wrapped_computation()->execution_thread(), "main");
}

TEST_F(AsyncChainsTest, BeginAndEnd) {
  auto module = Parse(R"(
HloModule m
ENTRY e {
  x = f32[6] parameter(0)
  s = ((f32[6]), f32[6], u32[]) negate-start(x)
  u = ((f32[6]), f32[6], u32[]) negate-update(s)
  d = f32[6] negate-done(u)
  cs = (f32[6], f32[6], u32[]) copy-start(d)
  cd = f32[6] copy-done(cs)
  ROOT n = f32[6] negate(cd)
})");
  for (const HloInstruction* hlo :
       module->entry_computation()->instructions()) {
    const bool starts = hlo->name() == "s" || hlo->name() == "cs";
    const bool ends = hlo->name() == "d" || hlo->name() == "cd";
    EXPECT_EQ(hlo->IsAsyncStart(), starts) << hlo->name();
    EXPECT_EQ(hlo->IsAsyncDone(), ends) << hlo->name();
    EXPECT_EQ(hlo->IsAsyncProducer(), starts || hlo->name() == "u");
    EXPECT_EQ(hlo->IsAsyncConsumer(), ends || hlo->name() == "u");
  }
}

}  // namespace
}  // namespace xla
