// Shape rules of cholesky, triangular-solve and fft.
#include "xla/hlo/ops/linear/linear_algebra.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/reduction/window_shape.h"

namespace xla {
namespace {

bool IsFloatOrComplex(const Shape& shape) {
  return shape.IsArray() &&
         (primitive_util::IsFloatingPointType(shape.element_type()) ||
          primitive_util::IsComplexType(shape.element_type()));
}

bool IsSquare(const Shape& shape) {
  const int64_t rank = shape.rank();
  return SizesFit(shape.dimensions(rank - 1), shape.dimensions(rank - 2));
}

absl::StatusOr<Shape> WithDefaultLayout(const Shape& shape,
                                        absl::string_view rule) {
  return MakeResultShape(shape.element_type(), shape.dimensions(),
                         shape.dynamic_dimensions(), rule);
}

// The type of the result; an error where the operand's type does not fit.
absl::StatusOr<PrimitiveType> FftResultType(FftType fft_type,
                                            PrimitiveType operand) {
  switch (fft_type) {
    case FFT:
    case IFFT:
      if (primitive_util::IsComplexType(operand)) return operand;
      break;
    case RFFT:
      if (operand == F32 || operand == F64) {
        return primitive_util::ComplexType(operand);
      }
      break;
    case IRFFT:
      if (operand == C64) return F32;
      if (operand == C128) return F64;
      break;
    default:
      break;
  }
  // fft_c3: FFT, IFFT and IRFFT take complex, RFFT takes f32 or f64 elements.
  return RuleError(
      "fft_c3",
      absl::StrCat("a transform of type ",
                   FftType_IsValid(fft_type) ? FftType_Name(fft_type)
                                             : absl::StrCat(int{fft_type}),
                   " does not take elements of type ",
                   primitive_util::LowercasePrimitiveTypeName(operand)));
}

}  // namespace

absl::StatusOr<Shape> InferCholesky(const InferArgs& args,
                                    const CholeskyAttrs& attrs) {
  const Shape& a = args.operand(0);
  // cholesky_c1: the operand is an array of floating point or complex numbers.
  if (!IsFloatOrComplex(a)) {
    return RuleError("cholesky_c1", absl::StrCat("expected floating point or "
                                                 "complex numbers, got ",
                                                 a.ToString()));
  }
  // cholesky_c2: its rank is at least 2.
  if (a.rank() < 2) {
    return RuleError("cholesky_c2",
                     absl::StrCat("rank must be >= 2, got ", a.ToString()));
  }
  // cholesky_c3: its matrices, the last two dimensions, are square.
  if (!IsSquare(a)) {
    return RuleError("cholesky_c3", absl::StrCat("matrices must be square, "
                                                 "got ",
                                                 a.ToString()));
  }
  return WithDefaultLayout(a, "cholesky_c1");
}

absl::StatusOr<Shape> InferTriangularSolve(const InferArgs& args,
                                           const TriangularSolveAttrs& attrs) {
  const Shape& a = args.operand(0);
  const Shape& b = args.operand(1);
  const TriangularSolveOptions& options = attrs.triangular_solve_options;
  const auto error = [&](absl::string_view rule, absl::string_view message) {
    return RuleError(rule, absl::StrCat(message, ", got a ", a.ToString(),
                                        " and b ", b.ToString()));
  };
  // triangular_solve_c1: a and b hold floating point or complex numbers of the
  // same type.
  if (!IsFloatOrComplex(a) || !IsFloatOrComplex(b) ||
      a.element_type() != b.element_type()) {
    return error("triangular_solve_c1",
                 "operands must be floating point or complex and of one type");
  }
  // triangular_solve_c2: their ranks are the same and at least 2.
  if (a.rank() < 2 || a.rank() != b.rank()) {
    return error("triangular_solve_c2", "ranks must be equal and >= 2");
  }
  // triangular_solve_c3: matrices of a are square.
  if (!IsSquare(a)) {
    return error("triangular_solve_c3", "matrices of a must be square");
  }
  // triangular_solve_c4: a and b share the dimension of the equations.
  const int64_t rank = a.rank();
  const int64_t b_dim = options.left_side() ? rank - 2 : rank - 1;
  if (!SizesFit(a.dimensions(rank - 1), b.dimensions(b_dim))) {
    return error("triangular_solve_c4",
                 absl::StrCat("dimension ", b_dim,
                              " of b must have the size of a's matrices"));
  }
  // triangular_solve_c5: a and b have the same batch dimensions.
  for (int64_t d = 0; d < rank - 2; ++d) {
    if (!SizesFit(a.dimensions(d), b.dimensions(d))) {
      return error("triangular_solve_c5", "batch dimensions must be equal");
    }
  }
  // triangular_solve_c6: transpose_a is NO_TRANSPOSE, TRANSPOSE or ADJOINT.
  const TriangularSolveOptions::Transpose transpose = options.transpose_a();
  if (!TriangularSolveOptions::Transpose_IsValid(transpose) ||
      transpose == TriangularSolveOptions::TRANSPOSE_INVALID) {
    return error("triangular_solve_c6",
                 "transpose_a must be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  }
  return WithDefaultLayout(b, "triangular_solve_c1");
}

absl::StatusOr<Shape> InferFft(const InferArgs& args, const FftAttrs& attrs) {
  const Shape& operand = args.operand(0);
  const int64_t n = attrs.fft_length.size();
  // fft_c1: 1 to 3 dimensions are transformed.
  if (n < 1 || n > 3) {
    return RuleError(
        "fft_c1", absl::StrCat("fft_length must have 1 to 3 sizes, got ", n));
  }
  // fft_c2: the operand is an array with at least these dimensions.
  if (!operand.IsArray() || operand.rank() < n) {
    return RuleError("fft_c2",
                     absl::StrCat("expected an array with at least ", n,
                                  " dimensions, got ", operand.ToString()));
  }
  TF_ASSIGN_OR_RETURN(PrimitiveType type,
                      FftResultType(attrs.fft_type, operand.element_type()));
  Shape result = operand;
  // What has no bound gets the size that the length gives.
  const auto set_size = [&](int64_t d, int64_t size) {
    result.set_dimensions(d, size, operand.is_bounded_dynamic_dimension(d));
  };
  // FFT and IFFT of arrays without elements take any lengths, as in XLA.
  const bool any_length = ShapeUtil::IsZeroElementArray(operand) &&
                          (attrs.fft_type == FFT || attrs.fft_type == IFFT);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t d = operand.rank() - n + i;
    const int64_t length = attrs.fft_length[i];
    int64_t expected = length;
    if (i + 1 == n && attrs.fft_type == IRFFT && length != 0) {
      expected = length / 2 + 1;
      set_size(d, length);
    }
    // fft_c4: lengths are those of the transformed dimensions; the last one of
    // IRFFT has length / 2 + 1 elements.
    if (length < 0 ||
        (!SizesFit(operand.dimensions(d), expected) && !any_length)) {
      return RuleError(
          "fft_c4", absl::StrCat("dimension ", d, " of ", operand.ToString(),
                                 " does not fit ", FftType_Name(attrs.fft_type),
                                 " of lengths {",
                                 absl::StrJoin(attrs.fft_length, ","), "}"));
    }
    if (i + 1 == n && attrs.fft_type == RFFT && length != 0) {
      set_size(d, length / 2 + 1);
    }
  }
  return MakeResultShape(type, result.dimensions(), result.dynamic_dimensions(),
                         "fft_c4");
}

DimensionFactors CholeskyFactors(const FactorArgs& args) {
  const int64_t batch = args.result.rank() - 2;
  return CommonFactors(args, [&](int64_t d) {
    return d < batch ? FactorKind::kPassedThrough : FactorKind::kWhole;
  });
}

DimensionFactors TriangularSolveFactors(const FactorArgs& args,
                                        const TriangularSolveAttrs& attrs) {
  const int64_t rank = args.result.rank();
  // The dimension of b that counts right sides, and the one that is solved for.
  const bool left = attrs.triangular_solve_options.left_side();
  const int64_t sides = left ? rank - 1 : rank - 2;
  DimensionFactors found;
  DimensionFactors::Array a;
  DimensionFactors::Array b;
  for (int64_t d = 0; d < rank; ++d) {
    const bool whole = d >= rank - 2 && d != sides;
    b.push_back(
        found.Add(whole ? FactorKind::kWhole : FactorKind::kPassedThrough,
                  args.result.dimensions(static_cast<int>(d))));
    if (d < rank - 2) a.push_back(b.back());
  }
  for (int d = 0; d < 2; ++d) {
    a.push_back(
        found.Add(FactorKind::kWhole,
                  args.operand(0).dimensions(static_cast<int>(rank) - 2 + d)));
  }
  found.operands = {std::move(a), b};
  found.results = {std::move(b)};
  return found;
}

DimensionFactors FftFactors(const FactorArgs& args, const FftAttrs& attrs) {
  const int64_t batch = static_cast<int64_t>(args.result.rank()) -
                        static_cast<int64_t>(attrs.fft_length.size());
  return CommonFactors(args, [&](int64_t d) {
    return d < batch ? FactorKind::kPassedThrough : FactorKind::kWhole;
  });
}

}  // namespace xla
