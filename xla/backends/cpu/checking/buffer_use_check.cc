// Compares sets of bytes, which are maps of intervals.
#include "xla/backends/cpu/checking/buffer_use_check.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace xla::cpu {
namespace {

// Returns the bytes that uses of one kind cover.
class Bytes {
 public:
  Bytes(const BufferUses& uses, BufferUse::Kind kind) {
    for (const BufferUse& use : uses) {
      if (use.kind == kind) Add(use.slice);
    }
  }

  bool Contain(const Slice& slice) const {
    auto intervals = intervals_.find(slice.allocation);
    if (intervals == intervals_.end()) return false;
    auto it = intervals->second.upper_bound(slice.offset);
    return it != intervals->second.begin() &&
           std::prev(it)->second >= slice.offset + slice.size;
  }

 private:
  // Merges adjacent intervals, so that any covered range is within one of them.
  void Add(const Slice& slice) {
    std::map<int64_t, int64_t>& intervals = intervals_[slice.allocation];
    int64_t begin = slice.offset;
    int64_t end = slice.offset + slice.size;
    auto it = intervals.upper_bound(begin);
    if (it != intervals.begin() && std::prev(it)->second >= begin) --it;
    while (it != intervals.end() && it->first <= end) {
      begin = std::min(begin, it->first);
      end = std::max(end, it->second);
      it = intervals.erase(it);
    }
    intervals[begin] = end;
  }

  std::map<int64_t, std::map<int64_t, int64_t>> intervals_;  // begin to end
};

}  // namespace

std::optional<BufferUse> FirstUncovered(const BufferUses& uses,
                                        const BufferUses& others) {
  for (const auto kind : {BufferUse::Kind::kRead, BufferUse::Kind::kWrite}) {
    const Bytes covered(others, kind);
    for (const BufferUse& use : uses) {
      if (use.kind == kind && !covered.Contain(use.slice)) return use;
    }
  }
  return std::nullopt;
}

absl::Status CheckPlacement(const Thunk& thunk,
                            const BufferAssignment& assignment) {
  using Kind = BufferAssignment::Kind;
  const auto allocations = assignment.allocations();
  const auto error = [&](const BufferUse& use, absl::string_view what) {
    return absl::InternalError(absl::StrCat(thunk.kind(), " ", thunk.name(),
                                            " ", DescribeUse(use), ", ", what));
  };
  for (const BufferUse& use : thunk.buffer_uses()) {
    const Slice& slice = use.slice;
    if (slice.allocation >= static_cast<int64_t>(allocations.size())) {
      return error(use, "which does not exist");
    }
    const auto& allocation = allocations[slice.allocation];
    if (slice.offset < 0 || slice.offset + slice.size > allocation.size) {
      return error(use,
                   absl::StrCat("which has only ", allocation.size, " bytes"));
    }
    if (use.kind == BufferUse::Kind::kWrite &&
        (allocation.kind == Kind::kParameter ||
         allocation.kind == Kind::kConstant)) {
      return error(use, "which is not to be written");
    }
    if (thunk.scratch_from() >= 0 &&
        slice.allocation == assignment.temp_allocation() &&
        slice.offset + slice.size > thunk.scratch_from()) {
      return error(use, absl::StrCat("where its scratch is, from byte ",
                                     thunk.scratch_from(), " on"));
    }
  }
  return absl::OkStatus();
}

std::string DescribeUse(const BufferUse& use) {
  return absl::StrCat(use.kind == BufferUse::Kind::kRead ? "reads" : "writes",
                      " bytes [", use.slice.offset, ", ",
                      use.slice.offset + use.slice.size, ") of allocation ",
                      use.slice.allocation);
}

}  // namespace xla::cpu
