// The file is: header, section headers, symbols, names.
#include "xla/backends/cpu/jit/symbols/symbol_file.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace xla::cpu {
namespace {

#if defined(__aarch64__)
constexpr uint16_t kSymbolMachine = EM_AARCH64;
#else
constexpr uint16_t kSymbolMachine = EM_X86_64;
#endif

enum Section { kNone, kText, kSymbols, kNames, kSections };

// Names of sections, at the begin of the table of all names.
constexpr char kSectionNames[] = "\0.text\0.symtab\0.strtab";
constexpr uint32_t kTextName = 1, kSymbolsName = 7, kNamesName = 15;

uint64_t AddressOf(const CodeSymbol& symbol) {
  return reinterpret_cast<uintptr_t>(symbol.address);
}

Elf64_Ehdr Header() {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  // Values of symbols are then addresses.
  header.e_type = ET_EXEC;
  header.e_machine = kSymbolMachine;
  header.e_version = EV_CURRENT;
  header.e_shoff = sizeof(header);
  header.e_ehsize = sizeof(header);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kSections;
  header.e_shstrndx = kNames;
  return header;
}

}  // namespace

std::string SymbolFile(absl::Span<const CodeSymbol> symbols) {
  std::string names(kSectionNames, sizeof(kSectionNames));
  std::vector<Elf64_Sym> table(1);  // The first one has no meaning.
  uint64_t begin = UINT64_MAX, end = 0;
  for (const CodeSymbol& symbol : symbols) {
    begin = std::min(begin, AddressOf(symbol));
    end = std::max(end, AddressOf(symbol) + symbol.size_bytes);
    Elf64_Sym& entry = table.emplace_back();
    entry.st_name = names.size();
    entry.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    entry.st_shndx = kText;
    entry.st_value = AddressOf(symbol);
    entry.st_size = symbol.size_bytes;
    names.append(symbol.name.c_str(), symbol.name.size() + 1);
  }
  std::array<Elf64_Shdr, kSections> sections{};
  sections[kText] = {.sh_name = kTextName,
                     .sh_type = SHT_NOBITS,
                     .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                     .sh_addr = begin,
                     .sh_offset = sizeof(Elf64_Ehdr) + sizeof(sections),
                     .sh_size = end - begin,
                     .sh_link = 0,
                     .sh_info = 0,
                     .sh_addralign = 1,
                     .sh_entsize = 0};
  sections[kSymbols] = {.sh_name = kSymbolsName,
                        .sh_type = SHT_SYMTAB,
                        .sh_flags = 0,
                        .sh_addr = 0,
                        .sh_offset = sizeof(Elf64_Ehdr) + sizeof(sections),
                        .sh_size = table.size() * sizeof(Elf64_Sym),
                        .sh_link = kNames,
                        .sh_info = 1,  // the first symbol that is global
                        .sh_addralign = 8,
                        .sh_entsize = sizeof(Elf64_Sym)};
  sections[kNames] = {
      .sh_name = kNamesName,
      .sh_type = SHT_STRTAB,
      .sh_flags = 0,
      .sh_addr = 0,
      .sh_offset = sections[kSymbols].sh_offset + sections[kSymbols].sh_size,
      .sh_size = names.size(),
      .sh_link = 0,
      .sh_info = 0,
      .sh_addralign = 1,
      .sh_entsize = 0};
  const Elf64_Ehdr header = Header();
  std::string file(reinterpret_cast<const char*>(&header), sizeof(header));
  file.append(reinterpret_cast<const char*>(sections.data()), sizeof(sections));
  file.append(reinterpret_cast<const char*>(table.data()),
              table.size() * sizeof(Elf64_Sym));
  return file + names;
}

}  // namespace xla::cpu
