// Whether the links of an asynchronous chain agree, and which op a chain runs.
// Text uses the latter for the short form: foo-start, foo-update and foo-done
// instead of async-start and so on of a computation that is a single foo.
#ifndef XLA_HLO_IR_ASYNC_OPS_H_
#define XLA_HLO_IR_ASYNC_OPS_H_

#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// The answers for the links of the chains that were followed so far.
using AsyncLinks =
    absl::flat_hash_map<const HloInstruction*, const HloInstruction*>;

// Checks the asynchronous ops of a module, whose chains must not change
// meanwhile. Takes time linear in their number.
class AsyncChecker {
 public:
  // Checks that no other checked start calls the computation of `start`. To be
  // called once for each async-start. Errors: async_c6.
  absl::Status CheckStart(const HloInstruction& start);
  // Checks that `link`, an async-update or async-done, agrees with the
  // async-start that its operands lead to: in the thread, in the computations,
  // if it names any, and in `named`, the foo of a foo-done. OK where there is
  // no start. Errors: async_c3 (opcode), async_c4 (thread), async_c5
  // (computation).
  absl::Status CheckLink(const HloInstruction& link,
                         std::optional<HloOpcode> named);

 private:
  AsyncLinks starts_;
  absl::flat_hash_map<const HloComputation*, const HloInstruction*> callers_;
};

class AsyncOps {
 public:
  // Returns the foo, if the computation of `hlo`'s async-start is a foo of its
  // parameters and the short form loses nothing; otherwise, or if `hlo` is not
  // asynchronous, null.
  const HloInstruction* Find(const HloInstruction& hlo);

 private:
  AsyncLinks known_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_ASYNC_OPS_H_
