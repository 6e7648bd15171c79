// cholesky and triangular-solve, matrix by matrix, in double precision.
#include <cmath>
#include <complex>
#include <limits>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/evaluator/linear/linear_algebra.h"
#include "xla/hlo/ops/linear/linear_algebra.h"

namespace xla {
namespace {

double Conjugate(double x) { return x; }
complex128 Conjugate(complex128 x) { return std::conj(x); }

// The sizes and number of the matrices in an array's last two dimensions.
struct Matrices {
  int64_t rows, columns, count = 1;

  explicit Matrices(const Shape& shape)
      : rows(shape.dimensions(shape.rank() - 2)),
        columns(shape.dimensions(shape.rank() - 1)) {
    for (int64_t d = 0; d + 2 < shape.rank(); ++d) {
      count *= shape.dimensions(d);
    }
  }
};

// Replaces a[n,n], of which only the lower triangle is read, by its factor;
// returns false if it is not positive definite.
template <typename T>
bool Factorize(int64_t n, T* a) {
  for (int64_t j = 0; j < n; ++j) {
    double diagonal = std::real(a[j * n + j]);
    for (int64_t l = 0; l < j; ++l) diagonal -= std::norm(a[j * n + l]);
    if (!(diagonal > 0) || std::isinf(diagonal)) return false;
    const double root = std::sqrt(diagonal);
    a[j * n + j] = root;
    for (int64_t i = j + 1; i < n; ++i) {
      T sum = a[i * n + j];
      for (int64_t l = 0; l < j; ++l) {
        sum -= a[i * n + l] * Conjugate(a[j * n + l]);
      }
      a[i * n + j] = sum / root;
    }
  }
  return true;
}

template <typename T>
void CholeskyOf(bool lower, int64_t n, T* a) {
  // The upper factor is the adjoint of the lower one.
  if (!lower) {
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < i; ++j) a[i * n + j] = Conjugate(a[j * n + i]);
    }
  }
  const bool ok = Factorize(n, a);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      T& element = a[i * n + j];
      if (!ok) {
        element = std::numeric_limits<double>::quiet_NaN();
      } else if (j > i) {
        element = lower ? T(0) : Conjugate(a[j * n + i]);
      } else if (j < i && !lower) {
        // Row j, above, has already read this element.
        element = T(0);
      }
    }
  }
}

template <typename T>
void CholeskyAll(bool lower, Literal& a) {
  const Matrices m(a.shape());
  T* data = a.data<T>().data();
  for (int64_t i = 0; i < m.count; ++i) {
    CholeskyOf<T>(lower, m.rows, data + i * m.rows * m.rows);
  }
}

// The system matrix s of s x = b, made of a[n,n]: for the right side,
// x op(a) = b is transposed.
template <typename T>
class System {
 public:
  System(const TriangularSolveOptions& options, int64_t n, const T* a)
      : n_(n),
        a_(a),
        transposed_(
            (options.transpose_a() != TriangularSolveOptions::NO_TRANSPOSE) ==
            options.left_side()),
        conjugated_(options.transpose_a() == TriangularSolveOptions::ADJOINT),
        lower_(options.lower() != transposed_),
        unit_diagonal_(options.unit_diagonal()) {}

  // Replaces b, n elements `stride` apart, by x.
  void Solve(T* b, int64_t stride) const {
    for (int64_t step = 0; step < n_; ++step) {
      const int64_t i = lower_ ? step : n_ - 1 - step;
      T sum = b[i * stride];
      const int64_t begin = lower_ ? 0 : i + 1;
      const int64_t end = lower_ ? i : n_;
      for (int64_t j = begin; j < end; ++j) sum -= At(i, j) * b[j * stride];
      b[i * stride] = unit_diagonal_ ? sum : sum / At(i, i);
    }
  }

 private:
  T At(int64_t i, int64_t j) const {
    const T value = transposed_ ? a_[j * n_ + i] : a_[i * n_ + j];
    return conjugated_ ? Conjugate(value) : value;
  }

  int64_t n_;
  const T* a_;
  bool transposed_, conjugated_, lower_, unit_diagonal_;
};

template <typename T>
void SolveAll(const TriangularSolveOptions& options, const Literal& a,
              Literal& b) {
  const Matrices m(b.shape());
  const int64_t n = Matrices(a.shape()).rows;
  T* data = b.data<T>().data();
  for (int64_t i = 0; i < m.count; ++i) {
    const System<T> system(options, n, a.data<T>().data() + i * n * n);
    T* matrix = data + i * m.rows * m.columns;
    if (options.left_side()) {
      for (int64_t j = 0; j < m.columns; ++j) {
        system.Solve(matrix + j, m.columns);
      }
    } else {
      for (int64_t j = 0; j < m.rows; ++j) {
        system.Solve(matrix + j * m.columns, 1);
      }
    }
  }
}

PrimitiveType DoubleType(const Literal& array) {
  return primitive_util::IsComplexType(array.shape().element_type()) ? C128
                                                                     : F64;
}

}  // namespace

absl::StatusOr<Literal> EvaluateCholesky(const HloInstruction& hlo,
                                         Operands operands) {
  const bool lower = hlo.attrs<CholeskyAttrs>().cholesky_options.lower();
  TF_ASSIGN_OR_RETURN(Literal a,
                      operands[0]->Convert(DoubleType(*operands[0])));
  if (a.shape().element_type() == C128) {
    CholeskyAll<complex128>(lower, a);
  } else {
    CholeskyAll<double>(lower, a);
  }
  return a.Convert(operands[0]->shape().element_type());
}

absl::StatusOr<Literal> EvaluateTriangularSolve(const HloInstruction& hlo,
                                                Operands operands) {
  const TriangularSolveOptions& options =
      hlo.attrs<TriangularSolveAttrs>().triangular_solve_options;
  const PrimitiveType type = DoubleType(*operands[0]);
  TF_ASSIGN_OR_RETURN(Literal a, operands[0]->Convert(type));
  TF_ASSIGN_OR_RETURN(Literal b, operands[1]->Convert(type));
  if (type == C128) {
    SolveAll<complex128>(options, a, b);
  } else {
    SolveAll<double>(options, a, b);
  }
  return b.Convert(operands[1]->shape().element_type());
}

}  // namespace xla
