// The option, and what perf and gdb read.
#include "xla/backends/cpu/jit/symbols/code_symbols.h"

#include <elf.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/backends/cpu/jit/symbols/gdb_interface.h"
#include "xla/backends/cpu/jit/symbols/perf_map.h"
#include "xla/backends/cpu/jit/symbols/symbol_file.h"

extern "C" {
struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};
extern jit_descriptor __jit_debug_descriptor;
}

namespace xla::cpu {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr char kCode[] = "code of two functions";

std::vector<CodeSymbol> Symbols() {
  return {{"jit_f::fusion.1", kCode, 8}, {"jit_f::sort", kCode + 8, 5}};
}

std::string ContentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

template <typename T>
T At(const std::string& bytes, size_t offset) {
  T value{};
  if (offset + sizeof(T) > bytes.size()) {
    ADD_FAILURE() << "only " << bytes.size() << " bytes";
    return value;
  }
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

TEST(CodeSymbolsTest, FormsAreWords) {
  EXPECT_FALSE(ParseSymbolForms("")->any());
  const SymbolForms two = ParseSymbolForms("perfmap, gdb").value();
  EXPECT_TRUE(two.perf_map);
  EXPECT_TRUE(two.gdb);
  EXPECT_FALSE(two.jitdump);
  EXPECT_TRUE(ParseSymbolForms("jitdump")->jitdump);
  EXPECT_THAT(ParseSymbolForms("perfmap,1").status().message(),
              HasSubstr("no form 1, but perfmap, jitdump and gdb"));
}

TEST(CodeSymbolsTest, NothingIsToldWithoutAForm) {
  EXPECT_EQ(PublishSymbols(Symbols(), {}).value(), nullptr);
  EXPECT_EQ(PublishSymbols({}, {.gdb = true}).value(), nullptr);
}

TEST(CodeSymbolsTest, PerfMapHasALineForEachFunction) {
  ASSERT_TRUE(AppendToPerfMap(Symbols()).ok());
  ASSERT_TRUE(AppendToPerfMap({{"later", kCode, 1}}).ok());
  const std::string path = absl::StrCat("/tmp/perf-", getpid(), ".map");
  const auto address = [](int offset) {
    return absl::StrCat(absl::Hex(reinterpret_cast<uintptr_t>(kCode) + offset));
  };
  EXPECT_EQ(ContentsOf(path),
            absl::StrCat(address(0), " 8 jit_f::fusion.1\n", address(8),
                         " 5 jit_f::sort\n", address(0), " 1 later\n"));
  unlink(path.c_str());
}

TEST(CodeSymbolsTest, JitdumpHasNamesAndCode) {
  ASSERT_TRUE(AppendToJitdump(Symbols()).ok());
  const std::string path = absl::StrCat("/tmp/jit-", getpid(), ".dump");
  const std::string bytes = ContentsOf(path);
  unlink(path.c_str());
  EXPECT_EQ(At<uint32_t>(bytes, 0), 0x4A695444u);
  EXPECT_EQ(At<uint32_t>(bytes, 4), 1u);
  const uint32_t header = At<uint32_t>(bytes, 8);
  EXPECT_EQ(At<uint32_t>(bytes, 20), static_cast<uint32_t>(getpid()));
  EXPECT_EQ(At<uint32_t>(bytes, header), 0u);  // loads code
  const uint32_t first = At<uint32_t>(bytes, header + 4);
  EXPECT_EQ(At<uint64_t>(bytes, header + 32),
            reinterpret_cast<uintptr_t>(kCode));
  EXPECT_EQ(At<uint64_t>(bytes, header + 40), 8u);
  EXPECT_THAT(bytes.substr(header, first),
              EndsWith(std::string("jit_f::fusion.1\0code of ", 24)));
  const uint32_t second = At<uint32_t>(bytes, header + first + 4);
  EXPECT_EQ(header + first + second, bytes.size());
  EXPECT_THAT(bytes, EndsWith(std::string("jit_f::sort\0two f", 17)));
  EXPECT_NE(At<uint64_t>(bytes, header + 48),
            At<uint64_t>(bytes, header + first + 48));  // numbers of the code
}

TEST(CodeSymbolsTest, SymbolFileNamesAddresses) {
  const std::string file = SymbolFile(Symbols());
  const auto header = At<Elf64_Ehdr>(file, 0);
  EXPECT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
  std::vector<Elf64_Shdr> sections;
  for (int i = 0; i < header.e_shnum; ++i) {
    sections.push_back(
        At<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr)));
  }
  const Elf64_Shdr& names = sections.at(header.e_shstrndx);
  const auto name = [&](uint32_t offset) {
    return std::string(file.c_str() + names.sh_offset + offset);
  };
  EXPECT_EQ(name(sections[1].sh_name), ".text");
  EXPECT_EQ(sections[1].sh_addr, reinterpret_cast<uintptr_t>(kCode));
  EXPECT_EQ(sections[1].sh_size, 13u);
  EXPECT_EQ(name(sections[2].sh_name), ".symtab");
  EXPECT_EQ(name(sections[3].sh_name), ".strtab");
  ASSERT_EQ(sections[2].sh_size, 3 * sizeof(Elf64_Sym));
  const auto sort =
      At<Elf64_Sym>(file, sections[2].sh_offset + 2 * sizeof(Elf64_Sym));
  EXPECT_EQ(name(sort.st_name), "jit_f::sort");
  EXPECT_EQ(sort.st_value, reinterpret_cast<uintptr_t>(kCode) + 8);
  EXPECT_EQ(sort.st_size, 5u);
}

TEST(CodeSymbolsTest, GdbsListFollowsTheLivesOfSymbols) {
  ASSERT_EQ(__jit_debug_descriptor.version, 1u);
  ASSERT_EQ(__jit_debug_descriptor.first_entry, nullptr);
  auto first = std::make_unique<GdbSymbols>(Symbols());
  auto second = std::make_unique<GdbSymbols>(Symbols());
  auto third = std::make_unique<GdbSymbols>(Symbols());
  const auto length = [] {
    int64_t entries = 0;
    const jit_code_entry* before = nullptr;
    for (const jit_code_entry* entry = __jit_debug_descriptor.first_entry;
         entry != nullptr; entry = entry->next_entry) {
      EXPECT_EQ(entry->prev_entry, before);
      EXPECT_EQ(std::string(entry->symfile_addr, entry->symfile_size),
                SymbolFile(Symbols()));
      before = entry;
      ++entries;
    }
    return entries;
  };
  EXPECT_EQ(length(), 3);
  second = nullptr;
  EXPECT_EQ(length(), 2);
  EXPECT_EQ(__jit_debug_descriptor.action_flag, 2u);
  third = nullptr;
  EXPECT_EQ(length(), 1);
  first = nullptr;
  EXPECT_EQ(length(), 0);
}

}  // namespace
}  // namespace xla::cpu
