// The native code around a product: what computes its right operand while the
// product reads it, and what follows on its result.
#ifndef XLA_BACKENDS_CPU_THUNKS_LIBRARY_PRODUCT_PARTS_H_
#define XLA_BACKENDS_CPU_THUNKS_LIBRARY_PRODUCT_PARTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/kernels/products/operand_function.h"
#include "xla/backends/cpu/kernels/products/tile_function.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/backends/cpu/thunks/library/kernel_fields.h"
#include "xla/backends/cpu/thunks/library/operand_plan.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

// The code that computes the last instruction of a fusion from the product's
// result, in place. Does nothing for a product alone.
struct Epilogue {
  KernelFunction function = nullptr;
  int64_t columns = 0;  // of a row
  // The columns that parts of the result must begin and end at multiples of,
  // unless they end with the row.
  int64_t step = 1;
  int64_t block = -1;           // the operand that is the product's result
  std::vector<Slice> operands;  // without a slice for that one
  std::vector<Slice> reads;     // what the code reads
  // The bytes of an element, for each operand that has those of the result, one
  // for one; 0 for others.
  std::vector<int64_t> element_bytes;

  bool is_empty() const { return function == nullptr; }

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
    absl::InlinedVector<char*, 16> arrays_;
    absl::InlinedVector<TileOperand, 16> operands_;
  };
};

template <typename Archive>
void Fields(Archive& archive, Epilogue& epilogue) {
  archive(epilogue.function, epilogue.columns, epilogue.step, epilogue.block,
          epilogue.operands, epilogue.reads, epilogue.element_bytes);
}

// The code that computes an operand of a product in a fusion, or the weights
// and scales of which it consists. Does nothing for operands that are in
// memory, be it with other dimensions.
struct Prologue {
  KernelFunction function = nullptr;
  // If the operand consists of weights, with scales or packed, a dot that has
  // their type and scales.
  std::optional<DotDesc> weights;
  // Of weights; the former has none otherwise.
  OperandPlan elements;
  std::optional<OperandPlan> scales;
  int64_t row = 0;  // the elements of a row of the operand
  // The elements that parts of a row begin and end at multiples of, unless they
  // end with the row: those of a workgroup.
  int64_t step = 1;
  int64_t width = 0;         // the bytes of one
  std::vector<Slice> reads;  // what the code reads
  // The bytes of an element, for each of these that has those of the operand,
  // one for one; 0 for others.
  std::vector<int64_t> ahead_bytes;

  bool is_empty() const { return function == nullptr && !weights.has_value(); }
  ScaledOperand Scaled(const DeviceRun& run) const {
    return {elements.Prepare(run, /*scratch=*/nullptr),
            scales.has_value() ? scales->Prepare(run, /*scratch=*/nullptr)
                               : nullptr};
  }

  // An OperandFunction in one run. Thread safe.
  class Call {
   public:
    Call(const Prologue& prologue, const DeviceRun& run);

    void operator()(int64_t row, int64_t column, int64_t columns,
                    void* to) const;

   private:
    const Prologue& prologue_;
    absl::InlinedVector<char*, 16> arrays_;
  };
};

template <typename Archive>
void Fields(Archive& archive, Prologue& prologue) {
  archive(prologue.function, prologue.weights, prologue.elements,
          prologue.scales, prologue.row, prologue.step, prologue.width,
          prologue.reads, prologue.ahead_bytes);
}

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_LIBRARY_PRODUCT_PARTS_H_
