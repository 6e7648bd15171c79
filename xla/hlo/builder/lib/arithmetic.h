// Computations of two scalars, as reductions need them, and the reductions Any,
// ArgMax and ArgMin. The builder keeps errors of all functions.
#ifndef XLA_HLO_BUILDER_LIB_ARITHMETIC_H_
#define XLA_HLO_BUILDER_LIB_ARITHMETIC_H_

#include <functional>
#include <memory>
#include <string>

#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

using XlaOpGenerator = std::function<XlaOp(XlaOp, XlaOp)>;

// Returns (T[], T[]) -> the op that `generator` makes of the two parameters,
// built in a sub-builder of `builder`.
XlaComputation CreateScalarComputation(const std::string& name,
                                       PrimitiveType type, XlaBuilder* builder,
                                       XlaOpGenerator generator);

XlaComputation CreateScalarAddComputation(PrimitiveType type,
                                          XlaBuilder* builder);
XlaComputation CreateScalarMultiplyComputation(PrimitiveType type,
                                               XlaBuilder* builder);
XlaComputation CreateScalarGeComputation(PrimitiveType type,
                                         XlaBuilder* builder);
XlaComputation CreateScalarMaxComputation(PrimitiveType type,
                                          XlaBuilder* builder);
XlaComputation CreateScalarMinComputation(PrimitiveType type,
                                          XlaBuilder* builder);
XlaComputation CreateScalarAndComputation(PrimitiveType type,
                                          XlaBuilder* builder);
XlaComputation CreateScalarOrComputation(PrimitiveType type,
                                         XlaBuilder* builder);
// Returns a computation with f(x, 0) = x: or for PRED, add for numbers.
XlaComputation CreateScalarIdentityWithZeroComputation(PrimitiveType type,
                                                       XlaBuilder* builder);

// pred[...] -> pred[]: true if any element is; false if there are none.
XlaOp Any(XlaOp predicates);

// Return the index, of type `output_type`, of the greatest or least element
// along `axis`, which is removed: the first of equal ones, or the first NaN if
// there is one. Errors: arg_min_max_c1 if `axis` is no dimension.
XlaOp ArgMax(XlaOp input, PrimitiveType output_type, int axis);
XlaOp ArgMin(XlaOp input, PrimitiveType output_type, int axis);
XlaOp ArgMinMax(XlaOp input, PrimitiveType output_type, int axis, bool is_min);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_ARITHMETIC_H_
