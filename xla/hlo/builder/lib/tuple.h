// Takes tuples apart into trees of ops, and assembles them again.
#ifndef XLA_HLO_BUILDER_LIB_TUPLE_H_
#define XLA_HLO_BUILDER_LIB_TUPLE_H_

#include "absl/status/statusor.h"
#include "xla/core/shape_tree.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// Returns each part of `tuple` as a GetTupleElement at its index, with `tuple`
// at the root. Errors: those of the builder.
absl::StatusOr<ShapeTree<XlaOp>> DisassembleTuple(XlaOp tuple);

// Returns the nested tuple of the leaves; ignores ops that are not leaves. The
// builder keeps errors.
XlaOp AssembleTuple(XlaBuilder* builder, ShapeTree<XlaOp> elements);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_TUPLE_H_
