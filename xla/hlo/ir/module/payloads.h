// Payloads: long texts that instructions of a module's proto share by number.
#ifndef XLA_HLO_IR_MODULE_PAYLOADS_H_
#define XLA_HLO_IR_MODULE_PAYLOADS_H_

#include "absl/status/status.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

// Whether an instruction names one of `payloads` by its number.
bool NamesPayloads(const HloModuleProto& proto);

// Puts payloads in the place of their numbers. Errors: InvalidArgument for a
// number that the module does not have.
absl::Status InlinePayloads(HloModuleProto& proto);

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_PAYLOADS_H_
