// Text of shardings, which instructions, modules and domain ops carry.
#ifndef XLA_HLO_ATTRS_SHARDING_TEXT_H_
#define XLA_HLO_ATTRS_SHARDING_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "xla/base/text_scanner.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Prints {replicated}, {maximal device=1}, {devices=[2,2]<=[4]
// last_tile_dims={...}}, {mesh...} and tuples {{...}, {...}}, as XLA does.
void PrintSharding(const OpSharding& sharding, std::string* out);
absl::StatusOr<OpSharding> ScanSharding(TextScanner& scanner);

}  // namespace xla

#endif  // XLA_HLO_ATTRS_SHARDING_TEXT_H_
