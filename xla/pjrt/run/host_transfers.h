// HostTransfers: connects the sends and recvs of a run with the callbacks that
// the caller gave for their channels.
#ifndef XLA_PJRT_RUN_HOST_TRANSFERS_H_
#define XLA_PJRT_RUN_HOST_TRANSFERS_H_

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/pjrt/execute_options.h"
#include "xla/pjrt/pjrt_device.h"
#include "xla/runtime/transfer_queues.h"

namespace xla {

struct PjRtRun;

// The transfers of one device in one run. Each send callback has a thread.
class HostTransfers {
 public:
  // Calls the recv callbacks before it returns. Errors: InvalidArgument for a
  // recv callback whose channel no recv of the module uses; Unimplemented if
  // that recv receives a tuple.
  static absl::StatusOr<std::unique_ptr<HostTransfers>> Start(
      const HloModule& module, absl::Span<const SendCallback> sends,
      absl::Span<const RecvCallback> recvs);
  ~HostTransfers() { Finish().IgnoreError(); }

  TransferQueues* queues() const { return queues_.get(); }
  // Call after the run: waits until all sent values have been handed over.
  // Returns the first error of a callback.
  absl::Status Finish();

 private:
  HostTransfers();
  void Serve(const SendCallback& send);

  // Shared with the streams of recv callbacks, which may outlive the run.
  const std::shared_ptr<TransferQueues> queues_;
  std::mutex mutex_;
  absl::Status status_;  // guarded by mutex_
  std::vector<std::thread> threads_;
};

// Gives the run the queues of its devices: those of the callbacks if there are
// any, else the devices' own.
absl::Status ConnectHost(absl::Span<PjRtDevice* const> devices,
                         const ExecuteOptions& options, PjRtRun& run);

}  // namespace xla

#endif  // XLA_PJRT_RUN_HOST_TRANSFERS_H_
