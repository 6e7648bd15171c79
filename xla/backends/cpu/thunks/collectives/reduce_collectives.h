// Collectives that combine the data of devices.
#ifndef XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_REDUCE_COLLECTIVES_H_
#define XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_REDUCE_COLLECTIVES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/collectives/collective_thunk.h"
#include "xla/backends/cpu/thunks/kernel_abi.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {

// Combines arrays element by element, the first with the second, that with the
// third and so on, in the type of the function's parameters.
class Reducer {
 public:
  // `combine` is a kernel of three arrays: the two operands and the result,
  // which may be in the memory of either; its workgroups are elements. `type`
  // is that of all three.
  Reducer(KernelFunction combine, PrimitiveType type)
      : combine_(combine), type_(type) {}

  PrimitiveType type() const { return type_; }

  // Combines `count` elements of `type` of each source. `result` may be
  // sources[0], and overlaps nothing else.
  void Reduce(PrimitiveType type, absl::Span<const char* const> sources,
              char* result, int64_t count) const;

 private:
  void ReduceConverted(PrimitiveType type,
                       absl::Span<const char* const> sources, char* result,
                       int64_t count) const;

  const KernelFunction combine_;
  const PrimitiveType type_;
};

// Result i is operand i reduced over the members, in their order.
class AllReduceThunk : public CollectiveThunk {
 public:
  AllReduceThunk(CollectiveSite site, Reducer reducer)
      : CollectiveThunk(std::move(site)), reducer_(reducer) {}

 protected:
  absl::Status Produce(const Exchange& exchange, int64_t me) const override;
  absl::Status ProduceAcross(ProcessExchange& across) const override;
  absl::Status ProduceAll(const Exchange& exchange) const override;
  bool WorksInPlace() const override;

 private:
  const Reducer reducer_;
};

// The result is part `me` along `dimension` of all-reduce's result.
class ReduceScatterThunk : public CollectiveThunk {
 public:
  ReduceScatterThunk(CollectiveSite site, Reducer reducer, int64_t dimension,
                     std::vector<Shape> result_shapes)
      : CollectiveThunk(std::move(site)),
        reducer_(reducer),
        dimension_(dimension),
        result_shapes_(std::move(result_shapes)) {}

 protected:
  absl::Status Produce(const Exchange& exchange, int64_t me) const override;
  absl::Status ProduceAcross(ProcessExchange& across) const override;

 private:
  const Reducer reducer_;
  const int64_t dimension_;
  const std::vector<Shape> result_shapes_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_REDUCE_COLLECTIVES_H_
