// A trainer: a loss and its gradient built by functions over XlaOp, a loop of
// steps inside the program, and a state that stays on the device between runs.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/client/client.h"
#include "xla/client/client_library.h"
#include "xla/client/global_data.h"
#include "xla/client/local_client.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/loops.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace {

using xla::XlaOp;

// The gradient of mean((x w - y)^2) by w.
XlaOp Gradient(XlaOp x, XlaOp y, XlaOp w, int64_t rows) {
  const XlaOp error = xla::Sub(xla::Dot(x, w), y);
  return xla::Mul(xla::Dot(xla::Transpose(x, {1, 0}), error),
                  xla::ScalarLike(w, 2.0f / static_cast<float>(rows)));
}

// w after 50 steps from the first argument.
absl::StatusOr<xla::XlaComputation> Epoch(int64_t rows, int64_t columns) {
  xla::XlaBuilder builder("epoch");
  const auto matrix = [](std::vector<int64_t> dims) {
    return xla::ShapeUtil::MakeShape(xla::F32, dims);
  };
  const XlaOp w = xla::Parameter(&builder, 0, matrix({columns}), "w");
  const XlaOp x = xla::Parameter(&builder, 1, matrix({rows, columns}), "x");
  const XlaOp y = xla::Parameter(&builder, 2, matrix({rows}), "y");
  TF_ASSIGN_OR_RETURN(
      const std::vector<XlaOp> last,
      xla::ForEachIndex(
          50, xla::S32,
          [&](XlaOp i, absl::Span<const XlaOp> state,
              xla::XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
            const XlaOp step =
                xla::Mul(Gradient(state[1], state[2], state[0], rows),
                         xla::ScalarLike(state[0], 0.1f));
            return std::vector<XlaOp>{xla::Sub(state[0], step), state[1],
                                      state[2]};
          },
          {w, x, y}, "steps", &builder));
  return builder.Build(last[0]);
}

absl::Status Run() {
  // LocalClient::Compile takes pointers to shapes.
  xla::Client* client = xla::ClientLibrary::LocalClientOrDie();
  TF_ASSIGN_OR_RETURN(const xla::XlaComputation epoch, Epoch(4, 2));
  TF_ASSIGN_OR_RETURN(
      const xla::ExecutionHandle compiled,
      client->Compile(epoch, {
                                 xla::ShapeUtil::MakeShape(xla::F32, {2}),
                                 xla::ShapeUtil::MakeShape(xla::F32, {4, 2}),
                                 xla::ShapeUtil::MakeShape(xla::F32, {4}),
                             }));
  // y = x (3, -2)
  TF_ASSIGN_OR_RETURN(
      auto x, client->TransferToServer(xla::LiteralUtil::CreateR2<float>(
                  {{1, 0}, {0, 1}, {1, 1}, {1, -1}})));
  TF_ASSIGN_OR_RETURN(auto y,
                      client->TransferToServer(
                          xla::LiteralUtil::CreateR1<float>({3, -2, 1, 5})));
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<xla::GlobalData> w,
      client->TransferToServer(xla::LiteralUtil::CreateR1<float>({0, 0})));
  for (int i = 0; i < 4; ++i) {
    TF_ASSIGN_OR_RETURN(w,
                        client->Execute(compiled, {w.get(), x.get(), y.get()}));
  }
  TF_ASSIGN_OR_RETURN(const xla::Literal result, client->Transfer(*w));
  for (int i = 0; i < 2; ++i) {
    const float error = result.Get<float>({i}) - (i == 0 ? 3 : -2);
    if (error > 1e-4f || error < -1e-4f) {
      return absl::InternalError(result.ToString());
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
