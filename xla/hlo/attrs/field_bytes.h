// Values as bytes for hashes, such as the keys of caches: the same bytes for
// equal values, in every process, and other bytes for values that differ in
// anything. Made much faster than protos, and read by nobody.
#ifndef XLA_HLO_ATTRS_FIELD_BYTES_H_
#define XLA_HLO_ATTRS_FIELD_BYTES_H_

#include "google/protobuf/message_lite.h"
#include "xla/base/byte_fields.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"

namespace xla {

// Empty messages and absent ones are written alike.
void WriteBytes(const google::protobuf::MessageLite& message, ByteStream& out);
// Writes all that the proto has.
void WriteBytes(const Shape& shape, ByteStream& out);
// Writes all fields of the struct, which its list of fields gives. Those of
// types that have no fast form here are written as their protos, so that no new
// field is forgotten.
void WriteBytes(const Attrs& attrs, ByteStream& out);

}  // namespace xla

#endif  // XLA_HLO_ATTRS_FIELD_BYTES_H_
