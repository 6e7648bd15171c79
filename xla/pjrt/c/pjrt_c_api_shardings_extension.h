// The Shardings extension of the PJRT C API: the shardings of a compiled
// program's parameters and outputs, as serialized OpSharding.

#ifndef XLA_PJRT_C_PJRT_C_API_SHARDINGS_EXTENSION_H_
#define XLA_PJRT_C_PJRT_C_API_SHARDINGS_EXTENSION_H_

#include "xla/pjrt/c/pjrt_c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PJRT_API_SHARDINGS_EXTENSION_VERSION 1

struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
  size_t struct_size;
  PJRT_Extension_Base* extension_start;
  PJRT_Executable* executable;
  size_t num_parameters;         // out
  const char* const* shardings;  // out; null if the program has none
  const size_t* sharding_sizes;  // out
};
PJRT_DEFINE_STRUCT_TRAITS(
    PJRT_Shardings_PJRT_Executable_ParameterShardings_Args, sharding_sizes);
// Sharding of each parameter; the executable owns them.
typedef PJRT_Error* PJRT_Shardings_PJRT_Executable_ParameterShardings(
    PJRT_Shardings_PJRT_Executable_ParameterShardings_Args* args);

struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
  size_t struct_size;
  PJRT_Extension_Base* extension_start;
  PJRT_Executable* executable;
  size_t num_outputs;            // out
  const char* const* shardings;  // out; null if the program has none
  const size_t* sharding_sizes;  // out
};
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Shardings_PJRT_Executable_OutputShardings_Args,
                          sharding_sizes);
// Sharding of each output; the executable owns them.
typedef PJRT_Error* PJRT_Shardings_PJRT_Executable_OutputShardings(
    PJRT_Shardings_PJRT_Executable_OutputShardings_Args* args);

struct PJRT_Shardings_Extension {
  PJRT_Extension_Base base;
  PJRT_Shardings_PJRT_Executable_ParameterShardings*
      PJRT_Shardings_PJRT_Executable_ParameterShardings;
  PJRT_Shardings_PJRT_Executable_OutputShardings*
      PJRT_Shardings_PJRT_Executable_OutputShardings;
};
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Shardings_Extension,
                          PJRT_Shardings_PJRT_Executable_OutputShardings);

#ifdef __cplusplus
}
#endif

#endif  // XLA_PJRT_C_PJRT_C_API_SHARDINGS_EXTENSION_H_
