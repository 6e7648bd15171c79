// Sort merges runs bottom up. All merges of a level advance in lockstep, so
// that one call of the comparator sees many pairs.
#include "xla/hlo/evaluator/movement/sorting.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/reduction/scalar_function.h"
#include "xla/hlo/ops/movement/sorting.h"

namespace xla {
namespace {

void CopyElement(int width, const char* from, char* to) {
  switch (width) {
    case 1:
      *to = *from;
      return;
    case 2:
      std::memcpy(to, from, 2);
      return;
    case 4:
      std::memcpy(to, from, 4);
      return;
    case 8:
      std::memcpy(to, from, 8);
      return;
    default:
      std::memcpy(to, from, width);
  }
}

// The elements of one operand, rows along the sorted dimension.
struct Column {
  int width;
  const char* data;
};

// A merge of the runs [a, a_end) and [b, b_end) of positions into `out`.
struct Merge {
  int64_t a, a_end, b, b_end, out;
};

// Sorts the positions of elements in columns.
class MergeSorter {
 public:
  MergeSorter(ScalarFunction& less, std::vector<Column> columns)
      : less_(less), columns_(std::move(columns)) {
    for (const Column& column : columns_) {
      for (int side = 0; side < 2; ++side) {
        pairs_.emplace_back(kLanes * column.width);
      }
    }
    for (auto& pair : pairs_) inputs_.push_back(pair.data());
  }

  // `order` holds rows of `stride` positions; sorts the first `size` of each.
  absl::Status Sort(int64_t size, int64_t stride, std::vector<int64_t>& order) {
    const int64_t rows = stride == 0 ? 0 : order.size() / stride;
    std::vector<int64_t> merged = order;
    std::vector<Merge> lanes;
    for (int64_t run = 1; run < size; run *= 2) {
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t end = row * stride + size;
        for (int64_t a = row * stride; a < end; a += 2 * run) {
          const int64_t b = std::min(a + run, end);
          lanes.push_back({a, b, b, std::min(b + run, end), a});
          if (lanes.size() == kLanes) {
            TF_RETURN_IF_ERROR(RunMerges(lanes, order, merged));
          }
        }
      }
      TF_RETURN_IF_ERROR(RunMerges(lanes, order, merged));
      order.swap(merged);
    }
    return absl::OkStatus();
  }

 private:
  // The most merges that advance together; bounds the memory for pairs.
  static constexpr size_t kLanes = 2048;

  // Runs all of `lanes` from `from` to `to`; leaves `lanes` empty.
  absl::Status RunMerges(std::vector<Merge>& lanes,
                         const std::vector<int64_t>& from,
                         std::vector<int64_t>& to) {
    while (true) {
      for (size_t i = 0; i < lanes.size();) {
        Merge& lane = lanes[i];
        if (lane.a < lane.a_end && lane.b < lane.b_end) {
          ++i;
          continue;
        }
        auto out = std::copy(from.begin() + lane.a, from.begin() + lane.a_end,
                             to.begin() + lane.out);
        std::copy(from.begin() + lane.b, from.begin() + lane.b_end, out);
        lane = lanes.back();
        lanes.pop_back();
      }
      if (lanes.empty()) return absl::OkStatus();
      TF_RETURN_IF_ERROR(Compare(lanes, from));
      for (size_t i = 0; i < lanes.size(); ++i) {
        Merge& lane = lanes[i];
        to[lane.out++] = takes_b_[i] ? from[lane.b++] : from[lane.a++];
      }
    }
  }

  // Sets takes_b_[i] to whether the head of b is less than that of a.
  absl::Status Compare(const std::vector<Merge>& lanes,
                       const std::vector<int64_t>& from) {
    for (size_t c = 0; c < columns_.size(); ++c) {
      const auto [width, data] = columns_[c];
      char* b = pairs_[2 * c].data();
      char* a = pairs_[2 * c + 1].data();
      for (const Merge& lane : lanes) {
        CopyElement(width, data + from[lane.b] * width, b);
        CopyElement(width, data + from[lane.a] * width, a);
        a += width;
        b += width;
      }
    }
    void* output = takes_b_;
    return less_.Call(lanes.size(), inputs_, {&output, 1});
  }

  ScalarFunction& less_;
  std::vector<Column> columns_;
  std::vector<std::vector<char>> pairs_;  // the comparator's arguments
  std::vector<const void*> inputs_;
  bool takes_b_[kLanes] = {};
};

// Copies between an array and its form with dimension `along` last.
void MoveLast(const Shape& shape, int64_t along, bool to_last, const void* from,
              void* to) {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  const auto row_major = RowMajorStrides(shape.dimensions());
  for (int64_t d = 0; d <= shape.rank(); ++d) {
    if (d == along) continue;
    const int64_t which = d == shape.rank() ? along : d;
    sizes.push_back(shape.dimensions(which));
    strides.push_back(row_major[which]);
  }
  const auto packed = RowMajorStrides(sizes);
  StridedCopy(LiteralElementBytes(shape.element_type()), sizes, from,
              to_last ? strides : packed, to, to_last ? packed : strides);
}

}  // namespace

absl::StatusOr<Literal> EvaluateSort(Interpreter& interpreter,
                                     const HloInstruction& hlo,
                                     Operands operands) {
  const int64_t along = hlo.attrs<SortAttrs>().dimensions[0];
  const Shape& shape = operands[0]->shape();
  std::vector<std::vector<char>> data;
  std::vector<Column> columns;
  for (const Literal* operand : operands) {
    data.emplace_back(operand->size_bytes());
    MoveLast(operand->shape(), along, true, operand->untyped_data(),
             data.back().data());
    columns.push_back({ElementWidth(*operand), data.back().data()});
  }
  std::vector<int64_t> order(operands[0]->element_count());
  std::iota(order.begin(), order.end(), 0);
  int64_t size = shape.dimensions(along);
  for (const Literal* operand : operands) {
    size = std::min(size, CurrentSize(*operand, along));
  }
  ScalarFunction less(interpreter, *hlo.to_apply());
  auto sorter = std::make_unique<MergeSorter>(less, columns);
  TF_RETURN_IF_ERROR(sorter->Sort(size, shape.dimensions(along), order));

  std::vector<Literal> results;
  for (size_t i = 0; i < operands.size(); ++i) {
    TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(operands[i]->shape()));
    SetCurrentSizes(result, CurrentSizes(*operands[i]));
    std::vector<char> sorted(data[i].size());
    const auto [width, elements] = columns[i];
    for (size_t e = 0; e < order.size(); ++e) {
      CopyElement(width, elements + order[e] * width, &sorted[e * width]);
    }
    MoveLast(result.shape(), along, false, sorted.data(),
             result.untyped_data());
    results.push_back(std::move(result));
  }
  if (results.size() == 1) return std::move(results[0]);
  return Literal::MoveIntoTuple(absl::MakeSpan(results));
}

namespace {

// Maps the bits of elements of one type to unsigned numbers in the same order:
// the order of integers, or the total order of floats.
class OrderKey {
 public:
  explicit OrderKey(PrimitiveType type)
      : bytes_(LiteralElementBytes(type)),
        is_float_(primitive_util::IsFloatingPointType(type)),
        has_sign_(type != F8E8M0FNU &&
                  (is_float_ || primitive_util::IsSignedIntegralType(type))) {
    const int bits = primitive_util::StorageBitWidth(type);
    mask_ = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    sign_ = uint64_t{1} << (bits - 1);
  }

  uint64_t operator()(const char* element) const {
    uint64_t bits = 0;
    std::memcpy(&bits, element, bytes_);
    bits &= mask_;
    if (!has_sign_) return bits;
    if (is_float_ && (bits & sign_) != 0) return ~bits & mask_;
    return bits ^ sign_;
  }

 private:
  int bytes_;
  bool is_float_;
  bool has_sign_;
  uint64_t mask_ = 0;
  uint64_t sign_ = 0;
};

struct Keyed {
  uint64_t key;
  int32_t index;
};

}  // namespace

absl::StatusOr<Literal> EvaluateTopK(const HloInstruction& hlo,
                                     Operands operands) {
  const Literal& operand = *operands[0];
  const int64_t last = operand.shape().rank() - 1;
  TopKAttrs attrs;
  if (hlo.opcode() == HloOpcode::kTopK) {
    attrs = hlo.attrs<TopKAttrs>();
  } else {
    attrs.k = hlo.shape().tuple_shapes(0).dimensions(last);
  }
  const int64_t row = operand.shape().dimensions(last);
  std::vector<Literal> results(2);
  for (int i = 0; i < 2; ++i) {
    TF_ASSIGN_OR_RETURN(results[i],
                        MakeArrayResult(hlo.shape().tuple_shapes(i)));
    for (int64_t d = 0; d < last; ++d) {
      SetCurrentSize(results[i], d, CurrentSize(operand, d));
    }
  }
  const int width = ElementWidth(operand);
  const char* from = static_cast<const char*>(operand.untyped_data());
  char* values = static_cast<char*>(results[0].untyped_data());
  int32_t* indices = results[1].data<int32_t>().data();
  const OrderKey key_of(operand.shape().element_type());
  const int64_t size = CurrentSize(operand, last);
  const int64_t k = std::min(attrs.k, size);
  std::vector<Keyed> keyed(size);
  const int64_t rows = row == 0 ? 0 : operand.element_count() / row;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < size; ++i) {
      const uint64_t key = key_of(from + (r * row + i) * width);
      keyed[i] = {attrs.largest ? ~key : key, static_cast<int32_t>(i)};
    }
    std::partial_sort(keyed.begin(), keyed.begin() + k, keyed.end(),
                      [](const Keyed& a, const Keyed& b) {
                        return a.key != b.key ? a.key < b.key
                                              : a.index < b.index;
                      });
    for (int64_t i = 0; i < k; ++i) {
      CopyElement(width, from + (r * row + keyed[i].index) * width,
                  values + (r * attrs.k + i) * width);
      indices[r * attrs.k + i] = keyed[i].index;
    }
  }
  return Literal::MoveIntoTuple(absl::MakeSpan(results));
}

}  // namespace xla
