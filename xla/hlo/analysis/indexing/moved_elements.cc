// Reads index maps; follows them behind operands by composition.
#include "xla/hlo/analysis/indexing/moved_elements.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/infer_instruction.h"

namespace xla {
namespace {

// Returns the map of an op that takes all its elements from one operand, at
// indices known at compile time; nullopt for other ops.
std::optional<OperandIndexing> OnlyRead(const HloInstruction& instruction) {
  if (!instruction.def().moves) return std::nullopt;
  std::optional<OpIndexing> indexing = IndexingOf(instruction);
  if (!indexing.has_value() || indexing->reads.size() != 1) return std::nullopt;
  OperandIndexing& read = indexing->reads[0];
  if (!read.map.constraints().empty() || read.map.empty() ||
      static_cast<int64_t>(read.map.variables().size()) !=
          read.map.dimension_count() ||
      absl::c_any_of(read.map.results(),
                     [](const IndexExpr& e) { return e.HasQuotients(); })) {
    return std::nullopt;
  }
  return std::move(read);
}

// True if the results of the two maps differ by constants.
bool DifferByConstants(const IndexingMap& a, const IndexingMap& b) {
  for (size_t i = 0; i < a.results().size(); ++i) {
    const IndexExpr difference =
        a.space().Subtract(a.results()[i], b.results()[i]);
    if (!difference.known() || !difference.terms().empty()) return false;
  }
  return true;
}

}  // namespace

std::optional<std::vector<int64_t>> PermutationOf(
    const HloInstruction& instruction) {
  const std::optional<OperandIndexing> read = OnlyRead(instruction);
  if (!read.has_value()) return std::nullopt;
  const Shape& operand = instruction.operand(read->operand)->shape();
  if (ShapeUtil::ElementsIn(operand) !=
      ShapeUtil::ElementsIn(instruction.shape())) {
    return std::nullopt;
  }
  std::vector<int64_t> permutation;
  for (size_t d = 0; d < read->map.results().size(); ++d) {
    const std::optional<int32_t> from = read->map.results()[d].variable();
    if (!from.has_value() && operand.dimensions(static_cast<int>(d)) != 1) {
      return std::nullopt;
    }
    permutation.push_back(from.value_or(-1));
  }
  return permutation;
}

std::optional<RangePartition> PartitionOf(const OpIndexing& indexing) {
  RangePartition partition;
  for (const OperandIndexing& read : indexing.reads) {
    if (read.map.empty()) continue;
    if (read.map.constraints().size() != 1) return std::nullopt;
    const IndexingMap::Constraint& constraint = read.map.constraints()[0];
    if (partition.parts.empty()) {
      partition.expr = constraint.expr;
    } else if (!(constraint.expr == partition.expr) ||
               constraint.interval.lower !=
                   partition.parts.back().values.upper + 1) {
      return std::nullopt;
    }
    partition.parts.push_back({&read, constraint.interval});
  }
  if (partition.parts.size() < 2) return std::nullopt;
  return partition;
}

std::optional<CommonArray> CommonArrayOf(
    const HloInstruction& user, absl::Span<const RangePartition::Part> parts,
    absl::FunctionRef<bool(const HloInstruction&)> is_array) {
  CommonArray common = {nullptr, {}};
  for (const RangePartition::Part& part : parts) {
    const HloInstruction* array = user.operand(part.read->operand);
    IndexingMap map = part.read->map;
    while (!is_array(*array)) {
      const std::optional<OperandIndexing> read = OnlyRead(*array);
      if (!read.has_value()) break;
      map = map.Compose(read->map);
      array = array->operand(read->operand);
    }
    if (common.array == nullptr) common.array = array;
    if (array != common.array || !map.known() ||
        (!common.maps.empty() && !DifferByConstants(map, common.maps[0]))) {
      return std::nullopt;
    }
    common.maps.push_back(std::move(map));
  }
  return common;
}

}  // namespace xla
