// Thunks of dots: the products themselves, and what packs an operand for those
// that run later.
#ifndef XLA_BACKENDS_CPU_THUNKS_LIBRARY_DOT_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_LIBRARY_DOT_THUNK_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/thunks/library/operand_plan.h"
#include "xla/backends/cpu/thunks/library/product_parts.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {

// A result that the kernel computes in type `type` for the program's `out`, if
// it has a type.
struct RoundedResult {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID, out = PRIMITIVE_TYPE_INVALID;
  int64_t elements = 0;
  int64_t bytes() const;
};

// Returns all that decides how the right operand of a dot is packed.
std::string PackedForm(const DotDesc& desc);

// Has the signature of ThunkReader::Program::ConstantInForm, but for the
// constant, which it knows.
using MakeConstantForm = absl::FunctionRef<absl::StatusOr<MemoryChunk>(
    absl::string_view form, int64_t bytes,
    absl::FunctionRef<void(const void* elements, void* to)> write)>;

// A dot in the kernel's form, with copies of operands that have another one.
class DotThunk : public Thunk {
 public:
  struct Spec {
    DotDesc desc;
    KernelTarget target;
    OperandPlan lhs, rhs;
    // Replaces rhs unless it is empty.
    Prologue prologue;
    Slice result;
    RoundedResult rounding;  // none with an epilogue
    Epilogue epilogue;
    // A constant right operand that is packed when the thunk is made, unless it
    // has no allocation.
    bool packs_constant = false;
    Slice constant;
  };
  // Where the right operand is packed: at most one of the two is set.
  struct PackedRhs {
    MemoryChunk constant;
    const Thunk* packed_by = nullptr;  // a thunk of the same sequence

    // Returns null if it is not packed.
    const char* At(const DeviceRun& run) const {
      return packed_by == nullptr ? constant.data() : run.Kept(*packed_by);
    }
  };

  // Returns the right operand packed, a constant; null if that does not pay.
  // `desc` is without a packed operand.
  static absl::StatusOr<MemoryChunk> PackConstant(const DotDesc& desc,
                                                  const KernelTarget& target,
                                                  MakeConstantForm make);

  // Errors: those of DotPlan::Make.
  static absl::StatusOr<std::unique_ptr<Thunk>> Make(std::string name,
                                                     Spec spec,
                                                     PackedRhs packed_rhs);
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;

  absl::string_view kind() const override { return "dot"; }
  std::string algorithm() const override;
  int64_t scratch_bytes(int num_threads) const override;
  BufferUses buffer_uses() const override;
  bool may_run_concurrently() const override { return true; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  DotThunk(std::string name, Spec spec, PackedRhs packed_rhs,
           std::unique_ptr<const DotPlan> plan);

  void Multiply(DeviceRun& run, const char* lhs, const char* rhs,
                char* scratch) const;

  const Spec spec_;
  const PackedRhs packed_rhs_;
  const std::unique_ptr<const DotPlan> plan_;
  const absl::string_view algorithm_;
  const int64_t lhs_bytes_, rhs_bytes_, rounded_bytes_;
};

// Packs the right operand of dots that run later.
class PackThunk : public Thunk {
 public:
  PackThunk(std::string name, const DotDesc& desc, const KernelTarget& target,
            Slice operand)
      : Thunk(std::move(name)),
        desc_(desc),
        target_(target),
        operand_(operand) {}
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;

  absl::string_view kind() const override { return "pack"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Read(operand_);
  }
  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(
        PackDotRhsScratchBytes(desc_, target_, num_threads));
  }
  int64_t kept_bytes() const override {
    return static_cast<int64_t>(PackedDotRhsBytes(desc_, target_));
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const DotDesc desc_;
  const KernelTarget target_;
  const Slice operand_;
};

// A dot whose operands are read in place.
class DotInPlaceThunk : public Thunk {
 public:
  // The offsets of an item, in bytes.
  struct Offsets {
    int64_t lhs = 0, rhs = 0, result = 0;
  };
  struct Spec {
    DotDesc desc;
    KernelTarget target;
    Slice lhs, rhs, result;
    // The plan multiplies the items of the last dimension of the batch; the
    // others are these.
    std::vector<Offsets> items;
  };

  // Errors: those of DotPlan::Make.
  static absl::StatusOr<std::unique_ptr<Thunk>> Make(std::string name,
                                                     Spec spec);
  static absl::StatusOr<std::unique_ptr<Thunk>> Read(std::string name,
                                                     ThunkReader& reader);
  absl::Status Write(ThunkWriter& writer) const override;

  absl::string_view kind() const override { return "dot"; }
  std::string algorithm() const override;
  int64_t scratch_bytes(int num_threads) const override {
    return static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }
  BufferUses buffer_uses() const override {
    return BufferUses().Read(spec_.lhs).Read(spec_.rhs).Write(spec_.result);
  }
  bool may_run_concurrently() const override { return true; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  DotInPlaceThunk(std::string name, Spec spec,
                  std::unique_ptr<const DotPlan> plan)
      : Thunk(std::move(name)),
        spec_(std::move(spec)),
        plan_(std::move(plan)),
        algorithm_(DotAlgorithmName(DotAlgorithmOf(spec_.desc, spec_.target))) {
  }

  const Spec spec_;
  const std::unique_ptr<const DotPlan> plan_;
  const absl::string_view algorithm_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_LIBRARY_DOT_THUNK_H_
