// Numbers of attributes: conversion of MLIR's text and type names to bytes, and
// back.
#ifndef XLA_RUNTIME_FFI_ATTRIBUTE_NUMBER_H_
#define XLA_RUNTIME_FFI_ATTRIBUTE_NUMBER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/runtime/ffi/attributes.h"

namespace xla::ffi {

// Returns the type that MLIR calls `name` (i1, i32, si8, ui64, f32, ...);
// PRIMITIVE_TYPE_INVALID if attributes cannot have it.
PrimitiveType AttributeType(absl::string_view name);
// Returns MLIR's name of `type`.
absl::string_view AttributeTypeName(PrimitiveType type);

// Reads `token` (a decimal or hexadecimal number, true, false) as a value of
// that type. Hexadecimal integers are the bits of a float. Errors:
// InvalidArgument if it is no number or does not fit.
absl::StatusOr<ScalarAttribute> ParseNumber(absl::string_view token,
                                            PrimitiveType type);

// Returns text that ParseNumber reads back. `bytes` holds one value.
std::string NumberToString(const char* bytes, PrimitiveType type);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_ATTRIBUTE_NUMBER_H_
