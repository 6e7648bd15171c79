// A program with functions of its own: custom calls that the host registers.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/client/client_library.h"
#include "xla/client/local_client.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/service/custom_call_status.h"
#include "xla/service/custom_call_target_registry.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace {

constexpr int64_t kSize = 4;

// Sums from the first number on; a negative number is an error.
void RunningSum(void* out, const void** in, const char* opaque,
                size_t opaque_len, XlaCustomCallStatus* status) {
  const float* x = static_cast<const float*>(in[0]);
  float* y = static_cast<float*>(out);
  float sum = 0;
  for (int64_t i = 0; i < kSize; ++i) {
    if (x[i] < 0) {
      const std::string message =
          std::string(opaque, opaque_len) + ": a negative number";
      XlaCustomCallStatusSetFailure(status, message.data(), message.size());
      return;
    }
    y[i] = sum += x[i];
  }
}
XLA_CPU_REGISTER_CUSTOM_CALL_TARGET(RunningSum);

absl::Status Run() {
  const xla::Shape shape = xla::ShapeUtil::MakeShape(xla::F32, {kSize});
  xla::XlaBuilder builder("custom");
  const xla::XlaOp x = xla::Parameter(&builder, 0, shape, "x");
  const xla::XlaOp sums = xla::CustomCall(
      &builder, "RunningSum", {xla::Add(x, x)}, shape, /*opaque=*/"running",
      /*has_side_effect=*/false, /*output_operand_aliasing=*/{},
      /*literal=*/nullptr, xla::CustomCallSchedule::SCHEDULE_NONE,
      xla::CustomCallApiVersion::API_VERSION_STATUS_RETURNING_UNIFIED);
  xla::Neg(sums);
  TF_ASSIGN_OR_RETURN(const xla::XlaComputation computation, builder.Build());
  xla::LocalClient* client = xla::ClientLibrary::LocalClientOrDie();
  const auto run =
      [&](const std::vector<float>& values) -> absl::StatusOr<xla::Literal> {
    TF_ASSIGN_OR_RETURN(
        auto data,
        client->TransferToServer(xla::LiteralUtil::CreateR1<float>(values)));
    return client->ExecuteAndTransfer(computation, {data.get()});
  };
  TF_ASSIGN_OR_RETURN(const xla::Literal result, run({1, 2, 3, 4}));
  if (result != xla::LiteralUtil::CreateR1<float>({-2, -6, -12, -20})) {
    return absl::InternalError(result.ToString());
  }
  const absl::Status failed = run({1, -1, 1, 1}).status();
  if (failed.ok() || failed.message().find("running: a negative number") ==
                         absl::string_view::npos) {
    return absl::InternalError("the call's error was lost: " +
                               failed.ToString());
  }
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run();
  std::puts(status.ok() ? "all checks passed" : status.ToString().c_str());
  return status.ok() ? 0 : 1;
}
