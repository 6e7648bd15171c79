// AttributeConditions: the part of HloInstructionPattern that asks for what
// single ops have, and for what instructions carry.
#ifndef COMPAT_XLA_SERVICE_PATTERN_MATCHER_ATTRIBUTE_CONDITIONS_H_
#define COMPAT_XLA_SERVICE_PATTERN_MATCHER_ATTRIBUTE_CONDITIONS_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "google/protobuf/util/message_differencer.h"
#include "xla/base/logging.h"
#include "xla/core/comparison.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/service/pattern_matcher/pattern.h"

namespace xla::match::detail {

// `Self` derives from this and has AndWith.
template <typename Self>
class AttributeConditions {
 public:
  using Hlo = ::xla::HloInstruction;

  Self WithTupleIndex(int64_t index) const {
    return Where(absl::StrCat("which is a GTE with index ", index),
                 [index](const Hlo& h) {
                   return h.opcode() == HloOpcode::kGetTupleElement &&
                          h.tuple_index() == index;
                 });
  }
  Self WithParameterNum(int64_t number) const {
    return Where(absl::StrCat("which is parameter ", number),
                 [number](const Hlo& h) {
                   return h.opcode() == HloOpcode::kParameter &&
                          h.parameter_number() == number;
                 });
  }
  Self WithCustomCallTarget(absl::Span<const absl::string_view> targets) const {
    const std::vector<std::string> want(targets.begin(), targets.end());
    return Where(
        absl::StrCat("custom call with target ", absl::StrJoin(want, " or ")),
        [want](const Hlo& h) {
          return h.opcode() == HloOpcode::kCustomCall &&
                 absl::c_linear_search(want, h.custom_call_target());
        });
  }
  Self WithCustomCallTarget(
      std::initializer_list<absl::string_view> targets) const {
    return WithCustomCallTarget(
        absl::MakeConstSpan(targets.begin(), targets.size()));
  }
  Self WithCustomCallTarget(absl::string_view target) const {
    return WithCustomCallTarget({target});
  }
  Self WithFusionKind(Hlo::FusionKind kind) const {
    return Where(absl::StrCat("with fusion kind ", ToString(kind)),
                 [kind](const Hlo& h) {
                   return h.opcode() == HloOpcode::kFusion &&
                          h.fusion_kind() == kind;
                 });
  }
  Self WithComparisonDirection(ComparisonDirection direction) const {
    return Where(absl::StrCat("which has comparison direction ",
                              ComparisonDirectionToString(direction)),
                 [direction](const Hlo& h) {
                   return h.opcode() == HloOpcode::kCompare &&
                          h.comparison_direction() == direction;
                 });
  }
  Self WithContractingDims(absl::Span<const int64_t> lhs,
                           absl::Span<const int64_t> rhs) const {
    const std::vector<int64_t> l(lhs.begin(), lhs.end());
    const std::vector<int64_t> r(rhs.begin(), rhs.end());
    return Where(
        absl::StrCat("with lhs_contracting_dims {", absl::StrJoin(l, ","),
                     "} and rhs_contracting_dims {", absl::StrJoin(r, ","),
                     "}"),
        [l, r](const Hlo& h) {
          if (h.opcode() != HloOpcode::kDot) return false;
          const DotDimensionNumbers& dims = h.dot_dimension_numbers();
          return absl::c_equal(dims.lhs_contracting_dimensions(), l) &&
                 absl::c_equal(dims.rhs_contracting_dimensions(), r);
        });
  }
  Self WithConvDnums(ConvolutionDimensionNumbers numbers) const {
    return Where("with the convolution dimension numbers",
                 [numbers](const Hlo& h) {
                   return (h.opcode() == HloOpcode::kConvolution ||
                           h.opcode() == HloOpcode::kCustomCall) &&
                          google::protobuf::util::MessageDifferencer::Equals(
                              h.convolution_dimension_numbers(), numbers);
                 });
  }
  // As b01f_01io->b01f; other text is a programmer error (CHECK), as below.
  Self WithConvDnums(absl::string_view numbers) const {
    auto parsed = ParseConvolutionDimensionNumbers(numbers);
    CHECK_OK(parsed.status()) << numbers;
    return WithConvDnums(*parsed);
  }

  // The devices of a collective, each group in full.
  Self WithReplicaGroups(std::vector<std::vector<int64_t>> groups) const {
    return Where("with the replica groups", [groups](const Hlo& h) {
      if (!HloCollectiveInstruction::ClassOf(&h)) return false;
      const std::vector<ReplicaGroup>& have = h.replica_groups();
      return have.size() == groups.size() &&
             std::equal(have.begin(), have.end(), groups.begin(),
                        [](const ReplicaGroup& a, const auto& b) {
                          return absl::c_equal(a.replica_ids(), b);
                        });
    });
  }
  Self WithSharding(absl::string_view sharding) const {
    auto parsed = ParseSharding(sharding);
    CHECK_OK(parsed.status()) << sharding;
    return Where(absl::StrCat("with sharding ", parsed->ToString()),
                 [want = *parsed](const Hlo& h) {
                   return h.has_sharding() && h.sharding() == want;
                 });
  }
  Self WithControlDeps(absl::Span<Hlo* const> predecessors,
                       absl::Span<Hlo* const> successors) const {
    const std::vector<Hlo*> before(predecessors.begin(), predecessors.end());
    const std::vector<Hlo*> after(successors.begin(), successors.end());
    return Where("with the control predecessors and successors",
                 [before, after](const Hlo& h) {
                   return absl::c_equal(h.control_predecessors(), before) &&
                          absl::c_equal(h.control_successors(), after);
                 });
  }

 private:
  template <typename Predicate>
  Self Where(std::string expected, Predicate predicate) const {
    return static_cast<const Self&>(*this).AndWith(
        std::move(expected),
        [predicate = std::move(predicate)](const Hlo& h, const MatchOption&) {
          return predicate(h);
        });
  }
};

}  // namespace xla::match::detail

#endif  // COMPAT_XLA_SERVICE_PATTERN_MATCHER_ATTRIBUTE_CONDITIONS_H_
