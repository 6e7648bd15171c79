// Thunks that write the device's own numbers, its random state, and the sizes
// of dynamic dimensions.
#ifndef XLA_BACKENDS_CPU_THUNKS_DEVICE_THUNKS_H_
#define XLA_BACKENDS_CPU_THUNKS_DEVICE_THUNKS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

// Writes numbers that are known at compile time.
class FillSizesThunk : public Thunk {
 public:
  FillSizesThunk(std::string name, Slice result, std::vector<int32_t> sizes)
      : Thunk(std::move(name)), result_(result), sizes_(std::move(sizes)) {}
  absl::string_view kind() const override { return "sizes"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Write(result_);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const Slice result_;
  const std::vector<int32_t> sizes_;
};

// Copies an array, then writes its sizes: `fixed` to `sizes`, unless the source
// has sizes, which were copied with it, and finally the s32[] at `size` to
// `changed`.
class SetSizeThunk : public Thunk {
 public:
  SetSizeThunk(std::string name, Slice source, Slice result, Slice sizes,
               std::vector<int32_t> fixed, Slice changed, Slice size)
      : Thunk(std::move(name)),
        source_(source),
        result_(result),
        sizes_(sizes),
        fixed_(std::move(fixed)),
        changed_(changed),
        size_(size) {}
  absl::string_view kind() const override { return "set-dimension-size"; }
  BufferUses buffer_uses() const override;
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const Slice source_;
  const Slice result_;
  const Slice sizes_;
  const std::vector<int32_t> fixed_;
  const Slice changed_;
  const Slice size_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_DEVICE_THUNKS_H_
