// TransposeVectors: a square of numbers in vector registers, transposed.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_TRANSPOSE_VECTORS_H_
#define XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_TRANSPOSE_VECTORS_H_

#include <vector>

#include "llvm/IR/IRBuilder.h"

namespace xla::cpu {

// rows[i] is a vector of n elements, with n = rows.size() a power of two, of
// types that fill bytes. Element i of result[j] is element j of rows[i].
std::vector<llvm::Value*> TransposeVectors(llvm::IRBuilder<>& b,
                                           std::vector<llvm::Value*> rows);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_TRANSPOSE_VECTORS_H_
