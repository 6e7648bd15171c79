// Our own extension: what the compilation cache did. Frameworks that do not
// know its type skip it in the list.

#ifndef XLA_PJRT_C_PJRT_C_API_COMPILATION_CACHE_EXTENSION_H_
#define XLA_PJRT_C_PJRT_C_API_COMPILATION_CACHE_EXTENSION_H_

#include "xla/pjrt/c/pjrt_c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Far from the numbers of XLA's types.
#define TESSERA_EXTENSION_TYPE_COMPILATION_CACHE 0x54460002

struct Tessera_CompilationCache_Statistics_Args {
  size_t struct_size;
  PJRT_Extension_Base* extension_start;
  int64_t hits;       // out
  int64_t misses;     // out
  int64_t stores;     // out
  int64_t evictions;  // out
  int64_t uncached;   // out
  int64_t errors;     // out
};
PJRT_DEFINE_STRUCT_TRAITS(Tessera_CompilationCache_Statistics_Args, errors);
// The counters of all clients that this copy of the plugin has or had; what
// they count is said at CompilationCacheStatistics
// (xla/backends/cache/compilation_cache.h).
typedef PJRT_Error* Tessera_CompilationCache_Statistics(
    Tessera_CompilationCache_Statistics_Args* args);

struct Tessera_CompilationCache_Extension {
  PJRT_Extension_Base base;
  Tessera_CompilationCache_Statistics* statistics;
};
PJRT_DEFINE_STRUCT_TRAITS(Tessera_CompilationCache_Extension, statistics);

#ifdef __cplusplus
}
#endif

#endif  // XLA_PJRT_C_PJRT_C_API_COMPILATION_CACHE_EXTENSION_H_
