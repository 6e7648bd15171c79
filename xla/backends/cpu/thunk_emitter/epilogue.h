// Products alone or in epilogue fusions: where their operands and results are,
// and the call of the code for what follows.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_EPILOGUE_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_EPILOGUE_H_

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// A dot or convolution that is an instruction of the program, or in an epilogue
// fusion that is one.
class ProductInFusion {
 public:
  explicit ProductInFusion(const HloInstruction& instruction);

  const HloInstruction& hlo() const { return *product_; }
  const HloInstruction& operand(int64_t i) const {
    return Outside(*product_->operand(i));
  }
  // The instruction that has the result.
  const HloInstruction& instruction() const { return instruction_; }
  // The last instruction of the fusion; null for a product alone.
  const HloInstruction* last() const { return last_; }
  int64_t operand_of_last() const { return operand_of_last_; }
  // Returns the value of the program that is `inside` the fusion.
  const HloInstruction& Outside(const HloInstruction& inside) const;

 private:
  const HloInstruction& instruction_;
  const HloInstruction* product_;
  const HloInstruction* last_ = nullptr;
  int64_t operand_of_last_ = -1;
};

// Returns the kernel that an epilogue fusion needs.
NativeKernel NativeEpilogueOf(const HloInstruction& fusion);

// The code that computes the last instruction of a fusion from the product's
// result, in place. Does nothing for a product alone.
class Epilogue {
 public:
  static absl::StatusOr<Epilogue> Of(const ProductInFusion& product,
                                     const ThunkEmitterContext& context);

  bool is_empty() const { return function_ == nullptr; }
  // The columns that parts of the result must begin and end at multiples of,
  // unless they end with the row.
  int64_t column_step() const { return step_; }
  // What the code reads.
  const std::vector<Slice>& reads() const { return reads_; }

  // Computes parts of the result in one run. Thread safe.
  class Call {
   public:
    Call(const Epilogue& epilogue, const DeviceRun& run, Slice result);

    // Rows [row, row + rows) of columns [column, column + columns).
    void operator()(int64_t row, int64_t rows, int64_t column,
                    int64_t columns) const;

   private:
    const Epilogue& epilogue_;
    absl::InlinedVector<char*, 8> arrays_;
  };

 private:
  KernelFunction function_ = nullptr;
  int64_t columns_ = 0;  // of a row
  int64_t step_ = 1;
  int64_t block_ = -1;           // the operand that is the product's result
  std::vector<Slice> operands_;  // without a slice for that one
  std::vector<Slice> reads_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_EPILOGUE_H_
