// Reads each row once and keeps candidates: elements that precede the k-th best
// at the time when candidates were last pruned.
#include "xla/backends/cpu/kernels/topk.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/kernels/sort_keys.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The elements read per nanosecond.
constexpr double kElementRate = 2;
// The keys that are made at a time: keys of 8 bytes take half of an L1 cache.
// One test may skip kGroup of them.
constexpr int64_t kBlock = 2048;
constexpr int64_t kGroup = 32;

template <typename Key>
struct Candidate {
  Key key;
  uint32_t index;
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  }
};

template <typename Key>
class RowSelector {
 public:
  RowSelector(const TopKDesc& desc, const KeyCodec& codec, char* scratch)
      : desc_(desc),
        codec_(codec),
        keys_(reinterpret_cast<Key*>(scratch)),
        candidates_(reinterpret_cast<Candidate<Key>*>(
            scratch + kBlock * sizeof(uint64_t))) {}

  void Run(const char* row, char* values, int32_t* indices) {
    count_ = 0;
    has_limit_ = false;
    for (int64_t i = 0; i < desc_.length; i += kBlock) {
      const int64_t block = std::min(kBlock, desc_.length - i);
      codec_.encode(row + i * codec_.bytes, 1, block, keys_);
      Collect(i, block);
    }
    std::partial_sort(candidates_, candidates_ + desc_.k, candidates_ + count_);
    for (int64_t i = 0; i < desc_.k; ++i) {
      const uint32_t index = candidates_[i].index;
      indices[i] = static_cast<int32_t>(index);
      std::memcpy(values + i * codec_.bytes,
                  row + int64_t{index} * codec_.bytes, codec_.bytes);
    }
  }

 private:
  // Keeps the best k. Later elements with the key of the last one go behind it.
  void Thin() {
    if (count_ > desc_.k) {
      std::nth_element(candidates_, candidates_ + (desc_.k - 1),
                       candidates_ + count_);
      count_ = desc_.k;
    }
    if (count_ == desc_.k) {
      limit_ = candidates_[desc_.k - 1].key;
      has_limit_ = true;
    }
  }

  void Collect(int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; i += kGroup) {
      const int64_t end = std::min(i + kGroup, count);
      if (has_limit_) {
        // Few groups contain one of the best elements.
        Key any = 0;
        for (int64_t j = i; j < end; ++j) any |= keys_[j] < limit_;
        if (any == 0) continue;
      }
      for (int64_t j = i; j < end; ++j) {
        if (has_limit_ && keys_[j] >= limit_) continue;
        candidates_[count_++] = {keys_[j], static_cast<uint32_t>(first + j)};
      }
      if (count_ >= 2 * desc_.k + kGroup) Thin();
    }
  }

  const TopKDesc& desc_;
  const KeyCodec& codec_;
  Key* const keys_;
  Candidate<Key>* const candidates_;
  int64_t count_ = 0;
  Key limit_ = 0;
  bool has_limit_ = false;
};

class RowsTopKPlan : public TopKPlan {
 public:
  RowsTopKPlan(const TopKDesc& desc, const KernelTarget& target)
      : desc_(desc), codec_(KeyCodecOf(desc.type, desc.order, desc.largest)) {
    const double elements = static_cast<double>(desc.rows) * desc.length;
    tasks_ = std::clamp<int64_t>(
        static_cast<int64_t>(elements / target.TaskUnits(kElementRate)), 1,
        desc.rows);
    slot_bytes_ =
        RoundUpTo(kBlock * sizeof(uint64_t) +
                      (2 * desc.k + 2 * kGroup) * sizeof(Candidate<uint64_t>),
                  64);
  }

  size_t ScratchBytes(int num_threads) const override {
    return WorkerSlots(tasks_, num_threads) * slot_bytes_;
  }

  void Run(const void* input, void* values, int32_t* indices, void* scratch,
           ParallelRunner& runner) const override {
    ForEachRange(
        runner, desc_.rows, tasks_,
        [&](int64_t first, int64_t last, int64_t slot) {
          char* own = static_cast<char*>(scratch) + slot * slot_bytes_;
          if (codec_.wide) {
            RunRows<uint64_t>(first, last, input, values, indices, own);
          } else {
            RunRows<uint32_t>(first, last, input, values, indices, own);
          }
        });
  }

 private:
  template <typename Key>
  void RunRows(int64_t first, int64_t last, const void* input, void* values,
               int32_t* indices, char* scratch) const {
    RowSelector<Key> selector(desc_, codec_, scratch);
    const int bytes = codec_.bytes;
    for (int64_t row = first; row < last; ++row) {
      selector.Run(static_cast<const char*>(input) + row * desc_.length * bytes,
                   static_cast<char*>(values) + row * desc_.k * bytes,
                   indices + row * desc_.k);
    }
  }

  const TopKDesc desc_;
  const KeyCodec codec_;
  int64_t tasks_;
  size_t slot_bytes_;
};

// Plan of results without elements.
class EmptyTopKPlan : public TopKPlan {
 public:
  size_t ScratchBytes(int num_threads) const override { return 0; }
  void Run(const void* input, void* values, int32_t* indices, void* scratch,
           ParallelRunner& runner) const override {}
};

}  // namespace

absl::Status CheckTopK(const TopKDesc& desc) {
  if (desc.rows < 0 || desc.length < 0 || desc.k < 0 || desc.k > desc.length ||
      1.0 * desc.rows * desc.length > 0x1p56) {
    return absl::InvalidArgumentError(
        absl::StrCat("topk: ", desc.k, " elements of each row of [", desc.rows,
                     ",", desc.length, "]"));
  }
  if (desc.length > INT32_MAX) {
    return absl::UnimplementedError(absl::StrCat(
        "topk: rows of 2^31 elements and more; got ", desc.length));
  }
  if (!primitive_util::IsArrayType(desc.type) ||
      KeyCodecOf(desc.type, desc.order, desc.largest).bytes == 0) {
    return absl::UnimplementedError("topk: no keys for this order and type");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<const TopKPlan>> TopKPlan::Make(
    const TopKDesc& desc, const KernelTarget& target) {
  TF_RETURN_IF_ERROR(CheckTopK(desc));
  if (desc.rows == 0 || desc.k == 0) return std::make_unique<EmptyTopKPlan>();
  return std::make_unique<RowsTopKPlan>(desc, target);
}

}  // namespace xla::cpu
