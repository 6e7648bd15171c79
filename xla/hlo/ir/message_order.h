// The execution order of a computation that waits for messages:
//
//   vd = recv-done(v)             n = negate(p)
//   n = negate(p)           =>    s = send(n, t)
//   s = send(n, t)                vd = recv-done(v)
//
// HLO does not order a recv-done and a send that do not depend on each other,
// and devices that send to each other would deadlock if both received first.
#ifndef XLA_HLO_IR_MESSAGE_ORDER_H_
#define XLA_HLO_IR_MESSAGE_ORDER_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Tells which instructions wait for messages: recv-done, and calls, at any
// depth, of a computation that has one. Caches its answers, so computations
// must not change meanwhile. Not thread safe.
class MessageWaits {
 public:
  bool Waits(const HloInstruction& hlo);

 private:
  bool Receives(const HloComputation& computation);

  absl::flat_hash_map<const HloComputation*, bool> receives_;
};

// Like MakeInstructionPostOrder, but instructions that wait for a message come
// as late as possible, so that they do not delay sends that they do not need.
std::vector<HloInstruction*> MakeMessageOrder(const HloComputation& computation,
                                              MessageWaits& waits);

}  // namespace xla

#endif  // XLA_HLO_IR_MESSAGE_ORDER_H_
