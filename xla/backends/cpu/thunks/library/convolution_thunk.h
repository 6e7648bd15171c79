// The thunk of convolutions.
#ifndef XLA_BACKENDS_CPU_THUNKS_LIBRARY_CONVOLUTION_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_LIBRARY_CONVOLUTION_THUNK_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/kernels/convolutions/convolution.h"
#include "xla/backends/cpu/thunks/library/dot_thunk.h"
#include "xla/backends/cpu/thunks/library/operand_plan.h"
#include "xla/backends/cpu/thunks/library/product_parts.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {

// A convolution in the kernel's form, with copies of operands and of the result
// if they have another one.
class ConvolutionThunk : public Thunk {
 public:
  struct Spec {
    ConvolutionDesc desc;
    KernelTarget target;
    OperandPlan input, kernel;
    OperandPlan result;  // in place with an epilogue
    Epilogue epilogue;
    // A constant kernel that is packed when the thunk is made, unless it has no
    // allocation.
    bool packs_constant = false;
    Slice constant;
  };

  // Returns the constant kernel packed; null if that does not pay. `desc` is
  // without a packed kernel.
  static absl::StatusOr<MemoryChunk> PackConstant(const ConvolutionDesc& desc,
                                                  const KernelTarget& target,
                                                  MakeConstantForm make);

  // `packed_kernel` replaces the kernel unless it is null. Errors: those of
  // ConvolutionPlan::Make.
  static absl::StatusOr<std::unique_ptr<Thunk>> Make(std::string name,
                                                     Spec spec,
                                                     MemoryChunk packed_kernel);
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;

  absl::string_view kind() const override { return "convolution"; }
  std::string algorithm() const override;
  int64_t scratch_bytes(int num_threads) const override;
  BufferUses buffer_uses() const override;
  bool may_run_concurrently() const override { return true; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  ConvolutionThunk(std::string name, Spec spec, MemoryChunk packed_kernel,
                   std::unique_ptr<const ConvolutionPlan> plan);

  const Spec spec_;
  const MemoryChunk packed_kernel_;
  const std::unique_ptr<const ConvolutionPlan> plan_;
  const absl::string_view algorithm_;
  const int64_t input_bytes_, kernel_bytes_, result_bytes_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_LIBRARY_CONVOLUTION_THUNK_H_
