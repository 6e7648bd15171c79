// Everything that a client needs to build a program: XlaBuilder and the
// functions that add ops to it, by family in ops/.
#ifndef XLA_HLO_BUILDER_XLA_BUILDER_H_
#define XLA_HLO_BUILDER_XLA_BUILDER_H_

#include "xla/core/array/array.h"
#include "xla/core/array/array2d.h"
#include "xla/core/array/array3d.h"
#include "xla/core/array/array4d.h"
#include "xla/core/comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/builder.h"
#include "xla/hlo/builder/computation_forms.h"
#include "xla/hlo/builder/ops/collectives.h"
#include "xla/hlo/builder/ops/contraction.h"
#include "xla/hlo/builder/ops/control_flow.h"
#include "xla/hlo/builder/ops/convolution.h"
#include "xla/hlo/builder/ops/custom_call.h"
#include "xla/hlo/builder/ops/elementwise.h"
#include "xla/hlo/builder/ops/internal_ops.h"
#include "xla/hlo/builder/ops/numerics.h"
#include "xla/hlo/builder/ops/reduction.h"
#include "xla/hlo/builder/ops/reshape.h"
#include "xla/hlo/builder/ops/slicing.h"
#include "xla/hlo/builder/ops/transfers.h"
#include "xla/hlo/builder/ops/values.h"
#include "xla/hlo/builder/padding.h"
#include "xla/hlo/builder/reduction_forms.h"
#include "xla/hlo/builder/scoped_assignments.h"
#include "xla/hlo/builder/spmd_shapes.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/builder/xla_op.h"

#endif  // XLA_HLO_BUILDER_XLA_BUILDER_H_
