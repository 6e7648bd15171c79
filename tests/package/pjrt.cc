// A client of PjRtClient: programs in flight, futures, and a state that each
// step donates to the next one.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/plugin/xla_cpu/cpu_client_options.h"
#include "xla/pjrt/plugin/xla_cpu/xla_cpu_pjrt_client.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace {

// state * rate + input; the result takes the state's memory.
absl::StatusOr<xla::XlaComputation> Step() {
  xla::XlaBuilder builder("step");
  const xla::Shape shape = xla::ShapeUtil::MakeShape(xla::F32, {4});
  const xla::XlaOp state = xla::Parameter(&builder, 0, shape, "state");
  const xla::XlaOp input = xla::Parameter(&builder, 1, shape, "input");
  const xla::XlaOp rate = xla::ConstantR0<float>(&builder, 0.5f);
  const xla::XlaOp next = xla::Add(xla::Mul(state, rate), input);
  builder.SetUpAlias({}, 0, {});
  return builder.Build(next);
}

absl::Status Run() {
  xla::CpuClientOptions options;
  options.cpu_device_count = 2;
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::PjRtClient> client,
                      xla::GetXlaPjrtCpuClient(std::move(options)));
  if (client->addressable_device_count() != 2) {
    return absl::InternalError("two devices were asked for");
  }
  TF_ASSIGN_OR_RETURN(const xla::XlaComputation step, Step());
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::PjRtLoadedExecutable> executable,
                      client->CompileAndLoad(step, xla::CompileOptions()));

  xla::PjRtDevice* device = client->addressable_devices()[0];
  TF_ASSIGN_OR_RETURN(xla::PjRtMemorySpace * memory,
                      device->default_memory_space());
  const auto buffer = [&](float value) {
    const std::vector<float> data(4, value);
    return client->BufferFromHostBuffer(
        data.data(), xla::F32, {4}, /*byte_strides=*/std::nullopt,
        xla::PjRtClient::HostBufferSemantics::kImmutableOnlyDuringCall,
        /*on_done_with_host_buffer=*/nullptr, memory,
        /*device_layout=*/nullptr);
  };
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::PjRtBuffer> state, buffer(8));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::PjRtBuffer> input, buffer(1));
  for (int i = 0; i < 3; ++i) {
    std::optional<std::vector<xla::Future<>>> futures;
    futures.emplace();
    TF_ASSIGN_OR_RETURN(auto results,
                        executable->Execute({{state.get(), input.get()}},
                                            xla::ExecuteOptions(), futures));
    TF_RETURN_IF_ERROR((*futures)[0].Await());
    if (!state->IsDeleted() || input->IsDeleted()) {
      return absl::InternalError("the state alone was to be donated");
    }
    state = std::move(results[0][0]);
  }
  TF_ASSIGN_OR_RETURN(std::shared_ptr<xla::Literal> literal,
                      state->ToLiteralSync());
  const xla::Literal want =
      xla::LiteralUtil::CreateR1<float>({2.75, 2.75, 2.75, 2.75});
  if (*literal != want) return absl::InternalError(literal->ToString());
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  std::puts(status.ok() ? "all checks passed" : status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
