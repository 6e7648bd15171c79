// Replaces labels by numbers of thunks.
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/control_thunks.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
ThunkSequenceBuilder::Label ThunkSequenceBuilder::NewLabel() {
  places_.push_back(-1);
  return Label{static_cast<int64_t>(places_.size()) - 1};
}

void ThunkSequenceBuilder::Bind(Label label) {
  int64_t& place = places_[label.number];
  bound_twice_ = bound_twice_ || place >= 0;
  place = size();
}

void ThunkSequenceBuilder::Add(std::unique_ptr<Thunk> thunk) {
  makers_.push_back({std::move(thunk), nullptr, {}});
}

void ThunkSequenceBuilder::AddJump(std::string name, Label target) {
  makers_.push_back(
      {nullptr,
       [name = std::move(name)](const std::vector<int64_t>& targets) {
         return std::make_unique<JumpThunk>(name, targets[0]);
       },
       {target}});
}

void ThunkSequenceBuilder::AddJumpIfFalse(std::string name, Slice predicate,
                                          Label target) {
  makers_.push_back({nullptr,
                     [name = std::move(name),
                      predicate](const std::vector<int64_t>& targets) {
                       return std::make_unique<JumpIfFalseThunk>(
                           name, predicate, targets[0]);
                     },
                     {target}});
}

void ThunkSequenceBuilder::AddSwitch(std::string name, Slice index,
                                     bool is_pred, std::vector<Label> targets) {
  makers_.push_back({nullptr,
                     [name = std::move(name), index,
                      is_pred](const std::vector<int64_t>& numbers) {
                       return std::make_unique<SwitchThunk>(name, index,
                                                            is_pred, numbers);
                     },
                     std::move(targets)});
}

absl::StatusOr<ThunkSequence> ThunkSequenceBuilder::Build() && {
  TF_RET_CHECK(!bound_twice_) << "a label is bound twice";
  ThunkSequence thunks;
  thunks.reserve(makers_.size());
  for (Entry& entry : makers_) {
    if (entry.thunk != nullptr) {
      thunks.push_back(std::move(entry.thunk));
      continue;
    }
    std::vector<int64_t> targets;
    for (const Label label : entry.labels) {
      TF_RET_CHECK(label.number >= 0 && places_[label.number] >= 0)
          << "a label of thunk " << thunks.size() << " is bound nowhere";
      targets.push_back(places_[label.number]);
    }
    thunks.push_back(entry.maker(targets));
  }
  makers_.clear();
  return thunks;
}

std::string ThunkSequenceToString(const ThunkSequence& thunks) {
  std::string text;
  for (size_t i = 0; i < thunks.size(); ++i) {
    const std::string algorithm = thunks[i]->algorithm();
    absl::StrAppend(&text, i, ": ", thunks[i]->kind(), " ", thunks[i]->name(),
                    algorithm.empty() ? "" : absl::StrCat(" (", algorithm, ")"),
                    "\n");
  }
  return text;
}

}  // namespace xla::cpu
