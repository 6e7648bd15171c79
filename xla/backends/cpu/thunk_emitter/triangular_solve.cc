// Emits triangular-solve: with the kernel for batches of small real matrices,
// else matrix by matrix, with the kernel for large real ones or with BLAS. A
// row-major matrix is the transpose of the column-major one in its memory.
#include "xla/backends/cpu/kernels/triangular_solve.h"

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/kernels/small_matrices.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/matrix_batch.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/runtime/linalg/lapack.h"

namespace xla::cpu {
namespace {

// Solves op(a) x = b or x op(a) = b, in place of b. As column-major matrices
// these are transposed: x' op(a)' = b'.
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

TriangularDesc DescOf(const TriangularSolveOptions& options,
                      const Matrices& b) {
  TriangularDesc desc;
  desc.type = b.type;
  desc.left = options.left_side();
  desc.lower = options.lower();
  desc.transposed =
      options.transpose_a() == TriangularSolveOptions::TRANSPOSE ||
      options.transpose_a() == TriangularSolveOptions::ADJOINT;
  desc.unit_diagonal = options.unit_diagonal();
  desc.rows = b.rows;
  desc.columns = b.columns;
  return desc;
}

class TriangularSolveThunk : public Thunk {
 public:
  // `a` and `b` have one type.
  TriangularSolveThunk(std::string name, TriangularSolveOptions options,
                       Matrices a, Matrices b, Slice a_slice, Slice b_slice,
                       Slice result, const KernelTarget& target)
      : Thunk(std::move(name)),
        options_(std::move(options)),
        a_(a),
        b_(b),
        a_slice_(a_slice),
        b_slice_(b_slice),
        result_(result),
        target_(target) {
    const TriangularDesc desc = DescOf(options_, b);
    is_small_ = HasSmallTriangleKernel(desc, b.count);
    if (is_small_ || !HasTriangularSolveKernel(desc)) return;
    plan_.emplace(desc, target);
    slot_bytes_ = static_cast<int64_t>(plan_->ScratchBytes());
  }
  absl::string_view kind() const override { return "triangular-solve"; }
  int64_t scratch_bytes(int num_threads) const override {
    return plan_.has_value()
               ? MatrixSlots(b_, slot_bytes_, num_threads) * slot_bytes_
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
    if (is_small_) {
      CopyUnlessSame(b, x, b_.count * b_.bytes());
      SolveSmallTriangles(DescOf(options_, b_), b_.count, a, x, target_,
                          run.runner());
      return ThunkResult{here + 1};
    }
    if (plan_.has_value()) {
      ForEachLargeMatrix(
          run.runner(), b_, slot_bytes_, [&](int64_t i, int64_t slot) {
            char* const own = x + i * b_.bytes();
            CopyUnlessSame(b + i * b_.bytes(), own, b_.bytes());
            plan_->Run(a + i * a_.bytes(), own,
                       run.scratch() + slot * slot_bytes_, run.runner());
          });
      return ThunkResult{here + 1};
    }
    const int64_t flops = SaturatedProduct(a_.rows, b_.rows, b_.columns);
    ForEachMatrix(
        run.runner(), b_.count, flops, target_.task_ns, [&](int64_t i) {
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

  const TriangularSolveOptions options_;
  const Matrices a_, b_;
  const Slice a_slice_, b_slice_, result_;
  const KernelTarget target_;
  bool is_small_ = false;  // has the kernel for batches of small matrices
  std::optional<TriangularSolvePlan> plan_;  // of large matrices
  int64_t slot_bytes_ = 0;                   // that it needs
};

}  // namespace

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
      b, a_slice, b_slice, to, context.kernel_target());
}

}  // namespace xla::cpu
