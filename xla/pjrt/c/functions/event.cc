// Events: the completion of asynchronous work.
#include <memory>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/functions/functions.h"

namespace xla::pjrt {

absl::Status EventDestroy(PJRT_Event_Destroy_Args& args) {
  if (args.event == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.event, "event"));
  delete args.event;
  return absl::OkStatus();
}

absl::Status EventIsReady(PJRT_Event_IsReady_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.event, "event"));
  args.is_ready = args.event->event.IsReady();
  return absl::OkStatus();
}

absl::Status EventError(PJRT_Event_Error_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.event, "event"));
  if (!args.event->event.IsReady()) {
    return absl::FailedPreconditionError(
        "PJRT_Event_Error: the event is not ready; wait for it first");
  }
  return args.event->event.GetStatus();
}

absl::Status EventAwait(PJRT_Event_Await_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.event, "event"));
  return args.event->event.Await();
}

absl::Status EventOnReady(PJRT_Event_OnReady_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.event, "event"));
  if (args.callback == nullptr) return NullError("callback");
  // A copy: the callback may destroy the handle.
  const Event event = args.event->event;
  event.OnReady([callback = args.callback,
                 user_arg = args.user_arg](const absl::Status& status) {
    callback(MakeError(status), user_arg);
  });
  return absl::OkStatus();
}

absl::Status EventCreate(PJRT_Event_Create_Args& args) {
  args.event = new PJRT_Event(Event::Pending(), /*can_set=*/true);
  return absl::OkStatus();
}

absl::Status EventSet(PJRT_Event_Set_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.event, "event"));
  if (!args.event->settable) {
    return absl::FailedPreconditionError(
        "PJRT_Event_Set: the event was not made by PJRT_Event_Create");
  }
  absl::Status status;
  if (args.error_code != PJRT_Error_Code_OK) {
    TF_ASSIGN_OR_RETURN(ReportedError error,
                        ErrorArgument(args.error_code, args.error_message,
                                      args.error_message_size));
    status = std::move(error.status);
  }
  if (!args.event->event.Set(status)) {
    return absl::FailedPreconditionError(
        "PJRT_Event_Set: the event is ready already");
  }
  return absl::OkStatus();
}

}  // namespace xla::pjrt
