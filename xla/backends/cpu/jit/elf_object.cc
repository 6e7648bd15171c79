// The format is defined by the System V ABI, chapter 4 (object files), and its
// processor supplements; <elf.h> has the numbers.
#include "xla/backends/cpu/jit/elf_object.h"

#include <elf.h>

#include <cstring>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// In bytes. The linker aligns sections within pages, which are at least this
// large.
constexpr uint64_t kMaxAlignment = 4096;

class Parser {
 public:
  explicit Parser(absl::string_view bytes) : bytes_(bytes) {}

  absl::StatusOr<ElfObject> Parse() {
    TF_RETURN_IF_ERROR(ReadHeaders());
    TF_RETURN_IF_ERROR(ReadSections());
    for (size_t i = 0; i < headers_.size(); ++i) {
      if (headers_[i].sh_type == SHT_SYMTAB) {
        TF_RETURN_IF_ERROR(ReadSymbols(headers_[i]));
      }
    }
    for (size_t i = 0; i < headers_.size(); ++i) {
      if (headers_[i].sh_type == SHT_RELA) {
        TF_RETURN_IF_ERROR(ReadRelocations(headers_[i]));
      } else if (headers_[i].sh_type == SHT_REL) {
        return InvalidArgument("object file: relocations without addends");
      }
    }
    return std::move(object_);
  }

 private:
  // The `size` bytes at `offset`.
  absl::StatusOr<absl::string_view> Bytes(uint64_t offset, uint64_t size) {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      return InvalidArgument(
          "object file: %d bytes at %d are asked for, there are %d", size,
          offset, bytes_.size());
    }
    return bytes_.substr(offset, size);
  }

  // The entries of a table of T.
  template <typename T>
  absl::StatusOr<std::vector<T>> Table(uint64_t offset, uint64_t size) {
    if (size % sizeof(T) != 0) {
      return InvalidArgument(
          "object file: a table of %d bytes has entries of "
          "%d",
          size, sizeof(T));
    }
    TF_ASSIGN_OR_RETURN(const absl::string_view bytes, Bytes(offset, size));
    std::vector<T> table(size / sizeof(T));
    if (!table.empty()) std::memcpy(table.data(), bytes.data(), size);
    return table;
  }

  // The zero-terminated text at `offset` of a string table.
  static absl::StatusOr<absl::string_view> Text(absl::string_view strings,
                                                uint64_t offset) {
    if (offset < strings.size()) {
      const size_t end = strings.find('\0', offset);
      if (end != strings.npos) return strings.substr(offset, end - offset);
    }
    return InvalidArgument("object file: no name at %d of its string table",
                           offset);
  }

  absl::StatusOr<absl::string_view> Strings(uint32_t section) {
    if (section >= headers_.size() || headers_[section].sh_type != SHT_STRTAB) {
      return InvalidArgument("object file: section %d is no string table",
                             section);
    }
    return Bytes(headers_[section].sh_offset, headers_[section].sh_size);
  }

  absl::Status ReadHeaders() {
    Elf64_Ehdr header;
    TF_ASSIGN_OR_RETURN(const absl::string_view bytes,
                        Bytes(0, sizeof(header)));
    std::memcpy(&header, bytes.data(), sizeof(header));
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL ||
        header.e_shentsize != sizeof(Elf64_Shdr) ||
        header.e_shnum >= SHN_LORESERVE) {
      return InvalidArgument(
          "object file: not a 64-bit little-endian relocatable ELF file");
    }
    object_.machine = header.e_machine;
    uint64_t count = header.e_shnum;
    uint64_t names = header.e_shstrndx;
    // If there are very many sections, the first header holds the numbers.
    if (count == 0 && header.e_shoff != 0) {
      TF_ASSIGN_OR_RETURN(
          const auto first,
          Table<Elf64_Shdr>(header.e_shoff, sizeof(Elf64_Shdr)));
      count = first[0].sh_size;
      if (names == SHN_XINDEX) names = first[0].sh_link;
      if (count > bytes_.size() / sizeof(Elf64_Shdr)) {
        return InvalidArgument("object file: %d sections in %d bytes", count,
                               bytes_.size());
      }
    }
    TF_ASSIGN_OR_RETURN(
        headers_,
        Table<Elf64_Shdr>(header.e_shoff, count * sizeof(Elf64_Shdr)));
    names_section_ = static_cast<uint32_t>(names);
    return absl::OkStatus();
  }

  absl::Status ReadSections() {
    TF_ASSIGN_OR_RETURN(const absl::string_view names, Strings(names_section_));
    for (const Elf64_Shdr& header : headers_) {
      ElfSection section;
      TF_ASSIGN_OR_RETURN(section.name, Text(names, header.sh_name));
      section.type = header.sh_type;
      section.flags = header.sh_flags;
      section.size = header.sh_size;
      if (header.sh_addralign > 1) section.alignment = header.sh_addralign;
      if ((section.alignment & (section.alignment - 1)) != 0 ||
          section.alignment > kMaxAlignment) {
        return InvalidArgument("object file: section %s is aligned by %d",
                               section.name, section.alignment);
      }
      if (header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL) {
        TF_ASSIGN_OR_RETURN(section.bytes,
                            Bytes(header.sh_offset, header.sh_size));
      }
      object_.sections.push_back(section);
    }
    return absl::OkStatus();
  }

  absl::Status ReadSymbols(const Elf64_Shdr& header) {
    if (!object_.symbols.empty()) {
      return InvalidArgument("object file: two symbol tables");
    }
    TF_ASSIGN_OR_RETURN(const absl::string_view names, Strings(header.sh_link));
    TF_ASSIGN_OR_RETURN(const auto table,
                        Table<Elf64_Sym>(header.sh_offset, header.sh_size));
    object_.symbols.reserve(table.size());
    for (const Elf64_Sym& entry : table) {
      ElfSymbol symbol;
      TF_ASSIGN_OR_RETURN(symbol.name, Text(names, entry.st_name));
      symbol.binding = ELF64_ST_BIND(entry.st_info);
      symbol.type = ELF64_ST_TYPE(entry.st_info);
      symbol.value = entry.st_value;
      symbol.size = entry.st_size;
      if (entry.st_shndx == SHN_UNDEF) {
        symbol.section = ElfSymbol::kUndefined;
      } else if (entry.st_shndx == SHN_ABS) {
        symbol.section = ElfSymbol::kAbsolute;
      } else if (entry.st_shndx < object_.sections.size()) {
        symbol.section = entry.st_shndx;
        const uint64_t size = object_.sections[symbol.section].size;
        if (symbol.value > size || symbol.size > size - symbol.value) {
          return InvalidArgument("object file: symbol %s leaves its section",
                                 symbol.name);
        }
      } else {
        return InvalidArgument("object file: symbol %s is in section %d",
                               symbol.name, entry.st_shndx);
      }
      object_.symbols.push_back(symbol);
    }
    return absl::OkStatus();
  }

  absl::Status ReadRelocations(const Elf64_Shdr& header) {
    if (header.sh_info >= object_.sections.size()) {
      return InvalidArgument("object file: relocations of section %d",
                             header.sh_info);
    }
    TF_ASSIGN_OR_RETURN(const auto table,
                        Table<Elf64_Rela>(header.sh_offset, header.sh_size));
    object_.relocations.reserve(object_.relocations.size() + table.size());
    for (const Elf64_Rela& entry : table) {
      ElfRelocation relocation;
      relocation.section = header.sh_info;
      relocation.type = ELF64_R_TYPE(entry.r_info);
      relocation.symbol = ELF64_R_SYM(entry.r_info);
      relocation.offset = entry.r_offset;
      relocation.addend = entry.r_addend;
      const ElfSection& section = object_.sections[relocation.section];
      if (relocation.offset >= section.size || section.bytes.empty() ||
          relocation.symbol >= object_.symbols.size()) {
        return InvalidArgument(
            "object file: relocation at %d of section %s, symbol %d",
            relocation.offset, section.name, relocation.symbol);
      }
      object_.relocations.push_back(relocation);
    }
    return absl::OkStatus();
  }

  absl::string_view bytes_;
  std::vector<Elf64_Shdr> headers_;
  uint32_t names_section_ = 0;
  ElfObject object_;
};

}  // namespace

absl::StatusOr<ElfObject> ParseElfObject(absl::string_view bytes) {
  return Parser(bytes).Parse();
}

}  // namespace xla::cpu
