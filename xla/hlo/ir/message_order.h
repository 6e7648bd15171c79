// The order in which a computation runs where it waits for messages:
//
//   vd = recv-done(v)             n = negate(p)
//   n = negate(p)           =>    s = send(n, t)
//   s = send(n, t)                vd = recv-done(v)
//
// HLO orders a recv-done and a send that do not need each other in no way, and
// devices that send to each other would wait for ever where both receive first.
#ifndef XLA_HLO_IR_MESSAGE_ORDER_H_
#define XLA_HLO_IR_MESSAGE_ORDER_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Which instructions wait for messages: recv-done, and what calls, at whatever
// depth, a computation that has one. Remembers what it has found out, so
// computations must not change meanwhile. Not thread safe.
class MessageWaits {
 public:
  bool Waits(const HloInstruction& hlo);

 private:
  bool Receives(const HloComputation& computation);

  absl::flat_hash_map<const HloComputation*, bool> receives_;
};

// As MakeInstructionPostOrder, but that what waits for a message comes as late
// as it may, so that no send that it does not need stands behind it.
std::vector<HloInstruction*> MakeMessageOrder(const HloComputation& computation,
                                              MessageWaits& waits);

}  // namespace xla

#endif  // XLA_HLO_IR_MESSAGE_ORDER_H_
