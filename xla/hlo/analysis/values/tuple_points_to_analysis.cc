// Goes through each computation once, operands first.
#include "xla/hlo/analysis/values/tuple_points_to_analysis.h"

#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/logging.h"
#include "xla/hlo/analysis/values/forwarding.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

bool PointsToSet::IsAmbiguous() const {
  return absl::c_any_of(
      tree_, [](const auto& part) { return part.second.buffers.size() > 1; });
}

bool PointsToSet::IsDistinct() const {
  size_t all = 0;
  ForEachElement([&](const ShapeIndex&, const BufferList& buffers) {
    all += buffers.size();
  });
  return all == size();
}

PointsToSet::BufferSet PointsToSet::CreateFlattenedSet() const {
  BufferSet set;
  ForEachElement([&](const ShapeIndex&, const BufferList& buffers) {
    set.insert(buffers.begin(), buffers.end());
  });
  return set;
}

bool PointsToSet::ContainsBufferAtIndex(const LogicalBuffer& buffer,
                                        const ShapeIndex& index) const {
  return absl::c_linear_search(element(index), &buffer);
}

bool PointsToSet::ContainsBuffer(const LogicalBuffer& buffer) const {
  return absl::c_any_of(tree_, [&](const auto& part) {
    return absl::c_linear_search(part.second.buffers, &buffer);
  });
}

void PointsToSet::AddPointedToBuffer(const LogicalBuffer& buffer,
                                     const ShapeIndex& index) {
  if (!ContainsBufferAtIndex(buffer, index)) {
    mutable_element(index)->push_back(&buffer);
  }
}

std::string PointsToSet::ToString() const {
  std::string text;
  ForEachElement([&](const ShapeIndex& index, const BufferList& buffers) {
    absl::StrAppend(&text, index.ToString(), ": ",
                    absl::StrJoin(buffers, ", ",
                                  [](std::string* out, const LogicalBuffer* b) {
                                    absl::StrAppend(out, b->ToString());
                                  }),
                    "\n");
  });
  return text;
}

std::string BufferAlias::ToString() const {
  return absl::StrCat("BufferAlias(", instruction_->name(), "[",
                      absl::StrJoin(index_, ","), "])");
}

std::ostream& operator<<(std::ostream& out, const BufferAlias& alias) {
  return out << alias.ToString();
}

// Returns those of fusions after all others.
std::vector<const HloComputation*> TuplePointsToAnalysis::Computations() const {
  std::vector<const HloComputation*> all;
  for (const HloComputation* computation :
       module_->MakeNonfusionComputations()) {
    all.push_back(computation);
  }
  absl::flat_hash_set<const HloComputation*> seen;
  for (size_t i = 0; i < all.size(); ++i) {
    for (const HloInstruction* hlo : all[i]->instructions()) {
      if (hlo->opcode() != HloOpcode::kFusion) continue;
      const HloComputation* fused = hlo->fused_instructions_computation();
      if (seen.insert(fused).second) all.push_back(fused);
    }
  }
  return all;
}

absl::StatusOr<std::unique_ptr<TuplePointsToAnalysis>>
TuplePointsToAnalysis::Run(const HloModule* module) {
  auto analysis =
      std::unique_ptr<TuplePointsToAnalysis>(new TuplePointsToAnalysis(module));
  for (const HloComputation* computation : analysis->Computations()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      analysis->Add(hlo);
    }
  }
  return analysis;
}

void TuplePointsToAnalysis::Add(HloInstruction* hlo) {
  PerInstruction& mine = instructions_[hlo];
  mine.points_to = std::make_unique<PointsToSet>(&hlo->shape());
  PointsToSet& set = *mine.points_to;
  set.ForEachMutableElement([&](const ShapeIndex& index,
                                PointsToSet::BufferList* buffers) {
    const std::optional<HloOperandIndex> from =
        ForwardedPart(*hlo, index, Forwarding::kPointsTo);
    if (from.has_value()) {
      const PointsToSet& source =
          GetPointsToSet(hlo->operand(from->operand_number));
      *buffers = source.element(from->operand_index);
      for (HloInstruction* tuple : source.tuple_sources(from->operand_index)) {
        set.add_tuple_source(index, tuple);
      }
    } else {
      buffers_.push_back(
          std::make_unique<LogicalBuffer>(hlo, index, buffers_.size()));
      aliases_.emplace_back();
      buffers->push_back(buffers_.back().get());
      mine.defined.push_back(buffers_.back().get());
      if (index.empty() && hlo->shape().IsTuple()) {
        set.add_tuple_source(index, hlo);
      }
    }
    for (const LogicalBuffer* buffer : *buffers) {
      aliases_[buffer->id()].emplace_back(hlo, index);
    }
  });
}

bool TuplePointsToAnalysis::InstructionDefinesBufferAtIndex(
    const HloInstruction* instruction, const ShapeIndex& index) const {
  const auto& buffers = GetPointsToSet(instruction).element(index);
  return buffers.size() == 1 && buffers[0]->instruction() == instruction;
}

absl::StatusOr<const LogicalBuffer*> TuplePointsToAnalysis::GetBufferDefinedAt(
    const HloInstruction* instruction, const ShapeIndex& index) const {
  if (!InstructionDefinesBufferAtIndex(instruction, index)) {
    return absl::FailedPreconditionError(
        absl::StrCat("instruction ", instruction->name(),
                     " makes no buffer at ", index.ToString()));
  }
  return GetPointsToSet(instruction).element(index)[0];
}

absl::Status TuplePointsToAnalysis::VerifyBuffer(
    const LogicalBuffer& buffer) const {
  const LogicalBuffer::Id id = buffer.id();
  if (!instructions_.contains(buffer.instruction()) ||
      !InstructionDefinesBufferAtIndex(buffer.instruction(), buffer.index()) ||
      id < 0 || id >= num_logical_buffers() ||
      GetBuffer(id).instruction() != buffer.instruction() ||
      GetBuffer(id).index() != buffer.index()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "buffer ", buffer.ToString(), " is not one of this analysis"));
  }
  return absl::OkStatus();
}

bool TuplePointsToAnalysis::DoesNotUseOperandBuffer(
    const HloInstruction* operand, const ShapeIndex& index,
    const HloInstruction* user) const {
  CHECK(user->IsUserOf(operand))
      << user->name() << " does not use " << operand->name();
  if (user->opcode() == HloOpcode::kGetTupleElement) return !index.empty();
  if (!user->IsLoopFusion()) return false;
  const HloInstruction* parameter =
      user->fused_parameter(user->operand_index(operand));
  for (const LogicalBuffer* buffer : GetPointsToSet(parameter).element(index)) {
    for (const BufferAlias& alias : GetBufferAliases(*buffer)) {
      for (const HloInstruction* inner : alias.instruction()->users()) {
        if (!DoesNotUseOperandBuffer(alias.instruction(), alias.index(),
                                     inner)) {
          return false;
        }
      }
    }
  }
  return true;
}

std::string TuplePointsToAnalysis::ToString() const {
  std::string text =
      absl::StrCat("TuplePointsToSet for module ", module_->name(), ":\n");
  for (const HloComputation* computation : Computations()) {
    absl::StrAppend(&text, "computation ", computation->name(), ":\n");
    for (const HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      absl::StrAppend(&text, "  instruction ", hlo->name(), ":\n",
                      GetPointsToSet(hlo).ToString());
    }
  }
  return text;
}

}  // namespace xla
