// Where the items and rows of attention's arrays lie, and what is known of
// their elements: for attention.cc.
#ifndef XLA_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_LAYOUT_H_
#define XLA_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "xla/backends/cpu/kernels/attention/attention.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// The batch and the rows of a description, as few dimensions as possible and at
// least one of each; strides are filled in.
struct AttentionLayout {
  explicit AttentionLayout(const AttentionDesc& desc);

  std::vector<AttentionDim> batch, rows;

  // Whether rows of an item are equally far apart in each array.
  bool has_plain_rows() const { return rows.size() == 1; }
};

// Returns the offset of number `index` of all combinations of `dims`, in
// elements; `size` of the result is 1.
AttentionDim OffsetsAt(const std::vector<AttentionDim>& dims, int64_t index);

// Whether all elements of packed rows of `columns` elements are zeros, except
// those of `range`. False for types that are no floats of 2 to 8 bytes.
bool IsZeroOutside(PrimitiveType type, const void* data, int64_t rows,
                   int64_t columns, ColumnRange range);

// Whether a column of packed rows of `columns` elements is zero. False for
// types that are no floats of 2 to 8 bytes.
bool IsZeroColumn(PrimitiveType type, const void* data, int64_t rows,
                  int64_t columns, int64_t column);

// Whether elements of rows that are `stride` elements apart are finite. False
// for types that are no floats of 2 to 8 bytes.
bool AreFinite(PrimitiveType type, const void* data, int64_t rows,
               int64_t columns, int64_t stride);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_LAYOUT_H_
