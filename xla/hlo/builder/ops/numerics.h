// Linear algebra, Fourier transforms, batch normalization, random numbers,
// sorting. All functions: errors are kept in the builder. Shapes and sources:
// linear_algebra.h, batch_norm.h, random.h and sorting.h in hlo/ops.
#ifndef XLA_HLO_BUILDER_OPS_NUMERICS_H_
#define XLA_HLO_BUILDER_OPS_NUMERICS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

XlaOp Fft(XlaOp operand, FftType fft_type,
          absl::Span<const int64_t> fft_length);
// Returns x of op(a) x = b (left_side) or x op(a) = b.
XlaOp TriangularSolve(XlaOp a, XlaOp b, bool left_side, bool lower,
                      bool unit_diagonal,
                      TriangularSolveOptions::Transpose transpose_a);
XlaOp Cholesky(XlaOp a, bool lower);

// Returns (normalized, mean, variance).
XlaOp BatchNormTraining(XlaOp operand, XlaOp scale, XlaOp offset, float epsilon,
                        int64_t feature_index);
XlaOp BatchNormInference(XlaOp operand, XlaOp scale, XlaOp offset, XlaOp mean,
                         XlaOp variance, float epsilon, int64_t feature_index);
// Returns (grad_operand, grad_scale, grad_offset).
XlaOp BatchNormGrad(XlaOp operand, XlaOp scale, XlaOp batch_mean,
                    XlaOp batch_var, XlaOp grad_output, float epsilon,
                    int64_t feature_index);

// The operands are the scalar parameters of the distribution; uniform in [a,
// b).
XlaOp RngNormal(XlaOp mu, XlaOp sigma, const Shape& shape);
XlaOp RngUniform(XlaOp a, XlaOp b, const Shape& shape);
// Returns (next state, bits); the bits are unsigned integers as wide as the
// elements of `shape`. Errors: rng_bits_c1 if those are not integers.
XlaOp RngBitGenerator(RandomAlgorithm algorithm, XlaOp initial_state,
                      const Shape& shape);

// Sorts along a dimension; -1 is the last. The comparator takes two scalars of
// each operand and returns whether the first come before the second. Errors:
// sort_last_c1 for scalars.
XlaOp Sort(absl::Span<const XlaOp> operands,
           const CalledComputation& comparator, int64_t dimension = -1,
           bool is_stable = false);
// Returns (values, s32 indices) along the last dimension.
XlaOp TopK(XlaOp operand, int64_t k, bool largest);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_NUMERICS_H_
