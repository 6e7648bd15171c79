// Prints sdy.sharding_rule attributes.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/to_hlo/conversion/sharding_annotations.h"

namespace xla::stablehlo {
namespace {

// Factors are named i to z, then z_1 and so on.
std::string FactorName(int64_t factor) {
  constexpr int64_t kLetters = 'z' - 'i' + 1;
  return factor < kLetters ? std::string(1, static_cast<char>('i' + factor))
                           : absl::StrCat("z_", factor - kLetters + 1);
}

absl::Status BadRule(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("sdy.sharding_rule ", what));
}

// Appends the names of a list of factors.
absl::Status AppendFactors(const Attribute& list, int64_t count,
                           absl::string_view separator, std::string* out) {
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> factors,
                      IntegersOfAttribute(list));
  for (size_t i = 0; i < factors.size(); ++i) {
    if (factors[i] < 0 || factors[i] >= count) {
      return BadRule("names a factor that it does not have");
    }
    absl::StrAppend(out, i > 0 ? separator : "", FactorName(factors[i]));
  }
  return absl::OkStatus();
}

// Appends "([i, jk], [*])".
absl::Status AppendMappings(const Attribute& mappings, int64_t count,
                            std::string* out) {
  out->push_back('(');
  for (size_t v = 0; v < mappings.elements.size(); ++v) {
    out->append(v > 0 ? ", [" : "[");
    const Attribute& dimensions = *mappings.elements[v];
    for (size_t d = 0; d < dimensions.elements.size(); ++d) {
      if (d > 0) out->append(", ");
      const size_t before = out->size();
      TF_RETURN_IF_ERROR(
          AppendFactors(*dimensions.elements[d], count, "", out));
      if (out->size() == before) out->push_back('*');
    }
    out->push_back(']');
  }
  out->push_back(')');
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ShardingRuleText(const Attribute& rule) {
  // The reader of StableHLO text keeps it as it is.
  if (rule.kind == Attribute::Kind::kUnknown) return std::string(rule.text);
  const Attribute* sizes = rule.Field("factor_sizes");
  const Attribute* operands = rule.Field("operand_mappings");
  const Attribute* results = rule.Field("result_mappings");
  if (sizes == nullptr || operands == nullptr || results == nullptr) {
    return BadRule("has no factors");
  }
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> factors,
                      IntegersOfAttribute(*sizes));
  const int64_t count = std::ssize(factors);
  std::string text = "#sdy.op_sharding_rule<";
  TF_RETURN_IF_ERROR(AppendMappings(*operands, count, &text));
  text.append("->");
  TF_RETURN_IF_ERROR(AppendMappings(*results, count, &text));
  text.append(" {");
  for (int64_t f = 0; f < count; ++f) {
    absl::StrAppend(&text, f > 0 ? ", " : "", FactorName(f), "=", factors[f]);
  }
  text.push_back('}');
  constexpr struct {
    absl::string_view field;
    absl::string_view name;
  } kLists[] = {
      {"reduction_factors", "reduction"},
      {"need_replication_factors", "need_replication"},
      {"permutation_factors", "permutation"},
      {"blocked_propagation_factors", "blocked_propagation"},
  };
  for (const auto& row : kLists) {
    const Attribute* list = rule.Field(row.field);
    if (list == nullptr) continue;
    std::string names;
    TF_RETURN_IF_ERROR(AppendFactors(*list, count, ", ", &names));
    if (!names.empty()) absl::StrAppend(&text, " ", row.name, "={", names, "}");
  }
  const Attribute* custom = rule.Field("is_custom_rule");
  if (custom != nullptr && custom->integer != 0) text.append(", custom");
  text.push_back('>');
  return text;
}

}  // namespace xla::stablehlo
