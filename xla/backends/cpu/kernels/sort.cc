// Checks a sort, divides it by rows and sorts each row as its order allows:
// keys alone, keys with an index, or indices by a comparator.
#include "xla/backends/cpu/kernels/sort.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/kernels/comparator_sort.h"
#include "xla/backends/cpu/kernels/radix_sort.h"
#include "xla/backends/cpu/kernels/sort_keys.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The elements sorted per nanosecond, roughly. Rows that are as long as a task
// are split if there are fewer than kManyRows of them.
constexpr double kElementRate = 1;
constexpr int64_t kManyRows = 8;

// The records that are sorted instead of the elements of a row.
enum class Records { kKeys, kIndexedKeys, kIndices };

class RowsSortPlan : public SortPlan {
 public:
  RowsSortPlan(const SortDesc& desc, const KernelTarget& target);

  size_t ScratchBytes(int num_threads) const override {
    return WorkerSlots(tasks_, num_threads) * SlotBytes(num_threads);
  }
  void Run(const void* const* inputs, void* const* outputs, SortLess less,
           const void* context, void* scratch,
           ParallelRunner& runner) const override;

 private:
  friend class RowSorter;

  size_t SlotBytes(int num_threads) const {
    return 2 * record_bytes_ + element_bytes_ +
           (records_ == Records::kIndices
                ? 0
                : RoundUpTo(radix_.ScratchBytes(num_threads), 64));
  }

  const SortDesc desc_;
  const int64_t rows_;
  const bool splits_rows_;
  const RadixSortPlan radix_;
  const ComparatorSortPlan comparator_;
  absl::InlinedVector<KeyCodec, 1> codecs_;
  absl::InlinedVector<int64_t, 4> widths_;  // of operands' elements, in bytes
  Records records_;
  bool has_wide_keys_ = false;  // some key has 64 bits
  int64_t tasks_;
  size_t record_bytes_, element_bytes_;
};

RowsSortPlan::RowsSortPlan(const SortDesc& desc, const KernelTarget& target)
    : desc_(desc),
      rows_(desc.outer * desc.inner),
      splits_rows_(rows_ < kManyRows &&
                   desc.length >= target.TaskUnits(kElementRate)),
      radix_(desc.length, splits_rows_, target),
      comparator_(desc.length, splits_rows_, target) {
  const double elements = static_cast<double>(rows_) * desc.length;
  tasks_ =
      splits_rows_
          ? 1
          : std::clamp<int64_t>(
                static_cast<int64_t>(elements / target.TaskUnits(kElementRate)),
                1, rows_);
  size_t element = 0;
  for (PrimitiveType type : desc.operands) {
    widths_.push_back(primitive_util::ByteWidth(type));
    element = std::max<size_t>(element, widths_.back());
  }
  for (const SortKey& key : desc.keys) {
    codecs_.push_back(
        KeyCodecOf(desc.operands[key.operand], key.order, key.descending));
    has_wide_keys_ = has_wide_keys_ || widths_[key.operand] == 8;
  }
  size_t record = sizeof(uint32_t);
  if (desc.keys.empty()) {
    records_ = Records::kIndices;
  } else if (desc.operands.size() == 1 && desc.keys.size() == 1) {
    records_ = Records::kKeys;
    if (has_wide_keys_) record = sizeof(uint64_t);
  } else {
    records_ = Records::kIndexedKeys;
    record = has_wide_keys_ ? sizeof(IndexedKey64) : sizeof(IndexedKey32);
    // Has room for encoded keys of up to 64 bits.
    element = std::max<size_t>(element, sizeof(uint64_t));
  }
  record_bytes_ = RoundUpTo(record * desc.length, 64);
  element_bytes_ = RoundUpTo(element * desc.length, 64);
}

// Sorts rows, with the scratch of one slot.
class RowSorter {
 public:
  RowSorter(const RowsSortPlan& plan, const void* const* inputs,
            void* const* outputs, SortLess less, const void* context,
            char* scratch, ParallelRunner& runner)
      : plan_(plan),
        desc_(plan.desc_),
        codecs_(plan.codecs_),
        widths_(plan.widths_),
        inputs_(inputs),
        outputs_(outputs),
        less_(less),
        context_(context),
        records_(scratch),
        other_(records_ + plan.record_bytes_),
        elements_(other_ + plan.record_bytes_),
        counts_(elements_ + plan.element_bytes_),
        runner_(runner) {}

  void Sort(int64_t row) {
    first_ = row / desc_.inner * desc_.inner * desc_.length + row % desc_.inner;
    switch (plan_.records_) {
      case Records::kKeys:
        return plan_.has_wide_keys_ ? SortKeys<uint64_t>()
                                    : SortKeys<uint32_t>();
      case Records::kIndexedKeys:
        return plan_.has_wide_keys_ ? SortIndexed<IndexedKey64>()
                                    : SortIndexed<IndexedKey32>();
      case Records::kIndices:
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
    const Key* sorted = plan_.radix_.Sort(keys, other, counts_, runner_);
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

  // Sorts by the last key first: stable sorts by the earlier keys keep its
  // order among equal elements.
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
      Record* sorted = plan_.radix_.Sort(from, to, counts_, runner_);
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
        plan_.comparator_.Sort({less_, context_, first, strides},
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

  const RowsSortPlan& plan_;
  const SortDesc& desc_;
  const absl::InlinedVector<KeyCodec, 1>& codecs_;
  const absl::InlinedVector<int64_t, 4>& widths_;
  const void* const* inputs_;
  void* const* outputs_;
  const SortLess less_;
  const void* const context_;
  char* const records_;
  char* const other_;
  char* const elements_;
  char* const counts_;
  ParallelRunner& runner_;
  int64_t first_ = 0;  // element of the row
};

void RowsSortPlan::Run(const void* const* inputs, void* const* outputs,
                       SortLess less, const void* context, void* scratch,
                       ParallelRunner& runner) const {
  const size_t slot_bytes = SlotBytes(runner.num_threads());
  const auto run = [&](int64_t first, int64_t last, int64_t slot) {
    RowSorter sorter(*this, inputs, outputs, less, context,
                     static_cast<char*>(scratch) + slot * slot_bytes, runner);
    for (int64_t row = first; row < last; ++row) sorter.Sort(row);
  };
  ForEachRange(runner, rows_, tasks_, run);
}

// Plan of operands without elements.
class EmptySortPlan : public SortPlan {
 public:
  size_t ScratchBytes(int num_threads) const override { return 0; }
  void Run(const void* const* inputs, void* const* outputs, SortLess less,
           const void* context, void* scratch,
           ParallelRunner& runner) const override {}
};

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

absl::StatusOr<std::unique_ptr<const SortPlan>> SortPlan::Make(
    const SortDesc& desc, const KernelTarget& target) {
  TF_RETURN_IF_ERROR(CheckSort(desc));
  if (desc.outer == 0 || desc.length == 0 || desc.inner == 0) {
    return std::make_unique<EmptySortPlan>();
  }
  return std::make_unique<RowsSortPlan>(desc, target);
}

}  // namespace xla::cpu
