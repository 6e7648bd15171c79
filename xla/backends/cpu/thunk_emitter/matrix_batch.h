// Divides batches of matrices for thunks of linear algebra, which take them one
// by one.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_MATRIX_BATCH_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_MATRIX_BATCH_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// The last two dimensions of an array are those of a matrix, of 31 bits each;
// the others count matrices.
struct Matrices {
  int64_t count = 1;
  int rows = 0;
  int columns = 0;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  int64_t elements() const { return int64_t{rows} * columns; }
  int64_t bytes() const { return elements() * LiteralElementBytes(type); }
};

// Returns the matrices of an array of `hlo`. Errors: Unimplemented, naming it,
// for sizes that LAPACK cannot represent.
absl::StatusOr<Matrices> MatricesOf(const HloInstruction& hlo,
                                    const Shape& shape);

// Returns the type in which LAPACK computes: the given one, or F64.
PrimitiveType TypeOfWork(PrimitiveType type);

// Returns a b c, at most 1e15.
int64_t SaturatedProduct(int64_t a, int64_t b, int64_t c);

// Copies unless `from` equals `to`.
void CopyUnlessSame(const char* from, char* to, int64_t bytes);

// Calls fn(matrix) for each of `count` small matrices, in tasks of about
// `task_ns` nanoseconds; `flops` are the operations of one matrix.
void ForEachMatrix(ParallelRunner& runner, int64_t count, int64_t flops,
                   int64_t task_ns, absl::FunctionRef<void(int64_t)> fn);

// Returns how many large matrices are processed at once, each with scratch of
// its own. The work within each is divided too, so a few keep all threads busy.
int64_t MatrixSlots(const Matrices& matrices, int64_t scratch_bytes,
                    int num_threads);

// Calls fn(matrix, slot) for each of them; calls with one slot run one after
// the other.
void ForEachLargeMatrix(ParallelRunner& runner, const Matrices& matrices,
                        int64_t scratch_bytes,
                        absl::FunctionRef<void(int64_t, int64_t)> fn);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_MATRIX_BATCH_H_
