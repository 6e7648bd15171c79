// The operations of LLVM that code generation uses, each with what it must
// compute, and the flags that it puts on instructions and functions.
#ifndef TESTS_BACKENDS_CPU_CODEGEN_LLVM_OPERATIONS_H_
#define TESTS_BACKENDS_CPU_CODEGEN_LLVM_OPERATIONS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu {

// Elements of operands and results.
enum class LaneType { kI1, kI8, kI16, kI32, kI64, kF16, kF32, kF64 };
int LaneBits(LaneType type);
llvm::Type* ScalarOf(llvm::LLVMContext& context, LaneType type);

struct LlvmOperation {
  // As the source spells it: "Intrinsic::smin", "CreateFAdd".
  std::string source;
  LaneType in, out;
  int arity;
  // Of vectors or, for one lane, scalars; unused operands are null.
  std::function<llvm::Value*(llvm::IRBuilder<>&, llvm::Value*, llvm::Value*,
                             llvm::Value*)>
      emit;
  // Of one lane, as bits in the low end of words.
  std::function<uint64_t(uint64_t, uint64_t, uint64_t)> expected;
  // Whether code generation uses it for the processor; null: for all.
  bool (*used)(const TargetInfo& target) = nullptr;
  // Results may differ by that part of them.
  double tolerance = 0;
};

// Those that compute values lane by lane.
std::vector<LlvmOperation> LlvmOperations();

// Spellings of those that move or address values, which
// LlvmOperationsTest.Movements covers, or say something to LLVM; and of flags,
// attributes and metadata.
std::vector<std::string> LlvmMovements();
std::vector<std::string> LlvmFlags();

// Numbers of a type at which operations go wrong, as bits.
std::vector<uint64_t> SpecialBits(LaneType type);

// Whether two results of the type are the same: equal bits, or both nan.
bool SameResult(LaneType type, uint64_t a, uint64_t b, double tolerance);

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_CODEGEN_LLVM_OPERATIONS_H_
