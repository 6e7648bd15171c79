// Helpers for test custom call targets that use the C ABI, and targets that the
// tests of both backends call.
#ifndef TESTS_RUNTIME_FFI_TYPED_TARGETS_H_
#define TESTS_RUNTIME_FFI_TYPED_TARGETS_H_

#include "xla/runtime/ffi/ffi_api.h"

namespace xla::ffi {

// Answers a metadata query; returns false for a real call.
bool AnswersMetadata(XLA_FFI_CallFrame* frame);

XLA_FFI_Buffer& Argument(XLA_FFI_CallFrame* frame, int i);
XLA_FFI_Buffer& Result(XLA_FFI_CallFrame* frame, int i);

// Copies s4[3] {-1, 2, -8}, whose elements it expects packed two per byte.
XLA_FFI_Error* CopyNibbles(XLA_FFI_CallFrame* frame);

// Maps (token, s32[3]) to (s32[3], token): adds 1 to the first result, which it
// expects to alias the second operand.
XLA_FFI_Error* IncrementInPlace(XLA_FFI_CallFrame* frame);

}  // namespace xla::ffi

#endif  // TESTS_RUNTIME_FFI_TYPED_TARGETS_H_
