// Loops in LLVM IR.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_LOOPS_H_
#define XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_LOOPS_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "llvm/IR/IRBuilder.h"

namespace xla::cpu {

// for (i64 i = begin; i < end; i += step) body(i). The builder is behind the
// loop afterwards. A loop of at most `straight` iterations, if that is known,
// is only its bodies.
absl::Status EmitFor(llvm::IRBuilder<>& b, llvm::Value* begin, llvm::Value* end,
                     int64_t step,
                     const std::function<absl::Status(llvm::Value* i)>& body,
                     int64_t straight = 1);

// Nested loops over all indices below `sizes`, the last one innermost.
absl::Status EmitForEach(
    llvm::IRBuilder<>& b, absl::Span<const int64_t> sizes,
    const std::function<absl::Status(absl::Span<llvm::Value* const> index)>&
        body);

// if (condition) then().
absl::Status EmitWhen(llvm::IRBuilder<>& b, llvm::Value* condition,
                      const std::function<absl::Status()>& then);

// An alloca in the entry block of the function.
llvm::AllocaInst* EntryAlloca(llvm::IRBuilder<>& b, llvm::Type* type,
                              int64_t count = 1, int64_t alignment = 0);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_LOOPS_H_
