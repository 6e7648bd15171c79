// A hash over opcodes finds candidates; comparing their bitcode decides.
#include "xla/backends/cpu/jit/deduplicate.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace xla::cpu {
namespace {

struct Sketch {
  uint64_t hash = 0;
  int64_t instructions = 0;
};

Sketch SketchOf(const ModuleInput& input) {
  Sketch sketch;
  uint64_t hash = static_cast<uint64_t>(input.level) + 1;
  const auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  };
  for (const llvm::Function& function : *input.module) {
    mix(function.arg_size());
    for (const llvm::BasicBlock& block : function) {
      mix(block.size());
      for (const llvm::Instruction& instruction : block) {
        mix(instruction.getOpcode() << 8 | instruction.getType()->getTypeID());
        ++sketch.instructions;
      }
    }
  }
  sketch.hash = hash;
  return sketch;
}

// True if other objects can refer to `value`, which this module defines.
bool IsExported(const llvm::GlobalValue& value) {
  return !value.isDeclaration() && !value.hasLocalLinkage();
}

// The bitcode of `module` with its definitions numbered instead of named.
std::string NamelessBitcode(llvm::Module& module) {
  std::vector<std::pair<llvm::GlobalValue*, std::string>> names;
  const std::string identifier = module.getModuleIdentifier();
  const std::string source = module.getSourceFileName();
  module.setModuleIdentifier("");
  module.setSourceFileName("");
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.isDeclaration() || !value.hasName()) continue;
    names.emplace_back(&value, value.getName().str());
    value.setName(absl::StrCat("tessera.numbered.", names.size()));
  }
  llvm::SmallVector<char, 0> buffer;
  {
    llvm::BitcodeWriter writer(buffer);
    writer.writeModule(module);
    writer.writeStrtab();
  }
  // Clears all names first, so that no old name meets another's number.
  for (auto& [value, name] : names) value->setName("");
  for (auto& [value, name] : names) value->setName(name);
  module.setModuleIdentifier(identifier);
  module.setSourceFileName(source);
  return std::string(buffer.begin(), buffer.end());
}

std::string KeyOf(const ModuleInput& input) {
  return absl::StrCat(static_cast<int>(input.level), " ",
                      NamelessBitcode(*input.module));
}

void AddAliases(llvm::Module& copy, llvm::Module& original,
                std::vector<SymbolAlias>& aliases) {
  std::vector<llvm::GlobalValue*> targets;
  for (llvm::GlobalValue& value : original.global_values()) {
    if (IsExported(value)) targets.push_back(&value);
  }
  size_t i = 0;
  for (llvm::GlobalValue& value : copy.global_values()) {
    if (!IsExported(value)) continue;
    aliases.push_back({value.getName().str(), targets[i++]->getName().str()});
  }
}

}  // namespace

Duplicates FindDuplicates(absl::Span<const ModuleInput> modules) {
  Duplicates result;
  absl::flat_hash_map<uint64_t, std::vector<int64_t>> groups;
  for (size_t i = 0; i < modules.size(); ++i) {
    const Sketch sketch = SketchOf(modules[i]);
    result.instructions.push_back(sketch.instructions);
    groups[sketch.hash].push_back(static_cast<int64_t>(i));
  }
  for (const auto& [hash, group] : groups) {
    absl::flat_hash_map<std::string, int64_t> first;
    for (const int64_t index : group) {
      if (group.size() > 1) {
        const auto [place, added] = first.emplace(KeyOf(modules[index]), index);
        if (!added) {
          AddAliases(*modules[index].module, *modules[place->second].module,
                     result.aliases);
          continue;
        }
      }
      result.distinct.push_back(index);
    }
  }
  // The hash map's groups are in no particular order; the output must be.
  std::sort(result.distinct.begin(), result.distinct.end(),
            [&](int64_t a, int64_t b) {
              return std::pair(-result.instructions[a], a) <
                     std::pair(-result.instructions[b], b);
            });
  std::sort(result.aliases.begin(), result.aliases.end(),
            [](const SymbolAlias& a, const SymbolAlias& b) {
              return a.name < b.name;
            });
  return result;
}

}  // namespace xla::cpu
