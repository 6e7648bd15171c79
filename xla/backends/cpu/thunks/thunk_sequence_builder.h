// ThunkSequenceBuilder makes a thunk sequence in which jumps may lead forward.
#ifndef XLA_BACKENDS_CPU_THUNKS_THUNK_SEQUENCE_BUILDER_H_
#define XLA_BACKENDS_CPU_THUNKS_THUNK_SEQUENCE_BUILDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/backends/cpu/thunks/thunk.h"

namespace xla::cpu {

//   Label test = builder.NewLabel(), end = builder.NewLabel();
//   builder.Bind(test);
//   ... the condition
//   builder.AddJumpIfFalse("while.1", condition, end);
//   ... the body
//   builder.AddJump("while.1", test);
//   builder.Bind(end);
class ThunkSequenceBuilder {
 public:
  struct Label {
    int64_t number = -1;
  };

  Label NewLabel();
  // Binds the label to the thunk added next, or to the end.
  void Bind(Label label);

  void Add(std::unique_ptr<Thunk> thunk);
  void AddJump(std::string name, Label target);
  void AddJumpIfFalse(std::string name, Slice predicate, Label target);
  // The targets are chosen as by SwitchThunk.
  void AddSwitch(std::string name, Slice index, bool is_pred,
                 std::vector<Label> targets);
  int64_t size() const { return static_cast<int64_t>(makers_.size()); }

  // Errors: Internal for a label that is used but not bound, or bound twice.
  absl::StatusOr<ThunkSequence> Build() &&;

 private:
  using Maker = std::function<std::unique_ptr<Thunk>(
      const std::vector<int64_t>& targets)>;
  struct Entry {
    std::unique_ptr<Thunk> thunk;  // or, made once labels are known
    Maker maker;
    std::vector<Label> labels;
  };
  std::vector<Entry> makers_;
  std::vector<int64_t> places_;  // of labels; -1: not bound
  bool bound_twice_ = false;
};

// Returns one line per thunk: "3: jump-if-false while.1".
std::string ThunkSequenceToString(const ThunkSequence& thunks);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_THUNK_SEQUENCE_BUILDER_H_
