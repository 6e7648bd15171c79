// WindowExchange: gives each device a range of a dimension whose parts others
// hold.
#ifndef XLA_HLO_TRANSFORMS_RESHARDING_WINDOW_EXCHANGE_H_
#define XLA_HLO_TRANSFORMS_RESHARDING_WINDOW_EXCHANGE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/transforms/resharding/spmd_builder.h"

namespace xla {

// Which elements of a dimension devices are to have, by their coordinates.
struct DeviceWindows {
  // Each has as many elements, from starts[c] on. They may lie outside of the
  // dimension.
  std::vector<int64_t> starts;
  int64_t size = 0;
  // Elements [first, second) of window c matter; the others may be anything.
  std::vector<std::pair<int64_t, int64_t>> needed;
};

// The devices of a mesh, numbered by their coordinate along some axes. `axes`
// may be those of a dimension that is split, or of windows alone.
struct DeviceLine {
  const DeviceMesh& mesh;
  AxisList axes;

  // values[c] on the devices of coordinate c, an s32[].
  HloInstruction* Number(SpmdBuilder& emit,
                         absl::Span<const int64_t> values) const;
};

// A piece of each device's window.
struct WindowPiece {
  static constexpr int64_t kNowhere = -1'000'000'000'000'000'000;

  HloInstruction* value = nullptr;
  // Where the piece begins, by coordinates; kNowhere if a device has none.
  std::vector<int64_t> to;
};

// Returns windows of `size` elements along a dimension of what the pieces, at
// least one, consist of. Pieces may begin before a window and end after it; a
// later one replaces what an earlier one has at the same place. What is in none
// may be anything.
HloInstruction* AssembleWindows(SpmdBuilder& emit,
                                absl::Span<const WindowPiece> pieces,
                                int64_t dimension, int64_t size,
                                const DeviceLine& line);

// The windows of a dimension of `size` elements, of which the device with
// coordinate c has part c of `parts`, rounded up; all have all of it if there
// is one part.
class WindowExchange {
 public:
  WindowExchange(int64_t size, int64_t parts, DeviceWindows windows);

  // What a device receives if an element of the dimension has so many bytes,
  // and a fixed amount for each collective.
  double Cost(double element_bytes) const;
  // Whether some of the needed elements are outside of the dimension.
  bool needs_fill() const { return needs_fill_; }

  // Adds the instructions that give each device its window; what is outside of
  // the dimension becomes `fill`, a scalar, which may be null unless
  // needs_fill().
  HloInstruction* Emit(SpmdBuilder& emit, HloInstruction* part,
                       int64_t dimension, const DeviceLine& line,
                       HloInstruction* fill) const;
  // Adds the collectives, and appends the pieces that they give.
  void AddPieces(SpmdBuilder& emit, HloInstruction* part, int64_t dimension,
                 const DeviceLine& line,
                 std::vector<WindowPiece>& pieces) const;

 private:
  // What a device sends to another, or keeps: elements [from, from + size) of
  // its part, which are those from `to` on of the other's window.
  struct Transfer {
    int64_t source = 0;
    int64_t target = 0;
    int64_t from = 0;
    int64_t to = 0;
    int64_t size = 0;
  };
  // Transfers in which each device sends and receives once at most.
  struct Round {
    std::vector<Transfer> transfers;
    int64_t size = 0;  // of the largest

    void Add(const Transfer& transfer);
  };

  // The elements of the dimension that window `c` needs.
  std::pair<int64_t, int64_t> NeededOf(int64_t c) const;
  std::vector<Transfer> FindTransfers();
  void FindRounds(std::vector<Transfer> transfers);
  bool ShouldGather(double element_bytes) const;
  double RoundsCost(double element_bytes) const;
  double GatherCost(double element_bytes) const;
  WindowPiece Slice(SpmdBuilder& emit, HloInstruction* part, int64_t dimension,
                    const DeviceLine& line, const Round& round) const;

  int64_t size_;
  int64_t parts_;
  int64_t part_;  // elements of a part
  DeviceWindows windows_;
  bool needs_fill_ = false;
  bool must_gather_ = false;
  Round own_;  // from each device to itself
  std::vector<Round> rounds_;
  int64_t received_ = 0;  // the most elements that a device receives
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_RESHARDING_WINDOW_EXCHANGE_H_
