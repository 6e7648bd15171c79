// Derives counts from cost classes and index relations, and for other ops from
// rules by opcode. Counts are doubles, so that they cannot overflow.
#include "xla/hlo/analysis/cost/cost_analysis.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/cost/hlo_cost_properties.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/linear_scan.h"
#include "xla/hlo/indexing/point_count.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/linear/convolution.h"

namespace xla {
namespace {

using Cost = CostAnalysis::Cost;

// Neither computes nor moves anything.
bool IsFree(HloOpcode opcode) {
  const CostClass cost_class = GetOpDef(opcode).cost_class;
  return cost_class == CostClass::kNone || cost_class == CostClass::kControl ||
         opcode == HloOpcode::kPartitionId || opcode == HloOpcode::kReplicaId;
}

// A convolution without a map, such as a sparse one, uses all values of the
// kernel for each element of the result.
double SparseConvolutionFlops(const HloInstruction& hlo) {
  const Shape& kernel = FirstLeaf(hlo.operand(1)->shape());
  const int64_t feature =
      hlo.attrs<ConvolutionAttrs>()
          .convolution_dimension_numbers.kernel_output_feature_dimension();
  const double outputs =
      std::max<double>(1, kernel.dimensions(static_cast<int>(feature)));
  return 2 * ElementsOf(hlo.shape()) * ElementsOf(kernel) / outputs;
}

// Counts a multiplication and an addition for each product.
double ContractionFlops(const HloInstruction& hlo) {
  if (const auto indexing = IndexingOf(hlo); indexing.has_value()) {
    return 2 * CountPoints(indexing->reads[0].map);
  }
  return hlo.opcode() == HloOpcode::kConvolution ? SparseConvolutionFlops(hlo)
                                                 : 0;
}

double AlgorithmFlops(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kCholesky ||
      hlo.opcode() == HloOpcode::kTriangularSolve) {
    const Shape& a = hlo.operand(0)->shape();
    return ElementsOf(hlo.shape()) * a.dimensions(a.rank() - 1);
  }
  if (hlo.opcode() == HloOpcode::kFft) {
    const double n = ElementsOf(hlo.shape());
    return 5 * n * std::log2(std::max(n, 2.0));
  }
  return 0;
}

// Returns the operations of the op itself, without those of computations that
// it calls.
void CountOperations(const HloInstruction& hlo, Cost& cost) {
  switch (hlo.def().cost_class) {
    case CostClass::kArithmetic:
    case CostClass::kDivision:
    case CostClass::kRemainder:
      cost.flops = ElementsOf(hlo.shape());
      return;
    case CostClass::kSquareRoot:
    case CostClass::kTranscendental:
    case CostClass::kLongTranscendental:
      // A power of integers consists of multiplications.
      (hlo.shape().IsInteger() ? cost.flops : cost.transcendentals) =
          ElementsOf(hlo.shape());
      return;
    case CostClass::kApplication:
      // A map counts one for each call, as other element-wise ops do.
      if (hlo.IsElementwiseOp()) cost.flops = ElementsOf(hlo.shape());
      return;
    case CostClass::kContraction:
      cost.flops = ContractionFlops(hlo);
      return;
    case CostClass::kAlgorithm:
      cost.flops = AlgorithmFlops(hlo);
      return;
    case CostClass::kNone:
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kMovement:
    case CostClass::kScatteredUpdate:
    case CostClass::kDevice:
    case CostClass::kForeign:
      return;
  }
}

// Returns how often reductions and maps apply the computation that they call.
double ElementApplications(const HloInstruction& hlo) {
  const double results = ElementsOf(FirstLeaf(hlo.shape()));
  if (hlo.IsElementwiseOp() || LinearScanOf(hlo).has_value()) return results;
  const std::optional<OpIndexing> indexing = IndexingOf(hlo);
  if (!indexing.has_value() || indexing->reads.empty()) return results;
  // The first element that a result is made of is not combined with another.
  return std::max<double>(0, CountPoints(indexing->reads[0].map) - results);
}

// Returns how often an op applies the computation that it calls.
double Applications(const HloInstruction& hlo) {
  if (hlo.def().cost_class == CostClass::kApplication) {
    return ElementApplications(hlo);
  }
  switch (hlo.opcode()) {
    case HloOpcode::kSelectAndScatter:
      return ElementsOf(hlo.operand(1)->shape());
    case HloOpcode::kScatter:
      return ElementsOf(hlo.operand(hlo.operand_count() - 1)->shape());
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kReduceScatter:
      return ElementsOf(hlo.shape());
    case HloOpcode::kSort: {
      const double n = ElementsOf(hlo.operand(0)->shape());
      return n * std::ceil(std::log2(std::max(n, 2.0)));
    }
    default:
      return 1;
  }
}

// Returns the bytes that an op reads of each operand, and a fusion of all.
std::vector<double> OwnOperandBytes(const HloInstruction& hlo) {
  std::vector<double> bytes;
  for (const HloInstruction* operand : hlo.operands()) {
    bytes.push_back(BytesOf(operand->shape()));
  }
  if (hlo.opcode() == HloOpcode::kDynamicUpdateSlice) {
    bytes[0] = 0;
    return bytes;
  }
  if (hlo.opcode() == HloOpcode::kScatter) {
    // The op reads as many elements of the updated operand as there are
    // updates.
    bytes[0] = std::min(bytes[0], bytes.back());
    return bytes;
  }
  if (hlo.IsElementwiseOp()) return bytes;
  const std::optional<OpIndexing> indexing = IndexingOf(hlo);
  if (!indexing.has_value()) return bytes;
  for (const OperandIndexing& read : indexing->reads) {
    const Shape& shape = hlo.operand(read.operand)->shape();
    bytes[read.operand] = CountElements(read.map, shape.dimensions()) *
                          LiteralElementBytes(shape.element_type());
  }
  return bytes;
}

// Returns the bytes that an op, or a fusion, writes to all of its results; of
// an updated operand, those that change.
double OutputBytes(const HloInstruction& hlo) {
  const double whole = BytesOf(hlo.shape());
  switch (hlo.opcode()) {
    case HloOpcode::kDynamicUpdateSlice:
      return std::min(whole, BytesOf(hlo.operand(1)->shape()));
    case HloOpcode::kScatter:
      return std::min(whole,
                      BytesOf(hlo.operand(hlo.operand_count() - 1)->shape()));
    default:
      return whole;
  }
}

// Returns the results of a fusion as instructions inside of it.
std::vector<const HloInstruction*> FusedResults(const HloInstruction& fusion) {
  const HloInstruction* root =
      fusion.fused_instructions_computation()->root_instruction();
  std::vector<const HloInstruction*> results = {root};
  if (root->opcode() == HloOpcode::kTuple) {
    results.assign(root->operands().begin(), root->operands().end());
  }
  for (const HloInstruction*& result : results) {
    while (result->opcode() == HloOpcode::kBitcast) {
      result = result->operand(0);
    }
  }
  return results;
}

// Returns the bytes that a fusion reads of operand `i`: the parts that the ops
// inside read, at most all of it. An operand that a result only updates is not
// read.
double FusionOperandBytes(const HloInstruction& fusion, int64_t i,
                          absl::Span<const HloInstruction* const> results) {
  const HloInstruction& parameter =
      *fusion.fused_instructions_computation()->parameter_instruction(i);
  const double whole = BytesOf(parameter.shape());
  double bytes = 0;
  for (const HloInstruction* user : parameter.users()) {
    const std::vector<double> read = OwnOperandBytes(*user);
    for (int64_t j = 0; j < user->operand_count(); ++j) {
      if (user->operand(j) != &parameter) continue;
      const bool updates = user->opcode() == HloOpcode::kDynamicUpdateSlice ||
                           user->opcode() == HloOpcode::kScatter;
      bytes +=
          updates && !absl::c_linear_search(results, user) ? whole : read[j];
    }
  }
  return std::min(bytes, whole);
}

std::vector<double> AllOperandBytes(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kFusion) return OwnOperandBytes(hlo);
  const std::vector<const HloInstruction*> results = FusedResults(hlo);
  std::vector<double> bytes;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    bytes.push_back(FusionOperandBytes(hlo, i, results));
  }
  return bytes;
}

void Add(const Cost& from, double times, Cost& to) {
  to.flops += from.flops * times;
  to.transcendentals += from.transcendentals * times;
  to.bytes += from.bytes * times;
  to.output_bytes += from.output_bytes * times;
}

}  // namespace

Cost CostAnalysis::OwnCost(const HloInstruction& hlo) const {
  Cost cost;
  if (IsFree(hlo.opcode())) return cost;
  for (const double bytes : AllOperandBytes(hlo)) cost.bytes += bytes;
  if (hlo.opcode() == HloOpcode::kFusion) {
    for (const HloInstruction* result : FusedResults(hlo)) {
      cost.output_bytes += OutputBytes(*result);
    }
  } else {
    cost.output_bytes = OutputBytes(hlo);
  }
  cost.bytes += cost.output_bytes;
  CountOperations(hlo, cost);
  return cost;
}

Cost CostAnalysis::CostOfComputation(const HloComputation& computation) {
  Cost sum;
  for (const auto& hlo : computation.instructions()) {
    Cost cost = OwnCost(*hlo);
    Cost called;
    for (const HloComputation* callee : hlo->called_computations()) {
      const Cost& of_callee = computations_[callee];  // visited before
      if (hlo->opcode() == HloOpcode::kConditional) {
        if (of_callee.flops + of_callee.bytes >= called.flops + called.bytes) {
          called = of_callee;
        }
      } else {
        Add(of_callee, 1, called);
      }
    }
    // Values inside a fusion, or of a scalar computation, stay in registers.
    if (!IsFree(hlo->opcode())) called.bytes = called.output_bytes = 0;
    Add(called, Applications(*hlo), cost);
    instructions_[hlo] = cost;
    Add(cost, 1, sum);
  }
  return sum;
}

void CostAnalysis::AddOperandBytes(const HloInstruction& hlo) {
  if (IsFree(hlo.opcode())) return;
  const std::vector<double> bytes = AllOperandBytes(hlo);
  for (size_t i = 0; i < bytes.size(); ++i) operand_bytes_[i] += bytes[i];
}

absl::Status CostAnalysis::Run(const HloComputation& computation) {
  if (computation.parent() == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("computation ", computation.name(), " is in no module"));
  }
  for (const HloComputation* each :
       computation.parent()->MakeComputationPostOrder()) {
    if (!computations_.contains(each)) {
      computations_[each] = CostOfComputation(*each);
    }
    if (each == &computation) break;
  }
  Add(computations_[&computation], 1, total_);
  for (const auto& hlo : computation.instructions()) AddOperandBytes(*hlo);
  return absl::OkStatus();
}

std::map<std::string, float> CostAnalysis::properties() const {
  using Names = HloCostProperties;
  std::map<std::string, float> properties;
  properties[std::string(Names::kFlopsKey)] = total_.flops;
  properties[std::string(Names::kTranscendentalsKey)] = total_.transcendentals;
  properties[std::string(Names::kBytesAccessedKey)] = total_.bytes;
  properties[Names::OutputBytesAccessedKey({})] = total_.output_bytes;
  for (const auto& [i, bytes] : operand_bytes_) {
    properties[Names::OperandBytesAccessedKey(i, {})] = bytes;
  }
  return properties;
}

Cost CostAnalysis::CostOf(const HloInstruction& hlo) const {
  auto it = instructions_.find(&hlo);
  return it == instructions_.end() ? Cost() : it->second;
}

}  // namespace xla
