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

}  // namespace xla

#endif  // COMPAT_XLA_PJRT_CPU_CPU_CLIENT_H_
