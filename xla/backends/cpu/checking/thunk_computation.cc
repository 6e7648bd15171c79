// Clones the instructions of a thunk; values from outside become parameters.
#include "xla/backends/cpu/checking/thunk_computation.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

// Whether the results of the instruction follow from its operands alone.
bool IsSelfContained(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kCustomCall ||
      hlo.opcode() == HloOpcode::kAsyncDone || hlo.def().device_dependent ||
      hlo.HasSideEffectNoRecurse()) {
    return false;
  }
  for (const HloComputation* called : hlo.called_computations()) {
    for (const auto& inner : called->instructions()) {
      if (!IsSelfContained(*inner)) return false;
    }
  }
  return true;
}

}  // namespace

ThunkCutter::ThunkCutter(const HloModule& module,
                         const BufferAssignment& assignment)
    : assignment_(assignment), copy_(module.Clone("")) {
  for (const auto& computation : copy_->computations()) {
    for (const auto& hlo : computation->instructions()) {
      copies_[{computation->name(), hlo->name()}] = hlo;
    }
  }
}

class ThunkCutter::Builder {
 public:
  Builder(ThunkCutter& cutter,
          absl::Span<const HloInstruction* const> instructions)
      : cutter_(cutter),
        assignment_(cutter.assignment_),
        inside_(instructions.begin(), instructions.end()),
        computation_(std::make_unique<HloComputation>("thunk")) {}

  HloInstruction* Clone(const HloInstruction& hlo) {
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : hlo.operands()) {
      operands.push_back(Get(operand));
    }
    // Returns the instruction of the copied module, which calls computations of
    // that module.
    const HloInstruction* same =
        cutter_.copies_.at({hlo.parent()->name(), hlo.name()});
    return clones_[&hlo] = computation_->AddInstruction(
               same->CloneWithNewOperands(hlo.shape(), operands));
  }

  // Returns the array in leaf `leaf` of the clone of `hlo`.
  HloInstruction* LeafOf(const HloInstruction& hlo, int leaf) {
    HloInstruction* value = clones_.at(&hlo);
    while (value->shape().IsTuple()) {
      int64_t element = 0;
      for (; leaf >= LeafCount(value->shape().tuple_shapes(element));
           ++element) {
        leaf -= LeafCount(value->shape().tuple_shapes(element));
      }
      value = computation_->AddInstruction(
          HloInstruction::CreateGetTupleElement(value, element));
    }
    return value;
  }

  ThunkComputation Finish(const std::vector<HloInstruction*>& results) {
    computation_->set_root_instruction(
        computation_->AddInstruction(HloInstruction::CreateTuple(results)));
    made_.computation =
        cutter_.copy_->AddEmbeddedComputation(std::move(computation_));
    return std::move(made_);
  }

  ThunkComputation& made() { return made_; }

 private:
  bool ComesFromInside(const HloInstruction* hlo) {
    auto [it, is_new] = comes_from_inside_.try_emplace(hlo, false);
    if (!is_new) return it->second;
    bool inside = inside_.contains(hlo);
    if (!inside && HloDataflow::IsForwarding(hlo->opcode())) {
      for (const HloInstruction* operand : hlo->operands()) {
        inside |= ComesFromInside(operand);
      }
    }
    return comes_from_inside_[hlo] = inside;
  }

  HloInstruction* Get(const HloInstruction* hlo) {
    if (auto it = clones_.find(hlo); it != clones_.end()) return it->second;
    if (ComesFromInside(hlo) || hlo->opcode() == HloOpcode::kConstant ||
        hlo->opcode() == HloOpcode::kAfterAll) {
      return Clone(*hlo);
    }
    // Makes a tuple of arrays in memory.
    if (hlo->opcode() == HloOpcode::kTuple) return Clone(*hlo);
    int leaf = 0;
    return clones_[hlo] = Parameters(*hlo, hlo->shape(), leaf);
  }

  HloInstruction* Parameters(const HloInstruction& hlo, const Shape& shape,
                             int& leaf) {
    if (shape.IsTuple()) {
      std::vector<HloInstruction*> elements;
      for (const Shape& element : shape.tuple_shapes()) {
        elements.push_back(Parameters(hlo, element, leaf));
      }
      return computation_->AddInstruction(
          HloInstruction::CreateTuple(elements));
    }
    const int64_t number = made_.operands.size();
    made_.operands.push_back(
        {assignment_.slice(&hlo, leaf++), shape, hlo.name()});
    return computation_->AddInstruction(HloInstruction::CreateParameter(
        number, shape, absl::StrCat("array", number)));
  }

  ThunkCutter& cutter_;
  const BufferAssignment& assignment_;
  const absl::flat_hash_set<const HloInstruction*> inside_;
  std::unique_ptr<HloComputation> computation_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> clones_;
  absl::flat_hash_map<const HloInstruction*, bool> comes_from_inside_;
  ThunkComputation made_;
};

std::optional<ThunkComputation> ThunkCutter::Cut(
    absl::Span<const HloInstruction* const> instructions,
    const LocalBuffers& locals) {
  int64_t end = 0;
  for (const HloInstruction* hlo : instructions) {
    if (!IsSelfContained(*hlo)) return std::nullopt;
    end = std::max(end, assignment_.times(hlo).end);
  }
  Builder builder(*this, instructions);
  for (const HloInstruction* hlo : instructions) builder.Clone(*hlo);
  // Goes backwards, since a buffer holds what was written to it last.
  std::vector<HloInstruction*> results;
  absl::flat_hash_set<int64_t> seen;
  for (size_t i = instructions.size(); i-- > 0;) {
    const HloInstruction* hlo = instructions[i];
    const std::vector<const Shape*> shapes = Leaves(hlo->shape());
    for (size_t leaf = 0; leaf < shapes.size(); ++leaf) {
      const int64_t buffer = assignment_.buffer_id(hlo, leaf);
      // A result that nobody reads, such as one that a branch passes on, may
      // share the memory of a needed result that was written before.
      if (buffer < 0 || assignment_.last_use(hlo, leaf) <= end ||
          !seen.insert(buffer).second) {
        continue;
      }
      // Branches may pass on a value that is never written and whose memory, if
      // it was donated, is an output's by now.
      const BufferSlice& slice = assignment_.slice(hlo, leaf);
      if (assignment_.allocations()[slice.allocation].kind ==
          BufferAssignment::Kind::kParameter) {
        continue;
      }
      auto local = locals.find(buffer);
      if (local != locals.end() && !local->second.stored) continue;
      results.push_back(builder.LeafOf(*hlo, leaf));
      builder.made().results.push_back({slice, *shapes[leaf], hlo->name()});
    }
  }
  if (results.empty()) return std::nullopt;
  return builder.Finish(results);
}

}  // namespace xla::cpu
