// The functions of absl::Status that the runtime calls, without payloads, which
// nobody sets here. Abseil's own bring absl::Cord, whose thread-local variables
// Debian's static library cannot have in a shared object.
#include <new>
#include <string>

#include "absl/base/config.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace absl {
ABSL_NAMESPACE_BEGIN

Status::Status(StatusCode code, string_view message)
    : rep_(CodeToInlinedRep(code)) {
  if (code != StatusCode::kOk && !message.empty()) {
    rep_ = PointerToRep(
        new status_internal::StatusRep(code, message, /*payloads=*/nullptr));
  }
}

void Status::UnrefNonInlined(uintptr_t rep) {
  status_internal::StatusRep* const shared = RepToPointer(rep);
  if (shared->ref.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  shared->message.~basic_string();
  ::operator delete(shared);
}

StatusCode Status::code() const {
  return IsInlined(rep_) ? InlinedRepToCode(rep_) : RepToPointer(rep_)->code;
}

bool IsResourceExhausted(const Status& status) {
  return status.code() == StatusCode::kResourceExhausted;
}

Status FailedPreconditionError(string_view message) {
  return Status(StatusCode::kFailedPrecondition, message);
}
Status InternalError(string_view message) {
  return Status(StatusCode::kInternal, message);
}
Status InvalidArgumentError(string_view message) {
  return Status(StatusCode::kInvalidArgument, message);
}
Status ResourceExhaustedError(string_view message) {
  return Status(StatusCode::kResourceExhausted, message);
}
Status UnimplementedError(string_view message) {
  return Status(StatusCode::kUnimplemented, message);
}

namespace internal_statusor {

void Helper::HandleInvalidStatusCtorArg(Status* status) {
  *status = InternalError("a StatusOr was made of an OK status");
}

}  // namespace internal_statusor

ABSL_NAMESPACE_END
}  // namespace absl
