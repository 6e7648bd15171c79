// Converts numbers to unsigned integers of the same order, and back.
#ifndef XLA_BACKENDS_CPU_KERNELS_SORT_KEYS_H_
#define XLA_BACKENDS_CPU_KERNELS_SORT_KEYS_H_

#include <cstdint>

#include "xla/backends/cpu/kernels/sort.h"

namespace xla::cpu {

// The functions for one type, order and direction. Keys are 32 bits wide for
// types of at most 32 bits (8 and 16 bits use the low ones), else 64.
struct KeyCodec {
  int bytes = 0;  // of an element; 0 if the type has no such keys
  bool wide = false;
  // Makes keys of `count` elements that are `stride` elements apart.
  void (*encode)(const void* from, int64_t stride, int64_t count, void* keys);
  // Converts keys back to elements `stride` apart. Elements that kFloatNanLast
  // treats as equal become the same one.
  void (*decode)(const void* keys, int64_t count, void* to, int64_t stride);
  // Only for kFloatNanLast: makes keys, and if there is any -0 or NaN, counts
  // the zeros and the NaNs; else both counts are 0. Writes these elements to
  // `equal`, which has room for `count`: zeros from the front, NaNs from the
  // back, in reversed order.
  void (*encode_equal)(const void* from, int64_t stride, int64_t count,
                       void* keys, void* equal, int64_t* zeros, int64_t* nans);
  // The keys of 0 and NaN.
  uint64_t zero_key = 0, nan_key = 0;
};

KeyCodec KeyCodecOf(PrimitiveType type, SortOrder order, bool descending);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_SORT_KEYS_H_
