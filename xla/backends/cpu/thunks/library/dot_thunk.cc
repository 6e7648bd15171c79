// Runs plans of dots.
#include "xla/backends/cpu/thunks/library/dot_thunk.h"

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/library/kernel_fields.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"

namespace xla::cpu {

template <typename Archive>
void Fields(Archive& archive, RoundedResult& result) {
  archive(result.type, result.out, result.elements);
}

template <typename Archive>
void Fields(Archive& archive, DotThunk::Spec& spec) {
  archive(spec.desc, spec.target, spec.lhs, spec.rhs, spec.prologue,
          spec.result, spec.rounding, spec.epilogue, spec.packs_constant,
          spec.constant);
}

template <typename Archive>
void Fields(Archive& archive, DotInPlaceThunk::Offsets& offsets) {
  archive(offsets.lhs, offsets.rhs, offsets.result);
}

template <typename Archive>
void Fields(Archive& archive, DotInPlaceThunk::Spec& spec) {
  archive(spec.desc, spec.target, spec.lhs, spec.rhs, spec.result, spec.items);
}

int64_t RoundedResult::bytes() const {
  return type == PRIMITIVE_TYPE_INVALID
             ? 0
             : RoundUpTo(elements * LiteralElementBytes(type), 64);
}

std::string PackedForm(const DotDesc& desc) {
  return absl::StrCat("dot ", static_cast<int>(desc.lhs), " ",
                      static_cast<int>(desc.rhs), " ",
                      static_cast<int>(desc.out), " ", desc.batch, " ", desc.k,
                      " ", desc.n, " ", desc.rhs_transposed);
}

absl::StatusOr<MemoryChunk> DotThunk::PackConstant(const DotDesc& desc,
                                                   const KernelTarget& target,
                                                   MakeConstantForm make) {
  const size_t bytes = PackedDotRhsBytes(desc, target);
  if (bytes == 0) return MemoryChunk();
  return make(PackedForm(desc), bytes, [&](const void* elements, void* to) {
    PackDotRhs(desc, target, elements, to);
  });
}

DotThunk::DotThunk(std::string name, Spec spec, PackedRhs packed_rhs,
                   std::unique_ptr<const DotPlan> plan)
    : Thunk(std::move(name)),
      spec_(std::move(spec)),
      packed_rhs_(std::move(packed_rhs)),
      plan_(std::move(plan)),
      algorithm_(DotAlgorithmName(DotAlgorithmOf(spec_.desc, spec_.target))),
      lhs_bytes_(spec_.lhs.ScratchBytes()),
      rhs_bytes_(spec_.prologue.is_empty() ? spec_.rhs.ScratchBytes() : 0),
      rounded_bytes_(spec_.rounding.bytes()) {}

absl::StatusOr<std::unique_ptr<Thunk>> DotThunk::Make(std::string name,
                                                      Spec spec,
                                                      PackedRhs packed_rhs) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const DotPlan> plan,
                      DotPlan::Make(spec.desc, spec.target));
  return std::unique_ptr<Thunk>(new DotThunk(std::move(name), std::move(spec),
                                             std::move(packed_rhs),
                                             std::move(plan)));
}

absl::Status DotThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kDot, *this);
  writer(spec_);
  writer.WriteReference(packed_rhs_.packed_by);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> DotThunk::Read(std::string name,
                                                      ThunkReader& reader) {
  Spec spec;
  reader(spec);
  PackedRhs packed;
  packed.packed_by = reader.ReadReference();
  TF_RETURN_IF_ERROR(reader.status());
  if (spec.packs_constant) {
    DotDesc desc = spec.desc;
    desc.rhs_packed = false;
    desc.column_step = 1;
    TF_ASSIGN_OR_RETURN(
        packed.constant,
        PackConstant(desc, spec.target,
                     [&](absl::string_view form, int64_t bytes, auto write) {
                       return reader.program().ConstantInForm(
                           spec.constant, form, bytes, write);
                     }));
  }
  return Make(std::move(name), std::move(spec), std::move(packed));
}

std::string DotThunk::algorithm() const {
  return absl::StrCat(algorithm_,
                      packed_rhs_.constant.is_null() ? "" : ", constant",
                      packed_rhs_.packed_by == nullptr ? "" : ", kept",
                      spec_.prologue.is_empty()            ? ""
                      : spec_.prologue.weights.has_value() ? ", weights"
                                                           : ", prologue",
                      spec_.epilogue.is_empty() ? "" : ", epilogue");
}

int64_t DotThunk::scratch_bytes(int num_threads) const {
  return lhs_bytes_ + rhs_bytes_ + rounded_bytes_ +
         static_cast<int64_t>(plan_->ScratchBytes(num_threads));
}

BufferUses DotThunk::buffer_uses() const {
  BufferUses uses;
  spec_.lhs.AddReads(uses);
  uses.Read(spec_.prologue.reads).Read(spec_.epilogue.reads);
  if (spec_.prologue.is_empty()) spec_.rhs.AddReads(uses);
  return uses.Write(spec_.result);
}

absl::StatusOr<ThunkResult> DotThunk::Run(DeviceRun& run, int64_t here) const {
  char* scratch = run.scratch();
  const char* lhs = spec_.lhs.Prepare(run, scratch);
  scratch += lhs_bytes_;
  const Prologue& prologue = spec_.prologue;
  if (prologue.weights.has_value()) {
    const ScaledOperand scaled = prologue.Scaled(run);
    Multiply(run, lhs, reinterpret_cast<const char*>(&scaled), scratch);
    return ThunkResult{here + 1};
  }
  if (!prologue.is_empty()) {
    const Prologue::Call call(prologue, run);
    const OperandFunction computed = call;
    Multiply(run, lhs, reinterpret_cast<const char*>(&computed), scratch);
    return ThunkResult{here + 1};
  }
  const char* rhs = packed_rhs_.At(run);
  if (rhs == nullptr) rhs = spec_.rhs.Prepare(run, scratch);
  Multiply(run, lhs, rhs, scratch + rhs_bytes_);
  return ThunkResult{here + 1};
}

void DotThunk::Multiply(DeviceRun& run, const char* lhs, const char* rhs,
                        char* scratch) const {
  char* result = run.At(spec_.result);
  char* rounded = scratch;
  scratch += rounded_bytes_;
  if (!spec_.epilogue.is_empty()) {
    const Epilogue::Call call(spec_.epilogue, run, spec_.result);
    plan_->RunAndFinish(lhs, rhs, result, scratch, run.runner(),
                        {call, call.operands()});
    return;
  }
  const RoundedResult& rounding = spec_.rounding;
  const bool rounds = rounding.type != PRIMITIVE_TYPE_INVALID;
  plan_->Run(lhs, rhs, rounds ? rounded : result, scratch, run.runner());
  if (rounds) {
    ConvertElements(rounding.type, rounded, rounding.out, result,
                    rounding.elements);
  }
}

absl::Status PackThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kPack, *this);
  writer(desc_, target_, operand_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> PackThunk::Read(std::string name,
                                                       ThunkReader& reader) {
  DotDesc desc;
  KernelTarget target;
  Slice operand;
  reader(desc, target, operand);
  TF_RETURN_IF_ERROR(reader.status());
  TF_RETURN_IF_ERROR(CheckDot(desc));
  return std::make_unique<PackThunk>(std::move(name), desc, target, operand);
}

absl::StatusOr<ThunkResult> PackThunk::Run(DeviceRun& run, int64_t here) const {
  PackDotRhs(desc_, target_, run.At(operand_), run.Kept(*this), run.scratch(),
             run.runner());
  return ThunkResult{here + 1};
}

absl::StatusOr<std::unique_ptr<Thunk>> DotInPlaceThunk::Make(std::string name,
                                                             Spec spec) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const DotPlan> plan,
                      DotPlan::Make(spec.desc, spec.target));
  return std::unique_ptr<Thunk>(
      new DotInPlaceThunk(std::move(name), std::move(spec), std::move(plan)));
}

absl::Status DotInPlaceThunk::Write(ThunkWriter& writer) const {
  writer.Begin(ThunkRecord::kDotInPlace, *this);
  writer(spec_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> DotInPlaceThunk::Read(
    std::string name, ThunkReader& reader) {
  Spec spec;
  reader(spec);
  TF_RETURN_IF_ERROR(reader.status());
  return Make(std::move(name), std::move(spec));
}

std::string DotInPlaceThunk::algorithm() const {
  return absl::StrCat(algorithm_, ", in place");
}

absl::StatusOr<ThunkResult> DotInPlaceThunk::Run(DeviceRun& run,
                                                 int64_t here) const {
  for (const Offsets& at : spec_.items) {
    plan_->Run(run.At(spec_.lhs) + at.lhs, run.At(spec_.rhs) + at.rhs,
               run.At(spec_.result) + at.result, run.scratch(), run.runner());
  }
  return ThunkResult{here + 1};
}

}  // namespace xla::cpu
