// Prints parts of StableHLO text: types, values, names, lists.
#ifndef XLA_STABLEHLO_FROM_HLO_TEXT_FORMS_H_
#define XLA_STABLEHLO_FROM_HLO_TEXT_FORMS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla::stablehlo {

// Returns "tensor<4x?xf32, #stablehlo.bounds<?, 8>>", "!stablehlo.token",
// "tuple<...>". Errors: Unimplemented for opaque values and types of one bit.
absl::StatusOr<std::string> TypeText(const Shape& shape);

// Returns "dense<[1.0, 2.0]>" for an array: few elements listed, many as bytes.
std::string DenseText(const Literal& literal);

// "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"; short rows are filled up with
// -1.
std::string MatrixText(absl::Span<const std::vector<int64_t>> rows);

// "[1, 2]"
std::string ListText(absl::Span<const int64_t> values);
// "array<i64: 1, 2>", "array<i1: true>"
std::string ArrayText(absl::Span<const int64_t> values);
std::string BoolArrayText(const std::vector<bool>& values);
// "name = 1 : i64"
std::string Int64Text(absl::string_view name, int64_t value);
std::string BoolText(absl::string_view name, bool value);

// Returns "\"a\\0Ab\"", with MLIR's escapes.
std::string QuotedText(absl::string_view text);
// "@name" or "@\"na me\"".
std::string SymbolText(absl::string_view name);

// Returns 1.5 with the digits that the double needs.
std::string FloatText(double value);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_FROM_HLO_TEXT_FORMS_H_
