// TuplePointsToAnalysis: which buffers are in each part of each instruction,
// within computations.
#ifndef XLA_HLO_ANALYSIS_VALUES_TUPLE_POINTS_TO_ANALYSIS_H_
#define XLA_HLO_ANALYSIS_VALUES_TUPLE_POINTS_TO_ANALYSIS_H_

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_tree.h"
#include "xla/hlo/analysis/values/buffer_value.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// The buffers of one instruction's result, by part.
class PointsToSet {
 public:
  using BufferSet = absl::flat_hash_set<const LogicalBuffer*>;
  using SourceSet = absl::flat_hash_set<HloInstruction*>;
  using BufferList = absl::InlinedVector<const LogicalBuffer*, 1>;

  explicit PointsToSet(const Shape* shape) : tree_(shape) {}
  PointsToSet(const PointsToSet&) = delete;
  PointsToSet& operator=(const PointsToSet&) = delete;

  // Whether a part may be several buffers; whether no buffer is in two parts.
  bool IsAmbiguous() const;
  bool IsDistinct() const;
  // All buffers, each once, and their number.
  BufferSet CreateFlattenedSet() const;
  size_t size() const { return CreateFlattenedSet().size(); }
  bool ContainsBufferAtIndex(const LogicalBuffer& buffer,
                             const ShapeIndex& index) const;
  bool ContainsBuffer(const LogicalBuffer& buffer) const;
  // Does nothing if the buffer is there.
  void AddPointedToBuffer(const LogicalBuffer& buffer, const ShapeIndex& index);

  // The instructions that make the tuple in a part; none for arrays.
  const SourceSet& tuple_sources(const ShapeIndex& index) const {
    return tree_.element(index).tuple_sources;
  }
  void add_tuple_source(const ShapeIndex& index, HloInstruction* tuple) {
    tree_.mutable_element(index)->tuple_sources.insert(tuple);
  }

  const BufferList& element(const ShapeIndex& index) const {
    return tree_.element(index).buffers;
  }
  BufferList* mutable_element(const ShapeIndex& index) {
    return &tree_.mutable_element(index)->buffers;
  }
  // Call fn(index, const BufferList&), or with a pointer.
  template <typename Fn>
  void ForEachElement(const Fn& fn) const {
    for (const auto& [index, part] : tree_) fn(index, part.buffers);
  }
  template <typename Fn>
  void ForEachMutableElement(const Fn& fn) {
    for (auto& [index, part] : tree_) fn(index, &part.buffers);
  }
  template <typename Fn>
  absl::Status ForEachElementWithStatus(const Fn& fn) const {
    for (const auto& [index, part] : tree_) {
      absl::Status status = fn(index, part.buffers);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  std::string ToString() const;

 private:
  struct Part {
    BufferList buffers;
    SourceSet tuple_sources;
  };
  ShapeTree<Part> tree_;
};

// A part of an instruction in which a buffer is.
class BufferAlias {
 public:
  BufferAlias(HloInstruction* instruction, const ShapeIndex& index)
      : instruction_(instruction), index_(index) {}

  HloInstruction* instruction() const { return instruction_; }
  const ShapeIndex& index() const { return index_; }
  bool operator==(const BufferAlias& other) const {
    return instruction_ == other.instruction_ && index_ == other.index_;
  }
  bool operator!=(const BufferAlias& other) const { return !(*this == other); }
  std::string ToString() const;

 private:
  HloInstruction* instruction_;
  ShapeIndex index_;
};
std::ostream& operator<<(std::ostream& out, const BufferAlias& alias);

// Parameters, loops, conditionals and calls make buffers of their own here;
// HloDataflowAnalysis follows values across computations. The module must not
// change while the analysis lives. Instructions that it does not know, as those
// of computations that nothing reaches and that are fusions', are a programmer
// error.
class TuplePointsToAnalysis {
 public:
  using BufferAliasVector = absl::InlinedVector<BufferAlias, 1>;
  using BufferDefinitionVector = absl::InlinedVector<const LogicalBuffer*, 1>;

  static absl::StatusOr<std::unique_ptr<TuplePointsToAnalysis>> Run(
      const HloModule* module);

  const PointsToSet& GetPointsToSet(const HloInstruction* instruction) const {
    return *instructions_.at(instruction).points_to;
  }
  LogicalBuffer::Id num_logical_buffers() const { return buffers_.size(); }
  const LogicalBuffer& GetBuffer(LogicalBuffer::Id id) const {
    return *buffers_.at(id);
  }
  // Errors: FailedPrecondition if the instruction makes no buffer there.
  absl::StatusOr<const LogicalBuffer*> GetBufferDefinedAt(
      const HloInstruction* instruction, const ShapeIndex& index) const;
  bool InstructionDefinesBufferAtIndex(const HloInstruction* instruction,
                                       const ShapeIndex& index) const;
  const BufferDefinitionVector& GetBuffersDefinedByInstruction(
      const HloInstruction* instruction) const {
    return instructions_.at(instruction).defined;
  }
  // All parts that the buffer is in.
  const BufferAliasVector& GetBufferAliases(const LogicalBuffer& buffer) const {
    return aliases_.at(buffer.id());
  }
  // Checks that the buffer is one of this analysis. Errors: FailedPrecondition.
  absl::Status VerifyBuffer(const LogicalBuffer& buffer) const;

  // Whether `user`, which has the operand, does not read its part at `index`.
  bool DoesNotUseOperandBuffer(const HloInstruction* operand,
                               const ShapeIndex& index,
                               const HloInstruction* user) const;

  std::string ToString() const;

 private:
  struct PerInstruction {
    std::unique_ptr<PointsToSet> points_to;
    BufferDefinitionVector defined;
  };

  explicit TuplePointsToAnalysis(const HloModule* module) : module_(module) {}

  std::vector<const HloComputation*> Computations() const;
  void Add(HloInstruction* hlo);

  const HloModule* module_;
  std::vector<std::unique_ptr<LogicalBuffer>> buffers_;  // by id
  std::vector<BufferAliasVector> aliases_;               // by id
  absl::flat_hash_map<const HloInstruction*, PerInstruction> instructions_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_TUPLE_POINTS_TO_ANALYSIS_H_
