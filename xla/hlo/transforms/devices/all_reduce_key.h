// AllReduceKey: what two all-reduces must have in common to be done as one.
#ifndef XLA_HLO_TRANSFORMS_DEVICES_ALL_REDUCE_KEY_H_
#define XLA_HLO_TRANSFORMS_DEVICES_ALL_REDUCE_KEY_H_

#include <cstdint>
#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

struct AllReduceKey {
  HloOpcode reducer;
  // Sums of one type do not share a computation with those of another.
  PrimitiveType type;
  bool has_channel = false;
  bool use_global_device_ids = false;
  std::vector<std::vector<int64_t>> groups;

  friend auto operator<=>(const AllReduceKey&, const AllReduceKey&) = default;
  friend bool operator==(const AllReduceKey&, const AllReduceKey&) = default;
};

// `all_reduce` has at least one operand. Its reducer is an op of two
// parameters; otherwise `reducer` is kParameter, and nothing may be combined.
AllReduceKey AllReduceKeyOf(const HloInstruction& all_reduce);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DEVICES_ALL_REDUCE_KEY_H_
