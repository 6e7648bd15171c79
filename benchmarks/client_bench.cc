// Times one call of a small program through the C++ clients: the program is
// compiled once, arguments and results are in device memory, and each call
// waits for its result.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "xla/client/client_library.h"
#include "xla/client/local_client.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/pjrt/pjrt_client.h"

namespace xla {
namespace {

Shape VectorShape(int64_t size) {
  return size == 0 ? ShapeUtil::MakeShape(F32, {})
                   : ShapeUtil::MakeShape(F32, {size});
}

// f(x) = x + 1; a scalar if `size` is 0.
XlaComputation AddOne(int64_t size) {
  XlaBuilder b("add_one");
  Add(Parameter(&b, 0, VectorShape(size), "x"), ConstantR0<float>(&b, 1));
  return b.Build().value();
}

// f(x_0, ...) = (2 x_0, ...).
XlaComputation DoubleAll(int64_t count) {
  XlaBuilder b("double_all");
  std::vector<XlaOp> results;
  for (int64_t i = 0; i < count; ++i) {
    results.push_back(
        Mul(Parameter(&b, i, VectorShape(8), "x"), ConstantR0<float>(&b, 2)));
  }
  Tuple(&b, results);
  return b.Build().value();
}

// A program and its arguments on the first device of a client.
class PjrtProgram {
 public:
  PjrtProgram(const XlaComputation& computation, int64_t arguments,
              int64_t size) {
    client_ = GetTesseraClient({}).value();
    executable_ = client_->CompileAndLoad(computation, {}).value();
    const std::vector<float> values(size == 0 ? 1 : size, 1.0f);
    PjRtMemorySpace* const space = client_->devices()[0]->memory_spaces()[0];
    for (int64_t i = 0; i < arguments; ++i) {
      buffers_.push_back(
          client_
              ->BufferFromHostBuffer(
                  values.data(), F32, VectorShape(size).dimensions(),
                  std::nullopt,
                  PjRtClient::HostBufferSemantics::kImmutableOnlyDuringCall,
                  nullptr, space, nullptr)
              .value());
      handles_.push_back(buffers_.back().get());
    }
  }

  // Runs once and waits for the results.
  absl::Status Run() {
    auto results = executable_->Execute({&handles_, 1}, {});
    if (!results.ok()) return results.status();
    for (const auto& result : (*results)[0]) {
      const absl::Status status = result->GetReadyFuture().Await();
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  std::unique_ptr<PjRtClient> client_;
  std::unique_ptr<PjRtLoadedExecutable> executable_;
  std::vector<std::unique_ptr<PjRtBuffer>> buffers_;
  std::vector<PjRtBuffer*> handles_;
};

void Loop(benchmark::State& state, PjrtProgram& program) {
  for (auto _ : state) {
    if (const absl::Status status = program.Run(); !status.ok()) {
      state.SkipWithError(std::string(status.message()).c_str());
      return;
    }
  }
}

// Argument: the number of elements, 0 for a scalar.
void BM_PjrtAdd(benchmark::State& state) {
  PjrtProgram program(AddOne(state.range(0)), 1, state.range(0));
  Loop(state, program);
}
BENCHMARK(BM_PjrtAdd)->Arg(0)->Arg(64)->Arg(4096)->UseRealTime();

// Argument: the number of results.
void BM_PjrtResults(benchmark::State& state) {
  PjrtProgram program(DoubleAll(state.range(0)), state.range(0), 8);
  Loop(state, program);
}
BENCHMARK(BM_PjrtResults)->Arg(2)->Arg(32)->UseRealTime();

// Runs the same scalar program through LocalClient.
void BM_LocalClientAdd(benchmark::State& state) {
  LocalClient* const client = ClientLibrary::LocalClientOrDie();
  const Shape shape = VectorShape(0);
  const auto executables =
      client->Compile(AddOne(0), {&shape}, ExecutableBuildOptions()).value();
  const ScopedShapedBuffer x =
      client->LiteralToShapedBuffer(LiteralUtil::CreateR0<float>(1), 0).value();
  const ShapedBuffer* const argument = &x;
  for (auto _ : state) {
    const auto result =
        executables[0]->Run({&argument, 1}, ExecutableRunOptions());
    if (!result.ok()) {
      state.SkipWithError(std::string(result.status().message()).c_str());
      return;
    }
  }
}
BENCHMARK(BM_LocalClientAdd)->UseRealTime();

}  // namespace
}  // namespace xla
