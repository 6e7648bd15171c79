// FlattenCallGraph.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_FLATTEN_CALL_GRAPH_H_
#define COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_FLATTEN_CALL_GRAPH_H_

#include "xla/hlo/transforms/simplify/flatten_call_graph.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_FLATTEN_CALL_GRAPH_H_
