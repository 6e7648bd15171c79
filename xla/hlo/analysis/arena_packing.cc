// Packs by best fit over intervals of time.
#include "xla/hlo/analysis/arena_packing.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

// The pairs of blocks that PackInOrder compares before it gives up.
constexpr int64_t kMaxPairs = 4'000'000;
// From this many blocks on, fewer orders are tried.
constexpr size_t kManyBlocks = 2000;
constexpr int kTries = 12;

struct Packing {
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
};

// Finds placed blocks that are needed in an interval: a tree over the blocks in
// order of begin, whose nodes hold the latest end of the placed blocks below.
class PlacedBlocks {
 public:
  explicit PlacedBlocks(absl::Span<const ArenaBlock> blocks)
      : blocks_(blocks), order_(blocks.size()), rank_(blocks.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
      return blocks[a].begin < blocks[b].begin;
    });
    for (size_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
    while (leaves_ < order_.size()) leaves_ *= 2;
    latest_.assign(2 * leaves_, std::numeric_limits<int64_t>::min());
  }

  void Place(int block) {
    for (size_t i = leaves_ + rank_[block]; i > 0; i /= 2) {
      latest_[i] = std::max(latest_[i], blocks_[block].end);
    }
  }

  // Appends the placed blocks that are needed together with `block`.
  void Find(int block, std::vector<int>* found) const {
    const auto end = std::partition_point(
        order_.begin(), order_.end(),
        [&](int b) { return blocks_[b].begin < blocks_[block].end; });
    Find(1, 0, leaves_, end - order_.begin(), blocks_[block].begin, found);
  }

 private:
  void Find(size_t node, size_t first, size_t count, size_t limit,
            int64_t begin, std::vector<int>* found) const {
    if (first >= limit || latest_[node] <= begin) return;
    if (count == 1) {
      found->push_back(order_[first]);
      return;
    }
    Find(2 * node, first, count / 2, limit, begin, found);
    Find(2 * node + 1, first + count / 2, count / 2, limit, begin, found);
  }

  absl::Span<const ArenaBlock> blocks_;
  std::vector<int> order_;
  std::vector<size_t> rank_;
  size_t leaves_ = 1;
  std::vector<int64_t> latest_;
};

// Whether a block is placed before another.
using Before = bool (*)(const ArenaBlock& a, const ArenaBlock& b);

bool IsLarger(const ArenaBlock& a, const ArenaBlock& b) {
  if (a.bytes != b.bytes) return a.bytes > b.bytes;
  return a.end - a.begin > b.end - b.begin;
}

bool IsLonger(const ArenaBlock& a, const ArenaBlock& b) {
  if (a.end - a.begin != b.end - b.begin) {
    return a.end - a.begin > b.end - b.begin;
  }
  return a.bytes > b.bytes;
}

// Orders by bytes times time.
bool IsMore(const ArenaBlock& a, const ArenaBlock& b) {
  return static_cast<double>(a.bytes) * (a.end - a.begin) >
         static_cast<double>(b.bytes) * (b.end - b.begin);
}

std::vector<int> OrderedBy(absl::Span<const ArenaBlock> blocks, Before before) {
  std::vector<int> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return before(blocks[a], blocks[b]); });
  return order;
}

// Returns the smallest gap for `bytes` between the blocks `together`, else
// their end.
int64_t BestGap(absl::Span<const ArenaBlock> blocks,
                absl::Span<const int64_t> offsets, int64_t bytes,
                std::vector<int>* together) {
  std::sort(together->begin(), together->end(),
            [&](int a, int b) { return offsets[a] < offsets[b]; });
  int64_t free_from = 0;
  int64_t best = -1;
  int64_t best_gap = std::numeric_limits<int64_t>::max();
  for (const int other : *together) {
    const int64_t gap = offsets[other] - free_from;
    if (gap >= bytes && gap < best_gap) {
      best = free_from;
      best_gap = gap;
    }
    free_from = std::max(free_from, offsets[other] + blocks[other].bytes);
  }
  return best >= 0 ? best : free_from;
}

// Returns false if there are too many pairs.
bool PackInOrder(absl::Span<const ArenaBlock> blocks,
                 absl::Span<const int> order, Packing* layout) {
  PlacedBlocks placed(blocks);
  layout->offsets.assign(blocks.size(), 0);
  int64_t pairs = 0;
  std::vector<int> together;
  for (const int block : order) {
    together.clear();
    placed.Find(block, &together);
    pairs += together.size();
    if (pairs > kMaxPairs) return false;
    const int64_t bytes = blocks[block].bytes;
    layout->offsets[block] = BestGap(blocks, layout->offsets, bytes, &together);
    layout->bytes = std::max(layout->bytes, layout->offsets[block] + bytes);
    placed.Place(block);
  }
  return true;
}

// Moves the blocks at the end of the arena to the front of the next order.
void MoveTopToFront(absl::Span<const ArenaBlock> blocks, const Packing& layout,
                    std::vector<int>* order) {
  std::stable_partition(order->begin(), order->end(), [&](int block) {
    return layout.offsets[block] + blocks[block].bytes == layout.bytes;
  });
}

// The free memory below a growing end.
class FreeMemory {
 public:
  int64_t Take(int64_t bytes) {
    auto it = by_size_.lower_bound({bytes, 0});
    if (it != by_size_.end()) {
      const auto [size, offset] = *it;
      Erase(offset, size);
      if (size > bytes) Insert(offset + bytes, size - bytes);
      return offset;
    }
    // Grows the end, using the free block before it if there is one.
    int64_t offset = end_;
    if (!by_offset_.empty()) {
      const auto [last, size] = *by_offset_.rbegin();
      if (last + size == end_) {
        offset = last;
        Erase(last, size);
      }
    }
    end_ = offset + bytes;
    return offset;
  }
  void Give(int64_t offset, int64_t bytes) {
    auto after = by_offset_.lower_bound(offset);
    if (after != by_offset_.end() && after->first == offset + bytes) {
      const int64_t size = after->second;
      Erase(offset + bytes, size);
      bytes += size;
    }
    auto before = by_offset_.lower_bound(offset);
    if (before != by_offset_.begin()) {
      const auto [start, size] = *std::prev(before);
      if (start + size == offset) {
        Erase(start, size);
        offset = start;
        bytes += size;
      }
    }
    Insert(offset, bytes);
  }
  int64_t end() const { return end_; }

 private:
  void Insert(int64_t offset, int64_t size) {
    by_offset_.emplace(offset, size);
    by_size_.emplace(size, offset);
  }
  void Erase(int64_t offset, int64_t size) {
    by_offset_.erase(offset);
    by_size_.erase({size, offset});
  }

  int64_t end_ = 0;
  std::map<int64_t, int64_t> by_offset_;
  std::set<std::pair<int64_t, int64_t>> by_size_;
};

// Returns the numbers of blocks at their begins and, as -1 - number, at their
// ends, in order.
std::vector<std::pair<int64_t, int>> Events(
    absl::Span<const ArenaBlock> blocks) {
  std::vector<std::pair<int64_t, int>> events;
  for (int i = 0; i < static_cast<int>(blocks.size()); ++i) {
    events.push_back({blocks[i].begin, i});
    events.push_back({blocks[i].end, -1 - i});
  }
  // Ends sort before begins.
  std::sort(events.begin(), events.end());
  return events;
}

Packing PackInOrderOfTime(absl::Span<const ArenaBlock> blocks) {
  Packing layout;
  layout.offsets.assign(blocks.size(), 0);
  FreeMemory memory;
  for (const auto& [time, event] : Events(blocks)) {
    const int block = event >= 0 ? event : -1 - event;
    if (event >= 0) {
      layout.offsets[block] = memory.Take(blocks[block].bytes);
    } else {
      memory.Give(layout.offsets[block], blocks[block].bytes);
    }
  }
  layout.bytes = memory.end();
  return layout;
}

}  // namespace

absl::StatusOr<ArenaPacking> PackArena(absl::Span<const ArenaBlock> blocks,
                                       int64_t alignment) {
  std::vector<ArenaBlock> rounded(blocks.begin(), blocks.end());
  int64_t sum = 0;
  for (ArenaBlock& block : rounded) {
    if (block.bytes > std::numeric_limits<int64_t>::max() - alignment) {
      return absl::ResourceExhaustedError("buffers: an array is too large");
    }
    block.bytes = RoundUpTo(block.bytes, alignment);
    if (__builtin_add_overflow(sum, block.bytes, &sum)) {
      return absl::ResourceExhaustedError(
          "buffers: the sum of temporary memory overflows");
    }
  }
  ArenaPacking packing;
  int64_t needed = 0;
  for (const auto& [time, event] : Events(rounded)) {
    needed += event >= 0 ? rounded[event].bytes : -rounded[-1 - event].bytes;
    packing.lower_bound = std::max(packing.lower_bound, needed);
  }
  Packing best = PackInOrderOfTime(rounded);
  for (const Before before : {IsLarger, IsMore, IsLonger}) {
    if (best.bytes == packing.lower_bound) break;
    std::vector<int> order = OrderedBy(rounded, before);
    const int tries = rounded.size() > kManyBlocks ? 1 : kTries;
    for (int i = 0; i < tries && best.bytes > packing.lower_bound; ++i) {
      Packing other;
      if (!PackInOrder(rounded, order, &other)) break;
      MoveTopToFront(rounded, other, &order);
      if (other.bytes < best.bytes) best = std::move(other);
    }
    if (tries == 1) break;
  }
  packing.offsets = std::move(best.offsets);
  packing.bytes = best.bytes;
  return packing;
}

std::vector<int64_t> PackWithin(absl::Span<const ArenaBlock> blocks,
                                int64_t bytes, int64_t alignment,
                                int64_t* pairs) {
  std::vector<int64_t> offsets(blocks.size(), -1);
  if (*pairs > kMaxPairs) return offsets;
  std::vector<ArenaBlock> rounded(blocks.begin(), blocks.end());
  for (ArenaBlock& block : rounded) {
    if (block.bytes > bytes) continue;
    block.bytes = RoundUpTo(block.bytes, alignment);
  }
  PlacedBlocks placed(rounded);
  std::vector<int> together;
  for (const int block : OrderedBy(blocks, IsLarger)) {
    if (blocks[block].bytes > bytes) continue;
    together.clear();
    placed.Find(block, &together);
    *pairs += together.size();
    if (*pairs > kMaxPairs) break;
    const int64_t offset =
        BestGap(rounded, offsets, rounded[block].bytes, &together);
    if (offset > bytes - blocks[block].bytes) continue;
    offsets[block] = offset;
    placed.Place(block);
  }
  return offsets;
}

}  // namespace xla
