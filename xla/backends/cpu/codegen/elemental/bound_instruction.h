// BoundInstruction: an instruction or a fusion with its operands and results
// bound to memory.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_BOUND_INSTRUCTION_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_BOUND_INSTRUCTION_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/backends/cpu/codegen/elemental/ir_array.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Tells where the arrays of instructions lie in the function being emitted.
class ArrayMap {
 public:
  virtual ~ArrayMap() = default;
  // The array of leaf `leaf` of `instruction`'s result.
  virtual absl::StatusOr<IrArray> ArrayOf(const HloInstruction* instruction,
                                          int64_t leaf) = 0;
  // True if the two are known to share memory.
  virtual bool SameMemory(const HloInstruction* x, int64_t x_leaf,
                          const HloInstruction* y, int64_t y_leaf) = 0;
};

// One array that an instruction computes. Inside a fusion, `value` is the
// instruction at that leaf of its root.
struct Root {
  const HloInstruction* value = nullptr;
  int64_t leaf = 0;
  IrArray array;
};

// An instruction with its operands bound to memory. The emitters of op families
// work on this and see no difference between an op and a fusion.
class BoundInstruction {
 public:
  static absl::StatusOr<std::unique_ptr<BoundInstruction>> Make(
      EmitContext& context, ArrayMap& arrays,
      const HloInstruction& instruction);

  EmitContext& context() { return emitter_.context(); }
  ElementalEmitter& emitter() { return emitter_; }
  const HloInstruction& instruction() const { return instruction_; }
  absl::Span<const Root> roots() const { return roots_; }
  // True if an output may overlap an input, so that writes must come after
  // reads.
  bool in_place() const { return in_place_; }
  // Makes stores to large outputs bypass the caches; returns true if there are
  // any. For emitters that write outputs in order and do not read what they
  // wrote.
  bool StreamOutputs();

 private:
  BoundInstruction(EmitContext& context, const HloInstruction& instruction)
      : emitter_(context), instruction_(instruction) {}

  ElementalEmitter emitter_;
  const HloInstruction& instruction_;
  std::vector<Root> roots_;
  bool in_place_ = false;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_BOUND_INSTRUCTION_H_
