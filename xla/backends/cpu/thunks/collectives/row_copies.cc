// Divides copies into pieces, and chooses the stores.
#include "xla/backends/cpu/thunks/collectives/row_copies.h"

#include <algorithm>
#include <cstring>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

#include "xla/backends/cpu/thunks/collectives/work_pieces.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

constexpr int64_t kLineBytes = 64;

// Whole cache lines go past the caches. On processors other than x86-64
// ordinary stores do so by themselves where it helps.
void StreamBytes(const char* from, char* to, int64_t bytes) {
#if defined(__x86_64__)
  if (reinterpret_cast<uintptr_t>(to) % kLineBytes == 0) {
    const int64_t whole = bytes - bytes % kLineBytes;
    for (int64_t i = 0; i < whole; i += kLineBytes) {
      const auto* in = reinterpret_cast<const __m128i*>(from + i);
      auto* out = reinterpret_cast<__m128i*>(to + i);
      const __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1);
      const __m128i c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);
      _mm_stream_si128(out, a);
      _mm_stream_si128(out + 1, b);
      _mm_stream_si128(out + 2, c);
      _mm_stream_si128(out + 3, d);
    }
    from += whole;
    to += whole;
    bytes -= whole;
  }
#endif
  std::memcpy(to, from, bytes);
}

void WriteBytes(const char* from, char* to, int64_t bytes, bool stream) {
  if (from == to) return;
  if (from == nullptr) {
    std::memset(to, 0, bytes);
  } else if (stream) {
    StreamBytes(from, to, bytes);
  } else {
    std::memcpy(to, from, bytes);
  }
}

// Rows of a constant length, which needs no call for each.
template <int64_t kBytes>
void CopyShortRows(const char* from, int64_t from_stride, char* to,
                   int64_t to_stride, int64_t rows) {
  for (int64_t i = 0; i < rows; ++i) {
    std::memcpy(to + i * to_stride, from + i * from_stride, kBytes);
  }
}

void CopyRowsTo(const RowCopy& copy, int64_t first, int64_t rows, char* array) {
  const char* from = copy.from + first * copy.from_stride;
  char* to = array + copy.to_offset + first * copy.to_stride;
  if (from == to) return;
  switch (copy.row_bytes) {
    case 1:
      return CopyShortRows<1>(from, copy.from_stride, to, copy.to_stride, rows);
    case 2:
      return CopyShortRows<2>(from, copy.from_stride, to, copy.to_stride, rows);
    case 4:
      return CopyShortRows<4>(from, copy.from_stride, to, copy.to_stride, rows);
    case 8:
      return CopyShortRows<8>(from, copy.from_stride, to, copy.to_stride, rows);
    case 16:
      return CopyShortRows<16>(from, copy.from_stride, to, copy.to_stride,
                               rows);
    default:
      for (int64_t i = 0; i < rows; ++i) {
        std::memcpy(to + i * copy.to_stride, from + i * copy.from_stride,
                    copy.row_bytes);
      }
  }
}

// Copies bytes [begin, end) of the rows.
void CopyPiece(const RowCopy& copy, int64_t begin, int64_t end, bool stream) {
  if (copy.row_bytes < kStreamedBlockBytes && copy.from != nullptr) {
    // Pieces consist of whole rows.
    const int64_t first = begin / copy.row_bytes;
    for (char* array : copy.to) {
      CopyRowsTo(copy, first, end / copy.row_bytes - first, array);
    }
    return;
  }
  while (begin < end) {
    const int64_t row = begin / copy.row_bytes;
    const int64_t at = begin % copy.row_bytes;
    const int64_t bytes = std::min(end - begin, copy.row_bytes - at);
    const char* from = copy.from == nullptr
                           ? nullptr
                           : copy.from + row * copy.from_stride + at;
    WriteToAll(from, copy.to, copy.to_offset + row * copy.to_stride + at, bytes,
               stream);
    begin += bytes;
  }
}

}  // namespace

void WriteToAll(const char* from, absl::Span<char* const> to, int64_t offset,
                int64_t bytes, bool stream) {
  const int64_t block = stream ? kStreamedBlockBytes : kCachedBlockBytes;
  if (to.size() == 1 || bytes <= block) {
    for (char* array : to) WriteBytes(from, array + offset, bytes, stream);
    return;
  }
  // Blocks end where lines of the results do.
  int64_t end =
      block - reinterpret_cast<uintptr_t>(to[0] + offset) % kLineBytes;
  for (int64_t begin = 0; begin < bytes; begin = end, end += block) {
    end = std::min(end, bytes);
    for (char* array : to) {
      WriteBytes(from == nullptr ? nullptr : from + begin,
                 array + offset + begin, end - begin, stream);
    }
  }
}

void FinishStreaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

void RowCopies::Add(RowCopy copy) {
  if (copy.bytes() == 0 || copy.to.empty()) return;
  if (copy.from_stride == copy.row_bytes && copy.to_stride == copy.row_bytes) {
    copy.row_bytes *= copy.rows;
    copy.rows = 1;
  }
  copies_.push_back(copy);
}

void RowCopies::Run(ParallelRunner& runner) const {
  int64_t read = 0, written = 0;
  for (const RowCopy& copy : copies_) {
    read += copy.bytes();
    written += copy.bytes() * static_cast<int64_t>(copy.to.size());
  }
  const bool stream = StreamsResults(read + written);
  WorkPieces work(runner, read + written);
  const int64_t piece_bytes = work.PieceBytes(read);
  for (const RowCopy& copy : copies_) {
    work.Add(copy.bytes(), copy.row_bytes >= piece_bytes
                               ? piece_bytes
                               : piece_bytes / copy.row_bytes * copy.row_bytes);
  }
  work.Run([&](int64_t item, int64_t begin, int64_t end) {
    CopyPiece(copies_[item], begin, end, stream);
    if (stream) FinishStreaming();
  });
}

RowLayout::RowLayout(const Shape& shape, int64_t d)
    : size(shape.dimensions(d)),
      row_bytes(LiteralElementBytes(shape.element_type())) {
  for (int64_t i = 0; i < d; ++i) count *= shape.dimensions(i);
  for (int64_t i = d + 1; i < shape.rank(); ++i) {
    row_bytes *= shape.dimensions(i);
  }
}

RowCopy CopyOfRows(const RowLayout& layout, const char* from, int64_t from_row,
                   const RowLayout& to_layout, absl::Span<char* const> to,
                   int64_t to_row, int64_t n) {
  return {.from = from + from_row * layout.row_bytes,
          .to = to,
          .to_offset = to_row * to_layout.row_bytes,
          .rows = layout.count,
          .row_bytes = n * layout.row_bytes,
          .from_stride = layout.stride(),
          .to_stride = to_layout.stride()};
}

}  // namespace xla::cpu
