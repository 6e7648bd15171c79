#include "xla/hlo/ir/instruction/dfs_hlo_visitor.h"  // IWYU pragma: export
