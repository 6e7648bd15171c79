// Keeps each section of an input file as a section of its own, so that no
// relocation changes but for the number of its symbol.
#include "xla/backends/cpu/aot/object_writer.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla::cpu::aot {
namespace {

constexpr uint64_t kKeptFlags = SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR;

// Texts one after the other, each with a zero at its end.
class StringTable {
 public:
  uint32_t Add(absl::string_view text) {
    if (text.empty()) return 0;
    const auto offset = static_cast<uint32_t>(bytes_.size());
    bytes_.append(text.data(), text.size());
    bytes_.push_back('\0');
    return offset;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_ = std::string(1, '\0');
};

template <typename T>
void Append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

bool IsUnwindTable(absl::string_view name) {
  return absl::StartsWith(name, ".eh_frame");
}

}  // namespace

ObjectWriter::ObjectWriter(uint16_t machine) : machine_(machine) {}

ObjectWriter::Symbol ObjectWriter::Add(Entry entry) {
  symbols_.push_back(std::move(entry));
  return static_cast<Symbol>(symbols_.size()) - 1;
}

ObjectWriter::Symbol ObjectWriter::Outside(const std::string& name) {
  const auto [it, added] = outside_.try_emplace(name, -1);
  if (added) it->second = Add({.name = name, .binding = STB_GLOBAL});
  return it->second;
}

absl::Status ObjectWriter::AddObject(
    const ElfObject& object, Symbols& globals,
    std::vector<std::pair<Symbol, std::string>>& references) {
  if (object.machine != machine_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "object file: it is for machine ", object.machine, ", not ", machine_));
  }
  std::vector<int32_t> section_of(object.sections.size(), -1);
  for (size_t i = 0; i < object.sections.size(); ++i) {
    const ElfSection& from = object.sections[i];
    if ((from.flags & SHF_ALLOC) == 0 || IsUnwindTable(from.name)) continue;
    if ((from.flags & SHF_TLS) != 0 || from.type == SHT_INIT_ARRAY ||
        from.type == SHT_FINI_ARRAY) {
      return absl::UnimplementedError(absl::StrCat(
          "object file: section ", from.name,
          " has thread-local data or functions that run at the start"));
    }
    section_of[i] = static_cast<int32_t>(sections_.size());
    sections_.push_back({.name = std::string(from.name),
                         .type = from.type,
                         .flags = from.flags & kKeptFlags,
                         .size = from.size,
                         .alignment = from.alignment,
                         .bytes = std::string(from.bytes)});
  }
  std::vector<Symbol> symbol_of(object.symbols.size(), -1);
  for (size_t i = 0; i < object.symbols.size(); ++i) {
    const ElfSymbol& from = object.symbols[i];
    if (from.section == ElfSymbol::kAbsolute) {
      // The name of a source file.
      continue;
    }
    if (from.section == ElfSymbol::kUndefined) {
      if (from.name.empty()) continue;
      // Its entry becomes what the name turns out to be.
      symbol_of[i] = Add({});
      references.push_back({symbol_of[i], std::string(from.name)});
      continue;
    }
    if (section_of[from.section] < 0) continue;
    symbol_of[i] = Add({.name = std::string(from.name),
                        .binding = STB_LOCAL,
                        .type = from.type,
                        .section = section_of[from.section],
                        .value = from.value,
                        .size = from.size});
    if (from.binding == STB_LOCAL) continue;
    if (!globals.insert({std::string(from.name), symbol_of[i]}).second) {
      return absl::InternalError(
          absl::StrCat("object file: ", from.name, " is defined twice"));
    }
  }
  for (const ElfRelocation& from : object.relocations) {
    if (section_of[from.section] < 0) continue;
    if (symbol_of[from.symbol] < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "object file: a place in ", object.sections[from.section].name,
          " refers to a section that is not loaded"));
    }
    ElfRelocation to = from;
    to.symbol = symbol_of[from.symbol];
    sections_[section_of[from.section]].relocations.push_back(to);
  }
  return absl::OkStatus();
}

absl::StatusOr<ObjectWriter::Symbols> ObjectWriter::AddObjects(
    absl::Span<const std::string> objects,
    absl::Span<const SymbolAlias> aliases,
    absl::FunctionRef<std::string(absl::string_view)> outside) {
  Symbols globals;
  std::vector<std::pair<Symbol, std::string>> references;
  const size_t first_section = sections_.size();
  for (const std::string& bytes : objects) {
    TF_ASSIGN_OR_RETURN(const ElfObject object, ParseElfObject(bytes));
    TF_RETURN_IF_ERROR(AddObject(object, globals, references));
  }
  for (const SymbolAlias& alias : aliases) {
    const auto it = globals.find(alias.target);
    if (it == globals.end() ||
        !globals.insert({alias.name, it->second}).second) {
      return absl::InternalError(absl::StrCat("object file: ", alias.name,
                                              " cannot be ", alias.target));
    }
  }
  absl::flat_hash_map<Symbol, Symbol> resolved;
  for (const auto& [reference, name] : references) {
    const auto it = globals.find(name);
    if (it != globals.end()) {
      resolved[reference] = it->second;
      continue;
    }
    const std::string global = outside(name);
    if (global.empty()) {
      return absl::InternalError(
          absl::StrCat("object file: nothing defines ", name));
    }
    resolved[reference] = Outside(global);
  }
  for (size_t i = first_section; i < sections_.size(); ++i) {
    for (ElfRelocation& relocation : sections_[i].relocations) {
      const auto it = resolved.find(static_cast<Symbol>(relocation.symbol));
      if (it != resolved.end()) relocation.symbol = it->second;
    }
  }
  return globals;
}

ObjectWriter::Symbol ObjectWriter::AddData(std::string bytes, int64_t alignment,
                                           bool pointers) {
  const auto size = static_cast<uint64_t>(bytes.size());
  sections_.push_back({.name = pointers ? ".data.rel.ro" : ".rodata",
                       .type = SHT_PROGBITS,
                       .flags = static_cast<uint64_t>(
                           pointers ? SHF_ALLOC | SHF_WRITE : SHF_ALLOC),
                       .size = size,
                       .alignment = static_cast<uint64_t>(alignment),
                       .bytes = std::move(bytes)});
  return Add({.binding = STB_LOCAL,
              .type = STT_OBJECT,
              .section = static_cast<int32_t>(sections_.size()) - 1,
              .size = size});
}

void ObjectWriter::SetPointer(Symbol data, int64_t offset, Symbol to,
                              int64_t addend) {
  const uint32_t type = machine_ == EM_AARCH64 ? R_AARCH64_ABS64 : R_X86_64_64;
  sections_[symbols_[data].section].relocations.push_back(
      {.type = type,
       .symbol = static_cast<uint32_t>(to),
       .offset = symbols_[data].value + offset,
       .addend = addend});
}

void ObjectWriter::AddTailCall(const std::string& name,
                               const std::string& callee) {
  const bool arm = machine_ == EM_AARCH64;
  // b callee; jmp callee, whose place is relative to its own end.
  const std::string code = arm ? std::string("\x00\x00\x00\x14", 4)
                               : std::string("\xe9\x00\x00\x00\x00", 5);
  const uint64_t size = code.size();
  ElfRelocation call = {
      .type = static_cast<uint32_t>(arm ? R_AARCH64_JUMP26 : R_X86_64_PLT32),
      .symbol = static_cast<uint32_t>(Outside(callee)),
      .offset = arm ? 0u : 1u,
      .addend = arm ? 0 : -4};
  sections_.push_back({.name = ".text",
                       .type = SHT_PROGBITS,
                       .flags = SHF_ALLOC | SHF_EXECINSTR,
                       .size = size,
                       .alignment = 16,
                       .bytes = code,
                       .relocations = {call}});
  Add({.name = name,
       .binding = STB_GLOBAL,
       .type = STT_FUNC,
       .section = static_cast<int32_t>(sections_.size()) - 1,
       .size = size});
}

void ObjectWriter::Export(Symbol symbol, const std::string& name) {
  symbols_[symbol].name = name;
  symbols_[symbol].binding = STB_GLOBAL;
}

// The file: header, contents of sections, relocations, symbols, names, headers
// of sections.
absl::StatusOr<std::string> ObjectWriter::Finish() && {
  // Says that the program's stack need not be executable.
  sections_.push_back({.name = ".note.GNU-stack", .type = SHT_PROGBITS});
  size_t headers = 4;  // null, symbols, their names, names of sections
  for (const Section& section : sections_) {
    headers += section.relocations.empty() ? 1 : 2;
  }
  if (headers >= SHN_LORESERVE) {
    return absl::ResourceExhaustedError(
        absl::StrCat("an object file cannot have ", headers, " sections"));
  }
  const auto num_sections = static_cast<uint32_t>(sections_.size());
  const uint32_t symtab = num_sections + 1;

  // Local symbols come first.
  StringTable names;
  std::string symbol_bytes;
  Append(symbol_bytes, Elf64_Sym{});
  std::vector<uint32_t> number_of(symbols_.size());
  uint32_t next = 1, num_locals = 1;
  for (const uint8_t binding : {STB_LOCAL, STB_GLOBAL}) {
    for (size_t i = 0; i < symbols_.size(); ++i) {
      const Entry& entry = symbols_[i];
      if (entry.binding != binding) continue;
      // The entry of a reference that was resolved.
      if (binding == STB_LOCAL && entry.section < 0) continue;
      number_of[i] = next++;
      Append(symbol_bytes,
             Elf64_Sym{.st_name = names.Add(entry.name),
                       .st_info = static_cast<unsigned char>(
                           ELF64_ST_INFO(entry.binding, entry.type)),
                       .st_other = STV_DEFAULT,
                       .st_shndx = static_cast<uint16_t>(entry.section + 1),
                       .st_value = entry.value,
                       .st_size = entry.size});
    }
    if (binding == STB_LOCAL) num_locals = next;
  }

  std::string file(sizeof(Elf64_Ehdr), '\0');
  StringTable section_names;
  std::vector<Elf64_Shdr> table(1);
  const auto place = [&](absl::string_view bytes, uint64_t alignment) {
    file.resize(
        RoundUpTo<int64_t>(file.size(), std::max<int64_t>(alignment, 1)));
    const uint64_t offset = file.size();
    file.append(bytes.data(), bytes.size());
    return offset;
  };
  for (const Section& section : sections_) {
    table.push_back({.sh_name = section_names.Add(section.name),
                     .sh_type = section.type,
                     .sh_flags = section.flags,
                     .sh_offset = place(section.bytes, section.alignment),
                     .sh_size = section.size,
                     .sh_addralign = section.alignment});
  }
  table.push_back({.sh_name = section_names.Add(".symtab"),
                   .sh_type = SHT_SYMTAB,
                   .sh_offset = place(symbol_bytes, 8),
                   .sh_size = symbol_bytes.size(),
                   .sh_link = symtab + 1,
                   .sh_info = num_locals,
                   .sh_addralign = 8,
                   .sh_entsize = sizeof(Elf64_Sym)});
  table.push_back({.sh_name = section_names.Add(".strtab"),
                   .sh_type = SHT_STRTAB,
                   .sh_offset = place(names.bytes(), 1),
                   .sh_size = names.bytes().size(),
                   .sh_addralign = 1});
  for (uint32_t i = 0; i < num_sections; ++i) {
    if (sections_[i].relocations.empty()) continue;
    std::string bytes;
    for (const ElfRelocation& from : sections_[i].relocations) {
      Append(bytes, Elf64_Rela{.r_offset = from.offset,
                               .r_info = ELF64_R_INFO(
                                   uint64_t{number_of[from.symbol]}, from.type),
                               .r_addend = from.addend});
    }
    table.push_back(
        {.sh_name = section_names.Add(absl::StrCat(".rela", sections_[i].name)),
         .sh_type = SHT_RELA,
         .sh_flags = SHF_INFO_LINK,
         .sh_offset = place(bytes, 8),
         .sh_size = bytes.size(),
         .sh_link = symtab,
         .sh_info = i + 1,
         .sh_addralign = 8,
         .sh_entsize = sizeof(Elf64_Rela)});
  }
  const uint32_t shstrtab_name = section_names.Add(".shstrtab");
  table.push_back({.sh_name = shstrtab_name,
                   .sh_type = SHT_STRTAB,
                   .sh_offset = place(section_names.bytes(), 1),
                   .sh_size = section_names.bytes().size(),
                   .sh_addralign = 1});
  std::string table_bytes;
  for (const Elf64_Shdr& header : table) Append(table_bytes, header);

  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = machine_;
  header.e_version = EV_CURRENT;
  header.e_shoff = place(table_bytes, 8);
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(table.size());
  header.e_shstrndx = static_cast<uint16_t>(table.size() - 1);
  std::memcpy(file.data(), &header, sizeof(header));
  return file;
}

}  // namespace xla::cpu::aot
