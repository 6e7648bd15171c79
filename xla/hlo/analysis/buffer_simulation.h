// BufferSimulation: a run of a program on names of values instead of elements,
// which finds values that are overwritten before they are read. The caller
// decides the order of instructions: the schedule (VerifyBufferAssignment), or
// the plan of a backend.
#ifndef XLA_HLO_ANALYSIS_BUFFER_SIMULATION_H_
#define XLA_HLO_ANALYSIS_BUFFER_SIMULATION_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/runtime/buffer_use.h"

namespace xla {

// Each instruction gives its results new names and writes them where the
// assignment says; each read must find the name of the value that the program
// defines there. Loops run zero to three times, and a fixed sequence of numbers
// picks branches. Every method that returns a Status fails with Internal,
// naming the instruction, if memory does not hold the right value, or if an
// instruction runs before its operands. The module and the alias info are those
// of the assignment, and all three outlive the simulation.
class BufferSimulation {
 public:
  struct Options {
    uint64_t seed = 0;     // of the sequence that decides trips and branches
    bool donated = false;  // aliased outputs are in their parameters' memory
    int64_t most_steps = 1000000;  // loops end when so many steps were taken
    // Each instruction overwrites the memory that arena_free_from says is free
    // for it.
    bool all_have_scratch = false;
  };

  BufferSimulation(const HloModule& module, const AliasInfo& alias_info,
                   const BufferAssignment& assignment, const Options& options);

  // Runs `hlo` with the computations that it calls. Instructions that move no
  // data need not be run: reads look through them.
  absl::Status RunInstruction(const HloInstruction& hlo);
  // Runs all instructions in the order of the computation, whose parameters are
  // set.
  absl::Status RunComputation(const HloComputation& computation);

  // Run a while in parts: StartLoop, then for each iteration the condition's
  // instructions and LoopGoesOn, and if that is true the body's instructions
  // and EndIteration.
  absl::Status StartLoop(const HloInstruction& loop);
  absl::StatusOr<bool> LoopGoesOn(const HloInstruction& loop);
  absl::Status EndIteration(const HloInstruction& loop);

  // Run a conditional in parts: the instructions of the branch that StartBranch
  // picks run between the two.
  absl::StatusOr<int> StartBranch(const HloInstruction& conditional);
  absl::Status EndBranch(const HloInstruction& conditional, int branch);

  // From here to LeaveLocal `buffer` has memory of its own in place of `slice`.
  // If `loaded`, it begins with the contents of `slice`.
  void EnterLocal(int64_t buffer, const BufferSlice& slice, bool loaded);
  // If `stored`, copies the contents of the buffer to `slice`.
  void LeaveLocal(int64_t buffer, const BufferSlice& slice, bool stored);

  // Checks that memory holds `value`, which is read before its users run.
  absl::Status Read(const HloInstruction& value) { return Read(value, value); }

  // Overwrites the arena from byte `from` on, as scratch does.
  void WriteScratch(int64_t from);

  // From here on adds to `uses`, unless it is null, what the simulated
  // instructions read and write: places in the assignment, so that donation
  // does not show, without memory that EnterLocal gave. They are borrowed.
  void RecordUses(BufferUses* uses) { uses_ = uses; }

  // Checks that results are in the memory of the outputs, and that parameters
  // are unchanged.
  absl::Status CheckResults();

 private:
  using Names = std::vector<int64_t>;  // by leaf; 0 for leaves without memory

  // The names of the values in memory.
  class Memory {
   public:
    void Write(const BufferSlice& at, int64_t name);
    // Returns the name of the value in exactly this memory; 0 if there is none,
    // or parts of some.
    int64_t Read(const BufferSlice& at) const;
    // Copies all values in `from` to the start of `to`, and clears what was
    // there.
    void Copy(const BufferSlice& from, const BufferSlice& to);

   private:
    struct Piece {
      int64_t size;
      int64_t name;
    };
    using Pieces = std::map<int64_t, Piece>;  // by offset
    static void Erase(Pieces& pieces, int64_t begin, int64_t end);

    absl::flat_hash_map<int64_t, Pieces> allocations_;
  };

  void Record(const HloInstruction& value, BufferUse::Kind kind);
  absl::Status Read(const HloInstruction& value, const HloInstruction& reader);
  void Donate();
  void WriteParameters();
  uint64_t Random();
  BufferSlice Place(const HloInstruction* hlo, int64_t leaf) const;
  Names NewNames(const HloInstruction& hlo);
  // Returns the name of a leaf; looks through instructions that move no data.
  absl::StatusOr<int64_t> NameOf(const HloInstruction* hlo, int leaf);
  absl::StatusOr<Names> NamesOf(const HloInstruction* hlo);
  absl::Status CheckHolds(const HloInstruction& where,
                          const HloInstruction& value, const Names& names);
  absl::Status CheckOverlap(const HloInstruction& hlo, int leaf);
  absl::Status CheckPlace(const HloInstruction& hlo, int leaf) const;
  absl::Status RunOp(const HloInstruction& hlo);
  absl::Status RunStart(const HloInstruction& start);
  absl::Status RunDone(const HloInstruction& done);
  absl::Status RunLoop(const HloInstruction& loop);
  void SetCarry(const HloInstruction& loop, const Names& names);
  // Names of an earlier iteration are not valid in this one.
  void Forget(const HloComputation& computation);

  const HloModule& module_;
  const AliasInfo& alias_info_;
  const BufferAssignment& assignment_;
  uint64_t random_;
  int64_t steps_left_;
  const bool all_have_scratch_;
  int64_t last_name_ = 0;
  std::vector<int64_t> home_;  // memory of each allocation
  absl::flat_hash_map<int64_t, BufferSlice> locals_;  // by buffer
  absl::flat_hash_map<const HloInstruction*, Names> names_;
  absl::flat_hash_map<const HloInstruction*, int64_t> iterations_left_;
  std::vector<Names> arguments_;  // names of the entry's parameters
  Memory memory_;
  BufferUses* uses_ = nullptr;
};

struct BufferVerifierOptions {
  int runs = 6;                  // with other trip counts and branches each
  int64_t most_steps = 1000000;  // of one run; loops end when they are spent
};

// Simulates the module in the order of its schedule, once with donated
// parameters in the outputs' memory and once without: an independent check of
// an assignment, for tests. Also checks bounds, alignment, that results overlap
// operands only as the alias info allows, and that parameters and constants are
// not written. Errors: Internal naming the step.
absl::Status VerifyBufferAssignment(const HloModule& module,
                                    const AliasInfo& alias_info,
                                    const BufferAssignment& assignment,
                                    const BufferVerifierOptions& options = {});

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_BUFFER_SIMULATION_H_
