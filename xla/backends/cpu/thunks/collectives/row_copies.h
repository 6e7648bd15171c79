// Copies of rows from one array to the same place of several. Each byte is read
// once, and written to all of them while it is in the cache.
#ifndef XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_ROW_COPIES_H_
#define XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_ROW_COPIES_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Whether the results of an exchange that reads and writes so many bytes in all
// bypass the caches. That saves reading the lines first, and leaves the caches
// to what is read.
inline bool StreamsResults(int64_t bytes) { return bytes >= (16 << 20); }

// The bytes of each array that are read at a time, and then written to all
// results, when these bypass the caches: memory is fastest when a thread
// alternates often between arrays. With 4 KB an all-reduce takes 1.4 times as
// long.
inline constexpr int64_t kStreamedBlockBytes = 256;
// The same for results that go into the caches.
inline constexpr int64_t kCachedBlockBytes = 1024;

// Copies `bytes` bytes to `offset` in each of `to`; leaves out arrays where
// they already are. With `stream` the stores bypass the caches, and are visible
// to other threads after FinishStreaming.
void WriteToAll(const char* from, absl::Span<char* const> to, int64_t offset,
                int64_t bytes, bool stream);
// Makes the stores of this thread that bypassed the caches visible to threads
// that are synchronized with it afterwards.
void FinishStreaming();

// Rows of bytes that lie apart from each other by a stride.
struct RowCopy {
  const char* from = nullptr;  // the first row; null stands for zeros
  absl::Span<char* const> to;  // the arrays that get the rows; not owned
  int64_t to_offset = 0;       // of the first row, in bytes
  int64_t rows = 1;
  int64_t row_bytes = 0;
  int64_t from_stride = 0;  // bytes
  int64_t to_stride = 0;    // bytes

  int64_t bytes() const { return rows * row_bytes; }
};

// A set of copies that overlap nowhere, of which threads do pieces.
class RowCopies {
 public:
  void Add(RowCopy copy);
  void Run(ParallelRunner& runner) const;

 private:
  absl::InlinedVector<RowCopy, 8> copies_;
};

// An array as seen along dimension d: `count` times `size` rows of `row_bytes`
// bytes.
struct RowLayout {
  RowLayout(const Shape& shape, int64_t d);
  int64_t stride() const { return size * row_bytes; }
  int64_t count = 1;
  int64_t size = 0;
  int64_t row_bytes = 0;
};

// The copy of n rows from row `from_row` of an array to row `to_row` of arrays
// that differ from it only in the number of rows.
RowCopy CopyOfRows(const RowLayout& layout, const char* from, int64_t from_row,
                   const RowLayout& to_layout, absl::Span<char* const> to,
                   int64_t to_row, int64_t n);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_ROW_COPIES_H_
