// IndexLoops: the part of ShapeUtil that loops over the indices of arrays.
#ifndef XLA_CORE_SHAPE_INDEX_LOOPS_H_
#define XLA_CORE_SHAPE_INDEX_LOOPS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"

namespace xla {

// Each loop goes over the indices base, base+incr, ... below base+count, most
// minor dimension of the layout fastest, until `fn` returns false. A scalar has
// one index, {}. The forms without base visit the whole array. An `incr` of 0
// stays at `base` in its dimension.
class IndexLoops {
 public:
  struct IndexIterationSpace {
    std::vector<int64_t> index_base;
    std::vector<int64_t> index_count;
    std::vector<int64_t> index_incr;
  };
  using ForEachVisitorFunction =
      absl::FunctionRef<absl::StatusOr<bool>(absl::Span<const int64_t>)>;
  using ForEachVisitorFunctionNoStatus =
      absl::FunctionRef<bool(absl::Span<const int64_t>)>;
  using ForEachParallelVisitorFunction =
      absl::FunctionRef<absl::StatusOr<bool>(absl::Span<const int64_t>, int)>;

  static absl::Status ForEachIndexWithStatus(const Shape& shape,
                                             absl::Span<const int64_t> base,
                                             absl::Span<const int64_t> count,
                                             absl::Span<const int64_t> incr,
                                             ForEachVisitorFunction fn);
  static absl::Status ForEachIndexWithStatus(const Shape& shape,
                                             ForEachVisitorFunction fn);
  template <typename Fn>
  static absl::Status ForEachIndexWithStatus(const Shape& shape,
                                             const IndexIterationSpace& space,
                                             Fn&& fn) {
    return ForEachIndexWithStatus(shape, space.index_base, space.index_count,
                                  space.index_incr, std::forward<Fn>(fn));
  }
  static void ForEachIndexNoStatus(const Shape& shape,
                                   absl::Span<const int64_t> base,
                                   absl::Span<const int64_t> count,
                                   absl::Span<const int64_t> incr,
                                   ForEachVisitorFunctionNoStatus fn);
  static void ForEachIndexNoStatus(const Shape& shape,
                                   ForEachVisitorFunctionNoStatus fn);
  // These end at an error and drop it; `fn` may return bool.
  static void ForEachIndex(const Shape& shape, absl::Span<const int64_t> base,
                           absl::Span<const int64_t> count,
                           absl::Span<const int64_t> incr,
                           ForEachVisitorFunction fn);
  static void ForEachIndex(const Shape& shape, ForEachVisitorFunction fn);

  // The parallel forms of XLA, which Tessera runs on the calling thread, since
  // only a host may start threads: `fn` gets thread number 0. Those without a
  // status CHECK that `fn` returns no error.
  static void ForEachIndexParallel(const Shape& shape,
                                   absl::Span<const int64_t> base,
                                   absl::Span<const int64_t> count,
                                   absl::Span<const int64_t> incr,
                                   ForEachParallelVisitorFunction fn);
  static void ForEachIndexParallel(const Shape& shape,
                                   ForEachParallelVisitorFunction fn);
  static absl::Status ForEachIndexParallelWithStatus(
      const Shape& shape, absl::Span<const int64_t> base,
      absl::Span<const int64_t> count, absl::Span<const int64_t> incr,
      ForEachParallelVisitorFunction fn);
  static absl::Status ForEachIndexParallelWithStatus(
      const Shape& shape, ForEachParallelVisitorFunction fn);
  static int GetForEachIndexParallelThreadCount() { return 1; }
};

}  // namespace xla

#endif  // XLA_CORE_SHAPE_INDEX_LOOPS_H_
