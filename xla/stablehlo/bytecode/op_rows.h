// The form in which the tables of ops are written.
#ifndef XLA_STABLEHLO_BYTECODE_OP_ROWS_H_
#define XLA_STABLEHLO_BYTECODE_OP_ROWS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla::stablehlo {

// An op and its properties, with the marks of PropertyRow appended.
struct OpProperties {
  absl::string_view op;
  absl::string_view properties;
};

// The ops of the dialects func, stablehlo and chlo as "stablehlo.add", in the
// newest version of these dialects.
absl::Span<const OpProperties> PlainOps();

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_OP_ROWS_H_
