// Tuples taken apart into trees of ops, and put together again.
#ifndef XLA_HLO_BUILDER_LIB_TUPLE_H_
#define XLA_HLO_BUILDER_LIB_TUPLE_H_

#include "absl/status/statusor.h"
#include "xla/core/shape_tree.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// Each part of `tuple` as a GetTupleElement at its index; `tuple` at the root.
// Errors: those of the builder.
absl::StatusOr<ShapeTree<XlaOp>> DisassembleTuple(XlaOp tuple);

// The nested tuple of the leaves; ops at other places are not looked at.
// Errors are kept in the builder.
XlaOp AssembleTuple(XlaBuilder* builder, ShapeTree<XlaOp> elements);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_TUPLE_H_
