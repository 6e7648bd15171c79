// Converts mhlo.sharding and mhlo.frontend_attributes of ops.
#include "xla/stablehlo/to_hlo/conversion/annotations.h"

#include <string>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/to_hlo/conversion/sharding_reader.h"

namespace xla::stablehlo {

absl::StatusOr<OpSharding> ParseShardingAttribute(absl::string_view text) {
  if (text.empty() || text[0] == '{') {
    TextScanner scanner(text);
    return ScanSharding(scanner);
  }
  OpSharding sharding;
  if (!sharding.ParseFromArray(text.data(), text.size())) {
    return absl::InvalidArgumentError("mhlo.sharding is not a sharding");
  }
  return sharding;
}

FrontendAttributes ReadFrontendAttributes(const Attribute& dictionary) {
  FrontendAttributes attributes;
  for (const NamedAttribute& field : dictionary.fields) {
    if (IsRoundTripAttribute(field.name)) continue;
    (*attributes.mutable_map())[std::string(field.name)] =
        std::string(field.value->text);
  }
  return attributes;
}

void AnnotateInstruction(const Op& op, HloInstruction& instruction) {
  const Attribute* text = op.Find("mhlo.sharding");
  if (text != nullptr &&
      instruction.GetModule()->config().num_partitions() == 1) {
    absl::StatusOr<OpSharding> sharding = ParseShardingAttribute(text->text);
    if (sharding.ok()) instruction.set_sharding(*std::move(sharding));
  }
  const Attribute* frontend = op.Find("mhlo.frontend_attributes");
  if (frontend == nullptr || frontend->fields.empty()) return;
  instruction.set_frontend_attributes(ReadFrontendAttributes(*frontend));
}

}  // namespace xla::stablehlo
