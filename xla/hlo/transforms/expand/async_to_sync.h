// Runs asynchronous ops synchronously where they start:
//
//   s = (f32[4], f32[8]) all-gather-start(x)
//   ROOT d = f32[8] all-gather-done(s)         =>  ROOT g = f32[8]
//                                                      all-gather(x)
//
// It does the same for all-reduce, collective-permute and copy, and replaces
// async-start by its computation. If the value of a start itself is used, it
// becomes a tuple of the same shape with zeros as contexts. send and recv stay,
// since they wait for other devices or the host.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_ASYNC_TO_SYNC_H_
#define XLA_HLO_TRANSFORMS_EXPAND_ASYNC_TO_SYNC_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class AsyncToSync : public HloPassInterface {
 public:
  absl::string_view name() const override { return "async-to-sync"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_ASYNC_TO_SYNC_H_
