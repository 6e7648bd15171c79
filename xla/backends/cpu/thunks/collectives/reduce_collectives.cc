// Reduces over devices, block by block.
#include "xla/backends/cpu/thunks/collectives/reduce_collectives.h"

#include <algorithm>
#include <cstring>

#include "xla/backends/cpu/thunks/collectives/move_collectives.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

// The elements of a block, which stays in the cache while all members are
// added.
constexpr int64_t kBlockElements = 8192;
// The elements of a task.
constexpr int64_t kPieceElements = int64_t{64} << 10;

std::vector<const char*> SourcesAt(const CollectiveThunk::Exchange& exchange,
                                   size_t operand, int64_t offset_bytes) {
  std::vector<const char*> sources;
  for (const CollectiveThunk::Member& member : exchange.members) {
    sources.push_back(member.operands[operand] + offset_bytes);
  }
  return sources;
}

}  // namespace

void Reducer::Reduce(PrimitiveType type, absl::Span<const char* const> sources,
                     char* result, int64_t count) const {
  if (type != type_) {
    ReduceConverted(type, sources, result, count);
    return;
  }
  const int64_t width = LiteralElementBytes(type);
  for (int64_t begin = 0; begin < count; begin += kBlockElements) {
    const int64_t end = std::min(count, begin + kBlockElements);
    if (result != sources[0]) {
      std::memcpy(result + begin * width, sources[0] + begin * width,
                  (end - begin) * width);
    }
    for (size_t p = 1; p < sources.size(); ++p) {
      char* const arrays[] = {result, const_cast<char*>(sources[p]), result};
      combine_(arrays, begin, end);
    }
  }
}

void Reducer::ReduceConverted(PrimitiveType type,
                              absl::Span<const char* const> sources,
                              char* result, int64_t count) const {
  const int64_t width = LiteralElementBytes(type);
  const int64_t block = std::min(count, kBlockElements);
  // An array of doubles, which is aligned for any element type.
  std::vector<double> sum(2 * block), next(2 * block);
  for (int64_t begin = 0; begin < count; begin += kBlockElements) {
    const int64_t n = std::min(kBlockElements, count - begin);
    ConvertElements(type, sources[0] + begin * width, type_, sum.data(), n);
    for (size_t p = 1; p < sources.size(); ++p) {
      ConvertElements(type, sources[p] + begin * width, type_, next.data(), n);
      char* const total = reinterpret_cast<char*>(sum.data());
      char* const arrays[] = {total, reinterpret_cast<char*>(next.data()),
                              total};
      combine_(arrays, 0, n);
    }
    ConvertElements(type_, sum.data(), type, result + begin * width, n);
  }
}

absl::Status AllReduceThunk::Produce(const Exchange& exchange,
                                     int64_t me) const {
  for (size_t i = 0; i < site().shapes.size(); ++i) {
    const Shape& shape = site().shapes[i];
    reducer_.Reduce(shape.element_type(), SourcesAt(exchange, i, 0),
                    exchange.members[me].results[i],
                    ShapeUtil::ElementsIn(shape));
  }
  return absl::OkStatus();
}

absl::Status AllReduceThunk::ProduceAll(const Exchange& exchange) const {
  for (size_t i = 0; i < site().shapes.size(); ++i) {
    const Shape& shape = site().shapes[i];
    const int64_t count = ShapeUtil::ElementsIn(shape);
    const int64_t width = LiteralElementBytes(shape.element_type());
    // The sum goes to the first member, whose operand may be there, and then
    // to the others, whose operands have been read by then.
    const auto reduce_piece = [&](int64_t piece) {
      const int64_t begin = piece * kPieceElements;
      const int64_t n = std::min(kPieceElements, count - begin);
      char* sum = exchange.members[0].results[i] + begin * width;
      reducer_.Reduce(shape.element_type(),
                      SourcesAt(exchange, i, begin * width), sum, n);
      for (int64_t p = 1; p < exchange.size(); ++p) {
        std::memcpy(exchange.members[p].results[i] + begin * width, sum,
                    n * width);
      }
    };
    const int64_t pieces = CeilOfRatio(count, kPieceElements);
    if (pieces > 1) {
      exchange.runner.ParallelFor(pieces, reduce_piece);
    } else if (pieces == 1) {
      reduce_piece(0);
    }
  }
  return absl::OkStatus();
}

bool AllReduceThunk::WorksInPlace() const {
  for (size_t i = 0; i < site().operands.size(); ++i) {
    for (size_t j = 0; j < site().results.size(); ++j) {
      const Slice& operand = site().operands[i];
      const Slice& result = site().results[j];
      if (operand.Overlaps(result) && (i != j || !(operand == result))) {
        return false;
      }
    }
  }
  return true;
}

absl::Status ReduceScatterThunk::Produce(const Exchange& exchange,
                                         int64_t me) const {
  for (size_t i = 0; i < site().shapes.size(); ++i) {
    const PrimitiveType type = site().shapes[i].element_type();
    const RowLayout whole(site().shapes[i], dimension_);
    const RowLayout part(result_shapes_[i], dimension_);
    TF_RETURN_IF_ERROR(CheckPart(whole.size, part.size, exchange.size()));
    const int64_t bytes = part.size * part.row_bytes;
    if (bytes == 0) continue;
    for (int64_t c = 0; c < whole.count; ++c) {
      const int64_t from = (c * whole.size + me * part.size) * whole.row_bytes;
      reducer_.Reduce(type, SourcesAt(exchange, i, from),
                      exchange.members[me].results[i] + c * bytes,
                      bytes / LiteralElementBytes(type));
    }
  }
  return absl::OkStatus();
}

}  // namespace xla::cpu
