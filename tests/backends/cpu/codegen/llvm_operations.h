// The operations of LLVM that code generation uses, each with the result that
// it must compute, and the flags that it sets on instructions and functions.
#ifndef TESTS_BACKENDS_CPU_CODEGEN_LLVM_OPERATIONS_H_
#define TESTS_BACKENDS_CPU_CODEGEN_LLVM_OPERATIONS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu {

// The types of elements of operands and results.
enum class LaneType { kI1, kI8, kI16, kI32, kI64, kF16, kF32, kF64 };
int LaneBits(LaneType type);
llvm::Type* ScalarOf(llvm::LLVMContext& context, LaneType type);

struct LlvmOperation {
  // As spelled in the source: "Intrinsic::smin", "CreateFAdd".
  std::string source;
  LaneType in, out;
  int arity;
  // Takes vectors or, for one lane, scalars; unused operands are null.
  std::function<llvm::Value*(llvm::IRBuilder<>&, llvm::Value*, llvm::Value*,
                             llvm::Value*)>
      emit;
  // The result of one lane, as bits in the low end of words.
  std::function<uint64_t(uint64_t, uint64_t, uint64_t)> expected;
  // True if code generation uses it for the processor; null: for all.
  bool (*used)(const TargetInfo& target) = nullptr;
  // The relative difference that results may have.
  double tolerance = 0;
};

// The operations that compute values lane by lane.
std::vector<LlvmOperation> LlvmOperations();

// The spellings of operations that move or address values, which
// LlvmOperationsTest.Movements covers, or that tell LLVM something; and of
// flags, attributes and metadata.
std::vector<std::string> LlvmMovements();
std::vector<std::string> LlvmFlags();

// Numbers of a type that are special for operations, as bits.
std::vector<uint64_t> SpecialBits(LaneType type);

// True if two results of the type are the same: equal bits, or both NaN.
bool SameResult(LaneType type, uint64_t a, uint64_t b, double tolerance);

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_CODEGEN_LLVM_OPERATIONS_H_
