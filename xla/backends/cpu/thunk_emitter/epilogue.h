// Products alone or in product fusions: where their operands and results are,
// and the calls of the code for what follows and for a right operand.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_EPILOGUE_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_EPILOGUE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "xla/backends/cpu/fusion/prologue.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/backends/cpu/thunk_emitter/operand_plan.h"
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// A dot or convolution that is an instruction of the program, or in a product
// fusion that is one.
class ProductInFusion {
 public:
  explicit ProductInFusion(const HloInstruction& instruction);

  const HloInstruction& hlo() const { return *product_; }
  // An operand that nothing in the fusion computes.
  const HloInstruction& operand(int64_t i) const {
    return Outside(*product_->operand(i));
  }
  // The instruction that has the result.
  const HloInstruction& instruction() const { return instruction_; }
  // What follows the product in the fusion; null if nothing does.
  const HloInstruction* last() const { return last_; }
  int64_t operand_of_last() const { return operand_of_last_; }
  // What computes an operand of the product in the fusion, and which one; null
  // if all are values of the program.
  const HloInstruction* producer() const { return producer_; }
  int64_t computed_operand() const { return computed_operand_; }
  // Returns the value of the program that is `inside` the fusion.
  const HloInstruction& Outside(const HloInstruction& inside) const;

 private:
  const HloInstruction& instruction_;
  const HloInstruction* product_;
  const HloInstruction* last_ = nullptr;
  int64_t operand_of_last_ = -1;
  const HloInstruction* producer_ = nullptr;
  int64_t computed_operand_ = -1;
};

// Returns the kernels that a product fusion needs: that of its last instruction
// and that of its producer, as far as it has them.
std::vector<NativeKernel> NativeKernelsOfProduct(const HloInstruction& fusion);

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
    // The arrays of which that reads the elements at the same places.
    absl::Span<const TileOperand> operands() const { return operands_; }

   private:
    const Epilogue& epilogue_;
    absl::InlinedVector<char*, 8> arrays_;
    absl::InlinedVector<TileOperand, 2> operands_;
  };

 private:
  KernelFunction function_ = nullptr;
  int64_t columns_ = 0;  // of a row
  int64_t step_ = 1;
  int64_t block_ = -1;           // the operand that is the product's result
  std::vector<Slice> operands_;  // without a slice for that one
  std::vector<Slice> reads_;
  // The bytes of an element, for each operand that has those of the result, one
  // for one; 0 for others.
  std::vector<int64_t> element_bytes_;
};

// Returns the dot of a product that has no native code for its operand, since
// kernels read weights and multiply them by scales; nullopt for others.
// `weights` are then set.
std::optional<DotDesc> ScaledDotOf(const ProductInFusion& product,
                                   ScaledWeights* weights);

// The code that computes an operand of a product in a fusion, or the weights
// and scales of which it consists. Does nothing for operands that are in
// memory, be it with other dimensions.
class Prologue {
 public:
  static absl::StatusOr<Prologue> Of(const ProductInFusion& product,
                                     const ThunkEmitterContext& context);

  bool is_empty() const { return function_ == nullptr && !weights_; }
  // If the operand consists of weights, with scales or packed, a dot that has
  // their type and scales.
  const std::optional<DotDesc>& weights() const { return weights_; }
  ScaledOperand Scaled(const DeviceRun& run) const {
    return {elements_.Prepare(run, /*scratch=*/nullptr),
            scales_.has_value() ? scales_->Prepare(run, /*scratch=*/nullptr)
                                : nullptr};
  }
  // The elements that parts of a row begin and end at multiples of, unless they
  // end with the row.
  int64_t step() const { return step_; }
  // What the code reads.
  const std::vector<Slice>& reads() const { return reads_; }

  // An OperandFunction in one run. Thread safe.
  class Call {
   public:
    Call(const Prologue& prologue, const DeviceRun& run);

    void operator()(int64_t row, int64_t column, int64_t columns,
                    void* to) const;

   private:
    const Prologue& prologue_;
    absl::InlinedVector<char*, 8> arrays_;
  };

 private:
  KernelFunction function_ = nullptr;
  std::optional<DotDesc> weights_;
  // Of weights; the former has none otherwise.
  OperandPlan elements_;
  std::optional<OperandPlan> scales_;
  int64_t row_ = 0;    // the elements of a row of the operand
  int64_t step_ = 1;   // those of a workgroup
  int64_t width_ = 0;  // the bytes of one
  std::vector<Slice> reads_;
  // The bytes of an element, for each of these that has those of the operand,
  // one for one; 0 for others.
  std::vector<int64_t> ahead_bytes_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_EPILOGUE_H_
