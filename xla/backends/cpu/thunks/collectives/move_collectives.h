// Collectives that only move data between devices.
#ifndef XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_MOVE_COLLECTIVES_H_
#define XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_MOVE_COLLECTIVES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "xla/backends/cpu/thunks/collectives/collective_thunk.h"
#include "xla/core/shape.h"

namespace xla::cpu {

// Result i concatenates operand i of all members along `dimension`.
class AllGatherThunk : public CollectiveThunk {
 public:
  AllGatherThunk(CollectiveSite site, int64_t dimension,
                 std::vector<Shape> result_shapes)
      : CollectiveThunk(std::move(site)),
        dimension_(dimension),
        result_shapes_(std::move(result_shapes)) {}

 protected:
  absl::Status Transfer(const Exchange& exchange) const override;
  absl::Status ProduceAcross(ProcessExchange& across) const override;

 private:
  const int64_t dimension_;
  const std::vector<Shape> result_shapes_;
};

// In the array form the result concatenates block `me` along `dimension` of all
// members. In the tuple form (dimension -1) result p is operand `me` of member
// p.
class AllToAllThunk : public CollectiveThunk {
 public:
  AllToAllThunk(CollectiveSite site, int64_t dimension)
      : CollectiveThunk(std::move(site)), dimension_(dimension) {}

 protected:
  absl::Status Transfer(const Exchange& exchange) const override;
  absl::Status ProduceAcross(ProcessExchange& across) const override;

 private:
  const int64_t dimension_;
};

// Results are the operands of the first member, in whose place they may be, and
// zeros on devices in no group.
class CollectiveBroadcastThunk : public CollectiveThunk {
 public:
  explicit CollectiveBroadcastThunk(CollectiveSite site)
      : CollectiveThunk(std::move(site), InPlace::kSameNumber) {}

 protected:
  absl::Status Transfer(const Exchange& exchange) const override;
  absl::Status ProduceAcross(ProcessExchange& across) const override;
  absl::Status RunOutside(DeviceRun& run) const override;
};

// Results are the operands of the device's source, and zeros if there is none.
class CollectivePermuteThunk : public CollectiveThunk {
 public:
  // source_of_device[d] is the number of the device that sends to d, or -1.
  CollectivePermuteThunk(CollectiveSite site,
                         std::vector<int64_t> source_of_device)
      : CollectiveThunk(std::move(site)),
        source_of_device_(std::move(source_of_device)) {}

 protected:
  absl::Status Transfer(const Exchange& exchange) const override;
  absl::Status ProduceAcross(ProcessExchange& across) const override;
  absl::Status RunOutside(DeviceRun& run) const override;

 private:
  const std::vector<int64_t> source_of_device_;
};

// Operands: input [n,...], output [m,...], and per slice input offsets, send
// sizes, output offsets, receive sizes, s32 or s64 (or unsigned). Rows outside
// of input or output are left out.
class RaggedAllToAllThunk : public CollectiveThunk {
 public:
  explicit RaggedAllToAllThunk(CollectiveSite site)
      : CollectiveThunk(std::move(site)) {}

 protected:
  absl::Status Transfer(const Exchange& exchange) const override;
  absl::Status ProduceAcross(ProcessExchange& across) const override;

 private:
  // Writes the result of member `me`, to whom each member has `per_device`
  // slices.
  void Receive(const Exchange& exchange, int64_t me, int64_t per_device) const;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_MOVE_COLLECTIVES_H_
