// Looks at bits of floats.
#include "xla/backends/cpu/kernels/attention/attention_layout.h"

#include <type_traits>

#include "xla/backends/cpu/kernels/products/dot_algorithms.h"

namespace xla::cpu {
namespace {

// Merges dimensions that lie in memory as one.
std::vector<AttentionDim> Merged(const std::vector<AttentionDim>& dims) {
  std::vector<AttentionDim> merged;
  for (const AttentionDim& dim : dims) {
    if (dim.size == 1) continue;
    if (!merged.empty()) {
      AttentionDim& last = merged.back();
      if (last.lhs == dim.lhs * dim.size && last.rhs == dim.rhs * dim.size &&
          last.values == dim.values * dim.size &&
          last.out == dim.out * dim.size) {
        const int64_t size = last.size * dim.size;
        last = dim;
        last.size = size;
        continue;
      }
    }
    merged.push_back(dim);
  }
  if (merged.empty()) merged.push_back(AttentionDim());
  return merged;
}

// The bits of a float without its sign, and those of its exponent.
struct FloatBits {
  uint64_t magnitude, exponent;
};

template <typename Word>
bool AnyOther(const Word* data, int64_t count, Word mask) {
  Word any = 0;
  for (int64_t i = 0; i < count; ++i) any |= data[i] & mask;
  return any != 0;
}

template <typename Word>
bool AnyEqual(const Word* data, int64_t count, Word mask) {
  Word any = 0;
  for (int64_t i = 0; i < count; ++i) {
    any |= static_cast<Word>((data[i] & mask) == mask);
  }
  return any != 0;
}

// Calls fn(bits, word) with a value of the unsigned type that is as wide as
// `type`; false if it is no float of 2 to 8 bytes.
template <typename Fn>
bool WithBits(PrimitiveType type, Fn fn) {
  switch (type) {
    case F16:
      return fn(FloatBits{0x7fff, 0x7c00}, uint16_t{});
    case BF16:
      return fn(FloatBits{0x7fff, 0x7f80}, uint16_t{});
    case F32:
      return fn(FloatBits{0x7fffffff, 0x7f800000}, uint32_t{});
    case F64:
      return fn(FloatBits{0x7fffffffffffffff, 0x7ff0000000000000}, uint64_t{});
    default:
      return false;
  }
}

}  // namespace

AttentionLayout::AttentionLayout(const AttentionDesc& desc) {
  const DotDesc first = WithStrides(desc.first);
  const DotDesc second = WithStrides(desc.second);
  batch = desc.batch;
  rows = desc.rows;
  if (batch.empty()) {
    batch = {{first.batch, first.lhs_batch_stride, first.rhs_batch_stride,
              second.rhs_batch_stride, second.out_batch_stride}};
  }
  if (rows.empty()) {
    rows = {{first.m, first.lhs_transposed ? 1 : first.lhs_stride, 0, 0,
             second.out_stride}};
  }
  batch = Merged(batch);
  rows = Merged(rows);
}

AttentionDim OffsetsAt(const std::vector<AttentionDim>& dims, int64_t index) {
  AttentionDim at;
  for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) {
    const int64_t i = index % dim->size;
    index /= dim->size;
    at.lhs += i * dim->lhs;
    at.rhs += i * dim->rhs;
    at.values += i * dim->values;
    at.out += i * dim->out;
  }
  return at;
}

bool IsZeroOutside(PrimitiveType type, const void* data, int64_t rows,
                   int64_t columns, ColumnRange range) {
  return WithBits(type, [&](FloatBits bits, auto word) {
    using Word = decltype(word);
    const Word* row = static_cast<const Word*>(data);
    const Word mask = static_cast<Word>(bits.magnitude);
    for (int64_t i = 0; i < rows; ++i, row += columns) {
      if (AnyOther<Word>(row, range.begin, mask) ||
          AnyOther<Word>(row + range.end, columns - range.end, mask)) {
        return false;
      }
    }
    return true;
  });
}

bool IsZeroColumn(PrimitiveType type, const void* data, int64_t rows,
                  int64_t columns, int64_t column) {
  return WithBits(type, [&](FloatBits bits, auto word) {
    using Word = decltype(word);
    const Word* at = static_cast<const Word*>(data) + column;
    Word any = 0;
    for (int64_t i = 0; i < rows; ++i) any |= at[i * columns];
    return (any & static_cast<Word>(bits.magnitude)) == 0;
  });
}

bool AreFinite(PrimitiveType type, const void* data, int64_t rows,
               int64_t columns, int64_t stride) {
  return WithBits(type, [&](FloatBits bits, auto word) {
    using Word = decltype(word);
    const Word* row = static_cast<const Word*>(data);
    const Word mask = static_cast<Word>(bits.exponent);
    for (int64_t i = 0; i < rows; ++i, row += stride) {
      if (AnyEqual<Word>(row, columns, mask)) return false;
    }
    return true;
  });
}

}  // namespace xla::cpu
