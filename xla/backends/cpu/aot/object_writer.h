// ObjectWriter: writes one relocatable ELF file from the object files of a
// program and data of its own. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_AOT_OBJECT_WRITER_H_
#define XLA_BACKENDS_CPU_AOT_OBJECT_WRITER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/jit/elf_object.h"
#include "xla/backends/cpu/jit/object_linker.h"

namespace xla::cpu::aot {

// Source of the format: System V ABI, chapter 4, and its supplements for x86-64
// and aarch64.
class ObjectWriter {
 public:
  // A symbol of the file; made by the functions below.
  using Symbol = int32_t;
  using Symbols = absl::flat_hash_map<std::string, Symbol>;

  // `machine` is EM_X86_64 or EM_AARCH64.
  explicit ObjectWriter(uint16_t machine);

  // Adds the code and data of `objects`, whose symbols become local, and
  // returns those that were global, with `aliases` of them. `outside` returns
  // the name in the whole program of a symbol that they refer to and do not
  // define; an empty name is an Internal error. Unwind tables are left out.
  // Errors: InvalidArgument for a malformed object, or one for another machine;
  // Internal for symbols that two objects define; Unimplemented for
  // thread-local data and initializers.
  absl::StatusOr<Symbols> AddObjects(
      absl::Span<const std::string> objects,
      absl::Span<const SymbolAlias> aliases,
      absl::FunctionRef<std::string(absl::string_view)> outside);

  // Adds data that nobody writes, at a multiple of `alignment`. If `pointers`,
  // SetPointer may be used on it.
  Symbol AddData(std::string bytes, int64_t alignment, bool pointers);
  // Makes the 8 bytes at `offset` of `data` the address of `to` plus `addend`.
  void SetPointer(Symbol data, int64_t offset, Symbol to, int64_t addend = 0);
  // Adds a function called `name` that ends in calling the global function
  // `callee` with its own arguments.
  void AddTailCall(const std::string& name, const std::string& callee);
  // Makes a symbol of AddData global under this name.
  void Export(Symbol symbol, const std::string& name);

  // Returns the file. Errors: ResourceExhausted for more sections than a file
  // can have.
  absl::StatusOr<std::string> Finish() &&;

 private:
  struct Section {
    std::string name;
    uint32_t type = 0;
    uint64_t flags = 0;
    uint64_t size = 0;
    uint64_t alignment = 1;
    std::string bytes;
    std::vector<ElfRelocation> relocations;  // with numbers of symbols_
  };
  struct Entry {
    std::string name;
    uint8_t binding = 0, type = 0;
    int32_t section = -1;  // of sections_; -1: undefined
    uint64_t value = 0, size = 0;
  };

  Symbol Add(Entry entry);
  // Returns the undefined global symbol of that name.
  Symbol Outside(const std::string& name);
  absl::Status AddObject(
      const ElfObject& object, Symbols& globals,
      std::vector<std::pair<Symbol, std::string>>& references);

  const uint16_t machine_;
  std::vector<Section> sections_;
  std::vector<Entry> symbols_;
  Symbols outside_;
};

}  // namespace xla::cpu::aot

#endif  // XLA_BACKENDS_CPU_AOT_OBJECT_WRITER_H_
