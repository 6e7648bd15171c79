// Converts Status to PJRT_Error and back, and adapts every function of the
// table.
#ifndef XLA_PJRT_C_ERROR_H_
#define XLA_PJRT_C_ERROR_H_

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/pjrt/c/pjrt_c_api.h"

namespace xla::pjrt {

// The payload that marks errors of ArgumentError.
inline constexpr absl::string_view kArgumentPayload = "tessera/pjrt_argument";

// Null for OK. The caller owns the error.
PJRT_Error* MakeError(absl::Status status);
// The Status of an error of this plugin or, through its table, of another one;
// the error is not freed. OK for null.
absl::Status StatusOf(const PJRT_Error* error);
// Makes errors for callbacks of the caller.
PJRT_Error* CallbackError(PJRT_Error_Code code, const char* message,
                          size_t message_size);

// The error that Function returns for an invalid argument struct.
PJRT_Error* BadStruct(const char* function, const size_t* struct_size,
                      size_t expected);
PJRT_Error* Fail(const char* function, absl::Status status);

// A function name as a template argument.
template <size_t kSize>
struct Name {
  // NOLINTNEXTLINE(google-explicit-constructor): from a string literal.
  constexpr Name(const char (&name)[kSize]) { std::copy_n(name, kSize, text); }
  char text[kSize];
};

// The C function `kName` that wraps `kFunction`, whose struct has at least
// `kMinSize` bytes: the size of its first version. Lets no exception out to C
// callers; only running out of memory throws.
template <Name kName, size_t kMinSize, auto kFunction>
struct Function;
template <Name kName, size_t kMinSize, typename Args,
          absl::Status (*kFunction)(Args&)>
struct Function<kName, kMinSize, kFunction> {
  static PJRT_Error* Call(Args* args) {
    if (ABSL_PREDICT_FALSE(args == nullptr || args->struct_size < kMinSize)) {
      return BadStruct(
          kName.text, args == nullptr ? nullptr : &args->struct_size, kMinSize);
    }
    try {
      absl::Status status = kFunction(*args);
      if (ABSL_PREDICT_TRUE(status.ok())) return nullptr;
      return Fail(kName.text, std::move(status));
    } catch (const std::bad_alloc&) {
      return Fail(kName.text, absl::ResourceExhaustedError("out of memory"));
    } catch (...) {
      return Fail(kName.text, absl::InternalError("an exception was thrown"));
    }
  }
};

// These two cannot fail, so they need no adapter.
void ErrorDestroy(PJRT_Error_Destroy_Args* args);
void ErrorMessage(PJRT_Error_Message_Args* args);
absl::Status ErrorGetCode(PJRT_Error_GetCode_Args& args);
absl::Status ErrorForEachPayload(PJRT_Error_ForEachPayload_Args& args);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_ERROR_H_
