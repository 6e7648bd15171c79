// Labels become numbers.
#include "xla/backends/cpu/steps/step_list_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/steps/control_steps.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

constexpr int64_t kScratchAlignment = 64;

}  // namespace

StepListBuilder::Label StepListBuilder::NewLabel() {
  places_.push_back(-1);
  return Label{static_cast<int64_t>(places_.size()) - 1};
}

void StepListBuilder::Bind(Label label) {
  int64_t& place = places_[label.number];
  bound_twice_ = bound_twice_ || place >= 0;
  place = size();
}

void StepListBuilder::Add(std::unique_ptr<Step> step) {
  makers_.push_back({std::move(step), nullptr, {}});
}

void StepListBuilder::AddJump(std::string name, Label target) {
  makers_.push_back(
      {nullptr,
       [name = std::move(name)](const std::vector<int64_t>& targets) {
         return std::make_unique<JumpStep>(name, targets[0]);
       },
       {target}});
}

void StepListBuilder::AddJumpIfFalse(std::string name, Slice predicate,
                                     Label target) {
  makers_.push_back({nullptr,
                     [name = std::move(name),
                      predicate](const std::vector<int64_t>& targets) {
                       return std::make_unique<JumpIfFalseStep>(name, predicate,
                                                                targets[0]);
                     },
                     {target}});
}

void StepListBuilder::AddSwitch(std::string name, Slice index, bool is_pred,
                                std::vector<Label> targets) {
  makers_.push_back({nullptr,
                     [name = std::move(name), index,
                      is_pred](const std::vector<int64_t>& numbers) {
                       return std::make_unique<SwitchStep>(name, index, is_pred,
                                                           numbers);
                     },
                     std::move(targets)});
}

absl::StatusOr<StepList> StepListBuilder::Build() && {
  TF_RET_CHECK(!bound_twice_) << "a label is bound twice";
  StepList steps;
  steps.reserve(makers_.size());
  for (Entry& entry : makers_) {
    if (entry.step != nullptr) {
      steps.push_back(std::move(entry.step));
      continue;
    }
    std::vector<int64_t> targets;
    for (const Label label : entry.labels) {
      TF_RET_CHECK(label.number >= 0 && places_[label.number] >= 0)
          << "a label of step " << steps.size() << " is bound nowhere";
      targets.push_back(places_[label.number]);
    }
    steps.push_back(entry.maker(targets));
  }
  makers_.clear();
  return steps;
}

int64_t PlaceScratch(const StepList& steps, int num_threads,
                     int64_t temporary_bytes) {
  int64_t end = temporary_bytes;
  for (const auto& step : steps) {
    const int64_t bytes = step->scratch_bytes(num_threads);
    if (bytes == 0) continue;
    int64_t from = step->scratch_from();
    if (from < 0 || from > temporary_bytes) from = temporary_bytes;
    from = RoundUpTo(from, kScratchAlignment);
    step->set_scratch_offset(from);
    end = std::max(end, from + bytes);
  }
  return end;
}

std::string StepListToString(const StepList& steps) {
  std::string text;
  for (size_t i = 0; i < steps.size(); ++i) {
    absl::StrAppend(&text, i, ": ", steps[i]->kind(), " ", steps[i]->name(),
                    "\n");
  }
  return text;
}

}  // namespace xla::cpu
