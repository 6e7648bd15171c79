// HloDataflow: which value is in each leaf of each instruction. Other analyses
// say where values lie in memory, and how long.
#ifndef XLA_HLO_ANALYSIS_HLO_DATAFLOW_H_
#define XLA_HLO_ANALYSIS_HLO_DATAFLOW_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// The role of a computation for the instruction that calls it.
enum class CallRole : uint8_t { kEntry, kCondition, kBody, kBranch };

// Follows control flow over the computations whose instructions are steps of
// their own: the entry and those that while, conditional and call reach. The
// computations of fusions, reducers, comparators and the like are ignored.
//
// Tuples, elements of tuples, bitcasts, barriers, parameters of branches and
// carries that a loop does not change stand for the values they are given.
// The same holds for the operands in the value of an async-start, and for an
// async-done, which reads all of that value: the operands are needed until
// then. Every other leaf with memory is a value of its own; a carry that a loop
// changes is one value (kCarry) for the parameters of condition and body, which
// the initial value and the body's root flow into.
class HloDataflow {
 public:
  static constexpr int kNone = -1;  // no memory: a token, or no elements
  static constexpr int kMaxDepth = 500;

  enum class Kind : uint8_t {
    kOp,
    kParameter,  // of the entry
    kConstant,
    kCarry,       // instruction is the while
    kLoopResult,  // of a carry, after the loop
    kJoin,        // branches return different values, or one of their own
  };
  struct Value {
    const HloInstruction* instruction;
    int leaf;
    Kind kind;
    int64_t bytes;
    // The computation that makes it; the body for carries.
    const HloComputation* home;
  };
  struct Computation {
    const HloComputation* computation;
    const HloInstruction* caller;  // null for the entry
    CallRole role;
    std::vector<HloInstruction*> order;
  };

  // The module is verified; orders are its schedule if it has one. Errors:
  // FailedPrecondition if two instructions call one computation (the pass
  // flatten-call-graph); Unimplemented for async-update and control flow nested
  // deeper than kMaxDepth.
  static absl::StatusOr<std::unique_ptr<HloDataflow>> Run(
      const HloModule& module);

  // The values of the leaves of an instruction of these computations, in order.
  absl::Span<const int> values(const HloInstruction* instruction) const;
  // The number of the first leaf of an element of a tuple-shaped instruction.
  int ElementOffset(const HloInstruction* tuple, int64_t element) const;

  const Value& value(int id) const { return values_[id]; }
  int value_count() const { return values_.size(); }
  // True if no leaf has this value, since it stands for another.
  bool IsReplaced(int id) const { return replaced_by_[id] != id; }
  // Callers before callees, in the order of calls.
  const std::vector<Computation>& computations() const { return computations_; }
  const Computation& computation(const HloComputation* computation) const {
    return computations_[index_.at(computation)];
  }
  bool Contains(const HloComputation* computation) const {
    return index_.contains(computation);
  }

  // Returns the value that the loop changes in this leaf of its carry; kNone
  // for leaves that it does not change.
  int CarryOf(const HloInstruction* loop, int leaf) const;

  // True if the instruction moves no data: its leaves are those of operands,
  // or tokens.
  static bool IsForwarding(HloOpcode opcode);

 private:
  using Leaves = std::vector<int>;

  HloDataflow() = default;

  absl::Status Walk(const HloComputation& computation,
                    const HloInstruction* caller, CallRole role,
                    const std::vector<Leaves>& arguments);
  absl::StatusOr<Leaves> Transfer(const HloInstruction& hlo);
  Leaves ElementOf(const HloInstruction& tuple, int64_t element) const;
  absl::StatusOr<Leaves> TransferStart(const HloInstruction& start);
  absl::StatusOr<Leaves> TransferWhile(const HloInstruction& loop);
  absl::StatusOr<Leaves> TransferBranches(const HloInstruction& call);
  absl::StatusOr<Leaves> NewValues(const HloInstruction& hlo, Kind kind,
                                   const HloComputation* home);
  absl::Status AddValues(const HloInstruction& hlo, const Shape& part,
                         Kind kind, const HloComputation* home, Leaves& leaves);
  int Find(int value) const;
  bool IsVisibleOutside(int value, const HloInstruction& call) const;
  void Resolve();

  std::vector<Value> values_;
  std::vector<int> replaced_by_;  // by value: itself unless replaced
  std::vector<Computation> computations_;
  absl::flat_hash_map<const HloComputation*, int> index_;
  absl::flat_hash_map<const HloInstruction*, Leaves> leaves_;
  absl::flat_hash_map<const HloInstruction*, std::vector<int>> offsets_;
  absl::flat_hash_map<const HloInstruction*, Leaves> carries_;
  int depth_ = 0;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_HLO_DATAFLOW_H_
