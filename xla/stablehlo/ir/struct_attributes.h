// Struct attributes of ops in the tree's normal form.
#ifndef XLA_STABLEHLO_IR_STRUCT_ATTRIBUTES_H_
#define XLA_STABLEHLO_IR_STRUCT_ATTRIBUTES_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Puts the fields of dimension numbers, channel handles and dot algorithms of
// an op of the dialects stablehlo and chlo among its attributes, as ir.h says,
// and gives api_version its name.
void FlattenAttributes(absl::string_view op_name, Arena& arena,
                       std::vector<NamedAttribute>* attributes);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_IR_STRUCT_ATTRIBUTES_H_
