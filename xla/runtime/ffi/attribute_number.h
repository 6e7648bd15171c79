// Numbers of attributes: from MLIR's text and type names to bytes, and back.
#ifndef XLA_RUNTIME_FFI_ATTRIBUTE_NUMBER_H_
#define XLA_RUNTIME_FFI_ATTRIBUTE_NUMBER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/runtime/ffi/attributes.h"

namespace xla::ffi {

// The type called `name` in MLIR (i1, i32, si8, ui64, f32, ...); invalid for
// those that attributes cannot have.
PrimitiveType AttributeType(absl::string_view name);
// The reverse.
absl::string_view AttributeTypeName(PrimitiveType type);

// `token` (a decimal or hexadecimal number, true, false) as a value of that
// type. Hexadecimal integers are the bits of a float. Errors: InvalidArgument
// for what is no number or does not fit.
absl::StatusOr<ScalarAttribute> ParseNumber(absl::string_view token,
                                            PrimitiveType type);

// Text that ParseNumber reads back. `bytes` are those of one value.
std::string NumberToString(const char* bytes, PrimitiveType type);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_ATTRIBUTE_NUMBER_H_
