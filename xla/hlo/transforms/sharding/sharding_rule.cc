// Parses rules, and makes those that are not written down.
#include "xla/hlo/transforms/sharding/sharding_rule.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/table/known_calls.h"
#include "xla/hlo/transforms/sharding/sharding_calls.h"

namespace xla {
namespace {

using Dimension = DimensionFactors::Dimension;
using FactorArrays = std::vector<DimensionFactors::Array>;

class RuleParser {
 public:
  explicit RuleParser(absl::string_view text) : scanner_(text) {}

  absl::StatusOr<ShardingRule> Parse() {
    TF_RETURN_IF_ERROR(scanner_.Consume("#sdy.op_sharding_rule"));
    TF_RETURN_IF_ERROR(scanner_.Consume("<"));
    TF_RETURN_IF_ERROR(ParseArrays(&rule_.factors.operands));
    TF_RETURN_IF_ERROR(scanner_.Consume("->"));
    TF_RETURN_IF_ERROR(ParseArrays(&rule_.factors.results));
    TF_RETURN_IF_ERROR(ParseSizes());
    while (!scanner_.TryConsume(">")) {
      if (scanner_.TryConsume(",")) {
        TF_RETURN_IF_ERROR(scanner_.Consume("custom"));
      } else {
        TF_RETURN_IF_ERROR(ParseKinds());
      }
    }
    if (!scanner_.AtEnd()) {
      return scanner_.ErrorAt(scanner_.position(), "expected the end");
    }
    return std::move(rule_);
  }

 private:
  // Reads "([i, jk], [*])".
  absl::Status ParseArrays(FactorArrays* arrays) {
    TF_RETURN_IF_ERROR(scanner_.Consume("("));
    if (scanner_.TryConsume(")")) return absl::OkStatus();
    do {
      TF_RETURN_IF_ERROR(scanner_.Consume("["));
      DimensionFactors::Array& array = arrays->emplace_back();
      if (scanner_.TryConsume("]")) continue;
      do {
        Dimension& dimension = array.emplace_back();
        if (scanner_.TryConsume("*")) continue;
        TF_ASSIGN_OR_RETURN(const absl::string_view names, scanner_.Name());
        TF_RETURN_IF_ERROR(AddFactors(names, &dimension));
      } while (scanner_.TryConsume(","));
      TF_RETURN_IF_ERROR(scanner_.Consume("]"));
    } while (scanner_.TryConsume(","));
    return scanner_.Consume(")");
  }

  // Takes the first factor from names such as "ijz_1", and returns its number.
  absl::StatusOr<int32_t> TakeFactor(absl::string_view* names) {
    const size_t start = scanner_.position();
    size_t length = 1;
    if (names->size() > 1 && (*names)[1] == '_') {
      length = 2;
      while (length < names->size() && absl::ascii_isdigit((*names)[length])) {
        ++length;
      }
    }
    if (names->empty() || !absl::ascii_islower((*names)[0]) || length == 2) {
      return scanner_.ErrorAt(start, "expected the names of factors");
    }
    const std::string name(names->substr(0, length));
    names->remove_prefix(length);
    const auto [it, added] =
        numbers_.emplace(name, static_cast<int32_t>(numbers_.size()));
    if (added) rule_.factors.factors.emplace_back();
    return it->second;
  }

  absl::Status AddFactors(absl::string_view names, Dimension* dimension) {
    while (!names.empty()) {
      TF_ASSIGN_OR_RETURN(const int32_t factor, TakeFactor(&names));
      dimension->push_back(factor);
    }
    return absl::OkStatus();
  }

  // Reads "{i=4, j=2}", which has all factors.
  absl::Status ParseSizes() {
    TF_RETURN_IF_ERROR(scanner_.Consume("{"));
    const size_t used = numbers_.size();
    size_t sizes = 0;
    if (!scanner_.TryConsume("}")) {
      do {
        TF_ASSIGN_OR_RETURN(const absl::string_view name, scanner_.Name());
        absl::string_view rest = name;
        TF_ASSIGN_OR_RETURN(const int32_t factor, TakeFactor(&rest));
        TF_RETURN_IF_ERROR(scanner_.Consume("="));
        const size_t start = scanner_.position();
        TF_ASSIGN_OR_RETURN(const int64_t size, scanner_.Int64());
        if (!rest.empty() || size < 0) {
          return scanner_.ErrorAt(start, "expected the size of a factor");
        }
        rule_.factors.factors[factor].size = size;
        ++sizes;
      } while (scanner_.TryConsume(","));
      TF_RETURN_IF_ERROR(scanner_.Consume("}"));
    }
    if (numbers_.size() != sizes || sizes < used) {
      return scanner_.ErrorAt(scanner_.position(),
                              "each factor must have a size");
    }
    rule_.is_blocked.resize(sizes);
    return absl::OkStatus();
  }

  // Reads "reduction={i, j}".
  absl::Status ParseKinds() {
    const size_t start = scanner_.position();
    TF_ASSIGN_OR_RETURN(const absl::string_view kind, scanner_.Name());
    constexpr struct {
      absl::string_view name;
      std::optional<FactorKind> kind;
    } kKinds[] = {
        {"reduction", FactorKind::kSummed},
        {"need_replication", FactorKind::kWhole},
        {"permutation", FactorKind::kPermuted},
        {"blocked_propagation", std::nullopt},
    };
    const auto row = std::find_if(
        std::begin(kKinds), std::end(kKinds),
        [&](const auto& candidate) { return candidate.name == kind; });
    if (row == std::end(kKinds)) {
      return scanner_.ErrorAt(start, "unknown kind of factors");
    }
    TF_RETURN_IF_ERROR(scanner_.Consume("="));
    TF_RETURN_IF_ERROR(scanner_.Consume("{"));
    if (scanner_.TryConsume("}")) return absl::OkStatus();
    do {
      TF_ASSIGN_OR_RETURN(absl::string_view name, scanner_.Name());
      const size_t known = numbers_.size();
      TF_ASSIGN_OR_RETURN(const int32_t factor, TakeFactor(&name));
      if (!name.empty() || numbers_.size() != known) {
        return scanner_.ErrorAt(start, "names a factor that no array has");
      }
      if (row->kind.has_value()) {
        rule_.factors.factors[factor].kind = *row->kind;
      } else {
        rule_.is_blocked[factor] = true;
      }
    } while (scanner_.TryConsume(","));
    return scanner_.Consume("}");
  }

  TextScanner scanner_;
  ShardingRule rule_;
  absl::flat_hash_map<std::string, int32_t> numbers_;
};

// The arrays of a call, tuples flattened: operands and results.
struct CallArrays {
  std::vector<const Shape*> operands;
  std::vector<const Shape*> results;
};

CallArrays ArraysOf(const HloInstruction& call) {
  CallArrays arrays;
  for (const HloInstruction* operand : call.operands()) {
    for (const Shape* leaf : Leaves(operand->shape())) {
      arrays.operands.push_back(leaf);
    }
  }
  arrays.results = Leaves(call.shape());
  return arrays;
}

int64_t RankOfArray(const Shape& shape) {
  return shape.IsArray() ? shape.dimensions().size() : 0;
}

// Gives dimensions without factors one of their own, and checks the sizes.
absl::Status FitShapes(absl::Span<const Shape* const> shapes,
                       DimensionFactors& factors, FactorArrays& arrays) {
  if (arrays.size() != shapes.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the sharding rule has ", arrays.size(), " mappings for ",
                     shapes.size(), " arrays"));
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (std::ssize(arrays[i]) != RankOfArray(*shapes[i])) {
      return absl::InvalidArgumentError(
          absl::StrCat("the sharding rule has ", arrays[i].size(),
                       " dimensions for ", shapes[i]->ToString()));
    }
    for (size_t d = 0; d < arrays[i].size(); ++d) {
      Dimension& dimension = arrays[i][d];
      const int64_t size = shapes[i]->dimensions(d);
      if (dimension.empty()) {
        dimension = factors.Add(FactorKind::kWhole, size);
        continue;
      }
      if (factors.IsOfKind(dimension, FactorKind::kPermuted)) continue;
      std::optional<int64_t> product = 1;
      for (const int32_t factor : dimension) {
        const int64_t part = factors.factors[factor].size;
        if (product.has_value()) product = CheckedMultiply(*product, part);
      }
      if (product != size) {
        return absl::InvalidArgumentError(
            absl::StrCat("the sharding rule's factors do not make dimension ",
                         d, " of ", shapes[i]->ToString()));
      }
    }
  }
  return absl::OkStatus();
}

// Factors of one element are none.
void DropSizeOne(const DimensionFactors& factors, FactorArrays& arrays) {
  for (DimensionFactors::Array& array : arrays) {
    for (Dimension& dimension : array) {
      Dimension kept;
      for (const int32_t factor : dimension) {
        if (factors.factors[factor].size > 1) kept.push_back(factor);
      }
      dimension = std::move(kept);
    }
  }
}

absl::Status Fit(const CallArrays& arrays, ShardingRule& rule) {
  TF_RETURN_IF_ERROR(
      FitShapes(arrays.operands, rule.factors, rule.factors.operands));
  TF_RETURN_IF_ERROR(
      FitShapes(arrays.results, rule.factors, rule.factors.results));
  DropSizeOne(rule.factors, rule.factors.operands);
  DropSizeOne(rule.factors, rule.factors.results);
  rule.is_blocked.resize(rule.factors.factors.size());
  return absl::OkStatus();
}

// The first dimensions of all arrays have shared factors, the others none.
ShardingRule BatchRule(const CallArrays& arrays, int64_t batch_dims) {
  ShardingRule rule;
  std::vector<Dimension> batch;
  auto map = [&](absl::Span<const Shape* const> shapes, FactorArrays* mapped) {
    for (const Shape* shape : shapes) {
      DimensionFactors::Array& array = mapped->emplace_back();
      for (int64_t d = 0; d < RankOfArray(*shape); ++d) {
        const int64_t size = shape->dimensions(d);
        if (d == std::ssize(batch) && d < batch_dims) {
          batch.push_back(rule.factors.Add(FactorKind::kPassedThrough, size));
        }
        const bool shared = d < std::ssize(batch) && !batch[d].empty() &&
                            rule.factors.factors[batch[d][0]].size == size;
        array.push_back(shared ? batch[d] : Dimension());
      }
    }
  };
  map(arrays.operands, &rule.factors.operands);
  map(arrays.results, &rule.factors.results);
  return rule;
}

// Calls that give back their operand, which is divided in the same way.
bool IsIdentity(const HloInstruction& call) {
  const auto& attrs = call.attrs<CustomCallAttrs>();
  const bool is_known = KnownCallOf(attrs) == KnownCall::kIdentity ||
                        attrs.custom_call_target == "InspectSharding";
  return is_known && ShardingCallOf(call) == ShardingCall::kNone &&
         call.operand_count() == 1 && call.shape().IsArray() &&
         call.operand(0)->shape().IsArray() &&
         call.operand(0)->shape().dimensions() == call.shape().dimensions();
}

}  // namespace

absl::StatusOr<ShardingRule> ParseShardingRule(absl::string_view text) {
  absl::StatusOr<ShardingRule> rule = RuleParser(text).Parse();
  if (rule.ok()) return rule;
  return absl::InvalidArgumentError(
      absl::StrCat("sharding rule: ", rule.status().message()));
}

absl::StatusOr<std::optional<ShardingRule>> ShardingRuleOf(
    const HloInstruction& call) {
  const auto& attributes = call.frontend_attributes().map();
  const auto text = attributes.find("xla.sdy.sharding_rule");
  const auto batch = attributes.find("num_batch_dims");
  const CallArrays arrays = ArraysOf(call);
  ShardingRule rule;
  int64_t batch_dims;
  if (text != attributes.end()) {
    absl::StatusOr<ShardingRule> parsed = ParseShardingRule(text->second);
    if (!parsed.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(call.name(), ": ", parsed.status().message()));
    }
    rule = *std::move(parsed);
  } else if (batch != attributes.end() &&
             absl::SimpleAtoi(batch->second, &batch_dims)) {
    rule = BatchRule(arrays, batch_dims);
  } else if (IsIdentity(call)) {
    rule = BatchRule(arrays, call.shape().dimensions().size());
  } else {
    return std::nullopt;
  }
  const absl::Status fits = Fit(arrays, rule);
  if (!fits.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(call.name(), ": ", fits.message()));
  }
  return rule;
}

}  // namespace xla
