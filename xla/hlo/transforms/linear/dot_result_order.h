// Computes dots in the order of dimensions in which their results are read:
//
//   d = f32[2,4,64,384] dot(f32[2,384,4,64] v, f32[2,4,384,384] p)
//         batch {0,2} x {0,1}, contracting {1} x {3}
//   t = f32[2,384,4,64] transpose(d), dimensions={0,3,1,2}
//     =>  e = f32[2,4,384,64] dot(p, v)
//               batch {0,1} x {0,2}, contracting {3} x {1}
//         t = f32[2,384,4,64] transpose(e), dimensions={0,2,1,3}
//
// A dot of which nothing is read but a transpose swaps its operands if whole
// rows of its result can then be copied, or nothing moves at all. Batch
// dimensions, and the free ones of an operand, get another order, such as the
// reader's, where fewer elements of operands and result move then. Einsums of
// JAX need this, which put the operand with more free dimensions last.
//
// Assumes row-major layouts. Leaves dynamic dimensions, control edges and
// transposes that leave everything in place alone.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_DOT_RESULT_ORDER_H_
#define XLA_HLO_TRANSFORMS_LINEAR_DOT_RESULT_ORDER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class DotResultOrder : public HloPassInterface {
 public:
  absl::string_view name() const override { return "dot-result-order"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_DOT_RESULT_ORDER_H_
