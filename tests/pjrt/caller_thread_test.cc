// Programs whose FFI handlers run on the caller's thread, and programs for
// which that is impossible because they wait for the host.
#include <chrono>
#include <cstring>
#include <functional>
#include <future>
#include <thread>

#include "tests/pjrt/pjrt_fixture.h"
#include "xla/runtime/ffi/registry.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

// The thread of the last call of the handler.
std::thread::id handler_thread;

// f32[4] -> f32[4], the identity.
XLA_FFI_Error* Identity(XLA_FFI_CallFrame* frame) {
  if (frame->stage != XLA_FFI_ExecutionStage_EXECUTE) return nullptr;
  handler_thread = std::this_thread::get_id();
  const auto* in = static_cast<XLA_FFI_Buffer*>(frame->args.args[0]);
  const auto* out = static_cast<XLA_FFI_Buffer*>(frame->rets.rets[0]);
  std::memcpy(out->data, in->data, 4 * sizeof(float));
  return nullptr;
}

constexpr char kCallback[] = R"(
HloModule callback
ENTRY e {
  x = f32[4] parameter(0)
  ROOT c = f32[4] custom-call(x), custom_call_target="tessera_test_on_caller",
      api_version=API_VERSION_TYPED_FFI
})";

constexpr char kInfeed[] = R"(
HloModule infeed
ENTRY e {
  x = f32[4] parameter(0)
  t = token[] after-all()
  i = (f32[4], token[]) infeed(t)
  y = f32[4] get-tuple-element(i), index=0
  ROOT s = f32[4] add(x, y)
})";

class CallerThreadTest : public PjrtTest {
 protected:
  void SetUp() override {
    CHECK_OK(ffi::RegisterHandler("tessera_test_on_caller", "Host",
                                  {nullptr, nullptr, nullptr, Identity},
                                  ffi::kRunsOnCaller));
    handler_thread = {};
  }

  // The result of `start`, which must return before `give` is called. If it
  // does not, `give` ends it.
  static Buffers ReturnsBefore(const std::function<Buffers()>& start,
                               const std::function<void()>& give) {
    auto started = std::async(std::launch::async, start);
    EXPECT_EQ(started.wait_for(std::chrono::seconds(20)),
              std::future_status::ready);
    give();
    return started.get();
  }

  // A buffer that `fill_` fills with 1, 2, 3, 4.
  std::unique_ptr<PjRtBuffer> Unfilled() {
    const Shape shape = ShapeUtil::MakeShape(F32, {4});
    manager_ = client_->CreateBuffersForAsyncHostToDevice({&shape, 1}, Space())
                   .value();
    return manager_->RetrieveBuffer(0);
  }
  void Fill() {
    EXPECT_TRUE(manager_
                    ->TransferLiteralToBuffer(
                        0, LiteralUtil::CreateR1<float>({1, 2, 3, 4}), nullptr)
                    .ok());
  }

  std::unique_ptr<PjRtClient::AsyncHostToDeviceTransferManager> manager_;
};

TEST_F(CallerThreadTest, RunsThereOnceArgumentsAreComputed) {
  auto callback = Compile(kCallback);
  auto loop = Compile(kLoopProgram);
  auto x = Vector({1, 2, 3, 4});
  ExecuteOptions later;
  later.execution_mode = ExecuteOptions::ExecutionMode::kAsynchronous;
  for (int i = 0; i < 20; ++i) {
    auto y = Run(*loop, {x.get()}, later).value();
    auto copy = y[0]->CopyToMemorySpace(Space()).value();
    auto z = Run(*callback, {copy.get()}).value();
    EXPECT_EQ(handler_thread, std::this_thread::get_id());
    EXPECT_TRUE(z[0]->GetReadyFuture().IsReady());
    EXPECT_THAT(Floats(*z[0]), ElementsAre(101, 102, 103, 104));
  }
}

TEST_F(CallerThreadTest, NotWhereItWaitsForTheHostToFillAnArgument) {
  auto callback = Compile(kCallback);
  auto x = Unfilled();
  auto y = ReturnsBefore([&] { return Run(*callback, {x.get()}).value(); },
                         [&] { Fill(); });
  EXPECT_THAT(Floats(*y[0]), ElementsAre(1, 2, 3, 4));
  // A value computed from such a buffer waits as well.
  auto negate = Compile(kNegateProgram);
  x = Unfilled();
  auto negated = Run(*negate, {x.get()}).value();
  y = ReturnsBefore([&] { return Run(*callback, {negated[0].get()}).value(); },
                    [&] { Fill(); });
  EXPECT_THAT(Floats(*y[0]), ElementsAre(-1, -2, -3, -4));
}

TEST_F(CallerThreadTest, NotWhereItWaitsForAnInfeed) {
  std::string text = kInfeed;
  text.replace(text.find("ROOT s = f32[4] add(x, y)"), 25,
               "s = f32[4] add(x, y) ROOT c = f32[4] custom-call(s), "
               "custom_call_target=\"tessera_test_on_caller\", "
               "api_version=API_VERSION_TYPED_FFI");
  auto callback = Compile(text);
  const auto feed = [&] {
    EXPECT_TRUE(
        client_->devices()[0]
            ->TransferToInfeed(LiteralUtil::CreateR1<float>({10, 20, 30, 40}))
            .ok());
  };
  auto x = Vector({1, 2, 3, 4});
  auto y =
      ReturnsBefore([&] { return Run(*callback, {x.get()}).value(); }, feed);
  EXPECT_THAT(Floats(*y[0]), ElementsAre(11, 22, 33, 44));
  // Nor for a run that waits.
  auto infeed = Compile(kInfeed);
  auto only_calls = Compile(kCallback);
  auto fed = Run(*infeed, {x.get()}).value();
  y = ReturnsBefore([&] { return Run(*only_calls, {fed[0].get()}).value(); },
                    feed);
  EXPECT_THAT(Floats(*y[0]), ElementsAre(11, 22, 33, 44));
}

}  // namespace
}  // namespace xla
