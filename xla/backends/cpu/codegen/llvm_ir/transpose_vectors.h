// TransposeVectors, InterleaveVectors: transpose a matrix held in vector
// registers.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_TRANSPOSE_VECTORS_H_
#define XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_TRANSPOSE_VECTORS_H_

#include <vector>

#include "llvm/IR/IRBuilder.h"

namespace xla::cpu {

// Each rows[i] is a vector of n elements, where n = rows.size() is a power of
// two; the element type fills whole bytes. Element i of result[j] is element j
// of rows[i].
std::vector<llvm::Value*> TransposeVectors(llvm::IRBuilder<>& b,
                                           std::vector<llvm::Value*> rows);

// The vectors have the same number of lanes. Concatenated, the results are lane
// 0 of each, in order, then lane 1 of each, and so on.
std::vector<llvm::Value*> InterleaveVectors(
    llvm::IRBuilder<>& b, const std::vector<llvm::Value*>& vectors);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_TRANSPOSE_VECTORS_H_
