// An evaluation cannot be stopped. The child process evaluates on a thread of
// its own, sends what is there when time is up, and ends with the thread.
#include "xla/tools/reduction/entry_values.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/tools/debugging/child_process.h"

namespace xla::tools {
namespace {

using Values = absl::flat_hash_map<std::string, Literal>;

// The bytes of values that are kept.
constexpr int64_t kMaxValueBytes = int64_t{1} << 30;

// Values that one thread adds and another one takes.
class SharedValues {
 public:
  void Add(const HloInstruction& hlo, const LiteralSlice& literal) {
    if (!hlo.shape().IsArray()) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    bytes_ += ShapeUtil::ByteSizeOf(hlo.shape());
    if (bytes_ <= kMaxValueBytes) values_[hlo.name()] = literal.Clone();
  }

  void Finish() {
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
    changed_.notify_all();
  }

  Values Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::move(values_);
  }
  Values TakeWithin(double seconds) {
    std::unique_lock<std::mutex> lock(mutex_);
    constexpr double kMostSeconds = 1e6;
    changed_.wait_for(
        lock, std::chrono::duration<double>(std::min(seconds, kMostSeconds)),
        [this] { return finished_; });
    // The thread may go on to add, to the empty map.
    return std::exchange(values_, {});
  }

 private:
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  Values values_;
  int64_t bytes_ = 0;
  bool finished_ = false;
};

void Evaluate(const HloModule& module, absl::Span<const Literal> arguments,
              SharedValues& values) {
  HloEvaluator evaluator;
  evaluator.set_eval_literal_handler(
      [&](const HloInstruction* hlo, const LiteralSlice& literal) {
        values.Add(*hlo, literal);
      });
  // After an error the values that were there before it are good.
  evaluator.Evaluate(module, arguments).IgnoreError();
  values.Finish();
}

// Names and literals, each after its size and a space.
std::string Serialize(const Values& values) {
  std::string text;
  for (const auto& [name, literal] : values) {
    const absl::StatusOr<std::string> bytes = literal.SerializeAsString();
    if (!bytes.ok()) continue;
    absl::StrAppend(&text, name.size(), " ", name, bytes->size(), " ", *bytes);
  }
  return text;
}

// Takes the next part from `text`; false at its end, or at what is no part.
bool TakePart(absl::string_view& text, absl::string_view& part) {
  const size_t space = text.find(' ');
  uint64_t size;
  if (space == absl::string_view::npos ||
      !absl::SimpleAtoi(text.substr(0, space), &size) ||
      size > text.size() - space - 1) {
    return false;
  }
  part = text.substr(space + 1, size);
  text.remove_prefix(space + 1 + size);
  return true;
}

Values Deserialize(absl::string_view text) {
  Values values;
  absl::string_view name, bytes;
  while (TakePart(text, name) && TakePart(text, bytes)) {
    absl::StatusOr<Literal> literal = Literal::DeserializeFromString(bytes);
    if (literal.ok()) values[name] = *std::move(literal);
  }
  return values;
}

}  // namespace

absl::flat_hash_map<std::string, Literal> EntryValues(
    const HloModule& module, absl::Span<const Literal> arguments,
    double seconds) {
  if (seconds == 0) {
    SharedValues values;
    Evaluate(module, arguments, values);
    return values.Take();
  }
  const absl::StatusOr<ChildResult> child = CallInChild(
      [&] {
        // The thread uses it until the process ends.
        auto* const values = new SharedValues;
        std::thread([&] { Evaluate(module, arguments, *values); }).detach();
        return Serialize(values->TakeWithin(seconds));
      },
      /*seconds=*/0);
  if (!child.ok() || child->end != ChildResult::End::kReturned) return {};
  return Deserialize(child->result);
}

}  // namespace xla::tools
