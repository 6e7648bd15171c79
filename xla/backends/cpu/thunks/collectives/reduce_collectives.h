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

  // Combines `count` elements of `type` of each source. `result` may be one of
  // the sources, and overlaps nothing else.
  void Reduce(PrimitiveType type, absl::Span<const char* const> sources,
              char* result, int64_t count) const;

  // Combines the `count` elements of `type` at `offset` bytes in each source
  // and writes them to the same place of all `results`, each of which may be
  // one of the sources. With `stream` the stores bypass the caches (see
  // WriteToAll). Reads and writes each element once.
  void ReduceToAll(PrimitiveType type, absl::Span<const char* const> sources,
                   int64_t offset, int64_t count,
                   absl::Span<char* const> results, bool stream) const;

  // The most elements of `type` that CombineBlock takes.
  int64_t BlockElements(PrimitiveType type, bool stream) const;
  // Combines up to BlockElements elements of each source. Returns where they
  // are: at `result`, which may be a source, or at the only source.
  const char* CombineBlock(PrimitiveType type,
                           absl::Span<const char* const> sources, char* result,
                           int64_t count) const;

 private:
  void CombineConverted(PrimitiveType type,
                        absl::Span<const char* const> sources, char* result,
                        int64_t count) const;

  const KernelFunction combine_;
  const PrimitiveType type_;
};

// Result i is operand i reduced over the members, in their order. It may be in
// the place of operand i.
class AllReduceThunk : public CollectiveThunk {
 public:
  AllReduceThunk(CollectiveSite site, Reducer reducer)
      : CollectiveThunk(std::move(site), InPlace::kSameNumber),
        reducer_(reducer) {}

 protected:
  absl::Status Transfer(const Exchange& exchange) const override;
  absl::Status ProduceAcross(ProcessExchange& across) const override;

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
  absl::Status Transfer(const Exchange& exchange) const override;
  absl::Status ProduceAcross(ProcessExchange& across) const override;

 private:
  const Reducer reducer_;
  const int64_t dimension_;
  const std::vector<Shape> result_shapes_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_REDUCE_COLLECTIVES_H_
