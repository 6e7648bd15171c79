// Lists the classes of thunks that archives may hold.
#include "xla/backends/cpu/thunks/library/read_thunks.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/concatenate_thunk.h"
#include "xla/backends/cpu/thunks/concurrent_thunk.h"
#include "xla/backends/cpu/thunks/control_thunks.h"
#include "xla/backends/cpu/thunks/device_thunks.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/backends/cpu/thunks/library/attention_thunk.h"
#include "xla/backends/cpu/thunks/library/convolution_thunk.h"
#include "xla/backends/cpu/thunks/library/dot_thunk.h"
#include "xla/backends/cpu/thunks/library/fft_thunk.h"
#include "xla/backends/cpu/thunks/library/sort_thunks.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

using ThunkOrError = absl::StatusOr<std::unique_ptr<Thunk>>;

ThunkOrError ReadConcurrent(ThunkReader& reader) {
  std::vector<int> chain_of;
  reader(chain_of);
  TF_ASSIGN_OR_RETURN(ThunkSequence thunks, ReadThunks(reader));
  bool valid = !thunks.empty() && chain_of.size() == thunks.size();
  int chains = 0;
  for (const int chain : chain_of) {
    // A new chain has the next number.
    if (chain < 0 || chain > chains) valid = false;
    if (chain == chains) ++chains;
  }
  for (const std::unique_ptr<Thunk>& thunk : thunks) {
    if (!thunk->may_run_concurrently()) valid = false;
  }
  if (!valid) {
    return absl::InvalidArgumentError(
        "the chains of thunks that run at the same time are damaged");
  }
  return std::make_unique<ConcurrentThunk>(std::move(thunks), chain_of);
}

ThunkOrError ReadOne(ThunkRecord record, std::string name,
                     ThunkReader& reader) {
  switch (record) {
    case ThunkRecord::kKernel:
      return KernelThunk::Read(std::move(name), reader);
    case ThunkRecord::kCopy:
      return CopyThunk::Read(std::move(name), reader);
    case ThunkRecord::kConcatenate:
      return ConcatenateThunk::Read(std::move(name), reader);
    case ThunkRecord::kConcurrent:
      return ReadConcurrent(reader);
    case ThunkRecord::kJump:
      return JumpThunk::Read(std::move(name), reader);
    case ThunkRecord::kJumpIfFalse:
      return JumpIfFalseThunk::Read(std::move(name), reader);
    case ThunkRecord::kSwitch:
      return SwitchThunk::Read(std::move(name), reader);
    case ThunkRecord::kDeviceNumber:
      return DeviceNumberThunk::Read(std::move(name), reader);
    case ThunkRecord::kDot:
      return DotThunk::Read(std::move(name), reader);
    case ThunkRecord::kPack:
      return PackThunk::Read(std::move(name), reader);
    case ThunkRecord::kDotInPlace:
      return DotInPlaceThunk::Read(std::move(name), reader);
    case ThunkRecord::kConvolution:
      return ConvolutionThunk::Read(std::move(name), reader);
    case ThunkRecord::kAttention:
      return AttentionThunk::Read(std::move(name), reader);
    case ThunkRecord::kSort:
      return SortThunk::Read(std::move(name), reader);
    case ThunkRecord::kTopK:
      return TopKThunk::Read(std::move(name), reader);
    case ThunkRecord::kFft:
      return FftThunk::Read(std::move(name), reader);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no class of thunks of number ", static_cast<int>(record)));
}

}  // namespace

absl::StatusOr<ThunkSequence> ReadThunks(ThunkReader& reader) {
  int64_t count = 0;
  reader(count);
  ThunkSequence thunks;
  for (int64_t i = 0; i < count; ++i) {
    ThunkRecord record = ThunkRecord::kKernel;
    std::string name;
    int64_t scratch_from = -1;
    reader(record, name, scratch_from);
    TF_RETURN_IF_ERROR(reader.status());
    const int64_t number = reader.NewReference();
    TF_ASSIGN_OR_RETURN(std::unique_ptr<Thunk> thunk,
                        ReadOne(record, std::move(name), reader));
    thunk->set_scratch_from(scratch_from);
    reader.SetReference(number, thunk.get());
    thunks.push_back(std::move(thunk));
  }
  TF_RETURN_IF_ERROR(reader.status());
  return thunks;
}

}  // namespace xla::cpu
