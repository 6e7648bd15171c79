// cholesky and triangular-solve, matrix by matrix: large real ones by the
// kernels, the others through LAPACK and BLAS. A row-major matrix is the
// transpose of the column-major one in its memory.
#include "xla/backends/cpu/kernels/cholesky_triangular_solve.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/lapack_kernels.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/runtime/linalg/lapack.h"

namespace xla::cpu {
namespace {

// A batch of matrices: the last two dimensions, of 31 bits each.
struct Matrices {
  int64_t count = 1;
  int rows = 0;
  int columns = 0;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  int64_t elements() const { return int64_t{rows} * columns; }
  int64_t bytes() const { return elements() * LiteralElementBytes(type); }
};

absl::StatusOr<Matrices> MatricesOf(const HloInstruction& hlo,
                                    const Shape& shape) {
  Matrices matrices;
  matrices.type = shape.element_type();
  const int64_t rows = shape.dimensions(shape.rank() - 2);
  const int64_t columns = shape.dimensions(shape.rank() - 1);
  if (rows > std::numeric_limits<int>::max() ||
      columns > std::numeric_limits<int>::max()) {
    return absl::UnimplementedError(
        absl::StrCat(hlo.name(), ": matrices of ", rows, " x ", columns,
                     " are beyond what LAPACK counts"));
  }
  matrices.rows = static_cast<int>(rows);
  matrices.columns = static_cast<int>(columns);
  for (int64_t d = 0; d + 2 < shape.rank(); ++d) {
    matrices.count *= shape.dimensions(d);
  }
  return matrices;
}

// The type that LAPACK computes in: its own, or doubles.
PrimitiveType TypeOfWork(PrimitiveType type) {
  switch (type) {
    case F32:
    case F64:
    case C64:
    case C128:
      return type;
    default:
      return F64;
  }
}

// Items of a task: enough to be worth a switch of threads.
int64_t ItemsPerTask(int64_t flops_per_item) {
  return std::max<int64_t>(1, 200000 / std::max<int64_t>(flops_per_item, 1));
}

void ForEachMatrix(ParallelRunner& runner, int64_t count, int64_t flops,
                   absl::FunctionRef<void(int64_t)> fn) {
  const int64_t per_task = ItemsPerTask(flops);
  const int64_t tasks = CeilOfRatio(count, per_task);
  const auto run_task = [&](int64_t task) {
    const int64_t end = std::min(count, (task + 1) * per_task);
    for (int64_t i = task * per_task; i < end; ++i) fn(i);
  };
  if (tasks == 1) {
    run_task(0);
  } else if (tasks > 1) {
    runner.ParallelFor(tasks, run_task);
  }
}

// Bytes of scratch up to which there are as many slots as threads.
constexpr int64_t kMaxScratchBytes = int64_t{64} << 20;
constexpr int64_t kFewSlots = 8;

// Large matrices that are worked on at once, each with scratch of its own. What
// is within them is divided as well, so that few keep all threads busy.
int64_t WorkerSlots(const Matrices& matrices, int64_t scratch_bytes,
                    int num_threads) {
  const int64_t most = std::max(
      kMaxScratchBytes / std::max<int64_t>(scratch_bytes, 1), kFewSlots);
  return std::min({matrices.count, most, int64_t{num_threads}});
}

// fn(matrix, slot).
void ForEachLarge(ParallelRunner& runner, const Matrices& matrices,
                  int64_t scratch_bytes,
                  absl::FunctionRef<void(int64_t, int64_t)> fn) {
  const int64_t slots =
      WorkerSlots(matrices, scratch_bytes, runner.num_threads());
  runner.ParallelFor(slots, [&](int64_t slot) {
    for (int64_t i = matrices.count * slot / slots;
         i < matrices.count * (slot + 1) / slots; ++i) {
      fn(i, slot);
    }
  });
}

void CopyUnlessSame(const char* from, char* to, int64_t bytes) {
  if (from != to) std::memcpy(to, from, bytes);
}

int64_t SaturatedProduct(int64_t a, int64_t b, int64_t c) {
  const double product = static_cast<double>(a) * b * c;
  return product < 1e15 ? a * b * c : int64_t{1000000000000000};
}

// What is left to do when a[n,n] has its factor, or has none: then it is nan.
template <typename T>
void FinishFactor(bool ok, bool lower, int64_t n, T* a) {
  // Some versions of LAPACK let nan and infinity pass.
  for (int64_t i = 0; ok && i < n; ++i) {
    const auto diagonal = std::real(a[i * n + i]);
    ok = diagonal > 0 && std::isfinite(diagonal);
  }
  if (!ok) {
    std::fill_n(a, n * n, T(std::numeric_limits<linalg::Real<T>>::quiet_NaN()));
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    if (lower) {
      std::fill(a + i * n + i + 1, a + (i + 1) * n, T(0));
    } else {
      std::fill(a + i * n, a + i * n + i, T(0));
    }
  }
}

// The factor of a[n,n] in place.
template <typename T>
void Factorize(bool lower, int n, char* memory) {
  T* a = reinterpret_cast<T*>(memory);
  const char uplo = lower ? 'U' : 'L';
  int info = 0;
  linalg::Lapack<T>::potrf(&uplo, &n, a, &n, &info, 1);
  FinishFactor(info == 0, lower, n, a);
}

void FactorizeAs(PrimitiveType type, bool lower, int n, char* memory) {
  if (n == 0) return;
  switch (type) {
    case F32:
      return Factorize<float>(lower, n, memory);
    case C64:
      return Factorize<std::complex<float>>(lower, n, memory);
    case C128:
      return Factorize<std::complex<double>>(lower, n, memory);
    default:
      return Factorize<double>(lower, n, memory);
  }
}

class CholeskyThunk : public Thunk {
 public:
  CholeskyThunk(std::string name, bool lower, Matrices a, Slice operand,
                Slice result)
      : Thunk(std::move(name)),
        lower_(lower),
        a_(a),
        operand_(operand),
        result_(result) {}
  absl::string_view kind() const override { return "cholesky"; }
  int64_t scratch_bytes(int num_threads) const override {
    return HasCholeskyKernel(a_.type, a_.rows)
               ? WorkerSlots(a_, ScratchBytes(), num_threads) * ScratchBytes()
               : 0;
  }

  BufferUses buffer_uses() const override {
    return BufferUses().Read(operand_).Write(result_);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    const char* from = run.At(operand_);
    char* to = run.At(result_);
    if (HasCholeskyKernel(a_.type, a_.rows)) {
      RunLarge(run, from, to);
      return ThunkResult{here + 1};
    }
    const int64_t flops = SaturatedProduct(a_.rows, a_.rows, a_.rows) / 3;
    ForEachMatrix(run.runner(), a_.count, flops, [&](int64_t i) {
      const int64_t offset = i * a_.bytes();
      if (a_.bytes() > 0) RunOne(from + offset, to + offset);
    });
    return ThunkResult{here + 1};
  }

 private:
  void RunOne(const char* from, char* to) const {
    const PrimitiveType type = TypeOfWork(a_.type);
    if (type == a_.type) {
      CopyUnlessSame(from, to, a_.bytes());
      FactorizeAs(type, lower_, a_.rows, to);
      return;
    }
    std::vector<double> work(a_.elements());
    char* memory = reinterpret_cast<char*>(work.data());
    ConvertElements(a_.type, from, type, memory, a_.elements());
    FactorizeAs(type, lower_, a_.rows, memory);
    ConvertElements(type, memory, a_.type, to, a_.elements());
  }

  int64_t ScratchBytes() const {
    return static_cast<int64_t>(CholeskyOfTriangleBytes(a_.type, a_.rows));
  }

  void RunLarge(DeviceRun& run, const char* from, char* to) const {
    ForEachLarge(run.runner(), a_, ScratchBytes(),
                 [&](int64_t i, int64_t slot) {
                   char* const a = to + i * a_.bytes();
                   char* const scratch = run.scratch() + slot * ScratchBytes();
                   CopyUnlessSame(from + i * a_.bytes(), a, a_.bytes());
                   if (a_.type == F32) {
                     FactorizeLarge<float>(run.runner(), a, scratch);
                   } else {
                     FactorizeLarge<double>(run.runner(), a, scratch);
                   }
                 });
  }

  template <typename T>
  void FactorizeLarge(ParallelRunner& runner, char* a, char* scratch) const {
    T* const matrix = reinterpret_cast<T*>(a);
    CholeskyOfTriangle(a_.type, lower_, a_.rows, a, scratch, runner);
    FinishFactor(/*ok=*/true, lower_, a_.rows, matrix);
  }

  const bool lower_;
  const Matrices a_;
  const Slice operand_;
  const Slice result_;
};

// x of op(a) x = b or x op(a) = b, in place of b. Transposed: x' op(a)' = b'.
template <typename T>
void Solve(const TriangularSolveOptions& options, const char* a_memory,
           const Matrices& b, char* b_memory) {
  const char side = options.left_side() ? 'R' : 'L';
  const char uplo = options.lower() ? 'U' : 'L';
  const char diagonal = options.unit_diagonal() ? 'U' : 'N';
  const char op =
      options.transpose_a() == TriangularSolveOptions::TRANSPOSE ? 'T'
      : options.transpose_a() == TriangularSolveOptions::ADJOINT ? 'C'
                                                                 : 'N';
  const int n = options.left_side() ? b.rows : b.columns;
  const T one = 1;
  linalg::Lapack<T>::trsm(&side, &uplo, &op, &diagonal, &b.columns, &b.rows,
                          &one, reinterpret_cast<const T*>(a_memory), &n,
                          reinterpret_cast<T*>(b_memory), &b.columns, 1, 1, 1,
                          1);
}

void SolveAs(PrimitiveType type, const TriangularSolveOptions& options,
             const char* a, const Matrices& b, char* x) {
  switch (type) {
    case F32:
      return Solve<float>(options, a, b, x);
    case C64:
      return Solve<std::complex<float>>(options, a, b, x);
    case C128:
      return Solve<std::complex<double>>(options, a, b, x);
    default:
      return Solve<double>(options, a, b, x);
  }
}

class TriangularSolveThunk : public Thunk {
 public:
  TriangularSolveThunk(std::string name, TriangularSolveOptions options,
                       Matrices a, Matrices b, Slice a_slice, Slice b_slice,
                       Slice result)
      : Thunk(std::move(name)),
        options_(std::move(options)),
        a_(a),
        b_(b),
        a_slice_(a_slice),
        b_slice_(b_slice),
        result_(result) {
    desc_.type = a.type;
    desc_.left = options_.left_side();
    desc_.lower = options_.lower();
    desc_.transposed =
        options_.transpose_a() == TriangularSolveOptions::TRANSPOSE ||
        options_.transpose_a() == TriangularSolveOptions::ADJOINT;
    desc_.unit_diagonal = options_.unit_diagonal();
    desc_.rows = b.rows;
    desc_.columns = b.columns;
  }
  absl::string_view kind() const override { return "triangular-solve"; }
  int64_t scratch_bytes(int num_threads) const override {
    return IsLarge()
               ? WorkerSlots(b_, ScratchBytes(), num_threads) * ScratchBytes()
               : 0;
  }

  BufferUses buffer_uses() const override {
    return BufferUses().Read(a_slice_).Read(b_slice_).Write(result_);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    const char* a = run.At(a_slice_);
    const char* b = run.At(b_slice_);
    char* x = run.At(result_);
    if (IsLarge()) {
      ForEachLarge(run.runner(), b_, ScratchBytes(),
                   [&](int64_t i, int64_t slot) {
                     char* const own = x + i * b_.bytes();
                     CopyUnlessSame(b + i * b_.bytes(), own, b_.bytes());
                     TriangularSolve(desc_, a + i * a_.bytes(), own,
                                     run.scratch() + slot * ScratchBytes(),
                                     run.runner());
                   });
      return ThunkResult{here + 1};
    }
    const int64_t flops = SaturatedProduct(a_.rows, b_.rows, b_.columns);
    ForEachMatrix(run.runner(), b_.count, flops, [&](int64_t i) {
      if (b_.bytes() == 0) return;
      RunOne(a + i * a_.bytes(), b + i * b_.bytes(), x + i * b_.bytes());
    });
    return ThunkResult{here + 1};
  }

 private:
  void RunOne(const char* a, const char* b, char* x) const {
    const PrimitiveType type = TypeOfWork(a_.type);
    if (type == a_.type) {
      CopyUnlessSame(b, x, b_.bytes());
      SolveAs(type, options_, a, b_, x);
      return;
    }
    std::vector<double> wide_a(a_.elements()), wide_x(b_.elements());
    ConvertElements(a_.type, a, type, wide_a.data(), a_.elements());
    ConvertElements(b_.type, b, type, wide_x.data(), b_.elements());
    SolveAs(type, options_, reinterpret_cast<const char*>(wide_a.data()), b_,
            reinterpret_cast<char*>(wide_x.data()));
    ConvertElements(type, wide_x.data(), b_.type, x, b_.elements());
  }

  bool IsLarge() const { return HasSolveKernel(desc_); }
  int64_t ScratchBytes() const {
    return static_cast<int64_t>(TriangularSolveScratchBytes(desc_));
  }

  const TriangularSolveOptions options_;
  TriangularDesc desc_;
  const Matrices a_, b_;
  const Slice a_slice_, b_slice_, result_;
};

}  // namespace

ThunkOr EmitCholeskyThunk(const HloInstruction& hlo,
                          const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  TF_ASSIGN_OR_RETURN(const Matrices a, MatricesOf(hlo, hlo.shape()));
  TF_ASSIGN_OR_RETURN(const Slice from, context.SliceOf(*hlo.operand(0), 0));
  TF_ASSIGN_OR_RETURN(const Slice to, context.SliceOf(hlo, 0));
  return std::make_unique<CholeskyThunk>(
      hlo.name(), hlo.attrs<CholeskyAttrs>().cholesky_options.lower(), a, from,
      to);
}

ThunkOr EmitTriangularSolveThunk(const HloInstruction& hlo,
                                 const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  TF_ASSIGN_OR_RETURN(const Matrices a,
                      MatricesOf(hlo, hlo.operand(0)->shape()));
  TF_ASSIGN_OR_RETURN(const Matrices b, MatricesOf(hlo, hlo.shape()));
  if (a.type != b.type) {
    return absl::UnimplementedError(absl::StrCat(
        hlo.name(), ": triangular-solve of operands of different types"));
  }
  TF_ASSIGN_OR_RETURN(const Slice a_slice, context.SliceOf(*hlo.operand(0), 0));
  TF_ASSIGN_OR_RETURN(const Slice b_slice, context.SliceOf(*hlo.operand(1), 0));
  TF_ASSIGN_OR_RETURN(const Slice to, context.SliceOf(hlo, 0));
  return std::make_unique<TriangularSolveThunk>(
      hlo.name(), hlo.attrs<TriangularSolveAttrs>().triangular_solve_options, a,
      b, a_slice, b_slice, to);
}

}  // namespace xla::cpu
