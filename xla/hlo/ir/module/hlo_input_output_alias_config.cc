// Pairs of results and parameters, and donors.
#include "xla/hlo/ir/module/hlo_input_output_alias_config.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

using AliasEntryProto = HloInputOutputAliasProto::AliasEntryProto;

template <typename Ints>
ShapeIndex ToIndex(const Ints& ints) {
  return ShapeIndex(ints.begin(), ints.end());
}

ShapeIndex OutputOf(const AliasEntryProto& entry) {
  return ToIndex(entry.output_shape_index());
}

HloInputOutputAliasConfig::Alias AliasOf(const AliasEntryProto& entry) {
  return {entry.parameter_number(), ToIndex(entry.parameter_shape_index()),
          entry.kind() == MUST_ALIAS ? HloInputOutputAliasConfig::kMustAlias
                                     : HloInputOutputAliasConfig::kMayAlias};
}

// The array of a parameter of the entry. Errors: Internal if there is none.
absl::StatusOr<const Shape*> ParameterLeaf(const HloModule& module,
                                           int64_t number,
                                           const ShapeIndex& index) {
  const HloComputation& entry = *module.entry_computation();
  TF_RET_CHECK(0 <= number && number < entry.num_parameters())
      << "the entry has no parameter " << number;
  const Shape& shape = entry.parameter_instruction(number)->shape();
  TF_RET_CHECK(ShapeUtil::IndexIsValid(shape, index))
      << "parameter " << number << " has no subshape " << index.ToString();
  const Shape& leaf = ShapeUtil::GetSubshape(shape, index);
  TF_RET_CHECK(leaf.IsArray()) << "subshape " << index.ToString()
                               << " of parameter " << number << " is no array";
  return &leaf;
}

}  // namespace

std::string HloInputOutputAliasConfig::Alias::ToString() const {
  return absl::StrCat("(", parameter_number, ", ", parameter_index.ToString(),
                      must_alias() ? ", must-alias)" : ", may-alias)");
}

absl::Status HloInputOutputAliasConfig::SetUpAlias(
    const ShapeIndex& output_index, int64_t param_number,
    const ShapeIndex& param_index, AliasKind must_alias) {
  TF_RET_CHECK(ShapeUtil::IndexIsValid(shape_, output_index))
      << "the result " << shape_.ToString() << " has no subshape "
      << output_index.ToString();
  TF_RET_CHECK(param_number >= 0) << "parameter number " << param_number;
  TF_RET_CHECK(!OutputHasAlias(output_index))
      << "output " << output_index.ToString() << " is aliased with parameter "
      << GetAliasedParameter(output_index)->ToString() << " already";
  AliasEntryProto& entry = *proto_.add_entries();
  entry.mutable_output_shape_index()->Assign(output_index.begin(),
                                             output_index.end());
  entry.set_parameter_number(param_number);
  entry.mutable_parameter_shape_index()->Assign(param_index.begin(),
                                                param_index.end());
  entry.set_kind(must_alias == kMustAlias ? MUST_ALIAS : MAY_ALIAS);
  return absl::OkStatus();
}

bool HloInputOutputAliasConfig::ParameterMustAlias(
    int64_t param_number, const ShapeIndex& param_index) const {
  const std::optional<ShapeIndex> output =
      GetAliasedOutput(param_number, param_index);
  return output.has_value() && GetAliasedParameter(*output)->must_alias();
}

std::optional<ShapeIndex> HloInputOutputAliasConfig::GetAliasedOutput(
    int64_t param_number, const ShapeIndex& param_index) const {
  for (const AliasEntryProto& entry : proto_.entries()) {
    if (entry.parameter_number() == param_number &&
        ToIndex(entry.parameter_shape_index()) == param_index) {
      return OutputOf(entry);
    }
  }
  return std::nullopt;
}

std::optional<HloInputOutputAliasConfig::Alias>
HloInputOutputAliasConfig::GetAliasedParameter(
    const ShapeIndex& output_index) const {
  for (const AliasEntryProto& entry : proto_.entries()) {
    if (OutputOf(entry) == output_index) return AliasOf(entry);
  }
  return std::nullopt;
}

void HloInputOutputAliasConfig::ForEachAlias(AliasFn fn) const {
  ForEachAliasWithStatus([&](const ShapeIndex& output_index,
                             const Alias& alias) {
    fn(output_index, alias);
    return absl::OkStatus();
  }).IgnoreError();
}

absl::Status HloInputOutputAliasConfig::ForEachAliasWithStatus(
    AliasFnWithStatus fn) const {
  std::vector<std::pair<ShapeIndex, const AliasEntryProto*>> pairs;
  pairs.reserve(proto_.entries_size());
  for (const AliasEntryProto& entry : proto_.entries()) {
    pairs.push_back({OutputOf(entry), &entry});
  }
  std::stable_sort(
      pairs.begin(), pairs.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [output_index, entry] : pairs) {
    TF_RETURN_IF_ERROR(fn(output_index, AliasOf(*entry)));
  }
  return absl::OkStatus();
}

absl::StatusOr<HloInputOutputAliasConfig>
HloInputOutputAliasConfig::CreateFromProto(
    Shape output_shape, const HloInputOutputAliasProto& proto) {
  HloInputOutputAliasConfig config(std::move(output_shape));
  for (const AliasEntryProto& entry : proto.entries()) {
    const Alias alias = AliasOf(entry);
    TF_RETURN_IF_ERROR(config.SetUpAlias(OutputOf(entry),
                                         alias.parameter_number,
                                         alias.parameter_index, alias.kind));
  }
  return config;
}

absl::Status HloInputOutputAliasConfig::Verify(
    const HloModule& module,
    absl::FunctionRef<int64_t(const Shape&)> size_func) const {
  const Shape& result = module.entry_computation()->root_instruction()->shape();
  absl::flat_hash_set<std::pair<int64_t, ShapeIndex>> used;
  return ForEachAliasWithStatus([&](const ShapeIndex& output_index,
                                    const Alias& alias) -> absl::Status {
    TF_ASSIGN_OR_RETURN(
        const Shape* parameter,
        ParameterLeaf(module, alias.parameter_number, alias.parameter_index));
    TF_RET_CHECK(ShapeUtil::IndexIsValid(result, output_index) &&
                 ShapeUtil::GetSubshape(result, output_index).IsArray())
        << "the result has no array " << output_index.ToString();
    const Shape& output = ShapeUtil::GetSubshape(result, output_index);
    TF_RET_CHECK(size_func(*parameter) == size_func(output))
        << "output " << output_index.ToString() << " has " << size_func(output)
        << " bytes, parameter " << alias.ToString() << " has "
        << size_func(*parameter);
    TF_RET_CHECK(
        used.insert({alias.parameter_number, alias.parameter_index}).second)
        << "parameter " << alias.ToString() << " is aliased twice";
    return absl::OkStatus();
  });
}

std::string HloInputOutputAliasConfig::ToString() const {
  std::string text = absl::StrCat("HloInputOutputAliasConfig\n  Output shape: ",
                                  shape_.ToString());
  ForEachAlias([&](const ShapeIndex& output_index, const Alias& alias) {
    absl::StrAppend(&text, "\n  OutputIndex ", output_index.ToString(), " is ",
                    alias.must_alias() ? "must-" : "may-",
                    "aliased with parameter ", alias.parameter_number, " at ",
                    alias.parameter_index.ToString(), ":");
  });
  return text;
}

std::string HloInputOutputAliasConfig::ToShortString() const {
  std::string text;
  ForEachAlias([&](const ShapeIndex& output_index, const Alias& alias) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", output_index.ToString(),
                    ": ", alias.ToString());
  });
  return text;
}

absl::Status HloBufferDonorConfig::AddBufferDonor(
    int64_t param_number, const ShapeIndex& param_index) {
  TF_RET_CHECK(param_number >= 0) << "parameter number " << param_number;
  if (ParameterIsBufferDonor(param_number, param_index)) {
    return absl::OkStatus();
  }
  auto& entry = *proto_.add_entries();
  entry.set_parameter_number(param_number);
  entry.mutable_parameter_shape_index()->Assign(param_index.begin(),
                                                param_index.end());
  return absl::OkStatus();
}

absl::Status HloBufferDonorConfig::RemoveBufferDonor(
    int64_t param_number, const ShapeIndex& param_index) {
  TF_RET_CHECK(param_number >= 0) << "parameter number " << param_number;
  HloBufferDonorProto kept;
  for (const auto& entry : proto_.entries()) {
    if (entry.parameter_number() != param_number ||
        ToIndex(entry.parameter_shape_index()) != param_index) {
      *kept.add_entries() = entry;
    }
  }
  proto_ = std::move(kept);
  return absl::OkStatus();
}

bool HloBufferDonorConfig::ParameterIsBufferDonor(
    int64_t param_number, const ShapeIndex& param_index) const {
  for (const auto& entry : proto_.entries()) {
    if (entry.parameter_number() == param_number &&
        ToIndex(entry.parameter_shape_index()) == param_index) {
      return true;
    }
  }
  return false;
}

absl::btree_set<HloBufferDonorConfig::BufferDonor>
HloBufferDonorConfig::buffer_donor() const {
  absl::btree_set<BufferDonor> donors;
  for (const auto& entry : proto_.entries()) {
    donors.insert(
        {entry.parameter_number(), ToIndex(entry.parameter_shape_index())});
  }
  return donors;
}

absl::StatusOr<HloBufferDonorConfig> HloBufferDonorConfig::CreateFromProto(
    const HloBufferDonorProto& proto) {
  HloBufferDonorConfig config;
  for (const auto& entry : proto.entries()) {
    TF_RETURN_IF_ERROR(config.AddBufferDonor(
        entry.parameter_number(), ToIndex(entry.parameter_shape_index())));
  }
  return config;
}

absl::Status HloBufferDonorConfig::Verify(const HloModule& module) const {
  const HloInputOutputAliasConfig& aliases = module.input_output_alias_config();
  for (const BufferDonor& donor : buffer_donor()) {
    TF_RETURN_IF_ERROR(
        ParameterLeaf(module, donor.param_number, donor.param_index).status());
    TF_RET_CHECK(
        !aliases.ParameterHasAlias(donor.param_number, donor.param_index))
        << "parameter " << donor.param_number << " at "
        << donor.param_index.ToString() << " is both donated and aliased";
  }
  return absl::OkStatus();
}

std::string HloBufferDonorConfig::ToString() const {
  std::string text = "HloBufferDonorConfig";
  for (const BufferDonor& donor : buffer_donor()) {
    absl::StrAppend(&text, "\n  Parameter ", donor.param_number, " at ",
                    donor.param_index.ToString(), " is buffer donor.");
  }
  return text;
}

std::string HloBufferDonorConfig::ToShortString() const {
  std::string text;
  for (const BufferDonor& donor : buffer_donor()) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", "(", donor.param_number,
                    ", ", donor.param_index.ToString(), ")");
  }
  return text;
}

std::ostream& operator<<(std::ostream& out,
                         const HloInputOutputAliasConfig& config) {
  return out << config.ToString();
}

std::ostream& operator<<(std::ostream& out,
                         const HloBufferDonorConfig& config) {
  return out << config.ToString();
}

}  // namespace xla
