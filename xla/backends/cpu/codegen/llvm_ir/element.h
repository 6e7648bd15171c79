// Element: the value of one array element, or of several neighbouring ones, in
// registers; and the LLVM types that elements have there and in memory.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_ELEMENT_H_
#define XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_ELEMENT_H_

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// A scalar, or a fixed vector with one element a lane. `imag` is set for
// complex types alone, where `value` is the real part. The type in registers:
//   pred                     i1
//   s1..u64                  iN of that width (i4 for s4), also if unsigned
//   f32, f64                 float, double
//   bf16, f16, f8*, f4*, ..  their bits, an iN: arithmetic converts to float
//                            and rounds back after each op
//   c64, c128                two floats, two doubles
struct Element {
  llvm::Value* value = nullptr;
  llvm::Value* imag = nullptr;
};

// Set while a loop runs over an index space in row-major order: large arrays of
// no more elements, which it reads in that order, are fetched ahead of the
// loads. A processor does so itself only within a page, and for few streams.
struct Prefetch {
  int64_t elements = 0;                          // of the index space
  absl::flat_hash_set<const llvm::Value*> done;  // bases, in this iteration
};

// What emitters of values need. Borrowed parts outlive it.
struct EmitContext {
  llvm::IRBuilder<>& b;
  const TargetInfo& target;
  // When set, an <lanes x i1>: lanes that are false hold garbage, and nothing
  // is read or written for them.
  llvm::Value* mask = nullptr;
  Prefetch* prefetch = nullptr;
  // Emitted in this function so far (out_of_line.h).
  int long_operations = 0;
};

// The type of a real part in registers and in memory (pred and ints below 8
// bits take a byte; complex elements are a pair of these).
llvm::Type* RegisterType(llvm::LLVMContext& context, PrimitiveType type);
llvm::Type* MemoryType(llvm::LLVMContext& context, PrimitiveType type);

// `scalar` itself for one lane, else the vector of so many.
llvm::Type* WithLanes(llvm::Type* scalar, int lanes);
// Lanes of a value: 1 for scalars.
int LanesOf(const llvm::Value* value);
// The scalar in all lanes; vectors of `lanes` stay.
llvm::Value* Splat(llvm::IRBuilder<>& b, llvm::Value* value, int lanes);
Element Splat(llvm::IRBuilder<>& b, Element element, int lanes);

// Real parts from memory form to register form and back, lane by lane.
// Bits of a byte that a type does not use are ignored, and written as 0; any
// byte but 0 is true.
llvm::Value* FromMemory(llvm::IRBuilder<>& b, PrimitiveType type,
                        llvm::Value* memory);
llvm::Value* ToMemory(llvm::IRBuilder<>& b, PrimitiveType type,
                      llvm::Value* registers);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_ELEMENT_H_
