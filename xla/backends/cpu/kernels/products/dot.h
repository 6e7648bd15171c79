// DotPlan: batches of matrix products of any types, the library kernel of HLO's
// dot in canonical form. The algorithms are private to it.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/kernels/products/operand_function.h"
#include "xla/backends/cpu/kernels/products/tile_function.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Factors of the elements of a right operand that has few bits: element [k, n]
// is multiplied by scale [k / group, n], or [n, k / group] if the operand is
// transposed, in F32.
struct DotScales {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;  // without scales
  int64_t group = 1;
  bool rounds_to_bf16 = false;  // the products
};
// What Run gets as rhs if there are scales or packed bits; both arrays are
// row-major.
struct ScaledOperand {
  const void* elements;
  const void* scales;  // null without scales
};

// out[b,m,n] = sum over k of lhs[b,m,k] rhs[b,k,n], row-major. Any array types
// with one byte or more per element. Floats are summed in F32 or, if a type is
// F64 or C128, in F64, and rounded once; integers exactly, modulo the width of
// the result; pred as 0 and 1.
struct DotDesc {
  PrimitiveType lhs = F32, rhs = F32, out = F32;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  bool lhs_transposed = false;  // lhs is [b,k,m]
  bool rhs_transposed = false;  // rhs is [b,n,k]
  // Strides in elements from row to row and from batch to batch; 0 if packed.
  int64_t lhs_stride = 0, rhs_stride = 0, out_stride = 0;
  int64_t lhs_batch_stride = 0, rhs_batch_stride = 0, out_batch_stride = 0;
  // All batches have one lhs, [m,k]. Its batch stride is not set.
  bool lhs_shared = false;
  // If not 0, batches of rhs are rhs_batch_stride apart in groups of so many,
  // and the groups rhs_outer_stride.
  int64_t rhs_inner_batch = 0, rhs_outer_stride = 0;
  // Run gets rhs as PackDotRhs wrote it, from an operand as described above.
  bool rhs_packed = false;
  // Run gets the address of an OperandFunction as rhs, and strides of rhs are
  // not set. Its step is the one of columns, or of a multiple of them. Not for
  // complex types.
  bool rhs_computed = false;
  int64_t rhs_step = 1;
  // Run gets the address of a ScaledOperand as rhs. Only if HasScaledDot.
  DotScales scales = {};
  // The same, of elements of 4 bits that lie two to a byte, the first one in
  // the lower half; rows have whole bytes.
  bool rhs_bits_packed = false;
  // The parts of a row that a TileFunction gets begin at multiples of so many
  // columns.
  int64_t column_step = 1;
};

// Errors: InvalidArgument for negative or overflowing sizes, rows that overlap,
// types without elements.
absl::Status CheckDot(const DotDesc& desc);

// Whether Run gets a ScaledOperand.
inline bool TakesScaledOperand(const DotDesc& desc) {
  return desc.scales.type != PRIMITIVE_TYPE_INVALID || desc.rhs_bits_packed;
}
// Whether it does, and there are kernels: few rows of floats times elements of
// some types of at most 8 bits.
bool HasScaledDot(const DotDesc& desc);

// The algorithms; each is a file of its name.
enum class DotAlgorithm { kEmpty, kTiny, kSplitDepth, kSkinny, kPacked };
absl::string_view DotAlgorithmName(DotAlgorithm algorithm);

// Returns the one that a plan of `desc`, which CheckDot accepts, uses.
DotAlgorithm DotAlgorithmOf(const DotDesc& desc, const KernelTarget& target);

// Returns the bytes of rhs once packed; 0 if the dot would not be faster with a
// packed one.
size_t PackedDotRhsBytes(const DotDesc& desc, const KernelTarget& target);

// Packs rhs for plans of dots that differ from `desc` in nothing that concerns
// rhs, to `packed`, aligned to 64. `desc` is one that CheckDot accepts.
void PackDotRhs(const DotDesc& desc, const KernelTarget& target,
                const void* rhs, void* packed);

// The same on the threads of `runner`, with PackDotRhsScratchBytes of scratch
// for their number, aligned to 64.
void PackDotRhs(const DotDesc& desc, const KernelTarget& target,
                const void* rhs, void* packed, void* scratch,
                ParallelRunner& runner);
size_t PackDotRhsScratchBytes(const DotDesc& desc, const KernelTarget& target,
                              int num_threads);

// Whether packing rhs once for many products saves so much of their time that
// it is worth memory for the whole of it: with few rows.
bool GainsFromPackedRhs(const DotDesc& desc, const KernelTarget& target);

// Holds everything that does not depend on data: the algorithm, its micro
// kernels and conversions, blocks, scratch and, unless the product is so large
// that the number of threads decides its split, tasks. Immutable, so that
// several threads may run it at once.
class DotPlan {
 public:
  virtual ~DotPlan() = default;

  // Errors: those of CheckDot.
  static absl::StatusOr<std::unique_ptr<const DotPlan>> Make(
      const DotDesc& desc, const KernelTarget& target = KernelTarget());

  // Returns the bytes of scratch, aligned to 64, that Run needs on
  // `num_threads` threads.
  virtual size_t ScratchBytes(int num_threads) const = 0;

  // `out` overlaps neither operand. Bits do not depend on `runner`.
  virtual void Run(const void* lhs, const void* rhs, void* out, void* scratch,
                   ParallelRunner& runner) const = 0;

  // Runs, and calls `finish` with parts of the result, those that are still in
  // the cache where the algorithm allows that.
  virtual void RunAndFinish(const void* lhs, const void* rhs, void* out,
                            void* scratch, ParallelRunner& runner,
                            const TileFinish& finish) const = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_H_
