// The list of extensions.
#include "xla/pjrt/c/extensions/extensions.h"

namespace xla::pjrt {

PJRT_Extension_Base* Extensions() {
  PJRT_Extension_Base* list = nullptr;
  list = ProfilerExtension(list);
  list = CustomPartitionerExtension(list);
  list = CrossHostTransfersExtension(list);
  list = CompilationCacheExtension(list);
  list = InterruptsExtension(list);
  list = FfiBundleExtension(list);
  list = FfiExtension(list);
  list = ShardingsExtension(list);
  list = MemoryDescriptionsExtension(list);
  return LayoutsExtension(list);
}

}  // namespace xla::pjrt
