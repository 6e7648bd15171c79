// A framework's bridge: replicas with a device assignment, compiled with
// options for the build, whose devices sum their gradients.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/client/client_library.h"
#include "xla/client/executable_build_options.h"
#include "xla/client/local_client.h"
#include "xla/executable_run_options.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/service/computation_placer.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace {

constexpr int kReplicas = 2;

absl::StatusOr<xla::XlaComputation> Gradients(const xla::Shape& shape) {
  xla::XlaBuilder builder("gradients");
  const xla::XlaOp own = xla::Parameter(&builder, 0, shape, "own");
  const xla::XlaOp sum =
      xla::AllReduce(own, xla::CreateScalarAddComputation(xla::F32, &builder));
  xla::Tuple(&builder, {sum, xla::ReplicaId(&builder)});
  return builder.Build();
}

absl::Status Run() {
  xla::LocalClientOptions client_options;
  TF_ASSIGN_OR_RETURN(
      xla::LocalClient * client,
      xla::ClientLibrary::GetOrCreateLocalClient(client_options));
  const xla::Shape shape = xla::ShapeUtil::MakeShape(xla::F32, {2});
  TF_ASSIGN_OR_RETURN(const xla::XlaComputation computation, Gradients(shape));

  // Replica 0 is on device 1.
  xla::DeviceAssignment assignment(kReplicas, 1);
  assignment(0, 0) = 1;
  assignment(1, 0) = 0;
  xla::ExecutableBuildOptions build;
  build.set_num_replicas(kReplicas).set_device_assignment(assignment);
  build.mutable_debug_options()->set_xla_cpu_enable_fast_math(false);
  TF_ASSIGN_OR_RETURN(auto executables,
                      client->Compile(computation, {&shape}, build));

  std::vector<absl::StatusOr<xla::Literal>> results(kReplicas);
  const auto run = [&](int device) -> absl::StatusOr<xla::Literal> {
    const float x = static_cast<float>(device + 1);
    TF_ASSIGN_OR_RETURN(
        const xla::ScopedShapedBuffer argument,
        client->LiteralToShapedBuffer(
            xla::LiteralUtil::CreateR1<float>({x, 10 * x}), device));
    xla::ExecutableRunOptions options;
    options.set_device_ordinal(device);
    options.set_allocator(client->backend().memory_allocator());
    options.set_device_assignment(&assignment);
    options.set_run_id(xla::RunId(7));
    TF_ASSIGN_OR_RETURN(const xla::ScopedShapedBuffer result,
                        executables[0]->Run({&argument}, options));
    return client->ShapedBufferToLiteral(result);
  };
  std::vector<std::thread> threads;
  for (int device = 0; device < kReplicas; ++device) {
    threads.emplace_back([&, device] { results[device] = run(device); });
  }
  for (std::thread& thread : threads) thread.join();
  for (int device = 0; device < kReplicas; ++device) {
    TF_RETURN_IF_ERROR(results[device].status());
    std::vector<xla::Literal> parts = results[device]->DecomposeTuple();
    if (parts[0] != xla::LiteralUtil::CreateR1<float>({3, 30}) ||
        parts[1].Get<uint32_t>({}) != static_cast<uint32_t>(1 - device)) {
      return absl::InternalError(parts[0].ToString() + parts[1].ToString());
    }
  }
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  std::puts(status.ok() ? "all checks passed" : status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
