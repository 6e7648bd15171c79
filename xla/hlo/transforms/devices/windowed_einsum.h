// Computes a product with a large gathered operand block by block:
//
//   dot(all-gather(x), y)  =>  for each member of the group: dot(its x, y)
//
// Each member sends its block to the others, which multiply it before the next
// one comes, so that a device holds two blocks instead of all. The block is a
// part of the result if the gathered dimension is one of its dimensions;
// otherwise it is a term of the sum, all in the order of the group, so that
// devices that hold the same result hold the same bits. Small floats are summed
// in f32. XLA has a pass of this name for accelerators, where it hides
// transfers; here it bounds memory, and smaller operands are gathered at once.
#ifndef XLA_HLO_TRANSFORMS_DEVICES_WINDOWED_EINSUM_H_
#define XLA_HLO_TRANSFORMS_DEVICES_WINDOWED_EINSUM_H_

#include <cstdint>

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WindowedEinsum : public HloPassInterface {
 public:
  // Operands of fewer gathered bytes stay as they are.
  explicit WindowedEinsum(int64_t min_bytes = int64_t{1} << 30)
      : min_bytes_(min_bytes) {}

  absl::string_view name() const override { return "windowed-einsum"; }
  // Errors: InvalidArgument for groups of devices that do not exist.
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const int64_t min_bytes_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DEVICES_WINDOWED_EINSUM_H_
