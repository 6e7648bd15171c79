// Copies between the arrays of different devices.
#include "xla/backends/cpu/thunks/collectives/move_collectives.h"

#include <algorithm>

#include "xla/backends/cpu/thunks/collectives/row_copies.h"
#include "xla/backends/cpu/thunks/collectives/work_pieces.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

// A copy of `bytes` bytes from one array to others.
RowCopy CopyOfBytes(const char* from, absl::Span<char* const> to,
                    int64_t bytes) {
  return {.from = from, .to = to, .row_bytes = bytes};
}

std::vector<int64_t> IntegersOf(const Shape& shape, const char* data) {
  std::vector<int64_t> values(ShapeUtil::ElementsIn(shape));
  ConvertElements(shape.element_type(), data, S64, values.data(),
                  static_cast<int64_t>(values.size()));
  return values;
}

}  // namespace

absl::Status AllGatherThunk::Transfer(const Exchange& exchange) const {
  // Copies refer to the results of their array.
  absl::InlinedVector<Results, 1> results;
  for (size_t i = 0; i < site().shapes.size(); ++i) {
    results.push_back(exchange.ResultsOf(i));
  }
  RowCopies copies;
  for (size_t i = 0; i < site().shapes.size(); ++i) {
    const RowLayout part(site().shapes[i], dimension_);
    const RowLayout whole(result_shapes_[i], dimension_);
    TF_RETURN_IF_ERROR(CheckPart(whole.size, part.size, exchange.size()));
    for (int64_t p = 0; p < exchange.size(); ++p) {
      copies.Add(CopyOfRows(part, exchange.members[p].operands[i], 0, whole,
                            results[i], p * part.size, part.size));
    }
  }
  copies.Run(exchange.runner);
  return absl::OkStatus();
}

absl::Status AllToAllThunk::Transfer(const Exchange& exchange) const {
  RowCopies copies;
  if (dimension_ < 0) {
    const auto operands = static_cast<int64_t>(site().operands.size());
    TF_RETURN_IF_ERROR(CheckPart(operands, 1, exchange.size()));
  }
  for (int64_t r = 0; r < exchange.receiver_count; ++r) {
    const Member& mine = exchange.receivers()[r];
    const int64_t me = exchange.first_receiver + r;
    if (dimension_ < 0) {
      for (int64_t p = 0; p < exchange.size(); ++p) {
        copies.Add(CopyOfBytes(exchange.members[p].operands[me],
                               {&mine.results[p], 1}, site().results[p].size));
      }
      continue;
    }
    const RowLayout whole(site().shapes[0], dimension_);
    const int64_t n = whole.size / exchange.size();
    TF_RETURN_IF_ERROR(CheckPart(whole.size, n, exchange.size()));
    for (int64_t p = 0; p < exchange.size(); ++p) {
      copies.Add(CopyOfRows(whole, exchange.members[p].operands[0], me * n,
                            whole, {&mine.results[0], 1}, p * n, n));
    }
  }
  copies.Run(exchange.runner);
  return absl::OkStatus();
}

absl::Status CollectiveBroadcastThunk::Transfer(
    const Exchange& exchange) const {
  absl::InlinedVector<Results, 1> results;
  for (size_t i = 0; i < site().results.size(); ++i) {
    results.push_back(exchange.ResultsOf(i));
  }
  RowCopies copies;
  for (size_t i = 0; i < site().results.size(); ++i) {
    copies.Add(CopyOfBytes(exchange.members[0].operands[i], results[i],
                           site().results[i].size));
  }
  copies.Run(exchange.runner);
  return absl::OkStatus();
}

absl::Status CollectiveBroadcastThunk::RunOutside(DeviceRun& run) const {
  ZeroResults(run);
  return absl::OkStatus();
}

absl::Status CollectivePermuteThunk::Transfer(const Exchange& exchange) const {
  RowCopies copies;
  for (const Member& mine : exchange.receivers()) {
    const int64_t source = source_of_device_[mine.device];
    const auto from = std::find_if(
        exchange.members.begin(), exchange.members.end(),
        [&](const Member& member) { return member.device == source; });
    const bool receives = source >= 0 && from != exchange.members.end();
    for (size_t i = 0; i < site().results.size(); ++i) {
      copies.Add(CopyOfBytes(receives ? from->operands[i] : nullptr,
                             {&mine.results[i], 1}, site().results[i].size));
    }
  }
  copies.Run(exchange.runner);
  return absl::OkStatus();
}

absl::Status CollectivePermuteThunk::RunOutside(DeviceRun& run) const {
  ZeroResults(run);
  return absl::OkStatus();
}

absl::Status RaggedAllToAllThunk::Transfer(const Exchange& exchange) const {
  // Each device has as many slices for every other.
  const int64_t slices = ShapeUtil::ElementsIn(site().shapes[2]);
  const int64_t per_device = slices / exchange.size();
  TF_RETURN_IF_ERROR(CheckPart(slices, per_device, exchange.size()));
  // The slices of one member may overlap, so they are written in order.
  const int64_t receivers = exchange.receiver_count;
  WorkPieces work(exchange.runner, 2 * site().results[0].size * receivers);
  work.Add(receivers, 1);
  work.Run([&](int64_t, int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      Receive(exchange, exchange.first_receiver + r, per_device);
    }
  });
  return absl::OkStatus();
}

void RaggedAllToAllThunk::Receive(const Exchange& exchange, int64_t me,
                                  int64_t per_device) const {
  const RowLayout input(site().shapes[0], 0);
  const RowLayout output(site().shapes[1], 0);
  const Member& mine = exchange.members[me];
  const absl::Span<char* const> result(&mine.results[0], 1);
  InlineRunner alone;
  const auto copy = [&](const RowCopy& one) {
    RowCopies copies;
    copies.Add(one);
    copies.Run(alone);
  };
  copy(CopyOfBytes(mine.operands[1], result, site().results[0].size));
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
        copy(CopyOfRows(input, sender.operands[0], from[i], output, result,
                        to[i], n));
      }
    }
  }
}

}  // namespace xla::cpu
