// ScalarProgram: a computation of scalars as a flat list of kernels, which run
// over blocks of elements without allocating.
#ifndef XLA_HLO_EVALUATOR_REDUCTION_SCALAR_PROGRAM_H_
#define XLA_HLO_EVALUATOR_REDUCTION_SCALAR_PROGRAM_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "xla/hlo/evaluator/elementwise/elementwise.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Knows element-wise ops, constants, tuples, calls, and ops that leave scalars
// unchanged. Not thread safe. Borrows the computation's constants.
class ScalarProgram {
 public:
  // Returns null if the computation has any other op.
  static std::unique_ptr<ScalarProgram> Create(
      const HloComputation& computation);
  // Returns this sum or product as a program in the next wider type. Null if
  // this is any other program, or has no wider type.
  std::unique_ptr<ScalarProgram> Widened() const;

  // See ScalarFunction::Call.
  void Run(int64_t n, absl::Span<const void* const> inputs,
           absl::Span<void* const> outputs);

  const std::vector<PrimitiveType>& parameter_types() const {
    return parameter_types_;
  }
  const std::vector<PrimitiveType>& result_types() const {
    return result_types_;
  }

 private:
  static constexpr int64_t kBlock = 256;  // elements per block
  static constexpr size_t kMaxInstructions = 10000;
  static constexpr int kMaxCallDepth = 50;

  // The location of a value: a parameter, a constant, or a block of results.
  struct Slot {
    enum Kind : uint8_t { kParameter, kConstant, kBlockOf } kind;
    PrimitiveType type;
    int64_t index;         // parameter number, or byte offset in blocks_
    const void* constant;  // one element
  };
  struct Step {
    const HloInstruction* hlo;
    ElementwiseKernel kernel;
    int operand_count;
    std::array<int, 3> operands;  // slots
    int result;                   // slot
  };
  // The slots of an array (one) or of a tuple's elements.
  using Slots = std::vector<int>;
  using SlotMap = absl::flat_hash_map<const HloInstruction*, Slots>;

  // Finds the slots of the root for these arguments; returns false if an op is
  // unknown.
  bool AddComputation(const HloComputation& computation,
                      const std::vector<Slots>& arguments, int depth,
                      Slots& root);
  bool AddInstruction(const HloInstruction& hlo,
                      const std::vector<Slots>& arguments, int depth,
                      SlotMap& slots);
  bool AddStep(const HloInstruction& hlo, const SlotMap& slots, Slots& result);
  int AddBlock(PrimitiveType type);
  // Allocates the blocks once all slots are known.
  void Finish();
  const char* Locate(const Slot& slot, int64_t begin) const;

  size_t visited_ = 0;  // instructions, once per call
  std::vector<PrimitiveType> parameter_types_;
  std::vector<PrimitiveType> result_types_;
  std::vector<Slot> slots_;
  std::vector<Step> steps_;
  Slots results_;
  // A result that is not a block is copied to its output through this offset.
  std::vector<int64_t> staging_;
  int64_t block_bytes_ = 0;
  std::unique_ptr<char[]> blocks_;
  // Arguments of the current call.
  absl::Span<const void* const> inputs_;
};

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_REDUCTION_SCALAR_PROGRAM_H_
