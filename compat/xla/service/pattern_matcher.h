// Patterns of instructions, and whether an instruction matches one:
//
//   namespace m = match;
//   HloInstruction *x, *y;
//   if (Match(hlo, m::Add(m::Op(&x), m::Multiply(m::Op(&y), m::Op())))) ...
//
// A pattern may capture what it matches; only a match that succeeds writes the
// captures. m::Add, for each op, takes nothing, the operands, or a pointer to
// capture into and the operands.
#ifndef COMPAT_XLA_SERVICE_PATTERN_MATCHER_H_
#define COMPAT_XLA_SERVICE_PATTERN_MATCHER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/service/pattern_matcher/instruction_pattern.h"
#include "xla/service/pattern_matcher/op_patterns.h"
#include "xla/service/pattern_matcher/pattern.h"
#include "xla/service/pattern_matcher/shape_pattern.h"
#include "xla/tsl/platform/logging.h"

namespace xla {

// Returns whether `value`, an instruction, a shape or a layout, matches.
template <typename Value, typename Pattern>
bool Match(Value* value, const Pattern& pattern, MatchOption option = {}) {
  // Captures are written once it is known that all matches.
  MatchOption probe = option;
  probe.capture = false;
  if (!pattern.Match(value, probe)) return false;
  return !option.capture || pattern.Match(value, option);
}

// As Match; instructions below `value` must have one user each.
template <typename Value, typename Pattern>
bool MatchSingleUserOnly(Value* value, const Pattern& pattern) {
  MatchOption option;
  option.single_user_only = true;
  return Match(value, pattern, option);
}

// As Match; if `enable_logging`, and `filter` matches where `pattern` does not,
// logs what `desc`, a name for the pattern, expected.
template <typename Filter, typename Pattern>
bool MatchAndLogIfFailed(HloInstruction* instr, absl::string_view desc,
                         const Pattern& pattern, bool enable_logging,
                         const Filter& filter) {
  if (Match(instr, pattern)) return true;
  if (!enable_logging || !Match(instr, filter)) return false;
  std::ostringstream reasons;
  MatchOption option;
  option.capture = false;
  option.explain_os = &reasons;
  Match(instr, pattern, option);
  LOG(ERROR) << "there is no " << desc << " at " << instr->name() << ":\n"
             << reasons.str();
  return false;
}

// Holds in several places of a pattern, as the predicate of each, if they are
// one instruction:
//
//   UniqueHloInstruction x;
//   auto same = m::Op().WithPredicate(x.capture_or_verify_fn());
//   if (Match(hlo, m::Multiply(m::Sin(same), m::Cos(same)))) use x.instr()
//
// Needs to outlive the pattern; for one match.
class UniqueHloInstruction {
 public:
  UniqueHloInstruction() = default;
  UniqueHloInstruction(const UniqueHloInstruction&) = delete;
  UniqueHloInstruction& operator=(const UniqueHloInstruction&) = delete;

  // Null before the first one, and once there were two.
  HloInstruction* instr() const { return instr_; }
  void set_instr(HloInstruction* instr) {
    is_set_ = true;
    instr_ = instr;
  }
  // Keeps the first one; returns whether all were that.
  bool CaptureOrVerify(HloInstruction* instr) {
    if (!is_set_) set_instr(instr);
    if (instr != instr_) instr_ = nullptr;
    return instr_ != nullptr;
  }
  std::function<bool(const HloInstruction*)> capture_or_verify_fn() {
    return [this](const HloInstruction* instr) {
      return CaptureOrVerify(const_cast<HloInstruction*>(instr));
    };
  }

 private:
  bool is_set_ = false;
  HloInstruction* instr_ = nullptr;
};

namespace match {

// Match if any, or all, of the patterns do; of several that match, the first
// one captures.
template <typename Item, typename First, typename... Patterns>
First AnyOf(const First& first, const Patterns&... patterns) {
  return First().AndWith(
      "which matches one of several patterns",
      [first, patterns...](const auto& value, const MatchOption& option) {
        MatchOption probe = option;
        probe.capture = false;
        const auto try_one = [&](const auto& pattern) {
          return pattern.Match(&value, probe) &&
                 (!option.capture || pattern.Match(&value, option));
        };
        return try_one(first) || (try_one(patterns) || ...);
      });
}
template <typename Item, typename First, typename... Patterns>
First AllOf(const First& first, const Patterns&... patterns) {
  return First().AndWith(
      "which matches all of several patterns",
      [first, patterns...](const auto& value, const MatchOption& option) {
        return first.Match(&value, option) &&
               (patterns.Match(&value, option) && ...);
      });
}

// Patterns are shared anyway.
inline HloInstructionPattern SharedSubpattern(
    const HloInstructionPattern& pattern) {
  return pattern;
}

}  // namespace match
}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_PATTERN_MATCHER_H_
