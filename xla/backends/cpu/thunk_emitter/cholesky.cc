// Emits cholesky: with the kernel for batches of small real matrices, else
// matrix by matrix, with the kernel for large real ones or with LAPACK. A
// row-major matrix is the transpose of the column-major one in its memory.
#include "xla/backends/cpu/kernels/cholesky.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "xla/backends/cpu/kernels/small_matrices.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/lapack_kernels.h"
#include "xla/backends/cpu/thunk_emitter/matrix_batch.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/runtime/linalg/lapack.h"

namespace xla::cpu {
namespace {

// Clears the other triangle of a[n,n]; if there is no factor, fills a with NaN.
template <typename T>
void FinishFactor(bool ok, bool lower, int64_t n, T* a) {
  // Some versions of LAPACK accept NaN and infinity.
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

// Factors a[n,n] in place.
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
                Slice result, const KernelTarget& target)
      : Thunk(std::move(name)),
        lower_(lower),
        a_(a),
        operand_(operand),
        result_(result),
        target_(target) {
    is_small_ = HasSmallMatrixKernels({a.type, a.count, a.rows, a.columns});
    if (is_small_ || !HasCholeskyKernel(a.type, a.rows)) return;
    plan_.emplace(a.type, a.rows, target);
    slot_bytes_ = static_cast<int64_t>(plan_->ScratchBytes());
  }
  absl::string_view kind() const override { return "cholesky"; }
  int64_t scratch_bytes(int num_threads) const override {
    if (is_small_) return a_.count * int64_t{sizeof(int32_t)};
    return plan_.has_value()
               ? MatrixSlots(a_, slot_bytes_, num_threads) * slot_bytes_
               : 0;
  }

  BufferUses buffer_uses() const override {
    return BufferUses().Read(operand_).Write(result_);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    const char* from = run.At(operand_);
    char* to = run.At(result_);
    if (is_small_) {
      RunSmall(run, from, to);
      return ThunkResult{here + 1};
    }
    if (plan_.has_value()) {
      RunLarge(run, from, to);
      return ThunkResult{here + 1};
    }
    const int64_t flops = SaturatedProduct(a_.rows, a_.rows, a_.rows) / 3;
    ForEachMatrix(run.runner(), a_.count, flops, target_.task_ns,
                  [&](int64_t i) {
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

  void RunSmall(DeviceRun& run, const char* from, char* to) const {
    CopyUnlessSame(from, to, a_.count * a_.bytes());
    FactorSmallCholesky({a_.type, a_.count, a_.rows, a_.columns}, lower_, to,
                        reinterpret_cast<int32_t*>(run.scratch()), target_,
                        run.runner());
    ForEachMatrix(run.runner(), a_.count, a_.elements(), target_.task_ns,
                  [&](int64_t i) { Finish(to + i * a_.bytes()); });
  }

  // Finishes a factor whose diagonal says whether there is one.
  void Finish(char* a) const {
    if (a_.type == F32) {
      FinishFactor(true, lower_, a_.rows, reinterpret_cast<float*>(a));
    } else {
      FinishFactor(true, lower_, a_.rows, reinterpret_cast<double*>(a));
    }
  }

  void RunLarge(DeviceRun& run, const char* from, char* to) const {
    ForEachLargeMatrix(
        run.runner(), a_, slot_bytes_, [&](int64_t i, int64_t slot) {
          char* const a = to + i * a_.bytes();
          CopyUnlessSame(from + i * a_.bytes(), a, a_.bytes());
          CholeskyOfTriangle(*plan_, lower_, a,
                             run.scratch() + slot * slot_bytes_, run.runner());
          Finish(a);
        });
  }

  const bool lower_;
  const Matrices a_;
  const Slice operand_;
  const Slice result_;
  const KernelTarget target_;
  bool is_small_ = false;  // has the kernel for batches of small matrices
  std::optional<CholeskyPlan> plan_;  // of large matrices
  int64_t slot_bytes_ = 0;            // that it needs
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
      to, context.kernel_target());
}

}  // namespace xla::cpu
