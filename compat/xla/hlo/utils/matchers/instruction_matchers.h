// The classes of GoogleTest matchers of instructions; hlo_matchers.h has the
// functions that make them.
#ifndef COMPAT_XLA_HLO_UTILS_MATCHERS_INSTRUCTION_MATCHERS_H_
#define COMPAT_XLA_HLO_UTILS_MATCHERS_INSTRUCTION_MATCHERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "xla/comparison_util.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/literal.h"

namespace xla {
namespace testing {

using InstructionMatcher = ::testing::Matcher<const HloInstruction*>;

// An opcode and all operands; without operands, whatever they are.
class HloMatcher : public ::testing::MatcherInterface<const HloInstruction*> {
 public:
  HloMatcher(HloOpcode opcode, std::vector<InstructionMatcher> operands)
      : opcode_(opcode), operands_(std::move(operands)) {}

  bool MatchAndExplain(
      const HloInstruction* instruction,
      ::testing::MatchResultListener* listener) const override {
    if (instruction == nullptr) return false;
    *listener << "(" << instruction->ToString() << ")";
    if (instruction->opcode() != opcode_) return false;
    if (operands_.empty()) return true;
    const size_t count = instruction->operands().size();
    if (count != operands_.size()) {
      *listener << " has too " << (count > operands_.size() ? "many" : "few")
                << " operands (got " << count << ", want " << operands_.size()
                << ")";
      return false;
    }
    for (size_t i = 0; i < count; ++i) {
      const HloInstruction* operand = instruction->operand(i);
      ::testing::StringMatchResultListener reason;
      if (operands_[i].MatchAndExplain(operand, &reason)) continue;
      std::ostringstream wanted;
      operands_[i].DescribeTo(&wanted);
      *listener << "\noperand " << i << ":\n\t" << operand->ToString()
                << "\ndoesn't match expected:\n\t" << wanted.str();
      if (!reason.str().empty()) *listener << ", " << reason.str();
      return false;
    }
    return true;
  }
  void DescribeTo(std::ostream* os) const override {
    *os << HloOpcodeString(opcode_);
    for (size_t i = 0; i < operands_.size(); ++i) {
      *os << (i == 0 ? "(" : ", ");
      operands_[i].DescribeTo(os);
    }
    if (!operands_.empty()) *os << ")";
  }

 private:
  HloOpcode opcode_;
  std::vector<InstructionMatcher> operands_;
};

// An opcode, its operands, and one thing more.
class HloDetailMatcher : public HloMatcher {
 public:
  // Explains to the listener why the instruction, which has the opcode and the
  // operands, does not match.
  using Detail = std::function<bool(const HloInstruction&,
                                    ::testing::MatchResultListener*)>;

  HloDetailMatcher(HloOpcode opcode, std::vector<InstructionMatcher> operands,
                   Detail detail, std::string description = "")
      : HloMatcher(opcode, std::move(operands)),
        detail_(std::move(detail)),
        description_(std::move(description)) {}

  bool MatchAndExplain(
      const HloInstruction* instruction,
      ::testing::MatchResultListener* listener) const override {
    return HloMatcher::MatchAndExplain(instruction, listener) &&
           detail_(*instruction, listener);
  }
  void DescribeTo(std::ostream* os) const override {
    HloMatcher::DescribeTo(os);
    *os << description_;
  }

 private:
  Detail detail_;
  std::string description_;
};

// A property of instructions of any opcode.
class HloPropertyMatcher
    : public ::testing::MatcherInterface<const HloInstruction*> {
 public:
  // What is wrong with an instruction; empty if it matches.
  using Fault = std::function<std::string(const HloInstruction&)>;

  HloPropertyMatcher(std::string description, Fault fault)
      : description_(std::move(description)), fault_(std::move(fault)) {}

  bool MatchAndExplain(
      const HloInstruction* instruction,
      ::testing::MatchResultListener* listener) const override {
    if (instruction == nullptr) return false;
    const std::string fault = fault_(*instruction);
    if (fault.empty()) return true;
    *listener << instruction->ToString() << " " << fault
              << " (expected: " << description_ << ")";
    return false;
  }
  void DescribeTo(std::ostream* os) const override { *os << description_; }

 private:
  std::string description_;
  Fault fault_;
};

namespace matchers_internal {

inline InstructionMatcher OfOpcode(HloOpcode opcode,
                                   std::vector<InstructionMatcher> operands) {
  return ::testing::MakeMatcher(new HloMatcher(opcode, std::move(operands)));
}
inline InstructionMatcher WithDetail(HloOpcode opcode,
                                     std::vector<InstructionMatcher> operands,
                                     HloDetailMatcher::Detail detail,
                                     std::string description = "") {
  return ::testing::MakeMatcher(new HloDetailMatcher(
      opcode, std::move(operands), std::move(detail), std::move(description)));
}
inline InstructionMatcher WithProperty(std::string description,
                                       HloPropertyMatcher::Fault fault) {
  return ::testing::MakeMatcher(
      new HloPropertyMatcher(std::move(description), std::move(fault)));
}

// An opcode whose number, that `get` reads, is `wanted`.
template <typename Get>
InstructionMatcher WithNumber(HloOpcode opcode,
                              std::vector<InstructionMatcher> operands,
                              int64_t wanted, std::string what, Get get) {
  return WithDetail(
      opcode, std::move(operands),
      [=](const HloInstruction& hlo, ::testing::MatchResultListener* listener) {
        const int64_t number = get(hlo);
        if (number == wanted) return true;
        *listener << " has wrong " << what << " (got " << number << ", want "
                  << wanted << ")";
        return false;
      });
}
inline InstructionMatcher WithDirection(
    ComparisonDirection direction, std::vector<InstructionMatcher> operands) {
  return WithDetail(
      HloOpcode::kCompare, std::move(operands),
      [=](const HloInstruction& hlo, ::testing::MatchResultListener* listener) {
        if (hlo.comparison_direction() == direction) return true;
        *listener << " has wrong comparison direction (got "
                  << ComparisonDirectionToString(hlo.comparison_direction())
                  << ", want " << ComparisonDirectionToString(direction) << ")";
        return false;
      });
}
inline InstructionMatcher WithTarget(
    const ::testing::Matcher<std::string>& target,
    std::vector<InstructionMatcher> operands) {
  std::ostringstream description;
  target.DescribeTo(&description);
  return WithDetail(
      HloOpcode::kCustomCall, std::move(operands),
      [=](const HloInstruction& hlo, ::testing::MatchResultListener* listener) {
        const bool matches = target.Matches(hlo.custom_call_target());
        std::ostringstream text;
        matches ? target.DescribeTo(&text) : target.DescribeNegationTo(&text);
        *listener << " custom-call with call target that " << text.str();
        return matches;
      },
      absl::StrCat(" with call target that ", description.str()));
}

// {{0,1},{2,3}}
template <typename Lists>
std::string ListsText(const Lists& lists) {
  return absl::StrCat(
      "{",
      absl::StrJoin(lists, ",",
                    [](std::string* out, const auto& list) {
                      absl::StrAppend(out, "{", absl::StrJoin(list, ","), "}");
                    }),
      "}");
}
inline InstructionMatcher WithContraction(InstructionMatcher lhs,
                                          InstructionMatcher rhs,
                                          int64_t lhs_dim, int64_t rhs_dim) {
  auto fits = [](const auto& dims, int64_t wanted, const char* side,
                 ::testing::MatchResultListener* listener) {
    if (dims.size() == 1 && dims[0] == wanted) return true;
    *listener << " has wrong " << side << "_contracting_dimensions (got {"
              << absl::StrJoin(dims, ",") << "} want {" << wanted << "})";
    return false;
  };
  return WithDetail(
      HloOpcode::kDot, {std::move(lhs), std::move(rhs)},
      [=](const HloInstruction& hlo, ::testing::MatchResultListener* listener) {
        const DotDimensionNumbers& numbers = hlo.dot_dimension_numbers();
        return fits(numbers.lhs_contracting_dimensions(), lhs_dim, "lhs",
                    listener) &&
               fits(numbers.rhs_contracting_dimensions(), rhs_dim, "rhs",
                    listener);
      },
      absl::StrCat(" with lhs_contracting_dims={", lhs_dim,
                   "} and rhs_contracting_dims={", rhs_dim, "}"));
}
inline InstructionMatcher WithSpaces(int64_t to_space, int64_t from_space,
                                     InstructionMatcher operand) {
  auto lies_in = [](const HloInstruction& hlo, int64_t space,
                    ::testing::MatchResultListener* listener) {
    if (hlo.shape().has_layout() &&
        hlo.shape().layout().memory_space() == space) {
      return true;
    }
    *listener << hlo.ToString() << " is not in memory space " << space;
    return false;
  };
  return WithDetail(
      HloOpcode::kCopyDone,
      {OfOpcode(HloOpcode::kCopyStart, {std::move(operand)})},
      [=](const HloInstruction& hlo, ::testing::MatchResultListener* listener) {
        return lies_in(hlo, to_space, listener) &&
               lies_in(*hlo.operand(0)->operand(0), from_space, listener);
      },
      absl::StrCat(" (copy from memory space ", from_space, " to ", to_space,
                   ")"));
}

}  // namespace matchers_internal
}  // namespace testing
}  // namespace xla

#endif  // COMPAT_XLA_HLO_UTILS_MATCHERS_INSTRUCTION_MATCHERS_H_
