// Opcodes by name, from the rows of the op table.
#include "xla/hlo/ops/hlo_opcode.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

absl::string_view HloOpcodeString(HloOpcode opcode) {
  std::string_view name = GetOpDef(opcode).name;
  return absl::string_view(name.data(), name.size());
}

std::ostream& operator<<(std::ostream& out, HloOpcode opcode) {
  return out << HloOpcodeString(opcode);
}

absl::StatusOr<HloOpcode> StringToHloOpcode(absl::string_view name) {
  static const auto* const kByName = [] {
    auto* map = new absl::flat_hash_map<absl::string_view, HloOpcode>();
    for (const OpDef* def : OpTable()) {
      map->emplace(HloOpcodeString(def->opcode), def->opcode);
    }
    return map;
  }();
  auto it = kByName->find(name);
  if (it == kByName->end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown opcode '", name, "'"));
  }
  return it->second;
}

}  // namespace xla
