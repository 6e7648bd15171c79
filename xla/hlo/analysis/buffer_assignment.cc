// Gives each buffer of the alias analysis its allocation. Buffers that are
// neither read-only nor outputs get a place in a later output, or else in the
// arena.
#include "xla/hlo/analysis/buffer_assignment.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/arena_packing.h"
#include "xla/hlo/analysis/buffer_sharing.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {
namespace {

// The most outputs that may hold temporaries; the largest ones do.
constexpr size_t kMaxOutputs = 256;

}  // namespace

using ValueKind = HloDataflow::Kind;

class BufferAssigner {
 public:
  BufferAssigner(const HloModule& module, const BufferSharing& alias,
                 int64_t least_in_output, BufferAssignment& result)
      : module_(module),
        least_in_output_(least_in_output),
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
    TF_RETURN_IF_ERROR(AllocateTemporaries());
    FillLeaves();
    FillLifetimes();
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
            {{Kind::kParameter, number, bytes}, nullptr});
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
          {{Kind::kOutput, static_cast<int64_t>(leaf), bytes}, nullptr});
      TF_RETURN_IF_ERROR(Add(bytes, &result_.statistics_.output_bytes));
      const int output = live_.outputs()[leaf];
      if (output >= 0) output_of_[alias_.Representative(output)] = number;
    }
    for (const auto& entry : module_.input_output_alias().entries()) {
      const int leaf =
          LeafNumberAt(shape, ShapeIndex(entry.output_shape_index().begin(),
                                         entry.output_shape_index().end()));
      if (leaf < 0) continue;
      result_.allocations_[result_.allocations_.size() - shapes.size() + leaf]
          .may_be_parameter = true;
    }
    return absl::OkStatus();
  }

  void AllocateConstants() {
    for (int i = 0; i < flow_.value_count(); ++i) {
      const HloDataflow::Value& value = flow_.value(i);
      if (value.kind != ValueKind::kConstant) continue;
      const int64_t number = result_.allocations_.size();
      result_.allocations_.push_back(
          {{Kind::kConstant, -1, value.bytes}, value.instruction});
      result_.statistics_.constant_bytes += value.bytes;
      SetSlice(i, {number, 0, value.bytes});
    }
  }

  absl::Status AllocateTemporaries() {
    absl::flat_hash_map<int, int> block_of;  // by representative
    std::vector<ArenaBlock> blocks;
    absl::flat_hash_map<int64_t, int64_t> begin_of;  // by output
    for (int i = 0; i < static_cast<int>(live_.nodes().size()); ++i) {
      const HloLiveRange::Node& node = live_.nodes()[i];
      const int buffer = alias_.Representative(i);
      if (node.ranges.empty() || alias_.IsReadOnly(i)) continue;
      const int64_t begin = node.ranges.front().begin;
      if (auto output = output_of_.find(buffer); output != output_of_.end()) {
        auto it = begin_of.emplace(output->second, begin).first;
        it->second = std::min(it->second, begin);
        continue;
      }
      auto [it, is_new] = block_of.emplace(buffer, blocks.size());
      if (is_new) {
        blocks.push_back({std::numeric_limits<int64_t>::max(), 0, 0});
      }
      ArenaBlock& block = blocks[it->second];
      block.begin = std::min(block.begin, begin);
      block.end = std::max(block.end, node.ranges.back().end);
      block.bytes = std::max(block.bytes, node.bytes);
    }
    std::vector<BufferSlice> places(blocks.size());
    PlaceInOutputs(blocks, begin_of, places);
    TF_RETURN_IF_ERROR(PlaceInArena(blocks, places));
    absl::flat_hash_map<int, int64_t> id_of;
    for (int i = 0; i < flow_.value_count(); ++i) {
      if (flow_.IsReplaced(i) || slices_[i].allocation >= 0) continue;
      const int buffer = alias_.Representative(i);
      auto output = output_of_.find(buffer);
      slices_[i] = output != output_of_.end()
                       ? BufferSlice{output->second, 0, 0}
                       : places[block_of.at(buffer)];
      slices_[i].size = flow_.value(i).bytes;
      auto [it, is_new] = id_of.emplace(buffer, result_.statistics_.buffers);
      if (is_new) ++result_.statistics_.buffers;
      buffers_[i] = it->second;
      if (output != output_of_.end()) {
        result_.allocations_[output->second].result_buffer = it->second;
      }
    }
    return absl::OkStatus();
  }

  // Gives blocks a place in the memory of an output if they are dead when its
  // first result is written, at the time `begin_of`.
  void PlaceInOutputs(const std::vector<ArenaBlock>& blocks,
                      const absl::flat_hash_map<int64_t, int64_t>& begin_of,
                      std::vector<BufferSlice>& places) const {
    std::vector<int64_t> outputs;
    for (const auto& [output, begin] : begin_of) {
      if (!result_.allocations_[output].may_be_parameter) {
        outputs.push_back(output);
      }
    }
    std::sort(outputs.begin(), outputs.end(), [&](int64_t a, int64_t b) {
      const int64_t size_a = result_.allocations_[a].size;
      const int64_t size_b = result_.allocations_[b].size;
      if (size_a != size_b) return size_a > size_b;
      // More blocks fit into an output that is written later.
      if (begin_of.at(a) != begin_of.at(b)) {
        return begin_of.at(a) > begin_of.at(b);
      }
      return a < b;
    });
    if (outputs.size() > kMaxOutputs) outputs.resize(kMaxOutputs);
    int64_t pairs = 0;
    for (const int64_t output : outputs) {
      const int64_t size = result_.allocations_[output].size;
      if (size < least_in_output_) break;
      std::vector<int> numbers;
      std::vector<ArenaBlock> early;
      for (size_t i = 0; i < blocks.size(); ++i) {
        if (places[i].allocation >= 0 || blocks[i].bytes < least_in_output_ ||
            blocks[i].bytes > size || blocks[i].end > begin_of.at(output)) {
          continue;
        }
        numbers.push_back(i);
        early.push_back(blocks[i]);
      }
      const std::vector<int64_t> offsets =
          PackWithin(early, size, result_.alignment_, &pairs);
      for (size_t k = 0; k < numbers.size(); ++k) {
        if (offsets[k] >= 0) places[numbers[k]] = {output, offsets[k], 0};
      }
    }
  }

  // Gives the remaining blocks a place in the arena.
  absl::Status PlaceInArena(const std::vector<ArenaBlock>& blocks,
                            std::vector<BufferSlice>& places) {
    std::vector<ArenaBlock> rest;
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (places[i].allocation < 0) rest.push_back(blocks[i]);
    }
    TF_ASSIGN_OR_RETURN(const ArenaPacking packing,
                        PackArena(rest, result_.alignment_));
    const int64_t arena = result_.allocations_.size();
    size_t k = 0;
    for (BufferSlice& place : places) {
      if (place.allocation < 0) place = {arena, packing.offsets[k++], 0};
    }
    FindFreeArena(rest, packing.offsets);
    result_.allocations_.push_back({{Kind::kTemp, -1, packing.bytes}, nullptr});
    result_.statistics_.temp_bytes = packing.bytes;
    result_.statistics_.live_temp_bytes = packing.lower_bound;
    return absl::OkStatus();
  }

  // Records for each instruction the end of the blocks that are needed at its
  // time.
  void FindFreeArena(const std::vector<ArenaBlock>& blocks,
                     const std::vector<int64_t>& offsets) {
    std::vector<std::pair<int64_t, const HloInstruction*>> times;
    for (const HloDataflow::Computation& computation : flow_.computations()) {
      for (const HloInstruction* hlo : computation.order) {
        if (live_.TimeOf(hlo) >= 0) times.push_back({live_.TimeOf(hlo), hlo});
      }
    }
    std::stable_sort(
        times.begin(), times.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::pair<int64_t, int>> begins, ends;
    for (size_t i = 0; i < blocks.size(); ++i) {
      begins.push_back({blocks[i].begin, i});
      ends.push_back({blocks[i].end, i});
    }
    std::sort(begins.begin(), begins.end());
    std::sort(ends.begin(), ends.end());
    const auto end_of = [&](int i) { return offsets[i] + blocks[i].bytes; };
    std::multiset<int64_t> needed;
    size_t begun = 0, ended = 0;
    for (const auto& [time, hlo] : times) {
      for (; begun < begins.size() && begins[begun].first <= time; ++begun) {
        needed.insert(end_of(begins[begun].second));
      }
      for (; ended < ends.size() && ends[ended].first <= time; ++ended) {
        needed.erase(needed.find(end_of(ends[ended].second)));
      }
      result_.leaves_[hlo].arena_free_from =
          needed.empty() ? 0 : *needed.rbegin();
    }
  }

  void FillLeaves() {
    for (const HloDataflow::Computation& computation : flow_.computations()) {
      for (const HloInstruction* hlo : computation.order) {
        result_.instructions_.push_back(hlo);
        BufferAssignment::Leaves& leaves = result_.leaves_[hlo];
        for (const int value : flow_.values(hlo)) {
          leaves.slices.push_back(value < 0 ? BufferSlice() : slices_[value]);
          leaves.buffers.push_back(value < 0 ? -1 : buffers_[value]);
          const bool is_used =
              value >= 0 && !live_.nodes()[value].ranges.empty();
          leaves.last_uses.push_back(
              is_used ? live_.nodes()[value].ranges.back().end : 0);
        }
        if (live_.TimeOf(hlo) >= 0) {
          leaves.times = {live_.TimeOf(hlo), live_.EndOf(hlo) + 1};
        }
      }
    }
  }

  // Sets lifetimes to the ranges by which temporaries were placed.
  void FillLifetimes() {
    constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
    absl::flat_hash_map<int, int64_t> buffer_of;  // by representative
    for (int i = 0; i < flow_.value_count(); ++i) {
      if (buffers_[i] >= 0) buffer_of[alias_.Representative(i)] = buffers_[i];
    }
    result_.lifetimes_.assign(result_.statistics_.buffers, {0, kForever});
    std::vector<bool> is_begun(result_.lifetimes_.size());
    for (int i = 0; i < static_cast<int>(live_.nodes().size()); ++i) {
      const HloLiveRange::Node& node = live_.nodes()[i];
      const int representative = alias_.Representative(i);
      auto buffer = buffer_of.find(representative);
      if (buffer == buffer_of.end() || node.ranges.empty() ||
          alias_.IsReadOnly(i)) {
        continue;
      }
      BufferAssignment::Interval& life = result_.lifetimes_[buffer->second];
      if (!is_begun[buffer->second]) life = {kForever, 0};
      is_begun[buffer->second] = true;
      life.begin = std::min(life.begin, node.ranges.front().begin);
      life.end = std::max(life.end, output_of_.contains(representative)
                                        ? kForever
                                        : node.ranges.back().end);
    }
  }

  // Gives a value of read-only memory a slice and a buffer of its own.
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
  const int64_t least_in_output_;
  const BufferSharing& alias_;
  const HloDataflow& flow_;
  const HloLiveRange& live_;
  BufferAssignment& result_;
  std::vector<BufferSlice> slices_;              // by value
  std::vector<int64_t> buffers_;                 // by value
  absl::flat_hash_map<int, int64_t> output_of_;  // by representative
};

absl::StatusOr<std::unique_ptr<BufferAssignment>> BufferAssignment::Run(
    const HloModule& module, const AliasInfo& alias_info,
    const Options& options) {
  if (!module.is_scheduled()) {
    return absl::FailedPreconditionError(
        absl::StrCat("buffers: module ", module.name(), " has no schedule"));
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<BufferSharing> alias,
                      BufferSharing::Run(module, alias_info));
  if (!alias->needed_copies().empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("buffers: copy-insertion must run before: ",
                     alias->needed_copies()[0].reason));
  }
  alias->ShareDyingOperands();
  auto result = std::unique_ptr<BufferAssignment>(new BufferAssignment());
  result->alignment_ = std::max<int64_t>(options.alignment, 1);
  TF_RETURN_IF_ERROR(
      BufferAssigner(module, *alias, options.least_in_output, *result).Run());
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

int64_t BufferAssignment::arena_free_from(
    const HloInstruction* instruction) const {
  const int64_t bytes = leaves_.at(instruction).arena_free_from;
  return bytes < 0 ? temp_bytes() : bytes;
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
