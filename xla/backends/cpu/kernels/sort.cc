// Checks a sort, divides it by rows and sorts each by what its order allows:
// keys alone, keys with an index, or indices by a comparator.
#include "xla/backends/cpu/kernels/sort.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/kernels/comparator_sort.h"
#include "xla/backends/cpu/kernels/radix_sort.h"
#include "xla/backends/cpu/kernels/sort_keys.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// Elements that are worth a task; rows of kSplitLength are split if there are
// fewer than kManyRows of them.
constexpr int64_t kTaskElements = 1 << 14;
constexpr int64_t kSplitLength = 1 << 14;
constexpr int64_t kManyRows = 8;

// How rows are sorted, and what each needs.
struct SortPlan {
  enum class Way { kKeys, kIndexed, kComparator } way;
  bool wide = false;  // some key has 64 bits
  int64_t rows;
  bool splits_rows;
  int64_t tasks;
  size_t record_bytes, element_bytes, count_bytes;

  SortPlan(const SortDesc& desc, int num_threads) {
    rows = desc.outer * desc.inner;
    splits_rows = rows < kManyRows && desc.length >= kSplitLength;
    tasks = splits_rows ? 1
                        : std::clamp<int64_t>(
                              static_cast<int64_t>(static_cast<double>(rows) *
                                                   desc.length / kTaskElements),
                              1, rows);
    for (const SortKey& key : desc.keys) {
      wide = wide || primitive_util::ByteWidth(desc.operands[key.operand]) == 8;
    }
    size_t record = sizeof(uint32_t);
    if (desc.keys.empty()) {
      way = Way::kComparator;
    } else if (desc.operands.size() == 1 && desc.keys.size() == 1) {
      way = Way::kKeys;
      if (wide) record = sizeof(uint64_t);
    } else {
      way = Way::kIndexed;
      record = wide ? sizeof(IndexedKey64) : sizeof(IndexedKey32);
    }
    record_bytes = RoundUpTo(record * desc.length, 64);
    size_t element = 0;
    for (PrimitiveType type : desc.operands) {
      element = std::max<size_t>(element, primitive_util::ByteWidth(type));
    }
    // Room for encoded keys of up to 64 bits.
    if (way == Way::kIndexed) element = std::max<size_t>(element, 8);
    element_bytes = RoundUpTo(element * desc.length, 64);
    count_bytes =
        way == Way::kComparator
            ? 0
            : RoundUpTo(
                  RadixScratchBytes(desc.length, splits_rows ? num_threads : 0),
                  64);
  }
  size_t slot_bytes() const {
    return 2 * record_bytes + element_bytes + count_bytes;
  }
};

// Sorts rows, with the scratch of one slot.
class RowSorter {
 public:
  RowSorter(const SortDesc& desc, const SortPlan& plan,
            const void* const* inputs, void* const* outputs, SortLess less,
            const void* context, char* scratch, ParallelRunner* runner)
      : desc_(desc),
        plan_(plan),
        inputs_(inputs),
        outputs_(outputs),
        less_(less),
        context_(context),
        records_(scratch),
        other_(records_ + plan.record_bytes),
        elements_(other_ + plan.record_bytes),
        counts_(elements_ + plan.element_bytes),
        runner_(plan.splits_rows ? runner : nullptr) {
    for (const SortKey& key : desc.keys) {
      codecs_.push_back(
          KeyCodecOf(desc.operands[key.operand], key.order, key.descending));
    }
    for (PrimitiveType type : desc.operands) {
      widths_.push_back(primitive_util::ByteWidth(type));
    }
  }

  void Sort(int64_t row) {
    first_ = row / desc_.inner * desc_.inner * desc_.length + row % desc_.inner;
    switch (plan_.way) {
      case SortPlan::Way::kKeys:
        return plan_.wide ? SortKeys<uint64_t>() : SortKeys<uint32_t>();
      case SortPlan::Way::kIndexed:
        return plan_.wide ? SortIndexed<IndexedKey64>()
                          : SortIndexed<IndexedKey32>();
      case SortPlan::Way::kComparator:
        return SortByComparator();
    }
  }

 private:
  const char* Input(int operand) const {
    return static_cast<const char*>(inputs_[operand]) +
           first_ * widths_[operand];
  }
  char* Output(int operand) const {
    return static_cast<char*>(outputs_[operand]) + first_ * widths_[operand];
  }

  template <typename Key>
  void SortKeys() {
    const KeyCodec& codec = codecs_[0];
    Key* keys = reinterpret_cast<Key*>(records_);
    Key* other = reinterpret_cast<Key*>(other_);
    int64_t zeros = 0, nans = 0;
    if (codec.encode_equal != nullptr) {
      codec.encode_equal(Input(0), desc_.inner, desc_.length, keys, elements_,
                         &zeros, &nans);
    } else {
      codec.encode(Input(0), desc_.inner, desc_.length, keys);
    }
    const Key* sorted = RadixSort(keys, other, desc_.length, counts_, runner_);
    codec.decode(sorted, desc_.length, Output(0), desc_.inner);
    const auto restore = [&](uint64_t key, int64_t count, bool reversed) {
      const int64_t at =
          std::lower_bound(sorted, sorted + desc_.length, key) - sorted;
      for (int64_t i = 0; i < count; ++i) {
        const int64_t from = reversed ? desc_.length - 1 - i : i;
        std::memcpy(Output(0) + (at + i) * desc_.inner * codec.bytes,
                    elements_ + from * codec.bytes, codec.bytes);
      }
    };
    if (zeros > 0) restore(codec.zero_key, zeros, /*reversed=*/false);
    if (nans > 0) restore(codec.nan_key, nans, /*reversed=*/true);
  }

  // Sorts by the last key first: stable sorts by those before keep its order
  // where they find equals.
  template <typename Record>
  void SortIndexed() {
    Record* from = reinterpret_cast<Record*>(records_);
    Record* to = reinterpret_cast<Record*>(other_);
    const int64_t count = desc_.length;
    bool first = true;
    for (int k = static_cast<int>(codecs_.size()) - 1; k >= 0; --k) {
      const KeyCodec& codec = codecs_[k];
      codec.encode(Input(desc_.keys[k].operand), desc_.inner, count, elements_);
      if (codec.wide) {
        SetKeys(reinterpret_cast<const uint64_t*>(elements_), first, from);
      } else {
        SetKeys(reinterpret_cast<const uint32_t*>(elements_), first, from);
      }
      Record* sorted = RadixSort(from, to, count, counts_, runner_);
      if (sorted != from) std::swap(from, to);
      first = false;
    }
    MoveOperands([from](int64_t i) { return from[i].index; });
  }

  template <typename Key, typename Record>
  void SetKeys(const Key* keys, bool first, Record* records) const {
    for (int64_t i = 0; i < desc_.length; ++i) {
      const uint32_t index =
          first ? static_cast<uint32_t>(i) : records[i].index;
      records[i].index = index;
      records[i].key = static_cast<decltype(records[i].key)>(keys[index]);
    }
  }

  void SortByComparator() {
    absl::InlinedVector<const char*, 4> first;
    absl::InlinedVector<int64_t, 4> strides;
    for (size_t i = 0; i < widths_.size(); ++i) {
      first.push_back(Input(i));
      strides.push_back(desc_.inner * widths_[i]);
    }
    const uint32_t* sorted =
        SortIndices({less_, context_, first, strides, desc_.length},
                    reinterpret_cast<uint32_t*>(records_),
                    reinterpret_cast<uint32_t*>(other_), runner_);
    MoveOperands([sorted](int64_t i) { return sorted[i]; });
  }

  template <typename IndexAt>
  void MoveOperands(IndexAt index_at) const {
    for (size_t i = 0; i < widths_.size(); ++i) {
      switch (widths_[i]) {
        case 1:
          Move<uint8_t>(i, index_at);
          break;
        case 2:
          Move<uint16_t>(i, index_at);
          break;
        case 4:
          Move<uint32_t>(i, index_at);
          break;
        case 8:
          Move<uint64_t>(i, index_at);
          break;
        default:
          Move<IndexedKey64>(i, index_at);  // any type of 16 bytes
          break;
      }
    }
  }

  template <typename T, typename IndexAt>
  void Move(int operand, IndexAt index_at) const {
    const T* from = reinterpret_cast<const T*>(Input(operand));
    T* to = reinterpret_cast<T*>(Output(operand));
    const int64_t stride = desc_.inner;
    if (from != to) {
      for (int64_t i = 0; i < desc_.length; ++i) {
        std::memcpy(to + i * stride, from + index_at(i) * stride, sizeof(T));
      }
      return;
    }
    T* moved = reinterpret_cast<T*>(elements_);
    for (int64_t i = 0; i < desc_.length; ++i) {
      std::memcpy(moved + i, from + index_at(i) * stride, sizeof(T));
    }
    for (int64_t i = 0; i < desc_.length; ++i) {
      std::memcpy(to + i * stride, moved + i, sizeof(T));
    }
  }

  const SortDesc& desc_;
  const SortPlan& plan_;
  const void* const* inputs_;
  void* const* outputs_;
  const SortLess less_;
  const void* const context_;
  char* const records_;
  char* const other_;
  char* const elements_;
  char* const counts_;
  ParallelRunner* const runner_;
  absl::InlinedVector<KeyCodec, 1> codecs_;
  absl::InlinedVector<int64_t, 4> widths_;
  int64_t first_ = 0;  // element of the row
};

bool IsEmpty(const SortDesc& desc) {
  return desc.outer == 0 || desc.length == 0 || desc.inner == 0;
}

}  // namespace

absl::Status CheckSort(const SortDesc& desc) {
  if (desc.outer < 0 || desc.length < 0 || desc.inner < 0 ||
      1.0 * desc.outer * desc.length * desc.inner > 0x1p56) {
    return absl::InvalidArgumentError(
        absl::StrCat("sort: sizes [", desc.outer, ",", desc.length, ",",
                     desc.inner, "] are negative or too large"));
  }
  if (desc.length > UINT32_MAX) {
    return absl::UnimplementedError(absl::StrCat(
        "sort: rows of 2^32 elements and more; got ", desc.length));
  }
  if (desc.operands.empty()) {
    return absl::InvalidArgumentError("sort: there are no operands");
  }
  for (PrimitiveType type : desc.operands) {
    if (!primitive_util::IsArrayType(type)) {
      return absl::InvalidArgumentError("sort: an operand has no array type");
    }
  }
  for (const SortKey& key : desc.keys) {
    if (key.operand < 0 ||
        key.operand >= static_cast<int64_t>(desc.operands.size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("sort: there is no operand ", key.operand));
    }
    const PrimitiveType type = desc.operands[key.operand];
    if (KeyCodecOf(type, key.order, key.descending).bytes == 0) {
      return absl::UnimplementedError(
          absl::StrCat("sort: no keys for this order of ",
                       primitive_util::LowercasePrimitiveTypeName(type)));
    }
  }
  return absl::OkStatus();
}

size_t SortScratchBytes(const SortDesc& desc, int num_threads) {
  if (IsEmpty(desc)) return 0;
  const SortPlan plan(desc, num_threads);
  return WorkerSlots(plan.tasks, num_threads) * plan.slot_bytes();
}

void Sort(const SortDesc& desc, const void* const* inputs, void* const* outputs,
          SortLess less, const void* context, void* scratch,
          ParallelRunner& runner) {
  if (IsEmpty(desc)) return;
  const SortPlan plan(desc, runner.num_threads());
  const auto run = [&](int64_t first, int64_t last, int64_t slot) {
    RowSorter sorter(desc, plan, inputs, outputs, less, context,
                     static_cast<char*>(scratch) + slot * plan.slot_bytes(),
                     &runner);
    for (int64_t row = first; row < last; ++row) sorter.Sort(row);
  };
  ForEachRange(runner, plan.rows, plan.tasks, run);
}

}  // namespace xla::cpu
