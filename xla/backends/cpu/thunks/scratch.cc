// Gives all thunks the memory behind what is live while they run.
#include "xla/backends/cpu/thunks/scratch.h"

#include <algorithm>

#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

constexpr int64_t kScratchAlignment = 64;

}  // namespace

int64_t PlaceScratch(const ThunkSequence& thunks, int num_threads,
                     int64_t temporary_bytes) {
  int64_t end = temporary_bytes;
  for (const auto& thunk : thunks) {
    const int64_t bytes = thunk->scratch_bytes(num_threads);
    if (bytes == 0) continue;
    int64_t from = thunk->scratch_from();
    if (from < 0 || from > temporary_bytes) from = temporary_bytes;
    from = RoundUpTo(from, kScratchAlignment);
    thunk->set_scratch(from, num_threads);
    end = std::max(end, from + bytes);
  }
  for (const auto& thunk : thunks) {
    const int64_t bytes = thunk->kept_bytes();
    if (bytes == 0) continue;
    end = RoundUpTo(end, kScratchAlignment);
    thunk->set_kept_offset(end);
    end += bytes;
  }
  return end;
}

}  // namespace xla::cpu
