// Runs programs: results, donation, readiness, errors.
#include <atomic>
#include <cstring>
#include <limits>
#include <thread>

#include "absl/strings/str_replace.h"
#include "tests/pjrt/pjrt_fixture.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/hlo/evaluator/custom_call.h"
#include "xla/pjrt/run/inline_runs.h"
#include "xla/runtime/thread_pool.h"

namespace xla {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ExecuteTest : public PjrtTest {
 protected:
  void* Data(PjRtBuffer& buffer) {
    return buffer.OpaqueDeviceMemoryDataPointer().value();
  }
};

constexpr char kDonating[] = R"(
HloModule add, input_output_alias={ {0}: (1, {}, may-alias) },
    buffer_donor={ (2, {}) }
ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  z = f32[2] parameter(2)
  s = f32[2] add(x, y)
  d = f32[2] subtract(s, z)
  ROOT t = (f32[2], f32[2]) tuple(d, y)
})";

TEST_F(ExecuteTest, RunsInline) {
  auto executable = Compile(kNegateProgram);
  EXPECT_TRUE(executable->GetExecutable()->inline_runs().allowed());
  auto x = Vector({1, 2, 3, 4});
  auto results = Run(*executable, {x.get()}).value();
  EXPECT_TRUE(results[0]->GetReadyFuture().IsReady());
  EXPECT_THAT(Floats(*results[0]), ElementsAre(-1, -2, -3, -4));
  EXPECT_EQ(client_->thread_pool()->started_threads(), 0);
}

TEST_F(ExecuteTest, RunsLongLoopsOnThePool) {
  auto executable = Compile(absl::StrReplaceAll(
      kLoopProgram, {{"constant(100)", "constant(1000000)"}}));
  EXPECT_FALSE(executable->GetExecutable()->inline_runs().allowed());
  auto x = Vector({1, 2, 3, 4});
  std::optional<std::vector<Future<>>> futures;
  futures.emplace();
  auto results = executable->Execute({{x.get()}}, {}, futures).value();
  // The result of a run that may not have finished yet.
  auto again = Run(*executable, {results[0][0].get()}).value();
  x.reset();
  results.clear();
  EXPECT_THAT(Floats(*again[0]),
              ElementsAre(2000001, 2000002, 2000003, 2000004));
  EXPECT_TRUE((*futures)[0].Await().ok());
  EXPECT_GT(client_->thread_pool()->started_threads(), 0);
}

TEST_F(ExecuteTest, MeasuresDecideNearTheBound) {
  const auto module = Parse(kNegateProgram);
  CompileReport report;
  report.run_nanoseconds = 300'000;
  InlineRuns near(*module, &report);
  EXPECT_FALSE(near.allowed());
  near.Measured(absl::Microseconds(250));
  EXPECT_FALSE(near.allowed());
  near.Measured(absl::Microseconds(150));
  EXPECT_TRUE(near.allowed());
  // A run of a program this long may have taken its shorter branch.
  report.run_nanoseconds = 3'000'000;
  InlineRuns far(*module, &report);
  far.Measured(absl::Microseconds(150));
  EXPECT_FALSE(far.allowed());
}

TEST_F(ExecuteTest, LastRunDecidesWhereTripCountsAreUnknown) {
  const auto module = Parse(kNegateProgram);
  CompileReport report;
  report.shortest_run_nanoseconds = 50'000;
  InlineRuns loops(*module, &report);
  EXPECT_FALSE(loops.allowed());
  EXPECT_TRUE(loops.wants_measures());
  loops.Measured(absl::Microseconds(150));
  EXPECT_TRUE(loops.allowed());
  EXPECT_TRUE(loops.wants_measures());
  loops.Measured(absl::Microseconds(250));
  EXPECT_FALSE(loops.allowed());
  // The time of a call is unknown.
  report.shortest_run_nanoseconds = std::numeric_limits<double>::infinity();
  InlineRuns call(*module, &report);
  EXPECT_FALSE(call.wants_measures());
  call.Measured(absl::Microseconds(150));
  EXPECT_FALSE(call.allowed());
}

TEST_F(ExecuteTest, WaitsForArguments) {
  auto executable = Compile(kNegateProgram);
  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  auto manager =
      client_->CreateBuffersForAsyncHostToDevice({&shape, 1}, Space()).value();
  auto x = manager->RetrieveBuffer(0);
  auto results = Run(*executable, {x.get()}).value();
  EXPECT_FALSE(results[0]->GetReadyFuture().IsReady());
  EXPECT_TRUE(manager
                  ->TransferLiteralToBuffer(
                      0, LiteralUtil::CreateR1<float>({1, 2, 3, 4}), nullptr)
                  .ok());
  EXPECT_THAT(Floats(*results[0]), ElementsAre(-1, -2, -3, -4));
}

TEST_F(ExecuteTest, ErrorsOfArgumentsReachResults) {
  auto executable = Compile(kNegateProgram);
  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  auto failed =
      client_->CreateErrorBuffer(absl::DataLossError("gone"), shape, Space())
          .value();
  auto results = Run(*executable, {failed.get()}).value();
  EXPECT_EQ(results[0]->ToLiteralSync().status().message(), "gone");
  auto manager =
      client_->CreateBuffersForAsyncHostToDevice({&shape, 1}, Space()).value();
  auto x = manager->RetrieveBuffer(0);
  results = Run(*executable, {x.get()}).value();
  manager.reset();
  EXPECT_EQ(results[0]->ToLiteralSync().status().code(),
            absl::StatusCode::kInternal);
}

TEST_F(ExecuteTest, DonationReusesMemory) {
  auto executable = Compile(kDonating);
  auto x = Vector({1, 2}), y = Vector({10, 20}), z = Vector({3, 4});
  void* data = Data(*y);
  auto results = Run(*executable, {x.get(), y.get(), z.get()}).value();
  EXPECT_EQ(Data(*results[0]), data);
  EXPECT_THAT(Floats(*results[0]), ElementsAre(8, 18));
  // The result that is the donated argument itself.
  EXPECT_THAT(Floats(*results[1]), ElementsAre(10, 20));
  EXPECT_FALSE(x->IsDeleted());
  EXPECT_TRUE(y->IsDeleted());
  EXPECT_TRUE(z->IsDeleted());
  const absl::Status again =
      Run(*executable, {x.get(), y.get(), z.get()}).status();
  EXPECT_EQ(again.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(again.message(), HasSubstr("donated"));
  EXPECT_THAT(again.message(), HasSubstr("argument 1"));
}

TEST_F(ExecuteTest, DonatesToResultsOfOtherLayoutsAndTypes) {
  auto other_layout = Compile(R"(
HloModule turns, entry_computation_layout={(f32[2,3]{1,0})->f32[2,3]{0,1}},
    input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  x = f32[2,3] parameter(0)
  ROOT n = f32[2,3] negate(x)
})");
  auto other_type = Compile(R"(
HloModule reverses, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  x = f32[4] parameter(0)
  r = f32[4] reverse(x), dimensions={0}
  ROOT c = s32[4] convert(r)
})");
  const Literal numbers = LiteralUtil::CreateR2<float>({{1, 2, 3}, {4, 5, 6}});
  auto x = client_
               ->BufferFromHostBuffer(numbers.untyped_data(), F32, {2, 3},
                                      std::nullopt,
                                      Semantics::kImmutableOnlyDuringCall,
                                      nullptr, Space(), nullptr)
               .value();
  const void* memory = Data(*x);
  const auto turned = Run(*other_layout, {x.get()}).value();
  EXPECT_EQ(Data(*turned[0]), memory);
  EXPECT_EQ(turned[0]->on_device_shape().layout().minor_to_major(),
            (absl::Span<const int64_t>{0, 1}));
  EXPECT_EQ(literal_comparison::Equal(
                LiteralUtil::CreateR2<float>({{-1, -2, -3}, {-4, -5, -6}}),
                **turned[0]->ToLiteralSync()),
            absl::OkStatus());
  auto y = Vector({1, 2, 3, 4});
  EXPECT_EQ(**Run(*other_type, {y.get()}).value()[0]->ToLiteralSync(),
            LiteralUtil::CreateR1<int32_t>({4, 3, 2, 1}));
}

TEST_F(ExecuteTest, DonatedTwiceIsAnErrorThatTakesNothing) {
  auto executable = Compile(kDonating);
  auto x = Vector({1, 2}), y = Vector({10, 20});
  EXPECT_THAT(Run(*executable, {x.get(), y.get(), y.get()}).status().message(),
              HasSubstr("only once"));
  EXPECT_THAT(Run(*executable, {y.get(), y.get(), x.get()}).status().message(),
              HasSubstr("only once"));
  EXPECT_FALSE(y->IsDeleted());
  ExecuteOptions options;
  options.non_donatable_input_indices = {1, 2};
  EXPECT_TRUE(Run(*executable, {x.get(), y.get(), y.get()}, options).ok());
  EXPECT_FALSE(y->IsDeleted());
}

TEST_F(ExecuteTest, DonationSparesMemoryThatOthersSee) {
  auto executable = Compile(kDonating);
  auto x = Vector({1, 2}), y = Vector({10, 20}), z = Vector({3, 4});
  auto reference = y->AcquireExternalReference().value();
  auto results = Run(*executable, {x.get(), y.get(), z.get()}).value();
  const float* seen =
      static_cast<float*>(reference->OpaqueDeviceMemoryDataPointer());
  EXPECT_NE(Data(*results[0]), seen);
  EXPECT_EQ(seen[0], 10);
  // Host memory that must not be written.
  alignas(64) float host[16] = {10, 20};
  auto borrowed = client_->BufferFromHostBuffer(host, F32, {2}, std::nullopt,
                                                Semantics::kImmutableZeroCopy,
                                                nullptr, Space(), nullptr);
  z = Vector({3, 4});
  results = Run(*executable, {x.get(), borrowed->get(), z.get()}).value();
  EXPECT_EQ(host[0], 10);
}

TEST_F(ExecuteTest, SwapsDonatedArguments) {
  auto executable = Compile(R"(
HloModule swap, input_output_alias={ {0}: (0, {}), {1}: (1, {}) }
ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2] parameter(1)
  ROOT t = (f32[2], f32[2]) tuple(y, x)
})");
  auto x = Vector({1, 2}), y = Vector({3, 4});
  void* data[] = {Data(*x), Data(*y)};
  auto results = Run(*executable, {x.get(), y.get()}).value();
  EXPECT_EQ(Data(*results[0]), data[0]);
  EXPECT_EQ(Data(*results[1]), data[1]);
  EXPECT_THAT(Floats(*results[0]), ElementsAre(3, 4));
  EXPECT_THAT(Floats(*results[1]), ElementsAre(1, 2));
}

TEST_F(ExecuteTest, DonationWaitsForReaders) {
  auto loop = Compile(kLoopProgram);
  std::string text = kNegateProgram;
  text.replace(text.find("negate"), 6,
               "negate, input_output_alias={ {}: (0, {}) }");
  auto donating = Compile(text);
  for (int i = 0; i < 20; ++i) {
    auto x = Vector({1, 2, 3, 4});
    void* data = Data(*x);
    auto slow = Run(*loop, {x.get()}).value();
    auto negated = Run(*donating, {x.get()}).value();
    EXPECT_THAT(Floats(*negated[0]), ElementsAre(-1, -2, -3, -4));
    EXPECT_EQ(Data(*negated[0]), data);
    EXPECT_THAT(Floats(*slow[0]), ElementsAre(101, 102, 103, 104));
  }
}

TEST_F(ExecuteTest, ChecksArguments) {
  client_ = MakeClient(2);
  auto executable = Compile(kNegateProgram);
  auto shorter = Vector({1}), elsewhere = Vector({1, 2, 3, 4}, /*device=*/1);
  const auto message = [&](std::vector<PjRtBuffer*> arguments) {
    const absl::Status status = Run(*executable, std::move(arguments)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(message({}), HasSubstr("takes 1"));
  EXPECT_THAT(message({nullptr}), HasSubstr("null"));
  EXPECT_THAT(message({shorter.get()}), HasSubstr("f32[1]"));
  EXPECT_THAT(message({elsewhere.get()}), HasSubstr("TESSERA_CPU_1"));
  shorter->Delete();
  auto x = Vector({1, 2, 3, 4});
  x->Delete();
  EXPECT_THAT(message({x.get()}), HasSubstr("deleted"));
  executable->Delete();
  EXPECT_TRUE(executable->IsDeleted());
  x = Vector({1, 2, 3, 4});
  EXPECT_EQ(Run(*executable, {x.get()}).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(ExecuteTest, ReplicasInLockStep) {
  client_ = MakeClient(4);
  auto executable = Compile(R"(
HloModule sum
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[1] parameter(0)
  ROOT r = f32[1] all-reduce(x), replica_groups={}, to_apply=add
})",
                            OptionsFor(4, 1));
  std::vector<std::unique_ptr<PjRtBuffer>> x;
  std::vector<std::vector<PjRtBuffer*>> arguments;
  for (int d = 0; d < 4; ++d) {
    x.push_back(Vector({d + 1.0f}, d));
    arguments.push_back({x.back().get()});
  }
  auto results = executable->Execute(arguments, {}).value();
  for (int d = 0; d < 4; ++d) {
    EXPECT_THAT(Floats(*results[d][0]), ElementsAre(10));
    EXPECT_EQ(results[d][0]->device(), client_->devices()[d]);
  }
  arguments.pop_back();
  EXPECT_FALSE(executable->Execute(arguments, {}).ok());
}

TEST_F(ExecuteTest, PartitionsAsTheyAre) {
  client_ = MakeClient(2);
  auto executable = Compile(R"(
HloModule id
ENTRY e {
  ROOT p = u32[] partition-id()
})",
                            OptionsFor(1, 2));
  auto results = executable->Execute({{}, {}}, {}).value();
  EXPECT_EQ(results[1][0]->ToLiteralSync().value()->Get<uint32_t>({}), 1);
}

TEST_F(ExecuteTest, ShardingsDivideArrays) {
  client_ = MakeClient(2);
  auto executable = Compile(R"(
HloModule divided
ENTRY e {
  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}
  ROOT n = f32[4] negate(x)
})",
                            OptionsFor(1, 2));
  EXPECT_NE(executable->GetExecutable()->GetHloText().find("f32[2]{0} negate"),
            std::string::npos)
      << executable->GetExecutable()->GetHloText();
  EXPECT_EQ(executable->GetExecutable()->GetParameterShardings()->at(0).type(),
            OpSharding::OTHER);
}

TEST_F(ExecuteTest, ErrorsAtRunTimeComeWithTheResults) {
  auto executable = Compile(R"(
HloModule missing
ENTRY e {
  x = f32[4] parameter(0)
  ROOT c = f32[4] custom-call(x), custom_call_target="there_is_no_such_target"
})");
  auto x = Vector({1, 2, 3, 4});
  auto results = Run(*executable, {x.get()}).value();
  EXPECT_FALSE(results[0]->ToLiteralSync().ok());
  ExecuteOptions options;
  options.execution_mode = ExecuteOptions::ExecutionMode::kSynchronous;
  EXPECT_FALSE(Run(*executable, {x.get()}, options).ok());
}

constexpr char kBroadcast[] = R"(
HloModule large
ENTRY e {
  x = f32[] parameter(0)
  ROOT b = f32[SIZES] broadcast(x), dimensions={}
})";

TEST_F(ExecuteTest, ResultsWithoutMemory) {
  std::string text = kBroadcast;
  text.replace(text.find("SIZES"), 5, "100000,100000,20");
  EXPECT_EQ(TryCompile(text).status().code(),
            absl::StatusCode::kResourceExhausted);
  PjRtClientOptions options;
  options.memory_limit_bytes = 1000;
  client_ = GetTesseraClient(std::move(options)).value();
  text = kBroadcast;
  text.replace(text.find("SIZES"), 5, "1000");
  auto executable = Compile(text);
  const float zero = 0;
  auto x = client_->BufferFromHostBuffer(&zero, F32, {}, std::nullopt,
                                         Semantics::kImmutableOnlyDuringCall,
                                         nullptr, Space(), nullptr);
  EXPECT_EQ(Run(*executable, {x->get()}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST_F(ExecuteTest, PortableProgramsNameTheirDevice) {
  client_ = MakeClient(2);
  CompileOptions options;
  options.compile_portable_executable = true;
  auto executable = Compile(kNegateProgram, options);
  auto x = Vector({1, 2, 3, 4}, /*device=*/1);
  PjRtBuffer* argument = x.get();
  std::optional<Future<>> future;
  auto results = executable->ExecutePortable(
      {&argument, 1}, client_->devices()[1], {}, future, true);
  EXPECT_EQ((*results)[0]->device(), client_->devices()[1]);
  EXPECT_TRUE(future->Await().ok());
  EXPECT_FALSE(Run(*executable, {argument}).ok());
}

// Doubles its operand with another program of the client, on the pool.
PjRtLoadedExecutable* nested_program = nullptr;
PjRtClient* nested_client = nullptr;
void CallNested(void* out, const void** in) {
  auto x = nested_client->BufferFromHostBuffer(
      in[0], F32, {4}, std::nullopt,
      PjRtClient::HostBufferSemantics::kImmutableOnlyDuringCall, nullptr,
      nested_client->devices()[0]->memory_spaces()[0], nullptr);
  std::thread([&] {
    auto results = nested_program->Execute({{x->get()}}, {});
    auto literal = (*results)[0][0]->ToLiteralSync();
    std::memcpy(out, (*literal)->untyped_data(), 16);
  }).join();
}

TEST_F(ExecuteTest, CallbacksMayRunPrograms) {
  client_ = MakeClient(1, /*num_threads=*/2);
  auto inner = Compile(kLoopProgram);
  nested_program = inner.get();
  nested_client = client_.get();
  CustomCallTargetRegistry::Global()->Register(
      "tessera_test_call_nested", reinterpret_cast<void*>(&CallNested));
  auto outer = Compile(R"(
HloModule outer
ENTRY e {
  x = f32[4] parameter(0)
  ROOT c = f32[4] custom-call(x), custom_call_target="tessera_test_call_nested"
})");
  auto x = Vector({0, 0, 0, 0});
  auto results = Run(*outer, {x.get()}).value();
  EXPECT_THAT(Floats(*results[0]), Each(100));
}

TEST_F(ExecuteTest, SendAndRecvCallbacks) {
  auto executable = Compile(R"(
HloModule host
ENTRY e {
  x = f32[4] parameter(0)
  tok = token[] after-all()
  s = (f32[4], u32[], token[]) send(x, tok), channel_id=1, is_host_transfer=true
  sd = token[] send-done(s), channel_id=1, is_host_transfer=true
  r = (f32[4], u32[], token[]) recv(sd), channel_id=2, is_host_transfer=true
  rd = (f32[4], token[]) recv-done(r), channel_id=2, is_host_transfer=true
  ROOT y = f32[4] get-tuple-element(rd), index=0
})");
  std::unique_ptr<CopyToDeviceStream> stream;
  // Sent values come back negated.
  const std::vector<std::vector<RecvCallback>> recvs = {
      {{2, [&](const PjRtTransferMetadata&,
               std::unique_ptr<CopyToDeviceStream> s) {
          stream = std::move(s);
        }}}};
  const std::vector<std::vector<SendCallback>> sends = {
      {{1,
        [&](const PjRtTransferMetadata& metadata, PjRtChunk chunk, size_t total,
            bool done) -> absl::Status {
          EXPECT_EQ(total, 16);
          auto* values = reinterpret_cast<float*>(chunk.data());
          for (int i = 0; i < 4; ++i) values[i] = -values[i];
          return stream->AddChunk(std::move(chunk)).Await();
        }}}};
  ExecuteOptions options;
  options.send_callbacks = sends;
  options.recv_callbacks = recvs;
  auto x = Vector({1, 2, 3, 4});
  auto results = Run(*executable, {x.get()}, options).value();
  EXPECT_THAT(Floats(*results[0]), ElementsAre(-1, -2, -3, -4));
}

TEST_F(ExecuteTest, ClientWaitsForRuns) {
  for (int i = 0; i < 10; ++i) {
    auto executable = Compile(kLoopProgram);
    auto x = Vector({1, 2, 3, 4});
    auto results = Run(*executable, {x.get()}).value();
    executable.reset();
    x.reset();
    const auto& account = client_->devices()[0]->memory_spaces()[0]->account();
    const std::shared_ptr<MemoryAccount> kept = account;
    results.clear();
    client_.reset();
    EXPECT_EQ(kept->bytes_in_use(), 0);
    client_ = MakeClient();
  }
}

}  // namespace
}  // namespace xla
