// Loops in LLVM IR.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_LOOPS_H_
#define XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_LOOPS_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "llvm/IR/IRBuilder.h"

namespace xla::cpu {

// Emits for (i64 i = begin; i < end; i += step) body(i) and leaves the builder
// behind the loop. A loop that is known to run at most `straight` iterations is
// fully unrolled.
absl::Status EmitFor(llvm::IRBuilder<>& b, llvm::Value* begin, llvm::Value* end,
                     int64_t step,
                     const std::function<absl::Status(llvm::Value* i)>& body,
                     int64_t straight = 1);

// Emits nested loops over all indices below `sizes`, the last one innermost.
// If there are at most `straight` indices, the code of all of them follows each
// other.
absl::Status EmitForEach(
    llvm::IRBuilder<>& b, absl::Span<const int64_t> sizes,
    const std::function<absl::Status(absl::Span<llvm::Value* const> index)>&
        body,
    int64_t straight = 1);

// Emits if (condition) then().
absl::Status EmitWhen(llvm::IRBuilder<>& b, llvm::Value* condition,
                      const std::function<absl::Status()>& then);

// Returns the smaller one of an i64 and `limit`.
llvm::Value* AtMost(llvm::IRBuilder<>& b, llvm::Value* x, int64_t limit);

// Emits an alloca in the entry block of the function.
llvm::AllocaInst* EntryAlloca(llvm::IRBuilder<>& b, llvm::Type* type,
                              int64_t count = 1, int64_t alignment = 0);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_LOOPS_H_
