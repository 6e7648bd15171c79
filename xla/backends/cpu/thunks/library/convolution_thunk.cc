// Runs plans of convolutions.
#include "xla/backends/cpu/thunks/library/convolution_thunk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/library/kernel_fields.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {

template <typename Archive>
void Fields(Archive& archive, ConvolutionThunk::Spec& spec) {
  archive(spec.desc, spec.target, spec.input, spec.kernel, spec.result,
          spec.epilogue, spec.packs_constant, spec.constant);
}

absl::StatusOr<MemoryChunk> ConvolutionThunk::PackConstant(
    const ConvolutionDesc& desc, const KernelTarget& target,
    MakeConstantForm make) {
  const size_t bytes = PackedConvolutionKernelBytes(desc, target);
  if (bytes == 0) return MemoryChunk();
  const std::string form = absl::StrCat(
      "convolution ", static_cast<int>(desc.input), " ",
      static_cast<int>(desc.kernel), " ", static_cast<int>(desc.out), " ",
      desc.feature_groups, " ", desc.batch_groups);
  return make(form, bytes, [&](const void* elements, void* to) {
    PackConvolutionKernel(desc, target, elements, to);
  });
}

ConvolutionThunk::ConvolutionThunk(std::string name, Spec spec,
                                   MemoryChunk packed_kernel,
                                   std::unique_ptr<const ConvolutionPlan> plan)
    : Thunk(std::move(name)),
      spec_(std::move(spec)),
      packed_kernel_(std::move(packed_kernel)),
      plan_(std::move(plan)),
      algorithm_(ConvolutionAlgorithmName(
          ConvolutionAlgorithmOf(spec_.desc, spec_.target))),
      input_bytes_(spec_.input.ScratchBytes()),
      kernel_bytes_(spec_.kernel.ScratchBytes()),
      result_bytes_(spec_.result.ScratchBytes()) {}

absl::StatusOr<std::unique_ptr<Thunk>> ConvolutionThunk::Make(
    std::string name, Spec spec, MemoryChunk packed_kernel) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const ConvolutionPlan> plan,
                      ConvolutionPlan::Make(spec.desc, spec.target));
  return std::unique_ptr<Thunk>(
      new ConvolutionThunk(std::move(name), std::move(spec),
                           std::move(packed_kernel), std::move(plan)));
}

absl::Status ConvolutionThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kConvolution, *this);
  writer(spec_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> ConvolutionThunk::Read(
    std::string name, ThunkReader& reader) {
  Spec spec;
  reader(spec);
  TF_RETURN_IF_ERROR(reader.status());
  MemoryChunk packed;
  if (spec.packs_constant) {
    ConvolutionDesc desc = spec.desc;
    desc.kernel_packed = false;
    TF_ASSIGN_OR_RETURN(
        packed,
        PackConstant(desc, spec.target,
                     [&](absl::string_view form, int64_t bytes, auto write) {
                       return reader.program().ConstantInForm(
                           spec.constant, form, bytes, write);
                     }));
  }
  return Make(std::move(name), std::move(spec), std::move(packed));
}

std::string ConvolutionThunk::algorithm() const {
  return absl::StrCat(algorithm_, packed_kernel_.is_null() ? "" : ", constant",
                      spec_.epilogue.is_empty() ? "" : ", epilogue");
}

int64_t ConvolutionThunk::scratch_bytes(int num_threads) const {
  return input_bytes_ + kernel_bytes_ + result_bytes_ +
         static_cast<int64_t>(plan_->ScratchBytes(num_threads));
}

BufferUses ConvolutionThunk::buffer_uses() const {
  return BufferUses()
      .Read(spec_.input.slice)
      .Read(spec_.kernel.slice)
      .Read(spec_.epilogue.reads)
      .Write(spec_.result.slice);
}

absl::StatusOr<ThunkResult> ConvolutionThunk::Run(DeviceRun& run,
                                                  int64_t here) const {
  char* scratch = run.scratch();
  const char* input = spec_.input.Prepare(run, scratch);
  scratch += input_bytes_;
  const char* kernel = packed_kernel_.is_null()
                           ? spec_.kernel.Prepare(run, scratch)
                           : packed_kernel_.data();
  scratch += kernel_bytes_;
  char* result_scratch = scratch;
  scratch += result_bytes_;
  const OperandPlan& result = spec_.result;
  if (!spec_.epilogue.is_empty()) {
    const Epilogue::Call call(spec_.epilogue, run, result.slice);
    plan_->RunAndFinish(input, kernel, run.At(result.slice), scratch,
                        run.runner(), {call, call.operands()});
    return ThunkResult{here + 1};
  }
  plan_->Run(input, kernel, result.Place(run, result_scratch), scratch,
             run.runner());
  result.Finish(run, result_scratch);
  return ThunkResult{here + 1};
}

}  // namespace xla::cpu
