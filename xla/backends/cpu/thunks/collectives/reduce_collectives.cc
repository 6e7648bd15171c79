// Reduces over devices, block by block.
#include "xla/backends/cpu/thunks/collectives/reduce_collectives.h"

#include <algorithm>
#include <cstring>

#include "absl/container/inlined_vector.h"
#include "xla/backends/cpu/thunks/collectives/row_copies.h"
#include "xla/backends/cpu/thunks/collectives/work_pieces.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

using Sources = absl::InlinedVector<const char*, 16>;

// The elements that are converted to the type of the reducer at a time.
constexpr int64_t kConvertedElements = 256;

Sources SourcesOf(const CollectiveThunk::Exchange& exchange, size_t operand) {
  Sources sources;
  for (const CollectiveThunk::Member& member : exchange.members) {
    sources.push_back(member.operands[operand]);
  }
  return sources;
}

// One array of a reduce-scatter, as rows along its dimension.
struct ScatteredArray {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  RowLayout whole;
  int64_t part_rows = 0;
  Sources sources;

  int64_t run_bytes() const { return part_rows * whole.row_bytes; }
  int64_t result_bytes() const { return whole.count * run_bytes(); }
  // Where byte `at` of member `me`'s result is in each source. A run ends at
  // multiples of run_bytes().
  int64_t SourceOffset(int64_t me, int64_t at) const {
    return at / run_bytes() * whole.stride() + me * run_bytes() +
           at % run_bytes();
  }
};

// Copies bytes [begin, end) of what member `me` gets of one source.
void GatherRuns(const ScatteredArray& array, const char* source, int64_t me,
                int64_t begin, int64_t end, char* to) {
  const int64_t run = array.run_bytes();
  while (begin < end) {
    const int64_t bytes = std::min(end - begin, run - begin % run);
    std::memcpy(to, source + array.SourceOffset(me, begin), bytes);
    to += bytes;
    begin += bytes;
  }
}

// Reduces bytes [begin, end) of member `me`'s result.
void ReducePart(const Reducer& reducer, const ScatteredArray& array, int64_t me,
                int64_t begin, int64_t end, char* result, bool stream) {
  const int64_t width = LiteralElementBytes(array.type);
  const int64_t run = array.run_bytes();
  const int64_t block = reducer.BlockElements(array.type, stream) * width;
  alignas(64) char sum[kCachedBlockBytes], next[kCachedBlockBytes];
  Sources at(array.sources.size());
  for (; begin < end; begin += block) {
    const int64_t bytes = std::min(block, end - begin);
    const char* reduced = nullptr;
    char* const to = stream ? sum : result + begin;
    if (begin / run == (begin + bytes - 1) / run) {
      const int64_t offset = array.SourceOffset(me, begin);
      for (size_t p = 0; p < at.size(); ++p) at[p] = array.sources[p] + offset;
      reduced = reducer.CombineBlock(array.type, at, to, bytes / width);
    } else {
      // Sources are brought into one run each, of which two are alive.
      GatherRuns(array, array.sources[0], me, begin, begin + bytes, sum);
      reduced = sum;
      for (size_t p = 1; p < at.size(); ++p) {
        GatherRuns(array, array.sources[p], me, begin, begin + bytes, next);
        reducer.CombineBlock(array.type, {sum, next}, sum, bytes / width);
      }
    }
    WriteToAll(reduced, {&result, 1}, begin, bytes, stream);
  }
}

}  // namespace

int64_t Reducer::BlockElements(PrimitiveType type, bool stream) const {
  return (stream ? kStreamedBlockBytes : kCachedBlockBytes) /
         LiteralElementBytes(type);
}

const char* Reducer::CombineBlock(PrimitiveType type,
                                  absl::Span<const char* const> sources,
                                  char* result, int64_t count) const {
  if (sources.size() == 1 && type == type_) return sources[0];
  if (type != type_) {
    CombineConverted(type, sources, result, count);
    return result;
  }
  // The last step alone writes to `result`: before it, a source may be there.
  alignas(64) char sum[kCachedBlockBytes];
  const char* total = sources[0];
  for (size_t p = 1; p < sources.size(); ++p) {
    char* const to = p + 1 < sources.size() ? sum : result;
    char* const arrays[] = {const_cast<char*>(total),
                            const_cast<char*>(sources[p]), to};
    combine_(arrays, 0, count);
    total = to;
  }
  return result;
}

void Reducer::CombineConverted(PrimitiveType type,
                               absl::Span<const char* const> sources,
                               char* result, int64_t count) const {
  const int64_t width = LiteralElementBytes(type);
  // Arrays of elements of at most 16 bytes.
  alignas(64) char sum[16 * kConvertedElements], next[16 * kConvertedElements];
  for (int64_t begin = 0; begin < count; begin += kConvertedElements) {
    const int64_t n = std::min(kConvertedElements, count - begin);
    ConvertElements(type, sources[0] + begin * width, type_, sum, n);
    for (size_t p = 1; p < sources.size(); ++p) {
      ConvertElements(type, sources[p] + begin * width, type_, next, n);
      char* const arrays[] = {sum, next, sum};
      combine_(arrays, 0, n);
    }
    ConvertElements(type_, sum, type, result + begin * width, n);
  }
}

void Reducer::ReduceToAll(PrimitiveType type,
                          absl::Span<const char* const> sources, int64_t offset,
                          int64_t count, absl::Span<char* const> results,
                          bool stream) const {
  const int64_t width = LiteralElementBytes(type);
  const int64_t block = BlockElements(type, stream);
  alignas(64) char sum[kStreamedBlockBytes];
  Sources at(sources.size());
  for (int64_t begin = 0; begin < count; begin += block) {
    const int64_t n = std::min(block, count - begin);
    const int64_t here = offset + begin * width;
    for (size_t p = 0; p < at.size(); ++p) at[p] = sources[p] + here;
    const char* reduced =
        CombineBlock(type, at, stream ? sum : results[0] + here, n);
    WriteToAll(reduced, results, here, n * width, stream);
  }
}

void Reducer::Reduce(PrimitiveType type, absl::Span<const char* const> sources,
                     char* result, int64_t count) const {
  ReduceToAll(type, sources, 0, count, {&result, 1}, /*stream=*/false);
}

absl::Status AllReduceThunk::Transfer(const Exchange& exchange) const {
  struct Array {
    PrimitiveType type;
    int64_t width;
    Sources sources;
    Results results;
  };
  absl::InlinedVector<Array, 1> arrays;
  int64_t bytes = 0;
  for (size_t i = 0; i < site().shapes.size(); ++i) {
    const PrimitiveType type = site().shapes[i].element_type();
    arrays.push_back({type, LiteralElementBytes(type), SourcesOf(exchange, i),
                      exchange.ResultsOf(i)});
    bytes += site().results[i].size;
  }
  const int64_t receivers = exchange.receiver_count;
  const int64_t moved = bytes * (exchange.size() + receivers);
  const bool stream = StreamsResults(moved);
  WorkPieces work(exchange.runner, moved);
  const int64_t piece_bytes = work.PieceBytes(bytes);
  for (size_t i = 0; i < arrays.size(); ++i) {
    work.Add(ShapeUtil::ElementsIn(site().shapes[i]),
             piece_bytes / arrays[i].width);
  }
  work.Run([&](int64_t item, int64_t begin, int64_t end) {
    const Array& array = arrays[item];
    reducer_.ReduceToAll(array.type, array.sources, begin * array.width,
                         end - begin, array.results, stream);
    if (stream) FinishStreaming();
  });
  return absl::OkStatus();
}

absl::Status ReduceScatterThunk::Transfer(const Exchange& exchange) const {
  const auto receivers = exchange.receivers();
  absl::InlinedVector<ScatteredArray, 1> arrays;
  int64_t bytes = 0;
  for (size_t i = 0; i < site().shapes.size(); ++i) {
    const RowLayout whole(site().shapes[i], dimension_);
    const int64_t part = result_shapes_[i].dimensions(dimension_);
    TF_RETURN_IF_ERROR(CheckPart(whole.size, part, exchange.size()));
    arrays.push_back(
        {site().shapes[i].element_type(), whole, part, SourcesOf(exchange, i)});
    bytes += arrays.back().result_bytes();
  }
  const int64_t results = exchange.receiver_count;
  const int64_t moved = bytes * results * (exchange.size() + 1);
  const bool stream = StreamsResults(moved);
  WorkPieces work(exchange.runner, moved);
  const int64_t piece_bytes = work.PieceBytes(bytes * results);
  for (const ScatteredArray& array : arrays) {
    for (int64_t r = 0; r < results; ++r) {
      work.Add(array.result_bytes(), piece_bytes);
    }
  }
  work.Run([&](int64_t item, int64_t begin, int64_t end) {
    const int64_t i = item / results, r = item % results;
    ReducePart(reducer_, arrays[i], exchange.first_receiver + r, begin, end,
               receivers[r].results[i], stream);
    if (stream) FinishStreaming();
  });
  return absl::OkStatus();
}

}  // namespace xla::cpu
