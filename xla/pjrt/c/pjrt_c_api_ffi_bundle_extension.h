// Our own extension: registers FFI handlers of all stages, whereas the FFI
// extension takes only the execute stage. Frameworks that do not know its type
// skip it in the list.

#ifndef XLA_PJRT_C_PJRT_C_API_FFI_BUNDLE_EXTENSION_H_
#define XLA_PJRT_C_PJRT_C_API_FFI_BUNDLE_EXTENSION_H_

#include "xla/pjrt/c/pjrt_c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Far from the numbers of XLA's types.
#define TESSERA_EXTENSION_TYPE_FFI_BUNDLE 0x54460001

// A trait in addition to PJRT_FFI_Handler_TraitsBits: programs that call the
// handler run on the thread that executes them, and end before that call
// returns, unless they wait for data that the host has yet to provide.
#define TESSERA_FFI_HANDLER_TRAIT_RUNS_ON_CALLER (1u << 31)

struct Tessera_FFI_Register_Bundle_Args {
  size_t struct_size;
  const char* target_name;
  size_t target_name_size;
  const char* platform_name;
  size_t platform_name_size;
  // Each an XLA_FFI_Handler*; all but `execute` may be null.
  void* instantiate;
  void* prepare;
  void* initialize;
  void* execute;
  uint32_t traits;
};
PJRT_DEFINE_STRUCT_TRAITS(Tessera_FFI_Register_Bundle_Args, traits);
// Registers the handlers of custom calls of a target.
typedef PJRT_Error* Tessera_FFI_Register_Bundle(
    Tessera_FFI_Register_Bundle_Args* args);

struct Tessera_FFI_Bundle_Extension {
  PJRT_Extension_Base base;
  Tessera_FFI_Register_Bundle* register_bundle;
};
PJRT_DEFINE_STRUCT_TRAITS(Tessera_FFI_Bundle_Extension, register_bundle);

#ifdef __cplusplus
}
#endif

#endif  // XLA_PJRT_C_PJRT_C_API_FFI_BUNDLE_EXTENSION_H_
