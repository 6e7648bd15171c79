// FusionBackend: the interface through which the passes of this folder ask the
// backend what it can compute in one kernel, and what that costs.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_BACKEND_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_BACKEND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// The role of an instruction in a fused loop.
enum class FusionRole {
  kOpaque,        // never in a fusion
  kElementwise,   // computes an element from the operands' at the same index
  kReshape,       // moves nothing: free on its own
  kIndexingMap,   // reads an operand at another index
  kInlineReduce,  // a small loop over operands: windows, short reductions
  kReduce,        // a reduction that FindReductionKernel knows
  kUpdate,        // a dynamic-update-slice that writes over its operand
  kScatter,       // a scatter of one operand, likewise
};

// Costs in nanoseconds of one thread.
struct FusionRates {
  double write_ns_per_byte = 0;   // to memory
  double read_ns_per_byte = 0;    // from memory
  double cached_ns_per_byte = 0;  // arrays of up to cache_bytes, both ways
  int64_t cache_bytes = 0;
  double load_ns = 0;     // a load of an element that is in the cache
  double strided_ns = 0;  // an element that is read across the rows
  // An op that reads an operand at another index is recomputed in each loop of
  // a reduction's kernel if it takes more than this for an element.
  double repeated_ns = 0;
  // An op that takes less than this only moves elements.
  double moving_ns = 0;
  double kernel_ns = 0;  // running one more kernel
};

// The limits of a fusion.
struct FusionLimits {
  int max_instructions = 0;
  // The number of ops with a cost, each multiplied by the number of indices at
  // which it is computed.
  int max_emitted = 0;
  int max_parameters = 0;
  int max_outputs = 0;
  int max_maps = 0;  // indexing maps through which a value is computed
};

// How reduction-splitter splits a reduction into chunks that keep the machine
// busy. Sizes are in elements unless stated otherwise.
struct ReductionChunks {
  int64_t min_elements = 0;    // in the operand; smaller ones are not split
  int64_t workgroups = 0;      // reductions with fewer are split
  int64_t block_columns = 0;   // columns that one workgroup reduces
  int64_t row_chunk = 0;       // the most elements of a chunk of a row
  int64_t min_row_chunk = 0;   // the least
  int64_t column_chunk = 0;    // the most elements of a chunk of rows
  int64_t min_chunk_rows = 0;  // in rows; fewer save almost no writes
  int64_t min_chunks = 0;      // fewer are not worth a split of rows
  int64_t narrow_columns = 0;  // fewer columns are widened
  int64_t wide_columns = 0;    // to at most this number
};

// How the backend computes a group of values with reductions in one kernel.
struct ReductionKernel {
  // The loops over the reduced elements; each recomputes the values that it
  // needs.
  int loops = 1;
};

//   first  = [b,m,n] dot(x, y)
//   middle = fusion(..., bitcast(first), ...)   softmax, say
//   second = [b,m,p] dot(bitcast(middle), z)
//   last   = transpose(second)
//
// Nothing else reads the results of `first`, `middle` and `second`; bitcasts
// may be anywhere between the four. The operands x, y and z are what bitcasts,
// transposes, broadcasts and loop fusions of these make of `lhs`, `rhs` and
// `values`, or these themselves; so is `last` of `second`. These ops belong to
// the group.
struct AttentionGroup {
  const HloInstruction* first = nullptr;
  const HloInstruction* middle = nullptr;
  int64_t operand = -1;  // the operand of `middle` that is the first's result
  const HloInstruction* second = nullptr;
  const HloInstruction *lhs = nullptr, *rhs = nullptr, *values = nullptr;
  const HloInstruction* last = nullptr;
};

//   dot = [b,m,n] dot(x, y)
//
// The operands x and y are what such ops, which belong to the group, make of
// `lhs` and `rhs`, or these themselves.
struct DotInPlaceGroup {
  const HloInstruction* dot = nullptr;
  const HloInstruction *lhs = nullptr, *rhs = nullptr;
};

//   product = dot(x, y), or a convolution
//   last    = fusion(..., bitcast(product), ...)   + bias, relu
//
// `last` computes each element from the one of `product` at the same place, and
// nothing else reads that.
struct EpilogueGroup {
  const HloInstruction* product = nullptr;
  int64_t operand = -1;  // the operand of `last` that is the product
  const HloInstruction* last = nullptr;
};

//   producer = fusion(...), or one op      convert(w) * scale
//   product  = dot(..., bitcast(producer), ...)
//
// Each element of `producer` is computed on its own, and nothing but the
// product reads it.
struct PrologueGroup {
  const HloInstruction* producer = nullptr;
  const HloInstruction* product = nullptr;
  int64_t operand = -1;  // the operand of `product` that is computed
};

// Why instructions were not fused, for people.
struct FusionRefusal {
  std::string reason;  // a sentence without a period
  // What writes the arrays that stay in memory for that reason.
  std::vector<const HloInstruction*> arrays;
};

// Answers depend on the instructions and on the backend's target, not on
// threads or addresses, so a program is always fused in the same way. Const
// methods may be called from several threads.
class FusionBackend {
 public:
  virtual ~FusionBackend() = default;

  virtual FusionRole RoleOf(const HloInstruction& instruction) const = 0;

  // Whether a loop at the index of the op's result visits each element of each
  // operand once, at the operand's own index, even if the op takes its elements
  // from several operands: values that operands share are then computed once.
  virtual bool VisitsOperandsOnce(const HloInstruction& instruction) const {
    return false;
  }

  // Returns the nanoseconds of one thread for one element of the op's result,
  // without its operands; for a reduction of role kReduce, for one element of
  // its operand. 0 if the op is free in a loop.
  virtual double ElementNanoseconds(
      const HloInstruction& instruction) const = 0;

  virtual const FusionRates& rates() const = 0;
  virtual const FusionLimits& limits() const = 0;
  virtual const ReductionChunks& reduction_chunks() const = 0;

  // Returns how one kernel computes `values`, which are in an order with
  // operands before users and contain an instruction of role kReduce. The
  // `roots` are written to memory; operands that are not among `values` are
  // read from there. Nullopt if the backend has no such kernel, or if it would
  // not pay.
  virtual std::optional<ReductionKernel> FindReductionKernel(
      absl::Span<const HloInstruction* const> values,
      absl::Span<const HloInstruction* const> roots) const = 0;

  // Returns the dots, the later of which is `second`, that the backend computes
  // together with the fusion between them if that pays; nullopt if there are
  // none.
  virtual std::optional<AttentionGroup> FindAttention(
      const HloInstruction& second) const = 0;

  // Returns the arrays that the backend reads in place of a dot's operands if
  // that pays; nullopt if there are none.
  virtual std::optional<DotInPlaceGroup> FindDotInPlace(
      const HloInstruction& dot) const = 0;

  // Returns the product on whose tiles the backend computes `last` if that
  // pays; nullopt if there is none.
  virtual std::optional<EpilogueGroup> FindEpilogue(
      const HloInstruction& last) const = 0;

  // Returns the operand that the backend computes while `product` reads it if
  // that pays; nullopt if there is none.
  virtual std::optional<PrologueGroup> FindPrologue(
      const HloInstruction& product) const {
    return std::nullopt;
  }

  // Explanations for people, of one sentence without a period; empty if there
  // is nothing to explain.
  //
  // Why the role of the instruction is kOpaque.
  virtual absl::string_view WhyOpaque(const HloInstruction& instruction) const {
    return "";
  }
  // Why FindReductionKernel finds no kernel.
  virtual absl::string_view WhyNoReductionKernel(
      absl::Span<const HloInstruction* const> values,
      absl::Span<const HloInstruction* const> roots) const {
    return "";
  }
  // Why FindAttention finds no group although `second` looks as if it ended
  // one.
  virtual std::optional<FusionRefusal> ExplainNoAttention(
      const HloInstruction& second) const {
    return std::nullopt;
  }
  // Why FindPrologue does not find that `operand` of the dot or convolution
  // `product` is computed while it is read.
  virtual absl::string_view WhyNoPrologue(const HloInstruction& product,
                                          int64_t operand) const {
    return "";
  }
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_BACKEND_H_
