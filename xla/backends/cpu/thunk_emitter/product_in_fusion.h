// Products alone or in product fusions: where their operands and results are,
// and the code for what follows and for a right operand.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_PRODUCT_IN_FUSION_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_PRODUCT_IN_FUSION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/fusion/prologue.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"
#include "xla/backends/cpu/thunks/library/product_parts.h"
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

// Returns the code for what follows the product.
absl::StatusOr<Epilogue> EpilogueOf(const ProductInFusion& product,
                                    const ThunkEmitterContext& context);

// Returns the dot of a product that has no native code for its operand, since
// kernels read weights and multiply them by scales; nullopt for others.
// `weights` are then set.
std::optional<DotDesc> ScaledDotOf(const ProductInFusion& product,
                                   ScaledWeights* weights);

// Returns what computes the product's right operand.
absl::StatusOr<Prologue> PrologueOf(const ProductInFusion& product,
                                    const ThunkEmitterContext& context);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_PRODUCT_IN_FUSION_H_
