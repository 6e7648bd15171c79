// Runs instructions on a memory that holds names of values.
#include "xla/hlo/analysis/buffer_simulation.h"

#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {

void BufferSimulation::Memory::Erase(Pieces& pieces, int64_t begin,
                                     int64_t end) {
  auto it = pieces.lower_bound(begin);
  if (it != pieces.begin() &&
      std::prev(it)->first + std::prev(it)->second.size > begin) {
    --it;
  }
  while (it != pieces.end() && it->first < end) it = pieces.erase(it);
}

void BufferSimulation::Memory::Write(const BufferSlice& at, int64_t name) {
  Pieces& pieces = allocations_[at.allocation];
  Erase(pieces, at.offset, at.offset + at.size);
  pieces[at.offset] = {at.size, name};
}

int64_t BufferSimulation::Memory::Read(const BufferSlice& at) const {
  auto allocation = allocations_.find(at.allocation);
  if (allocation == allocations_.end()) return 0;
  auto it = allocation->second.find(at.offset);
  if (it == allocation->second.end() || it->second.size != at.size) return 0;
  return it->second.name;
}

void BufferSimulation::Memory::Copy(const BufferSlice& from,
                                    const BufferSlice& to) {
  Pieces copied;
  if (auto source = allocations_.find(from.allocation);
      source != allocations_.end()) {
    for (auto it = source->second.lower_bound(from.offset);
         it != source->second.end() &&
         it->first + it->second.size <= from.offset + from.size;
         ++it) {
      copied[it->first - from.offset + to.offset] = it->second;
    }
  }
  Pieces& target = allocations_[to.allocation];
  Erase(target, to.offset, to.offset + to.size);
  target.insert(copied.begin(), copied.end());
}

BufferSimulation::BufferSimulation(const HloModule& module,
                                   const AliasInfo& alias_info,
                                   const BufferAssignment& assignment,
                                   const Options& options)
    : module_(module),
      alias_info_(alias_info),
      assignment_(assignment),
      random_(options.seed * 0x9e3779b97f4a7c15u + 1),
      steps_left_(options.most_steps),
      all_have_scratch_(options.all_have_scratch) {
  for (size_t i = 0; i < assignment.allocations().size(); ++i) {
    home_.push_back(i);
  }
  if (options.donated) Donate();
  WriteParameters();
}

// Returns all leaves of `value`.
void BufferSimulation::Record(const HloInstruction& value,
                              BufferUse::Kind kind) {
  if (uses_ == nullptr) return;
  const auto slices = assignment_.slices(&value);
  for (size_t leaf = 0; leaf < slices.size(); ++leaf) {
    if (locals_.contains(assignment_.buffer_id(&value, leaf))) continue;
    uses_->Add({slices[leaf], kind});
  }
}

void BufferSimulation::Donate() {
  const HloComputation& entry = *module_.entry_computation();
  int64_t parameter_leaves = 0;
  std::vector<int64_t> first;
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    first.push_back(parameter_leaves);
    parameter_leaves += LeafCount(parameter->shape());
  }
  for (const auto& alias : module_.input_output_alias().entries()) {
    const int64_t number = alias.parameter_number();
    if (number < 0 || number >= entry.num_parameters()) continue;
    const ShapeIndex out(alias.output_shape_index().begin(),
                         alias.output_shape_index().end());
    const ShapeIndex in(alias.parameter_shape_index().begin(),
                        alias.parameter_shape_index().end());
    const int output = LeafNumberAt(entry.root_instruction()->shape(), out);
    const int leaf =
        LeafNumberAt(entry.parameter_instruction(number)->shape(), in);
    if (output < 0 || leaf < 0) continue;
    home_[first[number] + leaf] = parameter_leaves + output;
  }
}

void BufferSimulation::WriteParameters() {
  for (const HloInstruction* parameter :
       module_.entry_computation()->parameter_instructions()) {
    const Names names = NewNames(*parameter);
    for (size_t leaf = 0; leaf < names.size(); ++leaf) {
      if (names[leaf] != 0) memory_.Write(Place(parameter, leaf), names[leaf]);
    }
    arguments_.push_back(names);
    names_[parameter] = names;
  }
}

uint64_t BufferSimulation::Random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_ >> 11;
}

BufferSlice BufferSimulation::Place(const HloInstruction* hlo,
                                    int64_t leaf) const {
  BufferSlice slice = assignment_.slice(hlo, leaf);
  if (slice.allocation < 0) return slice;
  auto local = locals_.find(assignment_.buffer_id(hlo, leaf));
  if (local != locals_.end()) {
    return {local->second.allocation, local->second.offset, slice.size};
  }
  slice.allocation = home_[slice.allocation];
  return slice;
}

BufferSimulation::Names BufferSimulation::NewNames(const HloInstruction& hlo) {
  Names names;
  for (const BufferSlice& slice : assignment_.slices(&hlo)) {
    names.push_back(slice.allocation < 0 ? 0 : ++last_name_);
  }
  return names;
}

namespace {

// Returns the leaf of an operand for which a leaf of `hlo`, which moves no
// data, stands.
std::pair<const HloInstruction*, int> SourceOf(const HloInstruction& hlo,
                                               int leaf) {
  switch (hlo.opcode()) {
    case HloOpcode::kTuple:
      for (const HloInstruction* operand : hlo.operands()) {
        const int count = LeafCount(operand->shape());
        if (leaf < count) return {operand, leaf};
        leaf -= count;
      }
      return {nullptr, 0};
    case HloOpcode::kGetTupleElement: {
      const HloInstruction* tuple = hlo.operand(0);
      leaf += FirstLeafOfElement(tuple->shape(), hlo.tuple_index());
      return {tuple, leaf};
    }
    default:
      return {hlo.operand(0), leaf};
  }
}

}  // namespace

absl::StatusOr<int64_t> BufferSimulation::NameOf(const HloInstruction* hlo,
                                                 int leaf) {
  while (HloDataflow::IsForwarding(hlo->opcode())) {
    if (hlo->opcode() == HloOpcode::kAfterAll) return 0;
    std::tie(hlo, leaf) = SourceOf(*hlo, leaf);
  }
  auto known = names_.find(hlo);
  if (known != names_.end()) return known->second[leaf];
  if (hlo->opcode() != HloOpcode::kConstant) {
    return absl::InternalError(
        absl::StrCat("buffers: ", hlo->name(), " is needed before it has run"));
  }
  // Values there are never written, so they exist from the start.
  const Names names = NewNames(*hlo);
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] != 0) memory_.Write(Place(hlo, i), names[i]);
  }
  names_[hlo] = names;
  return names[leaf];
}

absl::StatusOr<BufferSimulation::Names> BufferSimulation::NamesOf(
    const HloInstruction* hlo) {
  Names names(assignment_.slices(hlo).size());
  for (size_t leaf = 0; leaf < names.size(); ++leaf) {
    if (assignment_.slice(hlo, leaf).allocation < 0) continue;
    TF_ASSIGN_OR_RETURN(names[leaf], NameOf(hlo, leaf));
  }
  return names;
}

absl::Status BufferSimulation::CheckHolds(const HloInstruction& where,
                                          const HloInstruction& value,
                                          const Names& names) {
  for (size_t leaf = 0; leaf < names.size(); ++leaf) {
    if (names[leaf] == 0) continue;
    if (memory_.Read(Place(&value, leaf)) != names[leaf]) {
      return absl::InternalError(absl::StrCat(
          "buffers: at ", where.name(), " the memory of ", value.name(),
          " leaf ", leaf, " does not hold its value"));
    }
  }
  return absl::OkStatus();
}

absl::Status BufferSimulation::Read(const HloInstruction& value,
                                    const HloInstruction& reader) {
  TF_ASSIGN_OR_RETURN(const Names names, NamesOf(&value));
  Record(value, BufferUse::Kind::kRead);
  return CheckHolds(reader, value, names);
}

// Results may lie over operands only as the alias info says.
absl::Status BufferSimulation::CheckOverlap(const HloInstruction& hlo,
                                            int leaf) {
  const BufferSlice result = Place(&hlo, leaf);
  const std::optional<OperandLeaf> in_place = alias_info_.MustAlias(hlo, leaf);
  for (int i = 0; i < hlo.operand_count(); ++i) {
    const int count = assignment_.slices(hlo.operand(i)).size();
    for (int k = 0; k < count; ++k) {
      const BufferSlice operand = Place(hlo.operand(i), k);
      if (in_place == OperandLeaf{i, k} && operand.allocation >= 0) {
        if (operand == result) continue;
        return absl::InternalError(
            absl::StrCat("buffers: ", hlo.name(), " leaf ", leaf,
                         " is not in the memory of its operand ", i));
      }
      if (!operand.Overlaps(result)) continue;
      const bool may = !in_place.has_value() && operand == result && k == 0 &&
                       hlo.operand(i)->shape().IsArray() &&
                       alias_info_.MayAlias(hlo, leaf, i);
      if (!may) {
        return absl::InternalError(absl::StrCat("buffers: ", hlo.name(),
                                                " leaf ", leaf,
                                                " overwrites operand ", i));
      }
    }
  }
  for (int k = 0; k < leaf; ++k) {
    if (Place(&hlo, k).Overlaps(result)) {
      return absl::InternalError(absl::StrCat("buffers: leaves ", k, " and ",
                                              leaf, " of ", hlo.name(),
                                              " overlap"));
    }
  }
  return absl::OkStatus();
}

absl::Status BufferSimulation::CheckPlace(const HloInstruction& hlo,
                                          int leaf) const {
  const BufferSlice& slice = assignment_.slice(&hlo, leaf);
  const auto& allocation = assignment_.allocations()[slice.allocation];
  const bool read_only =
      allocation.kind == BufferAssignment::Kind::kParameter ||
      allocation.kind == BufferAssignment::Kind::kConstant;
  if (!read_only && slice.offset + slice.size <= allocation.size &&
      slice.offset % assignment_.alignment() == 0) {
    return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat(
      "buffers: ", hlo.name(), " leaf ", leaf, " is written to allocation ",
      slice.allocation, " at ", slice.offset, ", which cannot hold it"));
}

absl::Status BufferSimulation::RunStart(const HloInstruction& start) {
  Names names;
  for (const HloInstruction* operand : start.operands()) {
    TF_ASSIGN_OR_RETURN(const Names part, NamesOf(operand));
    TF_RETURN_IF_ERROR(CheckHolds(start, *operand, part));
    Record(*operand, BufferUse::Kind::kRead);
    names.insert(names.end(), part.begin(), part.end());
  }
  const size_t first = names.size();
  Names own = NewNames(start);
  names.insert(names.end(), own.begin() + first, own.end());
  for (size_t leaf = first; leaf < names.size(); ++leaf) {
    if (names[leaf] == 0) continue;
    TF_RETURN_IF_ERROR(CheckPlace(start, leaf));
    TF_RETURN_IF_ERROR(CheckOverlap(start, leaf));
    memory_.Write(Place(&start, leaf), names[leaf]);
    if (uses_ != nullptr) {
      uses_->Add({assignment_.slice(&start, leaf), BufferUse::Kind::kWrite});
    }
  }
  names_[&start] = std::move(names);
  return absl::OkStatus();
}

// The memory of operands and results must have been left alone since the start.
absl::Status BufferSimulation::RunDone(const HloInstruction& done) {
  const HloInstruction& start = *done.operand(0);
  TF_ASSIGN_OR_RETURN(const Names all, NamesOf(&start));
  TF_RETURN_IF_ERROR(CheckHolds(done, start, all));
  Record(start, BufferUse::Kind::kRead);
  const auto first =
      all.begin() + FirstLeafOfElement(start.shape(), /*element=*/1);
  names_[&done] = Names(first, first + LeafCount(done.shape()));
  return absl::OkStatus();
}

absl::Status BufferSimulation::RunOp(const HloInstruction& hlo) {
  if (all_have_scratch_) WriteScratch(assignment_.arena_free_from(&hlo));
  for (const HloInstruction* operand : hlo.operands()) {
    TF_RETURN_IF_ERROR(Read(*operand, hlo));
  }
  Record(hlo, BufferUse::Kind::kWrite);
  const bool is_copy = hlo.opcode() == HloOpcode::kCopy;
  Names names;
  if (is_copy) {
    TF_ASSIGN_OR_RETURN(names, NamesOf(hlo.operand(0)));
  } else {
    names = NewNames(hlo);
  }
  for (size_t leaf = 0; leaf < names.size(); ++leaf) {
    if (names[leaf] == 0) continue;
    TF_RETURN_IF_ERROR(CheckPlace(hlo, leaf));
    // A copy whose operand is in the same place does nothing.
    if (is_copy && Place(&hlo, 0) == Place(hlo.operand(0), 0)) continue;
    TF_RETURN_IF_ERROR(CheckOverlap(hlo, leaf));
    memory_.Write(Place(&hlo, leaf), names[leaf]);
  }
  names_[&hlo] = std::move(names);
  return absl::OkStatus();
}

absl::Status BufferSimulation::RunInstruction(const HloInstruction& hlo) {
  --steps_left_;
  switch (hlo.opcode()) {
    case HloOpcode::kParameter:
      return absl::OkStatus();
    case HloOpcode::kWhile:
      return RunLoop(hlo);
    case HloOpcode::kConditional: {
      TF_ASSIGN_OR_RETURN(const int branch, StartBranch(hlo));
      TF_RETURN_IF_ERROR(RunComputation(*hlo.branch_computation(branch)));
      return EndBranch(hlo, branch);
    }
    case HloOpcode::kCall: {
      const HloComputation& callee = *hlo.to_apply();
      Forget(callee);
      for (int i = 0; i < hlo.operand_count(); ++i) {
        TF_ASSIGN_OR_RETURN(Names names, NamesOf(hlo.operand(i)));
        names_[callee.parameter_instruction(i)] = std::move(names);
      }
      TF_RETURN_IF_ERROR(RunComputation(callee));
      TF_ASSIGN_OR_RETURN(Names names, NamesOf(callee.root_instruction()));
      names_[&hlo] = std::move(names);
      return absl::OkStatus();
    }
    case HloOpcode::kAsyncStart:
      return RunStart(hlo);
    case HloOpcode::kAsyncDone:
      return RunDone(hlo);
    default:
      break;
  }
  if (hlo.opcode() == HloOpcode::kConstant ||
      HloDataflow::IsForwarding(hlo.opcode())) {
    return absl::OkStatus();
  }
  return RunOp(hlo);
}

absl::Status BufferSimulation::RunComputation(
    const HloComputation& computation) {
  for (const auto& instruction : computation.instructions()) {
    TF_RETURN_IF_ERROR(RunInstruction(*instruction));
  }
  return absl::OkStatus();
}

void BufferSimulation::Forget(const HloComputation& computation) {
  for (const auto& instruction : computation.instructions()) {
    if (instruction->opcode() == HloOpcode::kParameter) continue;
    names_.erase(instruction);
  }
}

void BufferSimulation::SetCarry(const HloInstruction& loop,
                                const Names& names) {
  names_[loop.while_condition()->parameter_instruction(0)] = names;
  names_[loop.while_body()->parameter_instruction(0)] = names;
  Forget(*loop.while_condition());
  Forget(*loop.while_body());
}

absl::Status BufferSimulation::StartLoop(const HloInstruction& loop) {
  TF_ASSIGN_OR_RETURN(Names init, NamesOf(loop.operand(0)));
  TF_RETURN_IF_ERROR(CheckHolds(loop, *loop.operand(0), init));
  iterations_left_[&loop] = Random() % 4;
  SetCarry(loop, init);
  return absl::OkStatus();
}

absl::StatusOr<bool> BufferSimulation::LoopGoesOn(const HloInstruction& loop) {
  const HloInstruction& root = *loop.while_condition()->root_instruction();
  TF_ASSIGN_OR_RETURN(Names go, NamesOf(&root));
  TF_RETURN_IF_ERROR(CheckHolds(loop, root, go));
  Record(root, BufferUse::Kind::kRead);
  const HloInstruction* carry = loop.while_body()->parameter_instruction(0);
  const bool goes_on = iterations_left_[&loop]-- > 0 && steps_left_ > 0;
  Names names = names_.at(carry);
  TF_RETURN_IF_ERROR(CheckHolds(loop, goes_on ? *carry : loop, names));
  if (!goes_on) names_[&loop] = std::move(names);
  return goes_on;
}

absl::Status BufferSimulation::EndIteration(const HloInstruction& loop) {
  const HloInstruction& root = *loop.while_body()->root_instruction();
  TF_ASSIGN_OR_RETURN(Names names, NamesOf(&root));
  TF_RETURN_IF_ERROR(CheckHolds(loop, root, names));
  SetCarry(loop, std::move(names));
  return absl::OkStatus();
}

absl::Status BufferSimulation::RunLoop(const HloInstruction& loop) {
  TF_RETURN_IF_ERROR(StartLoop(loop));
  while (true) {
    TF_RETURN_IF_ERROR(CheckHolds(
        loop, *loop.while_condition()->parameter_instruction(0),
        names_.at(loop.while_condition()->parameter_instruction(0))));
    TF_RETURN_IF_ERROR(RunComputation(*loop.while_condition()));
    TF_ASSIGN_OR_RETURN(const bool goes_on, LoopGoesOn(loop));
    if (!goes_on) return absl::OkStatus();
    TF_RETURN_IF_ERROR(RunComputation(*loop.while_body()));
    TF_RETURN_IF_ERROR(EndIteration(loop));
  }
}

absl::StatusOr<int> BufferSimulation::StartBranch(
    const HloInstruction& conditional) {
  const HloInstruction& selector = *conditional.operand(0);
  TF_ASSIGN_OR_RETURN(Names selects, NamesOf(&selector));
  TF_RETURN_IF_ERROR(CheckHolds(conditional, selector, selects));
  Record(selector, BufferUse::Kind::kRead);
  const int branch = Random() % conditional.called_computations().size();
  const HloComputation& body = *conditional.branch_computation(branch);
  TF_ASSIGN_OR_RETURN(Names names, NamesOf(conditional.operand(branch + 1)));
  names_[body.parameter_instruction(0)] = std::move(names);
  Forget(body);
  return branch;
}

absl::Status BufferSimulation::EndBranch(const HloInstruction& conditional,
                                         int branch) {
  TF_ASSIGN_OR_RETURN(
      Names names,
      NamesOf(conditional.branch_computation(branch)->root_instruction()));
  names_[&conditional] = std::move(names);
  return absl::OkStatus();
}

void BufferSimulation::EnterLocal(int64_t buffer, const BufferSlice& slice,
                                  bool loaded) {
  const BufferSlice from = {home_[slice.allocation], slice.offset, slice.size};
  const BufferSlice to = {static_cast<int64_t>(home_.size()) + buffer, 0,
                          slice.size};
  if (loaded) {
    memory_.Copy(from, to);
    if (uses_ != nullptr) uses_->Read(slice);
  } else {
    memory_.Write(to, ++last_name_);
  }
  locals_[buffer] = to;
}

void BufferSimulation::LeaveLocal(int64_t buffer, const BufferSlice& slice,
                                  bool stored) {
  auto local = locals_.find(buffer);
  if (stored) {
    if (uses_ != nullptr) uses_->Write(slice);
    memory_.Copy(local->second,
                 {home_[slice.allocation], slice.offset, slice.size});
  }
  locals_.erase(local);
}

void BufferSimulation::WriteScratch(int64_t from) {
  if (from >= assignment_.temp_bytes()) return;
  memory_.Write(
      {assignment_.temp_allocation(), from, assignment_.temp_bytes() - from},
      ++last_name_);
}

absl::Status BufferSimulation::CheckResults() {
  const HloComputation& entry = *module_.entry_computation();
  TF_ASSIGN_OR_RETURN(Names result, NamesOf(entry.root_instruction()));
  int64_t output = 0;
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    output += LeafCount(parameter->shape());
  }
  for (size_t leaf = 0; leaf < result.size(); ++leaf, ++output) {
    const int64_t size = assignment_.allocations()[output].size;
    if (result[leaf] != 0 &&
        memory_.Read({home_[output], 0, size}) != result[leaf]) {
      return absl::InternalError(
          absl::StrCat("buffers: output ", leaf,
                       " does not end up in the memory of the output"));
    }
  }
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    for (int leaf = 0; leaf < LeafCount(parameter->shape()); ++leaf) {
      const BufferSlice& slice = assignment_.slice(parameter, leaf);
      if (slice.allocation < 0 || home_[slice.allocation] != slice.allocation) {
        continue;
      }
      if (memory_.Read(slice) !=
          arguments_[parameter->parameter_number()][leaf]) {
        return absl::InternalError(absl::StrCat(
            "buffers: parameter ", parameter->name(), " was overwritten"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status VerifyBufferAssignment(const HloModule& module,
                                    const AliasInfo& alias_info,
                                    const BufferAssignment& assignment,
                                    const BufferVerifierOptions& options) {
  for (int run = 0; run < options.runs; ++run) {
    for (const bool donated : {false, true}) {
      BufferSimulation simulation(module, alias_info, assignment,
                                  {.seed = static_cast<uint64_t>(run),
                                   .donated = donated,
                                   .most_steps = options.most_steps,
                                   .all_have_scratch = true});
      TF_RETURN_IF_ERROR(
          simulation.RunComputation(*module.entry_computation()));
      TF_RETURN_IF_ERROR(simulation.CheckResults());
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
