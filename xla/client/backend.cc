// The devices of a client.
#include "xla/client/backend.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

// A device that waits longer for its host fails.
constexpr absl::Duration kHostTimeout = absl::Minutes(10);

}  // namespace

Backend::Backend(std::unique_ptr<Compiler> compiler, BackendOptions options)
    : options_(std::move(options)),
      compiler_(std::move(compiler)),
      allocator_(options_.platform) {
  EnsureDevices(std::min(options_.device_count, kMaxDevices)).IgnoreError();
}

Backend::~Backend() {
  for (TransferQueues& queues : queues_) queues.Close();
}

int Backend::device_count() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return queues_.size();
}

int Backend::default_device_ordinal() const {
  const auto& allowed = options_.allowed_devices;
  return allowed.has_value() && !allowed->empty() ? *allowed->begin() : 0;
}

std::string Backend::device_name(int device_ordinal) const {
  return absl::StrCat(platform()->Name(), ":", device_ordinal);
}

absl::Status Backend::CheckDevice(int64_t device_ordinal) const {
  const int count = device_count();
  if (device_ordinal < 0 || device_ordinal >= count) {
    return absl::InvalidArgumentError(
        absl::StrCat("Invalid device ordinal value ", device_ordinal,
                     ": there are ", count, " devices, numbered from 0"));
  }
  if (options_.allowed_devices.has_value() &&
      !options_.allowed_devices->contains(device_ordinal)) {
    return absl::InvalidArgumentError(
        absl::StrCat("device ", device_ordinal,
                     " is not supported: it is not among the allowed devices"));
  }
  return absl::OkStatus();
}

absl::Status Backend::EnsureDevices(int64_t count) {
  if (count > kMaxDevices) {
    return absl::InvalidArgumentError(absl::StrCat(
        count, " devices are wanted: at most ", kMaxDevices, " are possible"));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  while (static_cast<int64_t>(queues_.size()) < count) {
    queues_.emplace_back(kHostTimeout);
  }
  return absl::OkStatus();
}

absl::StatusOr<TransferQueues*> Backend::Queues(int64_t device_ordinal) {
  TF_RETURN_IF_ERROR(CheckDevice(device_ordinal));
  std::lock_guard<std::mutex> lock(mutex_);
  return &queues_[device_ordinal];
}

}  // namespace xla
