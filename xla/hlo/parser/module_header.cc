// Reads the line that begins with HloModule: the name of the module and its
// attributes.
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/annotation_text.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/parser/origin_reader.h"
#include "xla/hlo/parser/syntax_reader.h"

namespace xla {
namespace {

// Reads true or {true,false}.
absl::StatusOr<std::vector<bool>> ScanBools(TextScanner& scanner) {
  std::vector<bool> values;
  auto scan_one = [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(bool value, scanner.Bool());
    values.push_back(value);
    return absl::OkStatus();
  };
  TF_RETURN_IF_ERROR(scanner.Peek() == '{' ? ScanBraced(scanner, scan_one)
                                           : scan_one());
  return values;
}

// Reads a number of replicas or partitions.
absl::StatusOr<int64_t> ScanCount(TextScanner& scanner) {
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(int64_t count, scanner.Int64());
  if (count < 0 || count > int64_t{1} << 31) {
    return scanner.ErrorAt(start, "expected a number from 0 to 2147483648");
  }
  return count;
}

// Reads "(2, {0}", the number and the index of a parameter, into `entry`.
template <typename Entry>
absl::Status ScanParameterLeaf(TextScanner& scanner, Entry* entry) {
  TF_RETURN_IF_ERROR(scanner.Consume("("));
  TF_ASSIGN_OR_RETURN(int64_t parameter, scanner.Int64());
  entry->set_parameter_number(parameter);
  TF_RETURN_IF_ERROR(scanner.Consume(","));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> index, ScanIntList(scanner));
  entry->mutable_parameter_shape_index()->Assign(index.begin(), index.end());
  return absl::OkStatus();
}

}  // namespace

absl::Status SyntaxReader::ReadHeader() {
  TF_RETURN_IF_ERROR(scanner_.Consume("HloModule"));
  // XLA omits the name in texts for fingerprints.
  if (scanner_.Peek() != ',') {
    TF_ASSIGN_OR_RETURN(NameSyntax name, ReadDefinedName());
    syntax_.module->set_name(name.name);
  }
  Keys keys;
  while (scanner_.TryConsume(",")) {
    TF_ASSIGN_OR_RETURN(NameSyntax key, ReadName());
    TF_RETURN_IF_ERROR(CheckNewKey(key.name, key.position, keys));
    TF_RETURN_IF_ERROR(scanner_.Consume("="));
    TF_RETURN_IF_ERROR(ReadHeaderAttribute(key.name, key.position));
  }
  return absl::OkStatus();
}

absl::Status SyntaxReader::ReadHeaderAttribute(absl::string_view key,
                                               size_t position) {
  HloModule& module = *syntax_.module;
  HloModuleConfig& config = module.mutable_config();
  if (key == "entry_computation_layout") return ReadEntryLayout();
  if (key == "input_output_alias") return ReadInputOutputAlias();
  if (key == "buffer_donor") return ReadBufferDonor();
  if (key == "is_scheduled") {
    TF_ASSIGN_OR_RETURN(bool is_scheduled, scanner_.Bool());
    module.set_is_scheduled(is_scheduled);
  } else if (key == "replica_count") {
    TF_ASSIGN_OR_RETURN(const int64_t count, ScanCount(scanner_));
    config.set_replica_count(count);
  } else if (key == "num_partitions") {
    TF_ASSIGN_OR_RETURN(const int64_t count, ScanCount(scanner_));
    config.set_num_partitions(count);
    if (count > 1) config.set_use_spmd_partitioning(true);
  } else if (key == "frontend_attributes") {
    TF_ASSIGN_OR_RETURN(module.mutable_frontend_attributes(),
                        ScanFrontendAttributes(scanner_));
  } else if (key == "alias_passthrough_params") {
    TF_ASSIGN_OR_RETURN(const bool alias, scanner_.Bool());
    config.set_alias_passthrough_params(alias);
  } else if (key == "allow_spmd_sharding_propagation_to_parameters") {
    TF_ASSIGN_OR_RETURN(std::vector<bool> allow, ScanBools(scanner_));
    config.set_allow_spmd_sharding_propagation_to_parameters(std::move(allow));
  } else if (key == "allow_spmd_sharding_propagation_to_output") {
    TF_ASSIGN_OR_RETURN(std::vector<bool> allow, ScanBools(scanner_));
    config.set_allow_spmd_sharding_propagation_to_output(std::move(allow));
  } else if (key == "origin_recovery_table") {
    TF_ASSIGN_OR_RETURN(module.mutable_original_value_recovery_table(),
                        ScanOriginalValueRecoveryTable(scanner_));
  } else {
    return scanner_.ErrorAt(
        position, absl::StrCat("a module has no attribute '", key, "'"));
  }
  return absl::OkStatus();
}

// {(f32[2]{0})->f32[2]{0}}
absl::Status SyntaxReader::ReadEntryLayout() {
  TF_RETURN_IF_ERROR(scanner_.Consume("{"));
  TF_ASSIGN_OR_RETURN(const ProgramShape layout,
                      ScanProgramShape(scanner_, entry_layout_options_));
  syntax_.module->mutable_config().SetComputationLayoutIfExists(layout);
  return scanner_.Consume("}");
}

// { {0}: (1, {2}, may-alias) }
absl::Status SyntaxReader::ReadInputOutputAlias() {
  return ScanBraced(scanner_, [&]() -> absl::Status {
    auto* entry = syntax_.module->mutable_input_output_alias().add_entries();
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> output, ScanIntList(scanner_));
    entry->mutable_output_shape_index()->Assign(output.begin(), output.end());
    TF_RETURN_IF_ERROR(scanner_.Consume(":"));
    TF_RETURN_IF_ERROR(ScanParameterLeaf(scanner_, entry));
    entry->set_kind(MAY_ALIAS);
    if (scanner_.TryConsume(",")) {
      if (scanner_.TryConsumeWord("must-alias")) {
        entry->set_kind(MUST_ALIAS);
      } else if (!scanner_.TryConsumeWord("may-alias")) {
        return scanner_.Error("expected may-alias or must-alias");
      }
    }
    return scanner_.Consume(")");
  });
}

// { (0, {1}), (2, {}) }
absl::Status SyntaxReader::ReadBufferDonor() {
  return ScanBraced(scanner_, [&]() -> absl::Status {
    auto* entry = syntax_.module->mutable_buffer_donor().add_entries();
    TF_RETURN_IF_ERROR(ScanParameterLeaf(scanner_, entry));
    return scanner_.Consume(")");
  });
}

}  // namespace xla
