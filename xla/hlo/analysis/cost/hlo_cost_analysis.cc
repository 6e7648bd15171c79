// Visits, sums and called computations. The handlers of ops are in
// hlo_cost_handlers.cc, those of fusions in hlo_cost_fusion.cc.
#include "xla/hlo/analysis/cost/hlo_cost_analysis.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <typeindex>
#include <typeinfo>
#include <utility>

#include "absl/container/node_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

bool HasUnboundedSize(const Shape& shape) {
  bool found = false;
  ShapeUtil::ForEachLeafShape(shape, [&](const Shape& leaf, const ShapeIndex&) {
    found = found || (leaf.IsArray() && leaf.is_unbounded_dynamic());
  });
  return found;
}

int64_t ToInteger(float value) {
  constexpr auto kMost = std::numeric_limits<int64_t>::max();
  return value < static_cast<float>(kMost) ? static_cast<int64_t>(value)
                                           : kMost;
}

// Calls `fn` with the index of each leaf, or of those in the memory space.
void ForEachLeafIn(std::optional<int64_t> memory_space, const Shape& shape,
                   absl::FunctionRef<void(const ShapeIndex&)> fn) {
  ShapeUtil::ForEachLeafShape(
      shape, [&](const Shape& leaf, const ShapeIndex& index) {
        const bool is_there =
            leaf.has_layout() && leaf.layout().memory_space() == memory_space;
        if (!memory_space.has_value() || is_there) fn(index);
      });
}

}  // namespace

struct HloCostAnalysis::Callees {
  // What analyses of one class found of a computation.
  struct Callee {
    bool was_visited = false;
    // Set by the second visit: what is called once is not kept.
    std::optional<Properties> sum;
    HloToProperties instructions;
    int height = 0;
  };
  absl::node_hash_map<std::pair<const HloComputation*, std::type_index>, Callee>
      found;
};

HloCostAnalysis::HloCostAnalysis(const Options& options)
    : options_(options), callees_(std::make_shared<Callees>()) {}

HloCostAnalysis::HloCostAnalysis(ShapeSizeFunction shape_size,
                                 const Properties& per_second_rates,
                                 const Properties& min_latency_seconds)
    : HloCostAnalysis(Options{std::move(shape_size), per_second_rates,
                              min_latency_seconds}) {}

absl::Status HloCostAnalysis::Preprocess(const HloInstruction* hlo) {
  if (HasUnboundedSize(hlo->shape())) {
    return InvalidArgument("the cost of %s is unknown, as is its size",
                           hlo->name());
  }
  // The module may have changed since another computation was visited.
  if (hlo->parent() != visited_computation_) ForgetCallees();
  visited_computation_ = hlo->parent();
  is_visiting_ = true;
  current_properties_ = Properties();
  current_should_compute_bottleneck_time_ = true;
  // All elements of a result are written, as jaxlib counts them, but of tuples
  // that are operands only the table is read.
  int64_t written = 0;
  ForEachLeafIn(std::nullopt, hlo->shape(), [&](const ShapeIndex& index) {
    written = SaturatingAdd(
        written, GetShapeSize(ShapeUtil::GetSubshape(hlo->shape(), index)));
  });
  current_properties_.set_output_bytes_accessed(written);
  float bytes = written;
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    const int64_t read = GetShapeSize(hlo->operand(i)->shape());
    bytes += read;
    current_properties_.set_operand_bytes_accessed(i, read);
    current_properties_.set_operand_utilization(i, 1);
  }
  current_properties_[kBytesAccessedKey] = bytes;
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::Postprocess(const HloInstruction* hlo) {
  is_visiting_ = false;
  if (current_should_compute_bottleneck_time_) {
    // The property that takes longest hides the others.
    float seconds = 0;
    current_properties_.ForEach([&](absl::string_view key, float value) {
      const float rate = options_.per_second_rate(key);
      if (key == kOptimalSecondsKey || rate == 0) return;
      seconds = std::max(
          seconds, std::max(value / rate, options_.min_latency_seconds(key)));
    });
    current_properties_[kOptimalSecondsKey] = seconds;
  }
  current_properties_.ForEach([&](absl::string_view key, float value) {
    properties_sum_[key] += value;
  });
  const bool is_new =
      hlo_properties_.emplace(hlo, std::exchange(current_properties_, {}))
          .second;
  if (!is_new) return Internal("%s was visited twice", hlo->name());
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::FinishVisit(const HloInstruction* root) {
  ForgetCallees();
  return absl::OkStatus();
}

void HloCostAnalysis::ForgetCallees() {
  if (nesting_ == 0) callees_->found.clear();
}

absl::Status HloCostAnalysis::RemoveInstruction(
    const HloInstruction* instruction) {
  ForgetCallees();  // there was a change
  const auto it = hlo_properties_.find(instruction);
  if (it == hlo_properties_.end()) return absl::OkStatus();
  it->second.ForEach([&](absl::string_view key, float value) {
    properties_sum_[key] -= value;
  });
  hlo_properties_.erase(it);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::RevisitInstruction(
    const HloInstruction* instruction) {
  TF_RETURN_IF_ERROR(RemoveInstruction(instruction));
  TF_RETURN_IF_ERROR(Preprocess(instruction));
  TF_RETURN_IF_ERROR(Dispatch(instruction));
  TF_RETURN_IF_ERROR(Postprocess(instruction));
  ForgetCallees();
  return absl::OkStatus();
}

int64_t HloCostAnalysis::GetShapeSize(const Shape& shape) const {
  return LayoutUtil::HasLayout(shape) ? options_.shape_size(shape) : 0;
}

// Queries.

HloCostAnalysis::Properties HloCostAnalysis::properties(
    const HloInstruction& hlo) const {
  const auto it = hlo_properties_.find(&hlo);
  return it == hlo_properties_.end() ? Properties() : it->second;
}

float HloCostAnalysis::GetPropertyForHlo(
    const HloInstruction& hlo, absl::string_view key,
    const HloToProperties& hlo_to_properties) {
  const auto it = hlo_to_properties.find(&hlo);
  return it == hlo_to_properties.end() ? 0 : std::as_const(it->second)[key];
}

int64_t HloCostAnalysis::flop_count(const HloInstruction& hlo) const {
  return ToInteger(GetPropertyForHlo(hlo, kFlopsKey, hlo_properties_));
}

int64_t HloCostAnalysis::transcendental_count(const HloInstruction& hlo) const {
  return ToInteger(
      GetPropertyForHlo(hlo, kTranscendentalsKey, hlo_properties_));
}

int64_t HloCostAnalysis::bytes_accessed(const HloInstruction& hlo) const {
  return ToInteger(GetPropertyForHlo(hlo, kBytesAccessedKey, hlo_properties_));
}

int64_t HloCostAnalysis::operand_bytes_accessed(const HloInstruction& hlo,
                                                int64_t operand_num,
                                                const ShapeIndex& index) const {
  return ToInteger(GetPropertyForHlo(
      hlo, GetOperandBytesAccessedKey(operand_num, index), hlo_properties_));
}

float HloCostAnalysis::operand_utilization(const HloInstruction& hlo,
                                           int64_t operand_num,
                                           ShapeIndex index) const {
  return GetPropertyForHlo(hlo, GetOperandUtilizationKey(operand_num, index),
                           hlo_properties_);
}

int64_t HloCostAnalysis::output_bytes_accessed(const HloInstruction& hlo,
                                               ShapeIndex index) const {
  return ToInteger(GetPropertyForHlo(hlo, GetOutputBytesAccessedKey(index),
                                     hlo_properties_));
}

float HloCostAnalysis::optimal_seconds(const HloInstruction& hlo) const {
  return GetPropertyForHlo(hlo, kOptimalSecondsKey, hlo_properties_);
}

int64_t HloCostAnalysis::GetBytesRead(
    const HloInstruction& hlo, std::optional<int64_t> memory_space) const {
  int64_t bytes = 0;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    ForEachLeafIn(memory_space, hlo.operand(i)->shape(),
                  [&](const ShapeIndex& index) {
                    bytes += operand_bytes_accessed(hlo, i, index);
                  });
  }
  return bytes;
}

int64_t HloCostAnalysis::GetBytesWritten(
    const HloInstruction& hlo, std::optional<int64_t> memory_space) const {
  int64_t bytes = 0;
  ForEachLeafIn(memory_space, hlo.shape(), [&](const ShapeIndex& index) {
    bytes += output_bytes_accessed(hlo, index);
  });
  return bytes;
}

std::string HloCostAnalysis::GetOperandBytesAccessedKey(
    int64_t operand_num, const ShapeIndex& index) {
  return Properties::OperandBytesAccessedKey(operand_num, index);
}

std::string HloCostAnalysis::GetOperandUtilizationKey(int64_t operand_num,
                                                      const ShapeIndex& index) {
  return Properties::OperandUtilizationKey(operand_num, index);
}

std::string HloCostAnalysis::GetOutputBytesAccessedKey(
    const ShapeIndex& index) {
  return Properties::OutputBytesAccessedKey(index);
}

// Calls.

std::unique_ptr<HloCostAnalysis> HloCostAnalysis::CreateNestedCostAnalysis() {
  return std::make_unique<HloCostAnalysis>(options_);
}

absl::StatusOr<HloCostAnalysis::Properties>
HloCostAnalysis::ProcessSubcomputation(HloComputation* computation) {
  // Handlers that are called without a visit may follow any change.
  if (!is_visiting_) ForgetCallees();
  const std::unique_ptr<HloCostAnalysis> nested = CreateNestedCostAnalysis();
  const HloCostAnalysis& analysis = *nested;
  Callees::Callee& callee =
      callees_->found[{computation, std::type_index(typeid(analysis))}];
  if (nesting_ + callee.height >= kMaxNesting) {
    return ResourceExhausted("%s is called more than %d calls deep",
                             computation->name(), kMaxNesting);
  }
  if (!callee.sum.has_value()) {
    nested->nesting_ = nesting_ + 1;
    nested->callees_ = callees_;
    TF_RETURN_IF_ERROR(computation->Accept(nested.get()));
    callee.height = nested->height_;
    height_ = std::max(height_, callee.height + 1);
    if (!std::exchange(callee.was_visited, true)) {
      for (auto& [hlo, properties] : nested->hlo_properties_) {
        hlo_properties_[hlo] = std::move(properties);
      }
      return nested->properties();
    }
    callee.sum = nested->properties();
    callee.instructions = std::move(nested->hlo_properties_);
  }
  height_ = std::max(height_, callee.height + 1);
  for (const auto& [hlo, properties] : callee.instructions) {
    hlo_properties_[hlo] = properties;
  }
  return *callee.sum;
}

bool HloCostAnalysis::KeyToCopyFromSubcomputation(absl::string_view key) const {
  return !absl::StartsWith(key, kBytesAccessedKey) &&
         !absl::StartsWith(key, kUtilizationKey);
}

void HloCostAnalysis::SetCalls(const Properties& called, int64_t count) {
  called.ForEach([&](absl::string_view key, float value) {
    if (KeyToCopyFromSubcomputation(key)) {
      current_properties_[key] = value * count;
    }
  });
}

void HloCostAnalysis::SetFree(const HloInstruction* hlo) {
  current_should_compute_bottleneck_time_ = false;
  current_properties_[kBytesAccessedKey] = 0;
  current_properties_[kOptimalSecondsKey] = 0;
  current_properties_.set_output_bytes_accessed(0);
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    current_properties_.set_operand_bytes_accessed(i, 0);
  }
}

absl::Status HloCostAnalysis::HandleCall(const HloInstruction* hlo) {
  TF_ASSIGN_OR_RETURN(current_properties_,
                      ProcessSubcomputation(hlo->to_apply()));
  current_should_compute_bottleneck_time_ = false;
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleAsyncStart(const HloInstruction* hlo) {
  TF_ASSIGN_OR_RETURN(current_properties_,
                      ProcessSubcomputation(hlo->called_computations()[0]));
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleWhile(const HloInstruction* hlo) {
  TF_ASSIGN_OR_RETURN(current_properties_,
                      ProcessSubcomputation(hlo->while_body()));
  TF_ASSIGN_OR_RETURN(const Properties condition,
                      ProcessSubcomputation(hlo->while_condition()));
  condition.ForEach([&](absl::string_view key, float value) {
    current_properties_[key] += value;
  });
  current_should_compute_bottleneck_time_ = false;
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleConditional(const HloInstruction* hlo) {
  TF_ASSIGN_OR_RETURN(Properties most,
                      ProcessSubcomputation(hlo->branch_computation(0)));
  for (int64_t i = 1; i < hlo->branch_count(); ++i) {
    TF_ASSIGN_OR_RETURN(const Properties branch,
                        ProcessSubcomputation(hlo->branch_computation(i)));
    branch.ForEach([&](absl::string_view key, float value) {
      most[key] = std::max(most[key], value);
    });
  }
  current_properties_ = std::move(most);
  current_should_compute_bottleneck_time_ = false;
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleCustomCall(const HloInstruction* hlo) {
  for (const absl::string_view key :
       {kOptimalSecondsKey, kBytesAccessedKey, kFlopsKey}) {
    current_properties_[key] = -1;
  }
  current_properties_.set_output_bytes_accessed(-1);
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    current_properties_.set_operand_bytes_accessed(i, -1);
  }
  current_should_compute_bottleneck_time_ = false;
  return absl::OkStatus();
}

}  // namespace xla
