// Element: the value of one array element, or of several neighboring ones, in
// registers; and the LLVM types that elements have there and in memory.
#ifndef XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_ELEMENT_H_
#define XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_ELEMENT_H_

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// A scalar, or a fixed vector with one array element per lane. `imag` is set
// only for complex types, where `value` is the real part. The types in
// registers are:
//   pred                     i1
//   s1..u64                  iN of that width (i4 for s4), signed or not
//   f32, f64                 float, double
//   bf16, f16, f8*, f4*, ..  their bits, an iN: arithmetic converts to float
//                            and rounds back after each op
//   c64, c128                two floats, two doubles
struct Element {
  llvm::Value* value = nullptr;
  llvm::Value* imag = nullptr;
};

// Set while a loop runs over an index space in row-major order. Large arrays
// with at most `elements` elements that the loop reads in that order are
// prefetched ahead of the loads: the hardware prefetcher stops at page
// boundaries and tracks only a few streams.
struct Prefetch {
  // Far enough ahead for memory to answer, at 10 GB/s or so per core.
  static constexpr int64_t kPrefetchBytes = 4096;

  int64_t elements = 0;                          // of the index space
  int64_t cached_bytes = 0;                      // smaller arrays need none
  int64_t distance_bytes = kPrefetchBytes;       // from a load to what it asks
  absl::flat_hash_set<const llvm::Value*> done;  // bases, in this iteration
};

// What the emitters of values need. Borrowed objects outlive it.
struct EmitContext {
  llvm::IRBuilder<>& b;
  const TargetInfo& target;
  // If set, an <lanes x i1>: lanes where it is false hold garbage, and emitters
  // read and write no memory for them.
  llvm::Value* mask = nullptr;
  Prefetch* prefetch = nullptr;
  // If set, the columns of a reduction by rows that are computed, begin and
  // end, as i64 (KernelFrame::AddColumnRange).
  llvm::Value* column_range[2] = {};
  // The number of long operations emitted inline in this function so far
  // (out_of_line.h).
  int long_operations = 0;
};

// The type of a real part in registers and in memory. In memory, pred and
// integers below 8 bits take a byte, and complex elements are a pair of these.
llvm::Type* RegisterType(llvm::LLVMContext& context, PrimitiveType type);
llvm::Type* MemoryType(llvm::LLVMContext& context, PrimitiveType type);

// Returns `scalar` itself for one lane, else a vector of `lanes` of it.
llvm::Type* WithLanes(llvm::Type* scalar, int lanes);
// The number of lanes of a value: 1 for a scalar.
int LanesOf(const llvm::Value* value);
// Broadcasts a scalar to all lanes; vectors of `lanes` lanes stay as they are.
llvm::Value* Splat(llvm::IRBuilder<>& b, llvm::Value* value, int lanes);
Element Splat(llvm::IRBuilder<>& b, Element element, int lanes);

// Converts real parts from memory form to register form and back, lane by lane.
// Bits of a byte that the type does not use are ignored when read and written
// as 0; any nonzero byte reads as true.
llvm::Value* FromMemory(llvm::IRBuilder<>& b, PrimitiveType type,
                        llvm::Value* memory);
llvm::Value* ToMemory(llvm::IRBuilder<>& b, PrimitiveType type,
                      llvm::Value* registers);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_LLVM_IR_ELEMENT_H_
