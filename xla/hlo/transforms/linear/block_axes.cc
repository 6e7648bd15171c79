// Unites the factors of all ops by union-find.
#include "xla/hlo/transforms/linear/block_axes.h"

#include <optional>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ir/infer_instruction.h"

namespace xla {
namespace {

// Whether sums of parts may be added one after the other: those of small floats
// would be rounded each time, but for dots, which can give sums in F32.
bool AddsParts(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kDot) return true;
  const PrimitiveType type = hlo.shape().element_type();
  return hlo.opcode() == HloOpcode::kReduce &&
         OneOpOf(*hlo.to_apply()) == HloOpcode::kAdd &&
         (!primitive_util::IsFloatingPointType(type) ||
          primitive_util::BitWidth(type) >= 32) &&
         hlo.operand(1)->IsConstant() &&
         hlo.operand(1)->literal().IsAllFloatWithCast(0);
}

}  // namespace

BlockAxes::BlockAxes(absl::Span<HloInstruction* const> members,
                     absl::Span<HloInstruction* const> results) {
  for (HloInstruction* hlo : members) AddOp(hlo, /*is_member=*/true);
  for (HloInstruction* hlo : results) {
    if (!ops_.contains(hlo)) AddOp(hlo, /*is_member=*/false);
  }
  // What was found of one node holds for its axis.
  for (size_t node = 0; node < parents_.size(); ++node) {
    if (whole_[node]) whole_[Find(static_cast<int>(node))] = true;
  }
  // Blocks of two dimensions of an array would be all pairs of theirs.
  for (const auto& [hlo, op] : ops_) {
    absl::flat_hash_set<int> axes;
    for (size_t f = 0; f < op.factors.factors.size(); ++f) {
      const int axis = Find(op.first + static_cast<int>(f));
      if (!axes.insert(axis).second) whole_[axis] = true;
    }
  }
}

void BlockAxes::AddOp(HloInstruction* hlo, bool is_member) {
  Op op;
  op.first = static_cast<int>(parents_.size());
  const std::optional<DimensionFactors> factors = DimensionFactorsOf(*hlo);
  if (factors.has_value()) op.factors = *factors;
  for (const DimensionFactor& factor : op.factors.factors) {
    const bool divides =
        factor.kind == FactorKind::kPassedThrough ||
        (factor.kind == FactorKind::kPermuted &&
         hlo->opcode() == HloOpcode::kIota) ||
        (factor.kind == FactorKind::kSummed && !is_member && AddsParts(*hlo));
    parents_.push_back(static_cast<int>(parents_.size()));
    whole_.push_back(!divides);
  }
  // A dimension that is no single factor keeps what it consists of whole.
  const auto keep_whole = [&](const DimensionFactors::Dimension& dimension) {
    if (dimension.size() < 2) return;
    for (const int32_t factor : dimension) whole_[op.first + factor] = true;
  };
  for (const auto& array : op.factors.results) {
    absl::c_for_each(array, keep_whole);
  }
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    const HloInstruction& operand = *hlo->operand(i);
    const Op* source = OpOf(operand);
    for (int64_t d = 0; d < operand.shape().rank(); ++d) {
      const int made = source == nullptr || source->factors.results.empty()
                           ? kNone
                           : NodeOf(*source, source->factors.results[0][d]);
      if (!factors.has_value()) {
        if (made != kNone) whole_[made] = true;
        continue;
      }
      const DimensionFactors::Dimension& dimension = op.factors.operands[i][d];
      keep_whole(dimension);
      if (made == kNone) {
        // The operand's dimension is a product of several, if it is one.
        for (const int32_t factor : dimension) {
          if (source != nullptr) whole_[op.first + factor] = true;
        }
      } else if (dimension.size() == 1) {
        Unite(op.first + dimension[0], made);
      } else {
        whole_[made] = true;
      }
    }
  }
  ops_[hlo] = std::move(op);
}

int BlockAxes::Find(int node) const {
  while (parents_[node] != node) node = parents_[node];
  return node;
}

void BlockAxes::Unite(int a, int b) {
  a = Find(a);
  b = Find(b);
  if (a == b) return;
  // The older one stays, so that paths from newer nodes are short.
  if (a > b) std::swap(a, b);
  parents_[b] = a;
}

int BlockAxes::NodeOf(const Op& op,
                      const DimensionFactors::Dimension& dimension) const {
  return dimension.size() == 1 ? op.first + dimension[0] : kNone;
}

const BlockAxes::Op* BlockAxes::OpOf(const HloInstruction& hlo) const {
  const auto it = ops_.find(&hlo);
  return it == ops_.end() ? nullptr : &it->second;
}

int BlockAxes::OfResult(const HloInstruction& hlo, int64_t dimension) const {
  const Op* op = OpOf(hlo);
  if (op == nullptr || op->factors.results.empty()) return kNone;
  const int node = NodeOf(*op, op->factors.results[0][dimension]);
  return node == kNone ? kNone : Find(node);
}

int BlockAxes::OfOperand(const HloInstruction& hlo, int64_t operand,
                         int64_t dimension) const {
  const Op* op = OpOf(hlo);
  if (op == nullptr || op->factors.operands.empty()) return kNone;
  const int node = NodeOf(*op, op->factors.operands[operand][dimension]);
  return node == kNone ? kNone : Find(node);
}

bool BlockAxes::IsSummed(const HloInstruction& result, int axis) const {
  const Op* op = OpOf(result);
  if (op == nullptr) return false;
  for (size_t f = 0; f < op->factors.factors.size(); ++f) {
    if (op->factors.factors[f].kind == FactorKind::kSummed &&
        Find(op->first + static_cast<int>(f)) == axis) {
      return true;
    }
  }
  return false;
}

}  // namespace xla
