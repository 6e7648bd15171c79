// Our own extension: ending what the plugin compiles and runs, on demand or on
// a signal. Frameworks that do not know its type skip it in the list.

#ifndef XLA_PJRT_C_PJRT_C_API_INTERRUPTS_EXTENSION_H_
#define XLA_PJRT_C_PJRT_C_API_INTERRUPTS_EXTENSION_H_

#include "xla/pjrt/c/pjrt_c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Far from the numbers of XLA's types.
#define TESSERA_EXTENSION_TYPE_INTERRUPTS 0x54460003

struct Tessera_Interrupts_Cancel_Args {
  size_t struct_size;
  PJRT_Extension_Base* extension_start;
};
PJRT_DEFINE_STRUCT_TRAITS(Tessera_Interrupts_Cancel_Args, extension_start);
// Ends all runs and compilations of this copy of the plugin that have begun or
// wait to begin: they fail with CANCELLED, at the latest when the kernel that
// runs has ended.
typedef PJRT_Error* Tessera_Interrupts_Cancel(
    Tessera_Interrupts_Cancel_Args* args);

struct Tessera_Interrupts_CancelOnSignal_Args {
  size_t struct_size;
  PJRT_Extension_Base* extension_start;
  int signal;        // SIGINT
  int64_t grace_ns;  // how long results then wait to fail
};
PJRT_DEFINE_STRUCT_TRAITS(Tessera_Interrupts_CancelOnSignal_Args, grace_ns);
// Makes the signal do the same before it does what it did so far
// (CancelOnSignal of xla/pjrt/run/interrupts.h, which has the errors).
typedef PJRT_Error* Tessera_Interrupts_CancelOnSignal(
    Tessera_Interrupts_CancelOnSignal_Args* args);

struct Tessera_Interrupts_Extension {
  PJRT_Extension_Base base;
  Tessera_Interrupts_Cancel* cancel;
  Tessera_Interrupts_CancelOnSignal* cancel_on_signal;
};
PJRT_DEFINE_STRUCT_TRAITS(Tessera_Interrupts_Extension, cancel_on_signal);

#ifdef __cplusplus
}
#endif

#endif  // XLA_PJRT_C_PJRT_C_API_INTERRUPTS_EXTENSION_H_
