// fft: transforms the lines of an array, one dimension after the other.
#include <complex>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/linear/fft_plan.h"
#include "xla/hlo/evaluator/linear/linear_algebra.h"
#include "xla/hlo/ops/linear/linear_algebra.h"

namespace xla {
namespace {

// Transforms a line. The transform of a real line equals its reversed
// conjugate; it is made so exactly, despite rounding.
void TransformLine(FftPlan& plan, bool inverse, std::vector<complex128>& line) {
  const bool is_real =
      absl::c_all_of(line, [](complex128 z) { return z.imag() == 0; });
  plan.Transform(line.data(), inverse);
  if (!is_real) return;
  const size_t n = line.size();
  line[0] = line[0].real();
  for (size_t k = 1; 2 * k <= n; ++k) {
    line[n - k] = 2 * k == n ? line[k].real() : std::conj(line[k]);
  }
}

// Transforms the lines along `dim` of an array with these dimensions.
void TransformDimension(absl::Span<const int64_t> dims, int64_t dim,
                        bool inverse, complex128* data) {
  const int64_t n = dims[dim];
  int64_t inner = 1, outer = 1;
  for (int64_t d = 0; d < dim; ++d) outer *= dims[d];
  for (size_t d = dim + 1; d < dims.size(); ++d) inner *= dims[d];
  FftPlan plan(n);
  std::vector<complex128> line(n);
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      complex128* first = data + o * n * inner + i;
      for (int64_t k = 0; k < n; ++k) line[k] = first[k * inner];
      TransformLine(plan, inverse, line);
      for (int64_t k = 0; k < n; ++k) first[k * inner] = line[k];
    }
  }
}

// Transforms real lines of n elements to the first n / 2 + 1 elements of their
// transforms; the others are the conjugates of these.
void TransformRealLines(int64_t lines, int64_t n, const double* in,
                        complex128* out) {
  FftPlan plan(n);
  std::vector<complex128> line(n);
  const int64_t half = n / 2 + 1;
  for (int64_t i = 0; i < lines; ++i) {
    for (int64_t k = 0; k < n; ++k) line[k] = in[i * n + k];
    TransformLine(plan, /*inverse=*/false, line);
    for (int64_t k = 0; k < half; ++k) out[i * half + k] = line[k];
  }
}

// The inverse of TransformRealLines.
void TransformToRealLines(int64_t lines, int64_t n, const complex128* in,
                          double* out) {
  FftPlan plan(n);
  std::vector<complex128> line(n);
  const int64_t half = n / 2 + 1;
  for (int64_t i = 0; i < lines; ++i) {
    for (int64_t k = 0; k < half; ++k) line[k] = in[i * half + k];
    for (int64_t k = half; k < n; ++k) line[k] = std::conj(line[n - k]);
    plan.Transform(line.data(), /*inverse=*/true);
    for (int64_t k = 0; k < n; ++k) out[i * n + k] = line[k].real();
  }
}

template <typename T>
void Scale(double factor, absl::Span<T> values) {
  for (T& value : values) value *= factor;
}

}  // namespace

absl::StatusOr<Literal> EvaluateFft(const HloInstruction& hlo,
                                    Operands operands) {
  const FftAttrs& attrs = hlo.attrs<FftAttrs>();
  const Shape& shape = hlo.shape();
  if (ShapeUtil::ElementsIn(shape) == 0) return MakeArrayResult(shape);
  const bool inverse = attrs.fft_type == IFFT || attrs.fft_type == IRFFT;
  const int64_t rank = shape.rank();
  const int64_t n = attrs.fft_length.back();
  const int64_t first = rank - static_cast<int64_t>(attrs.fft_length.size());
  double scale = 1;
  for (int64_t length : attrs.fft_length) {
    if (inverse) scale /= static_cast<double>(length);
  }
  Literal values;
  int64_t last = rank - 1;
  if (attrs.fft_type == RFFT) {
    TF_ASSIGN_OR_RETURN(Literal real, operands[0]->Convert(F64));
    TF_ASSIGN_OR_RETURN(
        values, Literal::Make(ShapeUtil::MakeShape(C128, shape.dimensions())));
    TransformRealLines(real.element_count() / n, n, real.data<double>().data(),
                       values.data<complex128>().data());
    --last;
  } else {
    TF_ASSIGN_OR_RETURN(values, operands[0]->Convert(C128));
    if (attrs.fft_type == IRFFT) --last;
  }
  for (int64_t d = last; d >= first; --d) {
    TransformDimension(values.shape().dimensions(), d, inverse,
                       values.data<complex128>().data());
  }
  if (attrs.fft_type == IRFFT) {
    TF_ASSIGN_OR_RETURN(Literal real, Literal::Make(ShapeUtil::MakeShape(
                                          F64, shape.dimensions())));
    TransformToRealLines(real.element_count() / n, n,
                         values.data<complex128>().data(),
                         real.data<double>().data());
    Scale(scale, real.data<double>());
    return real.Convert(shape.element_type());
  }
  if (inverse) Scale(scale, values.data<complex128>());
  return values.Convert(shape.element_type());
}

}  // namespace xla
