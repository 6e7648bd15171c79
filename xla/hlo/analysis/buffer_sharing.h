// BufferSharing: which values lie in the same memory, and which moves
// between values need a copy because they cannot.
#ifndef XLA_HLO_ANALYSIS_BUFFER_SHARING_H_
#define XLA_HLO_ANALYSIS_BUFFER_SHARING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/statusor.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/analysis/hlo_live_range.h"

namespace xla {

// Starts from the copies that would always be right (before each loop, at the
// end of each body and branch, before each op that writes over an operand, for
// each output) and drops those whose source and target are never needed at the
// same time. Nodes that were joined form a buffer. Inner loops are handled
// first, then large arrays.
// Parameters of the entry and constants are read-only and never joined with
// nodes that are written. An output that input_output_alias pairs with a
// parameter counts as if both had the same memory, but has its own: code is
// right whether or not the caller donated.
class BufferSharing {
 public:
  struct NeededCopy {
    int move;            // in live_range().moves()
    std::string reason;  // names what reads and what overwrites
  };

  // The module is scheduled; `alias_info` is not needed later. Errors: as
  // HloDataflow.
  static absl::StatusOr<std::unique_ptr<BufferSharing>> Run(
      const HloModule& module, const AliasInfo& alias_info);

  // The copies that are needed, in the order of moves.
  const std::vector<NeededCopy>& needed_copies() const {
    return needed_copies_;
  }

  // Lets ops write over operands that die there, as far as
  // AliasInfo::MayAliasPairs allows. To be called only when no copies are
  // needed.
  void ShareDyingOperands();

  // Nodes of the same buffer have the same representative.
  int Representative(int node) const;
  // Whether the buffer holds nothing but an entry parameter or a constant.
  bool IsReadOnly(int node) const;

  const HloDataflow& dataflow() const { return *flow_; }
  const HloLiveRange& live_range() const { return *live_; }

 private:
  // Two nodes that cannot share memory.
  struct Conflict {
    int first;
    int second;
  };
  // The times at which a buffer's values are needed, from begin (the key) to
  // end.
  using Ranges = absl::btree_map<int64_t, int64_t>;

  BufferSharing() = default;

  void MakeBuffers();
  void JoinMoves();
  std::string Describe(int node) const;
  std::string ReadOnlyReason(const HloLiveRange::Move& move) const;
  std::string ConflictReason(const HloLiveRange::Move& move,
                             const Conflict& conflict) const;
  int Find(int node);
  void Unite(int a, int b);
  // Unites the buffers of a and b unless they interfere.
  std::optional<Conflict> TryJoin(int a, int b);
  std::optional<Conflict> FindConflict(int a, int b) const;
  bool DiesAt(int node, int64_t time) const;
  bool HoldsOtherResult(int buffer, int writer) const;
  bool MayTouch(int64_t time, int reader_buffer, int writer_buffer) const;
  int NodeAt(int buffer, int64_t time) const;

  std::unique_ptr<HloDataflow> flow_;
  std::unique_ptr<HloLiveRange> live_;
  std::vector<int> parent_;
  std::vector<int> next_;        // a ring through the nodes of each buffer
  std::vector<Ranges> ranges_;   // by representative
  std::vector<bool> read_only_;  // by representative
  std::vector<NeededCopy> needed_copies_;
  // Moves by time, for MayTouch.
  absl::flat_hash_map<int64_t, int> move_at_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_BUFFER_SHARING_H_
