// Converts properties of an op of any version to attributes of the newest one.
#ifndef XLA_STABLEHLO_BYTECODE_NORMAL_FORM_H_
#define XLA_STABLEHLO_BYTECODE_NORMAL_FORM_H_

#include "absl/status/statusor.h"
#include "xla/stablehlo/bytecode/op_table.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Returns the property in its form in the tree, or null if it is omitted there.
// `value` is null for a property that this version lacks. Errors:
// InvalidArgument, naming the property.
absl::StatusOr<const Attribute*> NormalProperty(const PropertyRow& row,
                                                const Attribute* value,
                                                Arena& arena);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_NORMAL_FORM_H_
