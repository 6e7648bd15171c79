// Makes frames with an array per operand and result, or per allocation for
// sequences.
#include "xla/backends/cpu/planning/kernel_frames.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "xla/backends/cpu/planning/memory_uses.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

using Kind = BufferAssignment::Kind;

int64_t ElementBytes(const Shape& leaf) {
  return leaf.IsArray()
             ? ShapeUtil::ByteSizeOfPrimitiveType(leaf.element_type())
             : 1;
}

// Hosts pass arrays at any address; the program allocates all other memory.
int64_t AlignmentOf(const BufferAssignment& assignment,
                    const BufferSlice& slice, const Shape& leaf) {
  return assignment.allocations()[slice.allocation].kind == Kind::kParameter
             ? ElementBytes(leaf)
             : assignment.alignment();
}

// `first[parameter]` is the number of the parameter's first leaf among the
// leaves of all parameters.
std::vector<int64_t> FirstLeaves(const HloComputation& entry) {
  std::vector<int64_t> first;
  int64_t leaves = 0;
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    first.push_back(leaves);
    leaves += LeafCount(parameter->shape());
  }
  return first;
}

}  // namespace

bool IsImmediate(const HloInstruction& instruction) {
  return instruction.IsConstant() && instruction.shape().dimensions().empty();
}

KernelFrames::KernelFrames(const HloModule& module,
                           const BufferAssignment& assignment)
    : assignment_(assignment) {
  const auto& entries = module.input_output_alias().entries();
  if (entries.empty()) return;
  absl::flat_hash_map<std::pair<Kind, int64_t>, int64_t> numbers;
  const auto allocations = assignment.allocations();
  for (size_t i = 0; i < allocations.size(); ++i) {
    numbers[{allocations[i].kind, allocations[i].leaf}] = i;
  }
  const HloComputation& entry = *module.entry_computation();
  const std::vector<int64_t> first = FirstLeaves(entry);
  for (const auto& alias : entries) {
    const int64_t output =
        LeafNumberAt(entry.root_instruction()->shape(),
                     ShapeIndex(alias.output_shape_index().begin(),
                                alias.output_shape_index().end()));
    const int64_t leaf = LeafNumberAt(
        entry.parameter_instruction(alias.parameter_number())->shape(),
        ShapeIndex(alias.parameter_shape_index().begin(),
                   alias.parameter_shape_index().end()));
    if (output < 0 || leaf < 0) continue;
    auto to = numbers.find({Kind::kOutput, output});
    auto from = numbers.find(
        {Kind::kParameter, first[alias.parameter_number()] + leaf});
    if (to == numbers.end() || from == numbers.end()) continue;
    donated_[to->second] = from->second;
  }
}

bool KernelFrames::MayBeDonated(int64_t x, int64_t y) const {
  const auto is_pair = [&](int64_t output, int64_t parameter) {
    auto it = donated_.find(output);
    return it != donated_.end() && it->second == parameter;
  };
  return is_pair(x, y) || is_pair(y, x);
}

KernelFrame KernelFrames::OfInstruction(
    const HloInstruction& instruction) const {
  KernelFrame frame;
  int64_t operands = 0;
  std::vector<int64_t> results;  // their arrays
  const auto add = [&](const HloInstruction* value, bool written) {
    const std::vector<const Shape*> leaves = Leaves(value->shape());
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const BufferSlice& slice = assignment_.slice(value, leaf);
      KernelFrame::Place place{.size = slice.size};
      if (slice.allocation >= 0 && written) {
        place.array = frame.Overwrite(slice, operands);
      }
      if (slice.allocation >= 0 && place.array < 0) {
        place.array = frame.Add(
            {.slice = slice,
             .alignment = AlignmentOf(assignment_, slice, *leaves[leaf]),
             .written = written});
      }
      if (written && place.array >= 0) results.push_back(place.array);
      frame.Bind(value, leaf, place);
    }
  };
  for (const HloInstruction* operand : instruction.operands()) {
    if (!IsImmediate(*operand)) add(operand, /*written=*/false);
  }
  operands = frame.arrays().size();
  add(&instruction, /*written=*/true);
  const int64_t arrays = frame.arrays().size();
  for (const int64_t result : results) {
    const BufferSlice& written = frame.arrays()[result].slice;
    for (int64_t i = 0; i < arrays; ++i) {
      const BufferSlice& other = frame.arrays()[i].slice;
      if (i != result && (other.Overlaps(written) ||
                          MayBeDonated(other.allocation, written.allocation))) {
        frame.AddAlias(i, result);
      }
    }
  }
  return frame;
}

KernelFrame KernelFrames::OfSequence(
    absl::Span<const HloInstruction* const> instructions,
    const LocalBuffers& locals) const {
  std::vector<MemoryUse> uses;
  std::map<int64_t, KernelArray> arrays;  // by allocation
  const auto add = [&](const BufferSlice& slice, int64_t alignment,
                       bool written) {
    auto [it, is_new] = arrays.try_emplace(slice.allocation);
    KernelArray& array = it->second;
    if (is_new) {
      const int64_t size = assignment_.allocations()[slice.allocation].size;
      array = {.slice = {slice.allocation, 0, size}, .alignment = alignment};
    }
    array.alignment = std::min(array.alignment, alignment);
    array.written |= written;
  };
  for (const HloInstruction* instruction : instructions) {
    ForEachUse(assignment_, *instruction, 0, [&](const MemoryUse& use) {
      if (IsImmediate(*use.value)) return;
      uses.push_back(use);
      if (use.buffer < 0 || locals.contains(use.buffer)) return;
      const BufferSlice& slice = assignment_.slice(use.value, use.leaf);
      add(slice,
          AlignmentOf(assignment_, slice,
                      *Leaves(use.value->shape())[use.leaf]),
          use.written);
    });
  }
  for (const auto& [buffer, local] : locals) {
    if (!local.loaded && !local.stored) continue;
    add(local.slice, assignment_.alignment(), local.stored);
  }
  KernelFrame frame;
  absl::flat_hash_map<int64_t, int64_t> numbers;  // by allocation
  for (const auto& [allocation, array] : arrays) {
    numbers[allocation] = frame.Add(array);
  }
  const auto place = [&](const BufferSlice& slice, int64_t buffer) {
    auto it = numbers.find(slice.allocation);
    const int64_t number = it == numbers.end() ? -1 : it->second;
    return KernelFrame::Place{number, slice.offset, slice.size, buffer};
  };
  for (const MemoryUse& use : uses) {
    frame.Bind(use.value, use.leaf,
               place(assignment_.slice(use.value, use.leaf), use.buffer));
  }
  for (const auto& [buffer, local] : locals) {
    frame.BindLocal(buffer, place(local.slice, buffer));
  }
  for (const auto& [allocation, number] : numbers) {
    auto from = donated_.find(allocation);
    if (from == donated_.end() || !arrays.at(allocation).written) continue;
    auto parameter = numbers.find(from->second);
    if (parameter != numbers.end()) frame.AddAlias(parameter->second, number);
  }
  return frame;
}

KernelFrame FrameOfBlock(const HloInstruction& instruction, int64_t block,
                         bool column_range) {
  KernelFrame frame;
  const bool in_place = block < instruction.operand_count() &&
                        ElementBytes(instruction.operand(block)->shape()) ==
                            ElementBytes(instruction.shape());
  for (int64_t i = 0; i < instruction.operand_count(); ++i) {
    const HloInstruction* operand = instruction.operand(i);
    const int64_t number =
        frame.Add({.alignment = ElementBytes(operand->shape()),
                   .written = in_place && i == block});
    frame.Bind(
        operand, 0,
        {.array = number, .size = ShapeUtil::ByteSizeOf(operand->shape())});
  }
  if (in_place) {
    frame.Bind(&instruction, 0, frame.place(instruction.operand(block), 0));
  } else {
    const int64_t number = frame.Add(
        {.alignment = ElementBytes(instruction.shape()), .written = true});
    frame.Bind(
        &instruction, 0,
        {.array = number, .size = ShapeUtil::ByteSizeOf(instruction.shape())});
  }
  if (column_range) frame.AddColumnRange();
  return frame;
}

KernelFrame FrameOfMapped(const HloComputation& computation) {
  KernelFrame frame;
  for (const HloInstruction* parameter : computation.parameter_instructions()) {
    frame.Add({.alignment = ElementBytes(parameter->shape())});
  }
  const int64_t result = frame.Add(
      {.alignment = ElementBytes(computation.root_instruction()->shape()),
       .written = true});
  for (int64_t p = 0; p < result; ++p) frame.AddAlias(p, result);
  return frame;
}

}  // namespace xla::cpu
