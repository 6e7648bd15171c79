// SortPlan: sorts arrays along one dimension, the library kernel of HLO's sort.
// Orders that integer keys express are sorted by radix; any other through a
// compiled comparator.
#ifndef XLA_BACKENDS_CPU_KERNELS_SORT_H_
#define XLA_BACKENDS_CPU_KERNELS_SORT_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// Orders of numbers that integer keys express.
enum class SortOrder {
  kInteger,       // integers and pred by value
  kFloatTotal,    // floats by XLA's TOTALORDER: -nan, -inf, -0, 0, inf, nan
  kFloatNanLast,  // -0 equals 0, all nan are equal and behind inf: jax's order
};

struct SortKey {
  int operand = 0;
  SortOrder order = SortOrder::kInteger;
  bool descending = false;  // the reverse of the order, nan first
};

// Operands are [outer, length, inner], row-major, of any array types with one
// byte or more per element.
struct SortDesc {
  int64_t outer = 1, length = 0, inner = 1;
  absl::InlinedVector<PrimitiveType, 2> operands;
  // The keys, compared one after the other while equal. If there are none, the
  // comparator decides.
  absl::InlinedVector<SortKey, 1> keys;
};

// Returns whether elements x go before elements y: pairs[2 i] points to the
// element of operand i in x, pairs[2 i + 1] to that in y. Must be safe to call
// from several threads. Sorting ends whatever it returns.
using SortLess = bool (*)(const void* context, const void* const* pairs);

// Errors: InvalidArgument for negative or overflowing sizes, operands without
// elements and keys of operands that are not there; Unimplemented for lengths
// of 2^32 and more, and for orders of types that have no such keys (floats
// other than F64, F32, F16 and BF16, complex numbers): use a comparator.
absl::Status CheckSort(const SortDesc& desc);

// Holds everything that does not depend on data: how rows are sorted, the
// functions that make keys, tasks and scratch. Immutable, so that several
// threads may run it at once.
class SortPlan {
 public:
  virtual ~SortPlan() = default;

  // Errors: those of CheckSort.
  static absl::StatusOr<std::unique_ptr<const SortPlan>> Make(
      const SortDesc& desc, const KernelTarget& target = KernelTarget());

  // Returns the bytes of scratch, aligned to 64, that Run needs on
  // `num_threads` threads.
  virtual size_t ScratchBytes(int num_threads) const = 0;

  // Sorts are always stable. outputs[i] may be inputs[i], but overlaps nothing
  // else. `less` and `context` are used if there are no keys. Bits do not
  // depend on `runner`.
  virtual void Run(const void* const* inputs, void* const* outputs,
                   SortLess less, const void* context, void* scratch,
                   ParallelRunner& runner) const = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_SORT_H_
