// Thunks that write the sizes of dynamic dimensions.
#ifndef XLA_BACKENDS_CPU_THUNKS_SIZE_THUNKS_H_
#define XLA_BACKENDS_CPU_THUNKS_SIZE_THUNKS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

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

#endif  // XLA_BACKENDS_CPU_THUNKS_SIZE_THUNKS_H_
