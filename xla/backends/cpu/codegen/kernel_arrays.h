// KernelArrays: where the arrays of one native function lie: in the arrays that
// it is called with, or on its stack.
#ifndef XLA_BACKENDS_CPU_CODEGEN_KERNEL_ARRAYS_H_
#define XLA_BACKENDS_CPU_CODEGEN_KERNEL_ARRAYS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/codegen/elemental/bound_instruction.h"
#include "xla/backends/cpu/codegen/program_code.h"

namespace xla::cpu {

class KernelArrays : public ArrayMap {
 public:
  // `arrays` is the function's argument. Each local buffer of `spec` is an
  // alloca. All borrowed.
  KernelArrays(llvm::IRBuilder<>& b, llvm::Value* arrays,
               const KernelSpec& spec)
      : b_(b), arrays_(arrays), spec_(spec) {}

  absl::StatusOr<IrArray> ArrayOf(const HloInstruction* instruction,
                                  int64_t leaf) override;
  bool SameMemory(const HloInstruction* x, int64_t x_leaf,
                  const HloInstruction* y, int64_t y_leaf) override;

  // Emits loads of the frame's column range, if it has one, to `range`.
  void LoadColumnRange(llvm::Value* (&range)[2]);

  // Array `number` of the frame, whose elements are those of `shape`.
  IrArray ArrayNumber(int64_t number, const Shape* shape);

  // Copy local buffers that have a value before the function, or need one after
  // it, from and to the arrays of the frame.
  void LoadLocals();
  void StoreLocals();

  // If `late`, pointers to arrays are from now on loaded where the array is
  // used and not in the entry block: long straight-line code uses each once or
  // twice, and together they would need more registers than there are.
  void set_load_late(bool late) { load_late_ = late; }

 private:
  // Returns null if the leaf at `place` is not local.
  const LocalBuffer* LocalAt(const KernelFrame::Place& place) const;
  llvm::Value* Local(int64_t buffer, const LocalBuffer& local);
  llvm::Value* Base(int64_t number);
  llvm::Value* Address(const KernelFrame::Place& place);

  llvm::IRBuilder<>& b_;
  llvm::Value* const arrays_;
  const KernelSpec& spec_;
  bool load_late_ = false;
  absl::flat_hash_map<int64_t, llvm::Value*> bases_;   // by array
  absl::flat_hash_map<int64_t, llvm::Value*> locals_;  // by buffer
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_KERNEL_ARRAYS_H_
