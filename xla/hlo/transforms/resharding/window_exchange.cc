// Transfers between devices are put into as few collective-permutes as
// possible, and an all-gather takes their place where they cost more.
#include "xla/hlo/transforms/resharding/window_exchange.h"

#include <algorithm>
#include <map>
#include <optional>

#include "absl/algorithm/container.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/transforms/resharding/resharding.h"

namespace xla {
namespace {

// A window over more parts than these is gathered.
constexpr int64_t kMostPartsOfWindow = 32;

int64_t SizeAlong(const HloInstruction* x, int64_t dimension) {
  return x->shape().dimensions(static_cast<int>(dimension));
}

// An array like `x`, with `size` elements along the dimension.
HloInstruction* BlankLike(SpmdBuilder& emit, const HloInstruction* x,
                          int64_t dimension, int64_t size) {
  const absl::Span<const int64_t> sizes = x->shape().dimensions();
  std::vector<int64_t> blank(sizes.begin(), sizes.end());
  blank[dimension] = size;
  return emit.Splat(emit.Zero(x->shape().element_type()), blank);
}

// Returns the one place at which all devices that have the piece have it;
// nullopt if places differ.
std::optional<int64_t> CommonPlace(const WindowPiece& piece) {
  int64_t place = WindowPiece::kNowhere;
  for (const int64_t to : piece.to) {
    if (to == WindowPiece::kNowhere) continue;
    if (place != WindowPiece::kNowhere && place != to) return std::nullopt;
    place = to;
  }
  return place;
}

// Joins pieces that lie side by side, at the same places on all devices;
// returns null if they do not.
HloInstruction* JoinPieces(SpmdBuilder& emit,
                           absl::Span<const WindowPiece> pieces,
                           int64_t dimension, int64_t size) {
  std::vector<std::pair<int64_t, HloInstruction*>> placed;
  for (const WindowPiece& piece : pieces) {
    const std::optional<int64_t> place = CommonPlace(piece);
    if (!place.has_value()) return nullptr;
    if (*place == WindowPiece::kNowhere) continue;
    placed.push_back({*place, piece.value});
  }
  absl::c_sort(placed,
               [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<HloInstruction*> joined;
  int64_t end = 0;
  for (const auto& [place, value] : placed) {
    if (place < end) return nullptr;
    if (place > end) {
      joined.push_back(BlankLike(emit, value, dimension, place - end));
    }
    joined.push_back(value);
    end = place + SizeAlong(value, dimension);
  }
  if (end > size) return nullptr;
  if (end < size) {
    joined.push_back(BlankLike(emit, pieces[0].value, dimension, size - end));
  }
  return joined.size() == 1 ? joined[0] : emit.Concatenate(joined, dimension);
}

// Writes pieces at places that differ from device to device, into an array
// with room for what is before and after the window, or for no device's.
HloInstruction* WritePieces(SpmdBuilder& emit,
                            absl::Span<const WindowPiece> pieces,
                            int64_t dimension, int64_t size,
                            const DeviceLine& line) {
  int64_t before = 0;
  int64_t end = size;
  int64_t aside = 0;
  for (const WindowPiece& piece : pieces) {
    const int64_t length = SizeAlong(piece.value, dimension);
    for (const int64_t to : piece.to) {
      if (to == WindowPiece::kNowhere) {
        aside = std::max(aside, length);
      } else {
        before = std::max(before, -to);
        end = std::max(end, to + length);
      }
    }
  }
  HloInstruction* all =
      BlankLike(emit, pieces[0].value, dimension, before + end + aside);
  const int64_t rank = all->shape().dimensions().size();
  for (const WindowPiece& piece : pieces) {
    std::vector<int64_t> places = piece.to;
    for (int64_t& place : places) {
      place = before + (place == WindowPiece::kNowhere ? end : place);
    }
    std::vector<HloInstruction*> starts(rank, emit.Index(0));
    starts[dimension] = line.Number(emit, places);
    all = emit.DynamicUpdateSlice(all, piece.value, starts);
  }
  return emit.SliceDim(all, dimension, before, before + size);
}

}  // namespace

HloInstruction* DeviceLine::Number(SpmdBuilder& emit,
                                   absl::Span<const int64_t> values) const {
  std::vector<int64_t> numbers = mesh.CoordinatesOf(axes);
  for (int64_t& number : numbers) number = values[number];
  return emit.PerPartition(numbers);
}

HloInstruction* AssembleWindows(SpmdBuilder& emit,
                                absl::Span<const WindowPiece> pieces,
                                int64_t dimension, int64_t size,
                                const DeviceLine& line) {
  HloInstruction* joined = JoinPieces(emit, pieces, dimension, size);
  if (joined != nullptr) return joined;
  return WritePieces(emit, pieces, dimension, size, line);
}

void WindowExchange::Round::Add(const Transfer& transfer) {
  transfers.push_back(transfer);
  size = std::max(size, transfer.size);
}

WindowExchange::WindowExchange(int64_t size, int64_t parts,
                               DeviceWindows windows)
    : size_(size),
      parts_(parts),
      part_(CeilOfRatio(size, parts)),
      windows_(std::move(windows)) {
  for (size_t c = 0; c < windows_.starts.size(); ++c) {
    const auto [first, last] = windows_.needed[c];
    int64_t& start = windows_.starts[c];
    needs_fill_ |= first < last && (start + first < 0 || start + last > size_);
    // All of it is outside, no matter how far.
    start = std::clamp(start, -windows_.size, size_);
  }
  FindRounds(FindTransfers());
}

std::pair<int64_t, int64_t> WindowExchange::NeededOf(int64_t c) const {
  const auto [first, last] = windows_.needed[c];
  const int64_t start = windows_.starts[c];
  return {std::max<int64_t>(start + first, 0), std::min(start + last, size_)};
}

std::vector<WindowExchange::Transfer> WindowExchange::FindTransfers() {
  std::vector<Transfer> transfers;
  const int64_t count = windows_.starts.size();
  for (int64_t c = 0; c < count; ++c) {
    const auto [lower, upper] = NeededOf(c);
    if (lower >= upper) continue;
    const int64_t first = lower / part_;
    const int64_t last = (upper - 1) / part_;
    if (last - first >= kMostPartsOfWindow) {
      must_gather_ = true;
      return {};
    }
    for (int64_t j = first; j <= last; ++j) {
      const int64_t begin = std::max(lower, j * part_);
      const int64_t end = std::min(upper, (j + 1) * part_);
      const Transfer transfer = {parts_ == 1 ? c : j, c, begin - j * part_,
                                 begin - windows_.starts[c], end - begin};
      if (transfer.source == c) {
        own_.Add(transfer);
      } else {
        transfers.push_back(transfer);
      }
    }
  }
  return transfers;
}

void WindowExchange::FindRounds(std::vector<Transfer> transfers) {
  if (transfers.empty()) return;
  const int64_t count = windows_.starts.size();
  // Rounds in which all read and write at the same places need no more than a
  // concatenation.
  std::map<std::pair<int64_t, int64_t>, Round> alike;
  for (const Transfer& transfer : transfers) {
    alike[{transfer.from, transfer.to}].Add(transfer);
  }
  // Devices with the same window read the same elements of the same part.
  std::vector<int64_t> starts;
  for (int64_t c = 0; c < count; ++c) {
    const auto [lower, upper] = NeededOf(c);
    if (lower < upper) starts.push_back(windows_.starts[c]);
  }
  absl::c_sort(starts);
  const bool once = absl::c_adjacent_find(starts) == starts.end();
  // Larger transfers go first, so that those of a round are of similar size.
  absl::c_stable_sort(transfers, [](const Transfer& a, const Transfer& b) {
    return a.size > b.size;
  });
  std::vector<Round> fewest;
  std::vector<std::vector<bool>> sends;
  std::vector<std::vector<bool>> receives;
  for (const Transfer& transfer : transfers) {
    size_t r = 0;
    while (r < fewest.size() &&
           (sends[r][transfer.source] || receives[r][transfer.target])) {
      ++r;
    }
    if (r == fewest.size()) {
      fewest.emplace_back();
      sends.emplace_back(count);
      receives.emplace_back(count);
    }
    fewest[r].Add(transfer);
    sends[r][transfer.source] = receives[r][transfer.target] = true;
  }
  if (once && alike.size() <= fewest.size()) {
    for (auto& [places, round] : alike) rounds_.push_back(std::move(round));
  } else {
    rounds_ = std::move(fewest);
  }
  std::vector<int64_t> received(count);
  for (const Round& round : rounds_) {
    for (const Transfer& transfer : round.transfers) {
      received[transfer.target] += round.size;
    }
  }
  received_ = *absl::c_max_element(received);
}

double WindowExchange::GatherCost(double element_bytes) const {
  return parts_ == 1 ? 0
                     : kLatencyBytes + static_cast<double>(part_) *
                                           (parts_ - 1) * element_bytes;
}

double WindowExchange::RoundsCost(double element_bytes) const {
  // A device exchanges with two others at a time.
  return CeilOfRatio<int64_t>(rounds_.size(), 2) * kLatencyBytes +
         static_cast<double>(received_) * element_bytes;
}

bool WindowExchange::ShouldGather(double element_bytes) const {
  if (must_gather_) return true;
  return RoundsCost(element_bytes) > GatherCost(element_bytes);
}

double WindowExchange::Cost(double element_bytes) const {
  return ShouldGather(element_bytes) ? GatherCost(element_bytes)
                                     : RoundsCost(element_bytes);
}

WindowPiece WindowExchange::Slice(SpmdBuilder& emit, HloInstruction* part,
                                  int64_t dimension, const DeviceLine& line,
                                  const Round& round) const {
  const size_t count = windows_.starts.size();
  WindowPiece piece;
  piece.to.assign(count, WindowPiece::kNowhere);
  std::vector<int64_t> from(count, -1);
  int64_t some = 0;
  for (const Transfer& transfer : round.transfers) {
    // Shorter transfers send more than is needed, which exists.
    some = std::min(transfer.from, part_ - round.size);
    from[transfer.source] = some;
    piece.to[transfer.target] = transfer.to - (transfer.from - some);
  }
  bool varies = false;
  for (int64_t& begin : from) {
    varies |= begin >= 0 && begin != some;
    if (begin < 0) begin = some;
  }
  piece.value = varies
                    ? emit.DynamicSliceDim(part, dimension,
                                           line.Number(emit, from), round.size)
                    : emit.SliceDim(part, dimension, some, some + round.size);
  return piece;
}

void WindowExchange::AddPieces(SpmdBuilder& emit, HloInstruction* part,
                               int64_t dimension, const DeviceLine& line,
                               std::vector<WindowPiece>& pieces) const {
  const double bytes =
      static_cast<double>(ShapeUtil::ElementsIn(part->shape())) *
      primitive_util::ByteWidth(part->shape().element_type()) /
      SizeAlong(part, dimension);
  if (ShouldGather(bytes)) {
    part = emit.AllGather(part, dimension, line.mesh, line.axes);
    part = emit.SliceDim(part, dimension, 0, size_);
    WindowExchange(size_, 1, windows_)
        .AddPieces(emit, part, dimension, line, pieces);
    return;
  }
  if (!own_.transfers.empty()) {
    pieces.push_back(Slice(emit, part, dimension, line, own_));
  }
  for (const Round& round : rounds_) {
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (const auto& group : line.mesh.GroupsAlong(line.axes)) {
      for (const Transfer& transfer : round.transfers) {
        pairs.push_back({group[transfer.source], group[transfer.target]});
      }
    }
    absl::c_sort(pairs);
    WindowPiece piece = Slice(emit, part, dimension, line, round);
    piece.value = emit.CollectivePermute(piece.value, std::move(pairs));
    pieces.push_back(std::move(piece));
  }
}

HloInstruction* WindowExchange::Emit(SpmdBuilder& emit, HloInstruction* part,
                                     int64_t dimension, const DeviceLine& line,
                                     HloInstruction* fill) const {
  std::vector<WindowPiece> pieces;
  AddPieces(emit, part, dimension, line, pieces);
  HloInstruction* window =
      pieces.empty()
          ? BlankLike(emit, part, dimension, windows_.size)
          : AssembleWindows(emit, pieces, dimension, windows_.size, line);
  if (!needs_fill_) return window;
  return emit.MaskDim(window, dimension, line.Number(emit, windows_.starts), 0,
                      size_, fill);
}

}  // namespace xla
