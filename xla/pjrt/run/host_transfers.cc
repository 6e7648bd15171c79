// Runs the streams of recv callbacks and the threads of send callbacks.
#include "xla/pjrt/run/host_transfers.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/hlo/ops/device/transfers.h"
#include "xla/pjrt/run/pjrt_run.h"

namespace xla {
namespace {

// A program that waits longer for a callback's value fails.
constexpr absl::Duration kCallbackTimeout = absl::Minutes(10);

// Collects the value of one recv.
class RecvStream : public CopyToDeviceStream {
 public:
  RecvStream(Literal value, int64_t channel,
             std::shared_ptr<TransferQueues> queues)
      : CopyToDeviceStream(value.size_bytes(), /*granule_bytes=*/1),
        value_(std::move(value)),
        channel_(channel),
        queues_(std::move(queues)) {}

  Future<> AddChunk(PjRtChunk chunk) override {
    std::lock_guard<std::mutex> lock(mutex_);
    if (chunk.size() > total_bytes() - received_) {
      return absl::InvalidArgumentError(
          absl::StrCat("recv of channel ", channel_, ": ", chunk.size(),
                       " more bytes after ", received_, " of ", total_bytes()));
    }
    if (chunk.size() > 0) {
      std::memcpy(static_cast<char*>(value_.untyped_data()) + received_,
                  chunk.data(), chunk.size());
    }
    received_ += chunk.size();
    if (received_ == total_bytes() && !sent_) {
      sent_ = true;
      queues_->to_device(channel_).Push(std::move(value_));
    }
    return Future<>();
  }

  int64_t current_bytes() const override {
    std::lock_guard<std::mutex> lock(mutex_);
    return received_;
  }

 private:
  mutable std::mutex mutex_;  // guards the members below
  Literal value_;
  const int64_t channel_;
  const std::shared_ptr<TransferQueues> queues_;
  int64_t received_ = 0;
  bool sent_ = false;
};

absl::StatusOr<Shape> ReceivedShape(const HloModule& module, int64_t channel) {
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->opcode() != HloOpcode::kRecv) continue;
      const auto& attrs = hlo->attrs<ChannelAttrs>();
      if (!attrs.is_host_transfer || attrs.channel_id != channel) continue;
      const Shape& shape = hlo->shape().tuple_shapes(0);
      if (shape.IsArray()) return LayoutUtil::GetWithDefaultLayout(shape);
      return absl::UnimplementedError(
          absl::StrCat("recv callback of channel ", channel, ": ", hlo->name(),
                       " receives ", shape.ToString(), ", not an array"));
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "recv callback of channel ", channel,
      ": the program has no recv from the host with that channel"));
}

}  // namespace

HostTransfers::HostTransfers()
    : queues_(std::make_shared<TransferQueues>(kCallbackTimeout)) {}

absl::StatusOr<std::unique_ptr<HostTransfers>> HostTransfers::Start(
    const HloModule& module, absl::Span<const SendCallback> sends,
    absl::Span<const RecvCallback> recvs) {
  // The constructor is private.
  std::unique_ptr<HostTransfers> transfers(new HostTransfers);
  for (const RecvCallback& recv : recvs) {
    TF_ASSIGN_OR_RETURN(Shape shape, ReceivedShape(module, recv.channel_id));
    TF_ASSIGN_OR_RETURN(Literal value, Literal::Make(shape));
    recv.callback(PjRtTransferMetadata{shape},
                  std::make_unique<RecvStream>(
                      std::move(value), recv.channel_id, transfers->queues_));
  }
  for (const SendCallback& send : sends) {
    transfers->threads_.emplace_back(
        [owner = transfers.get(), send] { owner->Serve(send); });
  }
  return transfers;
}

void HostTransfers::Serve(const SendCallback& send) {
  TransferQueue& queue = queues_->to_host(send.channel_id);
  for (;;) {
    absl::StatusOr<Literal> value =
        queue.Pop(absl::InfiniteDuration(), "a send");
    if (!value.ok()) return;  // the run has ended
    auto* kept = new Literal(*std::move(value));
    const size_t bytes = kept->size_bytes();
    const absl::Status status = send.callback(
        PjRtTransferMetadata{kept->shape()},
        PjRtChunk(kept->untyped_data(), bytes, [kept](void*) { delete kept; }),
        bytes, /*done=*/true);
    std::lock_guard<std::mutex> lock(mutex_);
    status_.Update(status);
  }
}

absl::Status HostTransfers::Finish() {
  queues_->Close();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  std::lock_guard<std::mutex> lock(mutex_);
  return status_;
}

absl::Status ConnectHost(absl::Span<PjRtDevice* const> devices,
                         const ExecuteOptions& options, PjRtRun& run) {
  const auto of_device = [&](const auto& callbacks, size_t d) {
    return d < callbacks.size() ? absl::MakeConstSpan(callbacks[d])
                                : decltype(absl::MakeConstSpan(callbacks[d]))();
  };
  for (size_t d = 0; d < devices.size(); ++d) {
    const auto sends = of_device(options.send_callbacks, d);
    const auto recvs = of_device(options.recv_callbacks, d);
    if (sends.empty() && recvs.empty()) {
      run.options.queues.push_back(devices[d]->queues());
      continue;
    }
    TF_ASSIGN_OR_RETURN(
        run.host_transfers.emplace_back(),
        HostTransfers::Start(run.executable->executable().module(), sends,
                             recvs));
    run.options.queues.push_back(run.host_transfers.back()->queues());
  }
  return absl::OkStatus();
}

}  // namespace xla
