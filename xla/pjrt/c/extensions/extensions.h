// The extensions that the function table lists.
#ifndef XLA_PJRT_C_EXTENSIONS_EXTENSIONS_H_
#define XLA_PJRT_C_EXTENSIONS_EXTENSIONS_H_

#include "xla/pjrt/c/pjrt_c_api.h"

namespace xla::pjrt {

// The head of the list.
PJRT_Extension_Base* Extensions();

// Each makes one link of the list; `next` follows it.
PJRT_Extension_Base* LayoutsExtension(PJRT_Extension_Base* next);
PJRT_Extension_Base* MemoryDescriptionsExtension(PJRT_Extension_Base* next);
PJRT_Extension_Base* ShardingsExtension(PJRT_Extension_Base* next);
PJRT_Extension_Base* FfiExtension(PJRT_Extension_Base* next);
PJRT_Extension_Base* FfiBundleExtension(PJRT_Extension_Base* next);
PJRT_Extension_Base* CompilationCacheExtension(PJRT_Extension_Base* next);
PJRT_Extension_Base* InterruptsExtension(PJRT_Extension_Base* next);
PJRT_Extension_Base* CustomPartitionerExtension(PJRT_Extension_Base* next);
PJRT_Extension_Base* CrossHostTransfersExtension(PJRT_Extension_Base* next);
PJRT_Extension_Base* ProfilerExtension(PJRT_Extension_Base* next);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_EXTENSIONS_EXTENSIONS_H_
