// Computations of two scalars, as reductions need them, and the reductions Any,
// ArgMax and ArgMin. All functions: errors are kept in the builder.
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

// (T[], T[]) -> what `generator` makes of the two parameters, built beside
// `builder`.
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
// One for which f(x, 0) = x: or for PRED, add for numbers.
XlaComputation CreateScalarIdentityWithZeroComputation(PrimitiveType type,
                                                       XlaBuilder* builder);

// pred[...] -> pred[]: whether any element holds; false if there is none.
XlaOp Any(XlaOp predicates);

// The index, of type `output_type`, of the greatest or least element along
// `axis`, which goes away. The first of equal ones; the first NaN if there is
// one. Errors: arg_min_max_c1 where `axis` is no dimension.
XlaOp ArgMax(XlaOp input, PrimitiveType output_type, int axis);
XlaOp ArgMin(XlaOp input, PrimitiveType output_type, int axis);
XlaOp ArgMinMax(XlaOp input, PrimitiveType output_type, int axis, bool is_min);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_ARITHMETIC_H_
