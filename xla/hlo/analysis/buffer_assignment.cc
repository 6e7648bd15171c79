// Gives each buffer of the alias analysis its allocation, and those that are
// neither read only nor output a place in the arena.
#include "xla/hlo/analysis/buffer_assignment.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/arena_packing.h"
#include "xla/hlo/analysis/hlo_alias_analysis.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {

using ValueKind = HloDataflow::Kind;

class BufferAssigner {
 public:
  BufferAssigner(const HloModule& module, const HloAliasAnalysis& alias,
                 BufferAssignment& result)
      : module_(module),
        alias_(alias),
        flow_(alias.dataflow()),
        live_(alias.live_range()),
        result_(result) {}

  absl::Status Run() {
    slices_.resize(flow_.value_count());
    buffers_.assign(flow_.value_count(), -1);
    TF_RETURN_IF_ERROR(AllocateParameters());
    TF_RETURN_IF_ERROR(AllocateOutputs());
    AllocateConstants();
    TF_RETURN_IF_ERROR(AllocateArena());
    FillLeaves();
    return absl::OkStatus();
  }

 private:
  using Kind = BufferAssignment::Kind;

  absl::Status AllocateParameters() {
    const HloComputation& entry = *module_.entry_computation();
    for (const HloInstruction* parameter : entry.parameter_instructions()) {
      const std::vector<const Shape*> shapes = Leaves(parameter->shape());
      for (size_t leaf = 0; leaf < shapes.size(); ++leaf) {
        TF_ASSIGN_OR_RETURN(const int64_t bytes, LeafBytes(*shapes[leaf]));
        const int64_t number = result_.allocations_.size();
        result_.allocations_.push_back(
            {Kind::kParameter, number, bytes, nullptr});
        TF_RETURN_IF_ERROR(Add(bytes, &result_.statistics_.parameter_bytes));
        const int value = flow_.values(parameter)[leaf];
        if (value >= 0) SetSlice(value, {number, 0, bytes});
      }
    }
    return absl::OkStatus();
  }

  absl::Status AllocateOutputs() {
    const Shape& shape =
        module_.entry_computation()->root_instruction()->shape();
    const std::vector<const Shape*> shapes = Leaves(shape);
    for (size_t leaf = 0; leaf < shapes.size(); ++leaf) {
      TF_ASSIGN_OR_RETURN(const int64_t bytes, LeafBytes(*shapes[leaf]));
      const int64_t number = result_.allocations_.size();
      result_.allocations_.push_back(
          {Kind::kOutput, static_cast<int64_t>(leaf), bytes, nullptr});
      TF_RETURN_IF_ERROR(Add(bytes, &result_.statistics_.output_bytes));
      const int output = live_.outputs()[leaf];
      if (output >= 0) output_of_[alias_.Representative(output)] = number;
    }
    return absl::OkStatus();
  }

  void AllocateConstants() {
    for (int i = 0; i < flow_.value_count(); ++i) {
      const HloDataflow::Value& value = flow_.value(i);
      if (value.kind != ValueKind::kConstant) continue;
      const int64_t number = result_.allocations_.size();
      result_.allocations_.push_back(
          {Kind::kConstant, -1, value.bytes, value.instruction});
      result_.statistics_.constant_bytes += value.bytes;
      SetSlice(i, {number, 0, value.bytes});
    }
  }

  absl::Status AllocateArena() {
    absl::flat_hash_map<int, int> block_of;  // by representative
    std::vector<ArenaBlock> blocks;
    for (int i = 0; i < static_cast<int>(live_.nodes().size()); ++i) {
      const HloLiveRange::Node& node = live_.nodes()[i];
      const int buffer = alias_.Representative(i);
      if (node.ranges.empty() || alias_.IsReadOnly(i) ||
          output_of_.contains(buffer)) {
        continue;
      }
      auto [it, is_new] = block_of.emplace(buffer, blocks.size());
      if (is_new) {
        blocks.push_back({std::numeric_limits<int64_t>::max(), 0, 0});
      }
      ArenaBlock& block = blocks[it->second];
      block.begin = std::min(block.begin, node.ranges.front().begin);
      block.end = std::max(block.end, node.ranges.back().end);
      block.bytes = std::max(block.bytes, node.bytes);
    }
    TF_ASSIGN_OR_RETURN(const ArenaPacking packing,
                        PackArena(blocks, result_.alignment_));
    const int64_t arena = result_.allocations_.size();
    result_.allocations_.push_back({Kind::kTemp, -1, packing.bytes, nullptr});
    result_.statistics_.temp_bytes = packing.bytes;
    result_.statistics_.live_temp_bytes = packing.lower_bound;
    absl::flat_hash_map<int, int64_t> id_of;
    for (int i = 0; i < flow_.value_count(); ++i) {
      if (flow_.IsReplaced(i) || slices_[i].allocation >= 0) continue;
      const int buffer = alias_.Representative(i);
      auto output = output_of_.find(buffer);
      slices_[i] =
          output != output_of_.end()
              ? BufferSlice{output->second, 0, flow_.value(i).bytes}
              : BufferSlice{arena, packing.offsets[block_of.at(buffer)],
                            flow_.value(i).bytes};
      auto [it, is_new] = id_of.emplace(buffer, result_.statistics_.buffers);
      if (is_new) ++result_.statistics_.buffers;
      buffers_[i] = it->second;
    }
    return absl::OkStatus();
  }

  void FillLeaves() {
    for (const HloDataflow::Computation& computation : flow_.computations()) {
      for (const HloInstruction* hlo : computation.order) {
        result_.instructions_.push_back(hlo);
        BufferAssignment::Leaves& leaves = result_.leaves_[hlo];
        for (const int value : flow_.values(hlo)) {
          leaves.slices.push_back(value < 0 ? BufferSlice() : slices_[value]);
          leaves.buffers.push_back(value < 0 ? -1 : buffers_[value]);
        }
      }
    }
  }

  // Read-only memory: a buffer of one value.
  void SetSlice(int value, const BufferSlice& slice) {
    slices_[value] = slice;
    buffers_[value] = result_.statistics_.buffers++;
  }

  static absl::Status Add(int64_t bytes, int64_t* sum) {
    if (__builtin_add_overflow(*sum, bytes, sum)) {
      return absl::ResourceExhaustedError(
          "buffers: the sum of parameters or results overflows");
    }
    return absl::OkStatus();
  }

  const HloModule& module_;
  const HloAliasAnalysis& alias_;
  const HloDataflow& flow_;
  const HloLiveRange& live_;
  BufferAssignment& result_;
  std::vector<BufferSlice> slices_;              // by value
  std::vector<int64_t> buffers_;                 // by value
  absl::flat_hash_map<int, int64_t> output_of_;  // by representative
};

absl::StatusOr<std::unique_ptr<BufferAssignment>> BufferAssignment::Run(
    const HloModule& module, const Options& options) {
  if (!module.is_scheduled()) {
    return absl::FailedPreconditionError(
        absl::StrCat("buffers: module ", module.name(), " has no schedule"));
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloAliasAnalysis> alias,
                      HloAliasAnalysis::Run(module));
  if (!alias->needed_copies().empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("buffers: copy-insertion must run before: ",
                     alias->needed_copies()[0].reason));
  }
  alias->ShareDyingOperands();
  auto result = std::unique_ptr<BufferAssignment>(new BufferAssignment());
  result->alignment_ = std::max<int64_t>(options.alignment, 1);
  TF_RETURN_IF_ERROR(BufferAssigner(module, *alias, *result).Run());
  return result;
}

const BufferSlice& BufferAssignment::slice(const HloInstruction* instruction,
                                           int64_t leaf) const {
  return leaves_.at(instruction).slices[leaf];
}

absl::Span<const BufferSlice> BufferAssignment::slices(
    const HloInstruction* instruction) const {
  return leaves_.at(instruction).slices;
}

int64_t BufferAssignment::buffer_id(const HloInstruction* instruction,
                                    int64_t leaf) const {
  return leaves_.at(instruction).buffers[leaf];
}

std::string BufferAssignment::ToString() const {
  std::string text =
      absl::StrCat("temporary: ", statistics_.temp_bytes, " bytes, ",
                   statistics_.live_temp_bytes, " live at once\n");
  for (size_t i = 0; i < allocations_.size(); ++i) {
    const Allocation& a = allocations_[i];
    absl::StrAppend(&text, "allocation ", i, ": ");
    switch (a.kind) {
      case Kind::kParameter:
        absl::StrAppend(&text, "parameter ", a.leaf);
        break;
      case Kind::kOutput:
        absl::StrAppend(&text, "output ", a.leaf);
        break;
      case Kind::kConstant:
        absl::StrAppend(&text, "constant ", a.constant->name());
        break;
      case Kind::kTemp:
        absl::StrAppend(&text, "temporary");
        break;
    }
    absl::StrAppend(&text, ", ", a.size, " bytes\n");
  }
  for (const HloInstruction* hlo : instructions_) {
    const Leaves& leaves = leaves_.at(hlo);
    for (size_t leaf = 0; leaf < leaves.slices.size(); ++leaf) {
      const BufferSlice& s = leaves.slices[leaf];
      if (s.allocation < 0) continue;
      absl::StrAppend(&text, hlo->parent()->name(), "/", hlo->name(), " leaf ",
                      leaf, ": buffer ", leaves.buffers[leaf], ", allocation ",
                      s.allocation, " at ", s.offset, ", ", s.size, " bytes\n");
    }
  }
  return text;
}

}  // namespace xla
