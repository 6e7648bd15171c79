// Our extension that tells the counters of the compilation cache.
#include "xla/backends/cache/compilation_cache.h"

#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/pjrt_c_api_compilation_cache_extension.h"

namespace xla::pjrt {
namespace {

absl::Status CacheStatistics(Tessera_CompilationCache_Statistics_Args& args) {
  const CompilationCacheStatistics all = CompilationCache::ProcessStatistics();
  args.hits = all.hits;
  args.misses = all.misses;
  args.stores = all.stores;
  args.evictions = all.evictions;
  args.uncached = all.uncached;
  args.errors = all.errors;
  return absl::OkStatus();
}

}  // namespace

PJRT_Extension_Base* CompilationCacheExtension(PJRT_Extension_Base* next) {
  static Tessera_CompilationCache_Extension extension = {
      {Tessera_CompilationCache_Extension_STRUCT_SIZE,
       static_cast<PJRT_Extension_Type>(
           TESSERA_EXTENSION_TYPE_COMPILATION_CACHE),
       nullptr},
      Function<"Tessera_CompilationCache_Statistics",
               Tessera_CompilationCache_Statistics_Args_STRUCT_SIZE,
               CacheStatistics>::Call,
  };
  extension.base.next = next;
  return &extension.base;
}

}  // namespace xla::pjrt
