// The thunk for concatenates of many arrays.
#ifndef XLA_BACKENDS_CPU_THUNKS_CONCATENATE_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_CONCATENATE_THUNK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

// Concatenates row-major arrays of `rows` rows each along their rows. Nothing
// overlaps the result.
class ConcatenateThunk : public Thunk {
 public:
  struct Part {
    Slice array;
    int64_t row_bytes;
  };
  ConcatenateThunk(std::string name, std::vector<Part> parts, int64_t rows,
                   Slice result);
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;
  absl::string_view kind() const override { return "concatenate"; }
  BufferUses buffer_uses() const override;
  bool may_run_concurrently() const override { return true; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  // Copies rows [begin, end) of all operands.
  void Copy(DeviceRun& run, int64_t begin, int64_t end) const;

  const std::vector<Part> parts_;
  const int64_t rows_;
  const Slice result_;
  int64_t row_bytes_ = 0;  // of the result
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_CONCATENATE_THUNK_H_
