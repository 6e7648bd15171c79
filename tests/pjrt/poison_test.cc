// PoisonExecution: runs that their device makes fail.
#include "tests/pjrt/pjrt_fixture.h"
#include "xla/pjrt/run/run_fate.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

class PoisonTest : public PjrtTest {
 protected:
  static ExecuteOptions Launch(int32_t id) {
    ExecuteOptions options;
    options.launch_id = id;
    options.execution_mode = ExecuteOptions::ExecutionMode::kAsynchronous;
    return options;
  }
  bool Poison(int32_t id, absl::string_view error, int device = 0) {
    return client_->devices()[device]
        ->PoisonExecution(id, absl::DataLossError(error))
        .value();
  }
  // A manager of one vector of four, which has no value yet.
  std::unique_ptr<AsyncHostToDeviceTransferManager> Pending(int device = 0) {
    return client_
        ->CreateBuffersForAsyncHostToDevice({ShapeUtil::MakeShape(F32, {4})},
                                            Space(device))
        .value();
  }
};

TEST_F(PoisonTest, WaitingRunsFailAtOnceAndDoNotRun) {
  const auto negate = Compile(kNegateProgram);
  const auto manager = Pending();
  const auto x = manager->RetrieveBuffer(0);
  const auto first = Run(*negate, {x.get()}, Launch(7)).value();
  const auto second = Run(*negate, {x.get()}, Launch(7)).value();
  const auto dependent = Run(*negate, {first[0].get()}, Launch(8)).value();
  EXPECT_FALSE(Poison(9, "no such launch"));
  EXPECT_TRUE(Poison(7, "first"));
  EXPECT_TRUE(first[0]->GetReadyFuture().IsReady());
  EXPECT_EQ(first[0]->ToLiteralSync().status(), absl::DataLossError("first"));
  EXPECT_EQ(dependent[0]->GetReadyFuture().Await(),
            absl::DataLossError("first"));
  EXPECT_FALSE(second[0]->GetReadyFuture().IsReady());
  // The next one of that launch.
  EXPECT_TRUE(Poison(7, "second"));
  EXPECT_FALSE(Poison(7, "third"));
  manager->SetBufferError(0, absl::InternalError("argument"));
  EXPECT_EQ(first[0]->ToLiteralSync().status(), absl::DataLossError("first"));
  EXPECT_EQ(second[0]->ToLiteralSync().status(), absl::DataLossError("second"));
}

TEST_F(PoisonTest, DonatedArgumentsAreGoneAndOtherRunsGoOn) {
  const auto donating = Compile(R"(
HloModule negate, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  x = f32[4] parameter(0)
  ROOT n = f32[4] negate(x)
})");
  const auto negate = Compile(kNegateProgram);
  const auto manager = Pending();
  const auto x = manager->RetrieveBuffer(0);
  const auto other = Run(*negate, {x.get()}, Launch(1)).value();
  const auto poisoned = Run(*donating, {x.get()}, Launch(2)).value();
  EXPECT_TRUE(x->IsDeleted());
  EXPECT_TRUE(Poison(2, "lost"));
  const float values[] = {1, 2, 3, 4};
  ASSERT_TRUE(manager
                  ->TransferRawDataToBuffer(
                      0,
                      absl::string_view(reinterpret_cast<const char*>(values),
                                        sizeof(values)),
                      nullptr)
                  .ok());
  EXPECT_THAT(Floats(*other[0]), ElementsAre(-1, -2, -3, -4));
  EXPECT_EQ(poisoned[0]->ToLiteralSync().status(), absl::DataLossError("lost"));
  // Both have ended.
  EXPECT_FALSE(Poison(1, "late"));
  EXPECT_FALSE(Poison(2, "late"));
  EXPECT_TRUE(absl::IsInvalidArgument(
      client_->devices()[0]->PoisonExecution(1, absl::OkStatus()).status()));
}

TEST_F(PoisonTest, FailsOnAllDevicesOfTheRun) {
  client_ = MakeClient(/*num_devices=*/2);
  const auto negate = Compile(kNegateProgram, OptionsFor(2, 1));
  const auto first = Pending(0);
  const auto second = Pending(1);
  const auto x = first->RetrieveBuffer(0);
  const auto y = second->RetrieveBuffer(0);
  std::optional<std::vector<Future<>>> futures;
  futures.emplace();
  const auto results =
      negate->Execute({{x.get()}, {y.get()}}, Launch(3), futures).value();
  EXPECT_TRUE(Poison(3, "lost", /*device=*/1));
  EXPECT_FALSE(Poison(3, "again", /*device=*/0));
  for (int d = 0; d < 2; ++d) {
    EXPECT_EQ((*futures)[d].Await(), absl::DataLossError("lost"));
    EXPECT_EQ(results[d][0]->ToLiteralSync().status(),
              absl::DataLossError("lost"));
  }
}

TEST_F(PoisonTest, ClientsMayGoBeforeTheArgumentsAreThere) {
  const auto negate = Compile(kNegateProgram);
  const auto manager = Pending();
  const auto x = manager->RetrieveBuffer(0);
  auto poisoned = Run(*negate, {x.get()}, Launch(1)).value();
  auto waiting = Run(*negate, {x.get()}, Launch(2)).value();
  const Future<> first = poisoned[0]->GetReadyFuture();
  const Future<> second = waiting[0]->GetReadyFuture();
  EXPECT_TRUE(Poison(1, "lost"));
  client_.reset();
  manager->SetBufferError(0, absl::InternalError("argument"));
  EXPECT_EQ(first.Await(), absl::DataLossError("lost"));
  EXPECT_TRUE(absl::IsCancelled(second.Await()));
}

TEST(RunFateTest, ARunThatHasBegunFailsWhenItEnds) {
  const Event done = Event::Pending();
  const auto fate = std::make_shared<RunFate>(done, nullptr);
  LaunchedRuns runs;
  runs.Add(5, fate);
  ASSERT_TRUE(fate->Begin());
  EXPECT_TRUE(runs.Poison(5, absl::DataLossError("lost")));
  EXPECT_FALSE(runs.Poison(5, absl::DataLossError("twice")));
  EXPECT_FALSE(done.IsReady());
  fate->End(absl::OkStatus());
  EXPECT_EQ(done.GetStatus(), absl::DataLossError("lost"));
}

TEST(RunFateTest, EndedRunsAreForgotten) {
  LaunchedRuns runs;
  std::vector<std::weak_ptr<RunFate>> fates;
  for (int i = 0; i < 100; ++i) {
    const auto fate = std::make_shared<RunFate>(Event::Pending(), nullptr);
    fates.push_back(fate);
    runs.Add(i, fate);
    EXPECT_TRUE(fate->Begin());
    if (i > 0) fate->End(absl::OkStatus());
  }
  int alive = 0;
  for (const auto& fate : fates) alive += !fate.expired();
  EXPECT_LE(alive, 17);
  EXPECT_TRUE(runs.Poison(0, absl::DataLossError("the one that runs")));
  fates[0].lock()->End(absl::OkStatus());
}

}  // namespace
}  // namespace xla
