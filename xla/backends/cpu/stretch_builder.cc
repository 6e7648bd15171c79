// Finds groups by the uses that thunks declare.
#include "xla/backends/cpu/stretch_builder.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "xla/backends/cpu/planning/local_buffers.h"
#include "xla/backends/cpu/thunks/concurrent_thunk.h"

namespace xla::cpu {
namespace {

// Kernels that use more arrays are sequences of many instructions. Comparing
// them with others takes long, and they conflict with most of them.
constexpr size_t kMaxUses = 32;

}  // namespace

void StretchBuilder::Add(std::unique_ptr<Thunk> thunk) {
  last_ = thunk.get();
  uses_.push_back(thunk->buffer_uses());
  cost_.may_run_concurrently =
      thunk->may_run_concurrently() && uses_.back().size() <= kMaxUses;
  costs_.push_back(cost_);
  thunks_.push_back(std::move(thunk));
}

void StretchBuilder::Flush() {
  const std::vector<ConcurrentGroup> groups =
      FindConcurrentGroups(costs_, [this](int a, int b) {
        return Conflict(assignment_, uses_[a], uses_[b]);
      });
  size_t next = 0;
  for (const ConcurrentGroup& group : groups) {
    AddAlone(next, group.begin);
    AddGroup(group);
    next = group.end;
  }
  AddAlone(next, thunks_.size());
  thunks_.clear();
  uses_.clear();
  costs_.clear();
}

void StretchBuilder::AddAlone(size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) builder_.Add(std::move(thunks_[i]));
}

void StretchBuilder::AddGroup(const ConcurrentGroup& group) {
  // Scratch lies behind the memory that any of them needs, since all run at the
  // same time.
  int64_t scratch_from = 0;
  for (int i = group.begin; i < group.end; ++i) {
    const int64_t from = thunks_[i]->scratch_from();
    scratch_from =
        std::max(scratch_from, from < 0 ? assignment_.temp_bytes() : from);
    for (const BufferUse& use : uses_[i]) {
      if (use.slice.allocation != assignment_.temp_allocation()) continue;
      scratch_from = std::max(scratch_from, use.slice.offset + use.slice.size);
    }
  }
  ThunkSequence thunks;
  for (int i = group.begin; i < group.end; ++i) {
    thunks_[i]->set_scratch_from(scratch_from);
    thunks.push_back(std::move(thunks_[i]));
  }
  auto concurrent =
      std::make_unique<ConcurrentThunk>(std::move(thunks), group.chain_of);
  concurrent->set_scratch_from(scratch_from);
  builder_.Add(std::move(concurrent));
}

}  // namespace xla::cpu
