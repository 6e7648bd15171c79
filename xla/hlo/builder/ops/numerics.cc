// Linear algebra, transforms, batch normalization, random numbers, sorting.
#include "xla/hlo/builder/ops/numerics.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/ops/reduction/batch_norm.h"

namespace xla {

using builder_internal::BuilderOf;
using builder_internal::Emit;
using builder_internal::EmitOp;

XlaOp Fft(XlaOp operand, FftType fft_type,
          absl::Span<const int64_t> fft_length) {
  return EmitOp(HloOpcode::kFft, {operand},
                FftAttrs{fft_type, {fft_length.begin(), fft_length.end()}});
}

XlaOp TriangularSolve(XlaOp a, XlaOp b, bool left_side, bool lower,
                      bool unit_diagonal,
                      TriangularSolveOptions::Transpose transpose_a) {
  TriangularSolveOptions options;
  options.set_left_side(left_side);
  options.set_lower(lower);
  options.set_unit_diagonal(unit_diagonal);
  options.set_transpose_a(transpose_a);
  return EmitOp(HloOpcode::kTriangularSolve, {a, b},
                TriangularSolveAttrs{options});
}

XlaOp Cholesky(XlaOp a, bool lower) {
  CholeskyOptions options;
  options.set_lower(lower);
  return EmitOp(HloOpcode::kCholesky, {a}, CholeskyAttrs{options});
}

XlaOp BatchNormTraining(XlaOp operand, XlaOp scale, XlaOp offset, float epsilon,
                        int64_t feature_index) {
  return EmitOp(HloOpcode::kBatchNormTraining, {operand, scale, offset},
                BatchNormAttrs{epsilon, feature_index});
}

XlaOp BatchNormInference(XlaOp operand, XlaOp scale, XlaOp offset, XlaOp mean,
                         XlaOp variance, float epsilon, int64_t feature_index) {
  return EmitOp(HloOpcode::kBatchNormInference,
                {operand, scale, offset, mean, variance},
                BatchNormAttrs{epsilon, feature_index});
}

XlaOp BatchNormGrad(XlaOp operand, XlaOp scale, XlaOp batch_mean,
                    XlaOp batch_var, XlaOp grad_output, float epsilon,
                    int64_t feature_index) {
  return EmitOp(HloOpcode::kBatchNormGrad,
                {operand, scale, batch_mean, batch_var, grad_output},
                BatchNormAttrs{epsilon, feature_index});
}

XlaOp RngNormal(XlaOp mu, XlaOp sigma, const Shape& shape) {
  return EmitOp(HloOpcode::kRng, {mu, sigma}, RngAttrs{RNG_NORMAL}, {}, &shape);
}

XlaOp RngUniform(XlaOp a, XlaOp b, const Shape& shape) {
  return EmitOp(HloOpcode::kRng, {a, b}, RngAttrs{RNG_UNIFORM}, {}, &shape);
}

XlaOp RngBitGenerator(RandomAlgorithm algorithm, XlaOp initial_state,
                      const Shape& shape) {
  return Emit(
      BuilderOf({initial_state}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* state, b.GetShapePtr(initial_state));
        // rng_bits_c1: the bits are asked for as integers.
        if (!shape.IsArray() || !ShapeUtil::ElementIsIntegral(shape) ||
            shape.element_type() == PRED) {
          return RuleError("rng_bits_c1",
                           absl::StrCat("random bits have an integer type, "
                                        "got ",
                                        ShapeUtil::HumanString(shape)));
        }
        Shape bits = shape;
        bits.set_element_type(primitive_util::UnsignedIntegralTypeForBitWidth(
            primitive_util::BitWidth(shape.element_type())));
        const Shape result = ShapeUtil::MakeTupleShape({*state, bits});
        return b.AddOp(HloOpcode::kRngBitGenerator, {initial_state},
                       RngBitGeneratorAttrs{algorithm}, {}, &result);
      });
}

XlaOp Sort(absl::Span<const XlaOp> operands,
           const CalledComputation& comparator, int64_t dimension,
           bool is_stable) {
  return Emit(BuilderOf(operands), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    int64_t along = dimension;
    if (along == -1) {
      TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operands[0]));
      // sort_last_c1: an array with a last dimension.
      if (!shape->IsArray() || shape->rank() == 0) {
        return RuleError("sort_last_c1",
                         absl::StrCat(ShapeUtil::HumanString(*shape),
                                      " has no last dimension"));
      }
      along = shape->rank() - 1;
    }
    return b.AddOp(HloOpcode::kSort, operands, SortAttrs{{along}, is_stable},
                   {comparator});
  });
}

XlaOp TopK(XlaOp operand, int64_t k, bool largest) {
  return EmitOp(HloOpcode::kTopK, {operand}, TopKAttrs{k, largest});
}

}  // namespace xla
