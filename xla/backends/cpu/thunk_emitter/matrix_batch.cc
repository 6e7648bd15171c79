// Divides batches of matrices into tasks.
#include "xla/backends/cpu/thunk_emitter/matrix_batch.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// The multiplications and additions per nanosecond of LAPACK for small
// matrices.
constexpr double kLapackFlopRate = 12;
// The bytes of scratch up to which there are as many slots as threads, and the
// least number of slots.
constexpr int64_t kMaxSlotBytes = int64_t{64} << 20;
constexpr int64_t kFewSlots = 8;

}  // namespace

absl::StatusOr<Matrices> MatricesOf(const HloInstruction& hlo,
                                    const Shape& shape) {
  Matrices matrices;
  matrices.type = shape.element_type();
  const int64_t rows = shape.dimensions(shape.rank() - 2);
  const int64_t columns = shape.dimensions(shape.rank() - 1);
  if (rows > std::numeric_limits<int>::max() ||
      columns > std::numeric_limits<int>::max()) {
    return absl::UnimplementedError(
        absl::StrCat(hlo.name(), ": matrices of ", rows, " x ", columns,
                     " are beyond what LAPACK counts"));
  }
  matrices.rows = static_cast<int>(rows);
  matrices.columns = static_cast<int>(columns);
  for (int64_t d = 0; d + 2 < shape.rank(); ++d) {
    matrices.count *= shape.dimensions(d);
  }
  return matrices;
}

PrimitiveType TypeOfWork(PrimitiveType type) {
  switch (type) {
    case F32:
    case F64:
    case C64:
    case C128:
      return type;
    default:
      return F64;
  }
}

int64_t SaturatedProduct(int64_t a, int64_t b, int64_t c) {
  const double product = static_cast<double>(a) * b * c;
  return product < 1e15 ? a * b * c : int64_t{1000000000000000};
}

void CopyUnlessSame(const char* from, char* to, int64_t bytes) {
  if (from != to) std::memcpy(to, from, bytes);
}

void ForEachMatrix(ParallelRunner& runner, int64_t count, int64_t flops,
                   int64_t task_ns, absl::FunctionRef<void(int64_t)> fn) {
  const int64_t task_flops =
      static_cast<int64_t>(static_cast<double>(task_ns) * kLapackFlopRate);
  const int64_t per_task =
      std::max<int64_t>(1, task_flops / std::max<int64_t>(flops, 1));
  const int64_t tasks = CeilOfRatio(count, per_task);
  const auto run_task = [&](int64_t task) {
    const int64_t end = std::min(count, (task + 1) * per_task);
    for (int64_t i = task * per_task; i < end; ++i) fn(i);
  };
  if (tasks == 1) {
    run_task(0);
  } else if (tasks > 1) {
    runner.ParallelFor(tasks, run_task);
  }
}

int64_t MatrixSlots(const Matrices& matrices, int64_t scratch_bytes,
                    int num_threads) {
  const int64_t most =
      std::max(kMaxSlotBytes / std::max<int64_t>(scratch_bytes, 1), kFewSlots);
  return std::min({matrices.count, most, int64_t{num_threads}});
}

void ForEachLargeMatrix(ParallelRunner& runner, const Matrices& matrices,
                        int64_t scratch_bytes,
                        absl::FunctionRef<void(int64_t, int64_t)> fn) {
  const int64_t slots =
      MatrixSlots(matrices, scratch_bytes, runner.num_threads());
  runner.ParallelFor(slots, [&](int64_t slot) {
    for (int64_t i = matrices.count * slot / slots;
         i < matrices.count * (slot + 1) / slots; ++i) {
      fn(i, slot);
    }
  });
}

}  // namespace xla::cpu
