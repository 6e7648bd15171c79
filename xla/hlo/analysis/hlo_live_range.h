// HloLiveRange: when each value of a scheduled module is needed, and where a
// value must move into the memory of another. buffer_sharing.h decides
// which of them share memory.
#ifndef XLA_HLO_ANALYSIS_HLO_LIVE_RANGE_H_
#define XLA_HLO_ANALYSIS_HLO_LIVE_RANGE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/hlo_dataflow.h"

namespace xla {

// Times count the instructions of the program as if it were a straight line:
// condition and body come once inside their while, branches one after the other
// inside their conditional.
class HloLiveRange {
 public:
  // From the instruction that writes to after the last one that reads.
  struct Range {
    int64_t begin;
    int64_t end;
  };

  // A value, or the target of a move: numbers of values are those of the
  // dataflow, targets follow.
  struct Node {
    const HloInstruction* instruction;  // the one that writes it
    const HloInstruction* last_reader = nullptr;
    int64_t last_read = 0;
    int64_t bytes;
    // For the target of a move, the node whose memory it becomes part of at
    // once; -1 for values.
    int partner = -1;
    // Disjoint, ascending; none for values that stand for others.
    absl::InlinedVector<Range, 1> ranges;
  };

  // `source` moves to `target` at `time`, in the same memory or by a copy.
  struct Move {
    enum class Kind : uint8_t {
      kLoopInit,    // operand of a while
      kLoopRoot,    // root of a body
      kBranchRoot,  // root of a branch or called computation
      kEntryRoot,   // result of the program
      kInPlace,     // operand that an op writes its result over
      kSave,        // to break a cycle of moves; always a copy
    };
    Kind kind;
    const HloInstruction* consumer;  // for moves of roots the root itself
    const HloComputation* computation;
    int operand;  // of the consumer; -1: the consumer itself
    int leaf;
    int source;
    int target;
    int64_t time;
    int loop_depth;
    int saved_by = -1;  // number of the kSave move that the source is from
  };

  // At `time`, `writer` may be written over `reader`, which is read then.
  struct Share {
    int64_t time;
    int reader;
    int writer;
  };

  // `alias_info` says which ops write over operands.
  static absl::StatusOr<std::unique_ptr<HloLiveRange>> Run(
      const HloModule& module, const HloDataflow& flow,
      const AliasInfo& alias_info);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Move>& moves() const { return moves_; }
  // In the order of time.
  const std::vector<Share>& shares() const { return shares_; }
  // Returns the final node of each leaf of the result; -1 without memory.
  const std::vector<int>& outputs() const { return outputs_; }
  // For each leaf of the result the value of the entry parameter in whose
  // memory the caller may want it; -1 if none.
  const std::vector<int>& homes() const { return homes_; }
  // Returns the time when `hlo`, in a computation of the dataflow, reads and
  // writes; -1 if it moves no data.
  int64_t TimeOf(const HloInstruction* hlo) const {
    auto it = times_.find(hlo);
    return it == times_.end() ? -1 : it->second.at;
  }
  // Returns the time when the results of `hlo` are written, which is later for
  // control flow; -1 if it moves no data.
  int64_t EndOf(const HloInstruction* hlo) const {
    auto it = times_.find(hlo);
    return it == times_.end() ? -1 : it->second.end;
  }

 private:
  HloLiveRange(const HloModule& module, const HloDataflow& flow,
               const AliasInfo& alias_info)
      : module_(module), flow_(flow), alias_info_(alias_info) {}

  struct Times {
    int64_t at;   // operands are read
    int64_t end;  // results of control flow are there
  };
  struct Block {
    int64_t begin;
    int64_t end;
  };
  using Uses =
      absl::InlinedVector<std::pair<const HloComputation*, int64_t>, 1>;

  void FindHomes();
  void Number(const HloComputation& computation, int loop_depth);
  void NumberLoop(const HloInstruction& loop, int loop_depth);
  void NumberOp(const HloInstruction& hlo, int loop_depth);
  void NumberRoot(const HloDataflow::Computation& computation, int loop_depth);
  int AddMove(Move move, int partner, const HloInstruction* writer);
  void EndTarget(int target, int64_t end);
  void RecordReads(const HloDataflow::Computation& computation);
  void Use(int value, const HloComputation* computation, int64_t time,
           const HloInstruction* reader);
  void RecordShares(const HloInstruction& hlo);
  void MakeRanges();

  const HloModule& module_;
  const HloDataflow& flow_;
  const AliasInfo& alias_info_;
  int64_t now_ = 1;
  std::vector<Node> nodes_;
  std::vector<Uses> uses_;  // by value
  std::vector<Move> moves_;
  std::vector<Share> shares_;
  std::vector<int> outputs_;
  std::vector<int> homes_;
  absl::flat_hash_map<const HloInstruction*, Times> times_;
  absl::flat_hash_map<const HloComputation*, Block> blocks_;
  // For each op, the numbers of its first in-place move and of the move after
  // its last one.
  absl::flat_hash_map<const HloInstruction*, std::pair<int, int>> in_place_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_HLO_LIVE_RANGE_H_
