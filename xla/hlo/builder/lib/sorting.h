// Finds the largest elements by sorting. The builder keeps errors.
#ifndef XLA_HLO_BUILDER_LIB_SORTING_H_
#define XLA_HLO_BUILDER_LIB_SORTING_H_

#include <cstdint>

#include "xla/hlo/builder/xla_builder.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// [..., n] -> ([..., k], [..., k]): the k largest values of the last dimension,
// largest first in total order, and their indices, of type `index_type`. Equal
// values keep their order. Errors: top_k_c1 if k is not within 0..n.
XlaOp TopK(XlaOp input, int64_t k, PrimitiveType index_type = S32);

// Like TopK, but sorts `num_partitions` parts of the dimension one by one, so
// that no sort is much longer than n / num_partitions + k.
XlaOp TopKWithPartitions(XlaOp input, int64_t k, int64_t num_partitions = 1,
                         PrimitiveType index_type = S32);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_SORTING_H_
