// Our extension that ends what the plugin compiles and runs.
#include "xla/pjrt/run/interrupts.h"

#include "absl/time/time.h"
#include "xla/base/control/cancellation.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/pjrt_c_api_interrupts_extension.h"

namespace xla::pjrt {
namespace {

absl::Status CancelAll(Tessera_Interrupts_Cancel_Args& args) {
  CancellationSource::OfProcess().Cancel();
  return absl::OkStatus();
}

absl::Status CancelAllOnSignal(Tessera_Interrupts_CancelOnSignal_Args& args) {
  return CancelOnSignal(args.signal, absl::Nanoseconds(args.grace_ns));
}

}  // namespace

PJRT_Extension_Base* InterruptsExtension(PJRT_Extension_Base* next) {
  static Tessera_Interrupts_Extension extension = {
      {Tessera_Interrupts_Extension_STRUCT_SIZE,
       static_cast<PJRT_Extension_Type>(TESSERA_EXTENSION_TYPE_INTERRUPTS),
       nullptr},
      Function<"Tessera_Interrupts_Cancel",
               Tessera_Interrupts_Cancel_Args_STRUCT_SIZE, CancelAll>::Call,
      Function<"Tessera_Interrupts_CancelOnSignal",
               Tessera_Interrupts_CancelOnSignal_Args_STRUCT_SIZE,
               CancelAllOnSignal>::Call,
  };
  extension.base.next = next;
  return &extension.base;
}

}  // namespace xla::pjrt
