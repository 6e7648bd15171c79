// Lays out sections, stubs and slots first, then assigns addresses, then
// applies relocations.
#include "xla/backends/cpu/jit/object_linker.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "absl/strings/string_view.h"
#include "xla/backends/cpu/jit/elf_object.h"
#include "xla/backends/cpu/jit/relocation.h"
#include "xla/backends/cpu/jit/runtime_symbols.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

#if defined(__aarch64__)
constexpr uint16_t kMachine = EM_AARCH64;
#else
constexpr uint16_t kMachine = EM_X86_64;
#endif

// In bytes. Calls must reach every part of an image, 128 MB on aarch64; the
// rest is a margin.
constexpr uint64_t kLargestImage = uint64_t{96} << 20;

class Linker {
 public:
  Linker(absl::Span<const SymbolAlias> aliases, const SymbolTable& outside)
      : aliases_(aliases), outside_(outside) {}

  absl::StatusOr<LinkedImage> Link(absl::Span<const std::string> objects) {
    for (const std::string& bytes : objects) {
      TF_ASSIGN_OR_RETURN(ElfObject object, ParseElfObject(bytes));
      if (object.machine != kMachine) {
        return InvalidArgument("object file for machine %d, this is %d",
                               object.machine, kMachine);
      }
      parts_.push_back({std::move(object), {}});
    }
    for (Part& part : parts_) TF_RETURN_IF_ERROR(Place(part));
    TF_RETURN_IF_ERROR(CollectDefinitions());
    TF_RETURN_IF_ERROR(CollectNeeds());
    TF_RETURN_IF_ERROR(Allocate());
    Copy();
    TF_RETURN_IF_ERROR(FillTables());
    for (const Part& part : parts_) TF_RETURN_IF_ERROR(RelocateAll(part));
    TF_RETURN_IF_ERROR(image_.memory.Seal());
    TF_RETURN_IF_ERROR(ListSymbols());
    return std::move(image_);
  }

 private:
  // Where a section was placed; not loaded if it is not part of the running
  // program.
  struct Placement {
    bool loaded = false;
    CodeMemory::Segment segment = CodeMemory::kCode;
    uint64_t offset = 0;
  };
  struct Part {
    ElfObject object;
    std::vector<Placement> placements;  // one a section
  };
  struct Definition {
    const Part* part;
    const ElfSymbol* symbol;
  };
  // Numbers the stubs or slots of the symbols that need one.
  using Numbers = absl::flat_hash_map<absl::string_view, uint64_t>;

  absl::Status Place(Part& part) {
    for (const ElfSection& section : part.object.sections) {
      Placement placement;
      placement.loaded = (section.flags & SHF_ALLOC) != 0 &&
                         section.name != ".eh_frame" && section.size != 0;
      if (placement.loaded) {
        if ((section.flags & SHF_TLS) != 0 || section.type == SHT_INIT_ARRAY ||
            section.type == SHT_FINI_ARRAY) {
          return Unimplemented("code with a section %s", section.name);
        }
        placement.segment =
            (section.flags & SHF_EXECINSTR) != 0 ? CodeMemory::kCode
            : (section.flags & SHF_WRITE) != 0   ? CodeMemory::kData
                                                 : CodeMemory::kConstants;
        uint64_t& size = sizes_[placement.segment];
        placement.offset = RoundUpTo(size, section.alignment);
        if (section.size > kLargestImage ||
            placement.offset + section.size > kLargestImage) {
          return ResourceExhausted(
              "a program with more than %d bytes of code or constants",
              kLargestImage);
        }
        size = placement.offset + section.size;
      }
      part.placements.push_back(placement);
    }
    return absl::OkStatus();
  }

  absl::Status CollectDefinitions() {
    for (const Part& part : parts_) {
      for (const ElfSymbol& symbol : part.object.symbols) {
        if (symbol.binding == STB_LOCAL ||
            symbol.section == ElfSymbol::kUndefined) {
          continue;
        }
        const bool added =
            definitions_.emplace(symbol.name, Definition{&part, &symbol})
                .second;
        if (!added && symbol.binding != STB_WEAK) {
          return Internal("symbol %s is defined twice", symbol.name);
        }
      }
    }
    for (const SymbolAlias& alias : aliases_) {
      const auto target = definitions_.find(alias.target);
      if (target == definitions_.end()) {
        return Internal("symbol %s, alias %s, is not defined", alias.target,
                        alias.name);
      }
      const Definition definition = target->second;
      if (!definitions_.emplace(alias.name, definition).second) {
        return Internal("symbol %s is defined twice", alias.name);
      }
    }
    return absl::OkStatus();
  }

  // Numbers the stubs and slots. Only symbols outside need a stub: calls reach
  // every part of the image.
  absl::Status CollectNeeds() {
    for (const Part& part : parts_) {
      for (const ElfRelocation& relocation : part.object.relocations) {
        if (!part.placements[relocation.section].loaded) continue;
        const ElfSymbol& symbol = part.object.symbols[relocation.symbol];
        switch (NeedOf(kMachine, relocation.type)) {
          case RelocationNeed::kAddress:
            break;
          case RelocationNeed::kCall:
            if (symbol.section == ElfSymbol::kUndefined &&
                !definitions_.contains(symbol.name)) {
              stubs_.emplace(symbol.name, stubs_.size());
            }
            break;
          case RelocationNeed::kSlot:
            if (symbol.binding == STB_LOCAL) {
              return Unimplemented("a table slot of the local symbol %s",
                                   symbol.name);
            }
            slots_.emplace(symbol.name, slots_.size());
            break;
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status Allocate() {
    stubs_offset_ = RoundUpTo(sizes_[CodeMemory::kCode], kStubBytes);
    if (!stubs_.empty()) {
      sizes_[CodeMemory::kCode] = stubs_offset_ + stubs_.size() * kStubBytes;
    }
    slots_offset_ = RoundUpTo(sizes_[CodeMemory::kConstants], sizeof(uint64_t));
    if (!slots_.empty()) {
      sizes_[CodeMemory::kConstants] =
          slots_offset_ + slots_.size() * sizeof(uint64_t);
    }
    if (sizes_[0] + sizes_[1] + sizes_[2] > kLargestImage) {
      return ResourceExhausted("a program of %d bytes of code and constants",
                               sizes_[0] + sizes_[1] + sizes_[2]);
    }
    TF_ASSIGN_OR_RETURN(
        image_.memory, CodeMemory::Allocate({sizes_[0], sizes_[1], sizes_[2]}));
    image_.code_bytes = static_cast<int64_t>(sizes_[CodeMemory::kCode]);
    image_.data_bytes = static_cast<int64_t>(sizes_[CodeMemory::kConstants] +
                                             sizes_[CodeMemory::kData]);
    return absl::OkStatus();
  }

  uint8_t* AddressOf(const Placement& placement) const {
    return image_.memory.segment(placement.segment) + placement.offset;
  }

  void Copy() {
    for (const Part& part : parts_) {
      for (size_t i = 0; i < part.placements.size(); ++i) {
        const absl::string_view bytes = part.object.sections[i].bytes;
        if (!part.placements[i].loaded || bytes.empty()) continue;
        std::memcpy(AddressOf(part.placements[i]), bytes.data(), bytes.size());
      }
    }
  }

  // The address of a symbol that `part` defines.
  absl::StatusOr<uint64_t> DefinedAddress(const Part& part,
                                          const ElfSymbol& symbol) const {
    if (symbol.section == ElfSymbol::kAbsolute) return symbol.value;
    const Placement& placement = part.placements[symbol.section];
    if (!placement.loaded && part.object.sections[symbol.section].size != 0) {
      return Internal("symbol %s is in section %s, which is not loaded",
                      symbol.name, part.object.sections[symbol.section].name);
    }
    return reinterpret_cast<uint64_t>(AddressOf(placement)) + symbol.value;
  }

  // The address of a global symbol, wherever it is defined.
  absl::StatusOr<uint64_t> GlobalAddress(absl::string_view name) const {
    const auto defined = definitions_.find(name);
    if (defined != definitions_.end()) {
      return DefinedAddress(*defined->second.part, *defined->second.symbol);
    }
    for (const SymbolTable* table : {&outside_, &RuntimeSymbols()}) {
      const auto outside = table->find(name);
      if (outside != table->end()) {
        return reinterpret_cast<uint64_t>(outside->second);
      }
    }
    return Internal("generated code refers to %s, which nothing defines", name);
  }

  uint8_t* Stub(uint64_t number) const {
    return image_.memory.segment(CodeMemory::kCode) + stubs_offset_ +
           number * kStubBytes;
  }
  uint8_t* Slot(uint64_t number) const {
    return image_.memory.segment(CodeMemory::kConstants) + slots_offset_ +
           number * sizeof(uint64_t);
  }

  absl::Status FillTables() {
    for (const auto& [name, number] : stubs_) {
      TF_ASSIGN_OR_RETURN(const uint64_t address, GlobalAddress(name));
      WriteStub(kMachine, address, Stub(number));
    }
    for (const auto& [name, number] : slots_) {
      TF_ASSIGN_OR_RETURN(const uint64_t address, GlobalAddress(name));
      std::memcpy(Slot(number), &address, sizeof(address));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<uint64_t> ValueOf(const Part& part,
                                   const ElfRelocation& relocation) const {
    const ElfSymbol& symbol = part.object.symbols[relocation.symbol];
    const RelocationNeed need = NeedOf(kMachine, relocation.type);
    if (need == RelocationNeed::kSlot) {
      return reinterpret_cast<uint64_t>(Slot(slots_.at(symbol.name)));
    }
    if (symbol.section != ElfSymbol::kUndefined) {
      return DefinedAddress(part, symbol);
    }
    if (need == RelocationNeed::kCall) {
      const auto stub = stubs_.find(symbol.name);
      if (stub != stubs_.end()) {
        return reinterpret_cast<uint64_t>(Stub(stub->second));
      }
    }
    // Symbol 0 means that there is no symbol.
    if (relocation.symbol == 0) return 0;
    return GlobalAddress(symbol.name);
  }

  absl::Status RelocateAll(const Part& part) const {
    for (const ElfRelocation& relocation : part.object.relocations) {
      const Placement& placement = part.placements[relocation.section];
      if (!placement.loaded) continue;
      TF_ASSIGN_OR_RETURN(const uint64_t value, ValueOf(part, relocation));
      const uint64_t size = part.object.sections[relocation.section].size;
      TF_RETURN_IF_ERROR(
          Relocate(kMachine, relocation.type, value, relocation.addend,
                   absl::MakeSpan(AddressOf(placement) + relocation.offset,
                                  size - relocation.offset)));
    }
    return absl::OkStatus();
  }

  absl::Status ListSymbols() {
    for (const auto& [name, definition] : definitions_) {
      TF_ASSIGN_OR_RETURN(const uint64_t address,
                          DefinedAddress(*definition.part, *definition.symbol));
      image_.symbols[name] = Linked(*definition.symbol, address);
    }
    for (const Part& part : parts_) {
      for (const ElfSymbol& symbol : part.object.symbols) {
        if (symbol.binding != STB_LOCAL || symbol.type != STT_FUNC ||
            symbol.section == ElfSymbol::kUndefined) {
          continue;
        }
        TF_ASSIGN_OR_RETURN(const uint64_t address,
                            DefinedAddress(part, symbol));
        image_.local_functions.push_back(
            {std::string(symbol.name), Linked(symbol, address)});
      }
    }
    return absl::OkStatus();
  }

  static LinkedSymbol Linked(const ElfSymbol& symbol, uint64_t address) {
    return {reinterpret_cast<void*>(address), static_cast<int64_t>(symbol.size),
            symbol.type == STT_FUNC};
  }

  absl::Span<const SymbolAlias> aliases_;
  const SymbolTable& outside_;
  std::vector<Part> parts_;
  std::array<uint64_t, CodeMemory::kSegments> sizes_{};
  absl::flat_hash_map<absl::string_view, Definition> definitions_;
  Numbers stubs_, slots_;
  uint64_t stubs_offset_ = 0, slots_offset_ = 0;
  LinkedImage image_;
};

}  // namespace

absl::StatusOr<LinkedImage> LinkObjects(absl::Span<const std::string> objects,
                                        absl::Span<const SymbolAlias> aliases,
                                        const SymbolTable& outside) {
  return Linker(aliases, outside).Link(objects);
}

}  // namespace xla::cpu
