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
#include <optional>
#include <type_traits>
#include <utility>

#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/service/pattern_matcher/instruction_pattern.h"
#include "xla/service/pattern_matcher/op_patterns.h"
#include "xla/service/pattern_matcher/pattern.h"
#include "xla/service/pattern_matcher/shape_pattern.h"

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
