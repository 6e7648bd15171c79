// Which op an asynchronous instruction runs, for the short form in text:
// foo-start, foo-update and foo-done instead of async-start and so on of a
// computation that is one foo.
#ifndef XLA_HLO_IR_ASYNC_OPS_H_
#define XLA_HLO_IR_ASYNC_OPS_H_

#include "absl/container/flat_hash_map.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

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
