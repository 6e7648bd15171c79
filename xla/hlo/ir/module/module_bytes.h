// Modules as bytes for hashes: a key that is made of them costs a small part of
// what making the proto costs.
#ifndef XLA_HLO_IR_MODULE_MODULE_BYTES_H_
#define XLA_HLO_IR_MODULE_MODULE_BYTES_H_

#include "xla/base/byte_fields.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

class HloModule;

// Writes all that the proto has: the same bytes for modules whose protos are
// equal, in every process, and other bytes where anything in the protos
// differs, ids, names and metadata too.
void WriteBytes(const HloModule& module, ByteStream& out);

// The fields of the module's proto that are its own: all but the computations
// and their order in a schedule.
HloModuleProto ModuleFieldsToProto(const HloModule& module);

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_MODULE_BYTES_H_
