// Matchers of instructions by opcode and operands, and what else they have:
//
//   namespace op = xla::testing::opcode_matchers;
//   EXPECT_THAT(root, op::Add(op::Parameter(0), op::Reshape()));
//
// An op without operands stands for any operands.
#ifndef COMPAT_XLA_HLO_UTILS_HLO_MATCHERS_H_
#define COMPAT_XLA_HLO_UTILS_HLO_MATCHERS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/testlib/test.h"
#include "xla/hlo/utils/matchers/instruction_matchers.h"  // IWYU pragma: export
#include "xla/hlo/utils/matchers/opcode_matchers.h"       // IWYU pragma: export
#include "xla/literal.h"
#include "xla/shape_util.h"
#include "xla/xla_data.pb.h"

namespace xla {
namespace testing {
namespace opcode_matchers {

// Parameter(n) is parameter n, Parameter() any one.
inline InstructionMatcher Parameter(int64_t parameter_number) {
  return matchers_internal::WithNumber(
      HloOpcode::kParameter, {}, parameter_number, "parameter number",
      [](const HloInstruction& hlo) { return hlo.parameter_number(); });
}
inline InstructionMatcher Parameter() {
  return matchers_internal::OfOpcode(HloOpcode::kParameter, {});
}

// Constant(v) is a constant of the value, Constant() any one.
inline InstructionMatcher Constant() {
  return matchers_internal::OfOpcode(HloOpcode::kConstant, {});
}
inline InstructionMatcher Constant(Literal value) {
  auto shared = std::make_shared<const Literal>(std::move(value));
  return matchers_internal::WithDetail(
      HloOpcode::kConstant, {},
      [shared](const HloInstruction& hlo,
               ::testing::MatchResultListener* listener) {
        if (hlo.literal() == *shared) return true;
        *listener << " has wrong value (got " << hlo.literal().ToString()
                  << ", want " << shared->ToString() << ")";
        return false;
      },
      absl::StrCat(" (has value ", shared->ToString(), ")"));
}

// Comparisons of that direction.
template <typename... M>
InstructionMatcher Eq(M... operands) {
  return matchers_internal::WithDirection(ComparisonDirection::kEq,
                                          {operands...});
}
template <typename... M>
InstructionMatcher Ne(M... operands) {
  return matchers_internal::WithDirection(ComparisonDirection::kNe,
                                          {operands...});
}
template <typename... M>
InstructionMatcher Ge(M... operands) {
  return matchers_internal::WithDirection(ComparisonDirection::kGe,
                                          {operands...});
}
template <typename... M>
InstructionMatcher Gt(M... operands) {
  return matchers_internal::WithDirection(ComparisonDirection::kGt,
                                          {operands...});
}
template <typename... M>
InstructionMatcher Le(M... operands) {
  return matchers_internal::WithDirection(ComparisonDirection::kLe,
                                          {operands...});
}
template <typename... M>
InstructionMatcher Lt(M... operands) {
  return matchers_internal::WithDirection(ComparisonDirection::kLt,
                                          {operands...});
}

inline InstructionMatcher GetTupleElement(InstructionMatcher operand,
                                          int64_t tuple_index) {
  return matchers_internal::WithNumber(
      HloOpcode::kGetTupleElement, {std::move(operand)}, tuple_index,
      "tuple index",
      [](const HloInstruction& hlo) { return hlo.tuple_index(); });
}
inline InstructionMatcher GetTupleElement(InstructionMatcher operand) {
  return matchers_internal::OfOpcode(HloOpcode::kGetTupleElement,
                                     {std::move(operand)});
}
inline InstructionMatcher GetTupleElement() {
  return matchers_internal::OfOpcode(HloOpcode::kGetTupleElement, {});
}

// CustomCall(target, operands...), CustomCall(operands...) and CustomCall().
template <typename... M>
InstructionMatcher CustomCall(::testing::Matcher<std::string> target,
                              M... operands) {
  return matchers_internal::WithTarget(target, {operands...});
}
template <typename First, typename... M,
          typename = std::enable_if_t<
              !std::is_convertible_v<First, ::testing::Matcher<std::string>>>>
InstructionMatcher CustomCall(First first, M... rest) {
  return matchers_internal::OfOpcode(HloOpcode::kCustomCall, {first, rest...});
}
inline InstructionMatcher CustomCall() {
  return matchers_internal::OfOpcode(HloOpcode::kCustomCall, {});
}

// With dimensions: each side contracts that one alone.
inline InstructionMatcher Dot() {
  return matchers_internal::OfOpcode(HloOpcode::kDot, {});
}
inline InstructionMatcher Dot(InstructionMatcher lhs, InstructionMatcher rhs) {
  return matchers_internal::OfOpcode(HloOpcode::kDot,
                                     {std::move(lhs), std::move(rhs)});
}
inline InstructionMatcher Dot(InstructionMatcher lhs, InstructionMatcher rhs,
                              int64_t lhs_contracting_dim,
                              int64_t rhs_contracting_dim) {
  return matchers_internal::WithContraction(
      std::move(lhs), std::move(rhs), lhs_contracting_dim, rhs_contracting_dim);
}

// copy-done(copy-start(operand)) from one memory space to another.
inline InstructionMatcher AsyncCopy(int64_t to_space, int64_t from_space,
                                    InstructionMatcher operand) {
  return matchers_internal::WithSpaces(to_space, from_space,
                                       std::move(operand));
}

// Shapes up to layouts, or with them; text must be that of a shape (CHECK).
inline InstructionMatcher Shape(const class Shape& shape) {
  return matchers_internal::WithProperty(
      ShapeUtil::HumanString(shape), [shape](const HloInstruction& hlo) {
        return ShapeUtil::Compatible(hlo.shape(), shape)
                   ? ""
                   : "has incorrect shape";
      });
}
inline InstructionMatcher Shape(absl::string_view shape) {
  return Shape(ParseShape(shape).value());
}
inline InstructionMatcher ShapeWithLayout(const class Shape& shape,
                                          bool minor_to_major_only = false) {
  auto equal = Shape::Equal();
  if (minor_to_major_only) equal.MinorToMajorOnlyInLayout();
  return matchers_internal::WithProperty(
      ShapeUtil::HumanStringWithLayout(shape),
      [shape, equal](const HloInstruction& hlo) mutable {
        return equal(hlo.shape(), shape) ? "" : "has incorrect shape";
      });
}
inline InstructionMatcher ShapeWithLayout(absl::string_view shape,
                                          bool minor_to_major_only = false) {
  return ShapeWithLayout(ParseShape(shape).value(), minor_to_major_only);
}

// The sharding; text must be that of one (CHECK).
inline InstructionMatcher Sharding(const HloSharding& sharding) {
  return matchers_internal::WithProperty(
      sharding.ToString(), [sharding](const HloInstruction& hlo) {
        if (!hlo.has_sharding()) return "has no sharding";
        return hlo.sharding() == sharding ? "" : "has incorrect sharding";
      });
}
inline InstructionMatcher Sharding(absl::string_view sharding) {
  return Sharding(ParseSharding(sharding).value());
}
inline InstructionMatcher NoSharding() {
  return matchers_internal::WithProperty(
      "<no-sharding>", [](const HloInstruction& hlo) {
        return hlo.has_sharding() ? "expected to have no sharding" : "";
      });
}

inline InstructionMatcher FrontendAttribute(absl::string_view key,
                                            absl::string_view value) {
  return matchers_internal::WithProperty(
      absl::StrCat(key, " = \"", value, "\""),
      [key = std::string(key),
       value = std::string(value)](const HloInstruction& hlo) -> std::string {
        const std::optional<std::string> own = hlo.get_frontend_attribute(key);
        if (!own.has_value()) {
          return absl::StrCat("has no '", key, "' frontend attribute");
        }
        if (*own == value) return "";
        return absl::StrCat("has incorrect value for '", key,
                            "' frontend attribute");
      });
}

// One of the users matches.
inline InstructionMatcher UsedBy(InstructionMatcher used_by) {
  std::ostringstream description;
  description << "used by ";
  used_by.DescribeTo(&description);
  return matchers_internal::WithProperty(
      description.str(), [used_by](const HloInstruction& hlo) {
        for (const HloInstruction* user : hlo.users()) {
          if (used_by.Matches(user)) return "";
        }
        return "has no users that match expected";
      });
}

inline InstructionMatcher ReplicaGroups(
    std::vector<std::vector<int64_t>> replica_groups) {
  std::string description = matchers_internal::ListsText(replica_groups);
  return matchers_internal::WithProperty(
      std::move(description),
      [groups = std::move(replica_groups)](const HloInstruction& hlo) {
        if (DynCast<HloCollectiveInstruction>(&hlo) == nullptr) {
          return "not a collective op";
        }
        std::vector<std::vector<int64_t>> own;
        for (const ReplicaGroup& group : hlo.replica_groups()) {
          own.emplace_back(group.replica_ids().begin(),
                           group.replica_ids().end());
        }
        return own == groups ? "" : "has incorrect replica_groups";
      });
}
inline InstructionMatcher SourceTargetPairs(
    std::vector<std::pair<int64_t, int64_t>> source_target_pairs) {
  std::vector<std::vector<int64_t>> lists;
  for (const auto& [source, target] : source_target_pairs) {
    lists.push_back({source, target});
  }
  return matchers_internal::WithProperty(
      matchers_internal::ListsText(lists),
      [pairs = std::move(source_target_pairs)](const HloInstruction& hlo) {
        if (DynCast<HloCollectivePermuteInstruction>(&hlo) == nullptr) {
          return "not a collective permute";
        }
        return hlo.source_target_pairs() == pairs
                   ? ""
                   : "has incorrect source_target_pairs";
      });
}

// The op's type and name and the place in the source.
inline InstructionMatcher Metadata(OpMetadata metadata) {
  auto text = [](const OpMetadata& of) {
    return absl::StrCat(of.op_type(), " ", of.op_name(), " ", of.source_file(),
                        " ", of.source_line(), " ", of.source_end_line(), " ",
                        of.source_column(), " ", of.source_end_column());
  };
  return matchers_internal::WithProperty(
      text(metadata),
      [text, wanted = text(metadata)](const HloInstruction& hlo) {
        return text(hlo.metadata()) == wanted ? "" : "has wrong metadata";
      });
}

}  // namespace opcode_matchers

// The pointers of a container of smart pointers.
template <typename Container>
std::vector<const HloInstruction*> Pointers(const Container& container) {
  std::vector<const HloInstruction*> result;
  for (const auto& entry : container) result.push_back(entry.get());
  return result;
}

}  // namespace testing

// How GoogleTest prints instructions.
inline void PrintTo(const HloInstruction* instruction, std::ostream* os) {
  *os << (instruction != nullptr ? instruction->ToString() : "<null>");
}

}  // namespace xla

#endif  // COMPAT_XLA_HLO_UTILS_HLO_MATCHERS_H_
