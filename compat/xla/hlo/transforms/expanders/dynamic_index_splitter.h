// DynamicIndexSplitter.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_EXPANDERS_DYNAMIC_INDEX_SPLITTER_H_
#define COMPAT_XLA_HLO_TRANSFORMS_EXPANDERS_DYNAMIC_INDEX_SPLITTER_H_

#include "xla/hlo/transforms/expand/dynamic_index_splitter.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_HLO_TRANSFORMS_EXPANDERS_DYNAMIC_INDEX_SPLITTER_H_
