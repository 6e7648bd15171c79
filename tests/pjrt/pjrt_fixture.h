// Clients, programs from HLO text, and vectors for the tests of the PJRT
// client.
#ifndef TESTS_PJRT_PJRT_FIXTURE_H_
#define TESTS_PJRT_PJRT_FIXTURE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/base/logging.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/pjrt/pjrt_client.h"

namespace xla {

inline CompileOptions OptionsFor(int replicas, int partitions) {
  CompileOptions options;
  options.executable_build_options.set_num_replicas(replicas);
  options.executable_build_options.set_num_partitions(partitions);
  options.executable_build_options.set_use_spmd_partitioning(partitions > 1);
  return options;
}

class PjrtTest : public testing::Test {
 protected:
  using Semantics = PjRtClient::HostBufferSemantics;
  using Buffers = std::vector<std::unique_ptr<PjRtBuffer>>;

  static std::unique_ptr<PjRtClient> MakeClient(int num_devices = 1,
                                                int num_threads = 2) {
    PjRtClientOptions options;
    options.num_devices = num_devices;
    options.num_threads = num_threads;
    return GetTesseraClient(std::move(options)).value();
  }

  static std::unique_ptr<HloModule> Parse(const std::string& text) {
    return ParseAndReturnUnverifiedModule(text).value();
  }
  absl::StatusOr<std::unique_ptr<PjRtLoadedExecutable>> TryCompile(
      const std::string& text, CompileOptions options = {}) {
    return client_->CompileAndLoad(Parse(text), std::move(options));
  }
  std::unique_ptr<PjRtLoadedExecutable> Compile(const std::string& text,
                                                CompileOptions options = {}) {
    auto executable = TryCompile(text, std::move(options));
    CHECK_OK(executable);
    return *std::move(executable);
  }

  PjRtMemorySpace* Space(int device = 0) {
    return client_->devices()[device]->memory_spaces()[0];
  }
  std::unique_ptr<PjRtBuffer> Vector(std::vector<float> values,
                                     int device = 0) {
    return client_
        ->BufferFromHostBuffer(
            values.data(), F32, {static_cast<int64_t>(values.size())},
            std::nullopt, Semantics::kImmutableOnlyDuringCall, nullptr,
            Space(device), nullptr)
        .value();
  }
  static std::vector<float> Floats(PjRtBuffer& buffer) {
    const auto literal = buffer.ToLiteralSync();
    CHECK_OK(literal);
    const auto data = (*literal)->data<float>();
    return {data.begin(), data.end()};
  }
  // Runs a program for one device.
  static absl::StatusOr<Buffers> Run(const PjRtLoadedExecutable& executable,
                                     std::vector<PjRtBuffer*> arguments,
                                     const ExecuteOptions& options = {}) {
    auto results = executable.Execute({{std::move(arguments)}}, options);
    if (!results.ok()) return results.status();
    return std::move((*results)[0]);
  }

  std::unique_ptr<PjRtClient> client_ = MakeClient();
};

inline constexpr char kNegateProgram[] = R"(
HloModule negate
ENTRY e {
  x = f32[4] parameter(0)
  ROOT n = f32[4] negate(x)
})";

// 100 times x + 1.
inline constexpr char kLoopProgram[] = R"(
HloModule loop
body {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
  x = f32[4] get-tuple-element(s), index=1
  c = f32[] constant(1)
  b = f32[4] broadcast(c), dimensions={}
  y = f32[4] add(x, b)
  ROOT t = (s32[], f32[4]) tuple(j, y)
}
condition {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(100)
  ROOT p = pred[] compare(i, n), direction=LT
}
ENTRY e {
  x = f32[4] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[4]) tuple(zero, x)
  w = (s32[], f32[4]) while(t), condition=condition, body=body
  ROOT r = f32[4] get-tuple-element(w), index=1
})";

}  // namespace xla

#endif  // TESTS_PJRT_PJRT_FIXTURE_H_
