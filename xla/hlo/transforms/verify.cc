// Runs the verifier.
#include "xla/hlo/transforms/verify.h"

#include "xla/base/status_macros.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {

absl::StatusOr<bool> VerifyPass::RunImpl(HloModule* module) {
  TF_RETURN_IF_ERROR(
      HloVerifier({.allow_entry_buffers = true}).Verify(*module));
  return false;
}

}  // namespace xla
