// HloInstructionPattern: what an instruction is to be like, with its operands.
#ifndef COMPAT_XLA_SERVICE_PATTERN_MATCHER_INSTRUCTION_PATTERN_H_
#define COMPAT_XLA_SERVICE_PATTERN_MATCHER_INSTRUCTION_PATTERN_H_

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/service/pattern_matcher/attribute_conditions.h"
#include "xla/service/pattern_matcher/pattern.h"
#include "xla/service/pattern_matcher/shape_pattern.h"

namespace xla::match {

class HloInstructionPattern
    : public detail::AttributeConditions<HloInstructionPattern> {
 public:
  using Hlo = ::xla::HloInstruction;

  HloInstructionPattern() = default;

  bool Match(const Hlo* instruction, const MatchOption& option) const {
    return instruction != nullptr && pattern_.Match(*instruction, option);
  }
  void DescribeTo(std::ostream* out) const { pattern_.DescribeTo(out); }

  // Conditions on the instruction itself.
  HloInstructionPattern WithOpcode(HloOpcode opcode) const {
    return And(absl::StrCat("with opcode ", HloOpcodeString(opcode)),
               [opcode](const Hlo& h) { return h.opcode() == opcode; });
  }
  HloInstructionPattern WithoutOpcode(HloOpcode opcode) const {
    return And(
        absl::StrCat("with any opcode other than ", HloOpcodeString(opcode)),
        [opcode](const Hlo& h) { return h.opcode() != opcode; });
  }
  HloInstructionPattern WithName(absl::string_view name) const {
    return And(
        absl::StrCat("named ", name),
        [want = std::string(name)](const Hlo& h) { return h.name() == want; });
  }
  HloInstructionPattern WithShape(const ShapePattern& shape) const {
    return AndWith("with a shape that matches",
                   [shape](const Hlo& h, const MatchOption& o) {
                     return shape.Match(&h.shape(), o);
                   });
  }
  HloInstructionPattern WithShape(PrimitiveType type,
                                  absl::Span<const int64_t> dims) const {
    return WithShape(Shape().WithElementType(type).WithDims(dims));
  }
  HloInstructionPattern WithShape(
      PrimitiveType type, absl::Span<const int64_t> dims,
      absl::Span<const int64_t> minor_to_major) const {
    return WithShape(Shape().WithElementType(type).WithDims(dims).WithLayout(
        minor_to_major));
  }
  HloInstructionPattern WithShapeEqualTo(const ::xla::Shape* shape) const {
    return WithShape(Shape().EqualTo(shape));
  }
  HloInstructionPattern WithShapeCompatibleTo(const ::xla::Shape* s) const {
    return WithShape(Shape().CompatibleTo(s));
  }
  HloInstructionPattern WithElementType(PrimitiveType type) const {
    return WithShape(Shape().WithElementType(type));
  }
  HloInstructionPattern Is(const Hlo* instruction) const {
    return And(
        absl::StrCat("which is ",
                     instruction == nullptr ? "null" : instruction->name()),
        [instruction](const Hlo& h) { return &h == instruction; });
  }
  HloInstructionPattern IsConstant() const {
    return WithOpcode(HloOpcode::kConstant);
  }
  HloInstructionPattern IsNonConstant() const {
    return WithoutOpcode(HloOpcode::kConstant);
  }
  // A constant that is a scalar, or has one element; with the value, if given.
  HloInstructionPattern IsConstantScalar() const {
    return WithShape(Shape().IsScalar()).IsConstantEffectiveScalar();
  }
  template <typename T>
  HloInstructionPattern IsConstantScalar(const T& value) const {
    return WithShape(Shape().IsScalar()).IsConstantEffectiveScalar(value);
  }
  HloInstructionPattern IsConstantEffectiveScalar() const {
    return IsConstant().WithShape(Shape().IsEffectiveScalar());
  }
  template <typename T>
  HloInstructionPattern IsConstantEffectiveScalar(const T& value) const {
    return IsConstantEffectiveScalar().And(
        "which has the value", [value](const Hlo& h) {
          const std::vector<int64_t> first(h.shape().rank(), 0);
          if constexpr (std::is_same_v<T, complex64> ||
                        std::is_same_v<T, complex128>) {
            return h.literal().IsEqualAt(first, complex128(value));
          } else if constexpr (std::is_integral_v<T>) {
            return h.literal().IsEqualAt(first, static_cast<int64_t>(value));
          } else {
            return h.literal().IsEqualAt(first, static_cast<double>(value));
          }
        });
  }
  HloInstructionPattern WithPredicate(
      std::function<bool(const Hlo*)> predicate) const {
    return And("which matches a predicate",
               [predicate](const Hlo& h) { return predicate(&h); });
  }

  // Conditions on operands.
  HloInstructionPattern WithNumOperands(int64_t count) const {
    return And(absl::StrCat("with ", count, " operands"),
               [count](const Hlo& h) { return h.operand_count() == count; });
  }
  HloInstructionPattern WithOperand(
      int64_t i, const HloInstructionPattern& operand) const {
    return AndWith(absl::StrCat("with an operand ", i, " that matches"),
                   [i, operand](const Hlo& h, const MatchOption& o) {
                     return i < h.operand_count() &&
                            operand.MatchBelow(h.operand(i), o);
                   });
  }
  HloInstructionPattern WithOperandIfPresent(
      int64_t i, const HloInstructionPattern& operand) const {
    return AndWith(absl::StrCat("with no operand ", i, ", or one that matches"),
                   [i, operand](const Hlo& h, const MatchOption& o) {
                     return i >= h.operand_count() ||
                            operand.MatchBelow(h.operand(i), o);
                   });
  }
  HloInstructionPattern WithBinaryOperandsAnyOrder(
      const HloInstructionPattern& a, const HloInstructionPattern& b) const {
    return AndWith(
        "with two operands that match in one order or the other",
        [a, b](const Hlo& h, const MatchOption& option) {
          if (h.operand_count() != 2) return false;
          // Nothing is captured before it is known which order matches.
          MatchOption probe = option;
          probe.capture = false;
          for (const auto& [first, second] : {std::pair(0, 1), {1, 0}}) {
            if (a.MatchBelow(h.operand(first), probe) &&
                b.MatchBelow(h.operand(second), probe)) {
              return !option.capture ||
                     (a.MatchBelow(h.operand(first), option) &&
                      b.MatchBelow(h.operand(second), option));
            }
          }
          return false;
        });
  }

  // Conditions on users. A user counts once; a use is an operand of a user.
  HloInstructionPattern WithOneUser() const { return WithNumUser(1); }
  HloInstructionPattern WithNumUser(int64_t count) const {
    return And(count == 1 ? "which has exactly one user"
                          : absl::StrCat("which has ", count, " users"),
               [count](const Hlo& h) { return h.user_count() == count; });
  }
  HloInstructionPattern WithAtMostNumUser(int64_t count) const {
    return And(absl::StrCat("which has at most ", count, " users"),
               [count](const Hlo& h) { return h.user_count() <= count; });
  }
  HloInstructionPattern WithOneUse() const {
    return And("which has exactly one use", [](const Hlo& h) {
      return h.user_count() == 1 &&
             absl::c_count(h.users()[0]->operands(), &h) == 1;
    });
  }

  HloInstructionPattern Capture(const Hlo** instruction) const {
    return AndWith("", [instruction](const Hlo& h, const MatchOption& o) {
      if (o.capture && instruction != nullptr) *instruction = &h;
      return true;
    });
  }
  HloInstructionPattern Capture(Hlo** instruction) const {
    return Capture(const_cast<const Hlo**>(instruction));
  }
  template <typename Condition>
  HloInstructionPattern AndWith(std::string expected,
                                Condition condition) const {
    HloInstructionPattern result;
    result.pattern_ = pattern_.And(std::move(expected), std::move(condition));
    return result;
  }

 private:
  // Matches an operand.
  bool MatchBelow(const Hlo* operand, const MatchOption& option) const {
    if (option.single_user_only && operand->user_count() != 1) {
      if (option.explain_os != nullptr) {
        *option.explain_os << "expected one user of " << operand->name()
                           << "\n";
      }
      return false;
    }
    if (Match(operand, option)) return true;
    if (option.explain_os != nullptr) {
      *option.explain_os << "in " << operand->ToString() << "\n";
    }
    return false;
  }
  template <typename Predicate>
  HloInstructionPattern And(std::string expected, Predicate predicate) const {
    return AndWith(std::move(expected), [predicate = std::move(predicate)](
                                            const Hlo& h, const MatchOption&) {
      return predicate(h);
    });
  }

  detail::Pattern<Hlo> pattern_;
};

}  // namespace xla::match

#endif  // COMPAT_XLA_SERVICE_PATTERN_MATCHER_INSTRUCTION_PATTERN_H_
