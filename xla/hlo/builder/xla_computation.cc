// Program shapes and snapshots of built computations.
#include "xla/hlo/builder/xla_computation.h"

#include <atomic>

#include "absl/status/status.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

int64_t NextContentId() {
  static std::atomic<int64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

XlaComputation::XlaComputation(HloModuleProto proto)
    : unique_id_(proto.id()),
      content_id_(NextContentId()),
      proto_(std::move(proto)) {}

absl::StatusOr<ProgramShape> XlaComputation::GetProgramShape() const {
  if (!proto_.has_host_program_shape()) {
    return absl::InvalidArgumentError(
        "computation: it is null or has no program shape");
  }
  return ProgramShape::FromProto(proto_.host_program_shape());
}

absl::StatusOr<std::unique_ptr<HloSnapshot>> XlaComputation::Snapshot() const {
  if (IsNull()) {
    return absl::InvalidArgumentError(
        "computation: a null computation has no snapshot");
  }
  auto snapshot = std::make_unique<HloSnapshot>();
  *snapshot->mutable_hlo()->mutable_hlo_module() = proto_;
  return snapshot;
}

}  // namespace xla
