// HloInstruction: one operation of a computation, its operands and users. The
// opcode's OpDef (hlo/ops) defines its rules, the evaluator and the backends
// its meaning at run time.
#ifndef XLA_HLO_IR_HLO_INSTRUCTION_H_
#define XLA_HLO_IR_HLO_INSTRUCTION_H_

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/value_text.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/ir/instruction/hlo_instruction_set.h"
#include "xla/hlo/ir/instruction/instruction_annotations.h"
#include "xla/hlo/ir/instruction/instruction_attributes.h"
#include "xla/hlo/ir/instruction/instruction_calls.h"
#include "xla/hlo/ir/instruction/instruction_comparison.h"
#include "xla/hlo/ir/instruction/instruction_factory.h"
#include "xla/hlo/ir/instruction/instruction_fusing.h"
#include "xla/hlo/ir/instruction/instruction_order.h"
#include "xla/hlo/ir/instruction/instruction_origins.h"
#include "xla/hlo/ir/instruction/instruction_properties.h"
#include "xla/hlo/ir/instruction/instruction_users.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloCloneContext;
class HloComputation;
class HloModule;
template <typename HloInstructionPtr>
class DfsHloVisitorBase;

// Owned by its computation once added to one. Operands, users and control
// edges are borrowed pointers inside the same computation; called computations
// belong to the same module. Not thread safe.
class HloInstruction : public InstructionFactory,
                       public InstructionAttributes,
                       public InstructionCalls,
                       public InstructionFusing,
                       public InstructionProperties,
                       public InstructionComparison,
                       public InstructionOrder,
                       public InstructionAnnotations,
                       public InstructionOrigins {
 public:
  using FusionKind = ::xla::FusionKind;
  using InstructionVector = absl::InlinedVector<HloInstruction*, 2>;

  // Returns an instruction of the given shape that is not in a computation yet;
  // the verifier checks the shape later. `attrs` must be the attribute struct
  // of `opcode` (CHECK); an empty Attrs stands for default-constructed ones.
  static std::unique_ptr<HloInstruction> Create(
      HloOpcode opcode, Shape shape,
      absl::Span<HloInstruction* const> operands = {}, Attrs attrs = {},
      absl::Span<HloComputation* const> computations = {});

  // Like Create, but infers the shape by the op's shape rules; `declared` is
  // needed for ops whose OpDef has declares_shape. Errors: those of InferShape.
  static absl::StatusOr<std::unique_ptr<HloInstruction>> Infer(
      HloOpcode opcode, absl::Span<HloInstruction* const> operands,
      Attrs attrs = {}, absl::Span<HloComputation* const> computations = {},
      const Shape* declared = nullptr);

  // The same from a proto, whose operands and called computations the maps have
  // by their ids; of instructions, the lower halves of these. The proto may be
  // hostile: InvalidArgument. A constant may lack its literal if that is not
  // prohibited.
  static absl::StatusOr<std::unique_ptr<HloInstruction>> CreateFromProto(
      const HloInstructionProto& proto,
      const absl::flat_hash_map<int64_t, HloInstruction*>& instruction_map,
      const absl::flat_hash_map<int64_t, HloComputation*>& computation_map = {},
      bool prohibit_empty_literal = true);

  HloInstruction(const HloInstruction&) = delete;
  HloInstruction& operator=(const HloInstruction&) = delete;

  HloOpcode opcode() const { return opcode_; }
  const OpDef& def() const { return GetOpDef(opcode_); }
  const Shape& shape() const { return shape_; }
  Shape* mutable_shape() { return &shape_; }
  const std::string& name() const { return name_; }
  // The id is unique in its module.
  int64_t unique_id() const { return unique_id_; }
  int32_t local_id() const { return static_cast<int32_t>(unique_id_); }
  HloComputation* parent() const { return parent_; }
  HloModule* GetModule() const;
  bool IsRoot() const;

  // Operands and users. A user appears once, however often it uses this.
  const InstructionVector& operands() const { return operands_; }
  int64_t operand_count() const { return operands_.size(); }
  const HloInstruction* operand(int64_t i) const { return operands_[i]; }
  HloInstruction* mutable_operand(int64_t i) { return operands_[i]; }
  const std::vector<HloInstruction*>& users() const { return users_.list(); }
  int64_t user_count() const { return users_.list().size(); }
  bool IsUserOf(const HloInstruction* instruction) const;
  bool IsDead() const { return users_.empty() && !IsRoot(); }
  // The position of `operand`, which is one (CHECK); all of its positions.
  int64_t operand_index(const HloInstruction* operand) const;
  InstructionVector unique_operands() const;
  std::vector<int64_t> OperandIndices(const HloInstruction* operand) const;

  // Returns the attribute struct of this op; A must be the op's own (CHECK).
  template <typename A>
  const A& attrs() const {
    const A* a = attrs_.As<A>();
    CHECK(a != nullptr) << "wrong attribute type for " << name_;
    return *a;
  }
  template <typename A>
  A& mutable_attrs() {
    A* a = attrs_.As<A>();
    CHECK(a != nullptr) << "wrong attribute type for " << name_;
    return *a;
  }
  const Attrs& raw_attrs() const { return attrs_; }
  Attrs& mutable_raw_attrs() { return attrs_; }

  // Replace uses. Shapes must be compatible up to the precision of floats
  // (InvalidArgument).
  absl::Status ReplaceOperandWith(int64_t i, HloInstruction* new_operand);
  absl::Status ReplaceUseWith(HloInstruction* user,
                              HloInstruction* new_producer);
  absl::Status ReplaceUseWith(HloInstruction* user, int operand_number,
                              HloInstruction* new_producer);
  // Also make `new_producer` the root if this was it.
  absl::Status ReplaceAllUsesWith(HloInstruction* new_producer,
                                  absl::string_view trigger = "");
  absl::Status ReplaceUsesWith(absl::Span<HloInstruction* const> users,
                               HloInstruction* new_producer);
  // The same without the condition on shapes.
  absl::Status ReplaceOperandWithDifferentShape(int64_t i,
                                                HloInstruction* new_operand);
  absl::Status ReplaceUseWithDifferentShape(HloInstruction* user,
                                            HloInstruction* new_producer);
  absl::Status ReplaceUseWithDifferentShape(HloInstruction* user,
                                            int operand_number,
                                            HloInstruction* new_producer);
  absl::Status ReplaceAllUsesWithDifferentShape(HloInstruction* new_producer);
  absl::Status ReplaceAllUsesWithDifferentShape(
      absl::Span<HloInstruction* const> users, HloInstruction* new_producer);
  void AppendOperand(HloInstruction* operand);
  void AppendOperands(absl::Span<HloInstruction* const> operands);
  void RemoveOperandAt(int64_t i);
  // Drops all operands; and leaves null in the place of this in its users.
  void DetachFromOperands();
  void DetachFromOperandsAndUsers();
  // Adds an instruction that is made for this one to its computation, with its
  // metadata, sharding and frontend attributes unless it has its own.
  HloInstruction* AddInstruction(std::unique_ptr<HloInstruction> derived,
                                 absl::string_view new_name = "");
  void SetupDerivedInstruction(HloInstruction* derived_instruction) const;

  // Returns a copy with other operands and shape that is in no computation. It
  // keeps attributes, annotations (the sharding if that fits) and, but for
  // fusions, custom calls and async-starts, called computations: of theirs it
  // adds copies to the module. Clone adds `suffix` to the name. A context has
  // what takes the place of called computations, and is told what was cloned.
  std::unique_ptr<HloInstruction> CloneWithNewOperands(
      Shape shape, absl::Span<HloInstruction* const> new_operands,
      HloCloneContext* context = nullptr) const;
  std::unique_ptr<HloInstruction> CloneWithNewOperands(
      Shape shape, absl::Span<HloInstruction* const> new_operands,
      const std::string& suffix, HloCloneContext* context = nullptr) const;
  std::unique_ptr<HloInstruction> CloneWithNewShape(
      const Shape& shape, const std::string& suffix = "clone",
      HloCloneContext* context = nullptr) const;
  std::unique_ptr<HloInstruction> Clone(
      const std::string& suffix = "clone",
      HloCloneContext* context = nullptr) const;

  // Call the visitor's functions for this and what it depends on, operands
  // first, those that come first by `operand_order` before others. Defined in
  // dfs_hlo_visitor.h, as Visit, for this alone.
  template <typename HloInstructionPtr>
  absl::Status Accept(DfsHloVisitorBase<HloInstructionPtr>* visitor,
                      bool call_finish_visit = true,
                      bool ignore_control_predecessors = false,
                      bool cross_computation = false);
  absl::Status Accept(DfsHloVisitorBase<const HloInstruction*>* visitor,
                      bool call_finish_visit = true,
                      bool ignore_control_predecessors = false,
                      bool cross_computation = false) const;
  template <typename HloInstructionPtr>
  absl::Status Visit(DfsHloVisitorBase<HloInstructionPtr>* visitor);

  absl::Status AcceptWithOperandOrder(
      DfsHloVisitorBase<HloInstruction*>* visitor,
      absl::FunctionRef<bool(const HloInstruction*, const HloInstruction*)>
          operand_order,
      bool call_finish_visit = true);

  // Returns true if both compute the same value from the same operands: opcode,
  // shape (layout too), attributes, backend config and, of custom calls,
  // frontend attributes; operands by `same_operand` and called computations by
  // `same_computation`, each a predicate on two pointers. Unlike Identical,
  // which has XLA's rules, it finds equal instructions of any op.
  template <typename SameOperand, typename SameComputation>
  bool IdenticalUnder(const HloInstruction& other,
                      const SameOperand& same_operand,
                      const SameComputation& same_computation) const;

  bool IsConstant() const { return opcode_ == HloOpcode::kConstant; }
  // Whether the table of ops says so: the op computes each element alone.
  bool IsElementwiseOp() const { return def().elementwise; }
  // Whether element i of the result needs only element i of all operands (the
  // instructions of a fusion decide), or of one; whether elements of the
  // operand are used more than once.
  bool IsElementwise() const;
  bool IsElementwiseOnOperand(int64_t operand_idx) const;
  bool ReusesOperandElements(int64_t i) const;
  // Returns true if this, or a computation that it calls, may not be removed
  // because it affects queues, other devices or the host.
  bool HasSideEffect() const;
  bool HasSideEffectNoRecurse() const;

  // Renames; HloModule::SetUniqueName keeps names unique.
  void SetName(absl::string_view name) { name_ = std::string(name); }

  // Returns "%add.1 = f32[4]{0} add(...)", as `options` specify.
  std::string ToString(const HloPrintOptions& options = {}) const;
  void Print(Printer* printer, const HloPrintOptions& options = {}) const;
  HloInstructionProto ToProto() const;
  void ToProto(HloInstructionProto* proto) const { *proto = ToProto(); }

  // Only Create makes instructions, of the class that the op has.
  class Key {
    friend class InstructionMaker;
    Key() = default;
  };
  HloInstruction(Key key, HloOpcode opcode, Shape shape, Attrs attrs);
  // One that is in no computation leaves its operands and users first.
  virtual ~HloInstruction();

 private:
  friend class ComputationEdits;
  friend class HloComputation;
  friend class HloModule;

  // Returns true if the backend configs, and the other fields that a custom
  // call's handler may read, are the same.
  bool SameConfig(const HloInstruction& other) const;

  HloOpcode opcode_;
  Shape shape_;
  std::string name_;
  int64_t unique_id_ = -1;
  HloComputation* parent_ = nullptr;
  InstructionVector operands_;
  InstructionUsers users_;
  Attrs attrs_;
  // Whether the computation removed it and only keeps it until Cleanup.
  bool is_removed_ = false;
  // The position of this in the computation's list.
  std::list<std::unique_ptr<HloInstruction>>::iterator position_;
};

template <typename SameOperand, typename SameComputation>
bool HloInstruction::IdenticalUnder(
    const HloInstruction& other, const SameOperand& same_operand,
    const SameComputation& same_computation) const {
  if (this == &other) return true;
  if (opcode_ != other.opcode_ || shape_ != other.shape_ ||
      operands_.size() != other.operands_.size() ||
      computations_.size() != other.computations_.size() ||
      !(attrs_ == other.attrs_) || !SameConfig(other)) {
    return false;
  }
  for (size_t i = 0; i < operands_.size(); ++i) {
    if (!same_operand(operands_[i], other.operands_[i])) return false;
  }
  for (size_t i = 0; i < computations_.size(); ++i) {
    if (!same_computation(computations_[i], other.computations_[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_INSTRUCTION_H_
