// Collects what is between two dots, and says in it where a condition fails.
#include "xla/backends/cpu/fusion/attention_refusal.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/backends/cpu/fusion/attention.h"
#include "xla/hlo/analysis/source_line.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"

namespace xla::cpu {
namespace {

// The most instructions that are looked at for one dot.
constexpr size_t kMostBetween = 512;
// The most readers that a reason names.
constexpr size_t kMostNamed = 3;

// "reduce_max at model.py:12 (reduce.3)": the user's name of the operation, the
// last part of the op_name, comes first.
std::string Place(const HloInstruction& hlo) {
  const std::string line = SourceLine(hlo);
  const std::string at = line.empty() ? "" : absl::StrCat(" at ", line);
  const std::string op_name = SourceOpName(hlo);
  const std::string last = op_name.substr(op_name.rfind('/') + 1);
  return last.empty() ? absl::StrCat(hlo.name(), at)
                      : absl::StrCat(last, at, " (", hlo.name(), ")");
}

bool IsProductOp(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kDot ||
         hlo.opcode() == HloOpcode::kConvolution;
}

// Instructions, in and out of fusions, on the way from dots to a value.
class BetweenProducts {
 public:
  explicit BetweenProducts(const HloInstruction& value) { Depends(value); }

  // Whether a softmax of a product may be among them.
  bool LooksLikeAttention() const {
    const auto has = [&](HloOpcode opcode) {
      return std::any_of(all_.begin(), all_.end(), [&](const auto* hlo) {
        return hlo->opcode() == opcode;
      });
    };
    return !products_.empty() && has(HloOpcode::kExp) &&
           has(HloOpcode::kReduce);
  }

  // Operands before users.
  const std::vector<const HloInstruction*>& all() const { return all_; }
  const std::vector<const HloInstruction*>& products() const {
    return products_;
  }

 private:
  // Adds `hlo` and what is before it if a product is among that.
  bool Depends(const HloInstruction& hlo) {
    const auto known = depends_.find(&hlo);
    if (known != depends_.end()) return known->second;
    if (depends_.size() == kMostBetween) return false;
    depends_[&hlo] = false;
    if (IsProductOp(hlo)) {
      products_.push_back(&hlo);
      return depends_[&hlo] = true;
    }
    bool depends = false;
    for (const HloInstruction* operand : hlo.operands()) {
      depends |= Depends(*operand);
    }
    if (!depends) return false;
    if (hlo.opcode() == HloOpcode::kFusion) {
      const HloComputation& fused = *hlo.fused_instructions_computation();
      for (int64_t i = 0; i < hlo.operand_count(); ++i) {
        depends_[fused.parameter_instruction(i)] = Depends(*hlo.operand(i));
      }
      Depends(*fused.root_instruction());
    }
    all_.push_back(&hlo);
    return depends_[&hlo] = true;
  }

  absl::flat_hash_map<const HloInstruction*, bool> depends_;
  std::vector<const HloInstruction*> all_, products_;
};

// Whether a kernel that works on rows may contain such an operation.
bool MayBeInRows(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kBitcast:
    case HloOpcode::kBroadcast:
    case HloOpcode::kFusion:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kReduce:
    case HloOpcode::kReshape:
    case HloOpcode::kSlice:
    case HloOpcode::kTuple:
      return true;
    default:
      return hlo.IsElementwiseOp() && hlo.opcode() != HloOpcode::kMap;
  }
}

// Whether a reduction is over the last dimensions, which have `columns`
// elements.
bool ReducesRows(const HloInstruction& reduce, int64_t columns) {
  const Shape& shape = reduce.operand(0)->shape();
  int64_t elements = 1, first = shape.rank();
  for (const int64_t d : reduce.attrs<ReduceAttrs>().dimensions) {
    elements *= shape.dimensions(d);
    first = std::min(first, d);
  }
  return elements == columns &&
         first + static_cast<int64_t>(
                     reduce.attrs<ReduceAttrs>().dimensions.size()) ==
             shape.rank();
}

// What reads `hlo` through bitcasts and elements of tuples, besides `but`.
void AddReaders(const HloInstruction& hlo, const HloInstruction* but,
                std::vector<std::string>& readers) {
  if (hlo.IsRoot()) readers.push_back("the program, as a result");
  for (const HloInstruction* user : hlo.users()) {
    if (user == but) continue;
    if (user->opcode() == HloOpcode::kBitcast ||
        user->opcode() == HloOpcode::kReshape ||
        user->opcode() == HloOpcode::kGetTupleElement) {
      AddReaders(*user, but, readers);
    } else if (user->IsRoot() && user->opcode() == HloOpcode::kTuple) {
      readers.push_back("the program, as a result");
    } else {
      readers.push_back(Place(*user));
    }
  }
}

std::string ReadersText(const HloInstruction& hlo, const HloInstruction* but) {
  std::vector<std::string> readers;
  AddReaders(hlo, but, readers);
  std::sort(readers.begin(), readers.end());
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
  const size_t more = readers.size() - std::min(readers.size(), kMostNamed);
  readers.resize(readers.size() - more);
  return absl::StrCat(absl::StrJoin(readers, ", "),
                      more > 0 ? absl::StrCat(" and ", more, " more") : "");
}

const HloInstruction* Behind(const HloInstruction* hlo) {
  while (hlo->opcode() == HloOpcode::kBitcast ||
         hlo->opcode() == HloOpcode::kReshape ||
         hlo->opcode() == HloOpcode::kGetTupleElement) {
    hlo = hlo->operand(0);
  }
  return hlo;
}

// What is between the products and cannot be part of a kernel that works on
// rows; empty if there is no such thing.
std::string WhyNoRows(const BetweenProducts& between,
                      const HloInstruction& weights) {
  const Shape& shape = weights.shape();
  const int64_t columns = shape.dimensions(shape.rank() - 1);
  for (const HloInstruction* hlo : between.all()) {
    if (hlo->opcode() == HloOpcode::kReduce && !ReducesRows(*hlo, columns)) {
      return absl::StrCat(
          Place(*hlo), " reduces dimensions {",
          absl::StrJoin(hlo->attrs<ReduceAttrs>().dimensions, ","), "} of ",
          hlo->operand(0)->shape().ToString(),
          "; a softmax, and what else reduces scores, must be over the last "
          "axis alone, the one that the product with the values sums over");
    }
  }
  for (const HloInstruction* hlo : between.all()) {
    if (!MayBeInRows(*hlo)) {
      return absl::StrCat(
          Place(*hlo),
          " is between the two products, where only operations "
          "by element, and reductions and broadcasts of rows can be");
    }
  }
  return "";
}

// What a fusion computes besides `weights`, which are behind bitcasts.
std::string OtherResults(const HloInstruction& kernel,
                         const HloInstruction& weights) {
  const HloInstruction* element = &weights;
  while (element->opcode() != HloOpcode::kGetTupleElement &&
         element->operand_count() > 0) {
    element = element->operand(0);
  }
  std::vector<std::string> others;
  for (const HloInstruction* user : kernel.users()) {
    if (user == element || user->opcode() != HloOpcode::kGetTupleElement) {
      continue;
    }
    const HloInstruction* result = user;
    if (kernel.opcode() == HloOpcode::kFusion) {
      result =
          kernel.fused_instructions_computation()->root_instruction()->operand(
              user->attrs<GetTupleElementAttrs>().index);
    }
    others.push_back(Place(*result));
  }
  return others.empty() ? "other results" : absl::StrJoin(others, ", ");
}

// Why what gives the weights is not one kernel with one result.
std::string WhyNoKernel(const HloInstruction& weights,
                        const HloInstruction& second) {
  const HloInstruction* kernel = Behind(&weights);
  if (kernel->shape().IsTuple()) {
    return absl::StrCat("what gives the weights also gives ",
                        OtherResults(*kernel, weights), ", read by ",
                        ReadersText(*kernel, &second));
  }
  return "what is between the two products is not one kernel that computes "
         "row by row";
}

std::string ReasonOf(const AttentionRefusal& refusal,
                     const BetweenProducts& between,
                     const HloInstruction& second) {
  const HloInstruction& weights = *second.operand(0);
  if (refusal.not_by_rows || refusal.is_shared) {
    const std::string why = WhyNoRows(between, weights);
    if (!why.empty()) return why;
  }
  if (refusal.not_by_rows) return WhyNoKernel(weights, second);
  std::string text =
      absl::StrCat(Place(*Behind(refusal.where)), ": ", refusal.reason);
  if (refusal.is_shared) {
    const HloInstruction* reader =
        refusal.where == &weights ? &second : refusal.middle;
    absl::StrAppend(&text, ": ", ReadersText(*Behind(refusal.where), reader));
  }
  return text;
}

}  // namespace

std::optional<FusionRefusal> ExplainNoAttention(const HloInstruction& second) {
  if (second.opcode() != HloOpcode::kDot) return std::nullopt;
  const BetweenProducts left(*second.operand(0));
  if (!left.LooksLikeAttention()) {
    const BetweenProducts right(*second.operand(1));
    if (!right.LooksLikeAttention()) return std::nullopt;
    return FusionRefusal{
        absl::StrCat(Place(second),
                     ": the weights are its right operand; attention is the "
                     "product of weights on the left and values on the right"),
        {Behind(second.operand(1)), right.products()[0]}};
  }
  FusionRefusal explained;
  AttentionRefusal refusal;
  const std::optional<AttentionGroup> found = FindAttention(second, &refusal);
  if (!found.has_value()) {
    explained.reason = ReasonOf(refusal, left, second);
  } else {
    const absl::string_view why = WhyNotProfitable(*found);
    if (why.empty()) return std::nullopt;
    explained.reason = absl::StrCat(Place(second), ": ", why);
  }
  explained.arrays = {Behind(second.operand(0))};
  for (const HloInstruction* product : left.products()) {
    explained.arrays.push_back(product);
  }
  return explained;
}

}  // namespace xla::cpu
