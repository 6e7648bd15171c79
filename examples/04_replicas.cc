// Example 4: run one program on several devices, in their own memory. Each
// device receives the sum of the values of all devices.
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "xla/client/client_library.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/status_macros.h"

namespace {

constexpr int kReplicas = 4;

// Runs the replica of device `device` on {device, 1}.
absl::StatusOr<xla::Literal> RunOn(int device, xla::LocalClient& client,
                                   xla::LocalExecutable& executable,
                                   xla::ExecutableRunOptions options) {
  const xla::Literal x =
      xla::LiteralUtil::CreateR1<float>({static_cast<float>(device), 1});
  TF_ASSIGN_OR_RETURN(const xla::ScopedShapedBuffer argument,
                      client.LiteralToShapedBuffer(x, device));
  options.set_device_ordinal(device);
  TF_ASSIGN_OR_RETURN(const xla::ScopedShapedBuffer result,
                      executable.Run({&argument}, options));
  return client.ShapedBufferToLiteral(result);
}

absl::StatusOr<std::vector<std::string>> SumOverReplicas() {
  xla::XlaBuilder builder("sum");
  const xla::Shape shape = xla::ShapeUtil::MakeShape(xla::F32, {2});
  xla::CrossReplicaSum(xla::Parameter(&builder, 0, shape, "x"));
  TF_ASSIGN_OR_RETURN(xla::XlaComputation computation, builder.Build());

  xla::LocalClient* client = xla::ClientLibrary::LocalClientOrDie();
  xla::ExecutableBuildOptions build_options;
  build_options.set_num_replicas(kReplicas);
  TF_ASSIGN_OR_RETURN(auto executables,
                      client->Compile(computation, {&shape}, build_options));

  // Each device needs a call with the same run id. The calls wait for each
  // other, so each needs a thread.
  const xla::ExecutableRunOptions run_options;
  std::vector<std::string> results(kReplicas);
  std::vector<std::thread> threads;
  for (int device = 0; device < kReplicas; ++device) {
    threads.emplace_back([&, device] {
      absl::StatusOr<xla::Literal> sum =
          RunOn(device, *client, *executables[0], run_options);
      results[device] = sum.ok() ? sum->ToString() : sum.status().ToString();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

}  // namespace

int main() {
  absl::StatusOr<std::vector<std::string>> results = SumOverReplicas();
  if (!results.ok()) {
    std::cerr << results.status() << "\n";
    return 1;
  }
  bool right = true;
  for (const std::string& result : *results) {
    std::cout << result << "\n";
    right = right && result == "f32[2] {6, 4}";
  }
  return right ? 0 : 1;
}
