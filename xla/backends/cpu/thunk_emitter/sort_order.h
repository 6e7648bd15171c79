// SortKeysOf: recognises comparators that order by keys.
#ifndef XLA_BACKENDS_CPU_THUNK_EMITTER_SORT_ORDER_H_
#define XLA_BACKENDS_CPU_THUNK_EMITTER_SORT_ORDER_H_

#include <optional>
#include <vector>

#include "xla/backends/cpu/kernels/sort.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::cpu {

// Returns the keys by which a comparator of sort orders, the most important
// first; nullopt if it is none of these:
//
//   a < b, a > b              in the total or the partial order of floats
//   c(a) < c(b), c(a) > c(b)  in the total order, where c makes 0 of -0 and one
//                             nan of all
//   x < y or (x = y and ...)  of these, to any number of keys; also as selects:
//                             select(x = y, next key, select(...))
// The partial order does not say where NaNs go; they go behind all other
// numbers.
std::optional<std::vector<SortKey>> SortKeysOf(
    const HloComputation& comparator);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNK_EMITTER_SORT_ORDER_H_
