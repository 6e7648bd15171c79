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
#include "xla/hlo/ir/instruction/instruction_attributes.h"
#include "xla/hlo/ir/instruction/instruction_calls.h"
#include "xla/hlo/ir/instruction/instruction_factory.h"
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
                       public InstructionCalls {
 public:
  using FusionKind = ::xla::FusionKind;
  static constexpr char kMainExecutionThread[] = "main";
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

  virtual ~HloInstruction();
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
  const std::vector<HloInstruction*>& users() const { return users_; }
  int64_t user_count() const { return users_.size(); }
  bool IsUserOf(const HloInstruction* instruction) const;
  bool IsDead() const { return users_.empty() && !IsRoot(); }
  // The position of `operand`, which is one (CHECK); all of its positions.
  int64_t operand_index(const HloInstruction* operand) const;
  InstructionVector unique_operands() const;
  std::vector<int64_t> OperandIndices(const HloInstruction* operand) const;

  void ReplaceCalledComputations(
      absl::Span<HloComputation* const> computations) {
    computations_.assign(computations.begin(), computations.end());
  }

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

  // Control edges: makes this run before `successor`, which must be in the same
  // computation.
  absl::Status AddControlDependencyTo(HloInstruction* successor);
  absl::Status RemoveControlDependencyTo(HloInstruction* successor);
  absl::Status DropAllControlDeps();
  const std::vector<HloInstruction*>& control_predecessors() const;
  const std::vector<HloInstruction*>& control_successors() const;
  bool HasControlDependencies() const;

  // Replace uses. Shapes must be compatible (InvalidArgument).
  absl::Status ReplaceOperandWith(int64_t i, HloInstruction* new_operand);
  absl::Status ReplaceUseWith(HloInstruction* user,
                              HloInstruction* new_producer);
  // Also makes `new_producer` the root if this was it.
  absl::Status ReplaceAllUsesWith(HloInstruction* new_producer,
                                  absl::string_view trigger = "");
  absl::Status ReplaceUsesWith(absl::Span<HloInstruction* const> users,
                               HloInstruction* new_producer);
  // The same without the condition on shapes.
  absl::Status ReplaceOperandWithDifferentShape(int64_t i,
                                                HloInstruction* new_operand);
  absl::Status ReplaceUseWithDifferentShape(HloInstruction* user,
                                            HloInstruction* new_producer);
  absl::Status ReplaceAllUsesWithDifferentShape(HloInstruction* new_producer);
  void AppendOperand(HloInstruction* operand);
  void AppendOperands(absl::Span<HloInstruction* const> operands);
  void RemoveOperandAt(int64_t i);
  // Adds an instruction that is made for this one to its computation, with its
  // metadata, sharding and frontend attributes unless it has its own.
  HloInstruction* AddInstruction(std::unique_ptr<HloInstruction> derived);
  void SetupDerivedInstruction(HloInstruction* derived_instruction) const;

  // Returns a copy with other operands and shape that is in no computation. It
  // keeps the attributes, called computations, metadata, sharding and so on.
  // Clone adds `suffix` to the name. A context has the computations that take
  // the place of the called ones, and is told what was cloned.
  std::unique_ptr<HloInstruction> CloneWithNewOperands(
      Shape shape, absl::Span<HloInstruction* const> new_operands,
      HloCloneContext* context = nullptr) const;
  std::unique_ptr<HloInstruction> CloneWithNewShape(
      const Shape& shape, const std::string& suffix = "clone",
      HloCloneContext* context = nullptr) const;
  std::unique_ptr<HloInstruction> Clone(
      const std::string& suffix = "clone",
      HloCloneContext* context = nullptr) const;

  // Calls the visitor's functions for this and what it depends on, operands
  // first. Defined in dfs_hlo_visitor.h, as Visit, for this alone.
  template <typename HloInstructionPtr>
  absl::Status Accept(DfsHloVisitorBase<HloInstructionPtr>* visitor,
                      bool call_finish_visit = true,
                      bool ignore_control_predecessors = false,
                      bool cross_computation = false);
  template <typename HloInstructionPtr>
  absl::Status Visit(DfsHloVisitorBase<HloInstructionPtr>* visitor);

  // Returns true if both compute the same value from the same operands: opcode,
  // shape (layout too), operands, attributes, backend config, called
  // computations; names and metadata are ignored.
  bool Identical(const HloInstruction& other) const;
  // Like Identical, but compares operands by `same_operand` and computations by
  // `same_computation`, each a predicate on two pointers.
  template <typename SameOperand, typename SameComputation>
  bool IdenticalUnder(const HloInstruction& other,
                      const SameOperand& same_operand,
                      const SameComputation& same_computation) const;

  bool IsConstant() const { return opcode_ == HloOpcode::kConstant; }
  bool IsElementwise() const { return def().elementwise; }
  // Whether element i of the result needs only element i of the operand;
  // whether elements of the operand are used more than once.
  bool IsElementwiseOnOperand(int64_t operand_idx) const;
  bool ReusesOperandElements(int64_t i) const;
  // Returns true if this, or a computation that it calls, may not be removed
  // because it affects queues, other devices or the host.
  bool HasSideEffect() const;
  bool HasSideEffectNoRecurse() const;

  // Rarely set annotations.
  const OpMetadata& metadata() const;
  void set_metadata(OpMetadata metadata);
  bool has_sharding() const;
  const OpSharding& sharding() const;
  void set_sharding(OpSharding sharding);
  void clear_sharding();
  const FrontendAttributes& frontend_attributes() const;
  void set_frontend_attributes(FrontendAttributes attributes);
  bool has_frontend_attributes() const;
  std::optional<std::string> get_frontend_attribute(
      absl::string_view key) const;
  void set_frontend_attribute(absl::string_view key, absl::string_view value);
  // Does nothing and returns false if there is a value.
  bool add_frontend_attribute(const std::string& key, const std::string& value);
  bool has_backend_config() const {
    return !raw_backend_config_string().empty();
  }
  // As JSON of a proto. Errors: InvalidArgument for other text.
  absl::Status GetBackendConfigInternal(google::protobuf::Message* proto) const;
  template <typename ConfigProto>
  absl::StatusOr<ConfigProto> backend_config() const {
    ConfigProto proto;
    absl::Status status = GetBackendConfigInternal(&proto);
    if (!status.ok()) return status;
    return proto;
  }
  absl::Status set_backend_config(const google::protobuf::Message& proto);
  const std::string& raw_backend_config_string() const;
  void set_raw_backend_config_string(std::string config);
  const StatisticsViz& statistics_viz() const;
  void set_statistics_viz(StatisticsViz statistics);
  const OriginalValueProto* original_value() const;
  void set_original_value(OriginalValueProto value);
  bool is_composite() const;
  void set_is_composite(bool is_composite);
  // Copies all of these annotations from `other`.
  void CopyAnnotationsFrom(const HloInstruction& other);

  // Renames; HloModule::SetUniqueName keeps names unique.
  void SetName(absl::string_view name) { name_ = std::string(name); }

  // Returns "%add.1 = f32[4]{0} add(...)", as `options` specify.
  std::string ToString(const HloPrintOptions& options = {}) const;
  void Print(Printer* printer, const HloPrintOptions& options = {}) const;
  HloInstructionProto ToProto() const;

  // Only Create makes instructions, of the class that the op has.
  class Key {
    friend class InstructionMaker;
    Key() = default;
  };
  HloInstruction(Key key, HloOpcode opcode, Shape shape, Attrs attrs);

 private:
  friend class HloComputation;
  friend class HloModule;

  struct Annotations;

  // Returns true if the backend configs, and the other fields that a custom
  // call's handler may read, are the same.
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
  Attrs attrs_;
  std::unique_ptr<Annotations> annotations_;
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
