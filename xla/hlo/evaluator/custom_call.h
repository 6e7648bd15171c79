// CustomCallTargetRegistry: the functions that custom-call ops may name, and
// how they report errors. EvaluateCustomCall calls them.
#ifndef XLA_HLO_EVALUATOR_CUSTOM_CALL_H_
#define XLA_HLO_EVALUATOR_CUSTOM_CALL_H_

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/interpreter/value.h"
#include "xla/hlo/ir/hlo_instruction.h"

extern "C" {
// A target of API_VERSION_STATUS_RETURNING or later stores its error here; if
// it does not, it succeeded.
typedef struct XlaCustomCallStatus_ XlaCustomCallStatus;
void XlaCustomCallStatusSetSuccess(XlaCustomCallStatus* status);
// Copies the message.
void XlaCustomCallStatusSetFailure(XlaCustomCallStatus* status,
                                   const char* message, size_t message_len);
}

namespace xla {

// Thread safe.
class CustomCallTargetRegistry {
 public:
  static CustomCallTargetRegistry* Global();

  // A later registration of a name replaces an earlier one.
  void Register(const std::string& symbol, void* address,
                const std::string& platform = "Host");
  // Returns null if there is none.
  void* Lookup(const std::string& symbol,
               const std::string& platform = "Host") const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, void*> targets_;
};

// Returns the function of that name: a registered one or, failing that, an
// extern "C" function that the process exports. Functions of the C and C++
// runtime libraries are excluded, so that a program cannot call exit by its
// name. Errors: NotFound.
absl::StatusOr<void*> FindCustomCallTarget(const std::string& symbol);

// Calls `target` by the api_version of `hlo`, which may be any but the typed
// one. `out` and `in` are as described at EvaluateCustomCall. Errors: Internal
// with the target's message; Unimplemented for other versions.
absl::Status CallCustomCallTarget(const HloInstruction& hlo, void* target,
                                  void* out, const void** in);

// Calls the device's custom call handler if it has one. Otherwise evaluates a
// known call (hlo/ops/table/known_calls.h), calls the device's FFI call handler
// for API_VERSION_TYPED_FFI, or calls the target as f(out, in): out points to
// the result's elements, or for tuples to an array of pointers to the parts,
// and in[i] likewise for operand i. Arrays are row-major, or as
// operand_layout_constraints say. Errors: NotFound; the target's own;
// Unimplemented for typed calls on a device without a handler for them. Source:
// section "CustomCall".
absl::StatusOr<Value> EvaluateCustomCall(Interpreter& interpreter,
                                         const HloInstruction& hlo,
                                         std::vector<Value> operands);

}  // namespace xla

#define XLA_REGISTER_CUSTOM_CALL_CONCAT_INNER_(a, b) a##b
#define XLA_REGISTER_CUSTOM_CALL_CONCAT_(a, b) \
  XLA_REGISTER_CUSTOM_CALL_CONCAT_INNER_(a, b)
// At namespace scope, registers `address` under `symbol` before main.
#define XLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM(symbol, address, platform) \
  [[maybe_unused]] static const bool XLA_REGISTER_CUSTOM_CALL_CONCAT_(      \
      xla_custom_call_registered_, __COUNTER__) = [] {                      \
    ::xla::CustomCallTargetRegistry::Global()->Register(                    \
        symbol, reinterpret_cast<void*>(address), platform);                \
    return true;                                                            \
  }()
#define XLA_REGISTER_CUSTOM_CALL_TARGET(function, platform) \
  XLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM(#function, function, platform)
#define XLA_CPU_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM(symbol, address) \
  XLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM(symbol, address, "Host")
#define XLA_CPU_REGISTER_CUSTOM_CALL_TARGET(function) \
  XLA_REGISTER_CUSTOM_CALL_TARGET_WITH_SYM(#function, function, "Host")

#endif  // XLA_HLO_EVALUATOR_CUSTOM_CALL_H_
