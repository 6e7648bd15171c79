// Whether the links of an asynchronous chain agree, and which op a chain runs,
// for the short form in text: foo-start, foo-update and foo-done instead of
// async-start and so on of a computation that is one foo.
#ifndef XLA_HLO_IR_ASYNC_OPS_H_
#define XLA_HLO_IR_ASYNC_OPS_H_

#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Whether `link`, an async-update or async-done, says the same as the
// async-start that its operands lead to: the thread, the computations, if it
// names any, and `named`, the foo of a foo-done. OK where there is no start.
// Errors: async_c3 (opcode), async_c4 (thread), async_c5 (computation).
absl::Status CheckAsyncLink(const HloInstruction& link,
                            std::optional<HloOpcode> named);

// Whether no computation is called by two async-starts. Errors: async_c6.
absl::Status CheckAsyncComputations(const HloModule& module);

// The async-start that starts the chain of which `hlo` is a link; null if its
// operands do not lead to one.
const HloInstruction* AsyncStartOf(const HloInstruction& hlo);

class AsyncOps {
 public:
  // The foo, if the computation of `hlo`'s async-start is a foo of its
  // parameters and the short form loses nothing; null if not, or if `hlo` is
  // not asynchronous.
  const HloInstruction* Find(const HloInstruction& hlo);

 private:
  // What was found before, so that long chains of updates cost little.
  absl::flat_hash_map<const HloInstruction*, const HloInstruction*> known_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_ASYNC_OPS_H_
