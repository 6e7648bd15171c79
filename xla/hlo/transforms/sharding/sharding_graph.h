// ShardingGraph: the arrays of a module and the ops through which their
// shardings affect each other.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_SHARDING_GRAPH_H_
#define XLA_HLO_TRANSFORMS_SHARDING_SHARDING_GRAPH_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/transforms/sharding/manual_regions.h"
#include "xla/hlo/transforms/sharding/module_shardings.h"

namespace xla {

// An array that has one sharding. Elements of tuples are the arrays that they
// were made of, and the carry of a while loop is the same array in its
// condition, its body and its result. What a branch of a conditional gets from
// outside is the array there, and so are arrays of one shard group.
struct ShardedArray {
  const Shape* shape = nullptr;
  // Its manual axes are those of the region where it is.
  MeshSharding sharding;
  // The ops that read or write it, by number.
  std::vector<int32_t> ops;

  // Whether it is divided among devices or not at all: an array that is not
  // bound to a mesh takes that of the op which divides it.
  bool IsBound() const;
};

// What relates several arrays.
enum class ShardedOpKind : uint8_t {
  kInstruction,
  // A call that gives its operand another sharding.
  kConstraint,
  // A place where one of several arrays becomes another one unchanged, as the
  // operand of a while loop and what its body returns become its carry. At the
  // boundary of a manual computation an array becomes its parts.
  kEdge,
  // A result of the program.
  kResult,
};

struct ShardedOp {
  ShardedOpKind kind = ShardedOpKind::kInstruction;
  const HloInstruction* instruction = nullptr;
  // Where a program says so, axes pass in one direction only.
  bool passes_forward = true;
  bool passes_backward = true;
  DimensionFactors factors;
  // The numbers of its operands, and then of its results.
  std::vector<int32_t> arrays;
  bool repeats_arrays = false;  // whether it has one twice
  // Whether nothing else uses its operands. A carry has a use of its own in
  // the condition, the body and the result; edges and results do not count.
  bool operands_have_one_use = true;
};

class ShardingGraph {
 public:
  // Reads the shardings that instructions have. Arrays without one are
  // replicated and open. Parameters of the entry are closed if the module's
  // config says that propagation may not change them.
  // Errors: InvalidArgument for broken shardings, boundaries of manual
  // computations and sharding rules.
  static absl::StatusOr<ShardingGraph> Build(HloModule* module,
                                             ModuleShardings& shardings,
                                             const ManualRegions& regions);

  std::vector<ShardedArray>& arrays() { return arrays_; }
  const std::vector<ShardedOp>& ops() const { return ops_; }
  // The arrays that an instruction's value consists of, in pre-order.
  std::vector<int32_t> ArraysOf(const HloInstruction* hlo) const;
  // Gives instructions the shardings of their arrays, except for calls that
  // only put arrays into groups. Returns whether this changed any but the
  // root's and those of results, which are new.
  bool WriteShardings() const;

 private:
  // An array at one place of the program. Those of a loop's carry are in its
  // condition, its body and its result.
  struct Value {
    int32_t array;
    int32_t reads = 0;  // the number of operands that it is
  };
  using Numbers = std::vector<int32_t>;  // of values, except in ShardedOp
  using Stated = std::vector<ModuleShardings::Stated>;

  ShardingGraph(ModuleShardings& shardings, const ManualRegions& regions)
      : shardings_(&shardings), regions_(&regions) {}

  // Adds the instructions of a computation whose parameters are set.
  absl::Status AddComputation(HloComputation* computation);
  absl::Status AddInstruction(HloInstruction* hlo);
  absl::Status AddOpInstruction(HloInstruction* hlo);
  absl::Status AddBoundary(HloInstruction* hlo, Numbers operands,
                           Numbers results);
  absl::Status AddWhile(HloInstruction* loop);
  absl::Status AddBranches(HloInstruction* hlo);
  const Numbers& ValuesOf(const HloInstruction* hlo) const {
    return numbers_.at(hlo);
  }
  const Shape& ShapeOf(int32_t value) const {
    return *arrays_[values_[value].array].shape;
  }
  // Makes the arrays of an instruction, and the values that they are there.
  Numbers AddArrays(const HloInstruction* hlo);
  // Makes values of the same arrays.
  Numbers AddValues(const Numbers& of);
  ShardedOp& AddOp(ShardedOpKind kind, const HloInstruction* hlo,
                   DimensionFactors factors, const Numbers& values);
  // Adds an op for each value of `to`, which the values at its place in each
  // list of `from` become.
  void AddIdentities(ShardedOpKind kind, const HloInstruction* hlo,
                     absl::Span<const Numbers> from, const Numbers& to);
  void AddBarrier(const HloInstruction& hlo, const Numbers& from,
                  const Numbers& to);
  absl::Status ReadShardings(const HloInstruction& hlo);
  // What a program does once for whole arrays, and does not say where: the
  // first device does it.
  void PlaceEffects(const HloInstruction& hlo);
  absl::Status SetSharding(const HloInstruction& hlo, MeshSharding sharding,
                           ShardedArray& array);
  void CloseParameters(const HloModule& module);
  // Sets what only the whole graph tells about ops.
  void FinishOps();
  // Makes one array of each shard group, unless its arrays say different
  // things. Errors: InvalidArgument for arrays of different shapes, or inside
  // and outside of a manual computation.
  absl::Status UniteGroups();
  // Sets `united` of the arrays of a group to one of them.
  absl::Status UniteGroup(absl::Span<const int32_t> arrays,
                          std::vector<int32_t>& united) const;
  OpSharding ShardingOf(const HloInstruction& hlo) const;

  ModuleShardings* shardings_;
  const ManualRegions* regions_;
  std::vector<ShardedArray> arrays_;
  std::vector<ShardedOp> ops_;
  std::vector<Value> values_;
  absl::flat_hash_map<const HloInstruction*, Numbers> numbers_;
  std::vector<Numbers> op_operands_;  // of each op
  absl::flat_hash_set<const HloComputation*> added_;
  // Of instructions without arrays.
  absl::flat_hash_map<const HloInstruction*, MeshSharding> places_;
  absl::flat_hash_set<int32_t> stated_;  // arrays that have a sharding
  std::vector<std::pair<int64_t, int32_t>> groups_;  // group, array
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_SHARDING_GRAPH_H_
