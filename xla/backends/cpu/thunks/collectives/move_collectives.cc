// Copies between the arrays of different devices.
#include "xla/backends/cpu/thunks/collectives/move_collectives.h"

#include <algorithm>
#include <cstring>

#include "xla/backends/array_memory.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

void CopyAll(const char* from, char* to, int64_t bytes) {
  if (bytes > 0 && from != to) std::memcpy(to, from, bytes);
}

std::vector<int64_t> IntegersOf(const Shape& shape, const char* data) {
  std::vector<int64_t> values(ShapeUtil::ElementsIn(shape));
  ConvertElements(shape.element_type(), data, S64, values.data(),
                  static_cast<int64_t>(values.size()));
  return values;
}

}  // namespace

RowLayout::RowLayout(const Shape& shape, int64_t d)
    : size(shape.dimensions(d)),
      row_bytes(LiteralElementBytes(shape.element_type())) {
  for (int64_t i = 0; i < d; ++i) count *= shape.dimensions(i);
  for (int64_t i = d + 1; i < shape.rank(); ++i) {
    row_bytes *= shape.dimensions(i);
  }
}

void CopyRows(const RowLayout& layout, const char* from, int64_t from_row,
              const RowLayout& to_layout, char* to, int64_t to_row, int64_t n) {
  const int64_t bytes = n * layout.row_bytes;
  if (bytes == 0) return;
  for (int64_t i = 0; i < layout.count; ++i) {
    std::memcpy(to + (i * to_layout.size + to_row) * to_layout.row_bytes,
                from + (i * layout.size + from_row) * layout.row_bytes, bytes);
  }
}

absl::Status AllGatherThunk::Produce(const Exchange& exchange,
                                     int64_t me) const {
  for (size_t i = 0; i < site().shapes.size(); ++i) {
    const RowLayout part(site().shapes[i], dimension_);
    const RowLayout whole(result_shapes_[i], dimension_);
    TF_RETURN_IF_ERROR(CheckPart(whole.size, part.size, exchange.size()));
    for (int64_t p = 0; p < exchange.size(); ++p) {
      CopyRows(part, exchange.members[p].operands[i], 0, whole,
               exchange.members[me].results[i], p * part.size, part.size);
    }
  }
  return absl::OkStatus();
}

absl::Status AllToAllThunk::Produce(const Exchange& exchange,
                                    int64_t me) const {
  const Member& mine = exchange.members[me];
  if (dimension_ < 0) {
    const auto operands = static_cast<int64_t>(site().operands.size());
    TF_RETURN_IF_ERROR(CheckPart(operands, 1, exchange.size()));
    for (int64_t p = 0; p < exchange.size(); ++p) {
      CopyAll(exchange.members[p].operands[me], mine.results[p],
              site().results[p].size);
    }
    return absl::OkStatus();
  }
  const RowLayout whole(site().shapes[0], dimension_);
  const int64_t n = whole.size / exchange.size();
  TF_RETURN_IF_ERROR(CheckPart(whole.size, n, exchange.size()));
  for (int64_t p = 0; p < exchange.size(); ++p) {
    CopyRows(whole, exchange.members[p].operands[0], me * n, whole,
             mine.results[0], p * n, n);
  }
  return absl::OkStatus();
}

absl::Status CollectiveBroadcastThunk::Produce(const Exchange& exchange,
                                               int64_t me) const {
  for (size_t i = 0; i < site().results.size(); ++i) {
    CopyAll(exchange.members[0].operands[i], exchange.members[me].results[i],
            site().results[i].size);
  }
  return absl::OkStatus();
}

absl::Status CollectiveBroadcastThunk::RunOutside(DeviceRun& run) const {
  ZeroResults(run);
  return absl::OkStatus();
}

absl::Status CollectivePermuteThunk::Produce(const Exchange& exchange,
                                             int64_t me) const {
  const Member& mine = exchange.members[me];
  const int64_t source = source_of_device_[mine.device];
  const auto from = std::find_if(
      exchange.members.begin(), exchange.members.end(),
      [&](const Member& member) { return member.device == source; });
  for (size_t i = 0; i < site().results.size(); ++i) {
    const int64_t bytes = site().results[i].size;
    if (source >= 0 && from != exchange.members.end()) {
      CopyAll(from->operands[i], mine.results[i], bytes);
    } else if (bytes > 0) {
      std::memset(mine.results[i], 0, bytes);
    }
  }
  return absl::OkStatus();
}

absl::Status CollectivePermuteThunk::RunOutside(DeviceRun& run) const {
  ZeroResults(run);
  return absl::OkStatus();
}

absl::Status RaggedAllToAllThunk::Produce(const Exchange& exchange,
                                          int64_t me) const {
  const RowLayout input(site().shapes[0], 0);
  const RowLayout output(site().shapes[1], 0);
  const Member& mine = exchange.members[me];
  CopyAll(mine.operands[1], mine.results[0], site().results[0].size);
  // Each device has as many slices for every other.
  const int64_t slices = ShapeUtil::ElementsIn(site().shapes[2]);
  const int64_t per_device = slices / exchange.size();
  TF_RETURN_IF_ERROR(CheckPart(slices, per_device, exchange.size()));
  for (const Member& sender : exchange.members) {
    const auto from = IntegersOf(site().shapes[2], sender.operands[2]);
    const auto sizes = IntegersOf(site().shapes[3], sender.operands[3]);
    const auto to = IntegersOf(site().shapes[4], sender.operands[4]);
    for (int64_t i = me * per_device; i < (me + 1) * per_device; ++i) {
      if (from[i] < 0 || from[i] > input.size || to[i] < 0 ||
          to[i] > output.size) {
        continue;
      }
      const int64_t n =
          std::min({sizes[i], input.size - from[i], output.size - to[i]});
      if (n > 0) {
        CopyRows(input, sender.operands[0], from[i], output, mine.results[0],
                 to[i], n);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace xla::cpu
