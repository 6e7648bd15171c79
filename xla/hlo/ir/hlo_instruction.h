// HloInstruction: one operation of a computation, its operands and users.
// What an opcode means stands in its OpDef (hlo/ops) and, at run time, in the
// evaluator and the backends.
#ifndef XLA_HLO_IR_HLO_INSTRUCTION_H_
#define XLA_HLO_IR_HLO_INSTRUCTION_H_

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloComputation;
class HloModule;

// Owned by its computation once added to one. Operands, users and control
// edges are borrowed pointers inside the same computation; called computations
// belong to the same module. Not thread safe.
class HloInstruction {
 public:
  using InstructionVector = absl::InlinedVector<HloInstruction*, 2>;

  // An instruction in no computation yet, of the given shape, which the
  // verifier checks later. `attrs` must be the attribute struct of `opcode`
  // (CHECK); an empty Attrs stands for default-made ones.
  static std::unique_ptr<HloInstruction> Create(
      HloOpcode opcode, Shape shape,
      absl::Span<HloInstruction* const> operands = {}, Attrs attrs = {},
      absl::Span<HloComputation* const> computations = {});

  // As Create, with the shape from the op's shape rules; `declared` is needed
  // for ops whose OpDef says declares_shape. Errors: those of InferShape.
  static absl::StatusOr<std::unique_ptr<HloInstruction>> Infer(
      HloOpcode opcode, absl::Span<HloInstruction* const> operands,
      Attrs attrs = {}, absl::Span<HloComputation* const> computations = {},
      const Shape* declared = nullptr);

  static std::unique_ptr<HloInstruction> CreateParameter(
      int64_t number, Shape shape, absl::string_view name);
  static std::unique_ptr<HloInstruction> CreateConstant(Literal literal);
  static std::unique_ptr<HloInstruction> CreateTuple(
      absl::Span<HloInstruction* const> elements);
  static std::unique_ptr<HloInstruction> CreateGetTupleElement(
      HloInstruction* operand, int64_t index);
  static std::unique_ptr<HloInstruction> CreateBroadcast(
      Shape shape, HloInstruction* operand,
      absl::Span<const int64_t> dimensions);

  ~HloInstruction();
  HloInstruction(const HloInstruction&) = delete;
  HloInstruction& operator=(const HloInstruction&) = delete;

  HloOpcode opcode() const { return opcode_; }
  const OpDef& def() const { return GetOpDef(opcode_); }
  const Shape& shape() const { return shape_; }
  Shape* mutable_shape() { return &shape_; }
  const std::string& name() const { return name_; }
  // Unique in its module.
  int64_t unique_id() const { return unique_id_; }
  HloComputation* parent() const { return parent_; }
  HloModule* GetModule() const;
  bool IsRoot() const;

  // Operands and users. A user appears once however often it uses this.
  const InstructionVector& operands() const { return operands_; }
  int64_t operand_count() const { return operands_.size(); }
  const HloInstruction* operand(int64_t i) const { return operands_[i]; }
  HloInstruction* mutable_operand(int64_t i) { return operands_[i]; }
  const std::vector<HloInstruction*>& users() const { return users_; }
  int64_t user_count() const { return users_.size(); }
  bool IsUserOf(const HloInstruction* instruction) const;

  const std::vector<HloComputation*>& called_computations() const {
    return computations_;
  }
  HloComputation* to_apply() const { return computations_[0]; }
  HloComputation* while_condition() const { return computations_[0]; }
  HloComputation* while_body() const { return computations_[1]; }
  HloComputation* branch_computation(int64_t i) const {
    return computations_[i];
  }
  HloComputation* fused_instructions_computation() const {
    return computations_[0];
  }
  void set_called_computation(int64_t i, HloComputation* computation) {
    computations_[i] = computation;
  }
  void ReplaceCalledComputations(
      absl::Span<HloComputation* const> computations) {
    computations_.assign(computations.begin(), computations.end());
  }

  // The attribute struct of this op; A must be the op's own (CHECK).
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

  // Of parameter, constant and get-tuple-element (CHECK).
  int64_t parameter_number() const;
  const Literal& literal() const;
  int64_t tuple_index() const;

  // Control edges: this runs before `successor`, which must be in the same
  // computation.
  absl::Status AddControlDependencyTo(HloInstruction* successor);
  absl::Status RemoveControlDependencyTo(HloInstruction* successor);
  absl::Status DropAllControlDeps();
  const std::vector<HloInstruction*>& control_predecessors() const;
  const std::vector<HloInstruction*>& control_successors() const;
  bool HasControlDependencies() const;

  // Replaces uses. Shapes must be compatible (InvalidArgument).
  absl::Status ReplaceOperandWith(int64_t i, HloInstruction* new_operand);
  absl::Status ReplaceUseWith(HloInstruction* user,
                              HloInstruction* new_producer);
  // Also makes `new_producer` the root if this was it.
  absl::Status ReplaceAllUsesWith(HloInstruction* new_producer);
  void AppendOperand(HloInstruction* operand);
  void AppendOperands(absl::Span<HloInstruction* const> operands);

  // A copy with other operands and shape, in no computation, with the same
  // attributes, called computations, metadata, sharding and so on.
  std::unique_ptr<HloInstruction> CloneWithNewOperands(
      Shape shape, absl::Span<HloInstruction* const> new_operands) const;

  // True if both compute the same value from the same operands: opcode, shape
  // (layout too), operands, attributes, backend config, called computations;
  // names and metadata do not count.
  bool Identical(const HloInstruction& other) const;
  // The same with operands compared by `same_operand` and computations by
  // `same_computation`, each a predicate on two pointers.
  template <typename SameOperand, typename SameComputation>
  bool IdenticalUnder(const HloInstruction& other,
                      const SameOperand& same_operand,
                      const SameComputation& same_computation) const;

  bool IsConstant() const { return opcode_ == HloOpcode::kConstant; }
  bool IsElementwise() const { return def().elementwise; }
  // True if this, or what it calls, may not be removed: effects on queues,
  // other devices or the host.
  bool HasSideEffect() const;
  bool HasSideEffectNoRecurse() const;

  // Rarely set parts.
  const OpMetadata& metadata() const;
  void set_metadata(OpMetadata metadata);
  bool has_sharding() const;
  const OpSharding& sharding() const;
  void set_sharding(OpSharding sharding);
  void clear_sharding();
  const FrontendAttributes& frontend_attributes() const;
  void set_frontend_attributes(FrontendAttributes attributes);
  const std::string& raw_backend_config_string() const;
  void set_raw_backend_config_string(std::string config);
  const StatisticsViz& statistics_viz() const;
  void set_statistics_viz(StatisticsViz statistics);
  const OriginalValueProto* original_value() const;
  void set_original_value(OriginalValueProto value);
  bool is_composite() const;
  void set_is_composite(bool is_composite);
  // Copies all of the above from `other`.
  void CopyAnnotationsFrom(const HloInstruction& other);

  // Renames; HloModule::SetUniqueName keeps names unique.
  void SetName(absl::string_view name) { name_ = std::string(name); }

  // "%add.1 = f32[4]{0} add(...)", as `options` say.
  std::string ToString(const HloPrintOptions& options = {}) const;
  HloInstructionProto ToProto() const;

 private:
  friend class HloComputation;
  friend class HloModule;

  struct Annotations;

  HloInstruction(HloOpcode opcode, Shape shape, Attrs attrs);
  // Whether backend configs, and what a custom call's handler may read besides,
  // are the same.
  bool SameConfig(const HloInstruction& other) const;
  void AddUser(HloInstruction* user);
  void RemoveUser(HloInstruction* user);
  Annotations& mutable_annotations();

  HloOpcode opcode_;
  Shape shape_;
  std::string name_;
  int64_t unique_id_ = -1;
  HloComputation* parent_ = nullptr;
  InstructionVector operands_;
  std::vector<HloInstruction*> users_;
  std::vector<HloComputation*> computations_;
  Attrs attrs_;
  std::unique_ptr<Annotations> annotations_;
  // Where the computation's list holds this.
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
