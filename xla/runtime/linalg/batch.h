// Shared by the LAPACK targets: checked operands and results as batches of
// column-major matrices, and workspace.
#ifndef XLA_RUNTIME_LINALG_BATCH_H_
#define XLA_RUNTIME_LINALG_BATCH_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/checked_math.h"
#include "xla/runtime/ffi/native_handler.h"

namespace xla::linalg {

// An untyped batch: `count` contiguous items of `rows` x `columns`.
struct BatchExtent {
  void* data = nullptr;
  int64_t count = 0;
  int rows = 0;
  int columns = 0;

  int64_t item_size() const { return int64_t{rows} * columns; }
  int64_t size() const { return count * item_size(); }
};

template <typename T>
struct Batch : BatchExtent {
  T* operator[](int64_t i) const {
    return static_cast<T*>(data) + i * item_size();
  }
};

// Returns LAPACK's leading dimension of a matrix with `rows` rows, which is at
// least 1.
inline int Leading(int rows) { return std::max(rows, 1); }

// Checks the numbers of operands and results. Errors: InvalidArgument.
absl::Status CheckCounts(const ffi::NativeCall& call, int arguments,
                         int results);

// Returns operand `index`, [..., rows, columns] of `type`. Errors:
// InvalidArgument; ResourceExhausted for a dimension that does not fit into 31
// bits.
absl::StatusOr<BatchExtent> MatrixExtent(const ffi::NativeCall& call, int index,
                                         PrimitiveType type);
// Returns operand or result `index`, which must be a batch of as many items as
// `like`, with that many rows and columns. Vectors [..., n] have one column and
// `rank` 1, scalars [...] have rank 0.
absl::StatusOr<BatchExtent> CheckExtent(const ffi::NativeCall& call,
                                        bool is_result, int index,
                                        PrimitiveType type, int rank,
                                        const BatchExtent& like, int64_t rows,
                                        int64_t columns);

template <typename T>
absl::StatusOr<Batch<T>> Typed(absl::StatusOr<BatchExtent> extent) {
  if (!extent.ok()) return extent.status();
  return Batch<T>{*extent};
}

template <typename T>
absl::StatusOr<Batch<T>> MatrixOperand(const ffi::NativeCall& call, int index) {
  return Typed<T>(
      MatrixExtent(call, index, primitive_util::NativeToPrimitiveType<T>()));
}
template <typename T>
absl::StatusOr<Batch<T>> MatrixOperand(const ffi::NativeCall& call, int index,
                                       const BatchExtent& like, int64_t rows,
                                       int64_t columns) {
  return Typed<T>(CheckExtent(call, /*is_result=*/false, index,
                              primitive_util::NativeToPrimitiveType<T>(), 2,
                              like, rows, columns));
}
template <typename T>
absl::StatusOr<Batch<T>> VectorOperand(const ffi::NativeCall& call, int index,
                                       const BatchExtent& like, int64_t size) {
  return Typed<T>(CheckExtent(call, /*is_result=*/false, index,
                              primitive_util::NativeToPrimitiveType<T>(), 1,
                              like, size, 1));
}
template <typename T>
absl::StatusOr<Batch<T>> MatrixResult(const ffi::NativeCall& call, int index,
                                      const BatchExtent& like, int64_t rows,
                                      int64_t columns) {
  return Typed<T>(CheckExtent(call, /*is_result=*/true, index,
                              primitive_util::NativeToPrimitiveType<T>(), 2,
                              like, rows, columns));
}
template <typename T>
absl::StatusOr<Batch<T>> VectorResult(const ffi::NativeCall& call, int index,
                                      const BatchExtent& like, int64_t size) {
  return Typed<T>(CheckExtent(call, /*is_result=*/true, index,
                              primitive_util::NativeToPrimitiveType<T>(), 1,
                              like, size, 1));
}
// Returns a result with one number per item, such as LAPACK's info.
inline absl::StatusOr<Batch<int>> ScalarResult(const ffi::NativeCall& call,
                                               int index,
                                               const BatchExtent& like) {
  return Typed<int>(
      CheckExtent(call, /*is_result=*/true, index, S32, 0, like, 1, 1));
}

// Errors: InvalidArgument "<target>: ... must be square".
absl::Status CheckSquare(const ffi::NativeCall& call, const BatchExtent& a);

// Returns a letter from the attributes. Errors: InvalidArgument if it is not
// one of `allowed`.
absl::StatusOr<char> LetterAttribute(const ffi::NativeCall& call,
                                     absl::string_view name,
                                     absl::string_view allowed);

// Copies an operand to the memory that a routine will overwrite, unless it is
// there already.
void CopyTo(const BatchExtent& from, const BatchExtent& to, int64_t width);

template <typename T>
bool AllFinite(const T* values, int64_t size);

// Uninitialized memory for a routine.
template <typename T>
using Workspace = std::unique_ptr<T[]>;

absl::Status NoMemory(const ffi::NativeCall& call, int64_t elements);

// Allocates `elements` elements, at least one. Errors: ResourceExhausted.
template <typename T>
absl::StatusOr<Workspace<T>> Allocate(const ffi::NativeCall& call,
                                      int64_t elements) {
  elements = std::max<int64_t>(elements, 1);
  if (elements > INT64_MAX / 32) return NoMemory(call, elements);
  Workspace<T> memory(new (std::nothrow) T[elements]);
  if (memory == nullptr) return NoMemory(call, elements);
  return memory;
}

// Converts the workspace size that a routine returned as a number of its
// element type: rounds it up, to at least `least`. Errors: ResourceExhausted
// past 31 bits.
absl::StatusOr<int> WorkSize(const ffi::NativeCall& call, double asked,
                             int64_t least = 1);

}  // namespace xla::linalg

#endif  // XLA_RUNTIME_LINALG_BATCH_H_
