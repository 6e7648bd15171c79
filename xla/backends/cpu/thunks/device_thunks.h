// Thunks that write the device's own numbers and random state.
#ifndef XLA_BACKENDS_CPU_THUNKS_DEVICE_THUNKS_H_
#define XLA_BACKENDS_CPU_THUNKS_DEVICE_THUNKS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

// Writes the replica-id or the partition-id, a u32[].
class DeviceNumberThunk : public Thunk {
 public:
  enum class Which { kReplica, kPartition };
  DeviceNumberThunk(std::string name, Which which, Slice result)
      : Thunk(std::move(name)), which_(which), result_(result) {}
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;
  absl::string_view kind() const override {
    return which_ == Which::kReplica ? "replica-id" : "partition-id";
  }
  BufferUses buffer_uses() const override {
    return BufferUses().Write(result_);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const Which which_;
  const Slice result_;
};

// Writes a u64[2], the low and high half of the 128-bit state before `delta` is
// added.
class RngStateThunk : public Thunk {
 public:
  RngStateThunk(std::string name, int64_t delta, Slice result)
      : Thunk(std::move(name)), delta_(delta), result_(result) {}
  absl::string_view kind() const override { return "rng-get-and-update-state"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Write(result_);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const int64_t delta_;
  const Slice result_;
};

// Writes the device's next 64 random bits: the key of an rng (rng_expander.h).
class RandomKeyThunk : public Thunk {
 public:
  RandomKeyThunk(std::string name, Slice result)
      : Thunk(std::move(name)), result_(result) {}
  absl::string_view kind() const override { return "random-key"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Write(result_);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const Slice result_;  // u64[]
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_DEVICE_THUNKS_H_
