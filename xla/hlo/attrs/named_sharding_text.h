// Text of shardings that name the axes of a mesh; a part of sharding_text.h.
#ifndef XLA_HLO_ATTRS_NAMED_SHARDING_TEXT_H_
#define XLA_HLO_ATTRS_NAMED_SHARDING_TEXT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "xla/base/text_scanner.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Appends, without the outer braces,
//   mesh['a'=2,'b'=4], [{'a'}, {'b':(1)2, ?}], replicated={'b':(2)2}
//   mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)), replicated
//   mesh['a'=2], manual
//   maximal_mesh[device_id=3]
void PrintNamedSharding(const NamedShardingProto& sharding, std::string* out);
// Reads the same text, up to the closing brace.
absl::StatusOr<NamedShardingProto> ScanNamedSharding(TextScanner& scanner);

// Reads mesh['x'=2,'y'=4], device_ids=(7,6,5,4,3,2,1,0) {'y':(1)2,'x'}, the
// form in replica_groups.
absl::StatusOr<MeshAxesReplicaGroupListProto> ScanMeshAxes(
    TextScanner& scanner);

// Prints {op_name="a"} or {{op_name="a"}, {op_name="b"}}, as in shardings.
void PrintShardingMetadata(
    const google::protobuf::RepeatedPtrField<OpMetadata>& metadata,
    bool always_list, std::string* out);
absl::Status ScanShardingMetadata(
    TextScanner& scanner,
    google::protobuf::RepeatedPtrField<OpMetadata>* metadata);

}  // namespace xla

#endif  // XLA_HLO_ATTRS_NAMED_SHARDING_TEXT_H_
