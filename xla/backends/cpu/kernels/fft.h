// FftPlan: discrete Fourier transforms of one to three dimensions and any
// lengths, the library kernel of HLO's fft.
#ifndef XLA_BACKENDS_CPU_KERNELS_FFT_H_
#define XLA_BACKENDS_CPU_KERNELS_FFT_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// FFT and IFFT: [batch, lengths...] complex to the same. RFFT: real to
// complex, whose last dimension has lengths.back() / 2 + 1 elements; IRFFT: the
// reverse. Inverse transforms divide by the product of the lengths.
struct FftDesc {
  FftType type = FFT;
  bool wide = false;  // F64 and C128 rather than F32 and C64
  int64_t batch = 1;
  absl::InlinedVector<int64_t, 3> lengths;
};

// Holds everything that does not depend on data: factors, roots of unity, tasks
// and scratch. Immutable, so that several threads may run it at once.
class FftPlan {
 public:
  virtual ~FftPlan() = default;

  // Errors: InvalidArgument for other than one to three lengths, negative or
  // overflowing sizes.
  static absl::StatusOr<std::unique_ptr<const FftPlan>> Make(
      const FftDesc& desc, const KernelTarget& target = KernelTarget());

  // Returns the bytes of scratch, aligned to 64, that Run needs on
  // `num_threads` threads.
  virtual size_t ScratchBytes(int num_threads) const = 0;

  // `out` does not overlap `in`. Bits do not depend on `runner`.
  virtual void Run(const void* in, void* out, void* scratch,
                   ParallelRunner& runner) const = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_FFT_H_
