// Long rows are copied by several threads each, short ones by one.
#include "xla/backends/cpu/thunks/concatenate_thunk.h"

#include <algorithm>
#include <cstring>

#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// Copies of fewer bytes end before another thread could start.
constexpr int64_t kTaskBytes = int64_t{1} << 20;

}  // namespace

ConcatenateThunk::ConcatenateThunk(std::string name, std::vector<Part> parts,
                                   int64_t rows, Slice result)
    : Thunk(std::move(name)),
      parts_(std::move(parts)),
      rows_(rows),
      result_(result) {
  for (const Part& part : parts_) row_bytes_ += part.row_bytes;
}

template <typename Archive>
void Fields(Archive& archive, ConcatenateThunk::Part& part) {
  archive(part.array, part.row_bytes);
}

absl::Status ConcatenateThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kConcatenate, *this);
  writer(parts_, rows_, result_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> ConcatenateThunk::Read(
    std::string name, ThunkReader& reader) {
  std::vector<Part> parts;
  int64_t rows = 0;
  Slice result;
  reader(parts, rows, result);
  TF_RETURN_IF_ERROR(reader.status());
  return std::make_unique<ConcatenateThunk>(std::move(name), std::move(parts),
                                            rows, result);
}

BufferUses ConcatenateThunk::buffer_uses() const {
  BufferUses uses;
  for (const Part& part : parts_) uses.Read(part.array);
  return uses.Write(result_);
}

absl::StatusOr<ThunkResult> ConcatenateThunk::Run(DeviceRun& run,
                                                  int64_t here) const {
  if (row_bytes_ == 0 || rows_ == 0) return ThunkResult{here + 1};
  if (rows_ == 1) {
    char* to = run.At(result_);
    for (const Part& part : parts_) {
      CopyBytes(run.runner(), run.At(part.array), to, part.row_bytes);
      to += part.row_bytes;
    }
    return ThunkResult{here + 1};
  }
  const int64_t rows = std::max<int64_t>(1, kTaskBytes / row_bytes_);
  if (rows >= rows_) {
    Copy(run, 0, rows_);
    return ThunkResult{here + 1};
  }
  run.runner().ParallelFor(CeilOfRatio(rows_, rows), [&](int64_t task) {
    Copy(run, task * rows, std::min(rows_, (task + 1) * rows));
  });
  return ThunkResult{here + 1};
}

void ConcatenateThunk::Copy(DeviceRun& run, int64_t begin, int64_t end) const {
  char* const result = run.At(result_);
  int64_t offset = 0;
  for (const Part& part : parts_) {
    if (part.row_bytes == 0) continue;
    const char* const array = run.At(part.array);
    for (int64_t row = begin; row < end; ++row) {
      std::memcpy(result + row * row_bytes_ + offset,
                  array + row * part.row_bytes, part.row_bytes);
    }
    offset += part.row_bytes;
  }
}

}  // namespace xla::cpu
