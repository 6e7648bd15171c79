// Whether the links of an asynchronous chain agree, and which op a chain runs,
// for the short form in text: foo-start, foo-update and foo-done instead of
// async-start and so on of a computation that is one foo.
#ifndef XLA_HLO_IR_ASYNC_OPS_H_
#define XLA_HLO_IR_ASYNC_OPS_H_

#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// What was found for each link of the chains that were followed so far.
using AsyncLinks =
    absl::flat_hash_map<const HloInstruction*, const HloInstruction*>;

// Checks the asynchronous ops of a module, whose chains must not change
// meanwhile. Linear in their number.
class AsyncChecker {
 public:
  // Whether no other start that was checked calls the computation of `start`.
  // Once for each async-start. Errors: async_c6.
  absl::Status CheckStart(const HloInstruction& start);
  // Whether `link`, an async-update or async-done, says the same as the
  // async-start that its operands lead to: the thread, the computations, if it
  // names any, and `named`, the foo of a foo-done. OK where there is no start.
  // Errors: async_c3 (opcode), async_c4 (thread), async_c5 (computation).
  absl::Status CheckLink(const HloInstruction& link,
                         std::optional<HloOpcode> named);

 private:
  AsyncLinks starts_;
  absl::flat_hash_map<const HloComputation*, const HloInstruction*> callers_;
};

class AsyncOps {
 public:
  // The foo, if the computation of `hlo`'s async-start is a foo of its
  // parameters and the short form loses nothing; null if not, or if `hlo` is
  // not asynchronous.
  const HloInstruction* Find(const HloInstruction& hlo);

 private:
  AsyncLinks known_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_ASYNC_OPS_H_
