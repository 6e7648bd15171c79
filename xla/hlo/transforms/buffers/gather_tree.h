// GatherTree: an all-gather, what only moves or converts its elements, and the
// places of a schedule where these are read.
#ifndef XLA_HLO_TRANSFORMS_BUFFERS_GATHER_TREE_H_
#define XLA_HLO_TRANSFORMS_BUFFERS_GATHER_TREE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

struct GatherTree {
  // The all-gather is the first node. Others have one operand, their parent,
  // and may be made again at little cost.
  struct Node {
    HloInstruction* hlo;
    int parent;
    int position;
    int64_t bytes;  // 0 for a bitcast, which is the parent's memory
  };
  // An instruction that is no node reads one, until `end` if it hands the value
  // on to others, as a tuple does.
  struct Use {
    HloInstruction* user;
    int node;
    int begin;
    int end;
  };

  std::vector<Node> nodes;
  std::vector<Use> uses;  // by `begin`
  // The bytes that the all-gather takes and the last position where they are
  // read; kAlways if they are there anyway.
  static constexpr int kAlways = 1 << 30;
  int64_t operand_bytes = 0;
  int operand_end = kAlways;

  // What a device receives in the all-gather.
  int64_t received_bytes() const { return nodes[0].bytes - operand_bytes; }
  // Returns the node whose memory a node is.
  int OwnerOf(int node) const;
  // Returns the nodes that uses in [begin, end) need, parents first.
  std::vector<int> NodesOf(int begin, int end) const;
};

using Positions = absl::flat_hash_map<const HloInstruction*, int>;

// Returns nullopt if the all-gather gives a tuple, has control dependencies, or
// its value goes where its uses are not known: to the computation's root, or
// through a loop. `positions` are those in the computation's order.
std::optional<GatherTree> FindGatherTree(
    HloInstruction* all_gather, const HloDataflow& flow,
    const HloDataflow::Computation& computation, const Positions& positions);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_BUFFERS_GATHER_TREE_H_
