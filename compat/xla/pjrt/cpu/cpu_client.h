// XLA's older names of GetXlaPjrtCpuClient.
#ifndef COMPAT_XLA_PJRT_CPU_CPU_CLIENT_H_
#define COMPAT_XLA_PJRT_CPU_CPU_CLIENT_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "xla/pjrt/pjrt_client.h"

namespace xla {

inline absl::StatusOr<std::unique_ptr<PjRtClient>> GetPjRtCpuClient(
    CpuClientOptions options) {
  return GetXlaPjrtCpuClient(std::move(options));
}

inline absl::StatusOr<std::unique_ptr<PjRtClient>> GetPjRtCpuClient(
    bool asynchronous) {
  CpuClientOptions options;
  options.asynchronous = asynchronous;
  return GetPjRtCpuClient(std::move(options));
}

inline absl::StatusOr<std::unique_ptr<PjRtClient>> GetTfrtCpuClient(
    CpuClientOptions options) {
  return GetXlaPjrtCpuClient(std::move(options));
}

inline absl::StatusOr<std::unique_ptr<PjRtClient>> GetTfrtCpuClient(
    bool asynchronous) {
  return GetPjRtCpuClient(asynchronous);
}

inline absl::StatusOr<std::unique_ptr<PjRtClient>> GetTfrtCpuClient(
    bool asynchronous, int cpu_device_count,
    int max_inflight_computations_per_device = 32) {
  CpuClientOptions options;
  options.asynchronous = asynchronous;
  options.cpu_device_count = cpu_device_count;
  options.max_inflight_computations_per_device =
      max_inflight_computations_per_device;
  return GetTfrtCpuClient(std::move(options));
}

}  // namespace xla

#endif  // COMPAT_XLA_PJRT_CPU_CPU_CLIENT_H_
