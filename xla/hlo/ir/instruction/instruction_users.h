// InstructionUsers: the instructions that use a value.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_USERS_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_USERS_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace xla {

class HloInstruction;

// Each user once, in the order in which they came. One that leaves a few users
// keeps the others in their order; of many, the last one takes its place, as in
// XLA. All operations take constant time, amortised. Not thread safe.
class InstructionUsers {
 public:
  const std::vector<HloInstruction*>& list() const { return list_; }
  bool empty() const { return list_.empty(); }

  // Does nothing if `user` is there.
  void Add(HloInstruction* user) {
    // An instruction that uses a value twice comes twice in a row.
    if (!list_.empty() && list_.back() == user) return;
    if (Find(user) < 0) Append(user);
  }

  // Does nothing if `user` is not there.
  void Remove(HloInstruction* user) {
    const int64_t position = Find(user);
    if (position < 0) return;
    if (positions_ == nullptr) {
      list_.erase(list_.begin() + position);
      return;
    }
    (*positions_)[list_.back()] = position;
    list_[position] = list_.back();
    list_.pop_back();
    positions_->erase(user);
    if (list_.empty()) positions_.reset();
  }

  // Returns the users, and is empty afterwards.
  std::vector<HloInstruction*> Take() {
    positions_.reset();
    return std::exchange(list_, {});
  }

 private:
  // Up to this number of users, to search is as fast as to look up.
  static constexpr size_t kFew = 16;

  // Returns the position of `user`, or -1 if it is not there.
  int64_t Find(const HloInstruction* user) const {
    if (positions_ != nullptr) {
      const auto it = positions_->find(user);
      return it == positions_->end() ? -1 : it->second;
    }
    const auto it = std::find(list_.begin(), list_.end(), user);
    return it == list_.end() ? -1 : it - list_.begin();
  }

  void Append(HloInstruction* user) {
    list_.push_back(user);
    if (positions_ != nullptr) {
      (*positions_)[user] = list_.size() - 1;
    } else if (list_.size() > kFew) {
      positions_ = std::make_unique<Positions>();
      for (HloInstruction* each : list_) {
        positions_->emplace(each, positions_->size());
      }
    }
  }

  using Positions = absl::flat_hash_map<const HloInstruction*, int64_t>;

  std::vector<HloInstruction*> list_;
  std::unique_ptr<Positions> positions_;  // null while there are few
};

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_USERS_H_
