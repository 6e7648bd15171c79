// InstructionProperties: the part of HloInstruction that answers questions
// about what an instruction is, which follow from its op, operands and users.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_PROPERTIES_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_PROPERTIES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {

class CanonicalNameMap;
class HloInstruction;
class HloModule;
class HloPrintOptions;
class NameUniquer;
class Printer;

class InstructionProperties {
 public:
  static constexpr char kMainExecutionThread[] = "main";
  static constexpr char kHostThread[] = "host";

  // Copies: to change one changes no instruction.
  absl::InlinedVector<HloInstruction*, 2> mutable_operands();
  // The position of each use of `operand`, which may be none.
  std::vector<int64_t> operand_indices(const HloInstruction* operand) const;
  // The position of `user` among the users; -1 if it is none.
  int64_t UserId(const HloInstruction* user) const;
  bool HasConstantOperand() const;

  // The first instruction, from this one on over operands of
  // get-tuple-elements, that is no get-tuple-element, and the index of this in
  // its result.
  const HloInstruction* LatestNonGteAncestor() const;
  HloInstruction* LatestNonGteAncestor();
  std::pair<const HloInstruction*, ShapeIndex> LatestNonGteAncestorAndIndex()
      const;
  std::pair<HloInstruction*, ShapeIndex> LatestNonGteAncestorAndIndex();

  // The id in a proto, which has the computation's in its upper half.
  static int64_t CalculateUniqueId(int32_t computation_unique_id,
                                   int32_t instruction_local_id) {
    return int64_t{computation_unique_id} << 32 |
           static_cast<uint32_t>(instruction_local_id);
  }
  static int32_t CalculateLocalId(int64_t unique_id) {
    return static_cast<int32_t>(unique_id);
  }
  static int32_t CalculateParentId(int64_t unique_id) {
    return static_cast<int32_t>(unique_id >> 32);
  }

  static bool IsOpElementwise(HloOpcode opcode);
  bool IsElementwiseBinary() const;
  // Whether it is a bitcast, or a transpose that moves no data; or would be if
  // it had that opcode.
  bool IsEffectiveBitcast() const;
  bool IsEffectiveBitcast(HloOpcode opcode) const;
  // All-reduces with and without a channel. A done must be of a start (CHECK).
  bool IsCrossModuleAllReduce() const;
  bool IsCrossReplicaAllReduce() const;
  // Whether a fusion may contain it.
  bool IsFusible() const;
  bool IsAsyncInstructionWithExecutionThread(absl::string_view thread) const;
  // Whether the op may call computations.
  static bool MightHaveCalledComputations(HloOpcode opcode);
  // No threads are all threads.
  static bool IsThreadIncluded(
      absl::string_view execution_thread,
      const absl::flat_hash_set<absl::string_view>& execution_threads_set);
  // The dimensions of size 1 that a reshape deletes and inserts, if it does
  // nothing else.
  std::optional<ShapeUtil::ShapeEqualityDescriptor>
  ReshapeMerelyInsertsOrDeletes1SizedDimensions() const;
  // The dimension of the only operand that dimension `output_dim` of the result
  // is: of element-wise ops, broadcasts, transposes, and reshapes that do
  // nothing but insert or delete dimensions of size 1. Null if there is none.
  std::optional<int64_t> MapUnaryOutputDimToOperandDim(
      int64_t output_dim) const;

  // "%sum = add(%a, %b)", "(f32[2], f32[2]) -> f32[2]", and what profilers call
  // the kind of work: "data formatting", "loop fusion", "convolution".
  std::string ToShortString() const;
  // As ToString; canonical names are those of the map, which gains new ones.
  void PrintWithCanonicalNameMap(Printer* printer,
                                 const HloPrintOptions& options,
                                 CanonicalNameMap* canonical_name_map) const;
  std::string SignatureString() const;
  std::string ToCategory() const;

  // Makes `name` valid and takes it; makes the name one that the uniquer, or
  // that of the module, did not give before.
  void SetAndSanitizeName(absl::string_view name);
  void UniquifyName(NameUniquer* name_uniquer);
  void UniquifyName(HloModule* module);

 protected:
  ~InstructionProperties() = default;

 private:
  const HloInstruction& self() const;
  HloInstruction& self();
};

// Whether the op takes a result accuracy.
bool IsUnaryOpWithResultAccuracy(HloOpcode opcode);

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_PROPERTIES_H_
