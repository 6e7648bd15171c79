// A frame for each array, and its data if it does not fit in, as RunSchedule
// does it.
#include "xla/distributed/array_transfer.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/message.h"
#include "xla/distributed/run_schedule.h"

namespace xla::distributed {
namespace {

Operation OperationOf(const ArrayTransfer& transfer) {
  uint64_t key = StableHash("array transfer");
  for (const int64_t part : {transfer.source, transfer.target, transfer.key}) {
    key = StableMix(key, static_cast<uint64_t>(part));
  }
  Operation operation;
  operation.key = key;
  operation.program = StableHash(transfer.shape);
  operation.run = transfer.key;
  operation.channel = kNoProgram;
  operation.bytes = static_cast<int64_t>(transfer.data.size());
  operation.op = "transfer";
  operation.name = absl::StrCat(transfer.shape, " from device ",
                                transfer.source, " to ", transfer.target);
  return operation;
}

// The arrays of one call.
class Batch {
 public:
  Batch(Communicator& communicator, absl::Span<const ArrayTransfer> transfers)
      : communicator_(communicator),
        deadline_(absl::Now() + communicator.timeout()),
        transfers_(transfers),
        entries_(transfers.size()) {
    for (size_t i = 0; i < transfers.size(); ++i) {
      entries_[i].operation = OperationOf(transfers[i]);
    }
  }

  absl::Status Send(TransferDone done) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      Entry& entry = entries_[i];
      entry.frame = Frame(entry.operation);
      const absl::Span<char> data = transfers_[i].data;
      if (IsInline(i))
        std::memcpy(entry.frame.payload, data.data(), data.size());
      TF_RETURN_IF_ERROR(Start(i, 0, entry.frame.mutable_bytes(), /*send=*/true,
                               &entry.frame_transfer));
      if (IsInline(i)) continue;
      TF_RETURN_IF_ERROR(
          Start(i, 1, data, /*send=*/true, &entry.data_transfer));
    }
    for (size_t i = 0; i < entries_.size(); ++i) {
      TF_RETURN_IF_ERROR(Await(i, entries_[i].frame_transfer, "takes"));
      TF_RETURN_IF_ERROR(Await(i, entries_[i].data_transfer, "takes"));
      done(i);
    }
    return absl::OkStatus();
  }

  absl::Status Receive(TransferDone done) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      TF_RETURN_IF_ERROR(Start(i, 0, entries_[i].frame.mutable_bytes(),
                               /*send=*/false, &entries_[i].frame_transfer));
    }
    // All data is under way before the first of it is waited for.
    for (size_t i = 0; i < entries_.size(); ++i) {
      TF_RETURN_IF_ERROR(Await(i, entries_[i].frame_transfer, "sends"));
      TF_RETURN_IF_ERROR(entries_[i].frame.CheckAgainst(entries_[i].operation,
                                                        transfers_[i].process));
      const absl::Span<char> data = transfers_[i].data;
      if (IsInline(i)) {
        std::memcpy(data.data(), entries_[i].frame.payload, data.size());
        done(i);
        continue;
      }
      TF_RETURN_IF_ERROR(
          Start(i, 1, data, /*send=*/false, &entries_[i].data_transfer));
    }
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (IsInline(i)) continue;
      TF_RETURN_IF_ERROR(Await(i, entries_[i].data_transfer, "sends"));
      done(i);
    }
    return absl::OkStatus();
  }

 private:
  struct Entry {
    Operation operation;
    Frame frame;
    std::unique_ptr<Transfer> frame_transfer;
    std::unique_ptr<Transfer> data_transfer;
  };

  bool IsInline(size_t i) const {
    return transfers_[i].data.size() <= Frame::kInlineBytes;
  }

  absl::Status Start(size_t i, int64_t number, absl::Span<char> bytes,
                     bool send, std::unique_ptr<Transfer>* transfer) {
    Transport& transport = communicator_.transport();
    const int peer = transfers_[i].process;
    const uint64_t key = MessageKey(entries_[i].operation, number);
    auto started = send ? transport.Send(peer, key, bytes)
                        : transport.Receive(peer, key, bytes);
    if (!started.ok()) return Explain(i, started.status());
    *transfer = *std::move(started);
    return absl::OkStatus();
  }

  // Null transfers are over.
  absl::Status Await(size_t i, const std::unique_ptr<Transfer>& transfer,
                     absl::string_view verb) {
    if (transfer == nullptr) return absl::OkStatus();
    const auto report = [&](absl::Duration waited) {
      LOG(WARNING) << "waiting for "
                   << absl::FormatDuration(
                          absl::Trunc(waited, absl::Seconds(1)))
                   << " until process " << transfers_[i].process << " " << verb
                   << " " << entries_[i].operation.ToString();
    };
    const WaitWatch watch(communicator_.watcher(), report);
    return Explain(i, transfer->Wait(deadline_));
  }

  absl::Status Explain(size_t i, const absl::Status& status) const {
    if (status.ok()) return status;
    return WithMessage(
        status,
        absl::StrCat(entries_[i].operation.ToString(), ", with process ",
                     transfers_[i].process, ": ", status.message()));
  }

  Communicator& communicator_;
  const absl::Time deadline_;
  const absl::Span<const ArrayTransfer> transfers_;
  std::vector<Entry> entries_;
};

}  // namespace

absl::Status SendArrays(Communicator& communicator,
                        absl::Span<const ArrayTransfer> transfers,
                        TransferDone done) {
  TF_RETURN_IF_ERROR(communicator.status());
  Batch batch(communicator, transfers);
  const absl::Status status = batch.Send(done);
  // Fail aborts the transport before the batch goes away.
  return status.ok() ? status : communicator.Fail(status);
}

absl::Status ReceiveArrays(Communicator& communicator,
                           absl::Span<const ArrayTransfer> transfers,
                           TransferDone done) {
  TF_RETURN_IF_ERROR(communicator.status());
  Batch batch(communicator, transfers);
  const absl::Status status = batch.Receive(done);
  return status.ok() ? status : communicator.Fail(status);
}

}  // namespace xla::distributed
